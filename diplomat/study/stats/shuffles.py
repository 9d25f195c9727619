"""Shuffles within a game: what a figure would be under another order of its seats, quick for a thousand games."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import permutations
from math import factorial
from random import Random
from typing import Generic, TypeVar

Item = TypeVar("Item")

LISTED = 200
"""Up to this many orders are measured once and drawn from; longer lists are shuffled and measured each time."""


class Shuffles(Generic[Item]):
    """All orders of one game's items, each as likely as any other, and what each of them counts for."""

    def __init__(self, items: Sequence[Item], measure: Callable[[Sequence[Item]], tuple[float, ...]]) -> None:
        self._items = list(items)
        self._measure = measure
        few = factorial(len(self._items)) <= LISTED
        self._listed = [measure(order) for order in permutations(self._items)] if few else []

    def draw(self, dice: Random) -> tuple[float, ...]:
        """What one order counts for."""
        if self._listed:
            return self._listed[int(dice.random() * len(self._listed))]
        return self._measure(dice.sample(self._items, len(self._items)))


def added(parts: Sequence[tuple[float, ...]]) -> list[float]:
    """Sums of what all games count for."""
    return [sum(column) for column in zip(*parts, strict=True)]
