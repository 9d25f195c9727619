"""Events to plain data and back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from types import MappingProxyType
from typing import Any

from pydantic import TypeAdapter

from diplomat.core.errors import UnknownName
from diplomat.core.events import Event, kind_of
from diplomat.core.game import Game
from diplomat.core.plain import plain
from diplomat.core.proceedings import PROCEEDINGS


def classes(game: Game[Any, Any]) -> Mapping[str, type[Event]]:
    """Every event class a log of this game may hold, by kind."""
    return _by_kind(tuple(game.events))


@cache
def _by_kind(events: tuple[type[Event], ...]) -> Mapping[str, type[Event]]:
    """Kept by the classes themselves and not by the game: every line of every log asks, and two games may differ."""
    return MappingProxyType({kind_of(cls): cls for cls in (*PROCEEDINGS, *events)})


_adapters: dict[type[Event], TypeAdapter[Event]] = {}
"""Made when first needed, since making one takes longer than reading many events."""


def _adapter(cls: type[Event]) -> TypeAdapter[Event]:
    if cls not in _adapters:
        _adapters[cls] = TypeAdapter(cls)
    return _adapters[cls]


def encode(event: Event) -> dict[str, Any]:
    """The compared part of a line, without its number."""
    return {"kind": kind_of(type(event)), "to": event.audience().listed(), "data": plain(event)}


def decode(game: Game[Any, Any], kind: str, data: Mapping[str, Any]) -> Event:
    """The event of that kind; UnknownName for a kind the game does not have, ValueError for ill-typed data."""
    return decoder(game)(kind, dict(data))


Decoder = Callable[[str, Mapping[str, Any]], Event]
"""Makes an event of a kind and data, see :func:`decode`."""


def decoder(game: Game[Any, Any]) -> Decoder:
    """What reads many events of one game: the game is asked for its events once."""
    known = classes(game)

    def read(kind: str, data: Mapping[str, Any]) -> Event:
        cls = known.get(kind)
        if cls is None:
            raise UnknownName("event", kind, known)
        event: Event = _adapter(cls).validator.validate_python(data)
        return event

    return read
