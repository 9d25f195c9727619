"""Rates coded by a program, corrected with a random sample that people coded too.

A program's labels are cheap and biased, people's are dear.  If the people's units were drawn at random with known
chances, the bias can be measured on them and taken off, whatever the program does.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from diplomat.core.errors import UsageError
from diplomat.study.stats.bootstrap import REPS, Statistic, cluster_bootstraps, totals_by
from diplomat.study.stats.intervals import Interval, ratio


@dataclass(frozen=True, slots=True)
class DoublyCoded:
    """One unit: the program's value, and the adjudicated human one where the unit was drawn."""

    game: str
    machine: float
    human: float | None = None
    chance: float = 1.0
    """How likely this unit was to be drawn for people; needed for every drawn unit."""


@dataclass(frozen=True, slots=True)
class CorrectedRate:
    """Three ways to say the same rate; they are printed together."""

    machine: Interval
    """On all units, the program's labels as they are."""
    human: Interval
    """On the drawn units only, weighted by ``1 / chance``."""
    corrected: Interval
    """On all units, the program's labels with their measured bias taken off."""


def corrected_rate(rows: Iterable[DoublyCoded], *, reps: int = REPS, seed: int | str = 0) -> CorrectedRate:
    """``mean(machine) + Σ_drawn (human - machine) / chance / N``, games resampled.

    Design-based supervised learning: Egami, Hinck, Stewart & Wei (2023), NeurIPS 36; with equal chances it is the
    prediction-powered mean of Angelopoulos et al. (2023), Science 382:669-674 (with N taken as the sum of
    ``1 / chance``, Hájek's form).

    Raises:
        UsageError: a drawn unit has no chance above 0 and up to 1, or nothing was drawn.
    """
    units = list(rows)
    wrong = [row.chance for row in units if row.human is not None and not 0 < row.chance <= 1]
    if wrong:
        raise UsageError(f"a drawn unit was drawn with a chance above 0 and up to 1, not {wrong[0]}")
    if not any(row.human is not None for row in units):
        raise UsageError("no unit was coded by people, so there is nothing to correct with; draw some at random")
    totals = totals_by(units, lambda row: row.game, _sums)
    figures: dict[str, Statistic] = {
        "machine": lambda sums: ratio(sums[0], sums[1]),
        "human": lambda sums: ratio(sums[2], sums[4]),
        "corrected": lambda sums: ratio(sums[0], sums[1]) + ratio(sums[3], sums[4]),
    }
    found = cluster_bootstraps(totals, figures, units=len(units), reps=reps, seed=seed)
    drawn = sum(row.human is not None for row in units)
    return CorrectedRate(found["machine"], replace(found["human"], units=drawn), found["corrected"])


def _sums(row: DoublyCoded) -> tuple[float, ...]:
    if row.human is None:
        return row.machine, 1.0, 0.0, 0.0, 0.0
    weight = 1 / row.chance
    return row.machine, 1.0, weight * row.human, weight * (row.human - row.machine), weight
