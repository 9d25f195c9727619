"""Games written to disk, with everything in them that a log can hold."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from diplomat.agents.base import Agent
from diplomat.core.audience import Seat
from diplomat.core.dice import commitment
from diplomat.core.events import Event
from diplomat.core.game import Decision, Reply
from diplomat.core.talk import Message
from diplomat.games import find, found
from diplomat.table.referee import Referee
from diplomat.table.table import Table
from diplomat.testing.agents import Chatty, Scripted, silent
from diplomat.testing.canary import Aviary, Secretive
from diplomat.testing.masquerade import game as masquerade
from diplomat.testing.walk import AnyGame, begun, seated, settings_of
from diplomat.transcript.chain import chained
from diplomat.transcript.digests import digest_of
from diplomat.transcript.schema import Header, SeatEntry
from diplomat.transcript.writer import Writer

Row = dict[str, Any]
Edit = Callable[[list[Row]], None]
AT = "2026-11-30T06:34:00.000+00:00"


@pytest.fixture(autouse=True)
def _masquerade_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if the tiny game had been installed."""
    games = {**found(), masquerade.id: masquerade}
    monkeypatch.setattr("diplomat.games.found", lambda: games)


def header_of(game: AnyGame, seats: tuple[Seat, ...], settings: Mapping[str, Any], seed: str) -> Header:
    """The first line of such a game."""
    return Header(
        game=game.id,
        edition=game.edition,
        rules_version=game.rules_version,
        settings=settings_of(game, settings).model_dump(mode="json"),
        seats=tuple(SeatEntry(seat=seat, agent="test") for seat in seats),
        package="0",
        commitment=commitment(seed, "nonce"),
    )


def written(
    path: Path, game: AnyGame, make: Callable[[], Agent], seats: int = 4, seed: str = "7", **settings: Any
) -> Path:
    """A finished game on disk."""
    referee = seated(game, seats, seed, settings)
    writer = Writer(path, header_of(game, referee.seats, settings, seed), lambda: AT)
    played(referee, make, writer.hear)
    writer.close()
    return path


def played(referee: Referee[Any, Any], make: Callable[[], Agent], hear: Callable[..., None]) -> None:
    """Plays a game to its end, telling ``hear`` of each event what a session would."""
    referee.listen(lambda n, event: hear(n, event, meta_of(referee, n, event)))
    asyncio.run(Table(referee, {seat: make() for seat in referee.seats}).play())


def meta_of(referee: Referee[Any, Any], n: int, event: Event) -> dict[str, Any]:
    """What a session writes beside an event."""
    return {"nonce": "nonce"} if n == 1 else {**digest_of(referee, event, "nonce")}


@pytest.fixture(scope="session")
def rich_text(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A masquerade with every kind of proceeding in it."""
    aviary = Aviary()
    path = tmp_path_factory.mktemp("rich") / "game.jsonl"
    return written(path, masquerade, lambda: Secretive(masquerade, aviary)).read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def rokugan_text(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A round of Rokugan with talk."""
    path = tmp_path_factory.mktemp("rokugan") / "game.jsonl"
    return written(path, find("rokugan"), Chatty, seats=2, rounds=1).read_text(encoding="utf-8")


@pytest.fixture
def rich(tmp_path: Path, rich_text: str) -> Path:
    """The rich game in a file of its own."""
    path = tmp_path / "rich.jsonl"
    path.write_text(rich_text, encoding="utf-8")
    return path


@pytest.fixture
def rokugan(tmp_path: Path, rokugan_text: str) -> Path:
    """The round of Rokugan in a file of its own."""
    path = tmp_path / "rokugan.jsonl"
    path.write_text(rokugan_text, encoding="utf-8")
    return path


def rows_of(text: str) -> list[Row]:
    """The lines as data."""
    return [json.loads(line) for line in text.splitlines()]


def saved(path: Path, rows: list[Row]) -> Path:
    """Writes lines of data with all their hashes made anew, as somebody might who knows how."""
    lines, before = [], ""
    for row in rows:
        bare = {key: value for key, value in row.items() if key != "chain"}
        line, before = chained(before, json.dumps(bare, ensure_ascii=False, separators=(",", ":")).encode())
        lines.append(line + b"\n")
    path.write_bytes(b"".join(lines))
    return path


@pytest.fixture
def edited(tmp_path: Path) -> Callable[[str, Edit], Path]:
    """A copy of a log with an edit by hand, its lines numbered and its hashes made anew."""

    def edit(text: str, change: Edit) -> Path:
        rows = rows_of(text)
        change(rows)
        for number, row in enumerate(rows[1:], start=1):
            row["n"] = number
        return saved(tmp_path / "edited.jsonl", rows)

    return edit


@pytest.fixture(scope="session")
def quiet_text(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A masquerade in which nobody says a word; its lines 2 to 8 come before the first answer."""
    path = tmp_path_factory.mktemp("quiet") / "game.jsonl"
    return written(path, masquerade, lambda: Scripted(silent)).read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def quiet_rokugan(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A round of Rokugan in which nobody says a word."""
    path = tmp_path_factory.mktemp("quiet") / "game.jsonl"
    return written(path, find("rokugan"), lambda: Scripted(silent), seats=2, rounds=1).read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def hushed_text(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A masquerade in which the herald silences the host, who was asked at the same time and speaks after it."""

    def hushing(decision: Decision[Any]) -> Reply:
        answer = decision.question.default
        if decision.request.form == "react" and decision.known.character == "herald":
            answer = {"act": "hush", "target": host}
        return Reply(answer, (Message(("all",), decision.request.id),))

    for number in range(100):
        referee = begun(masquerade, 4, f"{number}")
        seat = {character: seat for seat, character in referee.state.characters.items()}
        if seat["herald"] < seat["host"]:
            break
    host = seat["host"]
    path = tmp_path_factory.mktemp("hushed") / "game.jsonl"
    return written(path, masquerade, lambda: Scripted(hushing), seed=f"{number}").read_text(encoding="utf-8")
