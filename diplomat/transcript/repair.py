"""Cuts the torn end off a log and keeps it beside the file."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from diplomat.core.errors import BadTranscript, CannotWrite
from diplomat.transcript.logfile import LogFile
from diplomat.transcript.reader import Transcript, parse


@dataclass(frozen=True, slots=True)
class Torn:
    """What was cut off a log."""

    path: Path
    """The log."""
    kept: Path
    """The file that holds what was cut off."""
    size: int
    """Bytes cut off."""
    events: int
    """Whole events that are left."""

    def __str__(self) -> str:
        return (
            f"{self.path}: the last line was cut short; its {self.size} bytes were moved to {self.kept}, "
            f"and the game goes on after event {self.events}"
        )


def repair(path: Path) -> Torn | None:
    """Cuts a torn last line off a log; None if there is none.

    BadTranscript if anything else is wrong with it, CannotWrite if it is in use or cannot be changed;
    then nothing was touched.
    """
    log = LogFile.existing(path)
    try:
        raw = log.content()
        transcript = sound(path, raw)
        return cut(log, raw, len(transcript.lines)) if transcript.torn else None
    finally:
        log.release()


def sound(path: Path, raw: bytes) -> Transcript:
    """The transcript in a file's bytes; BadTranscript also if a hash does not fit or there are none."""
    transcript = parse(path, raw)
    if transcript.chain is None:
        text = f"{path}: format {transcript.format} has no hashes; it can be read, but not repaired or continued"
        raise BadTranscript(text, 1)
    if transcript.chain.broken:
        raise BadTranscript(f"{path}, line {transcript.chain.broken}: {transcript.chain.why}", transcript.chain.broken)
    return transcript


def cut(log: LogFile, raw: bytes, events: int) -> Torn:
    """Keeps what stands behind the last whole line of an open log, then cuts it off."""
    end = raw.rfind(b"\n") + 1
    kept = _kept(log.path, raw[end:])
    log.cut(end)
    return Torn(log.path, kept, len(raw) - end, events)


def _kept(path: Path, tail: bytes) -> Path:
    """A new file beside the log with the torn bytes, on the disk before anything is cut."""
    number = 1
    while True:
        place = path.with_name(f"{path.name}.torn{'' if number == 1 else f'-{number}'}")
        try:
            with place.open("xb") as file:
                file.write(tail)
                file.flush()
                os.fsync(file.fileno())
            return place
        except FileExistsError:
            number += 1
        except OSError as fault:
            place.unlink(missing_ok=True)
            text = f"{path} has a torn last line that cannot be kept in {place}: {fault.strerror}; nothing was cut off"
            raise CannotWrite(text) from fault
