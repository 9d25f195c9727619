"""The plain rows that every data set can be told as: messages, orders, promises.  Statistics and writers take these."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Mark = Literal["truth", "lie"]
"""What a person pressed beside a message: the sender before it went out, or the receiver on reading it."""

Quadrant = Literal["straightforward", "deceived", "cassandra", "caught"]
"""Sender and receiver together: truth believed, lie believed, truth doubted, lie doubted."""

QUADRANTS: dict[tuple[Mark, Mark], Quadrant] = {
    ("truth", "truth"): "straightforward",
    ("lie", "truth"): "deceived",
    ("truth", "lie"): "cassandra",
    ("lie", "lie"): "caught",
}


@dataclass(frozen=True, slots=True)
class MessageRow:
    """One message from one seat to one other."""

    game_id: str
    msg_id: str
    phase: str
    """The decision point it was written before, e.g. ``1901-Spring``."""
    number: int
    """Its place among all messages of the game, from 0."""
    sender: str
    receiver: str
    text: str
    intention: Mark | None
    """The sender's own mark; ``None`` where nobody was asked or nobody answered."""
    perception: Mark | None
    """The receiver's mark; ``None`` where nobody was asked or nobody answered."""
    split: str = ""
    """``train``, ``validation`` or ``test`` where the source has them."""

    @property
    def quadrant(self) -> Quadrant | None:
        """Both marks as one word; ``None`` if either is missing."""
        if self.intention is None or self.perception is None:
            return None
        return QUADRANTS[self.intention, self.perception]


@dataclass(frozen=True, slots=True)
class OrderRow:
    """One order of one unit, with what came of it."""

    game_id: str
    phase: str
    seat: str
    unit: str
    """Where the unit stands, upper case without its coast."""
    kind: str
    """``MOVE``, ``SUPPORT``, ``HOLD``, ``CONVOY``, ``BUILD``, ``DISBAND``, ``RETREAT``, or ``OTHER``."""
    to: str = ""
    """Where it goes, or where the helped unit goes; empty if nowhere."""
    source: str = ""
    """Where the supported or convoyed unit stands."""
    result: str = ""
    """The source's own word for what came of it; empty where it says nothing."""


@dataclass(frozen=True, slots=True)
class LostRow:
    """Something a reader could not carry over, counted and shown, never dropped in silence."""

    game_id: str
    where: str
    what: str
