"""A table of figures, before anybody decides how to print it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Sheet:
    """Named columns and rows; title, columns and words in rows are keys that the game puts into words."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str | float | int, ...], ...]
    facts: Mapping[str, Any] = field(default_factory=dict)
    """Fill the places of the title."""
