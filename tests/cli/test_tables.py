"""A table steps down instead of cutting its cells short."""

from __future__ import annotations

import io

import pytest
from rich.console import Console
from rich.table import Table

from diplomat.cli.tables import show_table

CELLS = (("Богатство провинций", "66.7"), ("Тень и свет", "0"))


@pytest.mark.parametrize("width", [80, 36, 28, 24])
def test_no_cell_is_cut_short_at_any_width(width: int) -> None:
    table = Table("цель", "выполнена, %", title="Цели")
    for row in CELLS:
        table.add_row(*row)
    page = io.StringIO()
    show_table(Console(file=page, width=width), table)
    shown = page.getvalue()
    assert [line for line in shown.splitlines() if len(line) > width] == []
    for name, figure in CELLS:
        assert name in shown
        assert figure in shown
    assert ("┃" in shown) is (width >= 40)
