"""A judge of JSON schema, just large enough for the schemas that menus write."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from diplomat.core.plain import canonical

KNOWN = frozenset(
    {
        "type",
        "enum",
        "const",
        "properties",
        "required",
        "additionalProperties",
        "anyOf",
        "items",
        "uniqueItems",
        "minItems",
        "maxItems",
    }
)
_TYPES: Mapping[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "null": (type(None),),
}


def fault(schema: Mapping[str, Any], value: Any, where: str = "answer") -> str | None:
    """Why a value does not fit a schema, or None; ValueError for a schema outside the subset."""
    if unknown := schema.keys() - KNOWN:
        raise ValueError(f"{where}: a menu's schema may not use {', '.join(sorted(unknown))}")
    if "anyOf" in schema:
        faults = [fault(part, value, where) for part in schema["anyOf"]]
        if all(faults):
            return f"{where}: fits no variant ({'; '.join(str(found) for found in faults)})"
    if "const" in schema and not _same(value, schema["const"]):
        return f"{where}: is not {schema['const']!r}"
    if "enum" in schema and not any(_same(value, option) for option in schema["enum"]):
        return f"{where}: {value!r} is not in the list"
    if "type" in schema:
        types = _TYPES[schema["type"]]
        if not isinstance(value, types) or (isinstance(value, bool) and bool not in types):
            return f"{where}: is no {schema['type']}"
    if isinstance(value, dict):
        return _object(schema, value, where)
    if isinstance(value, list):
        return _array(schema, value, where)
    return None


def _object(schema: Mapping[str, Any], value: dict[str, Any], where: str) -> str | None:
    properties = schema.get("properties", {})
    for name in schema.get("required", ()):
        if name not in value:
            return f"{where}: {name} is missing"
    for name, entry in value.items():
        if name not in properties:
            if schema.get("additionalProperties", True) is False:
                return f"{where}: {name} is one too many"
        elif found := fault(properties[name], entry, f"{where}.{name}"):
            return found
    return None


def _array(schema: Mapping[str, Any], value: list[Any], where: str) -> str | None:
    if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
        return f"{where}: has {len(value)} entries"
    if schema.get("uniqueItems") and len({canonical(entry) for entry in value}) != len(value):
        return f"{where}: has an entry twice"
    for number, entry in enumerate(value):
        if "items" in schema and (found := fault(schema["items"], entry, f"{where}.{number}")):
            return found
    return None


def _same(one: Any, other: Any) -> bool:
    return type(one) is type(other) and bool(one == other)
