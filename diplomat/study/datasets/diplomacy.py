"""A small vocabulary of Diplomacy promises, judged against the orders of one season.  No rules engine is needed.

A promise here is of the *order* level: what counts is what was ordered, not whether it succeeded.  The rules below are
those of the pilot on Peskov's games: ``order`` (this unit to there), ``move`` (any own unit to there), ``support`` (an
own support that helps a unit standing there or going there), ``not_move``, ``hold``, ``not_attack`` (no own move into a
centre or a unit of the other).  A verb outside the vocabulary is ``untracked``, a season without orders ``untestable``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from diplomat.study.datasets.rows import OrderRow

Verdict = Literal["kept", "broken", "untracked", "untestable"]


@dataclass(frozen=True, slots=True)
class OrderGoal:
    """What a message says its sender will order this season."""

    verb: str
    by: str
    place: str = ""
    unit: str = ""
    other: str = ""
    """The seat that is not to be attacked."""


@dataclass(frozen=True, slots=True)
class Season:
    """The orders of one season by seat, and who owns which supply centre when they are read."""

    orders: Mapping[str, tuple[OrderRow, ...]]
    owners: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, orders: Iterable[OrderRow], owners: Mapping[str, str] | None = None) -> Season:
        """Sorts orders by seat; owners map a centre to a seat, in any case of letters."""
        seats: dict[str, list[OrderRow]] = {}
        for row in orders:
            seats.setdefault(row.seat.lower(), []).append(row)
        held = {province(place): seat.lower() for place, seat in (owners or {}).items()}
        return cls({seat: tuple(rows) for seat, rows in seats.items()}, held)


def province(code: str) -> str:
    """A province without coast and case: ``Stp``, ``STP/NC`` and ``stp`` are one.

    >>> province("Stp/sc")
    'STP'
    """
    return code.upper().partition("/")[0]


def resolve_order(goal: OrderGoal, season: Season | None) -> Verdict:
    """Whether the season's orders kept or broke that promise.

    A seat without units has ordered nothing, so it kept what it would leave undone and broke what it would do.
    """
    if goal.verb not in VERBS:
        return "untracked"
    if season is None or not season.orders:
        return "untestable"
    return "kept" if VERBS[goal.verb](goal, season) else "broken"


def _own(goal: OrderGoal, season: Season, *kinds: str) -> list[OrderRow]:
    return [row for row in season.orders.get(goal.by.lower(), ()) if row.kind in kinds]


def _ordered(goal: OrderGoal, season: Season) -> bool:
    return any(province(row.unit) == province(goal.unit) for row in _moving(goal, season))


def _moving(goal: OrderGoal, season: Season) -> list[OrderRow]:
    return [row for row in _own(goal, season, "MOVE") if province(row.to) == province(goal.place)]


def _supports(goal: OrderGoal, season: Season) -> bool:
    aim = province(goal.place)
    return any(aim in (province(row.to), province(row.source)) for row in _own(goal, season, "SUPPORT"))


def _holds(goal: OrderGoal, season: Season) -> bool:
    staying = _own(goal, season, "HOLD", "SUPPORT", "CONVOY")
    return any(province(row.unit) == province(goal.place) for row in staying)


def _spares(goal: OrderGoal, season: Season) -> bool:
    other = goal.other.lower()
    theirs = {place for place, seat in season.owners.items() if seat == other}
    theirs |= {province(row.unit) for row in season.orders.get(other, ())}
    return not any(province(row.to) in theirs for row in _own(goal, season, "MOVE"))


VERBS = {
    "order": _ordered,
    "move": lambda goal, season: bool(_moving(goal, season)),
    "not_move": lambda goal, season: not _moving(goal, season),
    "support": _supports,
    "hold": _holds,
    "not_attack": _spares,
}
"""The vocabulary: each verb with the test of whether a season's orders satisfy it."""
