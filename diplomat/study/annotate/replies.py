"""Reads a model's reply: what it quotes must stand in the message, what it says of goals must fit the game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from diplomat.agents.llm.failures import Unusable
from diplomat.agents.llm.found import reply_object
from diplomat.core.audience import Seat
from diplomat.core.pledges import Goal
from diplomat.core.proceedings import MessageSent
from diplomat.llm.base import Completion
from diplomat.study.annotate.asking import seat_or_none
from diplomat.study.annotate.scheme import CODED_ACTS, GIVING, QUALIFIERS, SWITCHES, Coded, goals_problem
from diplomat.study.sources import Past
from diplomat.study.vocabulary import Vocabulary

FARTHEST = 10**6


@dataclass(frozen=True, slots=True)
class Reading:
    """What one reply says of one message."""

    acts: tuple[Coded, ...]
    rejected: Mapping[str, int]
    """Parts that were not used, by reason: ``span`` (words that are not in the message), ``act`` (no such act),
    ``goal`` (a goal that does not fit the game; its act stays, untestable), ``ref`` (no such earlier message)."""
    unusable: str = ""
    """Why there is no reply at all: ``refused``, ``truncated``, ``empty``, ``unparsable``."""


def read_reply(completion: Completion, message: MessageSent, past: Past, vocabulary: Vocabulary | None) -> Reading:
    """The acts that a reply finds, checked against the message and the game."""
    if completion.finish == "refusal":
        return Reading((), {}, "refused")
    try:
        data = reply_object(completion.text, "acts", cut=completion.finish == "length")
    except Unusable as fault:
        return Reading((), {}, str(fault.failure))
    if not isinstance(data["acts"], list):
        return Reading((), {}, "unparsable")
    rejected: Counter[str] = Counter()
    used: Counter[str] = Counter()
    acts = []
    for entry in data["acts"]:
        act = _act(entry, message, past, used, rejected)
        if act is not None:
            acts.append(_judged(act, message, past, vocabulary, rejected))
    return Reading(tuple(act for number, act in enumerate(acts) if act not in acts[:number]), dict(rejected))


def _act(entry: Any, message: MessageSent, past: Past, used: Counter[str], rejected: Counter[str]) -> Coded | None:
    """One act with its words found, or None."""
    if not isinstance(entry, dict) or entry.get("act") not in CODED_ACTS:
        rejected["act"] += 1
        return None
    words = entry.get("words")
    start = _place(message.text, words, used) if isinstance(words, str) else -1
    if not isinstance(words, str) or start < 0:
        rejected["span"] += 1
        return None
    ref = entry.get("ref")
    if ref is not None and ref not in {one.id for one in past.shared(message)}:
        rejected["ref"] += 1
        ref = None
    codes: dict[str, Any] = {
        name: entry[name] if entry.get(name) in allowed else allowed[0] for name, allowed in QUALIFIERS.items()
    }
    codes |= {name: entry.get(name) is True for name in SWITCHES}
    sure = entry.get("confidence")
    number = float(sure) if isinstance(sure, (int, float)) and not isinstance(sure, bool) else 0.0
    made = Coded(entry["act"], start, start + len(words), words, ref=ref, **codes)
    goals, given = (_goals(entry.get(name), past) for name in ("goals", "given"))
    if goals is None or given is None:
        rejected["goal"] += 1
        return replace(made, confidence=_share(number), fault="not_a_goal")
    return replace(made, goals=goals, given=given, confidence=_share(number))


def _place(text: str, words: str, used: Counter[str]) -> int:
    """Where the words stand, exactly; of several places the next that was not named yet.  -1: nowhere."""
    if not words.strip():
        return -1
    start = text.find(words)
    for _ in range(used[words]):
        start = max(start, text.find(words, start + 1))
    used[words] += 1
    return start


def _goals(value: Any, past: Past) -> tuple[Goal, ...] | None:
    """Goals as the schema gives them: arguments beside the verb, or as a list of pairs; None if ill-typed."""
    if value is None:
        return ()
    if not isinstance(value, list):
        return None
    goals = [_goal(entry, past) for entry in value]
    return tuple(goal for goal in goals if goal) if all(goals) else None


def _goal(entry: Any, past: Past) -> Goal | None:
    if not isinstance(entry, dict):
        return None
    first, last = entry.get("first"), entry.get("last")
    if type(first) is not int or type(last) is not int or max(abs(first), abs(last)) > FARTHEST:
        return None
    args = {name: value for name, value in entry.items() if name not in {"verb", "by", "first", "last", "args"}}
    pairs = entry.get("args")
    if isinstance(pairs, list) and all(isinstance(pair, dict) for pair in pairs):
        args |= {str(pair.get("name")): pair.get("value") for pair in pairs}
    args = {name: value for name, value in args.items() if value is not None}
    verb, by = entry.get("verb"), entry.get("by")
    if not isinstance(verb, str) or not isinstance(by, str) or not all(isinstance(v, str) for v in args.values()):
        return None
    named = {name: str(seat_or_none(value, past) or value) for name, value in args.items()}
    return Goal(verb, seat_or_none(by, past) or Seat(by), first, last, named)


def _judged(
    act: Coded, message: MessageSent, past: Past, vocabulary: Vocabulary | None, rejected: Counter[str]
) -> Coded:
    """The act without goals that do not fit the game; it stays as a word that cannot be tested."""
    fault = goals_problem(act, message.sender, past, vocabulary)
    if not fault:
        return act
    rejected["goal"] += 1
    return replace(act, goals=(), given=(), fault=fault if act.act in GIVING or act.act == "ask" else "")


def _share(percent: float) -> float:
    return min(max(percent / 100, 0.0), 1.0)
