"""A log folded again: what a seat or a watcher knew after any event."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from diplomat.core.audience import Seat
from diplomat.core.errors import UnknownName
from diplomat.transcript.reader import Transcript
from diplomat.transcript.schema import Line

WATCHER = "watcher"


def viewer(transcript: Transcript, name: str) -> Seat | None:
    """The seat of that name, or of that role; None for ``watcher``; UnknownName otherwise."""
    return None if name == WATCHER else _seat(transcript, name, (WATCHER,))


def seat_named(transcript: Transcript, name: str) -> Seat:
    """The seat of that name, or of that role; UnknownName for any other, a watcher included."""
    return _seat(transcript, name)


def _seat(transcript: Transcript, name: str, others: tuple[str, ...] = ()) -> Seat:
    if name in transcript.seats:
        return Seat(name)
    roles = transcript.game.story.names(known_to(transcript, None), "en")
    for seat, shown in roles.items():
        if shown.lower() == name.lower():
            return Seat(seat)
    raise UnknownName("seat", name, [*transcript.seats, *(shown.lower() for shown in roles.values()), *others])


def seen_by(transcript: Transcript, seat: Seat | None, to: int | None = None) -> Iterator[Line]:
    """The lines a seat was allowed to see among the first ``to``."""
    for line in transcript.lines[:to]:
        if line.event.audience().includes(seat):
            yield line


def known_to(transcript: Transcript, seat: Seat | None, to: int | None = None) -> Any:
    """What a seat knew after event ``to``."""
    side = transcript.game.side
    nothing = side.unknown(transcript.settings, transcript.seats, seat)
    return side.learn(nothing, [line.event for line in seen_by(transcript, seat, to)])
