"""Opening a transcript for a command that reads one."""

from __future__ import annotations

import sys
from pathlib import Path

from pydantic import ValidationError

from diplomat.core.errors import BadTranscript
from diplomat.core.proceedings import GameOpened
from diplomat.terminal.safe import one_line
from diplomat.transcript.reader import Transcript, read


def opened(path: Path) -> Transcript:
    """The transcript; a torn last line is a warning, everything else that is wrong a BadTranscript."""
    transcript = read(path)
    try:
        transcript.game.settings.model_validate(transcript.header.settings)
    except ValidationError as fault:
        first = fault.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise BadTranscript(f"{path}, line 1: settings.{where}: {first['msg'].lower()}", 1) from None
    if len(transcript.seats) not in transcript.game.seats or len(set(transcript.seats)) != len(transcript.seats):
        listed = ", ".join(transcript.seats) or "none"
        raise BadTranscript(f"{path}, line 1: {transcript.header.game} has no table with the seats {listed}", 1)
    if transcript.torn:
        warn(
            f"{path}: the last line is cut short and was left out; the game is read up to event {len(transcript.lines)}"
        )
    return transcript


def finished(transcript: Transcript) -> bool:
    """Whether the game was played to its end, so that its log lies open."""
    return bool(transcript.lines) and isinstance(transcript.lines[-1].event, GameOpened)


def loose(transcript: Transcript, fault: Exception, line: int = 0) -> BadTranscript:
    """A log edited by hand can break what reads it in any way; which one matters to nobody."""
    where = f", line {line}" if line else ""
    why = f"what stands there does not follow from what came before ({type(fault).__name__})"
    return BadTranscript(f"{transcript.path}{where}: {why}; diplomat verify says more", line)


def is_sound(transcript: Transcript) -> bool:
    """Whether the log is what its game gives, so that a failure to show it is a bug and no edit."""
    from diplomat.transcript.verify import verify

    try:
        return verify(transcript).sound
    except Exception:  # noqa: BLE001 — a log that cannot even be played again is not sound
        return False


def warn(text: str) -> None:
    """A warning on stderr."""
    sys.stderr.write(f"diplomat: warning: {one_line(text)}\n")
