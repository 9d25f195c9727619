"""Pairs: reciprocity that a kind game does not fake, tit for tat, honesty against strength."""

from __future__ import annotations

from math import isnan
from random import Random

import pytest

from diplomat.study.stats.dyads import Directed, Move, Played, honesty_against_strength, reciprocity, tit_for_tat

SEATS = "abcde"


def pairs(games: int, returned: bool, seed: str = "pairs") -> list[Directed]:
    """Games in which a pair's kept share is returned, or in which each direction is its own."""
    dice = Random(seed)
    rows = []
    for game in range(games):
        for at, one in enumerate(SEATS):
            for other in SEATS[at + 1 :]:
                first = dice.randint(0, 10)
                second = first if returned else dice.randint(0, 10)
                rows += [Directed(f"g{game}", one, other, first, 10), Directed(f"g{game}", other, one, second, 10)]
    return rows


def test_returned_keeping_is_found() -> None:
    found = reciprocity(pairs(12, returned=True), reps=199)
    assert found.correlation == pytest.approx(1)
    assert found.p_value == pytest.approx(1 / 200)
    assert (found.pairs, found.games, found.cautions) == (120, 12, ())


def test_directions_that_go_their_own_ways_are_not() -> None:
    found = reciprocity(pairs(12, returned=False), reps=199)
    assert abs(found.correlation) < 0.25
    assert found.p_value > 0.05


def test_a_kind_game_beside_a_cruel_one_is_no_reciprocity() -> None:
    rows = [
        Directed(game, one, other, hits, 10)
        for game, hits in (("kind", 10), ("cruel", 0))
        for one in SEATS
        for other in SEATS
        if one != other
    ]
    assert isnan(reciprocity(rows, reps=9).correlation)


def test_one_direction_alone_is_no_pair() -> None:
    assert isnan(reciprocity([Directed("g", "a", "b", 1, 1)]).p_value)


def test_breaking_answers_breaking_one_point_later() -> None:
    moves = []
    for game in range(12):
        for t in range(1, 6):
            moves.append(Move(f"g{game}", t, "a", "b", broke=t == 2))
            moves.append(Move(f"g{game}", t, "b", "a", broke=t == 3))
    found = tit_for_tat(moves, reps=50)
    kept, broke = found.rows
    # b answers each breach; a breaks once unprovoked and keeps on keeping after b's.
    assert (broke.before, broke.units, broke.rate) == ("broke", 24, 0.5)
    assert (kept.units, kept.rate) == pytest.approx((72, 1 / 6))
    assert found.difference.estimate == pytest.approx(1 / 3)
    assert found.unanswered == 24


def test_one_broken_promise_at_a_point_makes_the_point_broken() -> None:
    moves = [Move("g", 1, "a", "b", False), Move("g", 1, "a", "b", True), Move("g", 2, "b", "a", True)]
    kept, broke = tit_for_tat(moves, reps=5).rows
    assert (kept.units, broke.units, broke.rate) == (0, 1, 1.0)


def test_lying_that_pays_is_found_within_games() -> None:
    dice = Random("pay")
    rows = [
        Played(f"g{game}", seat, "liar" if seat < "c" else "honest", kept, 10, 100 * game - kept + dice.random())
        for game in range(12)
        for seat in SEATS
        for kept in (dice.randint(0, 10),)
    ]
    found = honesty_against_strength(rows, reps=199)
    assert found.correlation < -0.9
    assert found.p_value == pytest.approx(1 / 200)
    assert [(row.agent, row.seats, row.games) for row in found.agents] == [("honest", 36, 12), ("liar", 24, 12)]


def test_seats_without_a_resolved_promise_have_strength_but_no_honesty() -> None:
    rows = [Played("g", "a", "mute", 0, 0, 5.0), Played("g", "b", "x", 1, 2, 3.0), Played("g", "c", "x", 2, 2, 1.0)]
    found = honesty_against_strength(rows, reps=9)
    mute = found.agents[0]
    assert isnan(mute.honesty.estimate)
    assert mute.strength.estimate == 5.0
    assert found.seats == 2
    assert [caution.code for caution in found.cautions] == ["one_game"]
