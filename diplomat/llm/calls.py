"""The file of a game's model calls: what was asked, what came back, what it cost.

JSON Lines.  Line 1 says ``{"kind":"calls","format":1}``; a ``text`` line holds a piece of a prompt
under its SHA-256, once; a ``call`` line is a finished call that refers to its pieces.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
from dataclasses import dataclass, field
from io import FileIO
from pathlib import Path
from typing import Any

from diplomat.core.errors import BadTranscript, CannotWrite, NewerFormat, OutputExists, Suspended
from diplomat.llm.entries import Entry, as_data, from_data
from diplomat.llm.keys import without_keys

FORMAT = 1
_HEAD = {"kind": "calls", "format": FORMAT}


class OtherRequest(Suspended):
    """The recording holds another request under the same id, or none at all: it belongs to another game or version."""


class CannotRecord(Suspended, CannotWrite):
    """A call cannot be written down: the game stops before its answer is played, since it could not be resumed."""


@dataclass(slots=True)
class Calls:
    """What a calls file holds."""

    entries: dict[str, Entry] = field(default_factory=dict)
    """By the id of the call, in the order in which they ended."""
    forgotten: list[Entry] = field(default_factory=list)
    """Calls that were made anew when a game went on: paid for, and not used."""
    texts: dict[str, str] = field(default_factory=dict)
    """Pieces of prompts by their SHA-256."""
    whole: int = 0
    """Bytes up to the end of the last whole line."""
    torn: int = 0
    """Bytes after that: a line that was being written when the game was killed."""

    @classmethod
    def load(cls, path: Path) -> Calls:
        """Reads a file, a torn last line left out; BadTranscript with the line at fault, NewerFormat."""
        try:
            raw = path.read_bytes()
        except OSError as fault:
            raise BadTranscript(f"the calls {path} cannot be read: {fault.strerror}") from None
        return read(raw, str(path))

    def prompt(self, entry: Entry) -> tuple[tuple[str, ...], tuple[tuple[str, str], ...]]:
        """The instructions and the turns (role and text) of a call, for people who read the file."""
        request = entry.request
        turns = tuple((role, self.texts.get(sha, "")) for role, sha in request.turns)
        return tuple(self.texts.get(sha, "") for sha in request.system), turns


def read(raw: bytes, where: str) -> Calls:
    """The same from the bytes of a file."""
    calls = Calls()
    *lines, rest = raw.split(b"\n")
    for number, line in enumerate(lines, 1):
        _line(calls, line, number, where)
        calls.whole += len(line) + 1
    calls.torn = len(rest)
    return calls


def _line(calls: Calls, line: bytes, number: int, where: str) -> None:
    try:
        data = json.loads(line)
        kind = data["kind"]
        if number == 1:
            _check_head(data, where)
        elif kind == "text":
            calls.texts[str(data["sha"])] = str(data["text"])
        elif kind == "call":
            entry = from_data(data)
            if entry.id in calls.entries:
                calls.forgotten.append(calls.entries[entry.id])
            calls.entries[entry.id] = entry
        else:
            raise ValueError(f"unknown kind {kind!r}")
    except (ValueError, KeyError, TypeError, AttributeError, ArithmeticError) as fault:
        text = f"{where}, line {number} is no line of a calls file ({type(fault).__name__}: {fault})"
        raise BadTranscript(text, number) from None


def _check_head(data: Any, where: str) -> None:
    if data["kind"] != "calls":
        raise ValueError("the first line does not say that this is a calls file")
    if data["format"] > FORMAT:
        raise NewerFormat(f"{where} was written by a later version (format {data['format']}, here {FORMAT})", 1)


class CallsFile:
    """A calls file that is being written, locked against a second writer."""

    def __init__(self, path: Path, *, resume: bool = False, force: bool = False) -> None:
        """OutputExists if the file is there and neither is set, or while another game writes it; CannotWrite.

        ``resume`` reads what is there into :attr:`calls` and cuts off a torn last line.
        """
        self.path = path
        self._file = _open(path, resume, force)
        try:
            self.calls = self._begin(resume)
        except BaseException:
            self._file.close()
            raise

    def _begin(self, resume: bool) -> Calls:
        try:
            calls = read(self._file.read(), str(self.path)) if resume else Calls()
            self._file.truncate(calls.whole)
        except OSError as fault:
            raise CannotWrite(f"{self.path} cannot be written: {fault.strerror}") from fault
        if calls.whole == 0:
            self._append(_encoded(_HEAD))
        return calls

    def write(self, entry: Entry, texts: dict[str, str]) -> None:
        """Appends a finished call, and those of its pieces that the file does not hold yet."""
        new = {sha: text for sha, text in texts.items() if sha not in self.calls.texts}
        lines = [_encoded({"kind": "text", "sha": sha, "text": without_keys(text)}) for sha, text in new.items()]
        data = as_data(entry)
        if "fault_text" in data:
            data["fault_text"] = without_keys(data["fault_text"])
        self._append(b"".join(lines) + _encoded(data))
        self.calls.texts |= new
        self.calls.entries[entry.id] = entry

    def _append(self, lines: bytes) -> None:
        """Writes whole lines, or leaves the file as it was."""
        end, left = self._file.seek(0, os.SEEK_END), memoryview(lines)
        try:
            while left:
                left = left[self._file.write(left) :]
        except OSError as fault:
            with contextlib.suppress(OSError):
                self._file.truncate(end)
            raise CannotRecord(f"the calls {self.path} cannot be continued: {fault.strerror}") from fault

    def save(self) -> None:
        """Tells the disk to keep all that was written, so that it outlasts a power cut."""
        try:
            os.fsync(self._file.fileno())
        except OSError as fault:
            raise CannotRecord(f"the calls {self.path} cannot be continued: {fault.strerror}") from fault

    def close(self) -> None:
        """Writes everything to the disk and lets go of the file."""
        if self._file.closed:
            return
        with contextlib.suppress(OSError):
            os.fsync(self._file.fileno())
        self._file.close()


def _encoded(data: dict[str, Any]) -> bytes:
    """One line; half of a surrogate pair is written as an escape, so that it comes back as it was."""
    try:
        text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()
    except UnicodeEncodeError:
        text = json.dumps(data, separators=(",", ":"), allow_nan=False).encode()
    return text + b"\n"


def _open(path: Path, resume: bool, force: bool) -> FileIO:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if not resume and not force and os.path.lexists(path):
            raise OutputExists(
                f"{path} exists already; choose another name, resume that game, or overwrite it with --force"
            )
        file = path.open("a+b", buffering=0)
    except OSError as fault:
        raise CannotWrite(f"{path} cannot be written: {fault.strerror}; choose a place that can be") from fault
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        raise OutputExists(f"{path} is being written by another running game") from None
    file.seek(0)
    return file
