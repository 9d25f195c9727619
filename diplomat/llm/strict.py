"""JSON schemas as servers take them: without the keywords that strict modes refuse."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_NEVER = frozenset(
    {
        "$schema", "$id", "default", "examples", "format", "pattern", "minLength", "maxLength", "multipleOf",
        "uniqueItems", "contains", "minContains", "maxContains", "minProperties", "maxProperties",
        "patternProperties", "propertyNames", "unevaluatedItems", "unevaluatedProperties",
        "dependentRequired", "dependentSchemas", "if", "then", "else", "not",
    }
)  # fmt: skip
_BOUNDS = frozenset({"minItems", "maxItems", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"})
"""Hosted strict modes refuse some of these; grammars of own servers use them."""


def strict(schema: Mapping[str, Any], *, bounds: bool) -> dict[str, Any]:
    """The schema with objects closed and complete, and without what strict modes refuse; the menu judges the rest.

    ``bounds``: whether limits of length and size of numbers and lists may stay.
    """
    made: dict[str, Any] = {}
    for key, value in schema.items():
        if key in _NEVER or (key in _BOUNDS and not bounds):
            continue
        if key in {"properties", "$defs", "definitions"} and isinstance(value, Mapping):
            made[key] = {name: _inner(inner, bounds) for name, inner in value.items()}
        elif key in {"oneOf", "anyOf"}:
            made["anyOf"] = [_inner(inner, bounds) for inner in value]
        elif key == "const":
            made["enum"] = [value]
        elif key in {"items", "allOf", "prefixItems", "additionalProperties"}:
            made[key] = [_inner(inner, bounds) for inner in value] if isinstance(value, list) else _inner(value, bounds)
        else:
            made[key] = value
    if "properties" in made:
        made["required"] = list(made["properties"])
        made["additionalProperties"] = False
    return made


def _inner(value: Any, bounds: bool) -> Any:
    return strict(value, bounds=bounds) if isinstance(value, Mapping) else value
