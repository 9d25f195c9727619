"""Plays a saved game again from its seed and its answers and compares every event.

What players said and answered is taken from the log; everything else must follow from it.  Nothing
vouches for what nothing follows from: the words of a message, an answer that was refused, why a default was taken,
a plan and a note; only a chain of hashes could.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from diplomat.core.dice import commitment
from diplomat.core.errors import DiplomatError
from diplomat.core.events import Event
from diplomat.core.plain import canonical
from diplomat.core.proceedings import GameOpened, SeedSealed
from diplomat.transcript.codec import encode
from diplomat.transcript.reader import Transcript
from diplomat.transcript.retrace import Retrace


@dataclass(frozen=True, slots=True)
class Difference:
    """The first event that is not what the game gives; ``n=0`` is the header."""

    n: int
    line: int
    why: str

    def __str__(self) -> str:
        return f"event {self.n} (line {self.line}): {self.why}"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a check found."""

    events: int
    finished: bool
    difference: Difference | None = None

    @property
    def sound(self) -> bool:
        """Whether nothing differs."""
        return self.difference is None


def verify(transcript: Transcript) -> Verdict:
    """Checks the seed against its commitment and every event against the rules."""
    difference = _header(transcript) or _raw(transcript.path, transcript) or _seed(transcript) or _replay(transcript)
    finished = bool(transcript.lines) and isinstance(transcript.lines[-1].event, GameOpened)
    return Verdict(len(transcript.lines), finished, difference)


def _header(transcript: Transcript) -> Difference | None:
    """The rules that play the game again must be those that it was played by."""
    header, game = transcript.header, transcript.game
    for name, written, here in (
        ("edition", header.edition, game.edition),
        ("rules version", header.rules_version, game.rules_version),
    ):
        if written != here:
            return Difference(0, 1, f"the game was played by {name} {written}, this program has {here}")
    return None


def _raw(path: Path, transcript: Transcript) -> Difference | None:
    """The written data must be exactly what its event writes: no field more, no audience widened."""
    rows = path.read_text(encoding="utf-8").split("\n")[1:]
    for line, row in zip(transcript.lines, rows, strict=False):
        record = json.loads(row)
        written = {key: record.get(key) for key in ("kind", "to", "data")}
        if canonical(written) != canonical(encode(line.event)):
            return Difference(line.n, line.number, f"{_where(encode(line.event), written)}, for this very event")
    return None


def _seed(transcript: Transcript) -> Difference | None:
    if not transcript.lines or not isinstance(transcript.lines[0].event, SeedSealed):
        return Difference(1, 2, "the log does not begin with its sealed seed")
    first = transcript.lines[0]
    seed = transcript.lines[0].event.seed
    if commitment(seed, str(first.meta.get("nonce", ""))) != transcript.header.commitment:
        return Difference(1, first.number, "the seed is not the one that the header committed to")
    return None


def _replay(transcript: Transcript) -> Difference | None:
    first = transcript.lines[0].event
    assert isinstance(first, SeedSealed)
    retrace = Retrace(transcript.game, transcript.settings, transcript.seats, first.seed)
    for line in transcript.lines:
        try:
            why = _follow(retrace, line.event)
        except DiplomatError as fault:
            why = str(fault)
        if why is not None:
            return Difference(line.n, line.number, why)
    return None


def _follow(retrace: Retrace, event: Event) -> str | None:
    """Takes one event of the log; why it could not stand here, or None."""
    if not retrace.due:
        why = retrace.take(event)
        if why is not None:
            return why
    wanted = retrace.due.popleft()
    if wanted == event:
        return None
    return f"{_where(encode(wanted), encode(event))}, as follows from the game"


def _where(wanted: Mapping[str, Any], got: Mapping[str, Any]) -> str:
    """The first field in which two lines differ, with both values."""
    for key in ("kind", "to", "data"):
        if wanted[key] == got[key]:
            continue
        if key == "data" and isinstance(got[key], dict):
            fields = sorted({*wanted[key], *got[key]})
            field = next(name for name in fields if wanted[key].get(name) != got[key].get(name))
            return f"{got['kind']}.{field} is {_short(got[key].get(field))}, not {_short(wanted[key].get(field))}"
        return f"{key} is {_short(got[key])}, not {_short(wanted[key])}"
    return "the line is written otherwise"


def _short(value: Any) -> str:
    text = canonical(value)
    return text if len(text) <= 160 else text[:157] + "…"


__all__ = ["Difference", "Verdict", "verify"]
