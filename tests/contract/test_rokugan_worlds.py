"""Other worlds of Rokugan keep all that is public and all that the seat knows, and differ in the rest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from diplomat.core.audience import Seat
from diplomat.core.dice import Dice
from diplomat.games import find
from diplomat.games.rokugan.atlas import atlas
from diplomat.games.rokugan.board import Laid
from diplomat.games.rokugan.content import BLUFF, kind, token_set
from diplomat.games.rokugan.places import place
from diplomat.games.rokugan.resample import another_world
from diplomat.games.rokugan.rules import State
from diplomat.testing.walk import begun, walk

GAME = find("rokugan")
CLANS = {"clans": {"s1": "scorpion", "s2": "dragon", "s3": "lion"}}


def worlds(seats: int, settings: dict[str, Any] | None = None) -> Iterator[tuple[State, Seat, State]]:
    """Worlds along a random game: the true one, a seat, another one."""
    referee = begun(GAME, seats, "worlds", settings)
    for step, _ in enumerate(walk(referee)):
        seat = referee.seats[step % seats]
        world = another_world(referee.state, seat, Dice("worlds").die(f"{step}"))
        if world is not None:
            yield referee.state, seat, world


@pytest.fixture(scope="module")
def sample() -> list[tuple[State, Seat, State]]:
    return [*worlds(2), *worlds(3, CLANS), *worlds(5)]


def hidden(state: State, seat: Seat) -> Counter[str]:
    """Every token of a seat whose face is not public."""
    laid = [state.faces[token.id] for token in state.board.tokens.values() if token.seat == seat]
    return Counter((*state.hands[seat], *state.pools[seat], *laid))


def test_what_is_public_stays(sample: list[tuple[State, Seat, State]]) -> None:
    for here, _, there in sample:
        assert there.board == here.board
        assert there.faces.keys() == here.faces.keys()
        for seat in here.board.seats:
            assert hidden(there, seat) == hidden(here, seat)
            assert len(there.hands[seat]) == len(here.hands[seat])
            assert list(there.hands[seat]) == sorted(there.hands[seat])
            assert BLUFF not in there.pools[seat]


def test_what_the_seat_knows_stays(sample: list[tuple[State, Seat, State]]) -> None:
    for here, seat, there in sample:
        own = [token.id for token in here.board.tokens.values() if token.seat == seat]
        assert there.hands[seat] == here.hands[seat]
        assert there.objectives[seat] == here.objectives[seat]
        assert there.prepared.get(seat) == here.prepared.get(seat)
        assert [there.faces[token] for token in own] == [here.faces[token] for token in own]
        if seat in here.board.looked:
            assert there.faces == here.faces


def test_faces_lie_where_they_may(sample: list[tuple[State, Seat, State]]) -> None:
    for here, _, there in sample:
        for token in here.board.tokens.values():
            face, where = kind(there.faces[token.id]), place(token.place)
            if token.blessings:
                assert face in {"army", "navy", "shinobi"}
            if not where.inside:
                assert face in {"navy" if where.source == "sea" else "army", BLUFF}
            elif here.board.owner(where.target) == token.seat:
                assert face in {"army", "navy", "shinobi", "diplomacy", BLUFF}
            else:
                assert face in {"shinobi", "raid", BLUFF}


def test_each_province_holds_one_defence_or_infiltration_of_a_seat(sample: list[tuple[State, Seat, State]]) -> None:
    for here, _, there in sample:
        inside = [t for t in here.board.tokens.values() if place(t.place).inside and kind(there.faces[t.id]) != "raid"]
        assert all(count == 1 for count in Counter((t.seat, t.place) for t in inside).values())


def test_raids_lie_next_to_own_land_or_on_an_own_shinobi(sample: list[tuple[State, Seat, State]]) -> None:
    for here, _, there in sample:
        for raid in (t for t in here.board.tokens.values() if there.faces[t.id] == "raid"):
            own = [province for province in here.board.owned(raid.seat) if not here.board.closed(province)]
            near = {other for province in own for other in atlas().provinces[province].neighbours}
            mine = (t for t in here.board.tokens.values() if t.seat == raid.seat and t.place == raid.place)
            assert raid.place in near or "shinobi" in {kind(there.faces[t.id]) for t in mine}


def test_objectives_are_dealt_once_each(sample: list[tuple[State, Seat, State]]) -> None:
    for _, _, there in sample:
        assert len(set(there.objectives.values())) == len(there.objectives)


def test_sealed_preparations_are_possible(sample: list[tuple[State, Seat, State]]) -> None:
    prepared = [(there, p) for _, _, there in sample for p in there.prepared.values()]
    assert {there.board.clans[p.seat] for there, p in prepared if p.exchange} == {"dragon"}
    for there, sealed in prepared:
        assert set(sealed.cards) <= set(there.board.held[sealed.seat])
        assert sealed.exchange is None or sealed.exchange in there.hands[sealed.seat]
        assert sealed.exchange != BLUFF


def test_everything_hidden_can_differ(sample: list[tuple[State, Seat, State]]) -> None:
    for part in ("hands", "pools", "objectives", "faces", "prepared"):
        assert any(getattr(here, part) != getattr(there, part) for here, _, there in sample), part


def test_a_seat_that_passed_keeps_its_hand(sample: list[tuple[State, Seat, State]]) -> None:
    for here, _, there in sample:
        for seat in here.board.passed:
            assert there.hands[seat] == here.hands[seat]


def test_the_bluff_may_lie_on_the_map_or_in_hand(sample: list[tuple[State, Seat, State]]) -> None:
    moved = [
        (BLUFF in here.hands[other], BLUFF in there.hands[other])
        for here, seat, there in sample
        for other in here.board.seats
        if other != seat
    ]
    assert {(True, False), (False, True)} <= set(moved)


def test_there_are_no_secrets_before_the_deal_and_after_the_end() -> None:
    referee = begun(GAME, 2, "7")
    assert another_world(referee.state, Seat("s1"), Dice("7").die("x")) is None
    for _ in walk(referee):
        pass
    assert another_world(referee.state, Seat("s1"), Dice("7").die("x")) is None


def two_tokens(near: bool) -> tuple[State, str]:
    """A state in which s2 has two tokens in one province of another's, next to its own land or far from it."""
    referee = begun(GAME, 2, "two", {"clans": {"s1": "crab", "s2": "lion"}})
    for request, _ in walk(referee):
        if request.form == "place":
            break
    state, s2 = referee.state, Seat("s2")
    touched = {n for province in state.board.owned(s2) for n in atlas().provinces[province].neighbours}
    where = next(p for p in atlas().provinces if state.board.owner(p) != s2 and (p in touched) == near)
    tokens = {name: Laid(name, s2, where) for name in ("t1", "t2")}
    left = [face for face in token_set("lion") if face not in ("raid", "shinobi-3")]
    return (
        replace(
            state,
            board=replace(state.board, tokens=tokens, turn=Seat("s1"), passed=frozenset(), looked=frozenset()),
            faces={"t1": "shinobi-3", "t2": "raid"},
            hands={**state.hands, s2: tuple(sorted([BLUFF, *left[:4]]))},
            pools={**state.pools, s2: tuple(left[4:])},
        ),
        where,
    )


def faces_dealt(state: State) -> set[tuple[str, str]]:
    """What lies under the two tokens in many other worlds."""
    dealt = [another_world(state, Seat("s1"), Dice("two").die(f"{n}")) for n in range(150)]
    return {(world.faces["t1"], world.faces["t2"]) for world in dealt if world is not None}


def test_of_two_tokens_in_one_province_one_is_the_raid() -> None:
    state, _ = two_tokens(near=True)
    assert faces_dealt(state) == {("shinobi-3", "raid"), ("raid", "shinobi-3"), (BLUFF, "raid"), ("raid", BLUFF)}


def test_far_from_own_land_the_shinobi_was_there_before_the_raid() -> None:
    state, _ = two_tokens(near=False)
    assert faces_dealt(state) == {("shinobi-3", "raid")}
