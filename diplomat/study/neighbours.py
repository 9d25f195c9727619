"""Which neighbours in the order of kept promises differ, so that an order is not read as more than it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import isnan, nan

from diplomat.study.stats.intervals import ratio
from diplomat.study.stats.multiplicity import holm
from diplomat.study.stats.permutation import Assigned, permutation_test
from diplomat.study.stats.rates import Counted


@dataclass(frozen=True, slots=True)
class NeighbourRow:
    """Two groups next to each other in the order of kept promises, compared in the games in which both sit."""

    first: str
    """The one that keeps more of all its promises."""
    second: str
    difference: float
    """First's rate less the second's in these games; ``nan`` where one has no promise there."""
    games: int
    p_value: float
    """Labels dealt anew among their seats of each game."""
    p_holm: float
    """Corrected for testing all neighbours."""


def neighbours(counted: Sequence[Counted], deals: int, seed: str) -> tuple[NeighbourRow, ...]:
    """All neighbours from the most to the least kept; none where there are fewer than three groups.

    Two groups are what the test of all labels compares.

    Args:
        counted: promises kept, seat by seat.
        deals: looked at for each pair.
        seed: of the deals.
    """
    hits: dict[str, int] = {}
    units: dict[str, int] = {}
    for row in counted:
        hits[row.group] = hits.get(row.group, 0) + row.hits
        units[row.group] = units.get(row.group, 0) + row.units
    order = sorted((name for name in units if units[name]), key=lambda name: (-ratio(hits[name], units[name]), name))
    if len(order) < 3:
        return ()
    rows = [_compared(counted, first, second, deals, seed) for first, second in pairwise(order)]
    corrected = holm({row.first: row.p_value for row in rows if not isnan(row.p_value)})
    return tuple(replace(row, p_holm=corrected.get(row.first, nan)) for row in rows)


def _compared(counted: Sequence[Counted], first: str, second: str, deals: int, seed: str) -> NeighbourRow:
    sat = {name: {row.game for row in counted if row.group == name} for name in (first, second)}
    both = sat[first] & sat[second]
    if not both:
        return NeighbourRow(first, second, nan, 0, nan, nan)
    dealt = [
        Assigned(row.game, row.group, row.hits, row.units)
        for row in counted
        if row.game in both and row.group in (first, second)
    ]
    test = permutation_test(dealt, reps=deals, seed=seed)
    shares = dict(zip(test.labels, test.shares, strict=True))
    return NeighbourRow(first, second, shares[first] - shares[second], test.blocks, test.p_value, nan)
