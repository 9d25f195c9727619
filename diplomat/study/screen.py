"""Tables on a terminal of any width: as columns where they fit, else a paragraph per row."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.table import Table
from rich.text import Text

from diplomat.core.talk import clean

if TYPE_CHECKING:
    from rich.console import Console

GAP = 2
"""Blanks between columns."""
INDENT = "  "
NO_BREAK = "\u00a0"


@dataclass(frozen=True, slots=True)
class Section:
    """One table of a report, in words: a title, columns, rows of cells, and notes below it."""

    title: str
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    notes: tuple[str, ...] = ()
    words: int = 1
    """How many columns from the left hold words; the others hold figures."""
    lead: str = ""
    """One line between title and table: what all of it rests on."""


def show(console: Console, sections: Iterable[Section]) -> None:
    """Prints sections one below the other, each with a blank line behind it."""
    for section in sections:
        _wrapped(console, section.title, "bold")
        if section.lead:
            _wrapped(console, section.lead, "dim")
        if section.rows:
            if natural_width(section) <= console.width:
                console.print(_table(section))
            else:
                for line in stacked(section):
                    _wrapped(console, line)
        for note in section.notes:
            _wrapped(console, note, "dim")
        console.print()


def natural_width(section: Section) -> int:
    """Cells that the table takes with every cell on one line."""
    grid = [section.columns, *section.rows]
    return sum(max(cell_len(row[at]) for row in grid) + GAP for at in range(len(section.columns))) - GAP


def stacked(section: Section) -> Iterator[str]:
    """The rows as lines: what it is about, then all figures with their names."""
    for row in section.rows:
        yield " ".join(cell for cell in row[: section.words] if cell)
        named = zip(section.columns[section.words :], row[section.words :], strict=True)
        # Blanks that do not break keep a name and its figure together.
        yield INDENT + " · ".join(f"{name} {cell}".replace(" ", NO_BREAK) for name, cell in named if cell)


def _table(section: Section) -> Table:
    table = Table(box=None, padding=(0, GAP, 0, 0), pad_edge=False, show_edge=False, header_style="dim")
    for at, name in enumerate(section.columns):
        table.add_column(_safe(name), justify="left" if at < section.words else "right", no_wrap=True)
    for row in section.rows:
        table.add_row(*(_safe(cell) for cell in row))
    return table


def _wrapped(console: Console, text: str, style: str = "") -> None:
    """Prints text in lines that fit; those after the first of an indented text are indented further."""
    bare = text.lstrip(" ")
    indent = " " * (len(text) - len(bare))
    lines = wrap(
        _clean(bare),
        max(10, console.width),
        initial_indent=indent,
        subsequent_indent=indent + indent,
        break_on_hyphens=False,
    )
    for line in lines or [""]:
        console.print(Text(line.replace(NO_BREAK, " "), style=style), soft_wrap=True)


def _safe(text: str) -> Text:
    return Text(_clean(text))


def _clean(text: str) -> str:
    """Words of files as one plain piece: nothing in them steers the terminal."""
    return " ".join(part for part in clean(text).replace("\n", " ").replace("\t", " ").split(" ") if part)


def figures(cells: Sequence[object]) -> tuple[str, ...]:
    """Whole numbers as they stand."""
    return tuple(str(cell) for cell in cells)
