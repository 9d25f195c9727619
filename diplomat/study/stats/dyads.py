"""Pairs of seats: is keeping returned, is breaking paid back, and does it pay to be honest."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import isnan, nan, sqrt
from operator import mul
from random import Random

from diplomat.study.stats.bootstrap import REPS, Statistic, cluster_bootstraps, totals_by
from diplomat.study.stats.cautions import Caution, few_games
from diplomat.study.stats.intervals import Interval, ratio
from diplomat.study.stats.shuffles import Shuffles, added

SLACK = 1e-12


@dataclass(frozen=True, slots=True)
class Directed:
    """What one seat did to another over a game: promises kept (or broken) of those that ended."""

    game: str
    actor: str
    other: str
    hits: int
    units: int


@dataclass(frozen=True, slots=True)
class Reciprocity:
    """How alike both directions of a pair are."""

    correlation: float
    p_value: float
    pairs: int
    games: int
    cautions: tuple[Caution, ...] = ()


def reciprocity(rows: Iterable[Directed], *, reps: int = 1999, seed: int | str = 0) -> Reciprocity:
    """Correlation of ``i → j`` with ``j → i`` within games, and its p-value when seats change their names.

    Rates are centred within each game, so a kind game is no reciprocity.  The p-value is that of the quadratic
    assignment procedure (Krackhardt 1988, Social Networks 10:359-381): in every game the seats of one of the two
    directions are relabelled at random, rows and columns together, since pairs with a common seat are not independent.
    Two-sided; only pairs with both directions count.
    """
    games: dict[str, dict[tuple[str, str], float]] = {}
    for row in rows:
        if row.units and row.actor != row.other:
            games.setdefault(row.game, {})[row.actor, row.other] = row.hits / row.units
    tables = [_centred(rates) for rates in games.values()]
    seats = [sorted({seat for pair in table for seat in pair}) for table in tables]
    as_named = [_mirror(table, names, names) for table, names in zip(tables, seats, strict=True)]
    observed, pairs = _correlation(as_named), int(sum(part[3] for part in as_named)) // 2
    if pairs < 2:
        return Reciprocity(nan, nan, pairs, len(games), few_games(len(games)))
    dice = Random(str(seed))
    deals = [Shuffles(names, _relabelled(table, names)) for table, names in zip(tables, seats, strict=True)]
    extreme = 0
    for _ in range(reps):
        value = _correlation([deal.draw(dice) for deal in deals])
        extreme += isnan(value) or abs(value) >= abs(observed) - SLACK
    p_value = nan if isnan(observed) else (extreme + 1) / (reps + 1)
    return Reciprocity(observed, p_value, pairs, len(games), few_games(len(games)))


def _centred(rates: Mapping[tuple[str, str], float]) -> dict[tuple[str, str], float]:
    mean = sum(rates.values()) / len(rates)
    return {pair: value - mean for pair, value in rates.items()}


def _relabelled(
    table: Mapping[tuple[str, str], float], names: Sequence[str]
) -> Callable[[Sequence[str]], tuple[float, ...]]:
    return lambda dealt: _mirror(table, names, dealt)


def _mirror(
    table: Mapping[tuple[str, str], float], names: Sequence[str], dealt: Sequence[str]
) -> tuple[float, float, float, float]:
    """Sums of products, of both squares, and the number of directions that have a counterpart."""
    called = dict(zip(names, dealt, strict=True))
    both = one = other = count = 0.0
    for (actor, target), value in table.items():
        back = table.get((called[target], called[actor]))
        if back is not None:
            both += value * back
            one += value * value
            other += back * back
            count += 1
    return both, one, other, count


def _correlation(parts: Sequence[tuple[float, ...]]) -> float:
    if not parts:
        return nan
    both, one, other, _ = added(parts)
    return ratio(both, sqrt(one * other))


@dataclass(frozen=True, slots=True)
class Move:
    """What one seat did to another at one decision point."""

    game: str
    t: int
    actor: str
    other: str
    broke: bool


@dataclass(frozen=True, slots=True)
class LagRow:
    """How often a seat breaks now, by what the other did to it just before."""

    before: str
    """``kept`` or ``broke``."""
    units: int
    rate: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class TitForTat:
    """Lag-one reciprocity: the table, and the difference between its two rows."""

    rows: tuple[LagRow, ...]
    difference: Interval
    unanswered: int
    """Moves without one of the other's at the decision point before; they say nothing about paying back."""


def tit_for_tat(moves: Iterable[Move], *, reps: int = REPS, seed: int | str = 0) -> TitForTat:
    """``P(break at t | other broke at t-1)`` against ``P(break at t | other kept at t-1)``, games resampled.

    Several promises at one decision point count as broken if one of them was.  A difference is no proof of paying
    back: a pair at odds breaks in both directions anyway.
    """
    acts: dict[tuple[str, int, str, str], bool] = {}
    for move in moves:
        key = (move.game, move.t, move.actor, move.other)
        acts[key] = acts.get(key, False) or move.broke
    paired: list[tuple[str, bool, bool]] = []
    unanswered = 0
    for (game, t, actor, other), broke in acts.items():
        before = acts.get((game, t - 1, other, actor))
        if before is None:
            unanswered += 1
        else:
            paired.append((game, before, broke))
    totals = totals_by(paired, lambda pair: pair[0], _lagged)
    figures: dict[str, Statistic] = {
        "kept": _part(2),
        "broke": _part(0),
        "gap": lambda sums: _part(0)(sums) - _part(2)(sums),
    }
    found = cluster_bootstraps(totals, figures, units=len(paired), reps=reps, seed=seed)
    rows = []
    for name, at in (("kept", 3), ("broke", 1)):
        count = int(sum(sums[at] for sums in totals.values()))
        rows.append(LagRow(name, count, found[name].estimate, found[name].low, found[name].high))
    gap = found["gap"]
    return TitForTat(tuple(rows), gap, unanswered)


def _lagged(pair: tuple[str, bool, bool]) -> tuple[float, ...]:
    _, before, broke = pair
    return (float(broke), 1.0, 0.0, 0.0) if before else (0.0, 0.0, float(broke), 1.0)


def _part(at: int) -> Callable[[Sequence[float]], float]:
    return lambda sums: ratio(sums[at], sums[at + 1])


@dataclass(frozen=True, slots=True)
class Played:
    """One seat of one game: who sat there, how it kept its word, how strongly it played."""

    game: str
    seat: str
    agent: str
    kept: int
    resolved: int
    """Promises that ended kept or broken."""
    strength: float
    """The game's own measure of success, e.g. share of the points."""


@dataclass(frozen=True, slots=True)
class HonestyRow:
    """One agent as a point: honesty across, strength up."""

    agent: str
    seats: int
    games: int
    honesty: Interval
    strength: Interval


@dataclass(frozen=True, slots=True)
class HonestyStrength:
    """Honesty against strength: agents as points, seats as a test."""

    agents: tuple[HonestyRow, ...]
    correlation: float
    """Rank correlation of kept share and strength between the seats of a game, over all games."""
    p_value: float
    seats: int
    """Seats with at least one resolved promise."""
    games: int
    cautions: tuple[Caution, ...] = ()


def honesty_against_strength(rows: Iterable[Played], *, reps: int = 1999, seed: int | str = 0) -> HonestyStrength:
    """Agents' kept share and strength with games resampled, and a within-game rank test of whether they go together.

    The figure is Spearman's (1904): ranks within each game, centred there, correlated over all games.  The p-value
    shuffles strength among the seats of each game (two-sided).  Success and honesty stay two axes: no score adds them.
    """
    every = list(rows)
    agents: dict[str, list[Played]] = {}
    for row in every:
        agents.setdefault(row.agent, []).append(row)
    points = tuple(_point(name, agents[name], reps, seed) for name in sorted(agents))
    games: dict[str, list[Played]] = {}
    for row in every:
        if row.resolved:
            games.setdefault(row.game, []).append(row)
    ranked = [
        (_ranks([row.kept / row.resolved for row in seats]), _ranks([row.strength for row in seats]))
        for seats in games.values()
    ]
    # Shuffling leaves the spreads as they are, so only the products are drawn.
    spread = sqrt(
        sum(rank * rank for honest, _ in ranked for rank in honest)
        * sum(rank * rank for _, strong in ranked for rank in strong)
    )
    observed = ratio(sum(_product(honest)(strong)[0] for honest, strong in ranked), spread)
    dice = Random(str(seed))
    deals = [Shuffles(strong, _product(honest)) for honest, strong in ranked]
    extreme = 0
    for _ in range(reps if spread else 0):
        extreme += abs(sum(deal.draw(dice)[0] for deal in deals)) / spread >= abs(observed) - SLACK
    p_value = nan if isnan(observed) else (extreme + 1) / (reps + 1)
    seats = sum(len(seats) for seats in games.values())
    return HonestyStrength(points, observed, p_value, seats, len(games), few_games(len(games)))


def _point(agent: str, rows: Sequence[Played], reps: int, seed: int | str) -> HonestyRow:
    totals = totals_by(rows, lambda row: row.game, lambda row: (row.kept, row.resolved, row.strength, 1))
    found = cluster_bootstraps(
        totals, {"honesty": _part(0), "strength": _part(2)}, units=len(rows), reps=reps, seed=seed
    )
    honesty = replace(found["honesty"], units=sum(row.resolved for row in rows))
    return HonestyRow(agent, len(rows), len(totals), honesty, found["strength"])


def _ranks(values: Sequence[float]) -> list[float]:
    """Ranks from 1, ties sharing their mean, centred on their mean."""
    middle = (len(values) + 1) / 2
    return [
        sum(other < value for other in values) + (sum(other == value for other in values) + 1) / 2 - middle
        for value in values
    ]


def _product(honest: Sequence[float]) -> Callable[[Sequence[float]], tuple[float, ...]]:
    return lambda strong: (sum(map(mul, honest, strong)),)
