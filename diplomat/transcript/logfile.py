"""A log open for writing: whole lines only, each with its hash, locked against every other writer."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from diplomat.core.errors import CannotWrite, OutputExists
from diplomat.transcript.chain import chained
from diplomat.transcript.rescue import leads_to, rescued


class LogFile:
    """An open and locked file of lines."""

    def __init__(self, path: Path, descriptor: int, *, fresh: bool = False) -> None:
        """Takes over an open descriptor; ``fresh`` says that the file was made for this log."""
        self.path = path
        self.chain = ""
        """The hash of the last line."""
        self.end = 0
        """Bytes of the lines that are whole."""
        self._descriptor: int | None = descriptor
        self._fresh = fresh
        self._changed = False

    @classmethod
    def new(cls, path: Path, *, force: bool) -> LogFile:
        """An empty file; OutputExists if there is one and ``force`` is off, CannotWrite if it cannot be."""
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            there = force and path.exists()
            descriptor = os.open(path, os.O_RDWR | (0 if there else os.O_CREAT | os.O_EXCL) | os.O_CLOEXEC, 0o666)
        except FileExistsError:
            if not path.parent.is_dir():
                raise CannotWrite(f"{path} cannot be written: {path.parent} is not a folder") from None
            raise in_the_way(path) from None
        except OSError as fault:
            raise CannotWrite(f"{path} cannot be written: {fault.strerror}; choose a place that can be") from fault
        log = cls(path, descriptor, fresh=not there)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            os.ftruncate(descriptor, 0)
        except BlockingIOError:
            log.release()
            raise OutputExists(f"{path} is being written by another running game; choose another name") from None
        except OSError as fault:
            log.release()
            raise CannotWrite(f"{path} cannot be written: {fault.strerror}; choose a place that can be") from fault
        return log

    @classmethod
    def existing(cls, path: Path) -> LogFile:
        """A file that is there already, locked and unchanged; CannotWrite if that cannot be."""
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_CLOEXEC)
        except OSError as fault:
            raise CannotWrite(f"{path} cannot be continued: {fault.strerror}") from fault
        log = cls(path, descriptor)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            log.release()
            raise CannotWrite(f"{path} is being written by another running game; wait for its end") from None
        except OSError as fault:
            log.release()
            raise CannotWrite(f"{path} cannot be locked: {fault.strerror}; copy it to a place where it can") from fault
        return log

    @property
    def descriptor(self) -> int:
        """The open file; ValueError once it was let go."""
        if self._descriptor is None:
            raise ValueError(f"the log {self.path} is closed")
        return self._descriptor

    def content(self) -> bytes:
        """All bytes of the file; CannotWrite if they cannot be read."""
        try:
            with os.fdopen(os.dup(self.descriptor), "rb") as file:
                file.seek(0)
                return file.read()
        except OSError as fault:
            raise CannotWrite(f"{self.path} cannot be continued: {fault.strerror}") from fault

    def write(self, record: Mapping[str, Any], *, safe: bool = False) -> None:
        """Appends one line and hands it to the operating system; CannotWrite leaves the file as it was.

        ``safe``: the disk is told to keep all that was written, so that it outlasts a power cut.
        ValueError or TypeError for what is no JSON: that is refused before anything is written.
        """
        text = json.dumps(record, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
        row, link = chained(self.chain, text.encode("utf-8"))
        left, at = memoryview(row + b"\n"), self.end
        self._changed = True
        try:
            while left:
                sent = os.pwrite(self.descriptor, left, at)
                left, at = left[sent:], at + sent
            if safe:
                os.fsync(self.descriptor)
        except OSError as fault:
            raise CannotWrite(f"the log {self.path} cannot be continued: {fault.strerror}; {self._undone()}") from fault
        self.end, self.chain = at, link

    def cut(self, end: int) -> None:
        """Cuts off what stands behind ``end``; CannotWrite if that cannot be."""
        self._changed = True
        try:
            os.ftruncate(self.descriptor, end)
            os.fsync(self.descriptor)
        except OSError as fault:
            raise CannotWrite(f"the torn end of {self.path} cannot be cut off: {fault.strerror}") from fault

    def _undone(self) -> str:
        """Takes back the part of a line that was written, and says what is left."""
        try:
            os.ftruncate(self.descriptor, self.end)
        except OSError:
            return "its last line is torn, the lines before it are whole"
        return "it is whole so far"

    def close(self) -> None:
        """Writes everything to the disk and lets go; CannotWrite if the log does not lie where it should."""
        if self._descriptor is None:
            return
        try:
            if self._changed:
                os.fsync(self.descriptor)
                if not leads_to(self.path, self.descriptor):
                    raise CannotWrite(rescued(self.path, self.descriptor, self.end))
        except OSError as fault:
            raise CannotWrite(f"the log {self.path} cannot be finished: {fault.strerror}") from fault
        finally:
            self.release()

    def release(self) -> None:
        """Lets go of the file as it is."""
        if self._descriptor is not None:
            with contextlib.suppress(OSError):
                os.close(self._descriptor)
            self._descriptor = None

    def discard(self) -> None:
        """Lets go, and removes the file if it was made for this log: nothing was written to it."""
        if self._fresh and self._descriptor is not None and leads_to(self.path, self._descriptor):
            with contextlib.suppress(OSError):
                self.path.unlink()
        self.release()


def in_the_way(path: Path) -> OutputExists:
    """The error for a file that exists and that nobody said to overwrite."""
    return OutputExists(f"{path} exists already; choose another name, or overwrite it with --force")
