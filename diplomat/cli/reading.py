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
        known = transcript.settings
    except ValidationError as fault:
        first = fault.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise BadTranscript(f"{path}, line 1: settings.{where}: {first['msg'].lower()}", 1) from None
    del known
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


def warn(text: str) -> None:
    """A warning on stderr."""
    sys.stderr.write(f"diplomat: warning: {one_line(text)}\n")
