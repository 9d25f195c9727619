"""Processes that work beside this one, and end with it when it is interrupted."""

from __future__ import annotations

import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from typing import Any, TypeVar

Made = TypeVar("Made")


class Crew:
    """Some processes that share work out among themselves."""

    def __init__(self, pool: ProcessPoolExecutor) -> None:
        self._pool = pool

    def map(self, work: Callable[..., Made], *items: Iterable[Any]) -> Iterator[Made]:
        """What ``work`` makes of the items, in their order, as by ``map``; BrokenProcessPool if a process died."""
        waiting = deque([self._pool.submit(work, *row) for row in zip(*items, strict=True)])
        while waiting:
            yield waiting.popleft().result()


@contextmanager
def crew(jobs: int) -> Iterator[Crew]:
    """So many processes; whatever ends the work early, Ctrl-C above all, ends them at once.

    Left to itself, a pool waits for processes that a Ctrl-C may have hit while they wrote a result, for ever.
    """
    pool = ProcessPoolExecutor(max_workers=jobs, initializer=_deaf)
    try:
        yield Crew(pool)
    except BaseException:
        working = list((getattr(pool, "_processes", None) or {}).values())
        pool.shutdown(wait=False)
        for process in working:
            process.kill()
        raise
    pool.shutdown()


def _deaf() -> None:
    """Ctrl-C is for the process that shares the work out."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
