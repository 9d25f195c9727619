"""Says whom a game is waiting for when nothing has happened for a while."""

from __future__ import annotations

import asyncio
import contextlib
import sys
import time
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

T = TypeVar("T")

PATIENCE = 2.0
"""Seconds without an event after which it is said."""
TICK = 1.0
AGAIN = 10.0
"""Seconds between two lines where nothing can be written over."""


class Waiting:
    """One status line on stderr: rewritten on a terminal, a line now and then elsewhere."""

    def __init__(self, text: Callable[[int], str | None]) -> None:
        """``text`` gives the line for so many seconds, None while there is nothing to say."""
        self._text = text
        self._last = time.monotonic()
        self._said = 0.0
        self._shown = 0
        self._live = sys.stderr is not None and sys.stderr.isatty()

    def heard(self) -> None:
        """Something has happened: the line goes."""
        self._last = time.monotonic()
        self._said = 0.0
        self._clear()

    async def beside(self, work: Coroutine[Any, Any, T]) -> T:
        """Runs the game and looks at the clock beside it."""
        looking = asyncio.create_task(self._look())
        try:
            return await work
        finally:
            looking.cancel()
            self._clear()

    async def _look(self) -> None:
        while True:
            await asyncio.sleep(TICK)
            waited = time.monotonic() - self._last
            if waited < PATIENCE or (not self._live and waited - self._said < AGAIN):
                continue
            text = self._text(int(waited))
            if text is not None:
                self._said = waited
                self._show(text)

    def _show(self, text: str) -> None:
        if sys.stderr is None:  # it was closed before the program began
            return
        with contextlib.suppress(OSError):
            if self._live:
                self._clear()
                sys.stderr.write(text)
                self._shown = len(text)
            else:
                sys.stderr.write(f"{text}\n")
            sys.stderr.flush()

    def _clear(self) -> None:
        if self._shown:
            with contextlib.suppress(OSError):
                sys.stderr.write(f"\r{' ' * self._shown}\r")
                sys.stderr.flush()
            self._shown = 0
