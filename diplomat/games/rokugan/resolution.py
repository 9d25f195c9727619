"""Resolution: everything is turned up at once, then strictly in order (house H8)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from diplomat.core.events import Event
from diplomat.games.rokugan.atlas import atlas
from diplomat.games.rokugan.battle import fight, is_fighter
from diplomat.games.rokugan.board import Board, controls_whole, evolve
from diplomat.games.rokugan.content import BLUFF, kind
from diplomat.games.rokugan.events import (
    BluffsRemoved,
    MapCleared,
    PeaceMade,
    ProvinceScorched,
    TerritoryCardTaken,
    TokensTurnedUp,
    TurnedUp,
)
from diplomat.games.rokugan.places import place


def resolve(board: Board, faces: Mapping[str, str]) -> Iterator[Event]:
    """All events of a resolution, in order; ``faces`` gives every token on the map."""
    shown = tuple(
        TurnedUp(laid.id, laid.seat, laid.place, faces[laid.id], laid.blessings) for laid in board.tokens.values()
    )
    turned = TokensTurnedUp(board.round, shown)
    yield turned
    board = evolve(board, turned)
    bluffs = tuple(token.id for token in shown if token.face == BLUFF and not is_fighter(board, token))
    if bluffs:
        yield BluffsRemoved(bluffs)
    left = [token for token in shown if token.id not in bluffs]
    for step in (_raids, _peaces):
        events = list(step(board, left))
        for event in events:
            yield event
            board = evolve(board, event)
        swept = {token for event in events for token in event.swept}
        left = [token for token in left if token.id not in swept]
    battles = list(_battles(board, left))
    for battle in battles:
        yield battle
        board = evolve(board, battle)
    for territory in atlas().territories:
        if territory in board.taken:
            continue
        for seat in board.seats:
            if controls_whole(board, seat, territory):
                yield TerritoryCardTaken(seat, territory, board.cards[territory])
    yield MapCleared(board.round)


def _touching(province: str, tokens: Iterable[TurnedUp]) -> tuple[str, ...]:
    """Tokens in a province, on its borders in either direction and on its coast (house H8.2, H8.3)."""
    return tuple(token.id for token in tokens if province in place(token.place).provinces)


def _raids(board: Board, tokens: list[TurnedUp]) -> Iterator[ProvinceScorched | PeaceMade]:
    """All raids of the round, judged together (house H8.2)."""
    raids = [token for token in tokens if kind(token.face) == "raid"]
    for province in dict.fromkeys(token.place for token in raids):
        raiders = tuple(token.seat for token in raids if token.place == province)
        yield ProvinceScorched(province, raiders, board.owner(province), _touching(province, tokens))


def _peaces(board: Board, tokens: list[TurnedUp]) -> Iterator[ProvinceScorched | PeaceMade]:
    """All diplomacy that no raid swept away, judged together (house H8.3)."""
    for token in tokens:
        if kind(token.face) == "diplomacy":
            yield PeaceMade(token.place, token.seat, _touching(token.place, tokens))


def _battles(board: Board, tokens: list[TurnedUp]) -> Iterator[Event]:
    """All battles, each judged on the board before any of them (house H8.4, H9.7)."""
    fighters = [token for token in tokens if is_fighter(board, token)]
    by_target: dict[str, list[TurnedUp]] = {}
    for token in fighters:
        by_target.setdefault(place(token.place).target, []).append(token)
    for province in atlas().provinces:
        battle = fight(board, province, by_target.get(province, ()))
        if battle is not None:
            yield battle
