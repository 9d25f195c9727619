"""The end of a game: who scored what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from diplomat.core.game import Game
from diplomat.core.texts import Texts, load_texts
from diplomat.session import GameResult, SeatResult
from diplomat.terminal.safe import safe

TABLE_WIDTH = 72
"""Below so many columns the parts are said in lines, not in a table."""
LINE = 32


def show_result(
    console: Console,
    game: Game[Any, Any],
    known: Any,
    result: GameResult,
    *,
    players: Mapping[str, str],
    lang: str,
) -> None:
    """Prints the scores, best first; the winners are marked with a word, not only with colour."""
    texts = load_texts("diplomat.terminal", "texts", lang)
    headings, cells = game.guide.score_table(known, lang)
    names = game.story.names(known, lang)
    rows = [
        Row(names.get(seat.seat, seat.seat), players.get(seat.seat, seat.agent), seat, cells.get(seat.seat, []))
        for seat in sorted(result.seats, key=lambda seat: (not seat.won, -seat.score))
    ]
    if console.width >= TABLE_WIDTH:
        total = texts.say("result.total" if headings else "result.score")
        console.print(_table(rows, [total, *headings], texts))
        return
    for row in rows:
        for line in _lines(row, headings, texts):
            console.print(line, soft_wrap=True)


@dataclass(frozen=True, slots=True)
class Row:
    """One seat's line of the result."""

    name: str
    player: str
    seat: SeatResult
    parts: Sequence[str]


def _table(rows: Sequence[Row], headings: Sequence[str], texts: Texts) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    table.add_column("")
    table.add_column(texts.say("result.player"))
    for heading in headings:
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("")
    for row in rows:
        table.add_row(
            safe(row.name, "bold" if row.seat.won else ""),
            safe(row.player),
            safe(str(row.seat.score), "bold"),
            *(safe(part) for part in row.parts),
            safe(texts.say("result.won") if row.seat.won else "", "bold green"),
        )
    return table


def _lines(row: Row, headings: Sequence[str], texts: Texts) -> list[Text]:
    """One seat without a table."""
    won = f" · {texts.say('result.won')}" if row.seat.won else ""
    lines = [f"{row.seat.score:>3}  {row.name}{won} · {row.player}", ""]
    for heading, part in zip(headings, row.parts, strict=False):
        piece = f"{heading} {part}"
        if len(lines[-1]) + len(piece) > LINE:
            lines.append("")
        lines[-1] += f", {piece}" if lines[-1] else piece
    first, *rest = lines
    return [safe(first, "bold" if row.seat.won else ""), *(safe(f"     {line}") for line in rest if line)]
