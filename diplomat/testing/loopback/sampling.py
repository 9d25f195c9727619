"""Draws a value from a JSON schema: the part of the language that menus and replies are written in."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

Schema = Mapping[str, Any]
Words = Callable[[], str]
"""Gives a short text where a schema leaves a string open."""

DEEPEST = 30
CANDIDATES = 8
"""Values drawn for each one of several that are to be varied."""


class Unsampled(ValueError):
    """The schema uses a word this sampler does not know, or allows nothing."""


def sample(schema: Schema, dice: Random, words: Words, root: Schema | None = None, depth: int = 0) -> Any:
    """A value that the schema allows; Unsampled when there is none or it cannot be found.

    >>> sample({"type": "object", "properties": {"a": {"const": 1}}, "required": ["a"]}, Random(1), str)
    {'a': 1}
    """
    root = schema if root is None else root
    if depth > DEEPEST:
        raise Unsampled(f"more than {DEEPEST} levels")
    schema = resolved(schema, root)
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return _pick(dice, schema["enum"])
    for word in ("anyOf", "oneOf"):
        if word in schema:
            both = {"allOf": [_without(schema, word), _pick(dice, schema[word])]}
            return sample(both, dice, words, root, depth + 1)
    kind = schema.get("type") or ("object" if "properties" in schema else "array" if "items" in schema else "string")
    if isinstance(kind, list):
        kind = _pick(dice, kind)
    if kind == "object":
        return _object(schema, dice, words, root, depth)
    if kind == "array":
        return _array(schema, dice, words, root, depth)
    return _scalar(kind, schema, dice, words)


def resolved(schema: Schema, root: Schema) -> Schema:
    """The schema with its own ``$ref`` followed and its ``allOf`` merged."""
    seen = 0
    while "$ref" in schema and seen < DEEPEST:
        found: Any = root
        for name in str(schema["$ref"]).removeprefix("#/").split("/"):
            found = found[name]
        schema, seen = {**_without(schema, "$ref"), **found}, seen + 1
    if "allOf" not in schema:
        return schema
    merged: dict[str, Any] = dict(_without(schema, "allOf"))
    for part in (resolved(part, root) for part in schema["allOf"]):
        merged = {
            **merged,
            **part,
            "properties": {**merged.get("properties", {}), **part.get("properties", {})},
            "required": [*merged.get("required", []), *part.get("required", [])],
        }
    return merged


def _object(schema: Schema, dice: Random, words: Words, root: Schema, depth: int) -> dict[str, Any]:
    required = set(schema.get("required", ()))
    return {
        key: sample(inner, dice, words, root, depth + 1)
        for key, inner in schema.get("properties", {}).items()
        if key in required or dice.random() < 0.5
    }


def _array(schema: Schema, dice: Random, words: Words, root: Schema, depth: int) -> list[Any]:
    least = int(schema.get("minItems", 0))
    most = int(schema.get("maxItems", max(least, 2)))
    count = dice.randint(least, max(least, most))
    items = resolved(schema.get("items", {"type": "string"}), root)
    if not schema.get("uniqueItems"):
        return [sample(items, dice, words, root, depth + 1) for _ in range(count)]
    if "enum" in items:
        if len(items["enum"]) < least:
            raise Unsampled(f"{least} different items of {len(items['enum'])}")
        return dice.sample(list(items["enum"]), min(count, len(items["enum"])))
    return _different(items, (least, count), dice, words, root, depth)


def _different(
    items: Schema, counts: tuple[int, int], dice: Random, words: Words, root: Schema, depth: int
) -> list[Any]:
    drawn: dict[str, Any] = {}
    least, count = counts
    for _ in range(20 * (count + 1)):
        if len(drawn) == count:
            break
        value = sample(items, dice, words, root, depth + 1)
        drawn.setdefault(json.dumps(value, sort_keys=True), value)
    if len(drawn) < least:
        raise Unsampled(f"{least} different items, found {len(drawn)}")
    return list(drawn.values())


def _scalar(kind: str, schema: Schema, dice: Random, words: Words) -> Any:
    if kind in ("integer", "number"):
        low = schema.get("minimum", schema.get("exclusiveMinimum", -1) + 1)
        high = schema.get("maximum", schema.get("exclusiveMaximum", max(low, 0) + 11) - 1)
        if low > high:
            raise Unsampled(f"a number from {low} to {high}")
        return dice.randint(int(low), int(high))
    if kind == "boolean":
        return dice.random() < 0.5
    if kind == "null":
        return None
    if kind == "string":
        text = words()
        if (most := schema.get("maxLength")) is not None:
            text = text[:most]
        return text.ljust(int(schema.get("minLength", 0)), ".")
    raise Unsampled(f"type {kind!r}")


def _pick(dice: Random, options: Sequence[Any]) -> Any:
    if not options:
        raise Unsampled("nothing to choose from")
    return options[dice.randrange(len(options))]


def _without(schema: Schema, word: str) -> dict[str, Any]:
    return {key: value for key, value in schema.items() if key != word}


def varied(draw: Callable[[], Any], count: int) -> list[Any]:
    """So many drawn values, each the one of some that has least in common with those before it.

    So somebody plans who means to use each piece once.
    """
    made: list[Any] = []
    used: Counter[tuple[str, str]] = Counter()
    for _ in range(count):
        drawn = [draw() for _ in range(CANDIDATES if count > 1 else 1)]
        made.append(min(drawn, key=lambda value: sum(used[part] for part in _parts(value))))
        used.update(_parts(made[-1]))
    return made


def _parts(value: Any) -> list[tuple[str, str]]:
    """The fields of an object with their values, the empty ones left out."""
    return [(name, str(part)) for name, part in value.items() if part] if isinstance(value, dict) else []
