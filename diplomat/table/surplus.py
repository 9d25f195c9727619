"""What is too much in one reply is left out, and how much that was is said to whoever sent it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import TypeVar

from diplomat.core.menus import Problem

MOST_MESSAGES = 20
"""Messages that are looked at in one reply; the first one more goes back and says how many were left out."""
MOST_PLEDGES = 12
"""Pledges that are looked at in one message; the first one more goes back and says how many were left out."""
LONGEST_COUNT = 12
"""Digits of a count in a log: no player can hand over a million million things."""

T = TypeVar("T")


class Cut(tuple[T, ...]):
    """The first things of a list that may be endless, and how long that list was.

    >>> cut = Cut("ab", whole=1000)
    >>> cut, whole(cut), whole(("a", "b"))
    (('a', 'b'), 1000, 2)
    """

    whole: int

    def __new__(cls, things: Iterable[T], whole: int) -> Cut[T]:
        """Keeps ``things``, the first of ``whole``."""
        made = super().__new__(cls, things)
        made.whole = whole
        return made


def cut(things: list[T] | tuple[T, ...], most: int) -> tuple[T, ...]:
    """The first ``most`` of the things and one more, for what goes back; the rest is only counted.

    >>> cut(("a", "b", "c", "d"), 2), whole(cut(("a", "b", "c", "d"), 2))
    (('a', 'b', 'c'), 4)
    """
    kept = tuple(islice(things, most + 1))
    # A player's own kind of list may say anything about its length.
    length = list.__len__(things) if isinstance(things, list) else tuple.__len__(things)
    return Cut(kept, length) if length > len(kept) else kept


def whole(things: Sequence[object]) -> int:
    """How many things were handed over, those that were cut off included."""
    return things.whole if isinstance(things, Cut) else len(things)


def messages_left_out(count: int) -> Problem:
    """Why the first message above the limit goes back: it and all after it, ``count`` of them, are left out."""
    return Problem("messages_left_out", {"limit": str(MOST_MESSAGES), "count": str(count)})


def pledges_left_out(count: int) -> Problem:
    """Why the first pledge above the limit goes back: it and all after it, ``count`` of them, are left out."""
    return Problem("pledges_left_out", {"limit": str(MOST_PLEDGES), "count": str(count)})


def claimed(problem: Problem, fact: str = "count") -> int:
    """How many things a recorded problem says were too many; 1 if it says nothing that could be true.

    Only the player knows the number, so a log is taken at its word, in the one form in which it is written.

    >>> [claimed(Problem("", {"count": text})) for text in ("5", "05", "-5", "0", "five", "9" * 5000)]
    [5, 1, 1, 1, 1, 1]
    """
    text = str(problem.facts.get(fact, ""))
    if len(text) > LONGEST_COUNT or not (text.isascii() and text.isdecimal()) or text.startswith("0"):
        return 1
    return int(text)
