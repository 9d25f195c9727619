"""A log told again: who may see it is settled first, then every event in order."""

from __future__ import annotations

import sys
from pathlib import Path

from diplomat.cli.options import checked_lang
from diplomat.cli.reading import loose, opened
from diplomat.core.audience import Seat
from diplomat.core.errors import DiplomatError, UsageError
from diplomat.terminal.display import Display
from diplomat.terminal.ladder import console, level
from diplomat.terminal.narrator import Narrator
from diplomat.terminal.table_words import Entry
from diplomat.transcript.replay import WATCHER, known_to, viewer


class Replaying:
    """One telling of one log."""

    def __init__(self, file: Path, seat: str | None, lang: str | None, *, spoilers: bool, display: str) -> None:
        """``seat=None`` opens everything if the game is finished or ``spoilers`` are wanted."""
        shown = level(display, sys.stdout)
        self._log = opened(file)
        self._lang = checked_lang(lang, self._log.header.lang)
        free = spoilers or self._log.finished
        if not free and seat not in (None, WATCHER):
            raise UsageError(f"{file} is not finished, so only --as watcher is open; add --spoilers to see more")
        self._held_back = seat is None and not free
        self._narrator = Narrator(
            self._log.game,
            self._log.settings,
            self._log.seats,
            self._lang,
            self._viewer(seat),
            opened=seat is None and free,
        )
        players = {
            entry.seat: entry.agent if entry.profile is None else f"{entry.agent}:{entry.profile}"
            for entry in self._log.header.seats
        }
        self._own = not self._narrator.opened and not self._log.finished
        """Whether the viewer's own events are numbered: gaps would tell how much others wrote in private."""
        self._display = Display(console(shown, sys.stdout), self._narrator, players, numbered=True)

    def run(self, to: int | None) -> None:
        """Tells the first ``to`` events, of all or of the viewer's own."""
        self._display.heading(self._log.game.title(self._lang))
        self._display.show(Entry("notice", self._title(to)))
        self._display.introduce()
        told = 0
        for line in self._log.lines:
            try:
                told += not self._own or self._narrator.may_see(line.event)
                if to is not None and told > to:
                    break
                self._display.hear(told if self._own else line.n, line.event)
            except (BrokenPipeError, DiplomatError):
                raise
            except Exception as fault:
                raise loose(self._log, fault, line.number) from fault
        if to is not None or not self._log.finished:
            self._display.closing()
        if self._held_back:
            self._display.show(Entry("notice", self._narrator.words.labels.say("replay.unfinished")))

    def _viewer(self, name: str | None) -> Seat | None:
        if name is None:
            return None
        try:
            return viewer(self._log, name)
        except DiplomatError:
            raise
        except Exception as fault:
            raise loose(self._log, fault) from fault

    def _title(self, to: int | None) -> str:
        labels, seat = self._narrator.words.labels, self._narrator.viewer
        if self._narrator.opened:
            title = labels.say("replay.opened")
        elif seat is None:
            title = labels.say("replay.watcher")
        else:
            names = self._log.game.story.names(known_to(self._log, seat), self._lang)
            title = labels.say("replay.seat", seat=names.get(seat, seat))
        return title if to is None else f"{title}, {labels.say('replay.until', n=to)}"
