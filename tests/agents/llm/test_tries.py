"""Replies of no use: each kind has a name and a second question, three calls are the most, the log says all."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest

from diplomat.core.audience import Seat
from diplomat.core.errors import BudgetSpent, NoAnswer, OutOfTime, Suspended
from diplomat.core.events import Event
from diplomat.core.menus import Problem
from diplomat.core.proceedings import AnswerGiven, AnswerRefused, Defaulted, DefaultExplained, MessageSent, NoteSealed
from diplomat.core.texts import LANGUAGES, core_texts
from diplomat.llm.base import Call, Completion, ProviderFault
from diplomat.table.table import Table, run
from diplomat.testing.masquerade import game
from diplomat.testing.pretended import Pretended, Spoiled, menu_of, models_at, played_by
from diplomat.testing.walk import AnyReferee

S1 = Seat("s1")
Reply = dict[str, Any]


def number(call: Call) -> int:
    return int(call.id.rpartition("#")[2])


def of(referee: AnyReferee, *kinds: type[Event]) -> list[Any]:
    return [event for event in referee.log if isinstance(event, kinds)]


def spoiled_at_first(times: int, make: Callable[[Call, Reply], Completion | Exception]) -> Spoiled:
    """The first seat's replies are spoilt at so many tries of each question."""
    return lambda call, reply: make(call, reply) if call.seat == S1 and number(call) <= times else None


def _illegal(call: Call, reply: Reply) -> Completion:
    wrong = {} if menu_of(call) is None or "answers" in reply else {"answer": {"act": "fly", "target": "Mordor"}}
    return Completion(json.dumps({**reply, **wrong}))


def _ambiguous(call: Call, reply: Reply) -> Completion:
    return Completion(json.dumps({**reply, "answer": {"act": "watch", "target": "one of them"}}))


KINDS: dict[str, Callable[[Call, Reply], Completion | Exception]] = {
    "truncated": lambda call, reply: Completion(json.dumps(reply)[:-9], finish="length"),
    "empty": lambda call, reply: Completion(""),
    "unparsable": lambda call, reply: Completion("I would rather stay at home."),
    "illegal": _illegal,
    "refused": lambda call, reply: Completion("I cannot do that.", finish="refusal"),
    "timeout": lambda call, reply: ProviderFault("timeout", "nothing within 120 s"),
}


def table_with(spoiled: Spoiled, **options: Any) -> tuple[AnyReferee, Pretended]:
    desk = Pretended("tries", spoiled=spoiled)
    return played_by(*models_at(game, 4, desk, **options)), desk


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("kind", KINDS)
def test_after_three_calls_the_default_is_taken_and_named(kind: str, lang: str) -> None:
    referee, desk = table_with(spoiled_at_first(3, KINDS[kind]), lang=lang)
    explained = {event.request: event.problem for event in of(referee, DefaultExplained)}
    given = {call.id.removeprefix("s1/").rpartition("#")[0] for call in desk.calls if call.seat == S1}
    assert {event.request for event in of(referee, Defaulted)} == explained.keys() == given
    assert {problem.code for problem in explained.values()} == {kind}
    calls = Counter(call.id.rpartition("#")[0] for call in desk.calls if call.seat == S1)
    assert set(calls.values()) == {3}
    assert len([e for e in of(referee, AnswerRefused) if e.seat == S1]) == (3 * len(given) if kind == "illegal" else 0)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("times", [1, 2])
def test_a_later_reply_may_be_right(kind: str, times: int) -> None:
    referee, desk = table_with(spoiled_at_first(times, KINDS[kind]))
    assert not of(referee, Defaulted)
    asked = {call.id.rpartition("#")[0] for call in desk.calls if call.seat == S1}
    assert len([e for e in of(referee, AnswerRefused) if e.seat == S1]) == (
        times * len(asked) if kind == "illegal" else 0
    )
    notes = [event.text for event in of(referee, NoteSealed) if event.seat == S1]
    assert all(f"◦ Earlier replies to this question: {', '.join([kind] * times)}." in note for note in notes)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_kind_has_a_second_question_of_its_own(lang: str) -> None:
    seconds: dict[str, str] = {}
    for kind, make in KINDS.items():
        _, desk = table_with(spoiled_at_first(1, make), lang=lang)
        first, second = (call for call in desk.calls if call.id in ("s1/orders.s1#1", "s1/orders.s1#2"))
        assert second.turns != first.turns
        assert second.turns[-1].role == "user"
        assert menu_of(second) == menu_of(first), "what is legal is said again"
        seconds[kind] = second.turns[-1].text.removeprefix(first.turns[-1].text).strip().splitlines()[0]
    assert len(set(seconds.values())) == len(KINDS)
    assert "fly" in seconds["illegal"]


@pytest.mark.parametrize("kind", ["truncated", "empty"])
def test_a_reply_without_room_gets_more_room(kind: str) -> None:
    _, desk = table_with(spoiled_at_first(2, KINDS[kind]), max_output=100)
    limits = [call.max_output for call in desk.calls if call.id.startswith("s1/orders.s1#")]
    assert limits == [100, 200, 400]


def test_mixed_failures_never_take_a_fourth_call() -> None:
    kinds = list(KINDS.values())

    def spoiled(call: Call, reply: Reply) -> Completion | Exception | None:
        return kinds[(number(call) + len(call.id)) % len(kinds)](call, reply)

    referee, desk = table_with(spoiled)
    assert max(Counter(call.id.rpartition("#")[0] for call in desk.calls).values()) == 3
    assert len({call.id for call in desk.calls}) == len(desk.calls)
    asked = {call.id.rpartition("/")[2].rpartition("#")[0] for call in desk.calls}
    assert {event.request for event in of(referee, Defaulted)} == asked


@pytest.mark.parametrize("kind", KINDS)
def test_failed_tries_leave_the_conversation(kind: str) -> None:
    _, desk = table_with(spoiled_at_first(2, KINDS[kind]))
    firsts = [call for call in desk.calls if call.seat == S1 and number(call) == 1]
    for before, after in pairwise(firsts):
        assert [turn.text for turn in after.turns[: len(before.turns)]] == [turn.text for turn in before.turns]
        assert all("stay at home" not in turn.text for turn in after.turns)


@pytest.mark.parametrize("kind", ["denied", "unknown_model", "rejected", "connection"])
def test_a_server_that_cannot_be_asked_is_named_at_once(kind: Any) -> None:
    fault = ProviderFault(kind, "no such model")
    referee, desk = table_with(lambda call, _: fault if call.seat == S1 else None)
    told = {str(event.problem) for event in of(referee, DefaultExplained)}
    assert told == {"the model could not be asked: no such model"}
    assert {number(call) for call in desk.calls if call.seat == S1} == {1}


def test_a_prompt_that_is_too_long_is_shortened_and_never_sent_again_unchanged() -> None:
    def size(call: Call) -> int:
        return sum(len(part.text) for part in call.system) + sum(len(turn.text) for turn in call.turns)

    def spoiled(call: Call, _: Reply) -> Exception | None:
        return ProviderFault("too_long", "too long") if size(call) > 3000 else None

    referee, desk = table_with(spoiled, max_output=300)
    assert not of(referee, Defaulted)
    sizes = [size(call) for call in desk.calls if call.id.startswith("s1/talk.s1#")]
    assert sizes == sorted(sizes, reverse=True)
    assert len(set(sizes)) == len(sizes) > 1
    later = [call for call in desk.calls if call.seat == S1 and "/talk." not in call.id]
    assert all(number(call) == 1 for call in later), "what was learned about the context stays"


def test_what_never_fits_is_named() -> None:
    referee, desk = table_with(lambda call, _: ProviderFault("too_long", "x") if call.seat == S1 else None)
    assert {event.problem.code for event in of(referee, DefaultExplained)} == {"too_long"}
    prompts = [(call.system, call.turns) for call in desk.calls if call.id.startswith("s1/talk.s1#")]
    assert len(prompts) == len(set(prompts)) > 1


def test_a_suspended_game_stops_after_the_others_have_finished() -> None:
    desk = Pretended("tries", spoiled=lambda call, _: BudgetSpent("no money left") if call.seat == S1 else None)
    referee, agents = models_at(game, 4, desk)
    with pytest.raises(Suspended, match="no money left"):
        run(Table(referee, agents).play())
    assert {call.seat for call in desk.calls} == {"s1", "s2", "s3", "s4"}
    assert not of(referee, Defaulted, AnswerGiven)


@pytest.mark.parametrize(("deadline", "seconds"), [(90.0, "90"), (None, "?")])
def test_out_of_time_reads_like_the_tables_own_deadline(deadline: float | None, seconds: str) -> None:
    desk = Pretended("tries", spoiled=lambda call, _: OutOfTime("late") if call.seat == S1 else None)
    referee, agents = models_at(game, 4, desk)
    played_by(referee, agents, deadline=deadline)
    found = [event.problem for event in of(referee, DefaultExplained)]
    assert found
    assert all(problem == Problem("out_of_time", {"seconds": seconds}) for problem in found)


class _GivesUp:
    """A player that gives up in words that no log can hold."""

    instant = True

    async def decide(self, decision: Any) -> Any:
        raise NoAnswer(Problem("illegal", {"why": "x"}), ((object(), Problem("stale")),))


def test_giving_up_in_unwritable_words_is_a_failure_like_any_other() -> None:
    referee, agents = models_at(game, 4, Pretended("tries"))
    played_by(referee, {**agents, S1: _GivesUp()})
    assert {event.problem.code for event in of(referee, DefaultExplained)} == {"agent_failed"}


def test_bad_words_never_cost_a_good_move_and_are_told_to_the_seat() -> None:
    bad = [{"to": ["all"], "text": "good"}, "hello", {"to": ["s9"], "text": "lost"}]

    def spoiled(call: Call, reply: Reply) -> Completion | None:
        return Completion(json.dumps({**reply, "say": bad})) if call.id == "s1/talk.s1#1" else None

    referee, desk = table_with(spoiled)
    assert not of(referee, Defaulted, AnswerRefused)
    assert [event.text for event in of(referee, MessageSent) if event.id == "s1>all.1"] == ["good"]
    (note,) = (event.text for event in of(referee, NoteSealed) if event.request == "talk.s1")
    assert "say[1]: a message must be an object" in note
    following = next(call for call in desk.calls if call.seat == S1 and "talk" not in call.id).turns[-1].text
    assert "say[1]: a message must be an object" in following
    assert "Your message to s9 came back" in following


def test_every_failure_has_a_text_in_both_languages() -> None:
    for code in ("truncated", "empty", "unparsable", "illegal", "ambiguous", "refused", "timeout", "too_long"):
        assert len({core_texts(lang).entries[f"problem.{code}"] for lang in LANGUAGES}) == 2
