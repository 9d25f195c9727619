"""Games, one folder each, found by looking; :func:`diplomat.games.found` lists them."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from importlib.metadata import entry_points
from typing import Any

from diplomat.core.errors import UnknownName
from diplomat.core.game import Game

ENTRY_POINTS = "diplomat.games"


@cache
def found() -> dict[str, Game[Any, Any]]:
    """Every game by id: packages in this folder with a ``game``, and installed entry points."""
    games: dict[str, Game[Any, Any]] = {}
    for module in pkgutil.iter_modules(__path__):
        candidate = getattr(importlib.import_module(f"{__name__}.{module.name}"), "game", None)
        if isinstance(candidate, Game):
            games[candidate.id] = candidate
    for entry in entry_points(group=ENTRY_POINTS):
        candidate = entry.load()
        games.setdefault(candidate.id, candidate)
    return dict(sorted(games.items()))


def find(name: str) -> Game[Any, Any]:
    """The game of that id; UnknownName with suggestions if there is none."""
    games = found()
    if name not in games:
        raise UnknownName("game", name, games)
    return games[name]
