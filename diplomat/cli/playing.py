"""A prepared game played at the terminal: files checked first, shown live, whole when interrupted.

The game is told on stderr and its result goes to stdout, so that the result can be redirected while
somebody watches.
"""

from __future__ import annotations

import asyncio
import json
import shlex
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, replace
from pathlib import Path
from types import FrameType
from typing import Any

from diplomat.cli.leaving import Interrupted
from diplomat.cli.waiting import Waiting
from diplomat.core.errors import BudgetSpent, DiplomatError, OutputExists, Suspended, UsageError
from diplomat.core.events import Event
from diplomat.core.proceedings import MessageSent
from diplomat.core.talk import EVERYONE
from diplomat.core.texts import load_texts
from diplomat.llm.calls import OtherRequest
from diplomat.session import GameResult, Session
from diplomat.session.models import calls_path
from diplomat.table.referee import Referee
from diplomat.table.seating import Chair
from diplomat.table.table import finish, run
from diplomat.terminal.bill import show_bill
from diplomat.terminal.display import Display
from diplomat.terminal.ladder import console, level
from diplomat.terminal.narrator import Narrator
from diplomat.terminal.result import show_result
from diplomat.terminal.safe import one_line, safe
from diplomat.transcript.reader import read
from diplomat.transcript.where import check_free, new_path

WATCHING = 0.012
"""Seconds after each line on a live terminal: a game of scripted players lasts about ten."""


class Playing:
    """One game at this terminal."""

    def __init__(
        self,
        session: Session,
        out: Path | None,
        *,
        force: bool,
        display: str,
        reveal: bool,
        as_json: bool,
        delay: float | None = None,
        going_on: bool = False,
    ) -> None:
        """Settles where everything goes; errors here mean that nothing was touched.

        ``going_on``: ``out`` is the log of this very game, which was broken off.
        """
        self._session, self._force, self._json, self._going_on = session, force, as_json, going_on
        shown = level(display, sys.stderr)
        self._out = out if out is not None else new_path(session.game.id, session.header().commitment)
        if not self._out.name:
            check_free(self._out, force=force)
        self._old = len(read(self._out).lines) if going_on else 0
        if self._out.suffix == ".html":
            raise UsageError(f"{self._out} is the name of a page; name a log, like {self._out.with_suffix('.jsonl')}")
        self._page = self._out.with_suffix(".html") if reveal else None
        new = [] if going_on else [self._out]
        if session.endpoints and session.models.replay is None and not going_on:
            new.append(session.models.record or calls_path(self._out))
        for path in new:
            check_free(path, force=force)
        if self._page is not None and going_on:
            _check_page(self._page)
        if self._page is not None:  # the page of a game that goes on was one of an unfinished game
            check_free(self._page, force=force or going_on)
        self._players = {str(chair.seat): _player(chair, session.lang) for chair in session.chairs}
        narrator = Narrator(session.game, session.settings, session.seats, session.lang)
        self._console = console(level("auto" if display == "none" else display, sys.stdout), sys.stdout)
        wait = delay if delay is not None else WATCHING if shown == "rich" else 0.0
        self._display = (
            None
            if shown == "none"
            else Display(console(shown, sys.stderr), narrator, self._players, live=True, delay=wait)
        )
        self._referee: Referee[Any, Any] | None = None
        self._waiting = Waiting(self._waited)
        self._stop = False

    def run(self) -> None:
        """Plays, shows and reports; Interrupted when it was."""
        self._look_ahead()
        try:
            result = self._play()
        except (KeyboardInterrupt, asyncio.CancelledError):
            with _deaf():
                self._say(f"interrupted; the log is whole up to event {self._events}: {self._out}")
                self._say(f"go on with: diplomat resume {shlex.quote(str(self._out))}")
            raise Interrupted from None
        except Suspended as stopped:
            self._say(f"stopped; the log is whole up to event {self._events}: {self._out}")
            if not isinstance(stopped, OtherRequest):  # going on would meet the same recording
                more = " --budget USD (more than before)" if isinstance(stopped, BudgetSpent) else ""
                self._say(f"go on with: diplomat resume {shlex.quote(str(self._out))}{more}")
            raise
        except DiplomatError:
            if self._events and not self._going_on:
                self._say(f"the log of what was played lies in {self._out}")
            raise
        if self._display is not None:
            with suppress(OSError):
                self._display.end()
        self._report(result)

    def _look_ahead(self) -> None:
        """Errors of servers and names of models come out here, before anything is written."""
        models = self._session.models
        if not self._session.endpoints or models.replay is not None:
            return
        from diplomat.session.preflight import preflight

        run(preflight(self._session.endpoints, free=models.budget is None))

    @property
    def _events(self) -> int:
        return len(self._referee.log) if self._referee is not None else 0

    def _play(self) -> GameResult:
        work = self._session.play(self._out, force=self._force, hear=self._hear, going_on=self._going_on)
        if not self._session.instant:
            return run(self._waiting.beside(work))
        with self._interrupts():
            return finish(work)

    def _hear(self, referee: Referee[Any, Any], n: int, event: Event) -> None:
        """Called after the event is written, so stopping here leaves a whole log."""
        self._referee = referee
        self._waiting.heard()
        if self._display is not None:
            try:
                self._display.hear(n, event, told=n > self._old)
            except OSError:  # nobody reads it any more; the game goes on, and its result is still wanted
                self._display = None
        if self._stop:
            raise KeyboardInterrupt

    def _waited(self, seconds: int) -> str | None:
        """Whom the table waits for, in words."""
        if self._referee is None or not self._referee.open():
            return None
        texts = load_texts("diplomat.terminal", "texts", self._session.lang)
        names = self._session.game.story.names(self._referee.known(None), self._session.lang)
        who = ", ".join(names.get(request.seat, request.seat) for request in self._referee.open())
        return one_line(texts.say("table.waiting", who=who, seconds=seconds))

    @contextmanager
    def _interrupts(self) -> Iterator[None]:
        """The first Ctrl-C stops after the event being written, the second at once."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return

        def asked(_number: int, _frame: FrameType | None) -> None:
            if self._stop:
                raise KeyboardInterrupt
            self._stop = True

        before = signal.signal(signal.SIGINT, asked)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)

    def _report(self, result: GameResult) -> None:
        """The result comes out even if the page cannot be written."""
        if result.repaired is not None:
            self._say(result.repaired)
        page: Path | None = None
        try:
            page = self._reveal(result)
        finally:
            if self._json:
                print_json(self._as_data(result, page))
            else:
                self._show(result, page)

    def _reveal(self, result: GameResult) -> Path | None:
        if self._page is None:
            return None
        from diplomat.cli.reveal import page_of
        from diplomat.transcript.writer import write_new

        bill = [tally.as_dict() for tally in result.bill]
        write_new(
            self._page, page_of(read(self._out), self._session.lang, bill=bill), force=self._force or self._going_on
        )
        return self._page

    def _show(self, result: GameResult, page: Path | None) -> None:
        session, texts = self._session, load_texts("diplomat.terminal", "texts", self._session.lang)
        assert self._referee is not None, "a finished game has had events"
        known = self._referee.known(None)
        self._console.print(safe(texts.say("result.title"), "bold"))
        players = {str(chair.seat): _player(chair, session.lang, short=True) for chair in session.chairs}
        show_result(self._console, session.game, known, result, players=players, lang=session.lang)
        names = session.game.story.names(known, session.lang)
        show_bill(
            self._console,
            result.bill,
            session.lang,
            name=lambda seat: names.get(seat, seat),
            form=lambda form: session.game.guide.word("form", form, session.lang) or form,
        )
        self._console.print()
        prose = texts.say("result.letters")
        lines = [texts.say("result.seed", seed=session.seed), texts.say("result.transcript", path=self._out)]
        if result.chain is not None:
            lines += [texts.say("result.chain"), f"  {result.chain}"]
        if page is not None:
            lines += [texts.say("result.reveal", path=page), prose]
        private = sum(isinstance(event, MessageSent) and event.to != (EVERYONE,) for event in self._referee.log)
        lines.append(texts.say("result.private", count=private))
        lines += [texts.say("result.again"), f"  diplomat replay {shlex.quote(str(self._out))}"]
        for line in lines:
            indent = "  " if line.startswith("  ") else ""
            # What may be copied stays on one line.
            self._console.print(indent + one_line(line), soft_wrap=line != prose)

    def _as_data(self, result: GameResult, page: Path | None) -> dict[str, Any]:
        assert self._referee is not None, "a finished game has had events"
        names = self._session.game.story.names(self._referee.known(None), self._session.lang)
        data = asdict(replace(result, bill=()))
        data["bill"] = [tally.as_dict() for tally in result.bill]
        for row in data["seats"]:
            row["name"] = names.get(row["seat"], row["seat"])
        return {**data, "transcript": str(self._out), "reveal": None if page is None else str(page)}

    def _say(self, text: str) -> None:
        with suppress(OSError):
            sys.stderr.write(f"diplomat: {one_line(text)}\n")


def _check_page(path: Path) -> None:
    """OutputExists if what lies where the page goes is no earlier page of the game."""
    from diplomat.report.generator import is_page

    if path.exists() and not is_page(path):
        raise OutputExists(f"{path} lies where the reveal page goes and is none; move it away, or add --no-reveal")


@contextmanager
def _deaf() -> Iterator[None]:
    """No Ctrl-C meanwhile: what is said is how to go on."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _player(chair: Chair, lang: str, *, short: bool = False) -> str:
    """Who fills a chair: the personality's name and, unless short, what was asked for."""
    if chair.profile is None:
        return chair.agent
    if short:
        return chair.profile.name.say(lang)
    return f"{chair.profile.name.say(lang)} ({chair.agent}:{chair.profile.id})"


def print_json(data: Any) -> None:
    """One JSON document on stdout; ASCII only, so that nothing in it steers a terminal."""
    sys.stdout.write(json.dumps(data, indent=2) + "\n")
