"""Whether the real services would take a schema for strict structured output.

Both want every object closed; OpenAI also wants every property required and an object at the top.
Words of JSON schema that a service does not know are refused.  The lists follow what the services
document and are on the narrow side: what passes here should pass there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from diplomat.testing.loopback.asked import Protocol

_BOTH = frozenset({"type", "properties", "required", "additionalProperties", "items", "enum", "const", "anyOf"})
_NOTES = frozenset({"title", "description", "$ref", "$defs", "definitions", "default", "format", "pattern", "minItems"})
KNOWN: Mapping[Protocol, frozenset[str]] = {
    "openai": _BOTH | _NOTES | {"maxItems", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"},
    "anthropic": _BOTH | _NOTES | {"allOf"},
}
DEEPEST = 10
MOST_PROPERTIES = 5000
MOST_ENUM = 1000


def schema_problem(schema: Mapping[str, Any], protocol: Protocol) -> str | None:
    """The first reason for which the service would refuse the schema, or None."""
    if protocol == "openai" and (schema.get("type") != "object" or "anyOf" in schema):
        return "schema must be of 'type: \"object\"' at its root and not have 'anyOf' there"
    properties = enums = 0
    for path, depth, part in _parts(schema, (), 1):
        properties += len(part.get("properties", ()))
        enums += len(part.get("enum", ()))
        if (problem := _part_problem(part, protocol)) is not None:
            return f"In context={path}, {problem}"
        if depth > DEEPEST and protocol == "openai":
            return f"In context={path}, more than {DEEPEST} levels of nesting"
    if protocol == "openai" and (properties > MOST_PROPERTIES or enums > MOST_ENUM):
        return f"{properties} properties and {enums} enum values; at most {MOST_PROPERTIES} and {MOST_ENUM} are allowed"
    return None


def _part_problem(part: Mapping[str, Any], protocol: Protocol) -> str | None:
    for word in part:
        if word not in KNOWN[protocol]:
            return f"'{word}' is not permitted"
    if protocol == "anthropic" and part.get("minItems", 0) not in (0, 1):
        return "'minItems' values other than 0 or 1 are not supported"
    kind = part.get("type", ())
    if "object" in ([kind] if isinstance(kind, str) else kind):
        if part.get("additionalProperties") is not False:
            return "'additionalProperties' is required to be supplied and to be false"
        missing = [key for key in part.get("properties", {}) if key not in part.get("required", ())]
        if protocol == "openai" and missing:
            return f"'required' is required to be an array including every key in properties. Missing '{missing[0]}'"
    return None


def _parts(
    schema: Mapping[str, Any], path: tuple[str, ...], depth: int
) -> Iterator[tuple[Any, int, Mapping[str, Any]]]:
    yield path, depth, schema
    for word in ("properties", "$defs", "definitions"):
        for key, inner in schema.get(word, {}).items():
            yield from _parts(inner, (*path, word, key), depth + (word == "properties"))
    if isinstance(schema.get("items"), Mapping):
        yield from _parts(schema["items"], (*path, "items"), depth + 1)
    for word in ("anyOf", "oneOf", "allOf"):
        for index, inner in enumerate(schema.get(word, ())):
            yield from _parts(inner, (*path, word, str(index)), depth)
