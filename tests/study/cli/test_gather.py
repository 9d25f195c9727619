"""What is given ends as a game or as a file left out with its reason, and the rest is studied."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from diplomat.core.errors import UsageError
from diplomat.study.gather import Gathered, Why, gather
from diplomat.study.parcel import packed, unpacked

from .conftest import header, other_words, plain

Make = Callable[[Path, list[str]], None]


def _written(name: str, text: str) -> Make:
    def make(folder: Path, _: list[str]) -> None:
        (folder / name).write_text(text, encoding="utf-8")

    return make


def _spoiled(change: Callable[[list[str]], list[str]]) -> Make:
    def make(folder: Path, lines: list[str]) -> None:
        (folder / "bad.jsonl").write_text("".join(line + "\n" for line in change(list(lines))), encoding="utf-8")

    return make


def _of_no_sense(lines: list[str]) -> list[str]:
    """Without hashes, and with a token in a place that no map has."""
    rows = [{**plain(lines[0]), "format": 1}, *(plain(line) for line in lines[1:])]
    for row in rows[1:]:
        if row["kind"] == "control_placed":
            row["data"]["province"] = "atlantis"
    return [json.dumps(row) for row in rows]


BAD: list[tuple[str, Why, Make, str]] = [
    ("page", "no_log", _written("page.html", "<p>"), ""),
    ("calls", "calls", _written("game-00.calls.jsonl", "{}\n"), ""),
    ("words", "unreadable", _written("bad.jsonl", "hello\n"), "line 1: not JSON"),
    ("other data set", "unreadable", _written("bad.jsonl", '{"messages": []}\n'), "not a transcript header"),
    ("empty", "unreadable", _written("bad.jsonl", ""), "is empty"),
    ("bytes", "unreadable", lambda folder, _: _bytes(folder), "not UTF-8"),
    ("unknown game", "unreadable", _spoiled(header({"game": "chess"})), "unknown game 'chess'"),
    ("other rules", "rules", _spoiled(header({"rules_version": 99})), "rules version 99"),
    ("newer", "newer", _spoiled(lambda lines: ['{"format": 99}', *lines[1:]]), "newer"),
    ("changed", "changed", _spoiled(other_words), "changed after it was written"),
    ("no sense", "unjudged", _spoiled(_of_no_sense), "cannot be judged"),
    ("twice", "twice", _spoiled(lambda lines: lines), ""),
    ("shorter copy", "twice", _spoiled(lambda lines: lines[: len(lines) // 2]), ""),
]


def _bytes(folder: Path) -> None:
    (folder / "bad.jsonl").write_bytes(b'\xff\xfe{"format"\n')


@pytest.mark.parametrize(("name", "why", "make", "words"), BAD, ids=[row[0] for row in BAD])
def test_a_bad_file_is_named_and_the_rest_is_studied(
    name: str, why: Why, make: Make, words: str, logs: Path, tmp_path: Path
) -> None:
    good = (logs / "game-00.jsonl").read_text(encoding="utf-8")
    (tmp_path / "game-00.jsonl").write_text(good, encoding="utf-8")
    make(tmp_path, good.splitlines())
    found = gather([tmp_path])
    assert [one.ledger.name for one in found.games] == [_kept_name(name)]
    assert [(one.why, words in one.text) for one in found.left] == [(why, True)]


def _kept_name(name: str) -> str:
    """Of two copies that are alike the first by name stays."""
    return "bad" if name == "twice" else "game-00"


def test_a_path_that_is_not_there_is_said(logs: Path, tmp_path: Path) -> None:
    found = gather([logs / "game-00.jsonl", tmp_path / "none.jsonl"])
    assert [one.why for one in found.left] == ["missing"]
    assert len(found.games) == 1


def test_a_file_given_twice_counts_once(logs: Path) -> None:
    found = gather([logs, logs / "game-00.jsonl"])
    assert len(found.games) == 12
    assert [one.why for one in found.left] == ["twice"]


def test_a_changed_log_is_studied_only_when_asked_for(logs: Path, tmp_path: Path) -> None:
    lines = other_words((logs / "game-00.jsonl").read_text(encoding="utf-8").splitlines())
    (tmp_path / "bad.jsonl").write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    assert not gather([tmp_path]).games
    assert [one.row.hashes for one in gather([tmp_path], changed=True).games] == ["broken"]


def test_a_game_in_play_is_studied_as_far_as_it_goes(logs: Path, tmp_path: Path) -> None:
    lines = (logs / "game-00.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    talk = max(at for at, line in enumerate(lines) if '"message_sent"' in line and '"pledges":[{' in line)
    (tmp_path / "open.jsonl").write_text("".join(lines[: talk + 1]), encoding="utf-8")
    found = gather([tmp_path])
    assert found.in_play == 1
    assert not found.games[0].row.finished
    assert any(end.status == "pending" for end in found.ledgers[0].resolutions)


def test_a_torn_last_line_is_told(logs: Path, tmp_path: Path) -> None:
    text = (logs / "game-00.jsonl").read_text(encoding="utf-8")
    (tmp_path / "torn.jsonl").write_text(text[:-40], encoding="utf-8")
    assert [one.row.torn for one in gather([tmp_path]).games] == [True]


def test_games_of_one_name_are_told_apart(logs: Path, tmp_path: Path) -> None:
    for number in range(2):
        folder = tmp_path / f"day{number}"
        folder.mkdir()
        text = (logs / f"game-0{number}.jsonl").read_text(encoding="utf-8")
        (folder / "game.jsonl").write_text(text, encoding="utf-8")
    assert [one.ledger.name for one in gather([tmp_path]).games] == ["day0/game", "day1/game"]


def test_only_one_game_is_studied_at_a_time(logs: Path) -> None:
    found = gather([logs / "game-00.jsonl"], game="throne")
    assert not found.games
    assert [one.why for one in found.left] == ["other_game"]


def test_processes_change_nothing(logs: Path, gathered: Gathered) -> None:
    assert gather([logs], jobs=2) == gathered


def test_progress_is_told_to_the_end(logs: Path) -> None:
    told: list[tuple[int, int]] = []
    gather([logs], progress=lambda done, total: told.append((done, total)))
    assert told == [(5, 12), (10, 12), (12, 12)]


def test_nothing_given_is_wrong_usage() -> None:
    with pytest.raises(UsageError, match="name transcripts"):
        gather([])


def test_a_parcel_holds_what_was_packed(gathered: Gathered) -> None:
    assert unpacked(packed(gathered)) == gathered
