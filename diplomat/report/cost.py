"""What language models cost: the sums of a game's calls, handed in as plain rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from diplomat.core.audience import Seat

COLUMNS = ("calls", "fresh", "cached", "output", "cost", "wait", "faults")


@dataclass(frozen=True, slots=True)
class Charge:
    """One seat's calls; ``cells`` in the order of :data:`COLUMNS`."""

    seat: Seat
    cells: tuple[str, ...]


def charges(rows: Sequence[Mapping[str, Any]]) -> tuple[list[Charge], tuple[str, ...]]:
    """The charges per seat and their sum; rows are those of ``diplomat.llm.totals.Tally.as_dict``."""
    seats = dict.fromkeys(str(row["seat"]) for row in rows)
    found = [Charge(Seat(seat), _cells(row for row in rows if row["seat"] == seat)) for seat in seats]
    return found, _cells(rows) if rows else ()


def _cells(rows: Iterable[Mapping[str, Any]]) -> tuple[str, ...]:
    mine = list(rows)

    def added(*names: str) -> int:
        return sum(int(row[name]) for row in mine for name in names)

    costs = [row["cost"] for row in mine]
    cost = "?" if any(one is None for one in costs) else _usd(sum(float(one) for one in costs))
    waits = [(float(row["latency_mean"]), int(row["done"])) for row in mine if row.get("latency_mean") is not None]
    answered = sum(done for _, done in waits)
    wait = f"{sum(mean * done for mean, done in waits) / answered:.1f}" if answered else "–"
    numbers = [_number(added(*names)) for names in (("calls",), ("fresh", "stored"), ("cached",), ("output",))]
    return (*numbers, cost, wait, _number(added("failed", "expired")))


def _number(value: int) -> str:
    return f"{value:,}".replace(",", "\u202f")


def _usd(cost: float) -> str:
    """USD with as many digits as it needs.

    >>> _usd(1.5), _usd(0.00123), _usd(0)
    ('1.50', '0.0012', '0.00')
    """
    return f"{cost:.2f}" if cost == 0 or cost >= 0.01 else f"{cost:.4f}"
