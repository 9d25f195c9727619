"""The test that assignment itself justifies: we dealt the profiles or models to seats, so we may deal them again.

Labels are shuffled over the seats of each block (a game, or games matched by seed), never across blocks, so what a game
or a starting position does to everybody in it cancels out.  Fisher (1935), *The Design of Experiments*; Rosenbaum
(2002), *Observational Studies*, ch. 2; the Monte-Carlo p-value counts the observed deal among the draws (Phipson &
Smyth 2010, Statistical Applications in Genetics and Molecular Biology 9:39).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from math import factorial, inf, isnan, nan, prod
from random import Random

from diplomat.core.errors import UsageError
from diplomat.study.stats.cautions import Caution
from diplomat.study.stats.intervals import ratio

EXACT = 20_000
"""Up to this many deals are all looked at."""
LISTED = 200
"""Up to this many deals of one block are listed once and then drawn from; larger blocks are shuffled."""
SLACK = 1e-12
"""Figures this close are taken as equal: sums come in another order in every deal."""


@dataclass(frozen=True, slots=True)
class Assigned:
    """One seat: the block it was dealt in, what it was dealt, and what it did."""

    block: str
    label: str
    hits: float
    units: float = 1.0


@dataclass(frozen=True, slots=True)
class Permuted:
    """A permutation test's result."""

    observed: float
    """Two labels: first less second, in the order of ``labels``.  More: spread of the shares between labels."""
    p_value: float
    labels: tuple[str, ...]
    shares: tuple[float, ...]
    deals: int
    """Deals looked at."""
    exact: bool
    blocks: int
    cautions: tuple[Caution, ...] = ()


def permutation_test(rows: Iterable[Assigned], *, reps: int = 4999, seed: int | str = 0) -> Permuted:
    """Two-sided test that the label makes no difference to the share ``hits / units``.

    With two labels the figure is the difference of the pooled shares; with more it is the sum over labels of
    ``units · (share - pooled share)²``.

    Raises:
        UsageError: there are fewer than two labels, or fewer than one resample.
    """
    blocks: dict[str, list[Assigned]] = {}
    for row in rows:
        blocks.setdefault(row.block, []).append(row)
    labels = tuple(sorted({row.label for seats in blocks.values() for row in seats}))
    if len(labels) < 2:
        raise UsageError(f"a comparison needs two labels at least; here is {', '.join(labels) or 'none'}")
    if reps < 1:
        raise UsageError(f"{reps} deals give no p-value; 4999 is usual")
    place = {label: at for at, label in enumerate(labels)}
    tables = [_Block(seats, place) for seats in blocks.values()]
    sums = _added([table.observed for table in tables])
    observed = _figure(sums)
    count = prod(table.deals for table in tables) if all(table.deals < EXACT for table in tables) else inf
    exact = count <= EXACT
    draws = _every(tables) if exact else _drawn(tables, reps, Random(str(seed)))
    extreme = seen = 0
    bar = abs(observed) - SLACK
    for total in draws:
        value = _figure(total)
        seen += 1
        extreme += isnan(value) or abs(value) >= bar
    idle = sum(table.deals == 1 for table in tables)
    cautions = (Caution("idle_blocks", {"idle": idle, "blocks": len(tables)}),) if idle else ()
    shares = tuple(ratio(sums[2 * at], sums[2 * at + 1]) for at in range(len(labels)))
    p_value = nan if isnan(observed) else (extreme / seen if exact else (extreme + 1) / (seen + 1))
    return Permuted(observed, p_value, labels, shares, seen, exact, len(tables), cautions)


class _Block:
    """One block's seats, and what each of its deals would sum to."""

    def __init__(self, seats: Sequence[Assigned], place: dict[str, int]) -> None:
        self.seats = seats
        self.dealt = [place[row.label] for row in seats]
        self.width = 2 * len(place)
        self.observed = self.sums(self.dealt)
        times = [self.dealt.count(at) for at in set(self.dealt)]
        self.deals = factorial(len(seats)) // prod(map(factorial, times))
        self._listed: list[tuple[float, ...]] | None = None

    def sums(self, dealt: Sequence[int]) -> tuple[float, ...]:
        """Hits and units of each label, side by side."""
        total = [0.0] * self.width
        for row, at in zip(self.seats, dealt, strict=True):
            total[2 * at] += row.hits
            total[2 * at + 1] += row.units
        return tuple(total)

    def listed(self) -> list[tuple[float, ...]]:
        """The sums of every different deal."""
        if self._listed is None:
            self._listed = [self.sums(dealt) for dealt in _arrangements(tuple(sorted(self.dealt)))]
        return self._listed

    def shuffled(self, dice: Random) -> tuple[float, ...]:
        """The sums of one deal, each as likely as any other."""
        dealt = list(self.dealt)
        dice.shuffle(dealt)
        return self.sums(dealt)


@lru_cache(maxsize=4096)
def _arrangements(items: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """All different orders of sorted items in which some are alike, each once, in dictionary order."""
    return tuple(_orders(list(items)))


def _orders(items: list[int]) -> Iterator[tuple[int, ...]]:
    while True:
        yield tuple(items)
        at = len(items) - 2
        while at >= 0 and items[at] >= items[at + 1]:
            at -= 1
        if at < 0:
            return
        other = len(items) - 1
        while items[other] <= items[at]:
            other -= 1
        items[at], items[other] = items[other], items[at]
        items[at + 1 :] = reversed(items[at + 1 :])


def _every(blocks: Sequence[_Block]) -> Iterator[list[float]]:
    return (_added(parts) for parts in product(*(block.listed() for block in blocks)))


def _drawn(blocks: Sequence[_Block], reps: int, dice: Random) -> Iterator[list[float]]:
    chance = dice.random
    listed = [(block, block.listed() if block.deals <= LISTED else None) for block in blocks]
    for _ in range(reps):
        yield _added([deals[int(chance() * len(deals))] if deals else block.shuffled(dice) for block, deals in listed])


def _added(parts: Sequence[Sequence[float]]) -> list[float]:
    return [sum(column) for column in zip(*parts, strict=True)]


def _figure(sums: Sequence[float]) -> float:
    if len(sums) == 4:
        return ratio(sums[0], sums[1]) - ratio(sums[2], sums[3])
    pooled = ratio(sum(sums[::2]), sum(sums[1::2]))
    parts = zip(sums[::2], sums[1::2], strict=True)
    return sum(units * (hits / units - pooled) ** 2 for hits, units in parts if units)
