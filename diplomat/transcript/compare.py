"""The compared part of lines side by side: the first field in which they differ."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from diplomat.core.plain import canonical

COMPARED = ("kind", "to", "data")
_LONGEST = 160


def same(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether two lines have the same compared part, to the byte."""
    return all(_part(one, key) == _part(other, key) for key in COMPARED)


def differing(got: Mapping[str, Any], wanted: Mapping[str, Any]) -> str:
    """The first field in which two lines differ, with both values."""
    for key in COMPARED:
        if _part(got, key) == _part(wanted, key):
            continue
        if key != "data":
            return f"{key} is {short(got[key])}, not {short(wanted[key])}"
        mine, theirs = got[key], wanted[key]
        name = next(name for name in sorted({*mine, *theirs}) if _part(mine, name) != _part(theirs, name))
        return f"{got['kind']}.{name} is {short(mine.get(name))}, not {short(theirs.get(name))}"
    return "the line is written otherwise"


def _part(data: Mapping[str, Any], name: str) -> str | None:
    """A field as one text; None if there is no such field."""
    return canonical(data[name]) if name in data else None


def short(value: Any) -> str:
    """A value in at most 160 characters."""
    text = canonical(value)
    return text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "…"


def is_public(line: Mapping[str, Any]) -> bool:
    """Whether everybody may know what stands in a line."""
    return line["to"] is None
