"""Writes a game to disk, event by event, so that a crash costs at most the line being written."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

from diplomat.core.errors import CannotWrite, OutputExists
from diplomat.core.events import Event
from diplomat.transcript.codec import encode
from diplomat.transcript.schema import Header

Clock = Callable[[], str]
"""Gives the time as ISO 8601 text."""


class Writer:
    """An open transcript, locked against a second writer."""

    def __init__(self, path: Path, header: Header, clock: Clock, *, force: bool = False) -> None:
        """Opens a new file; OutputExists if there is one and ``force`` is off, CannotWrite if it cannot be."""
        self.path = path
        self._clock = clock
        self._file = _open(path, force)
        try:
            self._write(header.model_dump(mode="json"))
        except CannotWrite:
            with contextlib.suppress(OSError):
                self._file.close()
            raise

    def hear(self, n: int, event: Event, meta: dict[str, Any] | None = None) -> None:
        """Appends one event and hands it to the operating system at once."""
        self._write({"n": n, **encode(event), "at": self._clock(), "meta": meta or {}})

    def _write(self, record: dict[str, Any]) -> None:
        try:
            self._file.write(json.dumps(record, ensure_ascii=False, separators=(",", ":"), allow_nan=False) + "\n")
            self._file.flush()
        except OSError as fault:
            text = f"the log {self.path} cannot be continued: {fault.strerror}; it is whole so far"
            raise CannotWrite(text) from fault

    def close(self) -> None:
        """Writes everything to the disk and lets go of the file."""
        if self._file.closed:
            return
        try:
            self._file.flush()
            os.fsync(self._file.fileno())
        except OSError as fault:
            raise CannotWrite(f"the log {self.path} cannot be finished: {fault.strerror}") from fault
        finally:
            with contextlib.suppress(OSError):
                self._file.close()


def _open(path: Path, force: bool) -> IO[str]:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        file = path.open("r+" if force and path.exists() else "x", encoding="utf-8", newline="\n")
    except FileExistsError:
        if not path.parent.is_dir():
            raise CannotWrite(f"{path} cannot be written: {path.parent} is not a folder") from None
        raise OutputExists(
            f"{path} exists already; choose another name, or overwrite it with --force (force=True)"
        ) from None
    except OSError as fault:
        raise CannotWrite(f"{path} cannot be written: {fault.strerror}; choose a place that can be") from fault
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        raise OutputExists(f"{path} is being written by another running game; choose another name") from None
    try:
        file.truncate(0)
    except OSError as fault:
        file.close()
        raise CannotWrite(f"{path} cannot be written: {fault.strerror}; choose a place that can be") from fault
    return file


def in_the_way(path: Path) -> OutputExists:
    """The error for a file that exists and that nobody said to overwrite."""
    return OutputExists(f"{path} exists already; choose another name, or overwrite it with --force (force=True)")


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
