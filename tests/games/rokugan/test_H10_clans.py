# ruff: noqa: N999 (the file is named after the chapter of the rules)
"""House H10: what each clan does."""

from __future__ import annotations

from collections import Counter

import pytest

from diplomat.games.rokugan.battle import defence_total, token_strength
from diplomat.games.rokugan.board import Control

from .kit import (
    CLANS,
    MAP,
    A,
    B,
    C,
    Scene,
    border,
    capital,
    discards,
    far_from,
    path,
    paths,
    plain,
    scene,
    shadowlands,
    shown,
)

DARK = set(shadowlands())
NEXT_TO_DARK = {n for dark in DARK for n in MAP.provinces[dark].neighbours} - DARK
BASE = {p.id: 2 if p.capital else 1 if p.id in DARK else 0 for p in MAP.provinces.values()}


def another(clan: str) -> str:
    """A clan that adds nothing to battles, other than the given one."""
    return "scorpion" if clan == "dragon" else "dragon"


def held_defence(clan: str, province: str) -> int:
    """How well a clan defends a province it controls, with nothing else in it."""
    return defence_total(scene(clan, another(clan)).holds(A, province).board, province).amount


# --- Crab --------------------------------------------------------------------------------------


@pytest.mark.parametrize("province", MAP.provinces)
def test_H10_crab_defends_its_capital_and_the_lands_beside_the_shadowlands_with_1_more(province: str) -> None:
    bonus = 1 if province == capital("crab") or province in NEXT_TO_DARK else 0
    assert held_defence("crab", province) == BASE[province] + bonus


def test_H10_crab_provinces_it_controls_only() -> None:
    for province in (capital("crab"), *NEXT_TO_DARK):
        table = scene("crab", "dragon")
        assert defence_total(table.board, province).amount == BASE[province], "nobody's"
        assert defence_total(table.holds(B, province).board, province).amount == BASE[province], "another's"


def test_H10_crab_its_own_capital_only() -> None:
    for clan in CLANS:
        if clan != "crab" and capital(clan) not in NEXT_TO_DARK:
            assert held_defence("crab", capital(clan)) == 2


def test_H10_crab_a_scorched_shadowlands_province_still_counts() -> None:
    for dark in DARK:
        for province in MAP.provinces[dark].neighbours:
            board = scene("crab", "dragon").holds(A, province).scorched(*DARK).board
            assert defence_total(board, province).amount == BASE[province] + 1


def test_H10_crab_a_shadowlands_province_is_not_next_to_itself() -> None:
    for dark in DARK:
        assert held_defence("crab", dark) == 1


def test_H10_crab_1_at_most() -> None:
    assert max(held_defence("crab", p) - BASE[p] for p in MAP.provinces) == 1


def test_H10_crab_the_bonus_decides_a_battle() -> None:
    x, y = next((x, y) for x, y in paths(2) if y in NEXT_TO_DARK and BASE[y] == 0)
    table = scene("crab", "lion").holds(A, y).holds(B, x).lays(B, "army-1", f"{x}>{y}")
    assert table.resolved().board.control[y] == Control(A, facedown=1, faceup=1)
    assert scene("dragon", "lion").holds(A, y).holds(B, x).lays(B, "army-1", f"{x}>{y}").resolved().owner(y) == B


# --- Crane -------------------------------------------------------------------------------------


def test_H10_crane_1_more_to_each_attack() -> None:
    x, y = border()
    table = scene("crane", "lion").holds(A, x).holds(B, y, faceup=2).lays(A, "army-2", f"{x}>{y}")
    assert table.resolved().owner(y) == A
    plain_clan = scene("dragon", "lion").holds(A, x).holds(B, y, faceup=2).lays(A, "army-2", f"{x}>{y}")
    assert plain_clan.resolved().owner(y) == B


def test_H10_crane_not_to_its_defence() -> None:
    x, y = border()
    battle = scene("crane", "lion").holds(A, x).holds(B, y).lays(A, "army-2", x).lays(B, "army-2", f"{y}>{x}").battle(x)
    assert battle is not None
    assert battle.defence.amount == 2


# --- Dragon, Scorpion, Unicorn: see H5.2, H6.13, H6.14 -----------------------------------------


@pytest.mark.parametrize("clan", CLANS)
def test_H10_dragon_alone_exchanges(clan: str) -> None:
    table = scene(clan, another(clan)).phase("prepare").hand(A, "army-1", "bluff").pool(A, "raid")
    assert (table.problem(A, cards=[], exchange="army-1") is None) == (clan == "dragon")


@pytest.mark.parametrize("clan", CLANS)
def test_H10_scorpion_alone_looks(clan: str) -> None:
    x, y = border()
    table = scene(clan, another(clan)).holds(A, x).holds(B, y).lays(B, "army-1", y)
    table = table.hand(A, "army-1", "bluff")
    assert (table.problem(A, act="look", target="t1") is None) == (clan == "scorpion")


@pytest.mark.parametrize("clan", CLANS)
def test_H10_unicorn_alone_strikes_at_range_2(clan: str) -> None:
    x, m, y = path()
    table = scene(clan, another(clan)).holds(A, x).holds(B, y)
    assert (table.refusal(A, "army-1", f"{m}>{y}") is None) == (clan == "unicorn")


# --- Lion --------------------------------------------------------------------------------------


def lions_bluff() -> tuple[Scene, str, str]:
    """Lion (A) has its bluff at home in x; B, without bonuses, holds the neighbour y."""
    x, y = border()
    return scene("lion", "dragon").holds(A, x).holds(B, y).lays(A, "bluff", x), x, y


@pytest.mark.parametrize(("strength", "owner"), [(1, A), (2, A), (3, B)])
def test_H10_lion_the_bluff_in_defence_counts_as_army_2(strength: int, owner: str) -> None:
    table, x, y = lions_bluff()
    battle = table.lays(B, f"army-{strength}", f"{y}>{x}").battle(x)
    assert battle is not None
    assert battle.defence.amount == 2
    assert table.lays(B, f"army-{strength}", f"{y}>{x}").resolved().owner(x) == owner


def test_H10_lion_not_in_attack() -> None:
    x, y = border()
    table = scene("lion", "dragon").holds(A, x).holds(B, y)
    assert table.lays(A, "bluff", f"{x}>{y}").battle(y) is None
    assert table.lays(A, "bluff", y).battle(y) is None


@pytest.mark.parametrize("clan", [clan for clan in CLANS if clan != "lion"])
def test_H10_lion_no_other_clans_bluff(clan: str) -> None:
    x, y = border()
    table = scene(clan, "lion").holds(A, x).holds(B, y).lays(A, "bluff", x).lays(B, "army-1", f"{y}>{x}")
    battle = table.battle(x)
    assert battle is not None
    assert battle.defence.amount == held_defence(clan, x)


def test_H10_lion_not_discarded_but_back_to_hand_at_the_end_of_the_round() -> None:
    for fight in (False, True):
        table, x, y = lions_bluff()
        table = table.lays(B, "army-4", f"{y}>{x}") if fight else table
        after = table.resolved()
        assert after.state.hands[A] == ("bluff",)
        assert discards(after.board, A) == Counter()


def test_H10_lion_cannot_be_blessed() -> None:
    table, x, _ = lions_bluff()
    table = table.lays(A, "shinobi-3", far_from(x))
    assert table.refusal(A, "blessing-2", "t1") == "bless_only_fighters"


@pytest.mark.parametrize("face", ["army-6", "shinobi-3", "diplomacy"])
def test_H10_lion_fills_the_defence_slot(face: str) -> None:
    table, x, _ = lions_bluff()
    assert table.holds(A, far_from(x)).refusal(A, face, x) == "defence_filled"


# --- Phoenix -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("blessing", "worth"), [("blessing-2", 3), ("blessing-3", 4)])
def test_H10_phoenix_blessings_give_1_more_the_unique_one_included(blessing: str, worth: int) -> None:
    x, y = border()
    board = scene("phoenix", "lion").holds(A, x).holds(B, y).board
    assert token_strength(board, shown("army-2", A, f"{x}>{y}", blessing)) == 2 + worth
    assert token_strength(board, shown("navy-1", A, x, blessing)) == 1 + worth
    assert token_strength(board, shown("army-2", B, y, "blessing-2")) == 4, "no other clan's"


def test_H10_phoenix_only_with_a_blessing() -> None:
    x, _ = border()
    assert token_strength(scene("phoenix", "lion").board, shown("army-2", A, x)) == 2


def test_H10_phoenix_the_extra_decides_a_battle() -> None:
    x, y = border()
    for clan, owner in (("phoenix", A), ("scorpion", B)):
        table = scene(clan, "lion").holds(A, x).holds(B, y, faceup=3).lays(A, "army-1", f"{x}>{y}", "blessing-2")
        assert table.resolved().owner(y) == owner


def test_H10_clans_of_others_change_nothing() -> None:
    y = next(p for p in MAP.provinces if plain(p))
    board = scene("crab", "crane", "phoenix").holds(C, y).board
    assert defence_total(board, y).amount == 0
