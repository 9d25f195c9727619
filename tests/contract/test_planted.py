"""The checks catch faults that are planted on purpose; each of them would be a leak or a divergence."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pytest

from diplomat.core.audience import PUBLIC, Audience, Seat
from diplomat.core.dice import Dice
from diplomat.core.events import Event
from diplomat.core.game import Decision, Outcome
from diplomat.core.menus import Answer, Branch, Choice, Form, Problem
from diplomat.core.proceedings import AnswerRefused, MessageReturned, MessageSent, NoteSealed, PlanSealed
from diplomat.core.requests import Question, Request
from diplomat.core.talk import Message, TalkWindow
from diplomat.games import find
from diplomat.games.rokugan.events import TokenChosen
from diplomat.games.rokugan.knowledge import Known
from diplomat.games.rokugan.rules import RokuganRules, State
from diplomat.games.rokugan.seat import RokuganSide
from diplomat.table.parley import Parley
from diplomat.table.table import Table, _Asked
from diplomat.testing import CHECKS
from diplomat.testing.golden import audiences
from diplomat.testing.masquerade import game as masquerade
from diplomat.testing.masquerade.events import OrderSealed
from diplomat.testing.walk import AnyGame

ROKUGAN = find("rokugan")


@dataclass(frozen=True, slots=True)
class HintDropped(Event):
    """What no event may hold: a token of another seat's hand."""

    face: str

    def audience(self) -> Audience:
        return PUBLIC


class _Loose(Event):
    """An event that is no frozen dataclass."""

    def audience(self) -> Audience:
        return PUBLIC


class _Rules(RokuganRules):
    """Rules with one fault."""


class _AskingBySecret(_Rules):
    """The set of open questions depends on a hand."""

    def requests(self, state: State) -> tuple[Request, ...]:
        return tuple(replace(r, id=f"{r.id}{_other_hand(state, r.seat)}") for r in super().requests(state))


class _FormBySecret(_Rules):
    """The kind of question depends on a hand, so that a menu can."""

    def requests(self, state: State) -> tuple[Request, ...]:
        asked = super().requests(state)
        return tuple(replace(r, form="place!") if r.form == "place" and _raids(state, r.seat) else r for r in asked)

    def decide(self, state: State, request: Request, answer: Answer, dice: Dice) -> Iterable[Event]:
        return super().decide(state, replace(request, form=request.form.rstrip("!")), answer, dice)


class _MenuByForm(RokuganSide):
    def question(self, known: Known, request: Request) -> Question:
        question = super().question(known, replace(request, form=request.form.rstrip("!")))
        menu = question.menu
        if request.form.endswith("!"):
            menu = Branch("act", {"place": Form({"token": Choice([question.default["token"]])})})
        return Question(request, menu, question.default)

    def ask(self, known: Known, request: Request, lang: str) -> str:
        return super().ask(known, replace(request, form=request.form.rstrip("!")), lang)


class _Hinting(_Rules):
    """An event says more than it should."""

    def decide(self, state: State, request: Request, answer: Answer, dice: Dice) -> Iterable[Event]:
        yield from super().decide(state, request, answer, dice)
        if state.board.phase == "prepare":
            yield HintDropped(_other_hand(state, request.seat))


class _Forgetful(_Rules):
    """The state is changed outside of events."""

    def decide(self, state: State, request: Request, answer: Answer, dice: Dice) -> Iterable[Event]:
        return [event for event in super().decide(state, request, answer, dice) if type(event) is not TokenChosen]


class _Counting(_Rules):
    """What happens depends on something that is not in the log."""

    def __init__(self) -> None:
        self._calls = itertools.count()

    def decide(self, state: State, request: Request, answer: Answer, dice: Dice) -> Iterable[Event]:
        return super().decide(state, request, answer, Dice(f"{dice.seed}{next(self._calls)}"))


class _Endless(_Rules):
    def outcome(self, state: State) -> Outcome | None:
        found = super().outcome(state)
        return None if found is None else Outcome((Seat("s9"),), found.scores)


class _BadDefault(RokuganSide):
    def question(self, known: Known, request: Request) -> Question:
        question = super().question(known, request)
        return Question(request, question.menu, {"province": "nowhere"})


class _RaisingMenu(RokuganSide):
    def question(self, known: Known, request: Request) -> Question:
        question = super().question(known, request)
        return Question(request, _Raising(question.menu.schema()["properties"]["province"]["enum"]), "x")


class _Raising(Choice):
    def problem(self, answer: Answer) -> Problem | None:
        return None if answer in set(self.options) else Problem("no_such_text")


class _Batching(RokuganSide):
    """Learns something from how many events come at once."""

    def learn(self, known: Known, events: Iterable[Event]) -> Known:
        batch = list(events)
        return replace(super().learn(known, batch), objective=str(len(batch)))


class _UnplainView(RokuganSide):
    def view(self, known: Known) -> dict[str, Any]:
        return {**super().view(known), "spots": known.board.spots}


class _BrokenPicture(RokuganSide):
    def svg(self, known: Known, lang: str) -> str:
        return "<svg><g></svg>"


def _other_hand(state: State, seat: Seat) -> str:
    return "".join(face for other, hand in state.hands.items() if other != seat for face in hand)


def _raids(state: State, seat: Seat) -> bool:
    return "army" in _other_hand(state, seat)[:4]


PLANTED: dict[str, tuple[str, AnyGame]] = {
    "open questions by secret": ("resample", replace(ROKUGAN, rules=_AskingBySecret())),
    "menu by another seat's hand": ("resample", replace(ROKUGAN, rules=_FormBySecret(), side=_MenuByForm())),
    "event with another seat's token": ("resample", replace(ROKUGAN, rules=_Hinting())),
    "no resample hook": ("resample", replace(ROKUGAN, another_world=None)),
    "resample hook that changes nothing": ("resample", replace(ROKUGAN, another_world=lambda state, seat, die: state)),
    "unlisted event": ("events_round_trip", replace(ROKUGAN, rules=_Hinting())),
    "event class twice": ("event_classes", replace(ROKUGAN, events=(*ROKUGAN.events, ROKUGAN.events[0]))),
    "unfrozen event": ("event_classes", replace(ROKUGAN, events=(*ROKUGAN.events, _Loose))),
    "hidden order of calls": ("answers_give_the_log", replace(ROKUGAN, rules=_Counting())),
    "winner who does not sit there": ("random_games_end", replace(ROKUGAN, rules=_Endless())),
    "illegal default": ("defaults_are_enough", replace(ROKUGAN, side=_BadDefault())),
    "raising menu without texts": ("menus", replace(ROKUGAN, side=_RaisingMenu())),
    "learning by batches": ("learning_is_a_fold", replace(ROKUGAN, side=_Batching())),
    "view that is no data": ("views", replace(ROKUGAN, side=_UnplainView())),
    "picture that is no XML": ("views", replace(ROKUGAN, side=_BrokenPicture())),
}


@pytest.mark.parametrize("name", PLANTED)
def test_planted_fault_is_caught(name: str) -> None:
    check, game = PLANTED[name]
    with pytest.raises(AssertionError):
        CHECKS[check](game, 2, "planted")


def test_planted_impossible_event_is_caught() -> None:
    with pytest.raises((AssertionError, KeyError)):
        CHECKS["random_games_end"](replace(ROKUGAN, rules=_Forgetful()), 2, "planted")


def test_question_by_secret_is_caught_where_it_is_asked() -> None:
    with pytest.raises(AssertionError, match="list of open questions tells two worlds apart"):
        CHECKS["resample"](replace(ROKUGAN, rules=_AskingBySecret()), 2, "planted")


def _everyone(self: Event) -> Audience:
    return PUBLIC


@pytest.mark.parametrize("cls", [MessageSent, MessageReturned, NoteSealed, PlanSealed, AnswerRefused])
@pytest.mark.parametrize("game", [ROKUGAN, masquerade], ids=["rokugan", "masquerade"])
def test_widened_private_event_is_caught(cls: type[Event], game: AnyGame, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cls, "audience", _everyone)
    with pytest.raises(AssertionError, match="canary"):
        CHECKS["canary"](game, 4, "planted")


def test_widened_token_face_is_caught_by_resample(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TokenChosen, "audience", _everyone)
    monkeypatch.setattr(RokuganSide, "learn", _deaf(RokuganSide.learn))
    with pytest.raises(AssertionError, match="TokenChosen tells s"):
        CHECKS["resample"](ROKUGAN, 2, "planted")


def _deaf(learn: Callable[..., Known]) -> Callable[..., Known]:
    """Ignores other seats' tokens, as a side would that the author never thought could see them."""

    def deaf(self: RokuganSide, known: Known, events: Iterable[Event]) -> Known:
        return learn(self, known, [e for e in events if not isinstance(e, TokenChosen) or e.seat == known.seat])

    return deaf


def test_widened_order_shows_in_the_list_of_audiences(monkeypatch: pytest.MonkeyPatch) -> None:
    before = audiences(masquerade)
    monkeypatch.setattr(OrderSealed, "audience", _everyone)
    after = audiences(masquerade)
    assert {kind for kind in before if before[kind] != after[kind]} == {"order_sealed"}


def test_broadcast_of_a_misspelt_recipient_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    carry = Parley.carry

    def widened(self: Parley, sender: Seat, messages: tuple[Message, ...], window: TalkWindow) -> Iterable[Event]:
        known = [m if set(m.to) <= {"all", *window.reach} else replace(m, to=("all",)) for m in messages]
        return carry(self, sender, tuple(known), window)

    monkeypatch.setattr(Parley, "carry", widened)
    with pytest.raises(AssertionError):
        CHECKS["canary"](masquerade, 4, "planted")


def test_a_dropped_message_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    carry = Parley.carry

    def dropped(self: Parley, sender: Seat, messages: tuple[Message, ...], window: TalkWindow) -> Iterable[Event]:
        return (e for e in carry(self, sender, messages, window) if not isinstance(e, MessageReturned))

    monkeypatch.setattr(Parley, "carry", dropped)
    with pytest.raises(AssertionError, match="was lost"):
        CHECKS["canary"](masquerade, 4, "planted")


def test_the_seed_in_a_players_hands_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    decision = Table._decision

    def seeded(self: Table, request: Request) -> Decision[Any]:
        return replace(decision(self, request), dice=Dice(f"{self.referee.seed}/seat/{request.seat}"))

    monkeypatch.setattr(Table, "_decision", seeded)
    with pytest.raises(AssertionError, match="handed the seed"):
        CHECKS["canary"](masquerade, 4, "planted")


def test_answers_applied_as_they_arrive_are_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    ask = Table._ask

    async def applied_at_once(self: Table, asked: _Asked) -> None:
        await ask(self, asked)
        self._apply(asked)

    async def ask_all(self: Table, requests: Sequence[Request]) -> list[_Asked]:
        await asyncio.gather(*[applied_at_once(self, _Asked(self._decision(request))) for request in requests])
        return []

    monkeypatch.setattr(Table, "_ask_all", ask_all)
    monkeypatch.setattr(Table, "instant", property(lambda self: False))
    with pytest.raises(AssertionError, match="arrival"):
        CHECKS["arrival_does_not_matter"](masquerade, 16, "planted")
