"""Reads a game from disk and says what is wrong with a damaged file, and where."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from diplomat.core.audience import Audience, Seat
from diplomat.core.errors import BadTranscript, NewerFormat, UnknownName
from diplomat.core.events import Event
from diplomat.core.game import Game
from diplomat.games import find
from diplomat.transcript.codec import decode
from diplomat.transcript.schema import FORMAT, Header, Line


@dataclass(frozen=True, slots=True)
class Transcript:
    """A log read from disk."""

    path: Path
    header: Header
    lines: tuple[Line, ...]
    game: Game[Any, Any]
    torn: bool = False
    """Whether the last line was cut short and left out."""

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats in table order."""
        return tuple(Seat(entry.seat) for entry in self.header.seats)

    @property
    def settings(self) -> Any:
        """The game's settings model."""
        return self.game.settings.model_validate(self.header.settings)

    def events(self, to: int | None = None) -> Iterable[Event]:
        """The events, at most the first ``to``."""
        return (line.event for line in self.lines[:to])


def read(path: Path) -> Transcript:
    """The transcript in a file; BadTranscript names the first line that cannot be read."""
    rows, torn = _rows(path)
    if not rows:
        raise BadTranscript(f"{path} is empty; a transcript begins with a header line", 1)
    header = _header(path, _parsed(path, 1, rows[0]))
    try:
        game = find(header.game)
    except UnknownName as fault:
        raise BadTranscript(f"{path}, line 1: {fault}", 1) from None
    _check_table(path, game, header)
    lines = tuple(_line(path, game, number, row) for number, row in enumerate(rows[1:], start=2))
    return Transcript(path, header, lines, game, torn)


def _rows(path: Path) -> tuple[list[str], bool]:
    """The complete lines of a file, and whether a torn one followed."""
    try:
        raw = path.read_bytes()
    except FileNotFoundError:
        raise BadTranscript(f"there is no file {path}") from None
    except OSError as fault:
        raise BadTranscript(f"{path} cannot be read: {fault.strerror}") from fault
    head, _, tail = raw.rpartition(b"\n")
    rows: list[str] = []
    for number, row in enumerate(head.split(b"\n") if head else [], start=1):
        try:
            rows.append(row.decode("utf-8"))
        except UnicodeDecodeError:
            raise BadTranscript(f"{path}, line {number}: not UTF-8 text", number) from None
    return rows, bool(tail)


def _parsed(path: Path, number: int, row: str) -> dict[str, Any]:
    try:
        record = json.loads(row, parse_constant=_no_number, parse_float=_number, object_pairs_hook=_object)
    except (ValueError, RecursionError) as fault:
        raise BadTranscript(f"{path}, line {number}: not JSON ({fault})", number) from None
    if not isinstance(record, dict):
        raise BadTranscript(f"{path}, line {number}: not a JSON object", number)
    return record


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object whose names are all different: of two equal ones, one would be hidden."""
    made = dict(pairs)
    if len(made) != len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"{next(name for name in names if names.count(name) > 1)!r} stands twice in one object")
    return made


def _no_number(text: str) -> Any:
    raise ValueError(f"{text} is no number of JSON")


def _number(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"{text} is too large a number")
    return number


def _header(path: Path, record: dict[str, Any]) -> Header:
    version = record.get("format")
    if isinstance(version, int) and version > FORMAT:
        raise NewerFormat(
            f"{path}, line 1: format {version} is newer than this program knows ({FORMAT}); use a newer diplomat", 1
        )
    try:
        return Header.model_validate(record)
    except ValidationError as fault:
        first = fault.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise BadTranscript(f"{path}, line 1: not a transcript header ({where}: {first['msg']})", 1) from None


def _check_table(path: Path, game: Game[Any, Any], header: Header) -> None:
    """The header's seats and settings must be ones that the game can have."""
    seats = tuple(entry.seat for entry in header.seats)
    if len(set(seats)) != len(seats) or len(seats) not in game.seats:
        raise BadTranscript(f"{path}, line 1: {game.id} has no table with the seats {', '.join(seats) or 'none'}", 1)
    try:
        game.settings.model_validate(header.settings)
    except ValidationError as fault:
        first = fault.errors()[0]
        where = ".".join(str(part) for part in ("settings", *first["loc"]))
        raise BadTranscript(f"{path}, line 1: {where}: {first['msg']}", 1) from None


def _line(path: Path, game: Game[Any, Any], number: int, row: str) -> Line:
    record = _parsed(path, number, row)
    expected = number - 1
    if record.get("n") != expected or isinstance(record["n"], (bool, float)):
        raise BadTranscript(f"{path}, line {number}: event {record.get('n')!r} stands where {expected} should", number)
    to = record.get("to")
    if to is not None and not (isinstance(to, list) and all(isinstance(seat, str) for seat in to)):
        raise BadTranscript(f"{path}, line {number}: 'to' is neither null nor a list of seats", number)
    data, meta = record.get("data"), record.get("meta", {})
    if not isinstance(data, dict) or not isinstance(meta, dict):
        raise BadTranscript(f"{path}, line {number}: 'data' or 'meta' is not an object", number)
    try:
        event = decode(game, str(record.get("kind")), data)
    except UnknownName as fault:
        raise BadTranscript(f"{path}, line {number}: {fault}", number) from None
    except ValidationError as fault:
        first = fault.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise BadTranscript(f"{path}, line {number}: {record.get('kind')}.{where}: {first['msg']}", number) from None
    audience = Audience(None if to is None else frozenset(Seat(seat) for seat in to))
    return Line(expected, event, audience, str(record.get("at", "")), meta, number)
