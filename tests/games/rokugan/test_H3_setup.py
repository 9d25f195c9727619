# ruff: noqa: N999 (the file is named after the chapter of the rules)
"""House H3: setup."""

from __future__ import annotations

from collections import Counter

import pytest

from diplomat.games.rokugan.board import Control
from diplomat.games.rokugan.content import BLUFF, cards, objectives, token_set
from diplomat.games.rokugan.events import (
    ControlPlaced,
    FirstPlayerDrawn,
    ObjectiveDealt,
    RoundBegan,
    TerritoryCardLaid,
)

from .kit import MAP, SEATS, A, B, C, D, Play, capital, code, hidden_from, lands, pools, scene, shadowlands


def test_H3_1_each_capital_gets_one_facedown_token() -> None:
    board = Play("lion", "crane", "phoenix").board
    assert board.control == {
        capital("lion"): Control(A, facedown=1, faceup=0),
        capital("crane"): Control(B, facedown=1, faceup=0),
        capital("phoenix"): Control(C, facedown=1, faceup=0),
    }


def test_H3_2_the_dice_draw_the_first_player() -> None:
    firsts = Counter(Play(seats=3, seed=str(seed)).of(FirstPlayerDrawn)[0].seat for seed in range(40))
    assert set(firsts) == {A, B, C}
    assert Play(seats=3, seed="5").of(FirstPlayerDrawn) == Play(seats=3, seed="5").of(FirstPlayerDrawn)


def test_H3_2_the_first_player_of_setup_is_first_in_round_1() -> None:
    for seed in "abcdef":
        play = Play(seats=4, seed=seed).until("prepare")
        assert play.of(RoundBegan)[0].first == play.of(FirstPlayerDrawn)[0].seat


@pytest.mark.parametrize(
    ("first", "order"), [(A, [A, B, C, D]), (B, [B, C, D, A]), (C, [C, D, A, B]), (D, [D, A, B, C])]
)
def test_H3_2_the_order_is_the_seat_order(first: str, order: list[str]) -> None:
    board = scene("lion", "crane", "crab", "dragon").with_board(first=first).board
    assert list(board.order()) == order


@pytest.mark.parametrize(("seats", "each"), [(2, 6), (3, 5), (4, 4), (5, 3)])
def test_H3_3_extra_control_tokens(seats: int, each: int) -> None:
    play = Play(seats=seats, seed="extra").until("prepare")
    for seat in play.seats:
        assert len(play.board.owned(seat)) == 1 + each
    assert set(play.board.control.values()) == {Control(seat, facedown=1, faceup=0) for seat in play.seats}


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_H3_3_one_at_a_time_round_after_round_in_the_same_order(seats: int) -> None:
    play = Play(seats=seats, seed="order").until("prepare")
    placed = [event.seat for event in play.of(ControlPlaced)][seats:]
    first = play.seats.index(play.of(FirstPlayerDrawn)[0].seat)
    order = play.seats[first:] + play.seats[:first]
    assert placed == list(order) * (len(placed) // seats)


def test_H3_3_only_the_seat_in_turn_is_asked() -> None:
    play = Play(seats=5, seed="one")
    while play.referee.open()[0].form == "settle":
        assert len(play.referee.open()) == 1
        play.step()


@pytest.mark.parametrize("province", [capital("crab"), *lands("islands"), *shadowlands(), *lands("imperial")])
def test_H3_3_any_province_without_a_control_token(province: str) -> None:
    play = Play("lion", "crane")
    request = play.referee.open()[0]
    assert play.referee.submit(request, {"province": province}) is None
    assert play.board.control[province] == Control(request.seat, facedown=1, faceup=0)


def test_H3_3_all_free_provinces_and_no_others_are_offered() -> None:
    play = Play("lion", "crane", "crab", seed="free")
    while (request := play.referee.open()[0]).form == "settle":
        menu = play.referee.question(request).menu
        for province in MAP.provinces:
            taken = province in play.board.control
            assert code(menu.problem({"province": province})) == ("province_taken" if taken else None)
        play.step()


def test_H3_3_what_is_no_province_is_refused() -> None:
    play = Play("lion", "crane")
    menu = play.referee.question(play.referee.open()[0]).menu
    assert code(menu.problem({"province": "edo"})) == "not_an_option"


@pytest.mark.parametrize("seats", [2, 5])
def test_H3_4_each_player_has_one_hidden_objective_no_two_the_same(seats: int) -> None:
    for seed in "abcdefgh":
        dealt = Play(seats=seats, seed=seed).until("prepare").of(ObjectiveDealt)
        assert [event.seat for event in dealt] == list(SEATS[:seats])
        assert len({event.objective for event in dealt}) == seats
        assert {event.objective for event in dealt} <= set(objectives())


def test_H3_4_objectives_come_from_all_11() -> None:
    games = [Play(seats=5, seed=str(seed)).until("prepare") for seed in range(25)]
    drawn = {event.objective for play in games for event in play.of(ObjectiveDealt)}
    assert len(objectives()) == 11
    assert drawn == set(objectives())


def test_H3_4_an_objective_is_hidden_from_the_others() -> None:
    for event in Play(seats=3).until("prepare").of(ObjectiveDealt):
        assert [seat for seat in (A, B, C, None) if event in hidden_from([event], seat)] == [
            seat for seat in (A, B, C, None) if seat != event.seat
        ]


def test_H3_4_26_tokens_shuffled_into_the_pool_plus_the_bluff() -> None:
    play = Play("lion", "crane", "crab").until("prepare")
    for seat, faces in pools(play).items():
        assert Counter(faces) == Counter(token_set(play.board.clans[seat]))
        assert (len(faces), faces.count(BLUFF)) == (26, 0)
        assert play.referee.state.hands[seat].count(BLUFF) == 1


def test_H3_4_the_shuffle_differs_by_seat_and_by_game() -> None:
    orders = [faces for seed in "abc" for faces in pools(Play("lion", "crane", seed=seed).until("prepare")).values()]
    assert len(set(orders)) == 6
    assert all(list(faces) != sorted(faces) for faces in orders)


def test_H3_5_each_territory_gets_one_card() -> None:
    play = Play(seats=2)
    laid = play.of(TerritoryCardLaid)
    assert sorted(event.territory for event in laid) == sorted(MAP.territories)
    assert len(laid) == 11
    assert play.board.cards == {event.territory: event.card for event in laid}


def test_H3_5_the_dice_draw_from_four_kinds_each_time() -> None:
    assert set(cards()) == {"reinforcements", "battle_cry", "fortifications", "hidden_paths"}
    rows = [tuple(Play(seats=2, seed=str(seed)).board.cards.values()) for seed in range(20)]
    assert {card for row in rows for card in row} == set(cards())
    assert len(set(rows)) > 10
    assert max(max(Counter(row).values()) for row in rows) > 11 / 4 + 2, "kinds repeat freely"


def test_H3_5_territory_cards_lie_faceup() -> None:
    assert hidden_from(Play(seats=2).of(TerritoryCardLaid), None) == []
