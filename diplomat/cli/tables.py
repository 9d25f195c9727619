"""Tables on a terminal: as they are where they fit, else without lines, else a paragraph per row."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

WIDE = 10_000
"""Columns in which any table fits."""


def show_table(console: Console, table: Table) -> None:
    """Prints a table of plain cells; no cell is ever cut short."""
    from diplomat.study.screen import Section, show

    natural = console.measure(table, options=console.options.update(max_width=WIDE)).maximum
    if natural <= console.width:
        console.print(table)
        return
    rows = zip(*(map(str, column.cells) for column in table.columns), strict=True)
    show(console, [Section(str(table.title), tuple(str(column.header) for column in table.columns), tuple(rows))])
