"""What a finished game leaves."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class SeatResult:
    """How one seat ended."""

    seat: str
    agent: str
    profile: str | None
    score: int
    won: bool


@dataclass(frozen=True, slots=True)
class GameResult:
    """What a finished game leaves."""

    game: str
    seed: str
    seats: tuple[SeatResult, ...]
    winners: tuple[str, ...]
    events: int
    transcript: Path | None = None
