"""Dealing labels again: Fisher's tea, blocks that keep their own, exact and drawn deals agreeing."""

from __future__ import annotations

from random import Random

import pytest

from diplomat.core.errors import UsageError
from diplomat.study.stats.multiplicity import holm
from diplomat.study.stats.permutation import Assigned, permutation_test


def cups(right: int) -> list[Assigned]:
    """Eight cups, four with milk first; she names ``right`` of the four."""
    milk = [Assigned("tea", "milk", float(at < right)) for at in range(4)]
    return milk + [Assigned("tea", "tea", float(at >= right)) for at in range(4)]


@pytest.mark.parametrize(("right", "p_value"), [(4, 2 / 70), (3, 34 / 70), (2, 1.0)])
def test_the_lady_tasting_tea(right: int, p_value: float) -> None:
    found = permutation_test(cups(right))
    assert found.p_value == pytest.approx(p_value)
    assert (found.deals, found.exact) == (70, True)
    assert found.observed == pytest.approx(right / 4 - (4 - right) / 4)


def test_labels_never_leave_their_game() -> None:
    kind = [Assigned("kind", label, 0) for label in ("a", "a", "a", "b")]
    cruel = [Assigned("cruel", label, 1) for label in ("a", "b", "b", "b")]
    found = permutation_test(kind + cruel)
    assert found.observed == pytest.approx(-0.5)
    assert found.p_value == 1.0


def test_drawn_deals_agree_with_all_deals() -> None:
    dice = Random("deals")
    rows = [Assigned(f"g{game}", label, float(dice.random() < 0.4)) for game in range(4) for label in "aabb"]
    exact = permutation_test(rows)
    wide = [*rows, *(Assigned(f"x{game}", label, 0.5) for game in range(6) for label in "aabb")]
    drawn = permutation_test(wide, reps=4000)
    assert (exact.exact, drawn.exact) == (True, False)
    assert drawn.p_value == pytest.approx(exact.p_value, abs=0.04)
    assert permutation_test(wide, reps=500) == permutation_test(wide, reps=500)


def test_large_tables_are_shuffled() -> None:
    rows = [Assigned(f"g{game}", f"m{at % 4}", float(at % 4 == 0)) for game in range(3) for at in range(16)]
    found = permutation_test(rows, reps=300)
    assert found.p_value == pytest.approx(1 / 301)
    assert found.labels == ("m0", "m1", "m2", "m3")
    assert found.shares == (1.0, 0.0, 0.0, 0.0)


def test_a_false_alarm_comes_as_often_as_it_should() -> None:
    dice = Random("null")
    alarms = 0
    for study in range(200):
        rows = [Assigned(f"g{game}", label, float(dice.random() < 0.3)) for game in range(8) for label in "aabb"]
        alarms += permutation_test(rows, reps=99, seed=study).p_value <= 0.1
    assert 5 <= alarms <= 35


def test_games_with_one_label_are_named_as_idle() -> None:
    found = permutation_test([*cups(4), Assigned("all", "milk", 1), Assigned("all", "milk", 0)])
    assert [(caution.code, caution.facts["idle"]) for caution in found.cautions] == [("idle_blocks", 1)]


def test_one_label_is_no_comparison() -> None:
    with pytest.raises(UsageError, match="two labels"):
        permutation_test([Assigned("g", "a", 1)])


def test_holm_as_in_the_worked_example() -> None:
    assert holm({"a": 0.01, "b": 0.04, "c": 0.03, "d": 0.005}) == pytest.approx(
        {"a": 0.03, "b": 0.06, "c": 0.06, "d": 0.02}
    )
    assert holm({"a": 0.9, "b": 0.8}) == {"a": 1.0, "b": 1.0}
    assert holm({}) == {}
