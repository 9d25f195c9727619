"""No word reaches anybody for whom it was not meant, on any way out of the program; a leak on each is caught."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from diplomat.agents.llm.prompt import Prompter
from diplomat.core.audience import PUBLIC, Audience
from diplomat.core.events import Event
from diplomat.core.proceedings import (
    AnswerRefused,
    DefaultExplained,
    MessageReturned,
    MessageSent,
    NoteSealed,
    PlanSealed,
)
from diplomat.core.talk import Message, TalkWindow
from diplomat.games import find
from diplomat.table.parley import Parley
from diplomat.table.table import Table
from diplomat.terminal.narrator import Narrator
from diplomat.testing import leaks
from diplomat.testing.canary import Aviary, Secretive
from diplomat.testing.leaks import Search, main, search
from diplomat.testing.masquerade import game as masquerade
from diplomat.transcript.reader import Transcript

ROKUGAN = find("rokugan")


def test_ten_games_leak_nothing(tmp_path: Path) -> None:
    found = search(10, tmp_path, seed="ten")
    assert found.leaks == []
    assert found.games == 10
    assert set(found.looked) >= {
        "decisions",
        "prompts",
        "terminal",
        "replay --as SEAT",
        "replay --as watcher",
        "replay of an unfinished game",
        "page of an unfinished game",
        "public page",
        "public page of an unfinished game",
    }
    assert list(tmp_path.iterdir()) == []


@pytest.mark.long
def test_fifteen_more_games_leak_nothing(tmp_path: Path) -> None:
    assert search(15, tmp_path, seed="more").leaks == []


Plant = Callable[[pytest.MonkeyPatch], None]


def widened(cls: type[Event]) -> Plant:
    def everyone(self: Event) -> Audience:
        return PUBLIC

    return lambda patch: patch.setattr(cls, "audience", everyone)


def wider_rooms(patch: pytest.MonkeyPatch) -> None:
    carry = Parley.carry

    def wide(self: Parley, sender: Any, messages: tuple[Message, ...], window: TalkWindow) -> Iterable[Event]:
        known = [m if set(m.to) <= {"all", *window.reach} else replace(m, to=("all",)) for m in messages]
        return carry(self, sender, tuple(known), window)

    patch.setattr(Parley, "carry", wide)


def whole_log_as_news(patch: pytest.MonkeyPatch) -> None:
    decide = Table._decision
    patch.setattr(Table, "_decision", lambda self, r: replace(decide(self, r), news=tuple(self.referee.log)))


def prompt_line(patch: pytest.MonkeyPatch) -> None:
    """What one seat remembers stands in the prompts of the next one, as a memory shared by all would have it."""
    notes: dict[str, str] = {}

    def whispering(ask: Any, self: Prompter, *args: Any) -> str:
        rows = [row.text for chapter in self.memory.chapters for row in chapter.lines if row.kind in ("plan", "note")]
        heard = [text for seat, text in notes.items() if seat != self.seat]
        notes[self.seat] = "\n".join(rows)
        return "\n".join([ask(self, *args), *heard])

    for name in ("question", "compact"):
        ask = getattr(Prompter, name)
        patch.setattr(Prompter, name, lambda self, *args, ask=ask: whispering(ask, self, *args))


def seed_in_dice(patch: pytest.MonkeyPatch) -> None:
    from diplomat.core.dice import Dice

    decide = Table._decision
    patch.setattr(Table, "_decision", lambda self, r: replace(decide(self, r), dice=Dice(self.referee.seed)))


def replay_that_opens(patch: pytest.MonkeyPatch) -> None:
    def opened(*args: Any, opened: bool) -> Narrator:
        return Narrator(*args, opened=True)

    patch.setattr("diplomat.cli.replaying.Narrator", opened)


def every_terminal_sees_all(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Narrator, "may_see", lambda self, event: True)


PLANTED: dict[str, tuple[Any, Plant, str]] = {
    "plans for everyone": (masquerade, widened(PlanSealed), "decisions"),
    "notes for everyone": (masquerade, widened(NoteSealed), "terminal"),
    "private messages for everyone": (masquerade, widened(MessageSent), "prompts"),
    "returned messages for everyone": (masquerade, widened(MessageReturned), "prompts"),
    "refusals for everyone": (masquerade, widened(AnswerRefused), "decisions"),
    "faults for everyone": (masquerade, widened(DefaultExplained), "decisions"),
    "a wider room": (masquerade, wider_rooms, "prompts"),
    "news that are the log": (masquerade, whole_log_as_news, "decisions"),
    "a line in a prompt": (masquerade, prompt_line, "prompts"),
    "the seed in a player's hands": (masquerade, seed_in_dice, "the seed of the game"),
    "a terminal that tells all": (ROKUGAN, every_terminal_sees_all, "terminal"),
    "a replay that opens": (ROKUGAN, replay_that_opens, "replay --as SEAT: s"),
    "an unfinished game that is open": (
        ROKUGAN,
        lambda patch: patch.setattr(Transcript, "finished", property(lambda log: True)),
        "replay of an unfinished game: a watcher",
    ),
    "a page of an unfinished game": (
        ROKUGAN,
        lambda patch: patch.setattr("diplomat.report.public.in_play", lambda transcript: transcript),
        "page of an unfinished game: a watcher",
    ),
    "a public page of people who did not agree": (
        ROKUGAN,
        lambda patch: patch.setattr("diplomat.report.public.agreed", lambda header, entry: True),
        "public page: it holds canary",
    ),
}


@pytest.mark.parametrize("kind", PLANTED)
def test_a_planted_leak_is_caught_where_it_is(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game, plant, where = PLANTED[kind]
    with monkeypatch.context() as patch:
        plant(patch)
        found = search(
            1, tmp_path, seed="planted", only=[replace(game, seats=range(4, 5) if game is masquerade else game.seats)]
        )
    assert [leak for leak in found.leaks if where in leak], found.leaks[:5]


def test_channels_in_which_nothing_was_tried_are_a_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leaks, "_player", lambda referee, seat, aviary, desk, made: Secretive(referee.game, aviary))
    monkeypatch.setattr(Aviary, "strangers", lambda *_: [])
    monkeypatch.setattr(leaks, "_WORD", re.compile("(?!)"))
    assert (
        "decisions: not one word arrived there, so that nothing was tried"
        in search(1, tmp_path, only=[masquerade]).leaks
    )


def test_the_command_fails_on_a_leak(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    for found, code in ((["prompts: s1 read a word"], 1), ([], 0)):
        monkeypatch.setattr(leaks, "search", partial(_nothing, found))
        assert main(["--games", "3"]) == code
        assert json.loads(capsys.readouterr().out)["leaks"] == found


def _nothing(found: list[str], games: int, folder: Path, *, seed: str) -> Search:
    return Search(games=games, leaks=found)
