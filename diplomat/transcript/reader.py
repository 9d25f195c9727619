"""Reads a game from disk and says what is wrong with a damaged file, and where."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from diplomat.core.audience import PUBLIC, Audience, Seat, only
from diplomat.core.errors import BadTranscript, NewerFormat, UnknownName
from diplomat.core.events import Event
from diplomat.core.game import Game
from diplomat.core.proceedings import GameOpened
from diplomat.games import find
from diplomat.transcript.chain import Chain, follow
from diplomat.transcript.codec import Decoder, decoder
from diplomat.transcript.migrate import CHAINED_SINCE, migrated
from diplomat.transcript.schema import FORMAT, Header, Line
from diplomat.transcript.strictjson import parsed


@dataclass(frozen=True, slots=True)
class Transcript:
    """A log read from disk."""

    path: Path
    header: Header
    lines: tuple[Line, ...]
    game: Game[Any, Any]
    torn: bool = False
    """Whether the last line was cut short and left out."""
    format: int = FORMAT
    """The format that the file is written in; ``header`` is brought up to this version's."""
    chain: Chain | None = None
    """What its hashes say; None for a format that has none.  Reading alone refuses no broken chain."""

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats in table order."""
        return tuple(Seat(entry.seat) for entry in self.header.seats)

    @property
    def settings(self) -> Any:
        """The game's settings model."""
        return self.game.settings.model_validate(self.header.settings)

    @property
    def finished(self) -> bool:
        """Whether the game was played to its end, so that its log lies open."""
        return bool(self.lines) and isinstance(self.lines[-1].event, GameOpened)

    def events(self, to: int | None = None) -> Iterable[Event]:
        """The events, at most the first ``to``."""
        return (line.event for line in self.lines[:to])


def read(path: Path) -> Transcript:
    """The transcript in a file; BadTranscript names the first line that cannot be read."""
    try:
        raw = path.read_bytes()
    except FileNotFoundError:
        raise BadTranscript(f"there is no file {path}") from None
    except (OSError, ValueError) as fault:
        raise BadTranscript(f"{path} cannot be read: {getattr(fault, 'strerror', None) or fault}") from fault
    return parse(path, raw)


def parse(path: Path, raw: bytes) -> Transcript:
    """The transcript in a file's bytes; ``path`` is only what messages call it."""
    head, _, tail = raw.rpartition(b"\n")
    rows = head.split(b"\n") if head else []
    if not rows:
        raise BadTranscript(f"{path} {_no_line(tail)}; a transcript begins with a header line", 1)
    first = _record(path, 1, rows[0])
    version = _format(path, first)
    chain = follow(rows) if version >= CHAINED_SINCE else None
    try:
        return _whole(path, first, rows, torn=bool(tail), chain=chain)
    except BadTranscript as fault:
        if chain is not None and 0 < chain.broken < fault.line:
            raise BadTranscript(f"{path}, line {chain.broken}: {chain.why}; {fault}", chain.broken) from None
        raise


def _no_line(tail: bytes) -> str:
    """What a file is that has no whole line."""
    if not tail.strip():
        return "is empty"
    try:
        words = tail.decode("utf-8")
    except UnicodeDecodeError:
        words = "\0"
    if "\0" in words:
        return f"is no text, but {len(tail)} bytes without a line end"
    return "has no line end, so that even its first line is cut short"


def _whole(path: Path, first: dict[str, Any], rows: Sequence[bytes], *, torn: bool, chain: Chain | None) -> Transcript:
    header = _header(path, first)
    try:
        game = find(header.game)
    except UnknownName as fault:
        raise BadTranscript(f"{path}, line 1: {fault}", 1) from None
    _check_table(path, game, header)
    event_of = decoder(game)
    lines = tuple([_line(path, event_of, number, row) for number, row in enumerate(rows[1:], start=2)])
    return Transcript(path, header, lines, game, torn, first["format"], chain)


def _record(path: Path, number: int, row: bytes) -> dict[str, Any]:
    try:
        record = parsed(row)
    except UnicodeDecodeError:
        raise BadTranscript(f"{path}, line {number}: not UTF-8 text", number) from None
    except (ValueError, RecursionError) as fault:
        raise BadTranscript(f"{path}, line {number}: not JSON ({fault})", number) from None
    if not isinstance(record, dict):
        raise BadTranscript(f"{path}, line {number}: not a JSON object", number)
    return record


def _format(path: Path, record: dict[str, Any]) -> int:
    """The format of a log; NewerFormat for one that this program does not know."""
    version = record.get("format")
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        text = f"{path}, line 1: not a transcript header (format: {version!r} is no number of a format)"
        raise BadTranscript(text, 1)
    if version > FORMAT:
        raise NewerFormat(
            f"{path}, line 1: format {version} is newer than this program knows ({FORMAT}); use a newer diplomat", 1
        )
    if version < CHAINED_SINCE and "chain" in record:
        raise BadTranscript(f"{path}, line 1: format {version} has no hashes, and yet the header carries one", 1)
    return version


def _header(path: Path, record: dict[str, Any]) -> Header:
    try:
        return Header.model_validate(migrated(record))
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


def _line(path: Path, event_of: Decoder, number: int, row: bytes) -> Line:
    record = _record(path, number, row)
    expected = number - 1
    if record.get("n") != expected or isinstance(record["n"], (bool, float)):
        raise BadTranscript(f"{path}, line {number}: event {record.get('n')!r} stands where {expected} should", number)
    to = record.get("to")
    if to is not None and not (isinstance(to, list) and all(isinstance(seat, str) for seat in to)):
        raise BadTranscript(f"{path}, line {number}: 'to' is neither null nor a list of seats", number)
    kind, data, meta = record.get("kind"), record.get("data"), record.get("meta", {})
    if not isinstance(data, dict) or not isinstance(meta, dict):
        raise BadTranscript(f"{path}, line {number}: 'data' or 'meta' is not an object", number)
    try:
        event = event_of(str(kind), data)
    except UnknownName as fault:
        raise BadTranscript(f"{path}, line {number}: {fault}", number) from None
    except ValidationError as fault:
        first = fault.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise BadTranscript(f"{path}, line {number}: {kind}.{where}: {first['msg']}", number) from None
    audience = PUBLIC if to is None else _only(*to)
    written = {"kind": kind, "to": to, "data": data}
    return Line(expected, event, audience, str(record.get("at", "")), meta, number, written)


@lru_cache(maxsize=1024)
def _only(*seats: str) -> Audience:
    """An audience; a log has few, and names them on every line."""
    return only(*seats)
