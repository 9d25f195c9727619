"""Rows of any frozen dataclass as flat tables: one plain value per cell, lists of rows as tables of their own.

A nested row becomes columns (``goal_verb``), a mapping becomes one text column (``unit=3; by=crab``), a tuple of plain
values one list column, and a tuple of rows a table beside it (``promises_mentions``), joined by ``row``.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from diplomat.core.errors import UsageError

Kind = Literal["text", "integer", "number", "boolean", "text_list", "integer_list", "number_list", "mapping"]
Cell = Any
"""``str``, ``int``, ``float``, ``bool``, ``None`` or a tuple of one of them."""

PLAIN: dict[type, Kind] = {str: "text", int: "integer", float: "number", bool: "boolean"}
LISTS: dict[Kind, Kind] = {"text": "text_list", "integer": "integer_list", "number": "number_list"}


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a flat table."""

    name: str
    kind: Kind
    levels: tuple[str, ...] = ()
    """The values that a closed list allows."""
    optional: bool = False
    """Whether a cell may be empty."""
    owner: str = ""
    """The row class and the field that it comes from, for its description."""
    note: str = ""
    """What the class itself says about the field, in English."""


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of one class, to be written under one name."""

    name: str
    kind: type[Any]
    rows: Sequence[Any]
    games: Sequence[str] = ()
    """One game id per row, written as the first column ``game``; empty if the rows name their game themselves."""


@dataclass(frozen=True, slots=True)
class FlatTable:
    """A table with one plain value per cell."""

    name: str
    columns: tuple[Column, ...]
    cells: tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True, slots=True)
class _Part:
    """How one field is told: as columns, or as a table beside."""

    name: str
    columns: tuple[Column, ...] = ()
    nested: tuple[_Part, ...] = ()
    """The parts of a row inside this one."""
    beside: type[Any] | None = None
    path: tuple[str, ...] = ()
    """Where the rows of the table beside are found, from the outer row."""


def flatten(table: Table) -> tuple[FlatTable, ...]:
    """The table and the tables beside it.

    Raises:
        UsageError: the rows are no dataclasses, a field cannot be put into columns, or ``games`` does not fit.
    """
    if table.games and len(table.games) != len(table.rows):
        raise UsageError(f"table {table.name} has {len(table.rows)} rows but {len(table.games)} game ids")
    parts = _parts(table.kind)
    beside = [part for part in parts if part.beside is not None]
    lead: list[Column] = [Column("game", "text", owner="any.game")] if table.games else []
    if beside:
        lead.append(Column("row", "integer", owner="any.row"))
    cells = []
    for at, row in enumerate(table.rows):
        head = ((table.games[at],) if table.games else ()) + ((at + 1,) if beside else ())
        cells.append(head + tuple(_cells(row, parts)))
    columns = tuple(lead) + tuple(column for part in parts for column in part.columns)
    main = FlatTable(table.name, columns, tuple(cells))
    return (main, *(flat for part in beside for flat in _beside(table, part)))


def _beside(table: Table, part: _Part) -> tuple[FlatTable, ...]:
    assert part.beside is not None
    parts = _parts(part.beside)
    if any(inner.beside is not None for inner in parts):
        raise UsageError(f"{part.beside.__name__} holds rows that hold rows; tables go one step deep")
    lead = [Column("game", "text", owner="any.game")] if table.games else []
    lead += [Column("row", "integer", owner="any.row"), Column("place", "integer", owner="any.place")]
    cells = []
    for at, row in enumerate(table.rows):
        for place, inner in enumerate(_at(row, part.path)):
            head = ((table.games[at],) if table.games else ()) + (at + 1, place + 1)
            cells.append(head + tuple(_cells(inner, parts)))
    columns = tuple(lead) + tuple(column for inner in parts for column in inner.columns)
    return (FlatTable(f"{table.name}_{part.name}", columns, tuple(cells)),)


def _cells(row: Any, parts: Sequence[_Part]) -> Iterator[Cell]:
    for part in parts:
        if part.beside is not None:
            continue
        value = getattr(row, part.name)
        if not part.nested:
            yield _mapping(value) if part.columns[0].kind == "mapping" and value is not None else value
        elif value is None:
            yield from (None for _ in part.columns)
        else:
            yield from _cells(value, part.nested)


def _at(row: Any, path: Sequence[str]) -> Sequence[Any]:
    for name in path:
        row = () if row is None else getattr(row, name)
    return tuple(row) if row is not None else ()


def _mapping(value: Mapping[str, object]) -> str:
    return "; ".join(f"{key}={entry}" for key, entry in value.items())


def _parts(kind: type[Any]) -> tuple[_Part, ...]:
    """The fields of a row class, in its order."""
    if not is_dataclass(kind):
        raise UsageError(f"{kind.__name__} is no dataclass, so it is no row of a table")
    hints, notes = get_type_hints(kind), field_notes(kind)
    return tuple(
        part for entry in fields(kind) for part in _told(kind, entry.name, hints[entry.name], notes.get(entry.name, ""))
    )


def _told(owner: type[Any], name: str, hint: Any, note: str) -> list[_Part]:
    """One field, and the tables beside that rows inside it bring along."""
    bare, _ = _unwrapped(hint)
    if not (isinstance(bare, type) and is_dataclass(bare)):
        return [_part(owner, name, hint, note)]
    inside = _parts(bare)
    nested = tuple(part for part in inside if part.beside is None)
    columns = tuple(
        Column(f"{name}_{column.name}", column.kind, column.levels, True, column.owner, column.note)
        for part in nested
        for column in part.columns
    )
    further = [
        _Part(f"{name}_{part.name}", beside=part.beside, path=(name, *part.path)) for part in inside if part.beside
    ]
    return [_Part(name, columns, nested), *further]


def _part(owner: type[Any], name: str, hint: Any, note: str) -> _Part:
    bare, optional = _unwrapped(hint)
    source = f"{owner.__name__}.{name}"
    origin, inside = get_origin(bare), get_args(bare)
    if origin in (tuple, list, Sequence) and inside:
        entry, _ = _unwrapped(inside[0])
        if isinstance(entry, type) and is_dataclass(entry):
            return _Part(name, beside=entry, path=(name,))
        kind, levels = _kind(entry, source)
        if kind not in LISTS:
            raise UsageError(f"{source}: a list of {kind} cannot be a column")
        return _Part(name, (Column(name, LISTS[kind], levels, optional, source, note),))
    kind, levels = _kind(bare, source)
    return _Part(name, (Column(name, kind, levels, optional, source, note),))


def _kind(hint: Any, source: str) -> tuple[Kind, tuple[str, ...]]:
    origin = get_origin(hint)
    if origin is Literal:
        values = get_args(hint)
        return PLAIN[type(values[0])], tuple(str(value) for value in values)
    if origin is not None and isinstance(origin, type) and issubclass(origin, Mapping):
        return "mapping", ()
    plain = getattr(hint, "__supertype__", hint)
    if plain in PLAIN:
        return PLAIN[plain], ()
    raise UsageError(f"{source}: {hint} is no plain value, list of plain values, row or list of rows")


def _unwrapped(hint: Any) -> tuple[Any, bool]:
    """A type without its ``None``, and whether it had one."""
    if hasattr(hint, "__value__"):
        return _unwrapped(hint.__value__)
    if get_origin(hint) in (Union, UnionType):
        inside = [part for part in get_args(hint) if part is not NoneType]
        if len(inside) == 1:
            return inside[0], True
        if set(inside) <= {int, float}:
            return float, len(inside) < len(get_args(hint))
    return hint, False


def field_notes(kind: type[Any]) -> Mapping[str, str]:
    """What a class says about its fields in the strings below them; empty where its source is not at hand."""
    try:
        (body,) = ast.parse(textwrap.dedent(inspect.getsource(kind))).body
    except (OSError, TypeError, SyntaxError, ValueError):
        return {}
    notes: dict[str, str] = {}
    last = ""
    for line in getattr(body, "body", ()):
        if isinstance(line, ast.AnnAssign) and isinstance(line.target, ast.Name):
            last = line.target.id
        elif last and isinstance(line, ast.Expr) and isinstance(line.value, ast.Constant):
            if isinstance(line.value.value, str):
                notes[last] = " ".join(line.value.value.split()).replace("``", "")
            last = ""
        else:
            last = ""
    return notes
