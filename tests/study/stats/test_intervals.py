"""Wilson's interval against Newcombe's table; resampling games against theory; the same seed, the same bounds."""

from __future__ import annotations

from math import isnan, sqrt

import pytest

from diplomat.core.errors import UsageError
from diplomat.study.stats import bootstrap
from diplomat.study.stats.bootstrap import cluster_bootstrap, difference, row_bootstrap, totals_by
from diplomat.study.stats.intervals import quantile, wilson


@pytest.mark.parametrize(
    ("hits", "units", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_wilson_as_in_newcombe_1998(hits: int, units: int, low: float, high: float) -> None:
    found = wilson(hits, units)
    assert (found.low, found.high) == pytest.approx((low, high), abs=0.00005)


def test_wilson_of_nothing_is_not_defined_and_of_all_ends_at_one() -> None:
    assert isnan(wilson(0, 0).estimate)
    assert not wilson(0, 0).defined
    assert wilson(7, 7).high == 1.0


@pytest.mark.parametrize(("hits", "units"), [(3, 2), (-1, 4)])
def test_more_hits_than_units_is_refused(hits: int, units: int) -> None:
    with pytest.raises(UsageError, match="no proportion"):
        wilson(hits, units)


def test_quantiles_have_linear_steps() -> None:
    assert [quantile([1, 2, 3, 4, 5], share) for share in (0, 0.1, 0.5, 1)] == [1, 1.4, 3, 5]
    assert isnan(quantile([], 0.5))


def test_independent_resampling_has_the_binomial_width() -> None:
    rows = [1] * 120 + [0] * 280
    found = row_bootstrap(rows, lambda row: (row, 1), reps=4000)
    half = 1.96 * sqrt(0.3 * 0.7 / 400)
    assert found.estimate == 0.3
    assert (found.low, found.high) == pytest.approx((0.3 - half, 0.3 + half), abs=0.006)


def test_games_that_hang_together_widen_the_interval_by_the_design_effect() -> None:
    rows = [(game, game % 2) for game in range(40) for _ in range(25)]
    games = cluster_bootstrap(totals_by(rows, lambda row: row[0], lambda row: (row[1], 1)), reps=4000)
    alone = row_bootstrap(rows, lambda row: (row[1], 1), reps=400)
    assert games.width / alone.width == pytest.approx(sqrt(25), rel=0.1)
    assert (games.units, games.games, alone.games) == (40, 40, 0)


def test_the_same_seed_gives_the_same_bounds_and_another_seed_others() -> None:
    totals = {game: (game % 3, 3) for game in range(12)}
    first, again, other = (cluster_bootstrap(totals, seed=seed, reps=200) for seed in (1, 1, 2))
    assert first == again
    assert (first.low, first.high) == pytest.approx((0.19375, 0.4722222222222222))
    assert (other.low, other.high) != (first.low, first.high)


def test_groups_that_come_back_share_their_draws_and_large_sets_do_not_pile_up(monkeypatch: pytest.MonkeyPatch) -> None:
    def measure_groups() -> None:
        for games in range(11, 18):
            cluster_bootstrap(dict.fromkeys(range(games), (1, 2)), reps=10)

    bootstrap._small.cache_clear()
    for _ in range(3):
        measure_groups()
    assert bootstrap._small.cache_info().misses == 7
    monkeypatch.setattr(bootstrap, "SMALL", 100)
    bootstrap._large.cache_clear()
    measure_groups()
    assert bootstrap._large.cache_info().misses == 7
    assert bootstrap._large.cache_info().currsize == 2


def test_below_ten_games_a_caution_travels_with_the_interval() -> None:
    nine, ten = (dict.fromkeys(range(count), (1, 2)) for count in (9, 10))
    assert [caution.code for caution in cluster_bootstrap(nine, reps=10).cautions] == ["few_games"]
    assert cluster_bootstrap(ten, reps=10).cautions == ()


def test_resamples_without_a_figure_are_counted_not_hidden() -> None:
    totals = {**dict.fromkeys(range(11), (0.0, 0.0)), 99: (1.0, 2.0)}
    found = cluster_bootstrap(totals, reps=500)
    assert 0 < found.undefined < 500
    assert "undefined_draws" in [caution.code for caution in found.cautions]
    assert (found.low, found.high) == (0.5, 0.5)


def test_one_game_has_a_figure_and_no_interval() -> None:
    found = cluster_bootstrap({"g": (8, 9)}, reps=50)
    assert found.estimate == pytest.approx(8 / 9)
    assert isnan(found.low)
    assert isnan(found.high)
    assert [caution.code for caution in found.cautions] == ["one_game"]


def test_no_games_no_figure() -> None:
    assert isnan(cluster_bootstrap({}).estimate)


def test_a_difference_is_resampled_as_one_figure() -> None:
    totals = dict.fromkeys(range(20), (1, 2, 1, 4))
    found = cluster_bootstrap(totals, difference, reps=50)
    assert (found.estimate, found.low, found.high) == (0.25, 0.25, 0.25)


@pytest.mark.parametrize(("reps", "level"), [(0, 0.95), (10, 1.0)])
def test_senseless_settings_are_refused(reps: int, level: float) -> None:
    with pytest.raises(UsageError):
        cluster_bootstrap({1: (1, 2)}, reps=reps, level=level)
