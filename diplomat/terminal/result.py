"""The end of a game: who scored what."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from diplomat.core.game import Game
from diplomat.core.texts import Texts, load_texts
from diplomat.session import GameResult, SeatResult
from diplomat.terminal.safe import safe

SCORES = "score_table"
"""Key of ``Game.extra``: ``callable(known, lang) -> (headings, {seat: cells})``, the parts of the scores."""
TABLE_WIDTH = 64
"""Below so many columns the parts are said in lines, not in a table."""


def show_result(
    console: Console, game: Game[Any, Any], known: Any, result: GameResult, players: Mapping[str, str], lang: str
) -> None:
    """Prints the scores, best first; the winners are marked with a word, not only with colour."""
    texts = load_texts("diplomat.terminal", "texts", lang)
    names = game.story.names(known, lang)
    parts = game.extra.get(SCORES)
    headings, cells = parts(known, lang) if parts else ([], {})
    ranked = sorted(result.seats, key=lambda seat: (not seat.won, -seat.score))
    console.print()
    console.print(safe(texts.say("result.title"), "bold"))
    if console.width < TABLE_WIDTH:
        for seat in ranked:
            for line in _lines(seat, names, players, headings, cells.get(seat.seat, []), texts):
                console.print(line, soft_wrap=True)
        return
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, header_style="bold")
    for heading in ("", texts.say("result.player")):
        table.add_column(heading)
    for heading in (texts.say("result.total" if parts else "result.score"), *headings):
        table.add_column(heading, justify="right")
    table.add_column("")
    for seat in ranked:
        table.add_row(
            safe(names.get(seat.seat, seat.seat), "bold" if seat.won else ""),
            safe(_player(seat, players)),
            safe(str(seat.score), "bold"),
            *(safe(cell) for cell in cells.get(seat.seat, [])),
            safe(texts.say("result.won") if seat.won else "", "bold green"),
        )
    console.print(table)


def _lines(
    seat: SeatResult,
    names: Mapping[str, str],
    players: Mapping[str, str],
    headings: list[str],
    cells: list[str],
    texts: Texts,
) -> list[Text]:
    """One seat without a table."""
    shown = names.get(seat.seat, seat.seat)
    won = f" · {texts.say('result.won')}" if seat.won else ""
    first = safe(f"{seat.score:>3}  {shown}{won}", "bold" if seat.won else "")
    lines = [first, safe(f"     {_player(seat, players)}")]
    line = ""
    for heading, cell in zip(headings, cells, strict=False):
        part = f"{heading} {cell}"
        if line and len(line) + len(part) > 32:
            lines.append(safe("     " + line))
            line = ""
        line = f"{line}, {part}" if line else part
    return [*lines, safe("     " + line)] if line else lines


def _player(seat: SeatResult, players: Mapping[str, str]) -> str:
    return players.get(seat.seat, seat.agent)
