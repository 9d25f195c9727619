# ruff: noqa: N999 (the file is named after the chapter of the rules)
"""House H9: battle in a province."""

from __future__ import annotations

import pytest

from diplomat.core.audience import Seat
from diplomat.games.rokugan.battle import fight
from diplomat.games.rokugan.board import Control
from diplomat.games.rokugan.events import BattleFought

from .kit import (
    MAP,
    A,
    B,
    C,
    D,
    Scene,
    border,
    capital,
    coast_border,
    inland,
    lands,
    paths,
    plain,
    scene,
    shadowlands,
    shown,
    star,
)

Sides = tuple[tuple[Seat, str], ...]


def field(owner: Seat | None = D) -> tuple[Scene, str]:
    """A plain coastal province of D's (or nobody's), whose clan adds nothing."""
    _, y = coast_border()
    table = scene("dragon", "scorpion", "unicorn", "lion")
    return (table if owner is None else table.holds(owner, y)), y


def fought(table: Scene, where: str, *tokens: tuple[Seat, str]) -> BattleFought | None:
    """The battle of these tokens in a province, whatever way they came."""
    shots = [shown(face, seat, where, name=str(n)) for n, (seat, face) in enumerate(tokens)]
    return fight(table.board, where, shots)


def winner(table: Scene, where: str, *tokens: tuple[Seat, str]) -> Seat | None:
    """Who wins that battle, which must take place."""
    battle = fought(table, where, *tokens)
    assert battle is not None
    return battle.winner


# --- H9.1: defence -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("province", "base"), [(capital("crane"), 2), (shadowlands()[0], 1), (inland(), 0), (lands("islands")[0], 0)]
)
def test_H9_1_base_defence(province: str, base: int) -> None:
    for table in (scene("dragon", "scorpion"), scene("dragon", "scorpion").holds(B, province)):
        battle = fought(table, province, (A, "army-1"))
        assert battle is not None
        assert battle.defence.amount == base


@pytest.mark.parametrize("faceup", [0, 1, 2, 5])
def test_H9_1_plus_the_owners_faceup_control_tokens(faceup: int) -> None:
    table, y = field()
    battle = fought(table.holds(D, y, faceup=faceup), y, (A, "army-1"))
    assert battle is not None
    assert battle.defence.amount == faceup


@pytest.mark.parametrize("face", ["army-1", "army-4", "army-6", "navy-3", "shinobi-3", "shinobi-4"])
def test_H9_1_plus_the_strength_of_defence_tokens(face: str) -> None:
    table, y = field()
    battle = fought(table, y, (A, "army-1"), (D, face))
    assert battle is not None
    assert battle.defence.amount == int(face[-1])


def test_H9_1_with_blessings_and_bonuses_all_in_one_sum() -> None:
    x, y = next((x, y) for x, y in paths(2) if y == capital("crab"))
    table = scene("dragon", "crab").holds(A, x).holds(B, y, faceup=3).played(B, "fortifications")
    battle = table.lays(B, "army-2", y, "blessing-2").lays(A, "army-1", f"{x}>{y}").battle(y)
    assert battle is not None
    assert battle.defence.amount == 2 + 3 + (2 + 2) + 1 + 2
    assert sum(part.amount for part in battle.defence.parts) == battle.defence.amount
    assert battle.defence.seat == B


# --- H9.2: attack ------------------------------------------------------------------------------


def test_H9_2_the_sum_of_a_players_attacking_tokens() -> None:
    y, one, two, _ = star()
    table = scene("dragon", "scorpion").holds(A, one, two).holds(B, y)
    table = table.lays(A, "army-1", f"{one}>{y}").lays(A, "army-2", f"{two}>{y}").lays(A, "shinobi-3", y)
    battle = table.battle(y)
    assert battle is not None
    assert [(attack.seat, attack.amount) for attack in battle.attacks] == [(A, 6)]


def test_H9_2_from_sea_land_and_shadow_with_blessings() -> None:
    x, y = coast_border()
    table = scene("dragon", "scorpion").holds(A, x).holds(B, y).lays(A, "navy-2", f"sea>{y}", "blessing-2")
    battle = table.lays(A, "army-1", f"{x}>{y}").lays(A, "shinobi-3", y, "blessing-2").battle(y)
    assert battle is not None
    assert battle.attacks[0].amount == (2 + 2) + 1 + (3 + 2)


@pytest.mark.parametrize(
    ("clan", "cards", "bonus"), [("crane", (), 1), ("lion", ("battle_cry",), 1), ("crane", ("battle_cry",) * 2, 3)]
)
def test_H9_2_a_bonus_to_each_attack_counts_once_per_province(clan: str, cards: tuple[str, ...], bonus: int) -> None:
    y, one, two, _ = star()
    table = scene(clan, "scorpion").holds(A, one, two).holds(B, y).played(A, *cards)
    both = table.lays(A, "army-1", f"{one}>{y}").lays(A, "army-1", f"{two}>{y}").battle(y)
    assert both is not None
    assert both.attacks[0].amount == 2 + bonus
    island, other = lands("islands")
    apart = table.lays(A, "navy-1", f"sea>{island}").lays(A, "shinobi-3", other)
    for province, strength in ((island, 1), (other, 3)):
        battle = apart.battle(province)
        assert battle is not None
        assert battle.attacks[0].amount == strength + bonus


def test_H9_2_each_player_attacks_for_itself() -> None:
    table, y = field()
    battle = fought(table, y, (A, "army-2"), (B, "army-3"), (A, "shinobi-3"))
    assert battle is not None
    assert {attack.seat: attack.amount for attack in battle.attacks} == {A: 5, B: 3}


# --- H9.3 and H9.4: who wins -------------------------------------------------------------------

STRICT: tuple[tuple[Sides, Seat | None], ...] = (
    (((A, "army-3"), (D, "army-2")), A),
    (((A, "army-3"), (D, "army-3")), None),
    (((A, "army-3"), (D, "army-4")), None),
    (((A, "army-4"), (B, "army-3"), (D, "army-2")), A),
    (((A, "army-3"), (B, "army-4"), (D, "army-2")), B),
    (((A, "army-4"), (B, "army-4"), (D, "army-2")), None),
    (((A, "army-5"), (B, "army-5"), (C, "army-4"), (D, "army-3")), None),
    (((A, "army-4"), (B, "army-3"), (C, "army-3"), (D, "army-2")), A),
    (((A, "army-3"), (B, "army-2"), (D, "army-3")), None),
    (((A, "army-1"),), A),
    (((A, "army-2"), (A, "army-2"), (B, "army-3"), (D, "army-3")), A),
)


@pytest.mark.parametrize(("sides", "expected"), STRICT)
def test_H9_3_strictly_above_the_defence_and_every_other_attacker(sides: Sides, expected: Seat | None) -> None:
    table, y = field()
    assert winner(table, y, *sides) == expected
    assert winner(table, y, *reversed(sides)) == expected, "the order in which tokens were laid does not matter"


@pytest.mark.parametrize("sides", [sides for sides, expected in STRICT if expected is None])
def test_H9_4_the_province_stays_and_its_owner_adds_one_faceup_token(sides: Sides) -> None:
    table, y = field()
    battle = fought(table.holds(D, y, faceup=0), y, *sides)
    assert battle is not None
    after = table.went_on(battle).board.control[y]
    assert after == Control(D, facedown=1, faceup=1)


@pytest.mark.parametrize("faceup", [0, 1, 4])
def test_H9_4_attackers_tied_for_the_highest(faceup: int) -> None:
    y, one, two, _ = star()
    table = scene("dragon", "scorpion", "lion").holds(A, one).holds(B, two).holds(C, y, faceup=faceup)
    after = table.lays(A, "army-3", f"{one}>{y}").lays(B, "army-3", f"{two}>{y}").resolved()
    assert after.board.control[y] == Control(C, facedown=1, faceup=faceup + 1)


def test_H9_4_equal_to_the_defence() -> None:
    x, y = border()
    table = scene("dragon", "scorpion").holds(A, x).holds(B, y, faceup=2).lays(A, "army-2", f"{x}>{y}")
    assert table.resolved().board.control[y] == Control(B, facedown=1, faceup=3)


def test_H9_4_one_token_per_battle_whatever_the_number_of_attackers() -> None:
    y, one, two, three = star()
    table = scene("dragon", "scorpion", "unicorn", "lion").holds(A, one).holds(B, two).holds(C, three).holds(D, y)
    table = table.lays(D, "army-4", y).lays(A, "army-1", f"{one}>{y}").lays(B, "army-2", f"{two}>{y}")
    after = table.lays(C, "army-3", f"{three}>{y}").resolved()
    assert after.board.control[y] == Control(D, facedown=1, faceup=1)


def test_H9_4_only_bluffs_came_no_token() -> None:
    x, y = coast_border()
    table = scene("dragon", "scorpion", "lion").holds(A, x).holds(B, y).lays(B, "army-1", y)
    after = table.lays(A, "bluff", f"{x}>{y}").lays(C, "bluff", f"sea>{y}").resolved()
    assert (after.of(BattleFought), after.board.control[y]) == ([], Control(B, facedown=1, faceup=0))


@pytest.mark.parametrize("sweep", ["raid", "diplomacy"])
def test_H9_4_all_attacks_were_swept_away_no_token(sweep: str) -> None:
    x, y = border()
    table = scene("dragon", "scorpion", "lion").holds(A, x).holds(B, y).lays(A, "army-1", f"{x}>{y}")
    after = table.lays(B if sweep == "raid" else A, sweep, x).resolved()
    assert (after.of(BattleFought), after.board.control[y]) == ([], Control(B, facedown=1, faceup=0))


def test_H9_4_a_province_without_a_battle_earns_nothing() -> None:
    x, y = border()
    table = scene("lion", "scorpion").holds(A, x, y).lays(A, "bluff", x).lays(A, "army-4", y).resolved()
    assert table.of(BattleFought) == []
    assert {table.board.control[p].faceup for p in (x, y)} == {0}
    assert fought(scene("lion", "scorpion").holds(A, x), x, (A, "army-1")) is None


def test_H9_4_a_raider_is_no_attacker() -> None:
    table, y = field()
    assert fought(table, y) is None


# --- H9.5 and H9.6 -----------------------------------------------------------------------------


def test_H9_5_the_winner_removes_all_control_tokens_and_puts_one_facedown() -> None:
    x, y = border()
    table = scene("lion", "scorpion").holds(A, x).holds(B, y, faceup=3).lays(A, "army-6", f"{x}>{y}")
    assert table.resolved().board.control[y] == Control(A, facedown=1, faceup=0)


def test_H9_5_the_new_owner_has_none_of_the_old_faceup_defence() -> None:
    x, y = border()
    after = scene("lion", "scorpion").holds(A, x).holds(B, y, faceup=3).lays(A, "army-6", f"{x}>{y}").resolved()
    battle = fought(after, y, (B, "army-1"))
    assert battle is not None
    assert battle.defence.amount == 0


@pytest.mark.parametrize("strength", [1, 3])
def test_H9_6_a_province_of_nobody_with_tied_attackers_stays_nobodys(strength: int) -> None:
    y, one, two, _ = star()
    table = scene("dragon", "scorpion").holds(A, one).holds(B, two)
    after = table.lays(A, f"army-{strength}", f"{one}>{y}").lays(B, f"army-{strength}", f"{two}>{y}").resolved()
    assert after.owner(y) is None
    assert y not in after.board.control, "nobody adds a token"


@pytest.mark.parametrize(("strength", "taken"), [(1, False), (2, False), (3, True)])
def test_H9_6_its_base_defence_must_be_beaten_strictly(strength: int, taken: bool) -> None:
    y = capital("crane")
    x = MAP.provinces[y].neighbours[0]
    table = scene("dragon", "scorpion").holds(A, x).lays(A, f"army-{strength}", f"{x}>{y}")
    assert table.resolved().owner(y) == (A if taken else None)


def test_H9_6_shadowlands_of_nobody_defend_with_1() -> None:
    y = shadowlands()[0]
    x = MAP.provinces[y].neighbours[0]
    table = scene("dragon", "scorpion").holds(A, x)
    assert table.lays(A, "army-1", f"{x}>{y}").resolved().owner(y) is None
    assert table.lays(A, "army-2", f"{x}>{y}").resolved().owner(y) == A


# --- H9.7 --------------------------------------------------------------------------------------


def test_H9_7_attacks_out_of_a_province_that_is_lost_in_the_same_round_count() -> None:
    x, m, y = next((x, m, y) for x, m, y in paths(3) if all(map(plain, (x, m, y))))
    table = scene("dragon", "scorpion", "lion").holds(A, x).holds(B, m).holds(C, y)
    after = table.lays(A, "army-4", f"{x}>{m}").lays(B, "army-4", f"{m}>{y}").resolved()
    assert (after.owner(m), after.owner(y)) == (A, B)


def test_H9_7_two_provinces_may_change_hands_with_each_other() -> None:
    x, y = border()
    table = scene("dragon", "scorpion").holds(A, x).holds(B, y)
    after = table.lays(A, "army-4", f"{x}>{y}").lays(B, "shinobi-4", x).resolved()
    assert (after.owner(x), after.owner(y)) == (B, A)
