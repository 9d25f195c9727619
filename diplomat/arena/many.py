"""Plays many games of scripted players, on several processes, always with the same figures."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar

from diplomat.crew import crew
from diplomat.session import Session, prepare
from diplomat.table.referee import Referee
from diplomat.table.table import finish

T = TypeVar("T")
Progress = Callable[[int, int], None]
"""Called with how many games are done and how many there will be."""
Count = Callable[[Referee[Any, Any]], T]
"""What is kept of a finished game; it has to be a function of a module, to reach other processes."""

CHUNK = 5
"""Games given to a process at once."""


@dataclass(frozen=True, slots=True)
class Task:
    """One game to be played."""

    game: str
    seed: str
    seats: Mapping[str, str]
    players: int
    settings: Mapping[str, Any] = field(default_factory=dict)

    def session(self) -> Session:
        """The game set up."""
        return prepare(self.game, self.seats, players=self.players, seed=self.seed, settings=self.settings)

    def play(self) -> Referee[Any, Any]:
        """The game played to its end, without a transcript."""
        table = self.session().table()
        finish(table.play())
        return table.referee


def _chunk(count: Count[T], tasks: Sequence[Task]) -> list[T]:
    return [count(task.play()) for task in tasks]


def play_many(tasks: Sequence[Task], count: Count[T], jobs: int = 1, progress: Progress | None = None) -> Iterator[T]:
    """What ``count`` makes of each game, in the order of the tasks whatever ``jobs`` is."""
    chunks = [tasks[at : at + CHUNK] for at in range(0, len(tasks), CHUNK)]
    done = 0
    if jobs <= 1:
        for chunk in chunks:
            yield from _chunk(count, chunk)
            done += len(chunk)
            if progress:
                progress(done, len(tasks))
        return
    with crew(jobs) as pool:
        for chunk, rows in zip(chunks, pool.map(partial(_chunk, count), chunks), strict=True):
            yield from rows
            done += len(chunk)
            if progress:
                progress(done, len(tasks))
