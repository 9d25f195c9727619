"""Plays many games of scripted players, on several processes, always with the same figures."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import Any

from diplomat.session import prepare
from diplomat.table.referee import Referee
from diplomat.table.table import finish

Progress = Callable[[int, int], None]
CHUNK = 5
"""Games given to a process at once."""


def play_one(game: str, seed: str, seats: Mapping[str, str], players: int, settings: Mapping[str, Any]) -> Referee[Any, Any]:
    """One game played to its end without a transcript."""
    session = prepare(game, seats, players=players, seed=seed, settings=settings)
    table = session.table()
    finish(table.play())
    return table.referee


def _chunk(count: Callable[[Referee[Any, Any]], Any], work: Sequence[tuple[str, str, Mapping[str, str], int, Mapping[str, Any]]]) -> list[Any]:
    return [count(play_one(*one)) for one in work]


def play_many(
    work: Sequence[tuple[str, str, Mapping[str, str], int, Mapping[str, Any]]],
    count: Callable[[Referee[Any, Any]], Any],
    jobs: int = 1,
    progress: Progress | None = None,
) -> Iterator[Any]:
    """What ``count`` makes of each game, in the order of ``work`` whatever ``jobs`` is."""
    chunks = [work[at : at + CHUNK] for at in range(0, len(work), CHUNK)]
    done = 0
    if jobs <= 1:
        for chunk in chunks:
            yield from _chunk(count, chunk)
            done += len(chunk)
            if progress:
                progress(done, len(work))
        return
    with ProcessPoolExecutor(max_workers=jobs) as pool:
        for chunk, rows in zip(chunks, pool.map(partial(_chunk, count), chunks), strict=True):
            yield from rows
            done += len(chunk)
            if progress:
                progress(done, len(work))
