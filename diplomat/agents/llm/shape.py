"""The JSON schema of a reply, in two cuts.

The *loose* one is what remote servers get: no options, variants merged into one object, so that it
stays the same for a form of request and the cached beginning of the prompt survives.  The *exact*
one holds a small local model to the menu itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from diplomat.core.audience import Seat
from diplomat.core.pledges import ACTS
from diplomat.core.talk import EVERYONE, TalkWindow

Schema = dict[str, Any]
STRING: Schema = {"type": "string"}
SHORT_NOTE, SHORT_MESSAGE = 60, 120
"""Characters that a small model may spend on a note and on a message."""


def closed(fields: Mapping[str, Schema]) -> Schema:
    """An object in which every field is required and no other is allowed."""
    return {"type": "object", "properties": dict(fields), "required": list(fields), "additionalProperties": False}


def nullable(schema: Schema) -> Schema:
    """The same, or null."""
    kind = schema.get("type")
    if isinstance(kind, list):
        return schema if "null" in kind else {**schema, "type": [*kind, "null"]}
    if kind is not None:
        return {**schema, "type": [kind, "null"]}
    parts = schema["anyOf"]
    return schema if {"type": "null"} in parts else {"anyOf": [*parts, {"type": "null"}]}


def loose(schema: Mapping[str, Any]) -> Schema:
    """A menu's schema without its options and sizes: only what is an object, a list, a text or a number."""
    if "anyOf" in schema:
        merged: Schema | None = None
        for part in schema["anyOf"]:
            one = loose(part)
            merged = one if merged is None else joined(merged, one)
        return STRING if merged is None else merged
    kind = schema.get("type")
    if kind == "object":
        needed = schema.get("required", ())
        fields = {name: loose(part) for name, part in schema.get("properties", {}).items()}
        return closed({name: part if name in needed else nullable(part) for name, part in fields.items()})
    if kind == "array":
        return {"type": "array", "items": loose(schema.get("items", STRING))}
    return {"type": kind if kind in ("integer", "number", "boolean") else "string"}


def declared(fields: Mapping[str, str]) -> Schema | None:
    """The loose schema of all answers of a game that says which fields they have; None if it does not."""
    kinds = {"text": nullable(STRING), "list": nullable({"type": "array", "items": STRING})}
    return closed({name: kinds[kind] for name, kind in fields.items()}) if fields else None


def joined(one: Schema, other: Schema) -> Schema:
    """One schema for both; fields that not both have may be null."""
    if one == other:
        return one
    if _objects(one, other):
        mine, theirs = one["properties"], other["properties"]
        fields = {name: joined(part, theirs[name]) if name in theirs else nullable(part) for name, part in mine.items()}
        fields.update({name: nullable(part) for name, part in theirs.items() if name not in mine})
        return closed(fields)
    if nullable(one) == nullable(other):
        return nullable(one)
    parts = [part for each in (one, other) for part in each.get("anyOf", [each])]
    return {"anyOf": [part for number, part in enumerate(parts) if part not in parts[:number]]}


def _objects(*schemas: Schema) -> bool:
    return all(schema.get("type") == "object" for schema in schemas)


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """What promises of a game are made of."""

    verbs: tuple[str, ...]
    fields: tuple[str, ...]
    """Names of all arguments; empty: the schema takes pairs of names and values."""
    seats: tuple[Seat, ...]

    def goal(self, *, exact: bool = False, rounds: tuple[int, int] | None = None) -> Schema:
        """The schema of one goal."""
        number: Schema = {"type": "integer"}
        if exact and rounds is not None:
            number = {"type": "integer", "minimum": rounds[0], "maximum": rounds[1]}
        args: dict[str, Schema] = {name: nullable(STRING) for name in self.fields}
        if not args:
            args = {"args": {"type": "array", "items": closed({"name": STRING, "value": STRING})}}
        verb, by = (_one_of(self.verbs), _one_of(self.seats)) if exact else (STRING, STRING)
        return closed({"verb": verb, "by": by, "first": number, "last": number, **args})

    def pledge(self, goal: Schema, *, exact: bool = False) -> Schema:
        """The schema of one pledge."""
        goals = {"type": "array", "items": goal}
        act = _one_of(ACTS) if exact else STRING
        return closed({"act": act, "goals": goals, "given": goals, "ref": nullable(STRING)})


def _one_of(options: Iterable[str]) -> Schema:
    return {"type": "string", "enum": list(options)}


def loose_reply(answer: Schema, key: str, words: Vocabulary, *, brief: bool = False) -> Schema:
    """The reply that remote servers are asked for; ``key`` is ``answer`` or ``answers`` (a list of them)."""
    message: dict[str, Schema] = {"to": {"type": "array", "items": STRING}, "text": STRING}
    move = {"type": "array", "items": answer} if key == "answers" else answer
    if brief:
        return closed({key: move, "say": {"type": "array", "items": closed(message)}, "note": nullable(STRING)})
    plan: dict[str, Schema] = {"text": STRING}
    if words.verbs:
        goal = words.goal()
        message["pledges"] = {"type": "array", "items": words.pledge(goal)}
        plan["goals"] = {"type": "array", "items": goal}
    plan["keep"] = {"type": "array", "items": closed({"message": STRING, "mean": STRING})}
    return closed(
        {
            "plan": nullable(closed(plan)),
            key: move,
            "say": {"type": "array", "items": closed(message)},
            "note": nullable(STRING),
        }
    )


def exact_reply(
    answer: Mapping[str, Any], key: str, steps: int, words: Vocabulary, window: TalkWindow, *, brief: bool
) -> Schema:
    """The reply that a server with a grammar is held to; ``brief`` leaves out pledges and the plan."""
    length = min(window.length, SHORT_MESSAGE) if brief else window.length
    fields: dict[str, Schema] = {}
    message: dict[str, Schema] = {
        "to": {"type": "array", "items": _one_of(recipients(window)), "minItems": 1, "maxItems": 1},
        "text": {"type": "string", "maxLength": length},
    }
    if not brief:
        plan: dict[str, Schema] = {"text": {"type": "string", "maxLength": window.note_length}}
        if words.verbs:
            goal = words.goal(exact=True, rounds=window.rounds)
            message["pledges"] = {"type": "array", "items": words.pledge(goal, exact=True)}
            plan["goals"] = {"type": "array", "items": goal}
        keep = closed({"message": STRING, "mean": _one_of(("yes", "no", "unsure"))})
        fields["plan"] = nullable(closed({**plan, "keep": {"type": "array", "items": keep}}))
    one = dict(answer)
    fields[key] = {"type": "array", "items": one, "minItems": 1, "maxItems": steps} if key == "answers" else one
    most = min(window.messages, 1) if brief else window.messages
    if recipients(window) and most:
        fields["say"] = {"type": "array", "items": closed(message), "maxItems": most}
    fields["note"] = {"type": "string", "maxLength": SHORT_NOTE if brief else window.note_length}
    return closed(fields)


def recipients(window: TalkWindow) -> Sequence[str]:
    """Whom a seat may write to now."""
    if window.messages == 0:
        return ()
    return [*([EVERYONE] if window.public else []), *window.reach]
