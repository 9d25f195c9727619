"""A replay shows a seat what it saw at that moment and nothing else; what is sealed needs ``--spoilers``."""

from __future__ import annotations

import io
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import pytest

from diplomat.core.audience import Seat
from diplomat.core.events import Event
from diplomat.core.game import Decision, Reply
from diplomat.core.proceedings import SeedSealed
from diplomat.games import find
from diplomat.table.table import Table
from diplomat.table.table import run as played
from diplomat.terminal.display import Display
from diplomat.terminal.ladder import console
from diplomat.terminal.narrator import Narrator
from diplomat.testing import leaks
from diplomat.testing.agents import Chatty
from diplomat.testing.canary import Aviary
from diplomat.testing.leaks import AT
from diplomat.testing.walk import AnyReferee, seated
from diplomat.transcript.writer import Writer

from .conftest import Run

GAME = find("rokugan")


@dataclass
class Reading:
    """A talkative player that keeps all its news, and how long the log was when it had them."""

    referee: AnyReferee
    seat: Seat
    news: list[Event] = field(default_factory=list)
    moments: list[tuple[int, int]] = field(default_factory=list)
    """Events in the log, and how many of them the seat had read."""
    instant = True
    trusted = True

    async def decide(self, decision: Decision[Any]) -> Reply:
        self.news += decision.news
        self.moments.append((len(self.referee.log), len(self.news)))
        return await Chatty().decide(decision)


@dataclass
class Played:
    path: Path
    referee: AnyReferee
    readers: dict[Seat, Reading]
    numbers: dict[int, int]
    """The number in the log of each event, by its identity."""


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Played:
    referee = seated(GAME, 3, "watched", {"rounds": 1})
    path = tmp_path_factory.mktemp("watched") / "game.jsonl"
    readers = {seat: Reading(referee, seat) for seat in referee.seats}
    numbers: dict[int, int] = {}
    writer = Writer(path, leaks._header(referee, "en"), lambda: AT)
    referee.listen(lambda n, event: numbers.update({id(event): n}))
    referee.listen(lambda n, event: writer.hear(n, event, {"nonce": "n"} if isinstance(event, SeedSealed) else None))
    played(Table(referee, readers).play())
    writer.close()
    return Played(path, referee, readers, numbers)


def told_live(game: Played, seat: Seat, events: list[Event]) -> str:
    """What a terminal shows that was given the seat's own news and nothing of the log."""
    stream = io.StringIO()
    narrator = Narrator(GAME, game.referee.settings, game.referee.seats, "en", seat)
    players = {str(one): "person" if one in leaks.people(game.referee) else "openai:fake" for one in game.referee.seats}
    display = Display(console("plain", stream), narrator, players, numbered=True)
    display.introduce()
    for event in events:
        display.hear(game.numbers[id(event)], event)
    display.closing()
    return stream.getvalue()


@pytest.mark.parametrize("number", range(12))
def test_a_replay_to_a_moment_is_the_news_that_the_seat_had_then(number: int, game: Played, run: Run) -> None:
    dice = Random(number)
    reader = game.readers[dice.choice(game.referee.seats)]
    length, had = dice.choice(reader.moments)
    ran = run("replay", game.path, "--as", reader.seat, "--to", str(length), "--display", "plain", "--lang", "en")
    assert ran.code == 0
    # The replay names the game and the viewer first; from the first event on every line is the same.
    assert _bare(ran.out) == _bare(told_live(game, reader.seat, reader.news[:had]))
    assert len(_bare(ran.out)) > 100


def _bare(text: str) -> str:
    """The numbered lines and what hangs below them."""
    rows = text.splitlines()
    first = next((n for n, row in enumerate(rows) if row[:4].strip().isdigit()), len(rows))
    return "\n".join(rows[first:])


@pytest.mark.parametrize("number", range(12))
def test_every_line_of_a_replay_is_an_event_for_that_viewer(number: int, game: Played, run: Run) -> None:
    dice = Random(number)
    viewer = dice.choice([*game.referee.seats, None])
    to = dice.randint(1, len(game.referee.log))
    ran = run("replay", game.path, "--as", viewer or "watcher", "--to", str(to), "--display", "plain")
    shown = {int(row[:4]) for row in ran.out.splitlines() if row[:4].strip().isdigit() and row[4:5] == " "}
    entitled = {n for n, event in enumerate(game.referee.log[:to], 1) if event.audience().includes(viewer)}
    assert shown <= entitled
    told = [n for n in entitled if type(game.referee.log[n - 1]).__name__ in ("MessageSent", "NoteSealed")]
    assert set(told) <= shown


@pytest.fixture
def half(game: Played, tmp_path: Path) -> Path:
    path = tmp_path / "half.jsonl"
    rows = game.path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(rows[: len(rows) * 2 // 3]))
    return path


def test_before_the_end_sealed_things_need_the_word_spoilers(half: Path, game: Played, run: Run) -> None:
    for seat in game.referee.seats:
        ran = run("replay", half, "--as", seat)
        assert (ran.code, ran.out) == (2, "")
        assert "add --spoilers" in ran.err
    private = [f"note of {r}" for r in ("r1.talk1.s1", "r1.talk1.s2", "r1.talk1.s3")]
    for argv in (["replay", half], ["replay", half, "--as", "watcher"]):
        out = run(*argv, "--display", "plain").out
        assert not any(note in out for note in private)
    opened = run("replay", half, "--spoilers", "--display", "plain").out
    assert any(note in opened for note in private)


def test_the_seed_of_an_unfinished_game_stands_nowhere(half: Path, run: Run) -> None:
    for argv in (["replay", half], ["verify", half], ["reveal", half, "--out", "p.html"]):
        ran = run(*argv)
        assert "watched" not in (ran.out + ran.err).replace("watched0", "")
    assert "watched" not in Path("p.html").read_text(encoding="utf-8")


def test_canaries_are_told_apart_by_their_readers() -> None:
    aviary = Aviary()
    word = aviary.word(Seat("s1"), [Seat("s2")])
    assert aviary.strangers(f"x {word} y", Seat("s3")) == [word]
    assert aviary.strangers(word, None) == [word]
    assert aviary.strangers(word, Seat("s2")) == []
