"""Prints a game line by line: nothing is redrawn, so scrollback, pipes and screen readers all work.

The console decides on colour (see :mod:`diplomat.terminal.ladder`); letters and words carry all
meaning without it.
"""

from __future__ import annotations

import time
from collections.abc import Mapping

from rich.console import Console
from rich.text import Text

from diplomat.core.audience import Audience
from diplomat.core.events import Event
from diplomat.core.proceedings import GameOpened
from diplomat.terminal.narrator import Narrator
from diplomat.terminal.safe import safe
from diplomat.terminal.table_words import Entry, Role

WIDEST = 100
"""Longer lines are hard to read."""
SEAT_STYLES = ("bold cyan", "bold magenta", "bold green", "bold yellow", "bold blue")
ROLE_STYLES: Mapping[Role, str] = {
    "heading": "bold",
    "private": "italic",
    "pledge": "cyan",
    "notice": "yellow",
    "sealed": "dim",
}
INDENTS: Mapping[Role, tuple[int, int]] = {
    "speech": (2, 4),
    "private": (2, 4),
    "pledge": (4, 6),
    "told": (0, 2),
    "notice": (0, 2),
    "sealed": (0, 2),
}
"""Spaces before the first and before every further line: no line of a message ever begins at the edge."""


NUMBER = 5
"""Columns of an event's number in a replay."""
_TOLD = frozenset(INDENTS)


class Display:
    """A console that is told a game."""

    def __init__(
        self,
        console: Console,
        narrator: Narrator,
        players: Mapping[str, str],
        *,
        numbered: bool = False,
        live: bool = False,
        delay: float = 0.0,
    ) -> None:
        """``players`` says who fills each seat; a ``live`` table is closed by its result instead of an event.

        ``delay`` is how many seconds to wait after each entry, so that a quick game can be watched.
        """
        self.console, self.narrator, self.players = console, narrator, players
        self.numbered, self.live, self.delay = numbered, live, delay
        self._introduced = False
        self._boarded = False
        self._talked = False

    @property
    def width(self) -> int:
        """Columns for text."""
        return min(self.console.width, WIDEST)

    def hear(self, n: int, event: Event, *, told: bool = True) -> None:
        """Shows one event, if the viewer may see it; one that is not ``told`` is only taken in."""
        if self.live and isinstance(event, GameOpened):
            return
        margin = self._margin(n, event.audience())
        named = self._introduced or self._named()
        for entry in self.narrator.narrate(event, self.width):
            if not self._introduced and self._named():
                self.introduce()
            if told and (not self.live or named):  # who plays what is said by the line-up
                self.show(entry, margin)
                if self.delay:
                    time.sleep(self.delay)
                margin = "" if entry.role in _TOLD else margin

    def introduce(self) -> None:
        """Who sits at the table, once."""
        self._introduced = True
        words = self.narrator.words
        title = self.narrator.game.title(self.narrator.lang)
        self.heading(title if self.live else words.labels.say("table.players"))
        for number, (seat, player) in enumerate(self.players.items()):
            shown = words.name(seat)
            lead = safe(shown if shown == seat else f"{shown} ({seat})", SEAT_STYLES[number % len(SEAT_STYLES)])
            self._wrapped(Text.assemble(lead, ": ", safe(player)), 2, 4)

    def _named(self) -> bool:
        """Whether every seat has a name by now: where there are roles, not before all are known."""
        names = self.narrator.names
        return not self.narrator.game.roles or all(names.get(seat, seat) != seat for seat in self.players)

    def show(self, entry: Entry, margin: str = "") -> None:
        """Prints one entry; the margin stands before its first line only, further lines hang below."""
        if entry.role == "heading":
            self.heading(entry.text)
            return
        if entry.role == "board":
            if not self._boarded:
                self._print(Text())
            self._boarded = True
            self._print(safe(entry.text))
            return
        self._boarded = False
        talk = entry.role in ("speech", "private", "pledge")
        if talk != self._talked and not self.numbered:
            self._print(Text())
        self._talked = talk
        first, further = (NUMBER + step for step in INDENTS[entry.role]) if self.numbered else INDENTS[entry.role]
        style = ROLE_STYLES.get(entry.role, "")
        lines = entry.text.split("\n")
        lead = safe(entry.lead, self._style(entry))
        head = Text.assemble((margin, "dim"), lead, " " if entry.lead else "", safe(lines[0], style))
        rows = [head, *(safe(line, style) for line in lines[1:])]
        if self.numbered and entry.id:
            rows[-1].append_text(safe(f" ({entry.id})", "dim"))
        self._wrapped(rows[0], 0 if margin else first, further)
        for row in rows[1:]:
            self._wrapped(row, further, further)

    def heading(self, text: str) -> None:
        """A line that opens a part."""
        title = safe(f"── {text} ", "bold")
        title.append("─" * max(0, self.width - title.cell_len), "dim")
        self._print(Text())
        self._print(title)
        self._talked = self._boarded = False

    def closing(self) -> None:
        """The board at the end of what was told."""
        for entry in self.narrator.board(self.width):
            self.show(entry)

    def end(self) -> None:
        """Sets off what follows on the same terminal."""
        self._print(Text())

    def _style(self, entry: Entry) -> str:
        if entry.speaker is None or entry.speaker not in self.players:
            return ROLE_STYLES.get(entry.role, "")
        return SEAT_STYLES[list(self.players).index(entry.speaker) % len(SEAT_STYLES)]

    def _margin(self, n: int, audience: Audience) -> str:
        if not self.numbered:
            return ""
        if not self.narrator.opened:
            return f"{n:>4} "
        labels = self.narrator.words.labels
        seats = audience.seats
        if seats is None:
            who = labels.say("mark.all")
        else:
            who = "+".join(seat for seat in self.narrator.seats if seat in seats) or labels.say("mark.nobody")
        return f"{n:>4} [{who}] "

    def _wrapped(self, text: Text, first: int, further: int) -> None:
        """Prints text with a hanging indent; width is counted in columns, so wide letters fit too."""
        room = max(12, self.width - max(first, further))
        for number, line in enumerate(text.wrap(self.console, room)):
            line.rstrip()
            self._print(Text.assemble(" " * (first if number == 0 else further), line))

    def _print(self, text: Text) -> None:
        self.console.print(text, soft_wrap=True)
