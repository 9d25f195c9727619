"""Where speech acts come from: the common shape of declared pledges, rules, annotators and people.

A source is shown one message and what existed when it was written, and nothing else: neither what was done
later nor plans nor notes, so that whoever reads cannot know how it ended.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from diplomat.core.audience import Seat
from diplomat.core.pledges import Goal
from diplomat.core.proceedings import MessageSent, PledgeReturned
from diplomat.core.talk import EVERYONE


@dataclass(frozen=True, slots=True)
class Said:
    """One speech act that a source finds in a message."""

    act: str
    """One of :data:`diplomat.core.pledges.ACTS`."""
    goals: tuple[Goal, ...] = ()
    """The speaker's own."""
    given: tuple[Goal, ...] = ()
    ref: str | None = None
    """Id of the message that is answered."""
    start: int = 0
    """First code point of the words."""
    end: int = 0
    """Code point after the last."""
    hearers: tuple[Seat, ...] | None = None
    """To whom, if not to all who read the message."""
    confidence: float = 1.0
    stated: bool = True
    """Whether the words name their rounds."""
    certainty: str = "firm"
    explicitness: str = "explicit"
    level: str = "order"
    fault: str = ""
    """For a word given that no goal stands for: ``untracked`` (no such verb in this game) or the reason."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """An offer that a seat may still answer."""

    message: str
    sender: Seat
    point: int


@dataclass(frozen=True, slots=True)
class Past:
    """What existed when a message was written, as far as a reader may know it."""

    n: int
    """Its event number."""
    seats: tuple[Seat, ...]
    roles: Mapping[Seat, str]
    """Public names of seats, such as clans."""
    now: int
    """Decision point."""
    last: int
    """The last point of the game."""
    said: tuple[MessageSent, ...] = ()
    """All earlier messages; show a reader :meth:`shared` only."""
    waiting: tuple[Waiting, ...] = ()
    """Offers by others that its sender may still answer, the oldest first."""
    owed: Mapping[Seat, tuple[str, ...]] = field(default_factory=dict)
    """Messages with which its sender gave its word to a seat, while that is open."""

    def shared(self, message: MessageSent) -> tuple[MessageSent, ...]:
        """Earlier messages that the sender and every recipient of this one could read."""
        readers = (None,) if tuple(message.to) == (EVERYONE,) else (message.sender, *map(Seat, message.to))
        return tuple(one for one in self.said if all(one.audience().includes(seat) for seat in readers))


class Source(Protocol):
    """Finds speech acts in messages; a list of sources is asked in order about each message."""

    @property
    def name(self) -> str:
        """Stands in every row: ``declared``, ``rule``, ``llm:MODEL@HASH``, ``human:CODER``."""

    def acts(self, message: MessageSent, past: Past) -> Iterable[Said]:
        """What the message does."""


class Returns(Protocol):
    """A source that also counts what was left out of messages because it was malformed."""

    def left_out(self, event: PledgeReturned) -> Iterable[Said]:
        """The act as far as it can be kept, with its fault."""
