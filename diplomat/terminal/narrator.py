"""Turns events into entries as one viewer may see them; knows nothing of a console."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from diplomat.core.audience import Seat
from diplomat.core.events import Event, kind_of
from diplomat.core.game import Game
from diplomat.core.plain import plain
from diplomat.core.proceedings import PROCEEDINGS, AnswerGiven, PlanSealed
from diplomat.terminal.table_words import Entry, TableWords


class Narrator:
    """Tells a game to one viewer: a watcher (``viewer=None``), a seat, or somebody to whom all is opened."""

    def __init__(
        self,
        game: Game[Any, Any],
        settings: Any,
        seats: tuple[Seat, ...],
        lang: str,
        viewer: Seat | None = None,
        *,
        opened: bool = False,
    ) -> None:
        self.game, self.seats, self.lang, self.viewer, self.opened = game, seats, lang, viewer, opened
        viewers: tuple[Seat | None, ...] = (*seats, None) if opened else (viewer,)
        self._known = {seat: game.side.unknown(settings, seats, seat) for seat in viewers}
        self._chapters = 0

    @property
    def known(self) -> Any:
        """What the viewer knows; a watcher's share when all is opened."""
        return self._known[None if self.opened else self.viewer]

    @property
    def names(self) -> Mapping[str, str]:
        """How seats are shown by now."""
        return self.game.story.names(self.known, self.lang)

    @property
    def words(self) -> TableWords:
        """The table's words with the names known by now."""
        return TableWords(self.game, self.lang, self.names)

    def may_see(self, event: Event) -> bool:
        """Whether the viewer is allowed to learn of the event."""
        return self.opened or event.audience().includes(self.viewer)

    def narrate(self, event: Event, width: int) -> Iterator[Entry]:
        """The entries of the next event in order; nothing at all for one that the viewer may not see."""
        if not self.may_see(event):
            return
        before = self._known[self._teller(event)]
        self._learn(event)
        yield from self._chapter(event, before, width)
        own = self.words.tell(event)
        if own or isinstance(event, AnswerGiven):
            yield from own
            return
        told = self.game.story.tell(event, before, self.lang)
        sealed = event.audience().seats is not None
        if told is not None:
            notice = isinstance(event, PROCEEDINGS)
            yield Entry("notice" if notice else "sealed" if sealed else "told", told)
        elif sealed and not isinstance(event, PlanSealed) and _says_something(event):
            yield Entry("sealed", _as_data(event))

    def board(self, width: int, known: Any = None) -> Iterator[Entry]:
        """The board as text, if the game has one."""
        for line in self.game.guide.board_lines(self.known if known is None else known, self.lang, width):
            yield Entry("board", line)

    def _teller(self, event: Event) -> Seat | None:
        """Whose knowledge gives the event its words: the viewer's, or the first seat's that may see it."""
        if not self.opened:
            return self.viewer
        seen = event.audience().seats
        return next((seat for seat in self.seats if seen is not None and seat in seen), None)

    def _learn(self, event: Event) -> None:
        audience = event.audience()
        for seat, known in self._known.items():
            if audience.includes(seat):
                self._known[seat] = self.game.side.learn(known, [event])

    def _chapter(self, event: Event, before: Any, width: int) -> Iterator[Entry]:
        heading = self.game.guide.chapter(event, before, self.lang)
        if heading is not None:
            self._chapters += 1
            yield from self.board(width, before)
            yield Entry("heading", heading)


def _as_data(event: Event) -> str:
    """A private event that has no sentence, so that nothing a seat saw goes missing."""
    fields = ", ".join(f"{key}: {_shown(value)}" for key, value in plain(event).items())
    return f"{kind_of(type(event))} ({fields})"


def _says_something(event: Event) -> bool:
    """Whether it holds more than whose it is."""
    return any(value not in (None, [], "") for key, value in plain(event).items() if key != "seat")


def _shown(value: Any) -> str:
    if isinstance(value, list):
        return " ".join(_shown(item) for item in value) or "–"
    return "–" if value is None else str(value)
