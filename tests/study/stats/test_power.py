"""Planning: R's worked example, the design effect, and a simulation that agrees with the closed formula."""

from __future__ import annotations

import pytest

from diplomat.core.errors import UsageError
from diplomat.study.stats.power import (
    Plan,
    design_effect,
    effective_units,
    games_needed,
    intraclass,
    intraclass_within,
    simulated_power,
    units_per_arm,
)


def test_units_per_arm_as_in_rs_power_prop_test() -> None:
    assert units_per_arm(0.50, 0.75, power=0.90) == pytest.approx(76.7, abs=0.05)


def test_a_design_effect_of_two_halves_what_units_are_worth() -> None:
    assert design_effect(21, 0.05) == 2.0
    assert effective_units(420, 21, 0.05) == 210


def test_intraclass_correlation_of_games_that_are_all_or_nothing_is_one() -> None:
    assert intraclass([(5, 5), (0, 5), (5, 5), (0, 5)]) == pytest.approx(1)
    assert intraclass([(2, 4), (2, 4), (2, 4)]) == 0
    # By hand: two clusters of four with 3 and 1 hits; MSB = 0.5, MSW = 0.25.
    assert intraclass([(3, 4), (1, 4)]) == pytest.approx(0.25 / (0.5 + 3 * 0.25))


def test_kinds_that_differ_do_not_make_the_units_of_a_cluster_alike() -> None:
    liars, honest = [(1, 10), (2, 10), (1, 10), (0, 10)], [(9, 10), (10, 10), (9, 10), (8, 10)]
    assert intraclass([*liars, *honest]) > 0.6
    assert intraclass_within([liars, honest]) == 0
    assert intraclass_within([[(3, 4), (1, 4)]] * 2) == intraclass([(3, 4), (1, 4)])


@pytest.mark.parametrize("clusters", [[(1, 2)], [(1, 1), (0, 1)], []])
def test_too_little_for_an_intraclass_correlation_is_refused(clusters: list[tuple[int, int]]) -> None:
    with pytest.raises(UsageError, match="two clusters"):
        intraclass(clusters)


def test_simulation_and_formula_agree() -> None:
    plan = Plan(0.2, 0.35, per_game=6, icc=0.1)
    games = games_needed(plan, 0.8)
    (found,) = simulated_power(plan, [games], studies=300)
    assert found.power == pytest.approx(0.8, abs=0.08)
    assert simulated_power(plan, [games], studies=300) == (found,)


def test_without_an_effect_the_study_finds_one_only_by_chance() -> None:
    (found,) = simulated_power(Plan(0.3, 0.3, per_game=5), [40], studies=300)
    assert found.power < 0.1


def test_more_clustering_needs_more_games() -> None:
    assert games_needed(Plan(0.2, 0.3, 10, icc=0.2)) > 1.5 * games_needed(Plan(0.2, 0.3, 10, icc=0.0))


def test_senseless_plans_are_refused() -> None:
    with pytest.raises(UsageError, match="different shares"):
        units_per_arm(0.5, 0.5)
    with pytest.raises(UsageError, match="ICC"):
        simulated_power(Plan(0.2, 0.3, 5, icc=1.0), [10])
