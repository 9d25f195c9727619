"""Commands that read a transcript: what each viewer sees, and what damaged files give."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from .conftest import Run

Record = dict[str, Any]
Change = Callable[[Record], bool]


def rows(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


def folded(text: str) -> str:
    """The text on one line, however it was wrapped."""
    return " ".join(text.split())


def edited(path: Path, change: Change) -> int:
    """The log with one event changed: ``change(record)`` says whether it took it."""
    lines = rows(path)
    for at, line in enumerate(lines[1:], start=1):
        record = json.loads(line)
        if change(record):
            lines[at] = json.dumps(record, ensure_ascii=False, separators=(",", ":"))
            break
    else:
        raise AssertionError("nothing was changed")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return int(record["n"])


def widen_a_letter(record: Record) -> bool:
    if record["kind"] == "message_sent" and record["to"]:
        record["to"] = None
        return True
    return False


def move_a_token(record: Record) -> bool:
    if record["kind"] == "control_placed" and record["n"] > 12:
        record["data"]["province"] = "hida" if record["data"]["province"] != "hida" else "kaiu"
        return True
    return False


def test_a_seat_sees_its_own_letters_and_nothing_sealed_for_others(run: Run, log: Path) -> None:
    ran = run("replay", log, "--as", "crab")
    assert (ran.code, ran.err) == (0, "")
    entries = [json.loads(row) for row in rows(log)[1:]]
    names = {e["data"]["seat"]: e["data"]["clan"].capitalize() for e in entries if e["kind"] == "clan_taken"}
    sent = [entry for entry in entries if entry["kind"] == "message_sent"]
    rest = folded(ran.out)
    for entry in sent:
        if entry["to"] is None or "s1" in entry["to"]:
            to = "all" if entry["to"] is None else f"{', '.join(names[s] for s in entry['data']['to'])} (private)"
            shown = folded(f"{entry['n']} {names[entry['data']['sender']]} → {to}: {entry['data']['text']}")
            assert shown in rest
            rest = rest.replace(shown, "", 1)
    others = [entry for entry in sent if entry["to"] is not None and "s1" not in entry["to"]]
    assert others
    for entry in others:  # the same words may well be said to several seats, so what s1 may read is taken out above
        assert folded(entry["data"]["text"]) not in rest
    assert "(private)" not in rest
    assert "plan-s1" in ran.out
    assert "note-s1" in ran.out
    for secret in ("plan-s2", "note-s2", "plan-s3", "note-s3", "pool_shuffled", "Seed:"):
        assert secret not in ran.out
    numbers = [int(found) for found in re.findall(r"^([ \d]{3}\d) ", ran.out, re.M)]
    assert numbers == sorted(numbers)


def test_a_watcher_sees_only_what_is_public(run: Run, log: Path) -> None:
    ran = run("replay", log, "--as", "watcher")
    assert "from-s1" in ran.out
    for secret in ("secret-", "plan-", "note-", "Seed:", "pool_shuffled"):
        assert secret not in ran.out


def test_a_finished_game_is_opened_and_says_who_saw_what(run: Run, log: Path) -> None:
    ran = run("replay", log)
    assert re.search(r"^ *\d+ \[s1\+s2\] +Crab → Lion \(private\): secret-s1-s2", ran.out, re.M)
    assert re.search(r"^ *1 \[sealed\] Seed: 3$", ran.out, re.M)
    assert re.search(r"\[all\] +Crab → all: hi", ran.out)
    assert "[s2] Lion notes: note-s2" in ran.out
    assert "[s2] Lion means to: plan-s2" in ran.out


def test_an_unfinished_game_stays_closed(run: Run, unfinished: Path) -> None:
    ran = run("replay", unfinished)
    assert ran.code == 0
    assert "--spoilers" in ran.out
    assert "secret-" not in ran.out
    assert run("replay", unfinished, "--as", "watcher").code == 0
    refused = run("replay", unfinished, "--as", "s1")
    assert refused.code == 2
    assert "--spoilers" in refused.complaint
    assert "secret-s1" in run("replay", unfinished, "--as", "s1", "--spoilers").out
    assert "plan-s2" in run("replay", unfinished, "--spoilers").out


def _numbers(text: str) -> list[int]:
    return [int(found) for found in re.findall(r"^([ \d]{3}\d) ", text, re.M)]


def test_an_unfinished_game_is_numbered_without_gaps(run: Run, unfinished: Path) -> None:
    events = [json.loads(line) for line in unfinished.read_text(encoding="utf-8").splitlines()[1:]]
    for seat, options in (("watcher", []), ("s1", ["--spoilers"])):
        own = sum(row["to"] is None or seat in row["to"] for row in events)
        numbers = _numbers(run("replay", unfinished, "--as", seat, *options).out)
        assert 0 < max(numbers) <= own < len(events)
    seen = _numbers(run("replay", unfinished, "--as", "watcher", "--to", "20").out)
    assert seen == [n for n in _numbers(run("replay", unfinished, "--as", "watcher").out) if n <= 20]
    assert len(seen) > 5


def test_to_stops_there_and_shows_the_board(run: Run, log: Path) -> None:
    ran = run("replay", log, "--as", "watcher", "--to", "30")
    numbers = [int(found) for found in re.findall(r"^([ \d]{3}\d) ", ran.out, re.M)]
    assert max(numbers) <= 30
    assert "Honor without objectives" in ran.out


def test_replay_in_the_other_language(run: Run, log: Path) -> None:
    assert "Глазами зрителя" in run("replay", log, "--as", "watcher", "--lang", "ru").out


@pytest.mark.parametrize("argv", [["--as", "crab"], []])
def test_hostile_text_never_comes_out_raw(run: Run, log: Path, argv: list[str]) -> None:
    def raw_again(record: Record) -> bool:  # the table cleans messages; a log that was edited by hand is not clean
        if record["kind"] == "message_sent":
            record["data"]["text"] = "evil \x1b]52;c;aGk=\x07\x9b2J [bold]y[/b] \u202eabc\nRound 9"
            return True
        return False

    edited(log, raw_again)
    out = run("replay", log, *argv).out
    assert "[bold]x[/b]" in out
    assert "evil ]52;c;aGk=2J [bold]y[/b] abc" in out
    for raw in ("\x1b", "\x07", "\x9b", "\u202e"):
        assert raw not in out
    assert not any(line.startswith("Round 9") for line in out.splitlines())


def test_unknown_viewer(run: Run, log: Path) -> None:
    ran = run("replay", log, "--as", "craab")
    assert ran.code == 2
    assert "Did you mean 'crab'?" in ran.complaint


def test_verify_says_sound(run: Run, log: Path, unfinished: Path) -> None:
    ran = run("verify", log)
    assert (ran.code, ran.err) == (0, "")
    assert "sound" in ran.out
    assert "finished" in ran.out
    assert json.loads(run("verify", log, "--json").out)["sound"] is True
    assert "not finished" in run("verify", unfinished).out


@pytest.mark.parametrize("change", [widen_a_letter, move_a_token])
def test_verify_names_the_first_event_that_differs(run: Run, log: Path, change: Change) -> None:
    n = edited(log, change)
    ran = run("verify", log)
    assert (ran.code, ran.err) == (1, "")
    assert f"event {n} (line {n + 1})" in ran.out
    data = json.loads(run("verify", log, "--json").out)
    assert (data["sound"], data["difference"]["n"]) == (False, n)


def test_an_edited_audience_opens_nothing(run: Run, log: Path) -> None:
    edited(log, widen_a_letter)
    assert "secret-" not in run("replay", log, "--as", "watcher").out


def test_a_log_that_does_not_hang_together_is_one_line(run: Run, log: Path) -> None:
    def stranger(record: Record) -> bool:
        if record["kind"] == "hand_grew":
            record["data"]["seat"] = "s9"
            return True
        return False

    n = edited(log, stranger)
    ran = run("replay", log, "--as", "watcher")
    assert ran.code == 1
    warning, error = ran.err.splitlines()
    assert "the line was changed after it was written" in warning
    assert f"line {n + 1}: what stands there does not follow" in error
    assert "does not follow" in run("reveal", log).err
    assert not log.with_suffix(".html").exists()


READERS = [["replay"], ["replay", "--as", "watcher"], ["verify"], ["reveal"]]


@pytest.mark.parametrize("argv", READERS, ids=" ".join)
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is empty"),
        ("hello\nworld\n", "line 1: not JSON"),
        ('{"a": 1}\n', "not a transcript header"),
        ('{"format": 99}\n', "format 99 is newer than this program knows"),
        ("[1]\n", "not a JSON object"),
    ],
)
def test_what_is_no_transcript(run: Run, tmp_path: Path, argv: list[str], text: str, said: str) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text(text, encoding="utf-8")
    ran = run(*argv, path)
    assert ran.code == 1
    assert said in ran.complaint
    assert [entry.name for entry in tmp_path.iterdir()] == ["x.jsonl"]


@pytest.mark.parametrize("argv", READERS, ids=" ".join)
def test_missing_file_and_folder(run: Run, tmp_path: Path, argv: list[str]) -> None:
    assert "there is no file" in run(*argv, tmp_path / "no.jsonl").complaint
    assert "cannot be read" in run(*argv, tmp_path).complaint


def test_header_settings_edited_by_hand(run: Run, log: Path) -> None:
    header, *rest = rows(log)
    log.write_text("\n".join([header.replace('"rounds":1', '"rounds":"x"'), *rest]) + "\n", encoding="utf-8")
    ran = run("replay", log)
    assert ran.code == 1
    assert "line 1: settings.rounds" in ran.complaint


def test_a_torn_line_is_a_warning_and_the_rest_is_told(run: Run, log: Path) -> None:
    text = log.read_text(encoding="utf-8")
    log.write_text(text[:-20], encoding="utf-8")
    for argv in (["replay"], ["verify"]):
        ran = run(*argv, log)
        assert ran.code == 0
        assert ran.err.startswith("diplomat: warning: ")
        assert "cut short" in ran.err
        assert ran.err.count("\n") == 1
        assert ran.out


def test_reveal_writes_beside_the_log_and_overwrites_nothing(run: Run, log: Path, page: None) -> None:
    ran = run("reveal", log, "--lang", "ru")
    target = log.with_suffix(".html")
    assert (ran.code, ran.out.strip()) == (0, str(target))
    assert target.read_text(encoding="utf-8").startswith("<h1>ru ")
    again = run("reveal", log)
    assert again.code == 1
    assert "exists already" in again.complaint
    assert target.read_text(encoding="utf-8").startswith("<h1>ru ")
    assert run("reveal", log, "--force", "--lang", "en").code == 0
    assert target.read_text(encoding="utf-8").startswith("<h1>en ")
    assert run("reveal", log, "-o", log.parent / "pages" / "p.html").code == 0


def test_reveal_keeps_the_secrets_of_an_unfinished_game(run: Run, unfinished: Path, page: None) -> None:
    assert run("reveal", unfinished, "--lang", "en").code == 0
    watched = unfinished.with_suffix(".html").read_text(encoding="utf-8")
    assert run("reveal", unfinished, "--lang", "en", "--spoilers", "--force").code == 0
    opened = unfinished.with_suffix(".html").read_text(encoding="utf-8")
    assert int(watched[7:-5]) < int(opened[7:-5]), "a watcher's page is made of fewer events"
