"""Named dice: every throw is a pure function of the game's seed and the throw's name.

No stream has a position, so a game resumed anywhere throws exactly what it would have thrown.
Give every throw a name that occurs once (``exchange/s2/r3``); the same name gives the same throw.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

T = TypeVar("T")


class Die:
    """One named throw or a short run of them.

    Only ``random.Random.random`` is used underneath: it is the one method whose sequence Python
    promises to keep between versions.
    """

    __slots__ = ("_random",)

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed).random

    def fraction(self) -> float:
        """A number in [0, 1)."""
        return self._random()

    def below(self, limit: int) -> int:
        """A whole number in [0, limit); ``limit`` must be positive."""
        if limit < 1:
            raise ValueError(f"below() needs a positive limit, got {limit}")
        return int(self._random() * limit)

    def chance(self, probability: float) -> bool:
        """True with the given probability."""
        return self._random() < probability

    def pick(self, items: Sequence[T]) -> T:
        """One of the items, each equally likely; IndexError when there are none."""
        return items[int(self._random() * len(items))]

    def shuffled(self, items: Sequence[T]) -> tuple[T, ...]:
        """The items in random order (Fisher–Yates)."""
        deck = list(items)
        for last in range(len(deck) - 1, 0, -1):
            other = int(self._random() * (last + 1))
            deck[last], deck[other] = deck[other], deck[last]
        return tuple(deck)


@dataclass(frozen=True, slots=True)
class Dice:
    """All the dice of one game, from one seed.

    >>> Dice("7").die("first").below(100) == Dice("7").die("first").below(100)
    True
    """

    seed: str

    def die(self, name: str) -> Die:
        """The die of that name, always at its beginning."""
        digest = hashlib.sha256(f"{self.seed}/{name}".encode()).digest()
        return Die(int.from_bytes(digest[:16], "big"))


def commitment(seed: str, nonce: str) -> str:
    """What is published before the game so that the seed can be checked after it.

    The nonce (random, sealed with the seed) keeps a short seed from being guessed by trying all.
    """
    return hashlib.sha256(f"{nonce}:{seed}".encode()).hexdigest()
