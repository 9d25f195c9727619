"""What a finished game leaves."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from diplomat.llm.totals import Tally


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
    bill: tuple[Tally, ...] = ()
    """What language models were asked and what it cost, by seat and purpose."""
    chain: str | None = None
    """The last hash of the transcript; kept elsewhere, it shows any later change of the log."""
    repaired: str | None = None
    """What was cut off a torn end of the log before the game went on."""
