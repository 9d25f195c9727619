# ruff: noqa: N999 (the file is named after the chapter of the rules)
"""House H8: resolution, in its order."""

from __future__ import annotations

from collections import Counter

import pytest

from diplomat.games.rokugan.board import Control
from diplomat.games.rokugan.events import (
    BattleFought,
    BluffsRemoved,
    MapCleared,
    PeaceMade,
    ProvinceScorched,
    RoundBegan,
    TerritoryCardTaken,
    TokensTurnedUp,
)
from diplomat.games.rokugan.scoring import score

from .kit import (
    A,
    B,
    C,
    Play,
    Scene,
    border,
    coast_border,
    discards,
    far_from,
    hidden_from,
    inland,
    lands,
    paths,
    plain,
    scene,
    shadowlands,
    star,
)


def two_lands(*clans: str) -> tuple[Scene, str, str]:
    """A holds x, B holds its neighbour y."""
    x, y = border()
    return scene(*(clans or ("crab", "dragon", "phoenix"))).holds(A, x).holds(B, y), x, y


def chain() -> tuple[str, str, str]:
    """Three plain provinces in a row, the first not touching the last."""
    return next((x, m, y) for x, m, y in paths(3) if all(map(plain, (x, m, y))))


def everything() -> Scene:
    """A bluff, a raid, diplomacy, a battle that completes a territory."""
    island, other = lands("islands")
    x, y = border()
    table = scene("crab", "dragon").holds(A, x, island).holds(B, y, far_from(x, y))
    table = table.lays(A, "navy-3", f"sea>{other}").lays(B, "diplomacy", far_from(x, y)).lays(A, "raid", y)
    return table.lays(B, "bluff", x)


# --- H8: order ---------------------------------------------------------------------------------


def test_H8_everything_is_turned_up_at_once_for_all_to_see() -> None:
    log = everything().resolved().log
    turned = log[0]
    assert isinstance(turned, TokensTurnedUp)
    assert {token.face for token in turned.tokens} == {"navy-3", "diplomacy", "raid", "bluff"}
    assert hidden_from(log, None) == []


def test_H8_the_order_of_the_steps() -> None:
    kinds = [type(event) for event in everything().resolved().log]
    assert kinds == [
        TokensTurnedUp,
        BluffsRemoved,
        ProvinceScorched,
        PeaceMade,
        BattleFought,
        TerritoryCardTaken,
        MapCleared,
    ]


# --- H8.1: bluffs ------------------------------------------------------------------------------


@pytest.mark.parametrize("clan", ["crab", "lion"])
def test_H8_1_bluffs_leave_the_map_and_attack_nothing(clan: str) -> None:
    table, x, y = two_lands(clan, "dragon")
    for where in (y, f"{x}>{y}"):
        after = table.lays(A, "bluff", where).resolved()
        assert after.of(BluffsRemoved) == [BluffsRemoved(("t1",))]
        assert after.of(BattleFought) == []


def test_H8_1_a_bluff_at_home_defends_nothing() -> None:
    table, x, y = two_lands()
    battle = table.lays(A, "bluff", x).lays(B, "army-1", f"{y}>{x}").battle(x)
    assert battle is not None
    assert (battle.defence.amount, battle.winner) == (0, B)


def test_H8_1_except_lions_bluff_in_an_own_province() -> None:
    table, x, y = two_lands("lion", "dragon")
    after = table.lays(A, "bluff", x).lays(B, "army-1", f"{y}>{x}").resolved()
    assert after.of(BluffsRemoved) == []
    assert after.owner(x) == A


# --- H8.2: raids -------------------------------------------------------------------------------


@pytest.mark.parametrize("faceup", [0, 3])
def test_H8_2_a_raid_scorches_the_province_and_removes_control(faceup: int) -> None:
    table, _, y = two_lands()
    after = table.holds(B, y, faceup=faceup).lays(A, "raid", y).resolved()
    (scorched,) = after.of(ProvinceScorched)
    assert (scorched.province, scorched.by, scorched.owner) == (y, (A,), B)
    assert y not in after.board.control
    assert set(after.board.scorched) == {y}


def test_H8_2_all_tokens_in_it_are_discarded() -> None:
    table, _, y = two_lands()
    table = table.lays(A, "raid", y).lays(B, "army-4", y, "blessing-2").lays(A, "shinobi-3", y).lays(C, "shinobi-4", y)
    after = table.resolved()
    assert after.of(BattleFought) == []
    assert set(after.of(ProvinceScorched)[0].swept) == {"t1", "t2", "t3", "t4"}
    assert discards(after.board, B) == Counter(["army-4", "blessing-2"])
    assert discards(after.board, A) == Counter(["raid", "shinobi-3"])


def test_H8_2_tokens_on_its_borders_and_coast_go_too_in_both_directions() -> None:
    x, y = coast_border()
    table = scene("crab", "dragon", "phoenix").holds(A, x).holds(B, y)
    table = table.lays(A, "raid", y).lays(B, "army-4", f"{y}>{x}").lays(C, "navy-3", f"sea>{y}")
    out = table.resolved()
    assert (out.of(BattleFought), out.owner(x)) == ([], A)
    assert set(out.of(ProvinceScorched)[0].swept) == {"t1", "t2", "t3"}
    into = scene("crab", "dragon").holds(A, x).holds(B, y).lays(A, "raid", y).lays(A, "army-4", f"{x}>{y}").resolved()
    assert (into.of(BattleFought), into.owner(y)) == ([], None)


def test_H8_2_tokens_elsewhere_are_left_alone() -> None:
    x, y = coast_border()
    island = lands("islands")[0]
    table = scene("crab", "dragon").holds(A, x).holds(B, y).lays(A, "raid", y).lays(B, "navy-2", f"sea>{island}")
    assert table.resolved().owner(island) == B


def test_H8_2_it_is_closed_to_everybody_from_now_on() -> None:
    table, _, y = two_lands()
    after = table.lays(A, "raid", y).resolved().phase("place", 2)
    for seat in (A, B, C):
        assert after.refusal(seat, "shinobi-3", y) == "scorched"


def test_H8_2_it_is_worth_nothing_from_now_on() -> None:
    y = next(p for p in lands("imperial"))
    x = next(x for x, other in paths(2) if other == y)
    after = scene("crab", "dragon").holds(A, x).holds(B, y, faceup=2).lays(A, "raid", y).resolved()
    scored = score(after.board, B, "favour")
    assert (scored.flowers, scored.faceup, scored.objective, scored.provinces) == (0, 0, 0, 0)


def test_H8_2_all_raids_act_together() -> None:
    table, x, y = two_lands()
    after = table.lays(A, "raid", y).lays(B, "raid", x).resolved()
    assert set(after.board.scorched) == {x, y}
    assert len(after.of(ProvinceScorched)) == 2


def test_H8_2_two_raids_in_one_province_burn_it_once() -> None:
    y, one, two, _ = star()
    table = scene("crab", "dragon", "phoenix").holds(A, one).holds(B, two).holds(C, y)
    after = table.lays(A, "raid", y).lays(B, "raid", y).resolved()
    (scorched,) = after.of(ProvinceScorched)
    assert set(scorched.by) == {A, B}
    assert (discards(after.board, A), discards(after.board, B)) == (Counter(["raid"]), Counter(["raid"]))


def test_H8_2_a_province_of_nobody_burns_too() -> None:
    x, y = border()
    after = scene("crab", "dragon").holds(A, x).lays(A, "raid", y).resolved()
    assert set(after.board.scorched) == {y}
    assert after.of(ProvinceScorched)[0].owner is None


# --- H8.3: diplomacy ---------------------------------------------------------------------------


def test_H8_3_diplomacy_gives_lasting_peace_and_cancels_all_attacks() -> None:
    x, y = coast_border()
    table = scene("crab", "dragon", "phoenix").holds(A, x).holds(B, y).lays(B, "diplomacy", y)
    table = table.lays(A, "army-4", f"{x}>{y}").lays(C, "navy-3", f"sea>{y}").lays(C, "shinobi-4", y)
    after = table.resolved()
    assert set(after.board.peace) == {y}
    assert after.of(BattleFought) == []
    assert after.board.control[y] == Control(B, facedown=1, faceup=0)


def test_H8_3_peace_lasts() -> None:
    table, x, y = two_lands()
    after = table.lays(A, "diplomacy", x).resolved()
    later = after.phase("place", 2).lays(B, "army-1", y).resolved().phase("place", 3)
    assert set(later.board.peace) == {x}
    assert later.refusal(B, "army-1", f"{y}>{x}") == "at_peace"


def test_H8_3_nothing_may_be_placed_in_it_or_on_its_borders_any_more() -> None:
    table, x, y = two_lands()
    after = table.holds(A, far_from(x, y)).lays(A, "diplomacy", x).resolved().phase("place", 2)
    assert after.refusal(B, "army-1", f"{y}>{x}") == "at_peace"
    assert after.refusal(B, "shinobi-3", x) == "at_peace"
    assert after.refusal(A, "army-1", x) == "at_peace"


def test_H8_3_nobody_attacks_out_of_it() -> None:
    table, x, y = two_lands()
    after = table.lays(A, "diplomacy", x).lays(A, "army-4", f"{x}>{y}").resolved()
    assert (after.of(BattleFought), after.owner(y)) == ([], B)
    later = after.holds(A, far_from(x, y)).phase("place", 2)
    assert later.refusal(A, "army-4", f"{x}>{y}") == "at_peace"


def test_H8_3_all_tokens_in_it_on_its_borders_and_on_its_coast_are_discarded() -> None:
    x, y = coast_border()
    table = scene("crab", "dragon", "phoenix").holds(A, x).holds(B, y).lays(B, "diplomacy", y)
    table = table.lays(A, "army-4", f"{x}>{y}", "blessing-2").lays(C, "navy-3", f"sea>{y}").lays(C, "shinobi-3", y)
    after = table.resolved()
    assert set(after.of(PeaceMade)[0].swept) == {"t1", "t2", "t3", "t4"}
    assert discards(after.board, A) == Counter(["army-4", "blessing-2"])
    assert discards(after.board, B) == Counter(["diplomacy"])
    assert discards(after.board, C) == Counter(["navy-3", "shinobi-3"])


def test_H8_3_tokens_elsewhere_are_left_alone() -> None:
    table, x, y = two_lands()
    far = far_from(x, y)
    after = table.lays(A, "diplomacy", x).lays(A, "shinobi-3", far).resolved()
    assert after.owner(far) == A


def test_H8_3_a_raid_in_the_same_province_comes_first() -> None:
    table, x, y = two_lands()
    after = table.lays(A, "diplomacy", x).lays(B, "raid", x).resolved()
    assert (set(after.board.scorched), set(after.board.peace), after.of(PeaceMade)) == ({x}, set(), [])
    assert after.owner(y) == B


def test_H8_3_a_scorched_province_cannot_get_peace() -> None:
    table, x, y = two_lands()
    assert table.holds(A, far_from(x, y)).scorched(y).refusal(A, "diplomacy", y) == "scorched"


def test_H8_3_a_raid_next_door_does_not_prevent_peace() -> None:
    table, x, y = two_lands()
    after = table.lays(A, "diplomacy", x).lays(A, "raid", y).resolved()
    assert (set(after.board.scorched), set(after.board.peace)) == ({y}, {x})


def test_H8_3_two_peaces_side_by_side() -> None:
    table, x, y = two_lands()
    after = table.lays(A, "diplomacy", x).lays(B, "diplomacy", y).resolved()
    assert set(after.board.peace) == {x, y}


# --- H8.4: battles are simultaneous ------------------------------------------------------------


def test_H8_4_battles_are_simultaneous() -> None:
    x, m, y = chain()
    table = scene("crab", "dragon", "phoenix").holds(A, x).holds(B, m).holds(C, y)
    after = table.lays(B, "army-3", f"{m}>{y}").lays(A, "army-3", f"{x}>{m}").resolved()
    assert (after.owner(x), after.owner(m), after.owner(y)) == (A, A, B)


def test_H8_4_a_faceup_token_won_this_round_does_not_defend_this_round() -> None:
    table, x, y = two_lands()
    after = table.lays(B, "army-1", f"{y}>{x}").lays(A, "army-1", x).resolved()
    assert after.of(BattleFought)[0].defence.amount == 1
    assert after.board.control[x] == Control(A, facedown=1, faceup=1)
    again = after.phase("place", 2).lays(B, "army-1", f"{y}>{x}").battle(x)
    assert again is not None
    assert again.defence.amount == 1


# --- H8.5: territory cards ---------------------------------------------------------------------


@pytest.mark.parametrize("territory", ["crane", "imperial", "islands", "shadow_north", "shadow_south"])
def test_H8_5_who_controls_a_whole_territory_takes_its_card(territory: str) -> None:
    after = scene("crab", "dragon").holds(B, *lands(territory)).resolved()
    assert after.of(TerritoryCardTaken) == [TerritoryCardTaken(B, territory, "battle_cry")]
    assert after.board.held[B] == (territory,)


def test_H8_5_all_of_it_by_one_player() -> None:
    first, *rest = lands("imperial")
    assert scene("crab", "dragon").holds(A, *rest).resolved().of(TerritoryCardTaken) == []
    assert scene("crab", "dragon").holds(A, *rest).holds(B, first).resolved().of(TerritoryCardTaken) == []


def test_H8_5_after_the_battles_of_the_round() -> None:
    island, other = lands("islands")
    gained = scene("crab", "dragon").holds(A, island).lays(A, "navy-1", f"sea>{other}").resolved()
    assert gained.board.held[A] == ("islands",)
    lost = scene("crab", "dragon").holds(A, island, other).lays(B, "navy-1", f"sea>{other}").resolved()
    assert lost.board.held[A] == ()


def test_H8_5_once_per_territory_and_game() -> None:
    table = scene("crab", "dragon").holds(A, *lands("islands")).resolved()
    assert table.phase("place", 2).resolved().of(TerritoryCardTaken) == []
    other = table.phase("place", 2).holds(B, *lands("islands")).resolved()
    assert (other.of(TerritoryCardTaken), other.board.held[A], other.board.held[B]) == ([], ("islands",), ())


def test_H8_5_a_taken_card_is_kept_if_the_territory_is_lost() -> None:
    island, other = lands("islands")
    table = scene("crab", "dragon").holds(A, island, other).resolved().phase("place", 2)
    assert table.lays(B, "navy-1", f"sea>{other}").resolved().board.held[A] == ("islands",)


def test_H8_5_a_card_that_was_played_is_not_taken_again() -> None:
    table = scene("crab", "dragon").holds(A, *lands("islands")).card(A, "islands", "battle_cry").phase("prepare")
    table = table.hand(A, "bluff").hand(B, "bluff").answers(A, cards=["islands"]).answers(B, cards=[])
    assert table.of(TerritoryCardTaken) == []
    assert table.board.held[A] == ()


@pytest.mark.parametrize("burnt", [1, 2])
def test_H8_5_scorched_provinces_do_not_count(burnt: int) -> None:
    home = lands("imperial")
    table = scene("crab", "dragon").scorched(*home[:burnt]).holds(A, *home[burnt:])
    assert table.resolved().board.held[A] == ("imperial",)


def test_H8_5_at_least_one_province_must_be_left() -> None:
    for territory in ("imperial", "shadow_north"):
        assert scene("crab", "dragon").scorched(*lands(territory)).resolved().of(TerritoryCardTaken) == []


def test_H8_5_a_raid_of_this_round_may_complete_a_territory() -> None:
    home = lands("imperial")
    table = scene("crab", "dragon").holds(A, *home[1:]).holds(B, home[0])
    assert table.resolved().board.held[A] == ()
    assert table.lays(A, "raid", home[0]).resolved().board.held[A] == ("imperial",)


def test_H8_5_shadowlands_give_their_card_too() -> None:
    after = scene("crab", "dragon").holds(A, *shadowlands()).resolved()
    assert len(after.of(TerritoryCardTaken)) == 2


# --- H8.6: the next round ----------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_H8_6_round_plus_one_and_the_first_player_moves_by_one(seats: int) -> None:
    play = Play(seats=seats, seed="moves").finish()
    begun = play.of(RoundBegan)
    assert [event.round for event in begun] == [1, 2, 3, 4, 5]
    start = play.seats.index(begun[0].first)
    assert [event.first for event in begun] == [play.seats[(start + n) % seats] for n in range(5)]


# --- H8.7: where the tokens go -----------------------------------------------------------------


def test_H8_7_used_tokens_go_faceup_to_their_owners_discards() -> None:
    table, x, y = two_lands()
    table = table.lays(A, "army-4", f"{x}>{y}", "blessing-2").lays(B, "army-1", y).lays(C, "shinobi-4", y)
    after = table.lays(C, "navy-1", f"sea>{lands('islands')[0]}").resolved()
    assert discards(after.board, A) == Counter(["army-4", "blessing-2"])
    assert discards(after.board, B) == Counter(["army-1"])
    assert discards(after.board, C) == Counter(["shinobi-4", "navy-1"])
    assert hidden_from(after.log, None) == []


@pytest.mark.parametrize("clan", ["crab", "lion"])
@pytest.mark.parametrize("swept", [None, "raid", "diplomacy"])
def test_H8_7_the_bluff_goes_back_to_hand(clan: str, swept: str | None) -> None:
    table, x, _ = two_lands(clan, "crane")
    table = table.hand(A, "army-1").lays(A, "bluff", x)
    if swept is not None:
        table = table.holds(B, x) if swept == "diplomacy" else table
        table = table.lays(B, swept, x)
    after = table.resolved()
    assert (after.state.hands[A], after.board.hands[A]) == (("army-1", "bluff"), 2)
    assert discards(after.board, A) == Counter()


def test_H8_7_the_map_is_empty_afterwards() -> None:
    table, x, y = two_lands()
    after = table.lays(A, "army-1", f"{x}>{y}").lays(B, "bluff", inland()).resolved()
    assert (after.board.tokens, after.state.faces, set(after.board.spots)) == ({}, {}, set())
    assert after.phase("place", 2).refusal(A, "army-1", f"{x}>{far_from(x)}") == "no_such_place"
