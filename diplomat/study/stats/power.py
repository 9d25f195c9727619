"""How many games a study needs: design effects, closed formulas and a simulation that plays the planned analysis."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil, sqrt
from random import Random

from diplomat.core.errors import UsageError
from diplomat.study.stats.intervals import NORMAL, critical, ratio


def design_effect(mean_size: float, icc: float) -> float:
    """``1 + (m̄ - 1)·ICC``: by how much clustering inflates a variance (Kish 1965, *Survey Sampling*, 5.4).

    >>> design_effect(21, 0.05)
    2.0
    """
    return 1 + (mean_size - 1) * icc


def effective_units(units: float, mean_size: float, icc: float) -> float:
    """How many independent units so many clustered ones are worth: ``n / (1 + (m̄ - 1)·ICC)``."""
    return units / design_effect(mean_size, icc)


def intraclass(clusters: Iterable[tuple[int, int]]) -> float:
    """The intraclass correlation of yes/no units, from hits and units of each cluster; see :func:`intraclass_within`.

    Raises:
        UsageError: there are fewer than two clusters, or none has two units.
    """
    return intraclass_within([clusters])


def intraclass_within(kinds: Iterable[Iterable[tuple[int, int]]]) -> float:
    """The intraclass correlation of yes/no units of one kind, from hits and units of each cluster; not below 0.

    Analysis-of-variance estimator ``(MSB - MSW) / (MSB + (m_0 - 1)·MSW)``: Donner & Klar (2000), *Design and Analysis
    of Cluster Randomization Trials*, ch. 1; Ridout, Demétrio & Firth (1999), Biometrics 55:137-148.  Sums of squares
    and their degrees of freedom are those within kinds, added up, so that kinds that differ do not make the units of
    a cluster look alike; a kind weighs by its clusters.

    Raises:
        UsageError: no kind has two clusters, or no cluster has two units.
    """
    between = within = size = 0.0
    apart = inside = 0
    for clusters in kinds:
        made = [(hits, units) for hits, units in clusters if units]
        if not made:
            continue
        total, hits = sum(units for _, units in made), sum(part for part, _ in made)
        squares = sum(part * part / units for part, units in made)
        between += squares - hits * hits / total
        within += hits - squares
        size += total - sum(units * units for _, units in made) / total
        apart += len(made) - 1
        inside += total - len(made)
    if not apart or not inside:
        raise UsageError("an intraclass correlation wants two clusters of one kind, and a cluster of two units")
    mean_between, mean_within = between / apart, within / inside
    return max(0.0, ratio(mean_between - mean_within, mean_between + (size / apart - 1) * mean_within))


def units_per_arm(first: float, second: float, power: float = 0.8, level: float = 0.95) -> float:
    """Independent units per arm to tell two proportions apart, two-sided.

    ``(z_α·sqrt(2p̄q̄) + z_β·sqrt(p₁q₁ + p₂q₂))² / (p₁ - p₂)²``: Fleiss, Levin & Paik (2003),
    *Statistical Methods for Rates and Proportions*, 4.2, without continuity correction.

    Raises:
        UsageError: the proportions are equal or outside 0 to 1, or power is outside 0 to 1.

    >>> round(units_per_arm(0.50, 0.75, power=0.90), 1)
    76.7
    """
    if not (0 <= first <= 1 and 0 <= second <= 1) or first == second or not 0 < power < 1:
        raise UsageError(
            f"two different shares and a power, all between 0 and 1, are wanted: {first}, {second}, {power}"
        )
    mean = (first + second) / 2
    under_null = critical(level) * sqrt(2 * mean * (1 - mean))
    under_effect = NORMAL.inv_cdf(power) * sqrt(first * (1 - first) + second * (1 - second))
    return float(((under_null + under_effect) / (first - second)) ** 2)


@dataclass(frozen=True, slots=True)
class Plan:
    """A planned comparison of two kinds of player, both sitting in every game."""

    first: float
    """Assumed share of broken promises of the one kind."""
    second: float
    per_game: float
    """Promises per game that each kind makes."""
    icc: float = 0.05
    """Correlation of promises of the same kind within a game."""
    level: float = 0.95


@dataclass(frozen=True, slots=True)
class PowerRow:
    """How likely the plan is to find its effect with so many games."""

    games: int
    power: float
    error: float
    """Standard error of the simulated power."""
    units_per_arm: float
    effective_per_arm: float


def games_needed(plan: Plan, power: float = 0.8) -> int:
    """Games by the closed formula: units per arm times the design effect, over promises per game.

    It takes the two kinds' shares in a game as unrelated; if games differ more than players do, fewer games suffice.
    """
    units = units_per_arm(plan.first, plan.second, power, plan.level) * design_effect(plan.per_game, plan.icc)
    return ceil(units / plan.per_game)


def simulated_power(
    plan: Plan, games: Sequence[int], *, studies: int = 400, seed: int | str = 0
) -> tuple[PowerRow, ...]:
    """Plays the planned study many times: beta-binomial promises, a paired test over games.

    In every game each kind's share is drawn from a beta distribution with the planned mean and ICC; the difference of
    hits per game is tested against 0 with a z over games, which promises somewhat too much below ten games.
    Deterministic by seed.

    Raises:
        UsageError: the plan promises nothing, or its ICC is outside 0 to 1.
    """
    if plan.per_game < 1 or not 0 <= plan.icc < 1:
        raise UsageError(f"at least one promise per game and an ICC from 0 to below 1 are wanted, not {plan}")
    rows: list[PowerRow] = []
    bar = critical(plan.level)
    for count in games:
        dice = Random(f"{seed}/{count}")
        found = sum(abs(_study(plan, count, dice)) > bar for _ in range(studies))
        share = found / studies
        units = count * plan.per_game
        worth = effective_units(units, plan.per_game, plan.icc)
        rows.append(PowerRow(count, share, sqrt(share * (1 - share) / studies), units, worth))
    return tuple(rows)


def _study(plan: Plan, games: int, dice: Random) -> float:
    """The z of one simulated study."""
    played = [(_hits(plan.first, plan, dice), _hits(plan.second, plan, dice)) for _ in range(games)]
    gaps = [one - other for one, other in played]
    mean = sum(gaps) / games
    spread = sum((gap - mean) ** 2 for gap in gaps) / (games - 1) if games > 1 else 0.0
    return mean / sqrt(spread / games) if spread else 0.0


def _hits(share: float, plan: Plan, dice: Random) -> int:
    drawn = share
    if plan.icc > 0 and 0 < share < 1:
        weight = 1 / plan.icc - 1
        drawn = dice.betavariate(share * weight, (1 - share) * weight)
    return sum(dice.random() < drawn for _ in range(round(plan.per_game)))
