"""Neighbours in the order of kept promises: compared where both sit, corrected for all pairs."""

from __future__ import annotations

from math import isnan

import pytest

from diplomat.study.neighbours import neighbours
from diplomat.study.stats.rates import Counted


def seats(kept: dict[str, int], games: int = 12, of: int = 10) -> list[Counted]:
    return [Counted(f"g{game}", name, count, of, name) for game in range(games) for name, count in kept.items()]


def test_neighbours_that_differ_are_told_from_those_that_do_not() -> None:
    first, second = neighbours(seats({"liar": 2, "loyal": 9, "honest": 9}), 999, "0")
    assert (first.first, first.second, first.difference) == ("honest", "loyal", 0)
    assert first.p_holm == 1
    assert (second.first, second.second, second.games) == ("loyal", "liar", 12)
    assert second.difference == pytest.approx(0.7)
    assert second.p_value < second.p_holm < 0.01


def test_who_never_sits_together_is_not_compared() -> None:
    apart = [*seats({"a": 9}), *[Counted(f"other{at}", "b", 8, 10, "b") for at in range(5)], *seats({"c": 1})]
    first, second = neighbours(apart, 99, "0")
    assert (first.first, first.second, first.games) == ("a", "b", 0)
    assert isnan(first.p_value)
    assert isnan(first.p_holm)
    assert (second.first, second.second, second.games) == ("b", "c", 0)


def test_two_groups_have_the_test_of_all_and_those_without_promises_no_place() -> None:
    assert neighbours(seats({"a": 9, "b": 1}), 99, "0") == ()
    mute = [Counted("g0", "s9", 0, 0, "mute")]
    assert neighbours([*seats({"a": 9, "b": 1}), *mute], 99, "0") == ()


def test_only_games_in_which_both_sit_are_compared() -> None:
    alone = [Counted(f"alone{at}", "honest", 0, 10, "honest") for at in range(2)]
    first, *_ = neighbours([*seats({"honest": 9, "loyal": 7, "liar": 1}), *alone], 99, "0")
    assert (first.first, first.second, first.games) == ("honest", "loyal", 12)
    assert first.difference == pytest.approx(0.2)
