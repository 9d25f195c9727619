# ruff: noqa: N999 (the file is named after the chapter of the rules)
"""House H11: territory cards, honor, ties and objectives."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from itertools import combinations

import pytest

from diplomat.core.audience import Seat
from diplomat.games.rokugan.content import cards, objectives
from diplomat.games.rokugan.events import CardPlayed, GameWon, ObjectiveRevealed, RoundBegan, SeatScored
from diplomat.games.rokugan.scoring import final, score

from .kit import (
    CLANS,
    MAP,
    OBJECTIVES,
    SEATS,
    A,
    B,
    C,
    Play,
    Scene,
    border,
    capital,
    coastal,
    hidden_from,
    lands,
    path,
    scene,
    shadowlands,
)

Held = tuple[str, ...]

# --- H11.1: cards ------------------------------------------------------------------------------


def with_card(kind: str) -> Scene:
    """A holds x, B its neighbour y; A has played the card, both are about to place."""
    x, y = border()
    table = scene("dragon", "scorpion").holds(A, x).holds(B, y).card(A, "imperial", kind).phase("prepare")
    for seat in (A, B):
        table = table.hand(seat, "army-1", "army-2", "army-3", "army-4", "bluff", "raid").pool(seat, "navy-1", "navy-2")
    return table.answers(A, cards=["imperial"]).answers(B, cards=[])


def test_H11_1_four_cards_played_in_preparation() -> None:
    assert set(cards()) == {"reinforcements", "battle_cry", "fortifications", "hidden_paths"}
    for kind in cards():
        assert with_card(kind).of(CardPlayed) == [CardPlayed(A, "imperial", kind)]


def test_H11_1_one_use_each() -> None:
    for kind in cards():
        table = with_card(kind)
        assert table.board.held[A] == ()
        assert table.phase("prepare").problem(A, cards=["imperial"]) == "not_an_option"


def test_H11_1_reinforcements_one_token_more() -> None:
    table = with_card("reinforcements")
    assert (len(table.state.hands[A]), len(table.state.hands[B])) == (7, 6)
    assert "navy-1" in table.state.hands[A]


def test_H11_1_reinforcements_with_an_empty_pool_give_nothing() -> None:
    x, _ = border()
    table = scene("dragon", "scorpion").holds(A, x).card(A, "imperial", "reinforcements").phase("prepare")
    table = table.hand(A, "army-1", "bluff").hand(B, "army-1", "bluff")
    assert len(table.answers(A, cards=["imperial"]).answers(B, cards=[]).state.hands[A]) == 2


def test_H11_1_battle_cry_1_more_to_each_own_attack() -> None:
    x, y = border()
    table = with_card("battle_cry").lays(A, "army-2", f"{x}>{y}").lays(A, "shinobi-3", lands("islands")[0])
    for province, total in ((y, 3), (lands("islands")[0], 4)):
        battle = table.battle(province)
        assert battle is not None
        assert battle.attacks[0].amount == total


def test_H11_1_battle_cry_not_to_defence_and_not_to_others() -> None:
    x, y = border()
    battle = with_card("battle_cry").lays(A, "army-2", x).lays(B, "army-2", f"{y}>{x}").battle(x)
    assert battle is not None
    assert (battle.defence.amount, battle.attacks[0].amount) == (2, 2)


def test_H11_1_fortifications_2_more_in_all_own_provinces() -> None:
    x, y = border()
    island = lands("islands")[0]
    table = with_card("fortifications").holds(A, island)
    for province, where in ((x, f"{y}>{x}"), (island, f"sea>{island}")):
        battle = table.lays(B, "navy-3" if province == island else "army-3", where).battle(province)
        assert battle is not None
        assert battle.defence.amount == 2
    other = table.lays(A, "army-1", f"{x}>{y}").battle(y)
    assert other is not None
    assert other.defence.amount == 0, "not in others' provinces"


def test_H11_1_hidden_paths_range_2() -> None:
    x, m, y = path()
    table = scene("dragon", "scorpion").holds(A, x).holds(B, y).played(A, "hidden_paths")
    assert table.refusal(A, "army-1", f"{m}>{y}") is None
    assert table.refusal(B, "army-1", f"{m}>{x}") == "not_here_army"


def test_H11_1_this_round_only() -> None:
    x, _ = border()
    table = with_card("fortifications").hand(A, "bluff").hand(B, "army-1", "bluff").first(B)
    assert table.board.played[A] == ("fortifications",)
    after = table.places_token(B, "army-1", border()[1])
    assert after.board.round == 2
    assert after.board.bonus(A, "fortifications") == 0
    assert x in after.board.control


# --- H11.2: score ------------------------------------------------------------------------------


@pytest.mark.parametrize("province", MAP.provinces)
def test_H11_2_flowers_of_controlled_provinces(province: str) -> None:
    scored = score(scene("crab", "crane").holds(A, province).board, A, None)
    assert scored.flowers == (0 if province in shadowlands() else MAP.provinces[province].flowers)


@pytest.mark.parametrize("faceup", [0, 1, 4])
def test_H11_2_1_for_each_own_faceup_token(faceup: int) -> None:
    x, y = border()
    scored = score(scene("crab", "crane").holds(A, x, faceup=faceup).holds(B, y, faceup=7).board, A, None)
    assert scored.faceup == faceup


@pytest.mark.parametrize("territory", MAP.territories)
def test_H11_2_5_for_each_fully_controlled_territory_but_shadowlands(territory: str) -> None:
    whole = scene("crab", "crane").holds(A, *lands(territory))
    assert score(whole.board, A, None).territories == (0 if lands(territory)[0] in shadowlands() else 5)
    if len(lands(territory)) > 1:
        assert score(whole.holds(B, lands(territory)[0]).board, A, None).territories == 0


def test_H11_2_every_territory_counts() -> None:
    two = scene("crab", "crane").holds(A, *lands("lion"), *lands("islands"))
    assert score(two.board, A, None).territories == 10


def test_H11_2_shadowlands_give_nothing() -> None:
    scored = score(scene("crab", "crane").holds(A, *shadowlands(), faceup=3).board, A, None)
    assert (scored.flowers, scored.faceup, scored.territories, scored.total) == (0, 0, 0, 0)
    assert scored.provinces == 2


@pytest.mark.parametrize("burnt", [1, 2])
def test_H11_2_scorched_provinces_are_left_out_of_fully(burnt: int) -> None:
    home = lands("lion")
    table = scene("crab", "crane").scorched(*home[:burnt]).holds(A, *home[burnt:])
    assert score(table.board, A, None).territories == 5
    assert score(table.holds(B, home[-1]).board, A, None).territories == 0


def test_H11_2_at_least_one_province_must_remain() -> None:
    table = scene("crab", "crane").scorched(*lands("lion"))
    assert score(table.board, A, None).territories == score(table.board, B, None).territories == 0


def test_H11_2_the_objectives_bonus_and_the_total() -> None:
    table = scene("crab", "crane").holds(A, *lands("imperial"), faceup=2)
    flowers = sum(MAP.provinces[p].flowers for p in lands("imperial"))
    scored = score(table.board, A, "favour")
    assert scored == SeatScored(A, flowers, 6, 5, 5, flowers + 6 + 5 + 5, 3)
    assert score(table.board, A, "gaze").total == flowers + 6 + 5


# --- H11.3: ties -------------------------------------------------------------------------------


def winners(table: Scene) -> tuple[Seat, ...]:
    """Who wins if the game ended now and nobody met an objective."""
    nothing = dict.fromkeys(table.board.seats, "spice")
    (won,) = (event for event in final(table.board, nothing) if isinstance(event, GameWon))
    return won.winners


def flowers(held: Held) -> int:
    """The flowers of these provinces together."""
    return sum(MAP.provinces[p].flowers for p in held)


@cache
def loose() -> tuple[Held, ...]:
    """Up to three provinces that make no territory whole, so that only flowers count; the first is no Shadowlands."""
    lit = [p for p in MAP.provinces if p not in shadowlands()]
    others = {p: [q for q in MAP.provinces if q != p] for p in lit}
    held = [(p, *more) for size in range(3) for p in lit for more in combinations(others[p], size)]
    whole = [set(lands(territory)) for territory in MAP.territories if lands(territory)[0] in lit]
    return tuple(provinces for provinces in held if not any(territory <= set(provinces) for territory in whole))


def pair(fits: Callable[[Held, Held], bool]) -> tuple[Held, Held]:
    """Provinces for two seats, none of them for both, that fit together; whatever flowers the map has."""
    return next((x, y) for x in loose() for y in loose() if fits(x, y) and not set(x) & set(y))


def test_H11_3_more_provinces_shadowlands_count() -> None:
    dark = shadowlands()[0]
    x, y = pair(lambda x, y: len(x) == len(y) and flowers(x) == flowers(y) and dark not in (*x, *y))
    table = scene("crab", "crane").holds(A, *x).holds(B, *y)
    assert winners(table) == (A, B)
    assert winners(table.holds(B, dark)) == (B,)


def test_H11_3_then_more_flowers() -> None:
    x, y = pair(lambda x, y: len(x) == len(y) and flowers(x) < flowers(y))
    table = scene("crab", "crane").holds(A, *x).holds(A, x[0], faceup=flowers(y) - flowers(x)).holds(B, *y)
    scores = [score(table.board, seat, None) for seat in (A, B)]
    assert scores[0].total == scores[1].total
    assert scores[0].provinces == scores[1].provinces
    assert winners(table) == (B,)


def test_H11_3_provinces_before_flowers() -> None:
    x, y = pair(lambda x, y: len(x) > len(y) and flowers(x) < flowers(y))
    table = scene("crab", "crane").holds(A, *x).holds(A, x[0], faceup=flowers(y) - flowers(x)).holds(B, *y)
    assert score(table.board, A, None).total == score(table.board, B, None).total
    assert winners(table) == (A,)


def test_H11_3_honor_before_provinces() -> None:
    x, y = pair(lambda x, y: len(x) > len(y) and flowers(x) > flowers(y))
    table = scene("crab", "crane").holds(A, *x).holds(B, *y)
    assert winners(table) == (A,)
    assert winners(table.holds(B, y[0], faceup=flowers(x) - flowers(y) + 1)) == (B,)


def test_H11_3_else_a_shared_victory() -> None:
    x, y = pair(lambda x, y: len(x) == len(y) and flowers(x) == flowers(y))
    table = scene("crab", "crane", "lion").holds(A, *x).holds(C, *y)
    assert winners(table) == (A, C)


# --- H11.4: objectives -------------------------------------------------------------------------

BONUS = {
    "legacy": 8,
    "waves": 5,
    "favour": 5,
    "palm": 5,
    "gaze": 4,
    "conqueror": 5,
    "spice": 9,
    "wealth": 7,
    "siege": 5,
    "shadow_light": 8,
    "not_an_inch": 5,
}
RUSSIAN = {
    "legacy": "Наследие предков",
    "waves": "Владыка волн",
    "favour": "Милость Императора",
    "palm": "Широкая длань",
    "gaze": "Взгляд во тьму",
    "conqueror": "Завоеватель",
    "spice": "Пряности и шёлк",
    "wealth": "Богатство провинций",
    "siege": "Осада",
    "shadow_light": "Тень и свет",
    "not_an_inch": "Ни пяди",
}
COASTAL = [p for p in MAP.provinces if coastal(p)]
IMPERIAL, DARK, ISLANDS = lands("imperial"), shadowlands(), lands("islands")
MINOR = {clan: tuple(p for p in lands(clan) if p != capital(clan)) for clan in CLANS}
SETS = [held for size in (1, 2, 3) for held in combinations(MAP.provinces, size)]
ENOUGH = min((held for held in SETS if flowers(held) >= 6), key=flowers)
TOO_FEW = max((held for held in SETS if flowers(held) < 6), key=flowers)
MET: tuple[tuple[str, tuple[str, ...], bool], ...] = (
    ("legacy", (capital("lion"),), True),
    ("legacy", MINOR["lion"], False),
    ("legacy", (capital("crane"),), False),
    ("waves", tuple(COASTAL[:3]), True),
    ("waves", tuple(COASTAL[-3:]), True),
    ("waves", tuple(COASTAL[:2]), False),
    ("waves", tuple(p for p in MAP.provinces if not coastal(p)), False),
    ("favour", IMPERIAL[:1], True),
    ("favour", IMPERIAL[-1:], True),
    ("favour", tuple(p for p in MAP.provinces if p not in IMPERIAL), False),
    ("palm", (capital("lion"), capital("crane"), capital("crab")), True),
    ("palm", (capital("lion"), *DARK), True),
    ("palm", (*lands("lion"), *lands("crane")), False),
    ("gaze", DARK[:1], True),
    ("gaze", DARK[1:], True),
    ("gaze", tuple(p for p in MAP.provinces if p not in DARK), False),
    ("conqueror", lands("crane")[:2], True),
    ("conqueror", lands("crab")[1:], True),
    ("conqueror", lands("lion"), False),
    ("conqueror", (capital("crane"), capital("crab"), capital("dragon")), False),
    ("conqueror", (*IMPERIAL, *ISLANDS, *DARK), False),
    ("spice", ISLANDS, True),
    ("spice", ISLANDS[:1], False),
    ("spice", ISLANDS[1:], False),
    ("wealth", ENOUGH, True),
    ("wealth", tuple(MAP.provinces), True),
    ("wealth", TOO_FEW, False),
    ("wealth", DARK, False),
    ("siege", (capital("crane"),), True),
    ("siege", (capital("crab"),), True),
    ("siege", (capital("lion"),), False),
    ("siege", tuple(p for clan in CLANS for p in MINOR[clan]), False),
    ("shadow_light", (IMPERIAL[0], DARK[0]), True),
    ("shadow_light", (IMPERIAL[2], DARK[1]), True),
    ("shadow_light", IMPERIAL, False),
    ("shadow_light", DARK, False),
    ("not_an_inch", MINOR["lion"], True),
    ("not_an_inch", lands("lion")[:2], True),
    ("not_an_inch", lands("lion")[:1], False),
    ("not_an_inch", (capital("lion"), *lands("crane")), False),
)


@pytest.mark.parametrize(("objective", "held", "met"), MET)
def test_H11_4_conditions_as_lion_with_crane_at_the_table_and_crab_neutral(
    objective: str, held: tuple[str, ...], met: bool
) -> None:
    board = scene("lion", "crane").holds(A, *held).board
    assert score(board, A, objective).objective == (BONUS[objective] if met else 0)
    revealed = [event for event in final(board, {A: objective, B: "gaze"}) if isinstance(event, ObjectiveRevealed)]
    assert revealed[0] == ObjectiveRevealed(A, objective, met)


def test_H11_4_every_objective_is_both_met_and_missed_above() -> None:
    assert {(objective, met) for objective, _, met in MET} == {(name, met) for name in BONUS for met in (True, False)}


def test_H11_4_the_list_and_its_bonuses() -> None:
    assert {name: objective.bonus for name, objective in objectives().items()} == BONUS
    assert {name: objective.texts["ru"] for name, objective in objectives().items()} == RUSSIAN


@pytest.mark.parametrize("shown", [(3, 3), (3, 2, 1), (3, 1, 1, 1), (3, 2), (3, 1, 1), (2, 2, 1, 0)])
def test_H11_4_wealth_begins_at_6_flowers_in_all(shown: tuple[int, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    held = dict(zip(MAP.provinces, shown, strict=False))
    redrawn = {p.id: replace(p, flowers=held.get(p.id, p.flowers)) for p in MAP.provinces.values()}
    monkeypatch.setattr("diplomat.games.rokugan.scoring.atlas", lambda: replace(MAP, provinces=redrawn))
    scored = score(scene("lion", "crane").holds(A, *held).board, A, "wealth")
    assert (scored.flowers, scored.objective) == (sum(shown), BONUS["wealth"] if sum(shown) >= 6 else 0)


def test_H11_4_spice_is_out_of_reach_once_an_island_is_scorched() -> None:
    board = scene("lion", "crane").holds(A, ISLANDS[0]).scorched(ISLANDS[1]).board
    assert score(board, A, "spice").objective == 0


@pytest.mark.parametrize("clan", CLANS)
def test_H11_4_home_objectives_look_at_the_own_clan(clan: str) -> None:
    other = next(name for name in CLANS if name != clan)
    home = scene(clan, other).holds(A, *lands(clan)).board
    away = scene(clan, other).holds(A, *lands(other)).board
    for objective, at_home in (("legacy", True), ("not_an_inch", True), ("conqueror", False), ("siege", False)):
        assert bool(score(home, A, objective).objective) == at_home
        assert bool(score(away, A, objective).objective) != at_home


def test_H11_4_revealed_at_the_end_to_everybody() -> None:
    play = Play(seats=5, seed="reveal").until("prepare")
    dealt: Mapping[Seat, str] = play.referee.state.objectives
    assert play.board.objectives == {}
    play.finish()
    revealed = play.of(ObjectiveRevealed)
    assert {event.seat: event.objective for event in revealed} == dict(dealt)
    assert hidden_from(revealed, None) == []
    assert play.log.index(revealed[0]) > play.log.index(play.of(RoundBegan)[-1])
    for event, scored in zip(revealed, play.of(SeatScored), strict=True):
        assert (event.seat, event.met) == (scored.seat, scored.objective > 0)
    assert set(OBJECTIVES) < set(objectives())
    assert tuple(dealt) == SEATS
