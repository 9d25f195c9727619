"""Reads what a model gave back into an answer, words, a plan and a note."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from diplomat.agents.llm.failures import Failure, Unusable
from diplomat.agents.llm.found import reply_object
from diplomat.agents.llm.readings import Aliases, legal_readings, without_blanks
from diplomat.agents.llm.safe import clipped, line
from diplomat.agents.llm.speech import Fault, Reader
from diplomat.core.audience import Seat
from diplomat.core.menus import Answer, Menu, Problem
from diplomat.core.plain import canonical, plain
from diplomat.core.pledges import Goal, Plan, Pledge
from diplomat.core.talk import Message
from diplomat.llm.base import Completion


@dataclass(frozen=True, slots=True)
class Reading:
    """A reply as it was understood; ``answers`` are as given, the first not judged yet when there are several."""

    answers: tuple[Answer, ...]
    say: tuple[Message, ...]
    plan: Plan | None
    note: str | None
    faults: tuple[Fault, ...]


@dataclass(frozen=True, slots=True)
class Grammar:
    """What replies of one seat to one question are read by."""

    seat: Seat
    key: str
    """``answer``, or ``answers`` for a plan of several."""
    names: Mapping[str, Seat]
    silent_answer: bool
    """Whether the question has nothing to choose, so that words alone are a reply."""


def read(completion: Completion, grammar: Grammar) -> Reading:
    """A completion as a reply; Unusable when no answer can be found in it."""
    if completion.finish == "refusal":
        raise Unusable(Failure.REFUSED)
    cut = completion.finish == "length"
    if grammar.silent_answer and f'"{grammar.key}"' not in completion.text:
        data = reply_object(completion.text, "say", cut=cut)
    else:
        data = reply_object(completion.text, grammar.key, cut=cut)
    answers = _answers(data, grammar)
    reader = Reader(grammar.seat, grammar.names)
    say = reader.messages(data.get("say"))
    plan = reader.plan(data.get("plan"))
    note = reader.note(data.get("note"))
    return Reading(answers, say, plan, note, tuple(reader.faults))


def _answers(data: Mapping[str, Any], grammar: Grammar) -> tuple[Answer, ...]:
    if grammar.silent_answer:
        given = data.get(grammar.key)
        if grammar.key == "answers":
            given = given[0] if isinstance(given, list) and given else None
        return (given or {},)
    given = data[grammar.key]
    if grammar.key == "answer":
        return (given,)
    if not isinstance(given, list) or not given:
        facts = {"field": grammar.key, "answer": clipped(line(repr(given)), 60)}
        raise Unusable(Failure.UNPARSABLE, Problem("reply_not_a_list", facts))
    return tuple(given)


def understood(answer: Answer, menu: Menu, schema: Mapping[str, Any], aliases: Callable[[], Aliases]) -> Answer:
    """The legal answer that is meant; Unusable (ILLEGAL or AMBIGUOUS) carries the answer as it was given."""
    found = legal_readings(answer, menu, schema, aliases)
    if len(found) == 1:
        return found[0]
    bare = without_blanks(answer)
    problem = menu.problem(bare)
    if found:
        listed = "; ".join(canonical(reading) for reading in found)
        facts = {"answer": clipped(line(canonical(bare)), 80), "candidates": clipped(listed, 400)}
        raise Unusable(Failure.AMBIGUOUS, Problem("ambiguous_option", facts), bare)
    raise Unusable(Failure.ILLEGAL, problem or Problem("no_answer"), bare)


def written(reading: Reading, answers: tuple[Answer, ...], key: str) -> str:
    """The reply as it stands in the conversation from now on: compact, and the same for the same reply."""
    plan = None if reading.plan is None else plain(reading.plan)
    said = [{"to": list(m.to), "text": m.text, "pledges": [_pledge(p) for p in m.pledges]} for m in reading.say]
    for message in said:
        if not message["pledges"]:
            del message["pledges"]
    if plan is not None:
        keep = [{"message": name, "mean": mean} for name, mean in plan["keep"].items()]
        plan = {"text": plan["text"], "goals": [_goal(goal) for goal in plan["goals"]], "keep": keep}
    data = {"plan": plan, key: list(answers) if key == "answers" else answers[0], "say": said, "note": reading.note}
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def _pledge(pledge: Pledge) -> dict[str, Any]:
    goals, given = ([_goal(goal) for goal in each] for each in (pledge.goals, pledge.given))
    return {"act": pledge.act, "goals": goals, "given": given, "ref": pledge.ref}


def _goal(goal: Goal | Mapping[str, Any]) -> dict[str, Any]:
    data = plain(goal)
    args = data.pop("args")
    return {**data, **args}
