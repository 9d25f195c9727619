"""Everything that happens at the masquerade, each with its audience."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from diplomat.core.audience import PUBLIC, SEALED, Audience, Seat, only
from diplomat.core.events import Event


class _Public(Event):
    __slots__ = ()

    def audience(self) -> Audience:
        """Everyone."""
        return PUBLIC


@dataclass(frozen=True, slots=True)
class MasksShuffled(Event):
    """The order in which characters were dealt."""

    characters: tuple[str, ...]

    def audience(self) -> Audience:
        """Nobody."""
        return SEALED


@dataclass(frozen=True, slots=True)
class CharacterDealt(Event):
    """Who a seat secretly is."""

    seat: Seat
    character: str

    def audience(self) -> Audience:
        """Its owner only."""
        return only(self.seat)


@dataclass(frozen=True, slots=True)
class PhaseBegan(_Public):
    """``talk``, ``orders``, ``react`` or ``vote`` began."""

    phase: str


@dataclass(frozen=True, slots=True)
class SeatAnswered(_Public):
    """A seat has answered in this phase; what, stays hidden."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class OrderSealed(Event):
    """What a seat does at night."""

    seat: Seat
    act: str
    target: Seat | None

    def audience(self) -> Audience:
        """Its owner only."""
        return only(self.seat)


@dataclass(frozen=True, slots=True)
class VisitSeen(Event):
    """Who came to the seat that was watched."""

    seat: Seat
    target: Seat
    visitors: tuple[Seat, ...]

    def audience(self) -> Audience:
        """The watching seat only."""
        return only(self.seat)


@dataclass(frozen=True, slots=True)
class SeatPoisoned(_Public):
    """A seat was poisoned at night and is out."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class SeatHushed(_Public):
    """The herald told a seat to be silent for the rest of the evening."""

    by: Seat
    seat: Seat


@dataclass(frozen=True, slots=True)
class BellRung(_Public):
    """The host closed the window: nobody else reacts."""

    by: Seat


@dataclass(frozen=True, slots=True)
class VoteSealed(Event):
    """Whom a seat wants to unmask."""

    seat: Seat
    choice: str

    def audience(self) -> Audience:
        """Its owner only, until all votes are in."""
        return only(self.seat)


@dataclass(frozen=True, slots=True)
class VotesCounted(_Public):
    """How often each was named; a tie unmasks nobody."""

    counts: Mapping[str, int]
    unmasked: Seat | None


@dataclass(frozen=True, slots=True)
class CharacterShown(_Public):
    """Who a seat was, at the end."""

    seat: Seat
    character: str


@dataclass(frozen=True, slots=True)
class BallEnded(_Public):
    """The game is over."""

    winners: tuple[Seat, ...]


EVENTS: tuple[type[Event], ...] = (
    MasksShuffled,
    CharacterDealt,
    PhaseBegan,
    SeatAnswered,
    OrderSealed,
    VisitSeen,
    SeatPoisoned,
    SeatHushed,
    BellRung,
    VoteSealed,
    VotesCounted,
    CharacterShown,
    BallEnded,
)
"""Every event of the game."""

REVEALS = (VisitSeen, SeatPoisoned, SeatHushed, BellRung, VotesCounted, CharacterShown)
"""Events by which the rules themselves open a secret."""
