"""A log that was broken off, open to be continued.

The whole game is played again, from its seed and the recorded answers of its players.  Events that
the file holds already are compared with it, line by line; those behind its end are appended.  Until
the first of those, nothing of the file changes.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from diplomat.core.errors import BadTranscript, Diverged, UsageError
from diplomat.core.events import Event
from diplomat.transcript.codec import encode
from diplomat.transcript.compare import differing, is_public, same, short
from diplomat.transcript.digests import NAME as DIGEST
from diplomat.transcript.logfile import LogFile
from diplomat.transcript.reader import Transcript
from diplomat.transcript.repair import Torn, cut, sound
from diplomat.transcript.schema import Header
from diplomat.transcript.verify import other_rules
from diplomat.transcript.writer import Clock, in_order, line_of

SETTLED = ("game", "edition", "rules_version", "settings", "seats", "lang", "commitment")
"""Fields of the header that a continued game cannot change."""


class Resumed:
    """An unfinished log that takes events like a :class:`Writer`, from the first one on."""

    def __init__(self, path: Path, clock: Clock) -> None:
        """Opens, locks and checks the log.

        UsageError for a finished game, BadTranscript for a log that is damaged, was edited or has no
        event yet, Diverged if this program has other rules, CannotWrite if another game writes to it.
        """
        self.path = path
        self.events = 0
        """Events that were heard: compared or written."""
        self.repaired: Torn | None = None
        """What was cut off a torn end, as soon as it was."""
        self._clock = clock
        self._fault: Diverged | None = None
        self._log = LogFile.existing(path)
        try:
            self._raw = self._log.content()
            self.transcript = _unfinished(path, sound(path, self._raw))
            """What the file held when it was opened."""
        except BaseException:
            self._log.release()
            raise
        chain = self.transcript.chain
        assert chain is not None, "a sound log has one"
        self._log.chain, self._log.end = chain.last, self._raw.rfind(b"\n") + 1

    @property
    def written(self) -> int:
        """How many events the file held when it was opened."""
        return len(self.transcript.lines)

    @property
    def caught_up(self) -> bool:
        """Whether all that the file held has been played again."""
        return self.events >= self.written

    @property
    def chain(self) -> str:
        """The hash of the last line."""
        return self._log.chain

    def match(self, header: Header) -> None:
        """Diverged if the game that is to be played again is set up otherwise than the one in the file."""
        there, here = self.transcript.header.model_dump(mode="json"), header.model_dump(mode="json")
        for name in SETTLED:
            if there[name] != here[name]:
                raise self._diverged(0, f"{name} is {short(here[name])}, not {short(there[name])}", open_values=True)

    def hear(self, n: int, event: Event, meta: Mapping[str, Any] | None = None) -> None:
        """Compares an event that the file holds already, appends one that it does not.

        Diverged at the first difference and at every event after it, with nothing written;
        CannotWrite leaves the log whole up to the event before.
        """
        if self._fault is not None:
            raise self._fault
        in_order(n, self.events)
        if n <= self.written:
            self._compare(n, event)
        else:
            if self.transcript.torn and self.repaired is None:
                self.repaired = cut(self._log, self._raw, self.written)
            self._log.write(line_of(n, event, self._clock(), meta), safe=DIGEST in (meta or ()))
        self.events = n

    def _compare(self, n: int, event: Event) -> None:
        written, played = self.transcript.lines[n - 1].written, encode(event)
        if not same(written, played):
            public = is_public(written) and is_public(played)
            raise self._diverged(n, differing(played, written), open_values=public)

    def _diverged(self, n: int, difference: str, *, open_values: bool) -> Diverged:
        """The error, which says nothing that is still a secret of the game."""
        shown = difference if open_values else f"{self.transcript.lines[n - 1].written['kind']} differs"
        where = f"event {n}" if n else "the header"
        text = f"{self.path}, line {n + 1}: played again, the game differs at {where}: {shown}; nothing was written"
        self._fault = Diverged(text, n, difference)
        return self._fault

    def close(self) -> None:
        """Writes everything to the disk and lets go; without a new event nothing of the file was changed."""
        self._log.close()


def resume(path: Path, clock: Clock, header: Header | None = None) -> Resumed:
    """Opens a log to continue it; with ``header``, that game's set-up must be the one in the file."""
    resumed = Resumed(path, clock)
    if header is not None:
        try:
            resumed.match(header)
        except Diverged:
            resumed.close()
            raise
    return resumed


def _unfinished(path: Path, transcript: Transcript) -> Transcript:
    if transcript.finished:
        raise UsageError(f"{path}: this game is finished; there is nothing to continue")
    if not transcript.lines:
        raise BadTranscript(f"{path}: no event of this game was written, not even its seed; begin it anew", 2)
    why = other_rules(transcript)
    if why is not None:
        raise Diverged(f"{path}, line 1: {why}; it can be continued only by a program with those rules", 0, why)
    return transcript
