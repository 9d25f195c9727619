"""TOML that people write: whatever is wrong with it is one error with a reason, never a fault of the reader."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from typing import Any

DEEPEST = 40
"""Levels of tables and lists."""
LONGEST = 100
"""Digits of a whole number: far more than any setting or seed needs."""


class BadToml(ValueError):
    """Text that is not TOML, or TOML that nobody would write."""


def parsed(text: str, parse_float: Callable[[str], Any] = float) -> dict[str, Any]:
    """The tables in a text; BadToml says what is wrong, with the line where TOML itself is broken.

    >>> parsed("rounds = 3")
    {'rounds': 3}
    >>> parsed("rounds = " + "[" * 5000)
    Traceback (most recent call last):
    diplomat.core.toml.BadToml: more than 40 levels of tables and lists
    """
    try:
        data = tomllib.loads(text, parse_float=parse_float)
        _check(data)
    except tomllib.TOMLDecodeError as fault:
        raise BadToml(str(fault)) from None
    except RecursionError:
        raise BadToml(f"more than {DEEPEST} levels of tables and lists") from None
    except BadToml:
        raise
    except (ValueError, ArithmeticError):  # what tomllib lets through: a number that Python will not read
        raise BadToml(f"a number with more than {LONGEST} digits, or beyond what can be counted") from None
    return data


def _check(data: dict[str, Any]) -> None:
    """BadToml for what would break whoever shows it: without end in depth, or in digits."""
    left: list[tuple[Any, int]] = [(data, 0)]
    while left:
        value, depth = left.pop()
        if depth > DEEPEST:
            raise BadToml(f"more than {DEEPEST} levels of tables and lists")
        if isinstance(value, dict):
            left += [(inner, depth + 1) for inner in value.values()]
        elif isinstance(value, list):
            left += [(inner, depth + 1) for inner in value]
        elif isinstance(value, int) and abs(value) >= 10**LONGEST:
            raise BadToml(f"a number with more than {LONGEST} digits")
