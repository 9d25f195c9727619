"""One line of JSON, read so that nothing in it can hide."""

from __future__ import annotations

import json
import math
from typing import Any

from pydantic_core import from_json, to_json

DEEPEST = 100
"""Levels of lists and objects in one line; no event comes near."""


def parsed(row: str | bytes) -> Any:
    """The value of a line; ValueError or RecursionError for what is no JSON, names twice and numbers without end."""
    value = _as_written(row) if isinstance(row, bytes) else None
    if value is None:
        value = _SLOWLY.decode(row if isinstance(row, str) else row.decode("utf-8"))
    brackets = row.count("[") + row.count("{") if isinstance(row, str) else row.count(b"[") + row.count(b"{")
    if brackets > DEEPEST and not _is_shallow(value):
        raise ValueError(f"more than {DEEPEST} levels of lists and objects")
    return value


def _as_written(row: bytes) -> Any:
    """The value of a line that, written again, is the same byte for byte, so that nothing was lost; None otherwise.

    Lines that this program wrote are such, and take half the time that it takes to look at every name.
    """
    try:
        value = from_json(row, allow_inf_nan=False)
        return value if to_json(value) == row else None
    except ValueError:
        return None


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


_SLOWLY = json.JSONDecoder(parse_constant=_no_number, parse_float=_number, object_pairs_hook=_object)
