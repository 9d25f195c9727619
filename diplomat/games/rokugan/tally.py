"""What the balance report counts in finished games (house H12)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from diplomat.core.sheet import Sheet
from diplomat.games.rokugan.board import Board
from diplomat.games.rokugan.content import clans, objectives
from diplomat.games.rokugan.knowledge import Known
from diplomat.games.rokugan.wording import words


def row(known: Known) -> dict[str, Any]:
    """One finished game: per seat in turn order of round 1 its clan, honor, share of the victory, objective."""
    board = known.board
    first = board.seats.index(board.order()[0])
    start = (first - (board.round - 1)) % len(board.seats)
    order = board.seats[start:] + board.seats[:start]
    return {
        "seats": [
            {
                "clan": board.clans[seat],
                "honor": board.scores[seat].total,
                "win": 1 / len(board.winners) if seat in board.winners else 0.0,
                "objective": board.objectives[seat][0],
                "met": board.objectives[seat][1],
            }
            for seat in order
        ],
        "shared": len(board.winners) > 1,
        "decided": _decided(board),
    }


def _decided(board: Board) -> bool:
    """Whether a winner would not have won without the bonus of its own objective (house H11.3)."""
    flowers = {seat: board.scores[seat].flowers for seat in board.seats}
    ranks = {s: (board.scores[s].total, board.scores[s].provinces, flowers[s]) for s in board.seats}
    for winner in board.winners:
        bare = (board.scores[winner].total - board.scores[winner].objective, *ranks[winner][1:])
        if any(ranks[other] >= bare for other in board.seats if other != winner):
            return True
    return False


def sheets(rows: Sequence[Mapping[str, Any]]) -> list[Sheet]:
    """Objectives, clans, seats and the end of games, over many rows."""
    seats = [seat for game in rows for seat in game["seats"]]
    count = len(rows)
    shared = sum(game["shared"] for game in rows)
    decided = sum(game["decided"] for game in rows)
    ends = Sheet(
        "balance.ends",
        ("balance.measure", "balance.percent"),
        (
            ("balance.shared", round(100 * shared / count, 2)),
            ("balance.decided", round(100 * decided / count, 1)),
        ),
    )
    return [_objectives(seats, count), _clans(seats), _seats(rows), ends]


def _objectives(seats: Sequence[Mapping[str, Any]], games: int) -> Sheet:
    lines: list[tuple[str | float | int, ...]] = []
    for name, objective in objectives().items():
        dealt = [seat for seat in seats if seat["objective"] == name]
        met = sum(seat["met"] for seat in dealt) / len(dealt) if dealt else 0.0
        lines.append(
            (f"objective.{name}", len(dealt), round(100 * met, 1), objective.bonus, round(met * objective.bonus, 2))
        )
    columns = ("balance.objective", "balance.dealt", "balance.met", "balance.bonus", "balance.value")
    return Sheet("balance.objectives", columns, tuple(lines), {"games": games})


def _clans(seats: Sequence[Mapping[str, Any]]) -> Sheet:
    lines: list[tuple[str | float | int, ...]] = []
    for name in clans():
        played = [seat for seat in seats if seat["clan"] == name]
        lines.append((f"clan.{name}", len(played), *_share(played)))
    columns = ("balance.clan", "balance.played", "balance.wins", "balance.honor")
    return Sheet("balance.clans", columns, tuple(lines))


def _seats(rows: Sequence[Mapping[str, Any]]) -> Sheet:
    lines: list[tuple[str | float | int, ...]] = []
    for place in range(len(rows[0]["seats"])):
        played = [game["seats"][place] for game in rows]
        lines.append((str(place + 1), len(played), *_share(played)))
    columns = ("balance.seat", "balance.played", "balance.wins", "balance.honor")
    return Sheet("balance.seats", columns, tuple(lines))


def _share(played: Sequence[Mapping[str, Any]]) -> tuple[float, float]:
    if not played:
        return (0.0, 0.0)
    wins = sum(seat["win"] for seat in played) / len(played)
    return (round(100 * wins, 1), round(sum(seat["honor"] for seat in played) / len(played), 2))


def name(key: str, lang: str) -> str:
    """A sheet's word in a language; clans and objectives by their names."""
    kind, _, what = key.partition(".")
    if kind == "clan":
        return clans()[what].texts[lang]
    if kind == "objective":
        return objectives()[what].texts[lang]
    return words(lang).texts.say(key) if kind == "balance" else key
