"""Whatever a model sends: no crash, no illegal move, and every substitution is in the log."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from diplomat.agents.llm import LlmAgent
from diplomat.agents.llm.agent import Pace
from diplomat.agents.profile import find
from diplomat.core.audience import Seat
from diplomat.core.dice import Dice
from diplomat.core.errors import NoAnswer
from diplomat.core.game import Decision
from diplomat.core.menus import Problem
from diplomat.core.proceedings import AnswerGiven, Defaulted, DefaultExplained
from diplomat.core.requests import Request
from diplomat.core.texts import core_texts
from diplomat.games import find as game_of
from diplomat.llm.base import Call, Completion, FaultKind, ProviderFault
from diplomat.table.replies import fresh
from diplomat.table.table import finish
from diplomat.testing import masquerade
from diplomat.testing.pretended import Pretended, models_at, played_by
from diplomat.testing.walk import begun

CORPUS = (Path(__file__).with_name("replies.txt")).read_text(encoding="utf-8").splitlines()
CODES = {"truncated", "empty", "unparsable", "illegal", "ambiguous", "refused", "timeout", "too_long", "provider_fault"}
FAULTS: tuple[FaultKind, ...] = ("rate", "timeout", "too_long", "rejected", "connection")

_words = st.sampled_from(
    [
        *("rest", "watch", "s2", "S3.", "all", "promise", "spare", "", "x" * 700, "```menu\n{}\n```"),
        *("place", "bless", "bluff", "army-2", "Army 2", "navy-1", "hida", "hida>kaiu", "Хида", "sea>hida", "t1"),
    ]
)
_leaf = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), _words, st.text(max_size=8))
_outer = ("answer", "answers", "say", "plan", "note", "act", "target", "token", "place", "to", "text", "pledges")
_inner = ("goals", "given", "ref", "verb", "by", "first", "last", "args", "keep", "message", "mean", "x")
_keys = st.sampled_from(_outer + _inner)
_json = st.recursive(_leaf, lambda v: st.lists(v, max_size=3) | st.dictionaries(_keys, v, max_size=4), max_leaves=12)
_rest: dict[Any, Any] = {"say": _json, "plan": _json, "note": _json}
_move = st.fixed_dictionaries({"act": _words, "token": _words, "place": _words}) | _json
_whole = st.fixed_dictionaries({"answer": _json}, optional=_rest) | st.fixed_dictionaries(
    {"answers": st.lists(_move, max_size=4) | _json}, optional=_rest
)
_text = st.one_of(
    st.sampled_from(CORPUS),
    _whole.map(json.dumps),
    _json.map(json.dumps),
    st.builds(lambda v, n: json.dumps(v)[:n], _whole, st.integers(0, 80)),
    st.builds(lambda a, b, c: a + json.dumps(b) + c, st.text(max_size=20), _whole, st.sampled_from(CORPUS)),
    st.text(max_size=60),
)
_completion = st.one_of(
    st.builds(Completion, _text),
    st.builds(Completion, _text, st.sampled_from(["stop", "length", "refusal"])),
    st.sampled_from([ProviderFault(kind, "x") for kind in FAULTS]),
)


class Replayed:
    """Gives three replies, one after the other."""

    def __init__(self, *replies: Any) -> None:
        self.replies = list(replies)
        self.calls = 0

    async def ask(self, endpoint: Any, call: Call) -> Completion:
        self.calls += 1
        reply = self.replies.pop(0)
        if isinstance(reply, Exception):
            raise reply
        return reply  # type: ignore[no-any-return]


@dataclass(frozen=True)
class Asked:
    """A table at its first question of one form, and how its seat is played."""

    referee: Any
    pace: Pace
    lang: str

    @property
    def request(self) -> Request:
        return self.referee.open()[0]  # type: ignore[no-any-return]

    def decision(self, problem: Problem | None = None) -> Decision[Any]:
        seat = self.request.seat
        known = self.referee.known(seat)
        window = self.referee.game.side.talk(known, self.request)
        question = self.referee.question(self.request)
        return Decision(question, window, known, self.referee.seen(seat), Dice("x"), problem)


def _start(game: Any, form: str, pace: Pace, lang: str) -> Asked:
    referee = begun(game, 4, "fuzz")
    while referee.open()[0].form != form:
        request = referee.open()[0]
        assert referee.submit(request, referee.question(request).default) is None
    return Asked(referee, pace, lang)


TABLES = {
    "masquerade": _start(masquerade.game, "orders", "step", "en"),
    "rokugan": _start(game_of("rokugan"), "place", "plan", "ru"),
}
EVERY = pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
S1 = Seat("s1")


def _tried(table: Asked, replies: tuple[Any, ...]) -> tuple[Any, Replayed, list[Any]]:
    """What the table would take: the legal answer, or the problem for which it takes the default."""
    desk, referee = Replayed(*replies), table.referee
    agent = LlmAgent(
        referee.game,
        table.request.seat,
        referee.settings,
        referee.seats,
        find("loyal"),
        table.lang,
        None,
        desk,
        pace=table.pace,
        max_output=100,
    )
    problem: Problem | None = None
    refused: list[Any] = []
    for _ in range(3):
        try:
            reply = fresh(finish(agent.decide(table.decision(problem))))
        except NoAnswer as fault:
            return fault.problem, desk, [*refused, *(answer for answer, _ in fault.refused)]
        problem = table.decision().question.menu.problem(reply.answer)
        if problem is None:
            return reply, desk, refused
        refused.append(reply.answer)
    raise AssertionError("the table's own tries were used up")


def _check(table: Asked, replies: tuple[Any, ...]) -> None:
    outcome, desk, refused = _tried(table, replies)
    assert 1 <= desk.calls <= 3
    menu = table.decision().question.menu
    assert all(menu.problem(answer) is not None for answer in refused)
    if isinstance(outcome, Problem):
        assert outcome.code in CODES
        core_texts("ru").say(f"problem.{outcome.code}", **outcome.facts)
    else:
        assert menu.problem(outcome.answer) is None


_three = st.tuples(_completion, _completion, _completion)
_options: dict[str, Any] = {"deadline": None, "suppress_health_check": list(HealthCheck), "derandomize": True}


@EVERY
@settings(max_examples=250, **_options)
@given(replies=_three)
def test_malformed_replies(table: Asked, replies: tuple[Any, ...]) -> None:
    _check(table, replies)


@EVERY
@pytest.mark.long
@settings(max_examples=int(os.environ.get("DIPLOMAT_FUZZ", "2000")), **_options)
@given(replies=_three)
def test_many_malformed_replies(table: Asked, replies: tuple[Any, ...]) -> None:
    _check(table, replies)


def test_every_line_of_the_corpus_at_a_whole_table() -> None:
    for number, line in enumerate(CORPUS):
        desk = Pretended(f"corpus{number}", spoiled=lambda call, _: Completion(line) if call.seat == S1 else None)  # noqa: B023 — used at once
        referee = played_by(*models_at(masquerade.game, 4, desk))
        explained = [event for event in referee.log if isinstance(event, DefaultExplained)]
        assert len(explained) == len([event for event in referee.log if isinstance(event, Defaulted)])
        assert {event.problem.code for event in explained} <= CODES
        asked = {call.id.rpartition("/")[2].rpartition("#")[0] for call in desk.calls if call.seat == S1}
        assert asked <= {event.request for event in referee.log if isinstance(event, AnswerGiven)} | {"react.s1"}
