"""Two logs side by side: where their games part, and how each ended."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from diplomat.core.proceedings import GameOpened
from diplomat.transcript.compare import differing, is_public, same, short
from diplomat.transcript.reader import Transcript
from diplomat.transcript.schema import Header, Line

TOLD = ("game", "edition", "rules_version", "settings", "seats", "lang", "options", "parent", "package")
"""Fields of the header that say how a game was set up; the others differ from run to run."""


@dataclass(frozen=True, slots=True)
class Ending:
    """How a log ends."""

    events: int
    finished: bool
    winners: tuple[str, ...] = ()
    scores: Mapping[str, int] | None = None
    """By seat; None for an unfinished game."""


@dataclass(frozen=True, slots=True)
class Parting:
    """The first event whose compared part is not the same in both logs."""

    n: int
    """Number of the event."""
    a: Mapping[str, Any] | None
    """``kind``, ``to`` and ``data`` in the first log; None if it has ended before."""
    b: Mapping[str, Any] | None
    why: str
    """In words, secrets included."""
    public: bool
    """Whether everybody at both tables may know of the event."""


@dataclass(frozen=True, slots=True)
class Diff:
    """What two logs have in common and what not."""

    header: tuple[str, ...]
    """Fields of the set-up that differ, in words."""
    parting: Parting | None
    """None if every event is the same."""
    a: Ending
    b: Ending

    @property
    def same(self) -> bool:
        """Whether both logs hold the same events; their set-up may differ."""
        return self.parting is None


def diff(a: Transcript, b: Transcript) -> Diff:
    """Compares two logs event by event, without playing them."""
    return Diff(_headers(a.header, b.header), _parting(a, b), _ending(a), _ending(b))


def _headers(a: Header, b: Header) -> tuple[str, ...]:
    mine, theirs = _flat(a.model_dump(mode="json")), _flat(b.model_dump(mode="json"))
    names = [*mine, *(name for name in theirs if name not in mine)]
    return tuple(
        f"{name} is {_value(mine, name)} in the first, {_value(theirs, name)} in the second"
        for name in names
        if name.split(".")[0] in TOLD and (mine.get(name), name in mine) != (theirs.get(name), name in theirs)
    )


def _flat(data: Any, name: str = "") -> dict[str, Any]:
    """Nested data as a table of dotted names, so that a difference names one value and not a whole object."""
    if isinstance(data, (dict, list)) and data:
        entries = data.items() if isinstance(data, dict) else enumerate(data, start=1)
        return {
            key: value
            for part, entry in entries
            for key, value in _flat(entry, f"{name}.{part}" if name else f"{part}").items()
        }
    return {} if data is None or data in ([], {}) else {name: data}


def _value(flat: Mapping[str, Any], name: str) -> str:
    return short(flat[name]) if name in flat else "absent"


def _parting(a: Transcript, b: Transcript) -> Parting | None:
    for n, (mine, theirs) in enumerate(zip_longest(a.lines, b.lines), start=1):
        if mine is None or theirs is None:
            longer = theirs if mine is None else mine
            which = "first" if mine is None else "second"
            why = f"the {which} log ends before it; the other goes on with {longer.written['kind']}"
            public = is_public(longer.written)
            return Parting(n, _written(mine), _written(theirs), why, public)
        if not same(mine.written, theirs.written):
            public = is_public(mine.written) and is_public(theirs.written)
            return Parting(n, mine.written, theirs.written, differing(mine.written, theirs.written), public)
    return None


def _written(line: Line | None) -> Mapping[str, Any] | None:
    return None if line is None else line.written


def _ending(log: Transcript) -> Ending:
    last = log.lines[-1].event if log.lines else None
    if not isinstance(last, GameOpened):
        return Ending(len(log.lines), finished=False)
    return Ending(len(log.lines), True, tuple(last.winners), dict(last.scores))
