"""What a game can tell the page beyond the common interface, and what is used when it tells nothing.

A game brings its guide as ``Game.extra["reveal"]`` or as a module ``reveal`` in its package.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Mapping, Sequence
from typing import Any, Protocol, cast

from diplomat.core.audience import Seat
from diplomat.core.events import Event
from diplomat.core.game import Game
from diplomat.core.pledges import Goal

EXTRA = "reveal"
"""Key of ``Game.extra``: an object or module that fulfils :class:`Guide`."""


class Commitment(Protocol):
    """A word given, as a game's ledger keeps it."""

    message: str
    debtor: Seat
    creditors: tuple[Seat, ...]
    goal: Goal
    status: str
    settled: int


class Ledger(Protocol):
    """Hears every event; ``made`` are the words given, ``answered`` what became of offers by message."""

    @property
    def made(self) -> Sequence[Commitment]:
        """All commitments in the order in which they were made."""

    @property
    def answered(self) -> Mapping[str, str]:
        """Offers that were answered: ``accept``, ``refuse`` or ``counter``."""

    def hear(self, event: Event) -> None:
        """Takes one event in."""


class Guide(Protocol):
    """How a game wants to be shown."""

    def badge(self, known: Any, seat: Seat, lang: str) -> tuple[str, str]:
        """A seat's letter and its colour as ``#RRGGBB``."""

    def word(self, field: str, value: str, lang: str) -> str | None:
        """What a value of an event's field is called, or a label of the page; None if there is no word."""

    def opens_chapter(self, event: Event) -> int | None:
        """The number of the chapter (round, hour, turn) that begins with the event."""

    def section(self, event: Event) -> str | None:
        """The part of a chapter that begins with the event."""

    def pictured(self, event: Event) -> bool:
        """Whether a picture is worth drawing just after the event."""

    def is_quiet(self, event: Event) -> bool:
        """Whether the event gets no line of its own."""

    def headline(self, event: Event, before: Any, lang: str) -> tuple[str, Mapping[str, Any]] | None:
        """A template and its places if the event belongs in the summary; seats are tuples of seats."""

    def commitments(self, seats: tuple[Seat, ...]) -> Ledger:
        """A fresh ledger of promises."""


def guide_of(game: Game[Any, Any]) -> Guide:
    """The game's own guide, or the plain one."""
    from diplomat.report.plain import PlainGuide

    if EXTRA in game.extra:
        return cast(Guide, game.extra[EXTRA])
    name = f"{game.package}.{EXTRA}"
    if game.package and importlib.util.find_spec(name) is not None:
        return cast(Guide, importlib.import_module(name))
    return PlainGuide()
