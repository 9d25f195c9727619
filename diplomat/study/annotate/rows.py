"""One coding of one message by one coder, as a row of an annotation file.

A file is JSON Lines; a row is a whole coding, and a later row of the same coder on the same message replaces it::

    kind        "annotation"
    format      1
    codebook    version of the coding scheme
    transcript  "chain:HASH", the last hash of the log that was coded, or "sha256:HASH" of its bytes
    game        name of the log's file, for people
    message     id of the message
    text        first 16 hexadecimal digits of the SHA-256 of its words
    coder       name of the coder
    by          "human", "llm" or "adjudicated"
    blind       false: the coder had already seen later messages of this game
    state       "done", or "draft": being coded
    acts        list of acts (fields of scheme.Coded; a goal has verb, by, first, last, args); empty: it does nothing
    rule        of an adjudication: "agreed", "first", "second" or "edited"; else empty
    seconds     time spent on it
    at          when it was saved, ISO 8601, UTC
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from diplomat.core.audience import Seat
from diplomat.core.plain import plain
from diplomat.core.pledges import Goal
from diplomat.study.annotate.scheme import CODEBOOK, CODED_ACTS, QUALIFIERS, SWITCHES, Coded

KIND = "annotation"
FORMAT = 1
MAKERS = ("human", "llm", "adjudicated")
STATES = ("done", "draft")
RULES = ("", "agreed", "first", "second", "edited")


@dataclass(frozen=True, slots=True)
class Annotation:
    """One row; the module says what its fields are."""

    transcript: str
    game: str
    message: str
    text: str
    coder: str
    acts: tuple[Coded, ...]
    by: str = "human"
    blind: bool = True
    state: str = "done"
    rule: str = ""
    seconds: float = 0.0
    at: str = ""
    codebook: str = CODEBOOK

    @property
    def unit(self) -> tuple[str, str]:
        """What was coded: the message with its words, in whatever version of the log."""
        return self.game, f"{self.message}/{self.text}"


def text_hash(text: str) -> str:
    """What a row says of the words that were coded."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def as_data(row: Annotation) -> dict[str, Any]:
    """The row as JSON data."""
    acts = [{name: value for name, value in plain(act).items() if value not in ("", None)} for act in row.acts]
    return {"kind": KIND, "format": FORMAT, **plain(replace(row, acts=())), "acts": acts}


def from_data(data: Any) -> Annotation:
    """The row of JSON data; ValueError says what is wrong with it."""
    if not isinstance(data, dict) or data.get("kind") != KIND:
        raise ValueError("not an annotation")
    values: dict[str, Any] = {}
    for name in ("transcript", "game", "message", "text", "coder", "by", "state", "rule", "at", "codebook"):
        values[name] = _word(data, name)
    acts = data.get("acts")
    if not isinstance(acts, list):
        raise ValueError("acts is no list")
    for name, allowed in (("by", MAKERS), ("state", STATES), ("rule", RULES)):
        if values[name] not in allowed:
            raise ValueError(f"{name} is {values[name]!r}, not one of {', '.join(allowed)}")
    blind, seconds = data.get("blind"), data.get("seconds")
    if not isinstance(blind, bool) or isinstance(seconds, bool) or not isinstance(seconds, (int, float)):
        raise ValueError("blind is no truth value, or seconds no number")
    return Annotation(**values, acts=tuple(coded_of(act) for act in acts), blind=blind, seconds=float(seconds))


def coded_of(data: Any) -> Coded:
    """An act of JSON data; ValueError says what is wrong with it."""
    if not isinstance(data, dict):
        raise ValueError("an act is no object")
    strange = set(data) - {each.name for each in fields(Coded)}
    if strange:
        raise ValueError(f"an act has no {sorted(strange)[0]!r}")
    act, start, end = _word(data, "act"), data.get("start"), data.get("end")
    if act not in CODED_ACTS:
        raise ValueError(f"act is {act!r}, not one of {', '.join(CODED_ACTS)}")
    if type(start) is not int or type(end) is not int:
        raise ValueError("start or end is no whole number")
    values: dict[str, Any] = {}
    for name, allowed in QUALIFIERS.items():
        values[name] = data.get(name, allowed[0])
        if values[name] not in allowed:
            raise ValueError(f"{name} is {values[name]!r}, not one of {', '.join(allowed)}")
    for name in SWITCHES:
        values[name] = data.get(name, name == "testable")
        if not isinstance(values[name], bool):
            raise ValueError(f"{name} is no truth value")
    sure, ref = data.get("confidence", 1.0), data.get("ref")
    if isinstance(sure, bool) or not isinstance(sure, (int, float)) or not 0 <= sure <= 1:
        raise ValueError("confidence is no number from 0 to 1")
    if ref is not None and not isinstance(ref, str):
        raise ValueError("ref is no text")
    for name in ("disputed", "fault"):
        values[name] = _word(data, name) if name in data else ""
    goals, given = (tuple(goal_of(goal) for goal in _list(data, name)) for name in ("goals", "given"))
    return Coded(act, start, end, _word(data, "words"), goals, given, ref, confidence=float(sure), **values)


def goal_of(data: Any) -> Goal:
    """A goal of JSON data; ValueError if it is none."""
    if not isinstance(data, dict) or type(data.get("first")) is not int or type(data.get("last")) is not int:
        raise ValueError("a goal is no object with whole numbers first and last")
    args = data.get("args", {})
    if not isinstance(args, Mapping) or not all(isinstance(part, str) for pair in args.items() for part in pair):
        raise ValueError("the arguments of a goal are no texts")
    return Goal(_word(data, "verb"), Seat(_word(data, "by")), data["first"], data["last"], dict(args))


def _word(data: Mapping[str, Any], name: str) -> str:
    value = data.get(name)
    if not isinstance(value, str):
        raise ValueError(f"{name} is no text")
    return value


def _list(data: Mapping[str, Any], name: str) -> list[Any]:
    value = data.get(name, [])
    if not isinstance(value, list):
        raise ValueError(f"{name} is no list")
    return value
