"""Who may ever learn of an event: everybody, some seats, or nobody before the reveal."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NewType

Seat = NewType("Seat", str)
"""A place at the table (``s1`` … ``s16``), fixed for a whole game."""


@dataclass(frozen=True, slots=True)
class Audience:
    """The seats that may see an event; ``seats=None`` means everyone, watchers included.

    >>> PUBLIC.includes(None), SEALED.includes(Seat("s1")), only("s1").includes(Seat("s1"))
    (True, False, True)
    """

    seats: frozenset[Seat] | None

    def includes(self, seat: Seat | None) -> bool:
        """Whether ``seat`` may see it; ``None`` is a watcher, who sees public events only."""
        return self.seats is None or (seat is not None and seat in self.seats)

    def listed(self) -> list[str] | None:
        """The form written to a transcript: ``None`` or a sorted list of seats."""
        return None if self.seats is None else sorted(self.seats)


PUBLIC = Audience(None)
SEALED = Audience(frozenset())


def only(*seats: str | Iterable[str]) -> Audience:
    """An audience of the named seats."""
    names: list[str] = []
    for entry in seats:
        names.extend([entry] if isinstance(entry, str) else entry)
    return Audience(frozenset(Seat(name) for name in names))
