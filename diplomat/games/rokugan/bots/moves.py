"""A placement that a scripted diplomat weighs."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Move:
    """One token to one place, with its utility in honor and what it is for."""

    utility: float
    purpose: str
    """``attack``, ``defend``, ``peace``, ``raid``, ``bless`` or ``bluff``."""
    face: str
    where: str
    target: str
    """The province it is about."""
    force: float = 0.0
    """Total strength that it brings its side to."""
