"""Games, one folder each, found by looking; :func:`diplomat.games.found` lists them.

A game that cannot be loaded is left out and its fault kept for :func:`diplomat.games.unusable`: one
bad package among those installed must not keep anybody from playing the others.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from importlib.metadata import entry_points
from typing import Any

from diplomat.core.errors import UnknownName
from diplomat.core.game import Game

ENTRY_POINTS = "diplomat.games"
_NO_GAME = object()


@dataclass(frozen=True, slots=True)
class Unusable:
    """A game that is there but cannot be played; ``where`` is the module or object that was to give it."""

    name: str
    where: str
    why: str

    def __str__(self) -> str:
        return f"the game {self.name} ({self.where}) cannot be used: {self.why}"


def found() -> dict[str, Game[Any, Any]]:
    """Every game by id: packages in this folder with a ``game``, and installed entry points."""
    return dict(_looked()[0])


def unusable() -> tuple[Unusable, ...]:
    """The games that were left out of :func:`found`, and why."""
    return _looked()[1]


def find(name: str) -> Game[Any, Any]:
    """The game of that id; UnknownName with suggestions, and with what cannot be used, if there is none."""
    games = found()
    if name not in games:
        fault = UnknownName("game", name, games)
        fault.args = ("; ".join([str(fault), *map(str, unusable())]),)
        raise fault
    return games[name]


@cache
def _looked() -> tuple[dict[str, Game[Any, Any]], tuple[Unusable, ...]]:
    games: dict[str, Game[Any, Any]] = {}
    faults: list[Unusable] = []
    for name, where, load in _candidates():
        game, why = _tried(load)
        if game is not None and game.id in games:
            why = f"its id {game.id} is that of another game"
        if why is not None:
            faults.append(Unusable(name, where, why))
        elif game is not None:
            games[game.id] = game
    return dict(sorted(games.items())), tuple(faults)


def _candidates() -> Iterator[tuple[str, str, Callable[[], Any]]]:
    """Name, place and loader of whatever may be a game; those of this folder come first."""
    for module in pkgutil.iter_modules(__path__):
        where = f"{__name__}.{module.name}"
        yield module.name, where, partial(_of_folder, where)
    for entry in entry_points(group=ENTRY_POINTS):
        yield entry.name, entry.value, entry.load


def _of_folder(where: str) -> Any:
    return getattr(importlib.import_module(where), "game", _NO_GAME)


def _tried(load: Callable[[], Any]) -> tuple[Game[Any, Any] | None, str | None]:
    """The game, or why there is none, on one line; neither for a module of this folder that has none to give."""
    try:
        game = load()
        if game is _NO_GAME:
            return None, None
        if not isinstance(game, Game):
            return None, f"it is {type(game).__name__}, not a Game"
    except KeyboardInterrupt:
        raise
    except BaseException as fault:  # noqa: BLE001 — code of others may end in any way while it is imported
        return None, " ".join(f"{type(fault).__name__}: {fault}".split())
    return game, None
