"""Rates per message, per promise and per opportunity, with both intervals side by side, pooled and per seat."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import nan
from typing import Literal

from diplomat.study.stats.bootstrap import REPS, cluster_bootstrap, cluster_bootstraps, totals_by
from diplomat.study.stats.cautions import Caution
from diplomat.study.stats.intervals import ratio, wilson

Denominator = Literal["message", "promise", "opportunity"]

DOMINANT = 0.5
"""From this share of all units in one seat on, a pooled rate is mostly about that seat."""


@dataclass(frozen=True, slots=True)
class Counted:
    """How often one seat of one game did it, out of how many times it could have."""

    game: str
    seat: str
    hits: int
    units: int
    group: str = ""
    """What is compared: model, profile, condition.  Empty for everybody together."""


@dataclass(frozen=True, slots=True)
class RateRow:
    """One rate of one group, with everything that should be printed beside it."""

    measure: str
    per: Denominator
    group: str
    hits: int
    units: int
    games: int
    seats: int
    rate: float
    wilson_low: float
    wilson_high: float
    cluster_low: float
    """``nan`` where all units are of one game, as all bounds that resample games."""
    cluster_high: float
    seat_mean: float
    """Mean of the seats' own rates: one seat counts as one, however much it talked."""
    seat_mean_low: float
    seat_mean_high: float
    largest_share: float
    """Share of all units that the busiest seat made."""
    cautions: tuple[Caution, ...] = ()


def rate(
    rows: Iterable[Counted], measure: str, per: Denominator, group: str = "", *, reps: int = REPS, seed: int | str = 0
) -> RateRow:
    """One rate: Wilson's interval (rows independent), games resampled, and the mean of seats with games resampled.

    The pooled rate is the ratio estimator ``Σ hits / Σ units`` (Cochran 1977, *Sampling Techniques*, ch. 6).  Seats
    without a unit have no rate of their own and are left out of ``seat_mean`` and of ``seats``.  Neither interval is
    always the wider: resampled games all hit or all miss where every unit did, which is no certainty.
    """
    counted = [row for row in rows if row.units]
    hits, units = sum(row.hits for row in counted), sum(row.units for row in counted)
    score = wilson(hits, units)
    totals = totals_by(counted, lambda row: row.game, lambda row: (row.hits, row.units, row.hits / row.units, 1))
    found = cluster_bootstraps(totals, {"pooled": _pooled, "mean": _mean}, units=units, reps=reps, seed=seed)
    pooled, means = found["pooled"], found["mean"]
    largest = max((row.units for row in counted), default=0)
    cautions = pooled.cautions
    if units and hits in (0, units) and len(totals) > 1:
        cautions += (Caution("all_alike", {"hits": hits, "units": units}),)
    if units and len(counted) > 1 and largest / units >= DOMINANT:
        cautions += (Caution("one_seat", {"percent": round(100 * largest / units)}),)
    return RateRow(
        measure=measure,
        per=per,
        group=group,
        hits=hits,
        units=units,
        games=len(totals),
        seats=len(counted),
        rate=score.estimate,
        wilson_low=score.low,
        wilson_high=score.high,
        cluster_low=pooled.low,
        cluster_high=pooled.high,
        seat_mean=means.estimate,
        seat_mean_low=means.low,
        seat_mean_high=means.high,
        largest_share=ratio(largest, units),
        cautions=cautions,
    )


def rates_by_group(
    rows: Iterable[Counted], measure: str, per: Denominator, *, reps: int = REPS, seed: int | str = 0
) -> tuple[RateRow, ...]:
    """One rate per group, in the order of their names."""
    groups: dict[str, list[Counted]] = {}
    for row in rows:
        groups.setdefault(row.group, []).append(row)
    return tuple(rate(groups[name], measure, per, name, reps=reps, seed=seed) for name in sorted(groups))


def _pooled(sums: Sequence[float]) -> float:
    return ratio(sums[0], sums[1])


def _mean(sums: Sequence[float]) -> float:
    return ratio(sums[2], sums[3])


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one promise ended."""

    game: str
    seat: str
    """Who made it."""
    status: str
    """``kept``, ``broken``, ``void``, ``pending``, ``untestable``, ``untracked``."""
    reason: str = ""
    """Why it is void."""
    binding: bool | None = None
    """Whether keeping and breaking were both possible; ``None`` where nobody looked."""
    group: str = ""


@dataclass(frozen=True, slots=True)
class StatusRow:
    """How many promises of a group ended in one way."""

    group: str
    status: str
    reason: str
    promises: int
    binding: int
    not_binding: int
    binding_unknown: int


def status_table(outcomes: Iterable[Outcome]) -> tuple[StatusRow, ...]:
    """All promises by group, status and reason; every promise is in exactly one row."""
    counts: dict[tuple[str, str, str], Counter[bool | None]] = {}
    for row in outcomes:
        counts.setdefault((row.group, row.status, row.reason), Counter())[row.binding] += 1
    return tuple(
        StatusRow(*key, found.total(), found[True], found[False], found[None]) for key, found in sorted(counts.items())
    )


def promise_counts(
    outcomes: Iterable[Outcome], hit: str = "broken", *, binding_only: bool = True
) -> tuple[list[Counted], Mapping[str, int]]:
    """Promises that were kept or broken as counts per seat and group, and how many were left out, by why.

    ``binding_only`` leaves out those that could not have been broken (or not have been kept), since they are kept for
    free; where nobody looked (``None``) they stay in.
    """
    made: dict[tuple[str, str, str], list[int]] = {}
    left: Counter[str] = Counter()
    for row in outcomes:
        if row.status not in ("kept", "broken"):
            left[row.status] += 1
        elif binding_only and row.binding is False:
            left["not_binding"] += 1
        else:
            kept = made.setdefault((row.game, row.seat, row.group), [0, 0])
            kept[0] += row.status == hit
            kept[1] += 1
    return [Counted(game, seat, hits, units, group) for (game, seat, group), (hits, units) in made.items()], dict(left)


@dataclass(frozen=True, slots=True)
class Compared:
    """Two groups' rates against each other."""

    measure: str
    first: str
    second: str
    difference: float
    low: float
    high: float
    games: int
    cautions: tuple[Caution, ...] = ()


def rate_difference(
    rows: Iterable[Counted], measure: str, first: str, second: str, *, reps: int = REPS, seed: int | str = 0
) -> Compared:
    """First group's pooled rate less the second's, games resampled (both groups of a game come together)."""
    both = [row for row in rows if row.group in (first, second)]
    totals: dict[Hashable, tuple[float, ...]] = totals_by(
        both,
        lambda row: row.game,
        lambda row: (row.hits, row.units, 0, 0) if row.group == first else (0, 0, row.hits, row.units),
    )
    if not totals:
        return Compared(measure, first, second, nan, nan, nan, 0)
    found = cluster_bootstrap(
        totals, lambda sums: ratio(sums[0], sums[1]) - ratio(sums[2], sums[3]), reps=reps, seed=seed
    )
    return Compared(measure, first, second, found.estimate, found.low, found.high, found.games, found.cautions)
