"""How long a word or an alliance lasts: Kaplan-Meier, and cumulative incidence where it can also become void.

Time is counted in decision points.  A promise that became void can no longer be broken: counting it as merely not seen
to the end would overstate breaking, so it competes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import exp, isnan, log, nan, sqrt
from typing import Literal

from diplomat.core.errors import UsageError
from diplomat.study.stats.intervals import critical

End = Literal["event", "competing", "censored"]
"""``event``: it happened (broken).  ``competing``: it no longer can (void).  ``censored``: not seen to its end."""


@dataclass(frozen=True, slots=True)
class Lifetime:
    """How long one was watched, and how that ended."""

    time: float
    end: End = "event"
    game: str = ""


@dataclass(frozen=True, slots=True)
class SurvivalRow:
    """One step of the curve."""

    time: float
    at_risk: int
    events: int
    competing: int
    censored: int
    hazard: float
    """Events over those at risk: the discrete-time hazard."""
    survival: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class IncidenceRow:
    """One step of the cumulative incidence of the event and of what competes with it."""

    time: float
    at_risk: int
    event: float
    event_low: float
    event_high: float
    competing: float
    free: float
    """Share to which neither has happened; the three add up to 1."""


def kaplan_meier(lives: Iterable[Lifetime], level: float = 0.95) -> tuple[SurvivalRow, ...]:
    """``S(t) = Π (1 - d_i / n_i)`` at every time at which something ended.

    Kaplan & Meier (1958), JASA 53:457-481.  Variance after Greenwood (1926); bounds on the log-log scale (Kalbfleisch &
    Prentice 1980), which stay within 0 and 1.  Competing ends are taken as censored here; see :func:`incidence`.  The
    bounds take lives as independent.

    Raises:
        UsageError: a time is negative.
    """
    z = critical(level)
    survival, spread = 1.0, 0.0
    rows: list[SurvivalRow] = []
    for time, at_risk, events, competing, censored in _steps(lives):
        survival *= 1 - events / at_risk
        spread += events / (at_risk * (at_risk - events)) if at_risk > events else nan
        low, high = _log_log(survival, spread, z)
        rows.append(SurvivalRow(time, at_risk, events, competing, censored, events / at_risk, survival, low, high))
    return tuple(rows)


def median_time(rows: Sequence[SurvivalRow]) -> float:
    """The first time at which at most half survive; ``nan`` if the curve never falls that far."""
    return next((row.time for row in rows if row.survival <= 0.5), nan)


def incidence(lives: Iterable[Lifetime], level: float = 0.95) -> tuple[IncidenceRow, ...]:
    """``F_k(t) = Σ S(t_i-) · d_ki / n_i``: how likely each end is by ``t`` when either can come first.

    Aalen & Johansen (1978), Scandinavian Journal of Statistics 5:141-150; variance after Aalen (1978) as written by
    Pintilie (2006), *Competing Risks*, ch. 4; bounds on the log-log scale, lives taken as independent.
    """
    z = critical(level)
    free, event, competing = 1.0, 0.0, 0.0
    steps: list[tuple[float, int, int, int, float, float]] = []
    rows: list[IncidenceRow] = []
    for time, at_risk, events, others, _ in _steps(lives):
        before = free
        event += before * events / at_risk
        competing += before * others / at_risk
        free *= 1 - (events + others) / at_risk
        steps.append((time, at_risk, events, others, before, event))
        low, high = _incidence_bounds(event, _aalen(steps, event), z)
        rows.append(IncidenceRow(time, at_risk, event, low, high, competing, free))
    return tuple(rows)


def _aalen(steps: Sequence[tuple[float, int, int, int, float, float]], now: float) -> float:
    total = 0.0
    for _, at_risk, events, others, before, reached in steps:
        ended = events + others
        gone = now - reached
        if at_risk > 1:
            total += gone * gone * (ended / ((at_risk - 1) * (at_risk - ended)) if at_risk > ended else 0.0)
            total += before * before * events * (at_risk - events) / (at_risk * at_risk * (at_risk - 1))
            if at_risk > ended:
                total -= 2 * gone * before * events * (at_risk - events) / (at_risk * (at_risk - ended) * (at_risk - 1))
    return max(total, 0.0)


def _steps(lives: Iterable[Lifetime]) -> list[tuple[float, int, int, int, int]]:
    """Time, at risk, events, competing ends, censored: one entry per time at which anything ended."""
    tally: dict[float, dict[End, int]] = {}
    watched = 0
    for life in lives:
        if not life.time >= 0:
            raise UsageError(f"a lifetime is 0 or more decision points, not {life.time}")
        ends = tally.setdefault(life.time, {"event": 0, "competing": 0, "censored": 0})
        ends[life.end] += 1
        watched += 1
    steps: list[tuple[float, int, int, int, int]] = []
    for time in sorted(tally):
        ends = tally[time]
        steps.append((time, watched, ends["event"], ends["competing"], ends["censored"]))
        watched -= sum(ends.values())
    return steps


def _log_log(share: float, spread: float, z: float) -> tuple[float, float]:
    """Bounds of a survival share; ``spread`` is Greenwood's sum."""
    if share >= 1 or share <= 0 or isnan(spread):
        return (1.0, 1.0) if share >= 1 else (nan, nan)
    reach = z * sqrt(spread) / log(share)
    return share ** exp(-reach), share ** exp(reach)


def _incidence_bounds(share: float, variance: float, z: float) -> tuple[float, float]:
    if not 0 < share < 1:
        return share, share
    reach = z * sqrt(variance) / (share * log(share))
    return share ** exp(-reach), share ** exp(reach)
