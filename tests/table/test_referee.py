"""The referee: judges, keeps the log, and gives every seat its share of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import pytest

from diplomat.core.audience import SEALED, Audience, Seat, only
from diplomat.core.dice import Dice
from diplomat.core.errors import RulesFault, StepLimit
from diplomat.core.events import Event
from diplomat.core.menus import Answer, Problem
from diplomat.core.proceedings import AnswerGiven, NoteSealed, SeedSealed
from diplomat.core.requests import Request
from diplomat.table import referee as module
from diplomat.testing.masquerade import game
from diplomat.testing.masquerade.events import CharacterDealt, SeatAnswered
from diplomat.testing.masquerade.rules import MasqueradeRules, State
from diplomat.testing.walk import AnyReferee, begun, play_out, seated

S1 = Seat("s1")


@pytest.fixture
def referee() -> AnyReferee:
    return begun(game, 4, "7")


def test_the_seed_is_sealed_first(referee: AnyReferee) -> None:
    assert referee.log[0] == SeedSealed("7")
    assert referee.log[0].audience() == SEALED
    assert all(SeedSealed("7") not in referee.seen(seat) for seat in (*referee.seats, None))


def test_every_seat_gets_its_share_in_order(referee: AnyReferee) -> None:
    for seat in (*referee.seats, None):
        assert list(referee.seen(seat)) == [event for event in referee.log if event.audience().includes(seat)]
    assert referee.seen_count(S1) == len(referee.seen(S1)) == referee.seen_count(None) + 1
    assert referee.seen(S1, 1) == referee.seen(S1)[1:]


def test_knowledge_grows_with_the_events(referee: AnyReferee) -> None:
    before = referee.known(S1)
    assert referee.known(S1) is before
    referee.record(SeatAnswered(S1))
    assert referee.known(S1) != before
    assert referee.known(None).character is None
    assert referee.known(S1).character == referee.state.characters[S1]


def test_listeners_hear_every_event_with_its_number(referee: AnyReferee) -> None:
    heard: list[tuple[int, Event]] = []
    start = len(referee.log)
    referee.listen(lambda n, event: heard.append((n, event)))
    play_out(referee)
    assert heard == list(enumerate(referee.log, start=1))[start:]


@pytest.mark.parametrize("answer", [{"a": 1}, [], "x", 3])
def test_an_illegal_answer_changes_nothing(referee: AnyReferee, answer: Answer) -> None:
    count, state = len(referee.log), referee.state
    found = referee.submit(referee.open()[0], answer)
    assert found is not None
    assert found.code == "not_empty"
    assert (len(referee.log), referee.state) == (count, state)


def test_a_closed_question_is_stale(referee: AnyReferee) -> None:
    request = referee.open()[0]
    assert referee.submit(request, {}) is None
    assert not referee.is_open(request)
    assert referee.submit(request, {}) == Problem("stale")
    assert referee.submit(replace(referee.open()[0], seat=S1), {}) == Problem("stale")


def test_answers_come_before_what_follows_from_them(referee: AnyReferee) -> None:
    count = len(referee.log)
    referee.submit(referee.open()[0], {})
    assert referee.log[count:] == [AnswerGiven(S1, "talk.s1", {}), SeatAnswered(S1)]


def test_same_seed_same_digest() -> None:
    one, other, third = (play_out(begun(game, 4, seed)).digest() for seed in ("7", "7", "8"))
    assert one == other != third


def test_the_step_limit_stops_a_game_that_never_ends(referee: AnyReferee, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_ANSWERS", 3)
    with pytest.raises(StepLimit, match="3 answers"):
        play_out(referee)


class _Silent(MasqueradeRules):
    def requests(self, state: State) -> tuple[Request, ...]:
        return ()


def test_a_game_that_asks_nobody_and_is_not_over_is_at_fault() -> None:
    referee = seated(replace(game, rules=_Silent()), 4, "7")
    with pytest.raises(RulesFault, match="masquerade: nobody is asked"):
        referee.begin()


@dataclass(frozen=True, slots=True)
class _Strayed(Event):
    def audience(self) -> Audience:
        return only("s1", "s9")


class _Straying(MasqueradeRules):
    def decide(self, state: State, request: Request, answer: Answer, dice: Dice) -> Iterable[Event]:
        yield _Strayed()


def test_an_event_for_nobody_who_sits_here_is_a_fault_and_is_not_recorded() -> None:
    referee = begun(replace(game, rules=_Straying()), 4, "7")
    with pytest.raises(RulesFault, match="_Strayed is meant for s9"):
        referee.submit(referee.open()[0], {})
    assert isinstance(referee.log[-1], AnswerGiven)


def test_a_note_goes_to_its_owner_only(referee: AnyReferee) -> None:
    note: Any = NoteSealed(S1, "talk.s1", "mine")
    referee.record(note)
    assert [seat for seat in (*referee.seats, None) if note in referee.seen(seat)] == [S1]
    assert any(isinstance(event, CharacterDealt) for event in referee.seen(S1))
