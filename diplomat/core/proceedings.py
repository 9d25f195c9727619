"""Events of the table itself, the same in every game: words, answers, defaults, the sealed seed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from diplomat.core.audience import PUBLIC, SEALED, Audience, Seat, only
from diplomat.core.events import Event
from diplomat.core.menus import Answer, Problem
from diplomat.core.pledges import Plan, Pledge
from diplomat.core.talk import room_audience


@dataclass(frozen=True, slots=True)
class SeedSealed(Event):
    """The game's seed; its commitment stands in the header."""

    seed: str

    def audience(self) -> Audience:
        """Nobody before the reveal."""
        return SEALED


@dataclass(frozen=True, slots=True)
class DiceChanged(Event):
    """From here on a forked game draws from another seed; its commitment stands in the header."""

    seed: str

    def audience(self) -> Audience:
        """Nobody before the reveal."""
        return SEALED


@dataclass(frozen=True, slots=True)
class MessageSent(Event):
    """Words from one seat to all or to some, with the pledges they carry."""

    id: str
    sender: Seat
    to: tuple[str, ...]
    text: str
    pledges: tuple[Pledge, ...] = ()

    def audience(self) -> Audience:
        """Everyone, or exactly the sender and the recipients."""
        return room_audience(self.sender, self.to)


@dataclass(frozen=True, slots=True)
class MessageReturned(Event):
    """A message that could not be delivered went back to its sender, whole, with the reason."""

    sender: Seat
    to: tuple[str, ...]
    text: str
    problem: Problem

    def audience(self) -> Audience:
        """Its sender only."""
        return only(self.sender)


@dataclass(frozen=True, slots=True)
class PledgeReturned(Event):
    """A malformed pledge was left out of a message that was otherwise delivered."""

    sender: Seat
    message: str
    pledge: Pledge
    problem: Problem

    def audience(self) -> Audience:
        """Its sender only."""
        return only(self.sender)


@dataclass(frozen=True, slots=True)
class PlanSealed(Event):
    """What a seat privately meant at the moment it spoke or moved."""

    seat: Seat
    request: str
    plan: Plan
    messages: tuple[str, ...] = ()
    """Ids of the messages that went out with it."""

    def audience(self) -> Audience:
        """Its owner only, until the reveal."""
        return only(self.seat)


@dataclass(frozen=True, slots=True)
class PlanReturned(Event):
    """The words of a plan were too long to be kept; its goals and what it says of promises are."""

    seat: Seat
    request: str
    problem: Problem

    def audience(self) -> Audience:
        """Its owner only."""
        return only(self.seat)


@dataclass(frozen=True, slots=True)
class NoteSealed(Event):
    """A seat's private note."""

    seat: Seat
    request: str
    text: str

    def audience(self) -> Audience:
        """Its owner only, until the reveal."""
        return only(self.seat)


@dataclass(frozen=True, slots=True)
class NoteReturned(Event):
    """A note was too long to be kept."""

    seat: Seat
    request: str
    problem: Problem

    def audience(self) -> Audience:
        """Its owner only."""
        return only(self.seat)


@dataclass(frozen=True, slots=True)
class AnswerRefused(Event):
    """An answer was not legal and was not applied."""

    seat: Seat
    request: str
    answer: Answer
    problem: Problem

    def audience(self) -> Audience:
        """Its owner only."""
        return only(self.seat)


@dataclass(frozen=True, slots=True)
class AnswerGiven(Event):
    """The answer that was applied to a request, the default included."""

    seat: Seat
    request: str
    answer: Answer

    def audience(self) -> Audience:
        """Its owner only: what follows from it for others is in the game's own events."""
        return only(self.seat)


@dataclass(frozen=True, slots=True)
class Defaulted(Event):
    """A seat gave no usable answer, so the request's default was taken."""

    seat: Seat
    request: str

    def audience(self) -> Audience:
        """Everyone: no substitution is made in silence."""
        return PUBLIC


@dataclass(frozen=True, slots=True)
class DefaultExplained(Event):
    """Why a default was taken."""

    seat: Seat
    request: str
    problem: Problem

    def audience(self) -> Audience:
        """The seat itself; sealed for the others."""
        return only(self.seat)


@dataclass(frozen=True, slots=True)
class GameOpened(Event):
    """The game is over and its log lies open to everyone."""

    winners: tuple[Seat, ...]
    scores: Mapping[str, int]

    def audience(self) -> Audience:
        """Everyone."""
        return PUBLIC


PROCEEDINGS: tuple[type[Event], ...] = (
    SeedSealed,
    DiceChanged,
    MessageSent,
    MessageReturned,
    PledgeReturned,
    PlanSealed,
    PlanReturned,
    NoteSealed,
    NoteReturned,
    AnswerRefused,
    AnswerGiven,
    Defaulted,
    DefaultExplained,
    GameOpened,
)
"""Every event of the table, in the order of this file."""
