"""How many calls run at once at one provider: fewer after it says that it is too much, slowly more again."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections import deque
from collections.abc import AsyncIterator
from dataclasses import dataclass

FIRST = 64
MOST = 512
"""Beyond this a provider that never refuses is asked no more at once."""


@dataclass(slots=True)
class Slot:
    """A place among the running calls."""

    era: int
    """How often the limit had been cut when it was taken."""


class Limiter:
    """Additive increase, multiplicative decrease; while nothing was refused yet, places that are all taken double.

    May be shared by event loops in several threads.
    """

    def __init__(self, first: int = FIRST, most: int = MOST) -> None:
        if not 1 <= first <= most:
            raise ValueError(f"a limiter needs 1 <= first <= most, got {first} and {most}")
        self._lock = threading.Lock()
        self._limit, self._most = first, most
        self._running = 0
        self._era = 0
        self._good = 0
        self._raises = 0
        """Good calls that may each raise the limit, since it was reached when they ran."""
        self._waiting: deque[tuple[asyncio.AbstractEventLoop, asyncio.Future[Slot]]] = deque()

    @property
    def limit(self) -> int:
        """Calls that may run at once now."""
        return self._limit

    @property
    def running(self) -> int:
        """Calls that run now."""
        return self._running

    @contextlib.asynccontextmanager
    async def slot(self) -> AsyncIterator[Slot]:
        """Waits for a place, first come, first served, and gives it back."""
        slot = await self._take()
        try:
            yield slot
        finally:
            self._give_back()

    def succeeded(self) -> None:
        """Counts a call that went well; as many as may run at once make the limit one higher, at first each does."""
        with self._lock:
            self._good += 1
            quick = self._era == 0 and self._raises > 0
            self._raises -= quick
            if (quick or self._good >= self._limit) and self._limit < self._most:
                self._limit, self._good = self._limit + 1, 0
            self._wake()

    def refused(self, slot: Slot) -> None:
        """Halves the limit, once for all calls that were under way when the provider had enough."""
        with self._lock:
            if slot.era == self._era:
                self._limit, self._good, self._era = max(1, self._limit // 2), 0, self._era + 1

    async def _take(self) -> Slot:
        loop = asyncio.get_running_loop()
        with self._lock:
            if self._running < self._limit and not self._waiting:
                self._occupy()
                return Slot(self._era)
            place: asyncio.Future[Slot] = loop.create_future()
            self._waiting.append((loop, place))
        try:
            return await place
        except asyncio.CancelledError:
            with self._lock:
                if place.done() and not place.cancelled():
                    self._running -= 1
                    self._wake()
                else:
                    with contextlib.suppress(ValueError):  # it was taken off the queue and is on its way to us
                        self._waiting.remove((loop, place))
            raise

    def _occupy(self) -> None:
        self._running += 1
        if self._running == self._limit:
            self._raises = self._limit

    def _give_back(self) -> None:
        with self._lock:
            self._running -= 1
            self._wake()

    def _wake(self) -> None:
        """Gives free places to those who wait; the lock is held."""
        while self._waiting and self._running < self._limit:
            loop, place = self._waiting.popleft()
            if place.cancelled() or loop.is_closed():
                continue
            self._occupy()
            loop.call_soon_threadsafe(self._hand_over, place, Slot(self._era))

    def _hand_over(self, place: asyncio.Future[Slot], slot: Slot) -> None:
        if place.done():  # whoever waited has gone in the meantime
            self._give_back()
        else:
            place.set_result(slot)


_limiters: dict[str, Limiter] = {}
_limiters_lock = threading.Lock()


def limiter_for(provider: str) -> Limiter:
    """The limiter of a provider, the same for all games of the process."""
    with _limiters_lock:
        return _limiters.setdefault(provider, Limiter())
