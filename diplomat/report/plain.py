"""What the page does with a game that tells nothing about itself."""
# ruff: noqa: ARG002 — a guide that knows nothing has no use for what it is asked about

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from diplomat.core.audience import Seat
from diplomat.core.events import Event
from diplomat.report.guide import Commitment, Ledger

COLOURS = ("#1F5FA8", "#B5451B", "#1B7A54", "#7B3FA0", "#8A6A00", "#A0245E", "#00738A", "#4A4A4A")


class NoLedger:
    """For games that judge no promises."""

    made: tuple[Commitment, ...] = ()
    answered: Mapping[str, str] = MappingProxyType({})

    def hear(self, event: Event) -> None:
        """Nothing is judged."""


class PlainGuide:
    """For games without a guide: one chapter, seat numbers as letters, every told event a line."""

    def badge(self, known: Any, seat: Seat, lang: str) -> tuple[str, str]:
        """See :class:`Guide`."""
        digits = "".join(c for c in seat if c.isdigit()) or seat[:2]
        return digits, COLOURS[sum(map(ord, seat)) % len(COLOURS)]

    def word(self, field: str, value: str, lang: str) -> str | None:
        """See :class:`Guide`."""
        return None

    def opens_chapter(self, event: Event) -> int | None:
        """See :class:`Guide`."""
        return None

    def section(self, event: Event) -> str | None:
        """See :class:`Guide`."""
        return None

    def pictured(self, event: Event) -> bool:
        """See :class:`Guide`."""
        return False

    def is_quiet(self, event: Event) -> bool:
        """See :class:`Guide`."""
        return False

    def headline(self, event: Event, before: Any, lang: str) -> tuple[str, Mapping[str, Any]] | None:
        """See :class:`Guide`."""
        return None

    def commitments(self, seats: tuple[Seat, ...]) -> Ledger:
        """See :class:`Guide`."""
        return NoLedger()
