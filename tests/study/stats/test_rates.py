"""Rates by message, promise and opportunity: denominators, both intervals, one loud seat, corrected labels."""

from __future__ import annotations

from math import isnan
from random import Random

import pytest

from diplomat.core.errors import UsageError
from diplomat.study.stats.correction import DoublyCoded, corrected_rate
from diplomat.study.stats.intervals import wilson
from diplomat.study.stats.rates import (
    Counted,
    Outcome,
    StatusRow,
    promise_counts,
    rate,
    rate_difference,
    rates_by_group,
    status_table,
)


def test_one_seat_that_makes_most_promises_is_seen() -> None:
    loud = [Counted("g0", "s1", 8, 8)]
    quiet = [Counted("g1", seat, 0, 1) for seat in ("s2", "s3")]
    found = rate(loud + quiet, "broken", "promise", reps=10)
    assert (found.rate, found.seat_mean, found.largest_share) == pytest.approx((0.8, 1 / 3, 0.8))
    assert [caution.code for caution in found.cautions] == ["few_games", "one_seat"]


def test_both_intervals_stand_side_by_side() -> None:
    rows = [Counted(f"g{game}", "s1", 10 * (game % 2), 10) for game in range(20)]
    found = rate(rows, "broken", "promise")
    score = wilson(100, 200)
    assert (found.wilson_low, found.wilson_high) == (score.low, score.high)
    assert found.cluster_high - found.cluster_low > 2 * (score.high - score.low)


@pytest.mark.parametrize(("hits", "codes"), [(0, ["all_alike"]), (10, ["all_alike"]), (9, [])])
def test_all_or_nothing_gives_the_interval_by_game_no_width_and_says_so(hits: int, codes: list[str]) -> None:
    rows = [Counted(f"g{game}", "s1", int(game * 10 < hits * 12), 1) for game in range(12)]
    found = rate(rows, "kept", "promise", reps=200)
    assert (found.cluster_low == found.cluster_high) == bool(codes)
    assert [caution.code for caution in found.cautions] == codes
    assert found.wilson_high - found.wilson_low > 0.1


def test_rates_of_one_game_have_no_interval_by_game() -> None:
    found = rate([Counted("g", "s1", 8, 9), Counted("g", "s2", 0, 2)], "kept", "promise", reps=20)
    assert all(map(isnan, (found.cluster_low, found.cluster_high, found.seat_mean_low, found.seat_mean_high)))
    assert found.rate == pytest.approx(8 / 11)
    assert found.wilson_low < found.rate < found.wilson_high
    assert "one_game" in [caution.code for caution in found.cautions]


def test_seats_without_units_have_no_rate_of_their_own() -> None:
    found = rate([Counted("g", "s1", 1, 2), Counted("g", "s2", 0, 0)], "broken", "promise", reps=10)
    assert (found.seats, found.seat_mean) == (1, 0.5)
    assert isnan(rate([], "broken", "promise", reps=10).rate)


def test_per_message_and_per_opportunity_can_turn_the_picture_round() -> None:
    # The quiet schemer withholds: few messages, each a lie, but few lies per chance to speak.
    messages = [Counted("g", "open", 4, 40, "open"), Counted("g", "quiet", 2, 4, "quiet")]
    chances = [Counted("g", "open", 4, 20, "open"), Counted("g", "quiet", 2, 20, "quiet")]
    by_message = {row.group: row.rate for row in rates_by_group(messages, "lies", "message", reps=5)}
    by_chance = {row.group: row.rate for row in rates_by_group(chances, "lies", "opportunity", reps=5)}
    assert by_message["open"] < by_message["quiet"]
    assert by_chance["open"] > by_chance["quiet"]


OUTCOMES = [
    Outcome("g", "s1", "kept", binding=True),
    Outcome("g", "s1", "kept", binding=False),
    Outcome("g", "s1", "broken", binding=None),
    Outcome("g", "s2", "void", "condition_unmet"),
    Outcome("g", "s2", "pending"),
]


def test_every_promise_is_in_exactly_one_row_of_the_table() -> None:
    table = status_table(OUTCOMES)
    assert sum(row.promises for row in table) == len(OUTCOMES)
    assert StatusRow("", "kept", "", 2, 1, 1, 0) in table
    assert StatusRow("", "void", "condition_unmet", 1, 0, 0, 1) in table


def test_promises_kept_for_free_do_not_count_and_are_counted_out() -> None:
    counted, left = promise_counts(OUTCOMES)
    assert counted == [Counted("g", "s1", 1, 2)]
    assert left == {"not_binding": 1, "void": 1, "pending": 1}
    everything, left = promise_counts(OUTCOMES, binding_only=False)
    assert (everything, left) == ([Counted("g", "s1", 1, 3)], {"void": 1, "pending": 1})


def test_groups_of_one_game_are_resampled_together() -> None:
    rows = [
        Counted(f"g{game}", seat, hits + 4 * (game % 2), 10, seat)
        for game in range(20)
        for seat, hits in (("a", 3), ("b", 1))
    ]
    found = rate_difference(rows, "broken", "a", "b", reps=200)
    assert (found.difference, found.low, found.high) == pytest.approx((0.2, 0.2, 0.2))
    assert isnan(rate_difference([], "broken", "a", "b").difference)


def labelled(bias: float, games: int = 60) -> tuple[list[DoublyCoded], float]:
    """Units whose program says yes too often; every fifth is drawn for people."""
    dice = Random(f"coded {bias}")
    rows, truth = [], 0
    for game in range(games):
        for at in range(40):
            real = dice.random() < 0.2
            machine = real or dice.random() < bias
            truth += real
            drawn = at % 5 == 0
            rows.append(DoublyCoded(f"g{game}", machine, float(real) if drawn else None, 0.2))
    return rows, truth / len(rows)


def test_a_programs_bias_is_taken_off() -> None:
    rows, truth = labelled(0.25)
    found = corrected_rate(rows, reps=400)
    assert found.machine.low > truth
    assert found.corrected.low < truth < found.corrected.high
    assert found.human.units == len(rows) // 5


def test_a_perfect_program_is_left_alone_and_narrows_the_interval() -> None:
    rows, truth = labelled(0.0)
    found = corrected_rate(rows, reps=400)
    assert found.corrected.estimate == pytest.approx(truth)
    assert found.corrected.width < found.human.width


def test_chances_of_being_drawn_weigh_the_units() -> None:
    rows = [DoublyCoded("g", 0.0, 1.0, 0.5), DoublyCoded("g", 0.0, 0.0, 1.0), DoublyCoded("g", 0.0)]
    assert corrected_rate(rows, reps=5).human.estimate == pytest.approx(2 / 3)


@pytest.mark.parametrize(
    ("row", "said"),
    [(DoublyCoded("g", 1.0), "nothing to correct"), (DoublyCoded("g", 1.0, 1.0, 0.0), "chance above 0")],
)
def test_nothing_drawn_or_drawn_by_no_chance_is_refused(row: DoublyCoded, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        corrected_rate([row])


def test_an_undefined_rate_is_nan_not_zero() -> None:
    assert isnan(rate([Counted("g", "s", 0, 0)], "broken", "promise", reps=5).rate)
    assert rate([Counted("g", "s", 0, 1)], "broken", "promise", reps=5).rate == 0
