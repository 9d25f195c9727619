"""Writes a game to disk, event by event, so that a crash costs at most the line being written."""

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from diplomat.core.errors import CannotWrite
from diplomat.core.events import Event
from diplomat.transcript.codec import encode
from diplomat.transcript.digests import NAME as DIGEST
from diplomat.transcript.logfile import LogFile, in_the_way
from diplomat.transcript.schema import Header

Clock = Callable[[], str]
"""Gives the time as ISO 8601 text."""


class Writer:
    """An open transcript, locked against a second writer."""

    def __init__(self, path: Path, header: Header, clock: Clock, *, force: bool = False) -> None:
        """Opens a new file; OutputExists if there is one and ``force`` is off, CannotWrite if it cannot be."""
        self.path = path
        self.events = 0
        """Events that were written."""
        self._clock = clock
        self._log = LogFile.new(path, force=force)
        try:
            self._log.write(header.model_dump(mode="json"))
        except BaseException:
            self._log.discard()
            raise

    @property
    def chain(self) -> str:
        """The hash of the last line; at the end of a game it stands for the whole log."""
        return self._log.chain

    def hear(self, n: int, event: Event, meta: Mapping[str, Any] | None = None) -> None:
        """Appends one event and hands it to the operating system at once.

        CannotWrite leaves the log whole up to the event before; ValueError for a number out of order.
        """
        in_order(n, self.events)
        self._log.write(line_of(n, event, self._clock(), meta), safe=DIGEST in (meta or ()))
        self.events = n

    def close(self) -> None:
        """Writes everything to the disk and lets go; CannotWrite if the log is not where it was begun any more."""
        self._log.close()


def in_order(n: int, before: int) -> None:
    """ValueError unless event ``n`` follows the one before: a log has no gaps."""
    if n != before + 1:
        raise ValueError(f"event {n} cannot follow event {before}")


def line_of(n: int, event: Event, at: str, meta: Mapping[str, Any] | None) -> dict[str, Any]:
    """A line of the log but for its hash."""
    return {"n": n, **encode(event), "at": at, "meta": dict(meta or {})}


def write_new(path: Path, text: str, *, force: bool = False) -> None:
    """Writes a finished text file at once; the same errors as for a transcript."""
    if os.path.lexists(path) and not force:
        raise in_the_way(path)
    draft = path.parent / f".{secrets.token_hex(8)}.part"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with draft.open("x", encoding="utf-8") as file:
            file.write(text)
        draft.replace(path)
    except OSError as fault:
        raise CannotWrite(f"{path} cannot be written: {fault.strerror}; choose a place that can be") from fault
    finally:
        with contextlib.suppress(OSError):  # there is none any more if all went well
            draft.unlink()
