"""Tables on disk: CSV with a codebook for R, Stata and SPSS, Parquet for column stores, JSON Lines as the full form.

CSV: UTF-8, comma, one header line, ``true``/``false``, lists joined by ``;``, empty for missing, line feeds.
``nan`` (a figure that is not defined) is missing too.  JSON Lines keep every row as it is, nested.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from math import isfinite, isnan
from pathlib import Path
from typing import Any

from diplomat.core.errors import CannotWrite, OutputExists, UsageError
from diplomat.core.texts import Texts, load_texts
from diplomat.study.columns import Cell, Column, FlatTable, Kind, Table, flatten
from diplomat.study.extra import library

SCHEMA_VERSION = "1"
SEPARATOR = ";"
CODEBOOK = "codebook.csv"
CODEBOOK_HEADER = ("table", "column", "type", "levels", "may_be_missing", "description")


def study_texts(lang: str) -> Texts:
    """The texts of this package: labels of figures, cautions, descriptions of columns."""
    return load_texts("diplomat.study", "texts", lang).joined(load_texts("diplomat.study", "codebook", lang))


def write_csv(tables: Sequence[Table], folder: Path, *, lang: str = "en", overwrite: bool = False) -> list[Path]:
    """One CSV per table (tables beside it included) and ``codebook.csv``; the paths written, in order.

    Raises:
        OutputExists: a file is in the way and ``overwrite`` is not set.
        UsageError: a row cannot be put into columns, or a list's entry holds the separator.
        CannotWrite: the folder does not take files.
    """
    flat = _all_flat(tables)
    paths = _ready(folder, [f"{table.name}.csv" for table in flat] + [CODEBOOK], overwrite)
    for table, path in zip(flat, paths, strict=False):
        header = [column.name for column in table.columns]
        _csv(path, header, ([_text(cell, table, at) for at, cell in enumerate(row)] for row in table.cells))
    _csv(paths[-1], CODEBOOK_HEADER, codebook(flat, study_texts(lang)))
    return paths


def codebook(tables: Iterable[FlatTable], texts: Texts) -> list[list[str]]:
    """One line per column: table, name, type, levels, whether it may be missing, description.

    See :func:`described`.
    """
    return [
        [
            table.name,
            column.name,
            column.kind,
            SEPARATOR.join(column.levels),
            "true" if column.optional else "false",
            described(column, texts),
        ]
        for table in tables
        for column in table.columns
    ]


def described(column: Column, texts: Texts) -> str:
    """What a column holds, in words: the text ``codebook.CLASS.FIELD``, else ``codebook.any.FIELD``.

    Row classes say in English what their fields hold; in English that goes before the general text, and in any
    language it is better than nothing.  A column without any words is described by its key, so that the gap is seen.
    """
    own, general = f"codebook.{column.owner}", f"codebook.any.{column.owner.rpartition('.')[2]}"
    if texts.has(own):
        return texts.say(own)
    if texts.has(general) and not (column.note and texts.lang == "en"):
        return texts.say(general)
    return column.note or own


def undescribed(tables: Sequence[Table], texts: Texts) -> list[str]:
    """Columns of these tables that neither the texts nor their classes describe."""
    return sorted(
        {
            f"{flat.name}.{column.name}"
            for flat in _all_flat(tables)
            for column in flat.columns
            if described(column, texts).startswith("codebook.")
        }
    )


def write_jsonl(tables: Sequence[Table], folder: Path, *, overwrite: bool = False) -> list[Path]:
    """One JSON Lines file per table, a row per line with everything that it holds.

    Raises:
        OutputExists: a file is in the way and ``overwrite`` is not set.
        CannotWrite: the folder does not take files.
    """
    paths = _ready(folder, [f"{table.name}.jsonl" for table in tables], overwrite)
    for table, path in zip(tables, paths, strict=True):
        with path.open("w", encoding="utf-8", newline="\n") as out:
            for at, row in enumerate(table.rows):
                lead = {"game": table.games[at]} if table.games else {}
                out.write(json.dumps(lead | _json(row), ensure_ascii=False, allow_nan=False) + "\n")
    return paths


def write_parquet(tables: Sequence[Table], folder: Path, *, overwrite: bool = False) -> list[Path]:
    """The tables of :func:`write_csv` as Parquet, lists as lists, with the schema's version in the metadata.

    Raises:
        OutputExists: a file is in the way and ``overwrite`` is not set.
        UsageError: a row cannot be put into columns, or pyarrow is not installed.
        CannotWrite: the folder does not take files.
    """
    arrow, parquet = library("pyarrow"), library("pyarrow.parquet")
    flat = _all_flat(tables)
    paths = _ready(folder, [f"{table.name}.parquet" for table in flat], overwrite)
    plain: dict[Kind, Any] = {
        "text": arrow.string(),
        "integer": arrow.int64(),
        "number": arrow.float64(),
        "boolean": arrow.bool_(),
    }
    kinds: Mapping[Kind, Any] = {
        **plain,
        "mapping": plain["text"],
        "text_list": arrow.list_(plain["text"]),
        "integer_list": arrow.list_(plain["integer"]),
        "number_list": arrow.list_(plain["number"]),
    }
    for table, path in zip(flat, paths, strict=True):
        schema = arrow.schema(
            [arrow.field(column.name, kinds[column.kind]) for column in table.columns],
            metadata={"diplomat.schema": SCHEMA_VERSION, "diplomat.table": table.name},
        )
        columns = list(zip(*table.cells, strict=True)) or [()] * len(table.columns)
        arrays = [
            arrow.array([_defined(cell) for cell in cells], type=kinds[column.kind])
            for column, cells in zip(table.columns, columns, strict=True)
        ]
        parquet.write_table(arrow.Table.from_arrays(arrays, schema=schema), path)
    return paths


def _all_flat(tables: Sequence[Table]) -> list[FlatTable]:
    flat = [one for table in tables for one in flatten(table)]
    names = [table.name for table in flat]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise UsageError(f"two tables are called {', '.join(twice)}")
    return flat


def _ready(folder: Path, names: Sequence[str], overwrite: bool) -> list[Path]:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CannotWrite(f"{folder} cannot be made a folder: {error.strerror}") from error
    there = [name for name in names if (folder / name).exists()]
    if there and not overwrite:
        held = ", ".join(there)
        raise OutputExists(f"{folder} already holds {held}; name another folder, or write over them with --force")
    return [folder / name for name in names]


def _csv(path: Path, header: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)


def _text(cell: Cell, table: FlatTable, at: int) -> str:
    """One cell of a CSV file."""
    cell = _defined(cell)
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, (tuple, list)):
        entries = [str(entry) for entry in cell]
        if any(SEPARATOR in entry for entry in entries):
            column = table.columns[at].name
            raise UsageError(f"{table.name}.{column}: {entries} holds {SEPARATOR!r}, which joins lists; use JSON Lines")
        return SEPARATOR.join(entries)
    return repr(cell) if isinstance(cell, float) else str(cell)


def _defined(cell: Cell) -> Cell:
    return None if isinstance(cell, float) and isnan(cell) else cell


def _json(value: Any) -> Any:
    """A row as JSON data; figures that are not finite have no JSON and become ``null``."""
    if is_dataclass(value) and not isinstance(value, type):
        return {entry.name: _json(getattr(value, entry.name)) for entry in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): _json(entry) for key, entry in value.items()}
    if isinstance(value, (tuple, list, set, frozenset)):
        return [_json(entry) for entry in value]
    if isinstance(value, float) and not isfinite(value):
        return None
    return value
