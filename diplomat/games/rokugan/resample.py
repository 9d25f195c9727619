"""Another world that a seat cannot tell apart from this one: others' secrets dealt anew (house H7).

What is public stays: how many tokens each seat holds, which are spent, where tokens lie, whose
they are, and what that says about their faces (a blessed one is no bluff, a border holds an army
or a bluff).  What the seat itself holds, placed and saw stays too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from diplomat.core.audience import Seat
from diplomat.core.dice import Die
from diplomat.games.rokugan.atlas import atlas
from diplomat.games.rokugan.board import Laid
from diplomat.games.rokugan.content import BLUFF, kind, objectives
from diplomat.games.rokugan.events import (
    BlessingLaid,
    CardPlayed,
    ExchangeMade,
    PlacementPassed,
    PreparationSealed,
    TokenExchanged,
    TokensDrawn,
    TokenSeen,
    TokensTurnedUp,
)
from diplomat.games.rokugan.placement import BLESSABLE, Position, can_place
from diplomat.games.rokugan.places import SEA, place
from diplomat.games.rokugan.rules import State

DEALS = 50
"""Tries to deal one seat's tokens within all that is public about them."""

REVEALS = (
    TokensDrawn,
    TokenExchanged,
    ExchangeMade,
    CardPlayed,
    BlessingLaid,
    TokenSeen,
    PlacementPassed,
    TokensTurnedUp,
)
"""Events by which the rules themselves open a secret: behind one of them two worlds may differ."""


def another_world(state: State, seat: Seat, die: Die) -> State | None:
    """See :attr:`diplomat.core.game.Game.another_world`; None while there are no secrets."""
    if not state.pools or state.board.phase == "over":
        return None
    world = _objectives(state, seat, die)
    world = replace(world, pools={**world.pools, seat: die.shuffled(world.pools[seat])})
    for other in state.board.seats:
        # That a seat could place nothing is public and narrows its hand; it keeps what it has.
        if other != seat and other not in state.board.passed:
            world = _deal(world, seat, other, die)
            if other in world.prepared:
                world = replace(world, prepared={**world.prepared, other: _prepared(world, other, die)})
    return world


def _objectives(state: State, seat: Seat, die: Die) -> State:
    """Others' objectives, drawn from all but the seat's own."""
    own = state.objectives[seat]
    left = iter(die.shuffled([objective for objective in objectives() if objective != own]))
    dealt = {other: own if other == seat else next(left) for other in state.board.seats}
    return replace(state, objectives=dealt)


def _deal(state: State, viewer: Seat, other: Seat, die: Die) -> State:
    """One seat's hidden tokens dealt anew to its hand, its pool and the map; unchanged if no deal fits."""
    laid = [token for token in state.board.tokens.values() if token.seat == other]
    # Which token Scorpion looked at is not in the state, so it may be any of them.
    fixed = {token.id: state.faces[token.id] for token in laid} if viewer in state.board.looked else {}
    hidden = Counter((*state.hands[other], *state.pools[other], *(state.faces[token.id] for token in laid)))
    hidden.subtract(fixed.values())
    for _ in range(DEALS):
        world = _dealt(state, other, [token for token in laid if token.id not in fixed], hidden.copy(), die)
        if world is not None and _fits(world, other):
            return world
    return state


def _dealt(state: State, other: Seat, laid: list[Laid], hidden: Counter[str], die: Die) -> State | None:
    """A random deal that is right token by token; None when a token is left without a face."""
    faces = dict(state.faces)
    for token in die.shuffled(laid):
        possible = [face for face in sorted(hidden.elements()) if face in _kinds(state, token, hidden)]
        if not possible:
            return None
        faces[token.id] = die.pick(possible)
        hidden[faces[token.id]] -= 1
    hand = [BLUFF] * hidden.pop(BLUFF, 0)  # the bluff is on the map or in hand, never in the pool (house H5.1)
    rest = die.shuffled(sorted(hidden.elements()))
    cut = len(state.hands[other]) - len(hand)
    if cut < 0:
        return None
    hands = {**state.hands, other: tuple(sorted((*hand, *rest[:cut])))}
    return replace(state, faces=faces, hands=hands, pools={**state.pools, other: rest[cut:]})


def _kinds(state: State, token: Laid, hidden: Counter[str]) -> set[str]:
    """Faces that could lie where a token lies (house H6.4 to H6.9)."""
    where = place(token.place)
    if not where.inside:
        kinds = {"navy" if where.source == SEA else "army", BLUFF}
    elif state.board.owner(where.target) == token.seat:
        coastal = {"navy"} if atlas().provinces[where.target].coastal else set()
        kinds = {"army", "shinobi", "diplomacy", BLUFF} | coastal
    else:
        kinds = {"shinobi", "raid", BLUFF}
    if token.blessings:
        kinds &= BLESSABLE
    return {face for face in hidden if kind(face) in kinds}


def _fits(state: State, other: Seat) -> bool:
    """Whether a deal as a whole is possible: slots (house H6.10), raids (house H6.8), the turn (house H6.1)."""
    board = state.board
    mine = [token for token in board.tokens.values() if token.seat == other]
    if board.turn == other and not can_place(Position(board, other, state.faces), state.hands[other]):
        return False
    filled = Counter(t.place for t in mine if place(t.place).inside and kind(state.faces[t.id]) != "raid")
    return all(count == 1 for count in filled.values()) and all(_raids(state, mine))


def _raids(state: State, mine: list[Laid]) -> Iterator[bool]:
    """For each raid of a seat, whether it could be placed where it lies."""
    near: set[str] = set()
    for token in mine:
        near.update(Position(state.board, token.seat, state.faces).own)
    touching = {other for province in near for other in atlas().provinces[province].neighbours}
    for at, token in enumerate(mine):
        if kind(state.faces[token.id]) == "raid":
            before = {t.place for t in mine[:at] if kind(state.faces[t.id]) == "shinobi"}
            yield token.place in touching or token.place in before


def _prepared(state: State, other: Seat, die: Die) -> PreparationSealed:
    """Another sealed preparation that the seat could have made (house H5.2)."""
    cards = tuple(territory for territory in state.board.held[other] if die.chance(0.5))
    faces = [face for face in dict.fromkeys(state.hands[other]) if face != BLUFF]
    can = state.board.clans[other] == "dragon" and state.board.pools[other] > 0 and bool(faces)
    return PreparationSealed(other, cards, die.pick(faces) if can and die.chance(0.5) else None)
