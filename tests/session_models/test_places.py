"""A log names its files as seen from its folder: it can be shared, and moved together with them."""

from __future__ import annotations

import asyncio
import json
import shutil
from pathlib import Path

import pytest

from diplomat.session import prepare
from diplomat.session.models import calls_path
from diplomat.session.places import found, noted
from diplomat.testing.loopback import Loopback
from diplomat.transcript.chain import chained
from tests.session_models.kit import QUIET, Run, cut, events

GAME = ("play", "--seats", "2", "--set", "rounds=1", "--seed", "7", "--budget", "60", *QUIET)


@pytest.fixture
def games(run: Run, server: Loopback, tmp_path: Path) -> Path:
    """A folder with a finished game, its recording and its prices beside it."""
    name = f"{server.openai_url}#fake"
    place = tmp_path / "games"
    place.mkdir()
    (place / "mine.toml").write_text(f'"{name}" = {{ input = 0.1, output = 0.1 }}\n', encoding="utf-8")
    files = ("--record", place / "said.jsonl", "--prices", place / "mine.toml", "--out", place / "whole.jsonl")
    ran = run(*GAME, "--all", name, *files)
    assert ran.code == 0, ran.err
    server.calls.clear()
    return place


def header(log: Path) -> str:
    return log.read_text(encoding="utf-8").splitlines()[0]


def test_the_header_says_nothing_of_the_folders_of_the_machine(games: Path, tmp_path: Path) -> None:
    options = json.loads(header(games / "whole.jsonl"))["options"]
    assert (options["record"], options["prices"]) == ("said.jsonl", "mine.toml")
    assert str(tmp_path) not in (games / "whole.jsonl").read_text(encoding="utf-8")


@pytest.mark.parametrize("absolute", [False, True], ids=["relative", "as older logs have it"])
def test_a_game_that_was_moved_with_its_files_goes_on(
    absolute: bool, games: Path, run: Run, server: Loopback, tmp_path: Path
) -> None:
    log = cut(games / "whole.jsonl", games / "a.jsonl", 60)
    if absolute:
        _named_in_full(log, games)
    moved = tmp_path / "elsewhere"
    shutil.move(str(games), str(moved))
    ran = run("resume", moved / "a.jsonl", *QUIET)
    assert ran.code == 0, ran.err
    assert events(moved / "a.jsonl") == events(moved / "whole.jsonl")
    assert server.calls == []


def _named_in_full(log: Path, folder: Path) -> None:
    """The log as it was written before: the same with whole paths, and hashes that fit."""
    rows = [json.loads(row) for row in log.read_text(encoding="utf-8").splitlines()]
    for name in ("record", "prices"):
        rows[0]["options"][name] = str(folder / rows[0]["options"][name])
    lines, before = [], ""
    for row in rows:
        del row["chain"]
        line, before = chained(before, json.dumps(row, ensure_ascii=False, separators=(",", ":")).encode())
        lines.append(line + b"\n")
    log.write_bytes(b"".join(lines))


def test_prices_that_are_not_there_are_asked_for(games: Path, run: Run, server: Loopback, tmp_path: Path) -> None:
    log = cut(games / "whole.jsonl", games / "a.jsonl", 60)
    (games / "mine.toml").rename(tmp_path / "dear.toml")
    ran = run("resume", log, *QUIET)
    assert (ran.code, ran.out) == (2, "")
    assert "prices of this game stand in mine.toml, which is not there" in ran.err
    assert run("resume", log, "--prices", tmp_path / "dear.toml", *QUIET).code == 0


def test_calls_that_are_not_there_are_asked_for_before_anything_is_paid_anew(
    games: Path, run: Run, server: Loopback, tmp_path: Path
) -> None:
    log = cut(games / "whole.jsonl", games / "a.jsonl", 60)
    (tmp_path / "far").mkdir()
    (games / "said.jsonl").rename(tmp_path / "far" / "other.jsonl")
    before = log.read_bytes()
    ran = run("resume", log, *QUIET)
    assert (ran.code, ran.out) == (2, "")
    assert "recorded in said.jsonl, which is not there" in ran.err
    assert "--record FILE" in ran.err
    assert (log.read_bytes(), server.calls) == (before, [])
    assert run("resume", log, "--record", tmp_path / "far" / "other.jsonl", *QUIET).code == 0
    assert server.calls == []
    assert not calls_path(log).exists()


def test_the_page_has_the_bill_of_calls_that_were_recorded_elsewhere(games: Path, run: Run) -> None:
    assert run("reveal", games / "whole.jsonl", "-o", games / "page.html").code == 0
    page = (games / "page.html").read_text(encoding="utf-8")
    assert "No calls of language models are on record beside this log." not in page
    assert str(games) not in page


def test_a_folder_that_is_a_link_is_no_hindrance(tmp_path: Path) -> None:
    (tmp_path / "real" / "deep").mkdir(parents=True)
    (tmp_path / "ann").mkdir()
    (tmp_path / "ann" / "games").symlink_to(tmp_path / "real" / "deep")
    log, prices = tmp_path / "ann" / "games" / "a.jsonl", tmp_path / "ann" / "prices.toml"
    prices.write_text("", encoding="utf-8")
    text = noted(prices, log)
    assert text == "../prices.toml"
    assert found(text, log) == prices
    assert found("../../ann/prices.toml", tmp_path / "real" / "deep" / "a.jsonl") == prices


def test_another_games_recording_in_the_environment_is_left_alone(
    games: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = games / "other.calls.jsonl"
    other.write_text("", encoding="utf-8")
    monkeypatch.setenv("DIPLOMAT_RECORD", str(other))
    log = cut(games / "whole.jsonl", games / "a.jsonl", 60)
    assert run("resume", log, *QUIET).code == 0
    assert other.read_text(encoding="utf-8") == ""


def test_calls_are_safe_on_the_disk_before_the_log_that_rests_on_them(
    server: Loopback, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    safe: list[str] = []

    def sync(descriptor: int) -> None:
        safe.append(Path(f"/proc/self/fd/{descriptor}").readlink().name)

    monkeypatch.setattr("os.fsync", sync)
    session = prepare("rokugan", players=2, seed="7", everyone=f"{server.openai_url}#fake", settings={"rounds": 1})
    asyncio.run(session.play(tmp_path / "a.jsonl"))
    pairs = list(zip(safe[::2], safe[1::2], strict=False))
    assert len(pairs) > 3
    assert set(pairs[:-1]) == {("a.calls.jsonl", "a.jsonl")}
