"""What every seat and the watchers knew, moving along the log one event at a time."""

from __future__ import annotations

from typing import Any

from diplomat.core.audience import Seat
from diplomat.core.events import Event
from diplomat.transcript.reader import Transcript


class Lenses:
    """Everybody's knowledge just before the event that comes next; folded only when somebody looks."""

    def __init__(self, transcript: Transcript) -> None:
        self._side = transcript.game.side
        viewers: tuple[Seat | None, ...] = (None, *transcript.seats)
        self._known: dict[Seat | None, Any] = {
            seat: self._side.unknown(transcript.settings, transcript.seats, seat) for seat in viewers
        }
        self._unread: dict[Seat | None, list[Event]] = {seat: [] for seat in viewers}

    def take(self, event: Event) -> None:
        """Moves past one event."""
        audience = event.audience()
        for seat, unread in self._unread.items():
            if audience.includes(seat):
                unread.append(event)

    def known(self, seat: Seat | None) -> Any:
        """What a seat knows here; None is a watcher."""
        if self._unread[seat]:
            self._known[seat] = self._side.learn(self._known[seat], self._unread[seat])
            self._unread[seat] = []
        return self._known[seat]
