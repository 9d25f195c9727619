"""Opening a transcript for a command that reads one."""

from __future__ import annotations

import sys
from pathlib import Path

from diplomat.core.errors import BadTranscript
from diplomat.terminal.safe import one_line
from diplomat.transcript.reader import Transcript, read


def opened(path: Path, *, judged: bool = False) -> Transcript:
    """The transcript; a torn or changed line is a warning, everything else that is wrong a BadTranscript.

    ``judged``: the command itself says what was changed.
    """
    transcript = read(path)
    if transcript.torn:
        warn(
            f"{path}: the last line is cut short and was left out; the game is read up to event {len(transcript.lines)}"
        )
    if not judged and transcript.chain is not None and transcript.chain.broken:
        warn(f"{path}, line {transcript.chain.broken}: {transcript.chain.why}; diplomat verify says more")
    return transcript


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
