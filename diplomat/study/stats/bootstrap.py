"""Resampling whole games: the interval that stays honest when one game's messages, promises and seats hang together.

Every figure of this package that gets such an interval is a function of *totals*: sums over rows (hits and units, the
cells of a confusion table, a coincidence matrix).  So each game is summed once, and a resample only adds games up.
A thousand games take a second.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from math import isnan, nan
from operator import itemgetter
from random import Random
from typing import Any, TypeVar

from diplomat.core.errors import UsageError
from diplomat.study.stats.cautions import Caution, few_games
from diplomat.study.stats.intervals import Interval, critical, quantile, ratio

Row = TypeVar("Row")
Totals = tuple[float, ...]
Statistic = Callable[[Sequence[float]], float]

Pick = Callable[[Sequence[float]], tuple[float, ...]]

REPS = 2000
SMALL = 400_000
"""Games times resamples up to which a set of draws is small (3 MB)."""


def totals_by(
    rows: Iterable[Row], cluster: Callable[[Row], Hashable], measure: Callable[[Row], Sequence[float]]
) -> dict[Hashable, Totals]:
    """Sums of what each row counts for, per cluster, in the order in which clusters first appear."""
    sums: dict[Hashable, list[float]] = {}
    for row in rows:
        counted = measure(row)
        kept = sums.setdefault(cluster(row), [0.0] * len(counted))
        if len(kept) != len(counted):
            raise UsageError(f"one row counts for {len(kept)} figures, another for {len(counted)}")
        for at, value in enumerate(counted):
            kept[at] += value
    return {name: tuple(values) for name, values in sums.items()}


def share(totals: Sequence[float]) -> float:
    """The statistic of totals (hits, units): their ratio."""
    return ratio(totals[0], totals[1])


def difference(totals: Sequence[float]) -> float:
    """The statistic of totals (hits, units, hits of the other, units of the other): one share less the other."""
    return ratio(totals[0], totals[1]) - ratio(totals[2], totals[3])


def cluster_bootstrap(
    totals: Mapping[Any, Sequence[float]],
    statistic: Statistic = share,
    *,
    units: int | None = None,
    reps: int = REPS,
    seed: int | str = 0,
    level: float = 0.95,
) -> Interval:
    """The percentile interval of a statistic when clusters are drawn with replacement.

    Efron & Tibshirani (1993), *An Introduction to the Bootstrap*, ch. 13 (percentile interval); Field & Welsh (2007),
    JRSS B 69:369-390 (resampling clusters).  The same seed gives the same bounds on every machine.

    Args:
        totals: per cluster, the sums that the statistic is computed from.
        statistic: the figure, from the sum over all clusters.
        units: how many rows went in, if the record should say so.
        reps: resamples.
        seed: of the draws.
        level: confidence level.

    Returns:
        Bounds are ``nan`` where there is one cluster: nothing shows how clusters differ.

    Raises:
        UsageError: fewer than one resample, or a level outside 0 to 1.
    """
    return cluster_bootstraps(totals, {"": statistic}, units=units, reps=reps, seed=seed, level=level)[""]


def cluster_bootstraps(
    totals: Mapping[Any, Sequence[float]],
    statistics: Mapping[str, Statistic],
    *,
    units: int | None = None,
    reps: int = REPS,
    seed: int | str = 0,
    level: float = 0.95,
) -> dict[str, Interval]:
    """Several figures of the same totals from the same resamples; see :func:`cluster_bootstrap`."""
    critical(level)
    if reps < 1:
        raise UsageError(f"{reps} resamples give no interval; {REPS} is usual")
    games = len(totals)
    counted = units if units is not None else games
    if games == 0:
        nothing = Interval(nan, nan, nan, "bootstrap", counted, 0, level, cautions=few_games(0))
        return dict.fromkeys(statistics, nothing)
    columns = list(zip(*totals.values(), strict=True))
    if games == 1:
        sums = [sum(column) for column in columns]
        return {
            name: Interval(statistic(sums), nan, nan, "bootstrap", counted, 1, level, cautions=few_games(1))
            for name, statistic in statistics.items()
        }
    drawn = list(_draws(columns, games, reps, str(seed)))
    found: dict[str, Interval] = {}
    for name, statistic in statistics.items():
        defined = sorted(value for value in map(statistic, drawn) if not isnan(value))
        lost = reps - len(defined)
        cautions = few_games(games) + ((Caution("undefined_draws", {"lost": lost, "reps": reps}),) if lost else ())
        low, high = quantile(defined, (1 - level) / 2), quantile(defined, (1 + level) / 2)
        estimate = statistic([sum(column) for column in columns])
        found[name] = Interval(estimate, low, high, "bootstrap", counted, games, level, lost, cautions)
    return found


def _draws(columns: Sequence[Sequence[float]], games: int, reps: int, seed: str) -> Iterator[list[float]]:
    kept = _small if games * reps <= SMALL else _large
    for pick in kept(games, reps, seed):
        yield [sum(pick(column)) for column in columns]


def _picks(games: int, reps: int, seed: str) -> tuple[Pick, ...]:
    """What takes the drawn games out of a column, resample by resample; drawing takes longer than adding up.

    Several figures of one study draw from equally many games with one seed, so that they have the same draws.
    """
    dice, everyone = Random(seed), list(range(games))
    return tuple(itemgetter(*dice.choices(everyone, k=games)) for _ in range(reps))


# Groups have different numbers of games and come back measure by measure: a few sets serve them all, of some MB each.
_small, _large = lru_cache(maxsize=8)(_picks), lru_cache(maxsize=2)(_picks)


def row_bootstrap(
    rows: Iterable[Row],
    measure: Callable[[Row], Sequence[float]],
    statistic: Statistic = share,
    *,
    reps: int = REPS,
    seed: int | str = 0,
    level: float = 0.95,
) -> Interval:
    """The interval that takes every row as independent: shown beside the clustered one so that the difference is seen.

    Efron (1979), Annals of Statistics 7:1-26.
    """
    totals: dict[Hashable, Totals] = {at: tuple(measure(row)) for at, row in enumerate(rows)}
    found = cluster_bootstrap(totals, statistic, reps=reps, seed=seed, level=level)
    lost = tuple(caution for caution in found.cautions if caution.code == "undefined_draws")
    return Interval(found.estimate, found.low, found.high, "independent", len(totals), 0, level, found.undefined, lost)
