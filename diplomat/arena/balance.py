"""The balance report: how fair a game is, measured over many games of scripted players with talk off."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from diplomat.arena.many import Progress, Task, play_many
from diplomat.core.errors import UsageError
from diplomat.core.sheet import Sheet
from diplomat.games import find
from diplomat.table.referee import Referee

if TYPE_CHECKING:
    from rich.table import Table

DEFAULT_SEED = "2"
"""Seed of a report when none is asked for: the published figures are of this one."""


@dataclass(frozen=True, slots=True)
class BalanceReport:
    """The figures of one report."""

    game: str
    games: int
    players: int
    seed: str
    sheets: tuple[Sheet, ...]

    def as_dict(self) -> dict[str, Any]:
        """The figures as JSON data: one object per row, keyed by the last part of each column's name."""
        return {
            "game": self.game,
            "games": self.games,
            "players": self.players,
            "seed": self.seed,
            **sheets_as_dict(self.sheets),
        }

    def tables(self, lang: str) -> list[Table]:
        """The figures as tables to print."""
        balance = find(self.game).balance
        return sheet_tables(self.sheets, balance.name, lang) if balance is not None else []


def sheets_as_dict(sheets: Sequence[Sheet]) -> dict[str, Any]:
    """Sheets as JSON data, each a list of rows."""
    return {_last(sheet.title): [_row(sheet.columns, row) for row in sheet.rows] for sheet in sheets}


def sheet_tables(sheets: Sequence[Sheet], name: Callable[[str, str], str], lang: str) -> list[Table]:
    """Sheets as tables in a language."""
    from rich.table import Table

    tables: list[Table] = []
    for sheet in sheets:
        table = Table(title=name(sheet.title, lang).format_map(sheet.facts), title_justify="left")
        for at, column in enumerate(sheet.columns):
            table.add_column(name(column, lang), justify="left" if at == 0 else "right")
        for row in sheet.rows:
            table.add_row(*(name(cell, lang) if isinstance(cell, str) else _cell(cell) for cell in row))
        tables.append(table)
    return tables


def _cell(value: float) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def _last(key: str) -> str:
    """The last part of a key (``clan.crab``); any other text as it is."""
    kind, dot, name = key.rpartition(".")
    return name if dot and kind.isidentifier() and name.isidentifier() else key


def _row(columns: Sequence[str], row: Sequence[str | float | int]) -> dict[str, str | float | int]:
    return {
        _last(column): _last(cell) if isinstance(cell, str) else cell for column, cell in zip(columns, row, strict=True)
    }


def run_balance(
    game: str,
    *,
    games: int = 600,
    players: int | None = None,
    jobs: int = 1,
    seed: str = DEFAULT_SEED,
    progress: Progress | None = None,
) -> BalanceReport:
    """Plays the games and counts; the figures do not depend on ``jobs``."""
    chosen = find(game)
    if chosen.balance is None:
        raise UsageError(f"{game} has nothing to balance")
    size = players if players is not None else chosen.default_seats
    work: list[Task] = [Task(game, f"{seed}/{number}", {}, size, chosen.quiet) for number in range(games)]
    rows = list(play_many(work, _count, jobs, progress))
    return BalanceReport(game, games, size, seed, tuple(chosen.balance.sheets(rows)))


def _count(referee: Referee[Any, Any]) -> Mapping[str, Any]:
    balance = referee.game.balance
    assert balance is not None
    return balance.row(referee.known(None))
