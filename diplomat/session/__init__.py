"""One game from what was asked for to its result: checked, seated, played, written down."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from diplomat.core.game import Game
from diplomat.session.preparation import prepare
from diplomat.session.result import GameResult, SeatResult
from diplomat.session.session import Session
from diplomat.table.table import finish, run

__all__ = ["GameResult", "SeatResult", "Session", "play", "play_async", "prepare"]


def play(
    game: str | Game[Any, Any] = "rokugan",
    seats: int | Mapping[str, str] | None = None,
    *,
    players: int | None = None,
    seed: int | str | None = None,
    lang: str = "en",
    settings: Mapping[str, Any] | None = None,
    out: Path | str | None = None,
    force: bool = False,
    deadline: float | None = None,
) -> GameResult:
    """Plays a whole game and returns its result; see :func:`prepare` for the arguments."""
    session = prepare(game, seats, players=players, seed=seed, lang=lang, settings=settings, deadline=deadline)
    work = session.play(Path(out) if out is not None else None, force=force)
    return finish(work) if session.instant else run(work)


async def play_async(
    game: str | Game[Any, Any] = "rokugan",
    seats: int | Mapping[str, str] | None = None,
    *,
    players: int | None = None,
    seed: int | str | None = None,
    lang: str = "en",
    settings: Mapping[str, Any] | None = None,
    out: Path | str | None = None,
    force: bool = False,
    deadline: float | None = None,
) -> GameResult:
    """The asynchronous twin of :func:`play`."""
    session = prepare(game, seats, players=players, seed=seed, lang=lang, settings=settings, deadline=deadline)
    return await session.play(Path(out) if out is not None else None, force=force)
