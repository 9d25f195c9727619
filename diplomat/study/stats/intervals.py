"""Intervals around a proportion, and the record that every interval of this package comes in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import floor, isnan, nan, sqrt
from statistics import NormalDist

from diplomat.core.errors import UsageError
from diplomat.study.stats.cautions import Caution

NORMAL = NormalDist()


@dataclass(frozen=True, slots=True)
class Interval:
    """An estimate with its bounds; ``nan`` where it is not defined (nothing to divide by)."""

    estimate: float
    low: float
    high: float
    method: str
    units: int
    """Rows that went in."""
    games: int = 0
    """Clusters that went in; 0 if rows were taken as independent."""
    level: float = 0.95
    undefined: int = 0
    """Resamples in which the figure was not defined; they are left out of the bounds."""
    cautions: tuple[Caution, ...] = ()

    @property
    def width(self) -> float:
        """Upper less lower bound."""
        return self.high - self.low

    @property
    def defined(self) -> bool:
        """Whether there is an estimate at all."""
        return not isnan(self.estimate)


def ratio(hits: float, units: float) -> float:
    """``hits / units``; ``nan`` where nothing was counted.

    >>> ratio(1, 4)
    0.25
    """
    return hits / units if units else nan


def critical(level: float) -> float:
    """The two-sided normal quantile of a confidence level.

    Raises:
        UsageError: the level is not between 0 and 1.

    >>> round(critical(0.95), 3)
    1.96
    """
    if not 0 < level < 1:
        raise UsageError(f"a confidence level lies between 0 and 1, not {level}; 0.95 is usual")
    return NORMAL.inv_cdf((1 + level) / 2)


def wilson(hits: int, units: int, level: float = 0.95) -> Interval:
    """The score interval of a proportion, for rows that are independent of each other.

    ``(p + z²/2n ± z·sqrt(p(1-p)/n + z²/4n²)) / (1 + z²/n)``: Wilson (1927), JASA 22:209-212; advised by Newcombe
    (1998), Statistics in Medicine 17:857-872, method 3.

    Raises:
        UsageError: there are more hits than units, or fewer than none.
    """
    if not 0 <= hits <= units:
        raise UsageError(f"{hits} hits of {units} is no proportion")
    if units == 0:
        return Interval(nan, nan, nan, "wilson", 0, level=level)
    z = critical(level)
    share, square = hits / units, z * z
    middle = share + square / (2 * units)
    reach = z * sqrt(share * (1 - share) / units + square / (4 * units * units))
    scale = 1 + square / units
    # At the ends one bound is the end itself; rounding would leave a speck beside it.
    low = 0.0 if hits == 0 else (middle - reach) / scale
    high = 1.0 if hits == units else (middle + reach) / scale
    return Interval(share, low, high, "wilson", units, level=level)


def quantile(ordered: Sequence[float], share: float) -> float:
    """The quantile of sorted values with linear steps between them (Hyndman & Fan 1996, type 7).

    >>> quantile([1.0, 2.0, 3.0, 4.0], 0.5)
    2.5
    """
    if not ordered:
        return nan
    place = share * (len(ordered) - 1)
    below = floor(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (place - below) * (ordered[above] - ordered[below])
