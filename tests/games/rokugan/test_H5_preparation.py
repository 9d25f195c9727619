# ruff: noqa: N999 (the file is named after the chapter of the rules)
"""House H5: preparation."""

from __future__ import annotations

from collections import Counter

import pytest

from diplomat.core.dice import Dice
from diplomat.games.rokugan.events import (
    CardPlayed,
    ExchangeMade,
    HandGrew,
    PlacementBegan,
    PoolShuffled,
    PreparationSealed,
    SeatReady,
    TokenExchanged,
    TokensDrawn,
)

from .kit import A, B, C, D, Play, Scene, border, capital, hidden_from, scene

POOL = ("army-1", "army-2", "army-3", "navy-1", "navy-2", "raid", "diplomacy", "shinobi-3")


def last_turn(*hand: str, pool: tuple[str, ...] = POOL) -> Scene:
    """A places the last token of round 1 inside an own province; B is done."""
    x, y = border()
    return scene("lion", "crane").holds(A, x).holds(B, y).hand(A, *hand).hand(B, "bluff").pool(A, *pool).pool(B, *POOL)


def preparing(*clans: str) -> Scene:
    """Everybody has a capital, six tokens and a pool, and is asked to prepare."""
    table = scene(*clans).phase("prepare")
    for seat, clan in table.board.clans.items():
        hand = ("army-1", "army-2", "army-3", "bluff", "navy-1", "raid")
        table = table.holds(seat, capital(clan)).hand(seat, *hand).pool(seat, "navy-3", "navy-2", "army-4")
    return table


@pytest.mark.parametrize("kept", ["army-2", "blessing-2"])
def test_H5_1_the_bluff_returns_to_hand(kept: str) -> None:
    x, _ = border()
    after = last_turn("bluff", kept).places_token(A, "bluff", x)
    assert Counter(after.state.hands[A])["bluff"] == 1
    assert kept in after.state.hands[A]


def test_H5_1_a_bluff_kept_in_hand_stays_one() -> None:
    x, _ = border()
    after = last_turn("bluff", "army-2").places_token(A, "army-2", x)
    assert Counter(after.state.hands[A])["bluff"] == 1


@pytest.mark.parametrize(("laid", "drawn"), [("bluff", 4), ("army-2", 5)])
def test_H5_1_draw_until_the_hand_holds_6_the_bluff_counts(laid: str, drawn: int) -> None:
    x, _ = border()
    after = last_turn("bluff", "army-2").places_token(A, laid, x)
    assert HandGrew(A, drawn) in after.log
    assert TokensDrawn(A, POOL[:drawn]) in after.log
    assert (len(after.state.hands[A]), after.board.hands[A], after.board.pools[A]) == (6, 6, len(POOL) - drawn)


def test_H5_1_round_1_begins_with_the_bluff_and_5_drawn() -> None:
    play = Play(seats=3).until("prepare")
    assert [event.drawn for event in play.of(HandGrew)] == [5, 5, 5]
    assert all(len(hand) == 6 and "bluff" in hand for hand in play.referee.state.hands.values())


@pytest.mark.parametrize("left", [(), ("army-3",), ("army-3", "raid")])
def test_H5_1_an_empty_pool_gives_what_is_left(left: tuple[str, ...]) -> None:
    x, _ = border()
    after = last_turn("bluff", "army-2", pool=left).places_token(A, "army-2", x)
    assert Counter(after.state.hands[A]) == Counter(("bluff", *left))
    assert after.board.pools[A] == 0
    assert A in after.asked(), "the round begins all the same"


@pytest.mark.parametrize("kept", [5, 6])
def test_H5_1_a_full_hand_draws_nothing(kept: int) -> None:
    x, y = border()
    hand = ("diplomacy", "diplomacy", "raid", "blessing-2", "blessing-2", "blessing-3")[:kept]
    ronin = scene("crane", "lion").holds(B, y).lays(A, "bluff", x).hand(A, *hand).pool(A, *POOL)
    after = ronin.hand(B, "bluff", "army-1").first(B).places_token(B, "army-1", y)
    assert Counter(after.state.hands[A]) == Counter((*hand, "bluff"))
    assert [event.seat for event in after.of(HandGrew)] == []


def test_H5_2_all_seats_are_asked_at_once() -> None:
    table = preparing("lion", "crane", "dragon")
    assert table.asked() == [A, B, C]
    assert table.answers(B, cards=[]).asked() == [A, C]


def test_H5_2_the_answer_is_sealed_until_all_are_ready() -> None:
    table = preparing("lion", "crane").card(A, "imperial", "battle_cry")
    after = table.answers(A, cards=["imperial"])
    sealed = after.of(PreparationSealed)
    assert [event.cards for event in sealed] == [("imperial",)]
    assert hidden_from(after.log, B) == hidden_from(after.log, None) == sealed
    assert after.of(CardPlayed) == []
    assert after.board.played.get(A, ()) == ()
    assert CardPlayed(A, "imperial", "battle_cry") in after.answers(B, cards=[]).log


@pytest.mark.parametrize("cards", [[], ["imperial"], ["islands"], ["islands", "imperial"]])
def test_H5_2_any_number_of_own_cards(cards: list[str]) -> None:
    table = preparing("lion", "crane").card(A, "imperial", "battle_cry").card(A, "islands", "fortifications")
    after = table.answers(A, cards=cards).answers(B, cards=[])
    assert {event.territory for event in after.of(CardPlayed)} == set(cards)
    assert set(after.board.held[A]) == {"imperial", "islands"} - set(cards)


def test_H5_2_only_own_cards_and_each_once() -> None:
    table = preparing("lion", "crane").card(A, "imperial", "battle_cry").card(B, "islands", "battle_cry")
    assert table.problem(A, cards=["islands"]) == "not_an_option"
    assert table.problem(A, cards=["crab"]) == "not_an_option"
    assert table.problem(A, cards=["imperial", "imperial"]) == "named_twice"


def test_H5_2_dragon_exchanges_one_token_with_its_pool() -> None:
    table = preparing("dragon", "crane")
    before = Counter(table.state.hands[A]) + Counter(table.state.pools[A])
    after = table.answers(A, cards=[], exchange="raid").answers(B, cards=[])
    (swapped,) = after.of(TokenExchanged)
    assert swapped.returned == "raid"
    hand = Counter(table.state.hands[A]) - Counter(["raid"]) + Counter([swapped.drawn])
    assert Counter(after.state.hands[A]) == hand
    assert Counter(after.state.hands[A]) + Counter(after.state.pools[A]) == before
    assert (after.board.hands[A], after.board.pools[A]) == (6, 3)


def test_H5_2_the_pool_is_shuffled_and_any_of_its_tokens_may_come_the_returned_one_too() -> None:
    table = preparing("dragon", "crane")
    swaps, orders = [], set()
    for seed in range(60):
        dice = Dice(str(seed))
        after = table.answers(A, dice, cards=[], exchange="raid").answers(B, dice, cards=[])
        swaps.append(after.of(TokenExchanged)[0].drawn)
        orders.add(after.state.pools[A])
    assert set(swaps) == {"raid", "navy-3", "navy-2", "army-4"}
    assert len(orders) > 12


def test_H5_2_the_exchange_is_no_duty() -> None:
    after = preparing("dragon", "crane").answers(A, cards=[]).answers(B, cards=[])
    assert after.of(ExchangeMade) == []


@pytest.mark.parametrize(
    ("exchange", "why"), [("bluff", "not_an_option"), ("army-4", "not_an_option"), (["raid"], "not_text")]
)
def test_H5_2_only_a_token_of_the_hand_and_never_the_bluff(exchange: object, why: str) -> None:
    assert preparing("dragon", "crane").problem(A, cards=[], exchange=exchange) == why


def test_H5_2_no_exchange_with_an_empty_pool() -> None:
    table = preparing("dragon", "crane").pool(A)
    assert table.problem(A, cards=[], exchange="raid") == "unknown_field"
    assert table.problem(A, cards=[]) is None


@pytest.mark.parametrize("clan", ["crab", "crane", "lion", "phoenix", "scorpion", "unicorn"])
def test_H5_2_no_other_clan_exchanges(clan: str) -> None:
    assert preparing(clan, "dragon").problem(A, cards=[], exchange="raid") == "unknown_field"


def test_H5_2_the_exchange_comes_before_the_extra_draw_of_reinforcements() -> None:
    table = preparing("dragon", "crane").pool(A, "navy-3").card(A, "imperial", "reinforcements")
    for seed in range(10):
        dice = Dice(str(seed))
        after = table.answers(A, dice, cards=["imperial"], exchange="raid").answers(B, dice, cards=[])
        (swapped,), (extra,) = after.of(TokenExchanged), after.of(TokensDrawn)
        assert after.log.index(swapped) < after.log.index(extra)
        assert {swapped.drawn, *extra.faces} == {"raid", "navy-3"}
        assert after.board.pools[A] == 0


def test_H5_2_several_cards_of_one_kind_add_up() -> None:
    table = preparing("lion", "crane").card(A, "imperial", "reinforcements").card(A, "islands", "reinforcements")
    after = table.answers(A, cards=["imperial", "islands"]).answers(B, cards=[])
    assert (len(after.state.hands[A]), len(after.state.hands[B])) == (8, 6)
    x, y = border()
    fight = scene("lion", "crane").holds(A, x).holds(B, y).lays(A, "army-4", f"{x}>{y}")
    battle = fight.played(A, "battle_cry", "battle_cry").played(B, "fortifications", "fortifications").battle(y)
    assert battle is not None
    assert (battle.attacks[0].amount, battle.defence.amount) == (4 + 2, 4)


def test_H5_2_played_cards_are_public() -> None:
    table = preparing("lion", "crane").card(A, "imperial", "battle_cry")
    after = table.answers(A, cards=["imperial"]).answers(B, cards=[])
    (played,) = after.of(CardPlayed)
    assert hidden_from([played], None) == []
    assert after.board.played[A] == ("battle_cry",)


def test_H5_2_the_exchange_is_public_its_tokens_are_not() -> None:
    after = preparing("dragon", "crane").answers(A, cards=[], exchange="raid").answers(B, cards=[])
    (made,), (swapped,), (pool,) = after.of(ExchangeMade), after.of(TokenExchanged), after.of(PoolShuffled)
    assert made == ExchangeMade(A)
    assert hidden_from([made, swapped, pool], B) == hidden_from([made, swapped, pool], None) == [swapped, pool]
    assert hidden_from([made, swapped, pool], A) == [pool]


def test_H5_3_the_answer_confirms_readiness() -> None:
    after = preparing("lion", "crane", "crab", "dragon").answers(C, cards=[])
    assert after.of(SeatReady) == [SeatReady(C)]
    assert hidden_from(after.of(SeatReady), None) == []


def test_H5_3_placement_begins_when_all_have_confirmed() -> None:
    table = preparing("lion", "crane", "crab", "dragon")
    for seat in (C, A, D):
        table = table.answers(seat, cards=[])
        assert (table.board.phase, table.of(PlacementBegan)) == ("prepare", [])
    table = table.answers(B, cards=[])
    assert (table.board.phase, len(table.of(PlacementBegan))) == ("place", 1)
