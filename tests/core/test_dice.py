"""Named dice: the same name gives the same throw, different names differ, and all are fair."""

from __future__ import annotations

import math
from collections import Counter

import pytest

from diplomat.core.dice import Dice, Die, commitment

THROWS = 6_000
FIRST = [27, 67, 77, 88, 51]


def _spread(counts: Counter[object], expected: float) -> float:
    """Chi-squared against equal shares."""
    return sum((count - expected) ** 2 / expected for count in counts.values())


def test_a_name_gives_the_same_throws_every_time() -> None:
    one, other = Dice("7").die("a"), Dice("7").die("a")
    assert [one.below(1000) for _ in range(20)] == [other.below(1000) for _ in range(20)]


@pytest.mark.parametrize(
    ("one", "other"), [(("7", "a"), ("7", "b")), (("7", "a"), ("8", "a")), (("7", "1/a"), ("7/1", "x"))]
)
def test_other_names_and_seeds_give_other_throws(one: tuple[str, str], other: tuple[str, str]) -> None:
    left, right = (Dice(seed).die(name) for seed, name in (one, other))
    assert [left.below(1000) for _ in range(10)] != [right.below(1000) for _ in range(10)]


def test_first_throws_are_known_for_ever() -> None:
    die = Dice("7").die("first")
    assert [die.below(100) for _ in range(5)] == FIRST
    assert Dice("7").die("deck").shuffled("abcdef") == ("d", "c", "a", "e", "f", "b")


def test_below_is_fair() -> None:
    counts: Counter[object] = Counter(Dice("fair").die(f"{n}").below(6) for n in range(THROWS))
    assert set(counts) == set(range(6))
    assert _spread(counts, THROWS / 6) < 25


def test_pick_is_fair_within_one_die() -> None:
    die = Dice("fair").die("pick")
    counts: Counter[object] = Counter(die.pick("abc") for _ in range(THROWS))
    assert _spread(counts, THROWS / 3) < 20


def test_every_order_of_a_shuffle_is_equally_likely() -> None:
    counts: Counter[object] = Counter(Dice("fair").die(f"{n}").shuffled("abc") for n in range(THROWS))
    assert len(counts) == 6
    assert _spread(counts, THROWS / 6) < 25


def test_a_shuffle_keeps_everything() -> None:
    deck = ["a", "a", "b", "c"]
    assert sorted(Die(1).shuffled(deck)) == deck
    assert Die(1).shuffled([]) == ()


def test_chance_and_fraction() -> None:
    die = Die(1)
    assert all(0 <= die.fraction() < 1 for _ in range(100))
    assert sum(die.chance(0.25) for _ in range(THROWS)) == pytest.approx(THROWS / 4, abs=4 * math.sqrt(THROWS) / 2)
    assert not die.chance(0)
    assert die.chance(1)


@pytest.mark.parametrize("limit", [0, -1])
def test_below_needs_a_positive_limit(limit: int) -> None:
    with pytest.raises(ValueError, match="positive"):
        Die(1).below(limit)


def test_nothing_can_be_picked_from_nothing() -> None:
    with pytest.raises(IndexError):
        Die(1).pick([])


def test_commitment_binds_seed_and_nonce() -> None:
    made = commitment("7", "n")
    assert made == commitment("7", "n")
    assert len({made, commitment("8", "n"), commitment("7", "m")}) == 3
    assert len(made) == 64
