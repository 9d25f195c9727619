"""How a game wants to be shown beyond the common interface: letters, headings, summaries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from diplomat.core.audience import Seat
from diplomat.core.events import Event


class Guide(Protocol):
    """What terminal and page need to know to show a game well; a module may fulfil it function by function."""

    def badge(self, known: Any, seat: Seat, lang: str) -> tuple[str, str]:
        """A seat's letter and its colour as ``#RRGGBB``."""

    def word(self, field: str, value: str, lang: str) -> str | None:
        """What a value of an event's field is called, or a label of the page; None if there is no word."""

    def opens_chapter(self, event: Event) -> int | None:
        """The number of the chapter (round, hour, turn) that begins with the event."""

    def chapter(self, event: Event, before: Any, lang: str) -> str | None:
        """The heading of a chapter or of the scoring, if the event opens one."""

    def section(self, event: Event) -> str | None:
        """The part of a chapter that begins with the event."""

    def pictured(self, event: Event) -> bool:
        """Whether a picture is worth drawing just after the event."""

    def is_quiet(self, event: Event) -> bool:
        """Whether the event gets no line of its own."""

    def headline(self, event: Event, before: Any, lang: str) -> tuple[str, Mapping[str, Any]] | None:
        """A template and its places if the event belongs in the summary; seats are tuples of seats."""

    def board_lines(self, known: Any, lang: str, width: int) -> Sequence[str]:
        """The board as a compact text for a terminal of that many columns."""

    def score_table(self, known: Any, lang: str) -> tuple[Sequence[str], Mapping[str, Sequence[str]]]:
        """What the scores are made of: headings, and a row of cells by seat."""

    def concerns(self, event: Event, known: Any) -> bool:
        """Whether the event is a reason for the seat to think its plan for this part of the game over."""

    def once(self, form: str) -> bool:
        """Whether questions of that form come once in a part of the game, so that there is nothing to plan ahead."""

    def brief(self, known: Any, lang: str) -> str | None:
        """What matters most of what is known, in a few lines for a small reader; None if there is no short form."""

    def landscape(self, lang: str) -> str | None:
        """What of the view is the same in every game and at every moment, such as a map; None if nothing is."""

    def changing(self, known: Any, lang: str) -> str | None:
        """The view in words without the landscape; None where there is none."""

    def aliases(self, known: Any, lang: str) -> Mapping[str, tuple[str, ...]]:
        """Shown names, and the ids in answers that each can stand for now."""

    def answer_fields(self) -> Mapping[str, str]:
        """Every field that an answer in this game can have: ``text`` or ``list`` (of texts); empty if not told.

        With it the form of a reply is the same from the first question to the last, and a server's
        cache of prompts stays good.
        """

    def pledge_fields(self) -> tuple[str, ...]:
        """The names of all arguments that goals of this game have."""


COLOURS = ("#1F5FA8", "#B5451B", "#1B7A54", "#7B3FA0", "#8A6A00", "#A0245E", "#00738A", "#4A4A4A")


class PlainGuide:
    """For games without a guide: one chapter, seat numbers as letters, every told event a line."""

    def badge(self, known: Any, seat: Seat, lang: str) -> tuple[str, str]:
        """See :class:`Guide`."""
        digits = "".join(c for c in seat if c.isdigit()) or seat[:2]
        return digits, COLOURS[sum(map(ord, seat)) % len(COLOURS)]

    def word(self, field: str, value: str, lang: str) -> None:
        """See :class:`Guide`."""

    def opens_chapter(self, event: Event) -> None:
        """See :class:`Guide`."""

    def chapter(self, event: Event, before: Any, lang: str) -> None:
        """See :class:`Guide`."""

    def section(self, event: Event) -> None:
        """See :class:`Guide`."""

    def pictured(self, event: Event) -> bool:
        """See :class:`Guide`."""
        return False

    def is_quiet(self, event: Event) -> bool:
        """See :class:`Guide`."""
        return False

    def headline(self, event: Event, before: Any, lang: str) -> None:
        """See :class:`Guide`."""

    def board_lines(self, known: Any, lang: str, width: int) -> Sequence[str]:
        """See :class:`Guide`."""
        return ()

    def score_table(self, known: Any, lang: str) -> tuple[Sequence[str], Mapping[str, Sequence[str]]]:
        """See :class:`Guide`."""
        return (), {}

    def concerns(self, event: Event, known: Any) -> bool:
        """See :class:`Guide`."""
        return False

    def once(self, form: str) -> bool:
        """See :class:`Guide`."""
        return False

    def brief(self, known: Any, lang: str) -> None:
        """See :class:`Guide`."""

    def landscape(self, lang: str) -> None:
        """See :class:`Guide`."""

    def changing(self, known: Any, lang: str) -> None:
        """See :class:`Guide`."""

    def aliases(self, known: Any, lang: str) -> Mapping[str, tuple[str, ...]]:
        """See :class:`Guide`."""
        return {}

    def answer_fields(self) -> Mapping[str, str]:
        """See :class:`Guide`."""
        return {}

    def pledge_fields(self) -> tuple[str, ...]:
        """See :class:`Guide`."""
        return ()
