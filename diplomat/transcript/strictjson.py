"""One line of JSON, read so that nothing in it can hide."""

from __future__ import annotations

import json
import math
from typing import Any

DEEPEST = 100
"""Levels of lists and objects in one line; no event comes near."""


def parsed(row: str) -> Any:
    """The value of a line; ValueError or RecursionError for what is no JSON, names twice and numbers without end."""
    value = json.loads(row, parse_constant=_no_number, parse_float=_number, object_pairs_hook=_object)
    if row.count("[") + row.count("{") > DEEPEST and not _is_shallow(value):
        raise ValueError(f"more than {DEEPEST} levels of lists and objects")
    return value


def _is_shallow(value: Any) -> bool:
    """Whether a value has no more than the allowed levels; never deeper in calls than one."""
    level = [value]
    for _ in range(DEEPEST):
        level = [
            entry
            for part in level
            if isinstance(part, (dict, list))
            for entry in (part.values() if isinstance(part, dict) else part)
        ]
    return not level


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object whose names are all different: of two equal ones, one would be hidden."""
    made = dict(pairs)
    if len(made) != len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"{next(name for name in names if names.count(name) > 1)!r} stands twice in one object")
    return made


def _no_number(text: str) -> Any:
    raise ValueError(f"{text} is no number of JSON")


def _number(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"{text} is too large a number")
    return number
