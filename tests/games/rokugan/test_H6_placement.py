# ruff: noqa: N999 (the file is named after the chapter of the rules)
"""House H6: placement."""

from __future__ import annotations

from itertools import permutations

import pytest

from diplomat.core.audience import Seat
from diplomat.games.rokugan.atlas import distances
from diplomat.games.rokugan.events import (
    BattleFought,
    BlessingLaid,
    PlacementPassed,
    ProvinceScorched,
    TokenChosen,
    TokenLaid,
    TokenLooked,
    TokenSeen,
    TurnPassedTo,
)

from .kit import (
    BORDERS,
    COASTS,
    KINDS,
    MAP,
    ROOMS,
    A,
    B,
    C,
    Play,
    Scene,
    border,
    coast,
    coast_border,
    coastal,
    cut_by_mountain,
    far_from,
    hidden_from,
    inland,
    lands,
    path,
    paths,
    scene,
    shadowlands,
    star,
)

PROVINCES = set(MAP.provinces)
PLACED = ("army", "navy", "shinobi", "diplomacy", "raid", "bluff")
"""The kinds that lie on the map by themselves."""


def two_lands() -> tuple[Scene, str, str]:
    """A holds x, B holds its neighbour y, nobody else holds anything."""
    x, y = border()
    return scene("lion", "crane").holds(A, x).holds(B, y), x, y


def foreign_coast(own: str) -> str:
    """A coast that is not that of the given province."""
    return next(where for where in COASTS if where != f"sea>{own}")


# --- H6.1: turns -------------------------------------------------------------------------------


def shinobi_round(first: Seat, **hands: int) -> list[Seat]:
    """In which order seats with hands of so many shinobi place them."""
    table = scene("lion", "crane", "crab").holds(A, MAP.capital_of["lion"]).first(first)
    for seat, count in hands.items():
        table = table.hand(Seat(seat), *["shinobi-3"] * count)
    placed: list[Seat] = []
    spots = iter(sorted(PROVINCES - {MAP.capital_of["lion"]}))
    while table.board.phase == "place":
        (seat,) = table.asked()
        table = table.places_token(seat, "shinobi-3", next(spots))
        placed.append(seat)
    assert {seat: len(hand) for seat, hand in table.state.hands.items()} == dict.fromkeys(table.board.seats, 1)
    return placed


def test_H6_1_from_the_first_player_on_one_token_per_turn_until_one_is_left() -> None:
    assert shinobi_round(A, s1=3, s2=3, s3=3) == [A, B, C, A, B, C]
    assert shinobi_round(B, s1=3, s2=3, s3=3) == [B, C, A, B, C, A]
    assert shinobi_round(C, s1=2, s2=2, s3=2) == [C, A, B]


def test_H6_1_who_has_one_more_in_hand_places_it_after_the_others_are_done() -> None:
    assert shinobi_round(A, s1=4, s2=3, s3=3) == [A, B, C, A, B, C, A]
    assert shinobi_round(C, s1=2, s2=4, s3=2) == [C, A, B, B, B]


def test_H6_1_five_tokens_each_in_a_round_six_with_reinforcements() -> None:
    table = scene("lion", "crane").holds(A, lands("lion")[0]).holds(B, lands("crane")[0]).phase("prepare")
    for seat in (A, B):
        table = table.hand(seat, "bluff", *["shinobi-3"] * 5).pool(seat, *["shinobi-3"] * 3)
    table = table.card(B, "imperial", "reinforcements").answers(A, cards=[]).answers(B, cards=["imperial"])
    placed, spots = [], iter(sorted(PROVINCES - {lands("lion")[0], lands("crane")[0]}))
    while table.board.phase == "place":
        (seat,) = table.asked()
        table = table.places_token(seat, "shinobi-3", next(spots))
        placed.append(seat)
    assert placed == [A, B] * 5 + [B]


def test_H6_1_the_last_token_is_carried_over() -> None:
    table, x, _ = two_lands()
    after = table.hand(A, "army-1", "army-4").hand(B, "raid").places_token(A, "army-1", x)
    assert (after.board.round, after.state.hands[A], after.state.hands[B]) == (2, ("army-4",), ("raid",))


def test_H6_1_placing_is_compulsory() -> None:
    table, _, _ = two_lands()
    table = table.hand(A, "army-1", "raid")
    assert table.problem(A, act="pass") == "not_an_option"
    assert table.problem(A) == "missing_field"
    assert table.problem(A, act="place") == "missing_field"


def test_H6_1_a_token_without_a_legal_place_is_refused_while_another_has_one() -> None:
    table, x, _ = two_lands()
    table = table.hand(A, "army-1", "blessing-2")
    assert table.problem(A, act="place", token="blessing-2", place="t1") == "no_place_for"
    assert table.problem(A, act="place", token="army-1", place=x) is None


def test_H6_1_only_a_token_in_hand() -> None:
    table, x, _ = two_lands()
    assert table.hand(A, "army-1", "raid").problem(A, act="place", token="army-4", place=x) == "not_an_option"


def test_H6_1_a_player_without_a_legal_place_passes_in_public_and_is_done() -> None:
    x, y = border()
    table = scene("crane", "lion").holds(B, x, y).hand(A, "raid", "diplomacy", "diplomacy", "blessing-2")
    table = table.hand(B, "army-1", "army-2", "army-3").first(B)
    after = table.places_token(B, "army-1", x)
    assert after.of(PlacementPassed) == [PlacementPassed(A)]
    assert hidden_from(after.of(PlacementPassed), None) == []
    assert after.asked() == [B]
    ended = after.places_token(B, "army-2", y)
    assert ended.of(PlacementPassed) == []
    assert (ended.board.round, len(ended.state.hands[A])) == (2, 4)


def test_H6_1_no_legal_place_for_anybody_ends_the_phase() -> None:
    x, _ = border()
    table = scene("lion", "crane").holds(B, x).hand(A, "raid", "diplomacy").hand(B, "army-1", "diplomacy", "diplomacy")
    after = table.first(B).places_token(B, "army-1", x)
    assert after.of(PlacementPassed) == [PlacementPassed(A), PlacementPassed(B)]
    assert after.board.round == 2


def test_H6_1_whose_turn_it_is_is_public() -> None:
    table, x, _ = two_lands()
    after = table.hand(A, "army-1", "raid").hand(B, "army-1", "raid").places_token(A, "army-1", x)
    assert after.of(TurnPassedTo) == [TurnPassedTo(B)]
    assert hidden_from(after.of(TurnPassedTo), None) == []


# --- H6.2: what opponents see ------------------------------------------------------------------


@pytest.mark.parametrize("kind", PLACED)
def test_H6_2_opponents_see_where_and_whose_but_not_what(kind: str) -> None:
    table, x, y = two_lands()
    where = {"army": f"{x}>{y}", "navy": foreign_coast(x), "raid": y}.get(kind, x)
    after = table.hand(A, KINDS[kind], "army-1").hand(B, "army-1", "army-2").places_token(A, KINDS[kind], where)
    (laid,), (chosen,) = after.of(TokenLaid), after.of(TokenChosen)
    assert (laid.seat, laid.place) == (A, where)
    assert hidden_from([laid, chosen], B) == hidden_from([laid, chosen], None) == [chosen]
    assert hidden_from([laid, chosen], A) == []
    assert KINDS[kind] not in repr(laid)


def seen_laid(table: Scene, seat: Seat) -> list[TokenLaid]:
    """The laid tokens a seat sees in the last step."""
    return [event for event in table.of(TokenLaid) if event.audience().includes(seat)]


def test_H6_2_the_direction_on_a_border_is_public() -> None:
    table, x, y = two_lands()
    after = table.hand(A, "army-1", "army-2").hand(B, "army-1", "army-2").places_token(A, "army-1", f"{x}>{y}")
    assert [token.place for token in seen_laid(after, B)] == [f"{x}>{y}"]


# --- H6.3: one token per border ----------------------------------------------------------------


@pytest.mark.parametrize("layer", [A, B])
@pytest.mark.parametrize("face", ["army-1", "bluff"])
def test_H6_3_one_token_per_border_whatever_its_direction(layer: Seat, face: str) -> None:
    table, x, y = two_lands()
    laid = f"{x}>{y}" if layer == A else f"{y}>{x}"
    table = table.lays(layer, face, laid)
    for seat, where in ((A, f"{x}>{y}"), (B, f"{y}>{x}")):
        for other in ("army-2", "bluff"):
            assert table.refusal(seat, other, where) == "border_taken"


@pytest.mark.parametrize("face", ["navy-1", "bluff"])
def test_H6_3_a_coast_counts_as_one_border(face: str) -> None:
    y = coast()
    table = scene("lion", "crane", "crab").holds(C, y).lays(A, face, f"sea>{y}")
    for seat in (A, B):
        for other in ("navy-2", "bluff"):
            assert table.refusal(seat, other, f"sea>{y}") == "coast_taken"
    free = next(where for where in COASTS if where != f"sea>{y}")
    assert table.refusal(B, "navy-2", free) is None


def test_H6_3_the_inside_of_a_province_is_no_border() -> None:
    table, x, y = two_lands()
    table = table.lays(A, "shinobi-3", y).lays(B, "army-1", y).lays(A, "army-1", f"{x}>{y}")
    assert table.refusal(A, "raid", y) is None


# --- H6.4: army --------------------------------------------------------------------------------


def test_H6_4_an_army_attacks_the_land_next_door_and_defends_its_own() -> None:
    target, one, two, three = star()
    table = scene("lion", "crane").holds(A, target, one).holds(B, two)
    expected = {target, one}
    for own in (target, one):
        expected |= {f"{own}>{n}" for n in MAP.provinces[own].neighbours if n not in (target, one)}
    assert f"{target}>{two}" in expected, "somebody else's"
    assert f"{target}>{three}" in expected, "nobody's"
    assert table.places(A, "army-3") == expected


def test_H6_4_where_an_army_may_not_go() -> None:
    x, y = border()
    far = far_from(x)
    table = scene("lion", "crane").holds(A, x).holds(B, y)
    assert table.refusal(A, "army-1", f"{y}>{x}") == "not_here_army", "into an own province"
    assert table.refusal(A, "army-1", y) == "not_here_army", "inside another's province"
    assert table.refusal(A, "army-1", far) == "not_here_army", "inside a province of nobody"
    assert table.refusal(A, "army-1", f"{x}>{far}") == "no_such_place", "not adjacent"
    assert table.refusal(A, "army-1", next(where for where in COASTS)) == "not_here_army", "on a coast"
    assert table.holds(A, y).refusal(A, "army-1", f"{x}>{y}") == "not_here_army", "between two own ones"
    from_elsewhere = next(where for where in BORDERS if x not in where.split(">") and y not in where.split(">"))
    assert table.refusal(A, "army-1", from_elsewhere) == "not_here_army", "from a province of nobody"


# --- H6.5: navy --------------------------------------------------------------------------------


def test_H6_5_a_navy_attacks_any_coast_but_its_owners_and_needs_none() -> None:
    home = inland()
    table = scene("lion", "crane").holds(A, home).holds(B, coast())
    assert table.places(A, "navy-2") == set(COASTS)
    assert {f"sea>{island}" for island in lands("islands")} <= set(COASTS)


def test_H6_5_a_navy_defends_an_own_coastal_province() -> None:
    table = scene("lion", "crane").holds(A, coast(), inland())
    assert table.places(A, "navy-2") == set(COASTS) - {f"sea>{coast()}"} | {coast()}


def test_H6_5_where_a_navy_may_not_go() -> None:
    x, y = coast_border()
    table = scene("lion", "crane").holds(A, inland(), y).holds(B, x)
    assert table.refusal(A, "navy-1", f"sea>{y}") == "not_here_navy", "an own coast"
    assert table.refusal(A, "navy-1", inland()) == "not_here_navy", "an own inland province"
    assert table.refusal(A, "navy-1", f"{y}>{x}") == "not_here_navy", "a land border"
    assert table.refusal(A, "navy-1", f"sea>{inland()}") == "no_such_place", "no coast there"
    assert table.refusal(B, "navy-1", y) == "not_here_navy", "inside another's province"


# --- H6.6: shinobi -----------------------------------------------------------------------------


def test_H6_6_a_shinobi_goes_into_any_province() -> None:
    table, _, _ = two_lands()
    assert table.places(A, "shinobi-3") == PROVINCES


def test_H6_6_a_shinobi_goes_on_no_border_and_no_coast() -> None:
    table, x, y = two_lands()
    assert table.refusal(A, "shinobi-3", f"{x}>{y}") == "not_here_shinobi"
    assert table.refusal(A, "shinobi-3", COASTS[0]) == "not_here_shinobi"


def test_H6_6_it_attacks_elsewhere_and_defends_at_home() -> None:
    table, x, y = two_lands()
    away = table.lays(A, "shinobi-3", far_from(x)).battle(far_from(x))
    assert away is not None
    assert away.winner == A
    home = table.lays(A, "shinobi-3", x).lays(B, "army-3", f"{y}>{x}").battle(x)
    assert home is not None
    assert (home.defence.amount, home.winner) == (3, B), "3 + 0 against 3 + 1 of Crane"


# --- H6.7: blessing ----------------------------------------------------------------------------


def blessed(face: str) -> Scene:
    """A has laid one token and has a blessing and another token in hand."""
    table, x, y = two_lands()
    where = {"navy-2": foreign_coast(x), "army-1": f"{x}>{y}", "raid": y}.get(face, x)
    table = table.lays(A, face, where).hand(A, "blessing-2", "shinobi-3", "army-1")
    return table.hand(B, "army-1", "army-2")


@pytest.mark.parametrize("face", ["army-1", "navy-2", "shinobi-3"])
def test_H6_7_a_blessing_goes_on_an_own_army_navy_or_shinobi(face: str) -> None:
    table = blessed(face)
    assert table.places(A, "blessing-2") == set(table.board.tokens)
    after = table.places_token(A, "blessing-2", "t1")
    assert after.board.tokens["t1"].blessings == ("blessing-2",)


def test_H6_7_it_lies_faceup() -> None:
    (laid,) = blessed("army-1").places_token(A, "blessing-2", "t1").of(BlessingLaid)
    assert laid == BlessingLaid(A, "t1", "blessing-2")
    assert hidden_from([laid], None) == []


@pytest.mark.parametrize(("blessing", "sum_of"), [("blessing-2", 4 + 2), ("blessing-3", 4 + 3)])
def test_H6_7_it_adds_its_strength_in_attack_and_defence(blessing: str, sum_of: int) -> None:
    table, x, y = two_lands()
    attack = table.lays(A, "army-4", f"{x}>{y}", blessing).battle(y)
    defence = table.lays(A, "army-4", x, blessing).lays(B, "army-1", f"{y}>{x}").battle(x)
    assert attack is not None
    assert defence is not None
    assert (attack.attacks[0].amount, defence.defence.amount) == (sum_of, sum_of)


def test_H6_7_one_per_token() -> None:
    table = blessed("army-1").places_token(A, "blessing-2", "t1")
    assert table.refusal(A, "blessing-3", "t1") is not None
    table = table.lays(A, "shinobi-3", far_from(border()[0]))
    assert table.refusal(A, "blessing-3", "t1") == "blessed_already"
    assert table.refusal(A, "blessing-3", "t2") is None


def test_H6_7_it_is_a_placement_of_its_own() -> None:
    after = blessed("army-1").places_token(A, "blessing-2", "t1")
    assert after.asked() == [B]
    assert (after.board.hands[A], len(after.state.hands[A])) == (2, 2)


@pytest.mark.parametrize("face", ["bluff", "raid", "diplomacy"])
def test_H6_7_never_on_a_bluff_a_raid_or_diplomacy(face: str) -> None:
    table = blessed(face).lays(A, "shinobi-3", far_from(border()[0]))
    assert table.refusal(A, "blessing-2", "t1") == "bless_only_fighters"
    assert table.places(A, "blessing-2") == {"t2"}


def test_H6_7_never_on_another_players_token_or_on_none() -> None:
    table = blessed("army-1").lays(B, "shinobi-3", far_from(border()[0]))
    assert table.refusal(A, "blessing-2", "t2") == "bless_own_token"
    assert table.refusal(A, "blessing-2", "t9") == "bless_own_token"
    assert table.refusal(A, "blessing-2", border()[0]) == "bless_own_token"


# --- H6.8: diplomacy and raid ------------------------------------------------------------------


def test_H6_8_diplomacy_goes_into_an_own_province() -> None:
    table, x, y = two_lands()
    assert table.places(A, "diplomacy") == {x}
    assert table.refusal(A, "diplomacy", y) == "not_here_diplomacy"
    assert table.refusal(A, "diplomacy", far_from(x)) == "not_here_diplomacy"
    assert table.refusal(A, "diplomacy", f"{x}>{y}") == "not_here_diplomacy"


def test_H6_8_a_raid_goes_next_door_to_others_and_to_nobody() -> None:
    table, x, y = two_lands()
    assert table.places(A, "raid") == set(MAP.provinces[x].neighbours)
    assert y in table.places(A, "raid")


def test_H6_8_a_raid_goes_where_an_own_shinobi_is() -> None:
    table, x, _ = two_lands()
    far = far_from(x)
    assert table.refusal(A, "raid", far) == "not_here_raid"
    assert table.lays(A, "shinobi-3", far).refusal(A, "raid", far) is None
    assert table.holds(B, far).lays(A, "shinobi-3", far).refusal(A, "raid", far) is None


@pytest.mark.parametrize(("seat", "face"), [(B, "shinobi-3"), (A, "bluff")])
def test_H6_8_neither_anothers_shinobi_nor_a_bluff_counts(seat: Seat, face: str) -> None:
    table, x, _ = two_lands()
    far = far_from(x)
    assert table.lays(seat, face, far).refusal(A, "raid", far) == "not_here_raid"


def test_H6_8_never_in_an_own_province() -> None:
    x, y = border()
    table = scene("lion", "crane").holds(A, x, y).lays(A, "shinobi-3", x)
    assert table.refusal(A, "raid", y) == "not_here_raid"
    assert table.refusal(A, "raid", x) == "not_here_raid"


def test_H6_8_never_on_a_border() -> None:
    table, x, y = two_lands()
    assert table.refusal(A, "raid", f"{x}>{y}") == "not_here_raid"


def test_H6_8_a_province_at_peace_is_no_base_for_a_raid() -> None:
    table, x, y = two_lands()
    assert table.peace(x).places(A, "raid") == set()
    distant = table.holds(A, far_from(x, y)).peace(x)
    assert distant.refusal(A, "raid", y) == "not_here_raid"
    other = next(n for n in MAP.provinces[y].neighbours if n != x)
    assert table.peace(x).holds(A, other).refusal(A, "raid", y) is None


def test_H6_8_a_raid_is_checked_when_it_is_placed_only() -> None:
    table, x, y = two_lands()
    both = table.lays(A, "raid", y).lays(B, "raid", x).resolved()
    assert {event.province for event in both.of(ProvinceScorched)} == {x, y}
    peaceful = table.lays(A, "raid", y).lays(A, "diplomacy", x).resolved()
    assert (set(peaceful.board.scorched), set(peaceful.board.peace)) == ({y}, {x})
    taken = table.lays(A, "raid", y).lays(B, "shinobi-3", x).resolved()
    assert (set(taken.board.scorched), taken.owner(x)) == ({y}, B)


# --- H6.9: bluff -------------------------------------------------------------------------------


BLUFFERS = {
    "ordinary": scene("lion", "crane").holds(A, *border()).holds(B, coast()),
    "range two": scene("unicorn", "crane").holds(A, path()[0]).holds(B, path()[1]),
    "hidden paths": scene("crab", "crane").holds(A, path()[0]).played(A, "hidden_paths"),
    "ronin": scene("lion", "crane").holds(B, *border()),
    "coast taken": scene("lion", "crane").holds(A, coast(), inland()).lays(B, "navy-1", COASTS[-1]),
    "slot filled": scene("lion", "crane").holds(A, *border()).lays(A, "army-1", border()[0]),
    "closed lands": scene("lion", "crane").holds(A, *star()[:2]).peace(star()[2]).scorched(star()[3]),
}


@pytest.mark.parametrize("name", BLUFFERS)
def test_H6_9_a_bluff_goes_wherever_an_army_navy_or_shinobi_could(name: str) -> None:
    table = BLUFFERS[name]
    fighters = table.places(A, "army-2") | table.places(A, "navy-2") | table.places(A, "shinobi-3")
    assert table.places(A, "bluff") == fighters


def test_H6_9_range_two_and_ronin_borders_included() -> None:
    _, m, y = path()
    assert BLUFFERS["range two"].refusal(A, "bluff", f"{m}>{y}") is None
    assert set(BORDERS) <= BLUFFERS["ronin"].places(A, "bluff")


# --- H6.10: slots ------------------------------------------------------------------------------


@pytest.mark.parametrize("laid", ["army-1", "navy-1", "shinobi-3", "bluff", "diplomacy"])
def test_H6_10_one_defence_token_per_province_diplomacy_and_bluff_included(laid: str) -> None:
    x = coast()
    table = scene("crane", "lion").holds(A, x, inland()).lays(A, laid, x)
    for face in ("army-2", "navy-2", "shinobi-4", "bluff", "diplomacy"):
        assert table.refusal(A, face, x) == "defence_filled", face
    assert table.refusal(A, "army-2", inland()) is None, "another province has its own slot"


@pytest.mark.parametrize("laid", ["shinobi-3", "bluff"])
def test_H6_10_one_infiltration_token_per_province(laid: str) -> None:
    table, x, y = two_lands()
    table = table.lays(A, laid, y)
    for face in ("shinobi-4", "bluff"):
        assert table.refusal(A, face, y) == "infiltration_filled"
        assert table.refusal(A, face, far_from(x)) is None


@pytest.mark.parametrize("face", ["army-1", "navy-1", "diplomacy"])
def test_H6_10_what_could_never_infiltrate_is_refused_for_that_reason(face: str) -> None:
    table, _, y = two_lands()
    assert table.lays(A, "shinobi-3", y).refusal(A, face, y) == f"not_here_{face.partition('-')[0]}"


def test_H6_10_a_raid_counts_for_neither() -> None:
    table, _, y = two_lands()
    assert table.lays(A, "raid", y).refusal(A, "shinobi-3", y) is None
    assert table.lays(A, "raid", y).refusal(A, "bluff", y) is None
    assert table.lays(A, "shinobi-3", y).refusal(A, "raid", y) is None
    assert table.lays(A, "bluff", y).refusal(A, "raid", y) is None


def test_H6_10_the_slots_are_each_players_own() -> None:
    table, _, y = two_lands()
    assert table.lays(A, "shinobi-3", y).refusal(B, "army-1", y) is None
    assert table.lays(B, "army-1", y).refusal(A, "shinobi-3", y) is None
    three = scene("lion", "crane", "crab").holds(B, y).lays(A, "shinobi-3", y)
    assert three.refusal(C, "shinobi-3", y) is None


def test_H6_10_attacks_over_borders_and_coast_fill_no_slot() -> None:
    x, y = coast_border()
    table = scene("lion", "crane").holds(A, x).holds(B, y)
    table = table.lays(A, "army-1", f"{x}>{y}").lays(A, "navy-1", f"sea>{y}")
    assert table.refusal(A, "shinobi-3", y) is None
    assert table.refusal(A, "army-2", x) is None


# --- H6.11: closed provinces -------------------------------------------------------------------


CLOSED = {"peace": "at_peace", "scorched": "scorched"}


@pytest.mark.parametrize("closed", CLOSED)
@pytest.mark.parametrize("seat", [A, B, C])
@pytest.mark.parametrize("kind", PLACED)
def test_H6_11_nothing_in_on_the_borders_or_on_the_coast_of_closed_land(kind: str, seat: Seat, closed: str) -> None:
    x, y = coast_border()
    table = scene("crane", "unicorn", "crab").holds(A, inland()).holds(B, x).lays(B, "shinobi-3", y)
    table = table.holds(A, y).peace(y) if closed == "peace" else table.scorched(y)
    why = CLOSED[closed] if table.places(seat, KINDS[kind]) else "no_place_for"
    for where in (y, f"sea>{y}", *(r for r in BORDERS if y in r.split(">"))):
        assert table.refusal(seat, KINDS[kind], where) == why, where


@pytest.mark.parametrize("kind", ["army", "navy", "shinobi", "diplomacy", "bluff"])
def test_H6_11_peace_binds_the_owner_too(kind: str) -> None:
    x, y = coast_border()
    table = scene("crane", "lion").holds(A, y, inland()).holds(B, x)
    assert y in table.places(A, KINDS[kind])
    assert table.peace(y).refusal(A, KINDS[kind], y) == "at_peace"


def test_H6_11_what_is_not_near_it_stays_open() -> None:
    x, y = border()
    table = scene("crane", "lion").holds(A, x, y)
    for kind in PLACED:
        touching = {r for r in ROOMS if y in r.split(">")}
        assert table.places(A, KINDS[kind]) - table.peace(y).places(A, KINDS[kind]) <= (
            touching | set(MAP.provinces[y].neighbours if kind == "raid" else ())
        )


# --- H6.12: checked when placed ----------------------------------------------------------------


def test_H6_12_an_illegal_placement_is_refused_with_the_reason_and_changes_nothing() -> None:
    play = Play("lion", "crane").until("place")
    (request,) = play.referee.open()
    before, events = play.referee.digest(), len(play.log)
    answer = {"act": "place", "token": play.referee.state.hands[request.seat][0], "place": "edo"}
    problem = play.referee.submit(request, answer)
    assert problem is not None
    assert problem.code in ("no_such_place", "no_place_for", "bless_own_token")
    assert (play.referee.digest(), len(play.log), play.referee.open()) == (before, events, (request,))


@pytest.mark.parametrize("where", ["", ">", "sea", "sea>", "edo", "x>y>z", "SEA>sea", "t1"])
def test_H6_12_what_is_no_place_is_refused(where: str) -> None:
    table, _, _ = two_lands()
    for kind in PLACED:
        assert table.hand(A).refusal(A, KINDS[kind], where) == "no_such_place"


# --- H6.13: Scorpion ---------------------------------------------------------------------------


def spying() -> Scene:
    """Scorpion (A) is to place; B and it have a token on the map each."""
    x, y = border()
    table = scene("scorpion", "crane", "lion").holds(A, x).holds(B, y).lays(B, "army-3", y).lays(A, "army-1", x)
    return table.hand(A, "army-2", "raid").hand(B, "army-1", "raid")


def test_H6_13_scorpion_looks_at_one_token_of_another_player() -> None:
    table = spying()
    assert table.problem(A, act="look", target="t1") is None
    assert table.problem(A, act="look", target="t2") == "not_an_option", "an own token"
    assert table.problem(A, act="look", target="t7") == "not_an_option", "no token"


def test_H6_13_everybody_sees_which_token_only_scorpion_what_it_is() -> None:
    after = spying().answers(A, act="look", target="t1")
    assert list(after.log) == [TokenLooked(A, "t1"), TokenSeen(A, "t1", "army-3")]
    for seat in (B, C, None):
        assert hidden_from(after.log, seat) == [TokenSeen(A, "t1", "army-3")]
    assert hidden_from(after.log, A) == []


def test_H6_13_just_before_placing_a_token_in_the_same_turn() -> None:
    after = spying().answers(A, act="look", target="t1")
    assert after.asked() == [A]
    assert after.problem(A, act="place", token="army-2", place=f"{border()[0]}>{border()[1]}") is None
    placed = after.places_token(A, "army-2", f"{border()[0]}>{border()[1]}")
    assert placed.asked() == [B]


def test_H6_13_once_a_round() -> None:
    table = spying().lays(B, "army-2", far_from(border()[0])).hand(B, "army-1", "raid")
    looked = table.answers(A, act="look", target="t1")
    assert looked.problem(A, act="look", target="t3") == "not_an_option"
    later = looked.places_token(A, "army-2", f"{border()[0]}>{border()[1]}")
    assert later.hand(A, "army-2", "raid").problem(A, act="look", target="t3") == "not_an_option"


def test_H6_13_again_in_the_next_round() -> None:
    play = Play("scorpion", "crane", seed="spy").until("prepare")
    looks: list[int] = []
    for number in range(1, 6):
        play.until("place", number)
        while play.board.phase == "place" and play.board.round == number:
            (request,) = play.referee.open()
            others = [token.id for token in play.board.tokens.values() if token.seat == B]
            look = {"act": "look", "target": others[0] if others else ""}
            if request.seat == A and play.referee.submit(request, look) is None:
                looks.append(number)
            else:
                play.step()
    assert looks == [1, 2, 3, 4, 5]


def test_H6_13_a_blessing_does_not_protect() -> None:
    x, y = border()
    table = scene("scorpion", "crane").holds(A, x).holds(B, y).lays(B, "army-3", y, "blessing-2")
    after = table.hand(A, "army-2", "raid").answers(A, act="look", target="t1")
    assert after.of(TokenSeen) == [TokenSeen(A, "t1", "army-3")]


def test_H6_13_nobody_else_looks() -> None:
    table = spying()
    assert table.problem(B, act="look", target="t2") == "not_an_option"


def test_H6_13_not_without_a_token_to_look_at() -> None:
    x, y = border()
    table = scene("scorpion", "crane").holds(A, x).holds(B, y).lays(A, "army-1", x).hand(A, "army-2", "raid")
    assert table.problem(A, act="look", target="t1") == "not_an_option"


def test_H6_13_not_on_a_turn_that_is_passed() -> None:
    x, y = border()
    table = scene("scorpion", "crane").holds(B, x, y).hand(A, "raid", "diplomacy")
    after = table.hand(B, "army-1", "army-2", "raid").first(B).places_token(B, "army-1", y)
    assert after.of(PlacementPassed) == [PlacementPassed(A)]
    assert after.asked() == [B]


# --- H6.14: range two --------------------------------------------------------------------------


def far_strikers() -> list[Scene]:
    """A reaches range two: as Unicorn, by the card, by both."""
    return [
        scene("unicorn", "crane", "lion"),
        scene("crab", "crane", "lion").played(A, "hidden_paths"),
        scene("unicorn", "crane", "lion").played(A, "hidden_paths"),
        scene("crab", "crane", "lion").played(A, "hidden_paths", "hidden_paths"),
    ]


@pytest.mark.parametrize("between", ["nobody's", "another's", "own"])
@pytest.mark.parametrize("who", range(4))
def test_H6_14_armies_strike_through_one_province_whosever_it_is(who: int, between: str) -> None:
    x, m, y = path()
    table = far_strikers()[who].holds(A, x).holds(B, y)
    table = {"nobody's": table, "another's": table.holds(C, m), "own": table.holds(A, m)}[between]
    for face in ("army-1", "bluff"):
        assert table.refusal(A, face, f"{m}>{y}") is None


def test_H6_14_not_without_the_clan_or_the_card() -> None:
    x, m, y = path()
    table = scene("crab", "unicorn").holds(A, x).holds(B, y).played(B, "hidden_paths")
    assert table.refusal(A, "army-1", f"{m}>{y}") == "not_here_army"


@pytest.mark.parametrize("who", range(4))
def test_H6_14_the_two_do_not_add_up(who: int) -> None:
    start, _, second, third = next(row for row in paths(4) if distances(MAP, row[0])[row[2]] == 2)
    table = far_strikers()[who].holds(A, start)
    assert table.refusal(A, "army-1", f"{second}>{third}") == "not_here_army"


@pytest.mark.parametrize("who", range(4))
def test_H6_14_exactly_the_borders_within_two_steps(who: int) -> None:
    for start in MAP.provinces:
        table = far_strikers()[who].holds(A, start)
        expected = {start} | {
            f"{one}>{two}"
            for one in (start, *MAP.provinces[start].neighbours)
            for two in MAP.provinces[one].neighbours
            if two != start
        }
        assert table.places(A, "army-2") == expected


@pytest.mark.parametrize("closed", ["peace", "scorched"])
def test_H6_14_not_through_a_province_at_peace_or_scorched(closed: str) -> None:
    x, m, y = path()
    table = scene("unicorn", "crane").holds(A, x).holds(B, y)
    shut = table.peace(m) if closed == "peace" else table.scorched(m)
    assert shut.refusal(A, "army-1", f"{m}>{y}") == {"peace": "at_peace", "scorched": "scorched"}[closed]


def test_H6_14_not_into_a_closed_province() -> None:
    x, m, y = path()
    table = scene("unicorn", "crane").holds(A, x).holds(B, y)
    assert table.peace(y).refusal(A, "army-1", f"{m}>{y}") == "at_peace"
    assert table.scorched(y).refusal(A, "army-1", f"{m}>{y}") == "scorched"


def test_H6_14_not_from_a_start_at_peace() -> None:
    x, m, y = path()
    table = scene("unicorn", "crane").holds(A, x, far_from(m, y)).holds(B, y)
    assert table.refusal(A, "army-1", f"{m}>{y}") is None
    assert table.peace(x).refusal(A, "army-1", f"{m}>{y}") == "not_here_army"


def test_H6_14_mountains_and_sea_break_the_way() -> None:
    x, y = cut_by_mountain()
    table = scene("unicorn", "crane").holds(A, x)
    assert table.refusal(A, "army-1", f"{x}>{y}") == "no_such_place"
    for island in lands("islands"):
        assert all(target != island for target in (r.split(">")[1] for r in table.places(A, "army-1") if ">" in r))
        assert scene("unicorn", "crane").holds(A, island).places(A, "army-1") == {island}


def test_H6_14_the_token_lies_on_the_last_border_which_must_be_free() -> None:
    x, m, y = path()
    table = scene("unicorn", "crane").holds(A, x).holds(B, y, m)
    first_border_taken = table.lays(B, "army-1", f"{m}>{x}")
    assert first_border_taken.refusal(A, "army-1", f"{m}>{y}") is None
    taken = scene("unicorn", "crane", "lion").holds(A, x).holds(B, y).holds(C, m).lays(B, "army-1", f"{y}>{m}")
    assert taken.refusal(A, "army-1", f"{m}>{y}") == "border_taken"


def test_H6_14_it_points_at_the_target() -> None:
    x, m, y = path()
    table = scene("unicorn", "crane").holds(A, x).holds(B, y).lays(A, "army-4", f"{m}>{y}")
    assert [event.province for event in table.resolved().of(BattleFought)] == [y]
    assert scene("unicorn", "crane").holds(A, x).holds(B, y).refusal(A, "army-4", f"{y}>{m}") == "not_here_army"


def test_H6_14_the_target_may_also_touch_an_own_province() -> None:
    x, m, y = next((x, m, y) for x, m, y in paths(3) if y in MAP.provinces[x].neighbours)
    table = scene("unicorn", "crane").holds(A, x).holds(B, y)
    assert table.refusal(A, "army-1", f"{m}>{y}") is None
    assert table.lays(A, "army-2", f"{x}>{y}").refusal(A, "army-1", f"{m}>{y}") is None


def test_H6_14_never_back_into_an_own_province() -> None:
    x, m, _ = path()
    table = scene("unicorn", "crane").holds(A, x)
    assert table.refusal(A, "army-1", f"{m}>{x}") == "not_here_army"


def test_H6_14_only_armies_reach_so_far() -> None:
    x, m, y = path()
    table = scene("unicorn", "crane").holds(A, x).holds(B, y)
    assert table.refusal(A, "navy-1", f"{m}>{y}") == "not_here_navy"
    assert table.refusal(A, "raid", y) == "not_here_raid"


def test_H6_14_what_happens_to_the_start_in_resolution_does_not_matter() -> None:
    x, m, y = path()
    table = scene("unicorn", "crane", "lion").holds(A, x).holds(B, y).holds(C, m).lays(A, "army-4", f"{m}>{y}")
    raided = table.lays(C, "raid", x).resolved()
    assert (raided.owner(x), raided.owner(y)) == (None, A)
    taken = table.lays(C, "shinobi-4", x).lays(C, "army-4", f"{m}>{x}").resolved()
    assert (taken.owner(x), taken.owner(y)) == (C, A)
    at_peace = table.lays(A, "diplomacy", x).resolved()
    assert at_peace.owner(y) == A


def test_H6_14_what_happens_to_the_province_between_matters_through_the_border_only() -> None:
    x, m, y = path()
    table = scene("unicorn", "crane", "lion").holds(A, x).holds(B, y).holds(C, m).lays(A, "army-4", f"{m}>{y}")
    assert table.lays(B, "raid", m).resolved().owner(y) == B, "the border is swept with m"
    assert table.lays(C, "diplomacy", m).resolved().owner(y) == B
    taken = table.lays(B, "shinobi-4", m).resolved()
    assert taken.owner(y) == A, "a lost m does not stop the army"


# --- H6.15: ronin ------------------------------------------------------------------------------


def ronin(clan: str = "lion") -> Scene:
    """A has no province; B and C have some."""
    return scene(clan, "crane", "crab").holds(B, *border()).holds(C, coast())


@pytest.mark.parametrize("clan", ["lion", "unicorn"])
def test_H6_15_a_player_without_provinces_places_armies_on_any_land_border_either_way(clan: str) -> None:
    assert ronin(clan).places(A, "army-1") == set(BORDERS)
    assert ronin(clan).played(A, "hidden_paths").places(A, "army-1") == set(BORDERS)


def test_H6_15_no_raid_and_no_diplomacy() -> None:
    table = ronin().lays(A, "shinobi-3", border()[0])
    assert table.places(A, "raid") == table.places(A, "diplomacy") == set()
    assert table.refusal(A, "raid", border()[0]) == "no_place_for"
    assert table.refusal(A, "diplomacy", border()[0]) == "no_place_for"


def test_H6_15_borders_of_closed_provinces_excepted() -> None:
    x, y = border()
    table = ronin().peace(x).scorched(shadowlands()[0])
    shut = {x, shadowlands()[0]}
    assert table.places(A, "army-1") == {r for r in BORDERS if not shut & set(r.split(">"))}
    assert table.refusal(A, "army-1", f"{y}>{x}") == table.refusal(A, "army-1", f"{x}>{y}") == "at_peace"


def test_H6_15_taken_borders_excepted() -> None:
    x, y = border()
    table = ronin().lays(C, "bluff", f"{x}>{y}")
    assert table.refusal(A, "army-1", f"{y}>{x}") == "border_taken"


def test_H6_15_navy_shinobi_and_bluff_as_usual() -> None:
    table = ronin()
    assert table.places(A, "navy-1") == set(COASTS)
    assert table.places(A, "shinobi-3") == PROVINCES
    assert table.places(A, "bluff") == set(COASTS) | PROVINCES | set(BORDERS)


def test_H6_15_a_player_whose_provinces_are_all_at_peace_is_no_ronin() -> None:
    x, _ = border()
    table = scene("lion", "crane").holds(A, x).peace(x)
    assert table.places(A, "army-1") == set()
    assert table.places(A, "raid") == set()
    assert table.places(A, "navy-1") == {r for r in COASTS if r != f"sea>{x}"}


def test_H6_15_a_ronin_conquers_a_province_and_is_none_no_longer() -> None:
    x, y = border()
    after = ronin().lays(A, "army-4", f"{x}>{y}").resolved()
    assert after.owner(y) == A
    after = after.phase("place", 2)
    assert after.refusal(A, "army-1", next(r for r in BORDERS if y not in r.split(">"))) == "not_here_army"


def test_H6_15_all_pairs_of_neighbours_are_borders() -> None:
    adjacent = [(a, b) for a, b in permutations(MAP.provinces, 2) if b in MAP.provinces[a].neighbours]
    assert {f"{a}>{b}" for a, b in adjacent} == set(BORDERS)
    assert {p for p in PROVINCES if coastal(p)} == {where.split(">")[1] for where in COASTS}
