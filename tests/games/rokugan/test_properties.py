"""What holds along every game of Rokugan, and an independent reading of where tokens may be placed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from functools import cache
from itertools import permutations
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from diplomat.core.audience import Seat
from diplomat.core.events import Event
from diplomat.core.menus import Menu
from diplomat.games.rokugan.atlas import hex_neighbours
from diplomat.games.rokugan.board import Board
from diplomat.games.rokugan.content import token_set, tokens
from diplomat.games.rokugan.events import BattleFought, TokenLaid, TokensDrawn
from diplomat.games.rokugan.placement import Position
from diplomat.games.rokugan.resolution import resolve
from diplomat.games.rokugan.rules import State

from .kit import CLANS, KINDS, MAP, RULES, SEATS, Play, Scene, scene

FEW = settings(max_examples=20, deadline=None, derandomize=True, database=None)
MANY = settings(max_examples=100, deadline=None, derandomize=True, database=None)

clans = st.integers(2, 5).flatmap(lambda n: st.permutations(CLANS).map(lambda names: tuple(names[:n])))
seeds = st.integers(0, 10**6).map(str)


# --- an independent reading of H6 --------------------------------------------------------------


@cache
def touching(one: str, other: str) -> bool:
    """Whether two provinces' hexes share an edge (H2.2), from the cells alone."""
    return MAP.provinces[other].at in hex_neighbours(MAP.provinces[one].at)


HARBOURS = {p.id for p in MAP.provinces.values() if MAP.sea & set(hex_neighbours(p.at))}
PLACES = (
    *MAP.provinces,
    *(f"{one}>{other}" for one, other in permutations(MAP.provinces, 2) if touching(one, other)),
    *(f"sea>{p}" for p in MAP.provinces if p in HARBOURS),
)
REAL = frozenset(PLACES)


@cache
def kind_of(face: str) -> str:
    return face.partition("-")[0]


@cache
def line(where: str) -> frozenset[str]:
    """A border without its direction; the sea is one side of a coast."""
    return frozenset(where.split(">"))


def may_place(board: Board, seat: Seat, faces: Mapping[str, str], face: str, where: str) -> bool:
    """House H6.3 to H6.15, read off the page one sentence after the other."""
    kind = kind_of(face)
    mine = [token for token in board.tokens.values() if token.seat == seat]
    if kind == "blessing":  # H6.7
        fighters = [t for t in mine if kind_of(faces[t.id]) in ("army", "navy", "shinobi") and not t.blessings]
        return where in [t.id for t in fighters]
    if kind == "bluff":  # H6.9
        return any(may_place(board, seat, faces, fighter, where) for fighter in ("army-1", "navy-1", "shinobi-3"))
    if where not in REAL:
        return False
    source, _, target = where.rpartition(">")
    closed = board.peace | board.scorched
    if target in closed or source in closed:  # H6.11
        return False
    if source and any(line(token.place) == line(where) for token in board.tokens.values()):  # H6.3
        return False
    own = {province for province, held in board.control.items() if held.owner == seat}
    inside = [kind_of(faces[token.id]) for token in mine if token.place == target]
    slot_free = all(other == "raid" for other in inside)  # H6.10
    if kind == "diplomacy":  # H6.8
        return source == "" and target in own and slot_free
    if kind == "raid":  # H6.8, H6.15
        bases = any(touching(base, target) for base in own - closed)
        return source == "" and target not in own and (bases or "shinobi" in inside) and bool(own)
    if kind == "shinobi":  # H6.6
        return source == "" and slot_free
    if source == "":  # H6.4, H6.5: defence
        return target in own and slot_free and (kind == "army" or target in HARBOURS)
    if kind == "navy" or source == "sea":  # H6.5: attack from the sea
        return kind == "navy" and source == "sea" and target not in own
    if not own:  # H6.15
        return True
    reach = {source}
    if board.clans[seat] == "unicorn" or "hidden_paths" in board.played.get(seat, ()):  # H6.14
        reach |= {start for start in own if touching(start, source)}
    return target not in own and bool(reach & (own - closed))  # H6.4


def offered(menu: Menu) -> dict[str, set[str]]:
    """What a placement menu offers: the places of every face."""
    found: dict[str, set[str]] = {}

    def walk(schema: Mapping[str, Any]) -> None:
        for part in schema.get("anyOf", ()):
            walk(part)
        if "token" in schema.get("properties", {}):
            found[schema["properties"]["token"]["const"]] = set(schema["properties"]["place"]["enum"])

    walk(menu.schema())
    return found


def lawful(board: Board, seat: Seat, faces: Mapping[str, str], face: str) -> set[str]:
    """Every place of a face by the independent reading."""
    return {where for where in (*PLACES, *board.tokens) if may_place(board, seat, faces, face, where)}


CARDS = ("battle_cry", "fortifications", "hidden_paths")
LAID = ("raid", "diplomacy", "shinobi-3", "army-3", "army-1", "navy-2", "bluff", "army-2", "navy-3", "shinobi-4")


# --- random tables -----------------------------------------------------------------------------


@st.composite
def tables(draw: st.DrawFn) -> Scene:
    """A table in the middle of placing: any owners, marks, cards and lawfully laid tokens."""
    names = draw(clans)
    table = scene(*names)
    seats = table.board.seats
    lords = [None, *draw(st.sets(st.sampled_from(seats), min_size=1).map(sorted))]
    scorched = draw(st.sets(st.sampled_from(list(MAP.provinces)), max_size=4))
    for province in MAP.provinces:
        lord = draw(st.sampled_from(lords))
        if lord is not None and province not in scorched:
            table = table.holds(lord, province, faceup=draw(st.integers(0, 2)))
    owned = sorted(table.board.control)
    peace = draw(st.sets(st.sampled_from(owned), max_size=6)) if owned else set()
    table = table.scorched(*scorched).peace(*peace).first(draw(st.sampled_from(seats)))
    for seat in seats:
        table = table.played(seat, *draw(st.lists(st.sampled_from(CARDS), max_size=2)))
    for _ in range(draw(st.integers(4, 16))):
        seat, face = draw(st.sampled_from(seats)), draw(st.sampled_from(LAID))
        spots = sorted(lawful(table.board, seat, table.state.faces, face))
        if spots:
            table = table.lays(seat, face, draw(st.sampled_from(spots)), *draw(blessings(face)))
    return table


def blessings(face: str) -> st.SearchStrategy[list[str]]:
    """Perhaps a blessing for a token that can bear one."""
    if kind_of(face) not in ("army", "navy", "shinobi"):
        return st.just([])
    return st.lists(st.sampled_from(["blessing-2", "blessing-3"]), max_size=1)


# --- along games -------------------------------------------------------------------------------


def tokens_of(state: State, seat: Seat) -> Counter[str]:
    """All tokens of a seat: in hand, in the pool, on the map and discarded."""
    laid = [token for token in state.board.tokens.values() if token.seat == seat]
    on_map = Counter(state.faces[token.id] for token in laid if token.id in state.faces)
    blessed = Counter(blessing for token in laid for blessing in token.blessings)
    stored = Counter(state.hands[seat]) + Counter(state.pools[seat]) + Counter(state.board.discards[seat])
    return stored + on_map + blessed


@FEW
@given(clans, seeds)
def test_tokens_are_conserved_and_counts_are_true_at_every_event(names: tuple[str, ...], seed: str) -> None:
    play = Play(*names, seed=seed).until("prepare")

    def check(_: int, event: Event) -> None:
        state = play.referee.state
        for seat, clan in state.board.clans.items():
            assert tokens_of(state, seat) == Counter((*token_set(clan), "bluff")), event
            if not isinstance(event, (TokenLaid, TokensDrawn)):  # the first halves of events in two parts
                assert state.board.hands[seat] == len(state.hands[seat]), event
                assert state.board.pools[seat] == len(state.pools[seat]), event
        assert all(held.facedown == 1 and held.faceup >= 0 for held in state.board.control.values())
        assert not set(state.board.control) & state.board.scorched
        assert state.board.peace <= set(state.board.control)

    play.referee.listen(check)
    play.finish()


@FEW
@given(clans, seeds)
def test_everybody_sees_the_board_as_it_is_at_every_request(names: tuple[str, ...], seed: str) -> None:
    play = Play(*names, seed=seed, talk_waves=1)
    while play.referee.open():
        state = play.referee.state
        for seat in (*play.seats, None):
            known = play.referee.known(seat)
            assert known.board == state.board
            if seat is None:
                continue
            assert known.hand == state.hands[seat]
            own = [token.id for token in state.board.tokens.values() if token.seat == seat]
            assert all(known.faces[token] == state.faces[token] for token in own)
            assert all(state.faces[token] == face for token, face in known.faces.items())
        play.step()
    assert all(play.referee.known(seat).board == play.board for seat in (*play.seats, None))


@FEW
@given(clans, seeds)
def test_along_a_game_the_menu_offers_what_the_rules_allow(names: tuple[str, ...], seed: str) -> None:
    play = Play(*names, seed=seed)
    while play.referee.open():
        request = play.referee.open()[0]
        if request.form == "place":
            state, menu = play.referee.state, play.referee.question(request).menu
            found = offered(menu)
            hand = {face: kind_of(face) for face in state.hands[request.seat]}
            rooms = {kind: lawful(state.board, request.seat, state.faces, kind) for kind in set(hand.values())}
            for face, kind in hand.items():
                assert found.get(face, set()) == rooms[kind], face
        play.step()


@MANY
@given(tables())
def test_on_any_table_the_menu_offers_exactly_what_the_rules_allow(table: Scene) -> None:
    for seat in table.board.seats:
        menu = table.menu(seat, *KINDS.values())
        found = offered(menu)
        for face in KINDS.values():
            expected = lawful(table.board, seat, table.state.faces, face)
            assert found.get(face, set()) == expected, (seat, face)
            for where in (*PLACES, *table.board.tokens):
                problem = menu.problem({"act": "place", "token": face, "place": where})
                assert (problem is None) == (where in expected), (seat, face, where)


@FEW
@given(clans, seeds)
def test_a_game_is_the_same_again(names: tuple[str, ...], seed: str) -> None:
    one, other = Play(*names, seed=seed).finish(), Play(*names, seed=seed).finish()
    assert one.log == other.log
    assert one.referee.digest() == other.referee.digest()


# --- resolution --------------------------------------------------------------------------------


def settled(board: Board, faces: Mapping[str, str]) -> tuple[Board, list[Event]]:
    """The events of a resolution and the board after them."""
    events = list(resolve(board, faces))
    state = State(board, {}, hands=dict.fromkeys(board.seats, ()), faces=faces)
    for event in events:
        state = RULES.evolve(state, event)
    return state.board, events


def battles(events: list[Event]) -> Iterator[tuple[object, ...]]:
    """What matters of every battle."""
    for event in events:
        if isinstance(event, BattleFought):
            totals = {attack.seat: attack.amount for attack in event.attacks}
            yield event.province, event.defence.amount, sorted(totals.items()), event.winner


@MANY
@given(tables(), st.randoms(use_true_random=False))
def test_resolution_does_not_depend_on_the_order_in_which_tokens_were_laid(table: Scene, random: Any) -> None:
    laid = list(table.board.tokens.items())
    random.shuffle(laid)
    board, events = settled(table.board, table.state.faces)
    shuffled, others = settled(replace(table.board, tokens=dict(laid)), table.state.faces)
    assert shuffled == board
    assert sorted(battles(others), key=str) == sorted(battles(events), key=str)


@MANY
@given(tables())
def test_resolution_keeps_what_must_be_kept(table: Scene) -> None:
    before = table.board
    after, events = settled(before, table.state.faces)
    assert before.scorched <= after.scorched
    assert before.peace <= after.peace
    assert not after.peace & after.scorched
    assert not set(after.control) & after.scorched
    for province in before.peace:
        assert after.control[province] == before.control[province]
    fought = {event.province: event for event in events if isinstance(event, BattleFought)}
    for province, held in after.control.items():
        if province not in fought:
            assert held == before.control[province]
            continue
        winner, old = fought[province].winner, before.control.get(province)
        gained = (winner, 1, 0) if winner else (old and old.owner, 1, (old.faceup if old else 0) + 1)
        assert (held.owner, held.facedown, held.faceup) == gained


def renamed(value: Any, names: Mapping[str, str]) -> Any:
    """The same with other names of seats, all the way down."""
    if isinstance(value, str):
        return names.get(value, value)
    if is_dataclass(value) and not isinstance(value, type):
        return replace(value, **{f.name: renamed(getattr(value, f.name), names) for f in fields(value)})
    if isinstance(value, Mapping):
        return {renamed(key, names): renamed(entry, names) for key, entry in value.items()}
    if isinstance(value, (tuple, list, frozenset)):
        return type(value)(renamed(entry, names) for entry in value)
    return value


@MANY
@given(tables(), st.permutations(["a", "b", "c", "d", "e"]))
def test_the_names_of_seats_decide_nothing(table: Scene, others: list[str]) -> None:
    names = dict(zip(map(str, SEATS), others, strict=True))
    board, faces = renamed(table.board, names), table.state.faces
    assert list(resolve(board, faces)) == renamed(list(resolve(table.board, faces)), names)
    for seat in table.board.seats:
        mine, theirs = Position(table.board, seat, faces), Position(board, Seat(names[seat]), faces)
        assert {face: theirs.places(face) for face in tokens()} == {face: mine.places(face) for face in tokens()}


@MANY
@given(tables(), st.integers(1, 4))
def test_where_seats_sit_decides_no_battle_and_no_place(table: Scene, turn: int) -> None:
    seats = table.board.seats
    turned = replace(table.board, seats=seats[turn:] + seats[:turn])
    board, events = settled(table.board, table.state.faces)
    moved, others = settled(turned, table.state.faces)
    assert replace(moved, seats=seats) == board
    assert sorted(battles(others), key=str) == sorted(battles(events), key=str)
    for seat in seats:
        one, other = Position(table.board, seat, table.state.faces), Position(turned, seat, table.state.faces)
        assert one.places("bluff") == other.places("bluff")
