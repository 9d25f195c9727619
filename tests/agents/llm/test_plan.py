"""A plan of several answers: used step by step, thought over rarely, and the log says where each step came from."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest

from diplomat.agents.llm.failures import Failure, Unusable
from diplomat.agents.llm.steps import FEWEST_LEFT, MOST_REVISIONS, Revisions, route
from diplomat.core.audience import only as only_seat
from diplomat.core.proceedings import AnswerGiven, AnswerRefused, Defaulted, NoteSealed
from diplomat.games import find as game_of
from diplomat.games.rokugan.events import TokenLaid
from diplomat.llm.base import Call, Completion
from diplomat.testing.pretended import Pretended, menu_of, models_at, played_by

ROKUGAN = game_of("rokugan")
FORCED = {"settle", "place", "prepare", "talk"}


def only(*legal: str) -> Any:
    def understand(answer: Any) -> Any:
        if answer not in legal:
            raise Unusable(Failure.ILLEGAL)
        return answer

    return understand


def test_the_first_legal_step_goes_first_and_the_passed_over_wait() -> None:
    plan = route("place", 1, "r1.place.0", ("a", "b", "c"))
    first = plan.take(only("b", "c"))
    assert first is not None
    assert (first.number, first.answer, first.skipped) == (2, "b", (1,))
    second = plan.take(only("a", "c"))
    assert second is not None
    assert (second.number, second.skipped) == (1, ())
    assert plan.take(only("a")) is None
    assert plan.steps == {3: "c"}


def test_a_plan_is_for_its_form_and_chapter() -> None:
    plan = route("place", 1, "r1.place.0", ("a",))
    assert plan.fits("place", 1)
    assert not plan.fits("place", 2)
    assert not plan.fits("settle", 1)


def test_plans_are_thought_over_rarely() -> None:
    revisions, long = Revisions(), ("a",) * FEWEST_LEFT
    for chapter in range(1, 1 + MOST_REVISIONS):
        plan = route("place", chapter, "x", long)
        assert revisions.allowed(plan)
        revisions.count(plan)
        assert not revisions.allowed(plan), "once in a chapter"
    assert not revisions.allowed(route("place", 2, "x", long))
    assert revisions.allowed(route("place", 6, "x", long))
    assert not Revisions().allowed(route("place", 1, "x", long[1:]))


def test_steps_from_a_plan_cost_no_call_and_say_so_in_a_sealed_note() -> None:
    desk = Pretended("plan")
    referee = played_by(*models_at(ROKUGAN, 3, desk, settings={"rounds": 1}, pace="plan"))
    called = {call.id.partition("/")[2].rpartition("#")[0] for call in desk.calls}
    notes = {event.request: event for event in referee.log if isinstance(event, NoteSealed)}
    free = [e for e in referee.log if isinstance(e, AnswerGiven) and e.request not in called and e.request in notes]
    assert len(free) > 10
    for event in free:
        assert notes[event.request].text.startswith("◦ Step ")
        assert notes[event.request].audience() == only_seat(event.seat)
    assert not [event for event in referee.log if isinstance(event, (AnswerRefused, Defaulted))]


def test_an_illegal_first_step_is_asked_for_again_and_no_other_is_taken_in_its_place() -> None:
    def spoiled(call: Call, reply: dict[str, Any]) -> Completion | None:
        if call.purpose not in ("settle", "place") or not call.id.endswith("#1"):
            return None
        return Completion(json.dumps({**reply, "answers": [{"province": "atlantis"}, *reply["answers"]]}))

    desk = Pretended("first", spoiled=spoiled)
    referee = played_by(*models_at(ROKUGAN, 2, desk, settings={"rounds": 1}, pace="plan"))
    assert not [event for event in referee.log if isinstance(event, Defaulted)]
    first = [call.id for call in desk.calls if call.purpose in ("settle", "place") and call.id.endswith("#1")]
    assert first
    assert {f"{name[:-1]}2" for name in first} <= {call.id for call in desk.calls}
    notes = [event.text for event in referee.log if isinstance(event, NoteSealed)]
    assert any("illegal" in note for note in notes)


def test_a_question_that_comes_once_a_round_is_asked_for_one_answer() -> None:
    desk = Pretended("once")
    played_by(*models_at(ROKUGAN, 2, desk, settings={"rounds": 2}, pace="plan"))
    asked = {
        purpose: [c.turns[-1].text for c in desk.calls if c.purpose == purpose] for purpose in ("prepare", "place")
    }
    assert asked["prepare"]
    assert all("a list of one" in text and "whole plan" not in text for text in asked["prepare"])
    assert all("whole plan" in text for text in asked["place"])


def test_a_blessing_may_be_planned_by_the_place_of_its_token() -> None:
    """The token has no id yet when the plan is made."""
    blessed: list[str] = []

    def spoiled(call: Call, reply: dict[str, Any]) -> Completion | None:
        blessings = [face for face in ("blessing-2", "blessing-3") if f"[{face}]" in call.turns[0].text]
        if call.purpose != "place" or not blessings:
            return None
        army = next((s for s in reply["answers"] if s.get("token", "").startswith(("army", "navy"))), None)
        if army is None:
            return None
        blessed.append(call.id)
        step = {"act": "place", "token": blessings[0], "place": army["place"]}
        return Completion(json.dumps({**reply, "answers": [army, step]}))

    desk = Pretended("bless", spoiled=spoiled)
    referee = played_by(*models_at(ROKUGAN, 4, desk, settings={"rounds": 2}, pace="plan"))
    assert blessed
    given = [event.answer for event in referee.log if isinstance(event, AnswerGiven)]
    called = {call.id.partition("/")[2].rpartition("#")[0] for call in desk.calls}
    free = [e for e in referee.log if isinstance(e, AnswerGiven) and e.request not in called]
    assert any(str(e.answer.get("token", "")).startswith("blessing") and e.answer["place"][0] == "t" for e in free), (
        given
    )


def test_only_a_token_against_undefended_land_of_ones_own_is_of_concern() -> None:
    desk = Pretended("concern")
    referee = played_by(*models_at(ROKUGAN, 3, desk, settings={"rounds": 1}))
    known = {seat: ROKUGAN.side.unknown(referee.settings, referee.seats, seat) for seat in referee.seats}
    counted: Counter[bool] = Counter()
    for event in referee.log:
        for seat in referee.seats:
            if not event.audience().includes(seat):
                continue
            if isinstance(event, TokenLaid):
                target = event.place.rpartition(">")[2]
                board = known[seat].board
                own = {laid.place for laid in board.tokens.values() if laid.seat == seat}
                wanted = event.seat != seat and board.owner(target) == seat and target not in own
                assert ROKUGAN.guide.concerns(event, known[seat]) == wanted
                counted[wanted] += 1
            known[seat] = ROKUGAN.side.learn(known[seat], (event,))
    assert min(counted[True], counted[False]) > 3


@pytest.mark.parametrize("seed", ["a", "b", "c"])
def test_calls_of_a_whole_game_stay_few(seed: str) -> None:
    """Five seats, five rounds, one turn to talk: 5 for setup, 25 for talk, one plan a round, few plans again.

    How often cards can be played is up to the game; plans that name no blessings run out more often than
    those of a player that reads its hand.
    """
    desk = Pretended(seed, talk=0.4, steps=(10, 12))
    referee, agents = models_at(ROKUGAN, 5, desk, seed=seed, settings={"talk_waves": 1}, pace="plan")
    played_by(referee, agents)
    counts = Counter(call.purpose for call in desk.calls)
    assert counts.keys() <= FORCED
    assert counts["talk"] == 25
    assert counts["settle"] <= 7
    assert counts["place"] <= 40
    assert sum(counts.values()) - counts["prepare"] <= 72
    assert all(menu_of(call) is not None for call in desk.calls)
