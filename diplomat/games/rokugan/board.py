"""The public board: what lies open to everybody (house H7.1), as a fold over public events.

The referee's state and every seat's knowledge hold one of these; secrets lie beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from diplomat.core.audience import Seat
from diplomat.core.events import Event
from diplomat.core.value import UNCHANGED, Changes, changed
from diplomat.games.rokugan import events as ev
from diplomat.games.rokugan.atlas import atlas
from diplomat.games.rokugan.content import BLUFF, SETUP_TOKENS, token_set
from diplomat.games.rokugan.places import place


@dataclass(frozen=True, slots=True)
class Control:
    """The control tokens in a province: all of one seat."""

    owner: Seat
    facedown: int = 1
    faceup: int = 0


@dataclass(frozen=True, slots=True)
class Laid:
    """A combat token on the map this round, as everybody sees it."""

    id: str
    seat: Seat
    place: str
    blessings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Score:
    """A seat's honor and its parts (house H11.2)."""

    flowers: int
    faceup: int
    territories: int
    objective: int
    total: int
    provinces: int


@dataclass(frozen=True)
class Board:
    """Everything public.  A value: :func:`evolve` returns a new one."""

    seats: tuple[Seat, ...]
    rounds: int = 5
    talk_waves: int = 2
    clans: Mapping[Seat, str] = field(default_factory=dict)
    phase: str = "setup"
    """``setup``, ``talk``, ``prepare``, ``place``, ``resolve`` or ``over``."""
    round: int = 0
    wave: int = 0
    """Talk waves finished in this round."""
    first: Seat | None = None
    turn: Seat | None = None
    moves: int = 0
    """Placements, looks and passes so far in this phase."""
    control: Mapping[str, Control] = field(default_factory=dict)
    tokens: Mapping[str, Laid] = field(default_factory=dict)
    laid: int = 0
    """Tokens laid in the whole game; numbers them."""
    spots: frozenset[str] = frozenset()
    """Borders and coasts that hold a token (house H6.3)."""
    scorched: frozenset[str] = frozenset()
    peace: frozenset[str] = frozenset()
    cards: Mapping[str, str] = field(default_factory=dict)
    """The card of each territory."""
    taken: Mapping[str, Seat] = field(default_factory=dict)
    """Territories whose card was taken, and by whom."""
    held: Mapping[Seat, tuple[str, ...]] = field(default_factory=dict)
    """Territories whose cards a seat holds unplayed."""
    played: Mapping[Seat, tuple[str, ...]] = field(default_factory=dict)
    """Kinds of cards in force this round."""
    hands: Mapping[Seat, int] = field(default_factory=dict)
    pools: Mapping[Seat, int] = field(default_factory=dict)
    discards: Mapping[Seat, tuple[str, ...]] = field(default_factory=dict)
    answered: frozenset[Seat] = frozenset()
    """Seats that had their turn to talk, or are ready."""
    passed: frozenset[Seat] = frozenset()
    looked: frozenset[Seat] = frozenset()
    """Seats that used Scorpion's look this round (house H6.13)."""
    faceup: tuple[ev.TurnedUp, ...] = ()
    """Tokens turned up in the resolution that is going on."""
    objectives: Mapping[Seat, tuple[str, bool]] = field(default_factory=dict)
    """Revealed at the end."""
    scores: Mapping[Seat, Score] = field(default_factory=dict)
    winners: tuple[Seat, ...] = ()

    def owner(self, province: str) -> Seat | None:
        """Who controls a province."""
        held = self.control.get(province)
        return held.owner if held else None

    def owned(self, seat: Seat) -> list[str]:
        """The provinces a seat controls, in the order they were taken."""
        return [province for province, held in self.control.items() if held.owner == seat]

    def closed(self, province: str) -> bool:
        """Whether nothing may be placed in it or on its borders (house H6.11)."""
        return province in self.peace or province in self.scorched

    def is_ronin(self, seat: Seat) -> bool:
        """Whether the seat controls no province at all (house H6.15)."""
        return all(held.owner != seat for held in self.control.values())

    def seat_of(self, clan: str) -> Seat | None:
        """Who plays a clan, None for a neutral one."""
        return next((seat for seat, name in self.clans.items() if name == clan), None)

    def order(self) -> tuple[Seat, ...]:
        """The seats in turn order of this round (house H3.2, H8.6)."""
        start = self.seats.index(self.first) if self.first in self.seats else 0
        return self.seats[start:] + self.seats[:start]

    def bonus(self, seat: Seat, card: str) -> int:
        """How many cards of that kind the seat has in force this round (house H5.2: they add up)."""
        return self.played.get(seat, ()).count(card)

    def ranges_two(self, seat: Seat) -> bool:
        """Whether the seat's armies strike through one province (house H6.14)."""
        return self.clans.get(seat) == "unicorn" or self.bonus(seat, "hidden_paths") > 0


def new_board(seats: tuple[Seat, ...], rounds: int, talk_waves: int) -> Board:
    """The empty board before the first event."""
    none: Mapping[Seat, tuple[str, ...]] = dict.fromkeys(seats, ())
    return Board(
        seats=seats,
        rounds=rounds,
        talk_waves=talk_waves,
        held=none,
        discards=none,
        hands=dict.fromkeys(seats, 1),
        pools=dict.fromkeys(seats, 0),
    )


def settling(board: Board) -> Seat | None:
    """Whose turn it is to place a control token at setup, None when all are placed (house H3.3)."""
    placed = len(board.control) - len(board.seats)
    if board.first is None or placed >= SETUP_TOKENS[len(board.seats)] * len(board.seats):
        return None
    return board.order()[placed % len(board.seats)]


def _clan_taken(board: Board, event: ev.ClanTaken) -> Changes:
    pools = {**board.pools, event.seat: len(token_set(event.clan))}
    return {"clans": {**board.clans, event.seat: event.clan}, "pools": pools}


def _card_laid(board: Board, event: ev.TerritoryCardLaid) -> Changes:
    return {"cards": {**board.cards, event.territory: event.card}}


def _first_drawn(board: Board, event: ev.FirstPlayerDrawn) -> Changes:
    return {"first": event.seat}


def _control_placed(board: Board, event: ev.ControlPlaced) -> Changes:
    return {"control": {**board.control, event.province: Control(event.seat)}}


def _round_began(board: Board, event: ev.RoundBegan) -> Changes:
    return {
        "phase": "talk" if board.talk_waves else "prepare",
        "round": event.round,
        "first": event.first,
        "wave": 0,
        "moves": 0,
        "turn": None,
        "played": {},
        "answered": frozenset(),
        "passed": frozenset(),
        "looked": frozenset(),
    }


def _hand_grew(board: Board, event: ev.HandGrew) -> Changes:
    seat = event.seat
    return {
        "hands": {**board.hands, seat: board.hands[seat] + event.drawn},
        "pools": {**board.pools, seat: board.pools[seat] - event.drawn},
    }


def _answered(board: Board, event: ev.TalkTurnTaken | ev.SeatReady) -> Changes:
    return {"answered": board.answered | {event.seat}}


def _wave_ended(board: Board, event: ev.TalkWaveEnded) -> Changes:
    phase = "prepare" if event.last else "talk"
    return {"phase": phase, "wave": event.wave, "answered": frozenset()}


def _card_played(board: Board, event: ev.CardPlayed) -> Changes:
    left = tuple(territory for territory in board.held[event.seat] if territory != event.territory)
    played = (*board.played.get(event.seat, ()), event.card)
    return {"held": {**board.held, event.seat: left}, "played": {**board.played, event.seat: played}}


def _placement_began(board: Board, event: ev.PlacementBegan) -> Changes:
    return {"phase": "place", "moves": 0, "answered": frozenset()}


def _turn_passed(board: Board, event: ev.TurnPassedTo) -> Changes:
    return {"turn": event.seat}


def _token_laid(board: Board, event: ev.TokenLaid) -> Changes:
    where = place(event.place)
    return {
        "tokens": {**board.tokens, event.id: Laid(event.id, event.seat, event.place)},
        "spots": board.spots if where.inside else board.spots | {where.spot},
        "hands": {**board.hands, event.seat: board.hands[event.seat] - 1},
        "laid": board.laid + 1,
        "moves": board.moves + 1,
    }


def _blessing_laid(board: Board, event: ev.BlessingLaid) -> Changes:
    below = board.tokens[event.on]
    blessed = replace(below, blessings=(*below.blessings, event.face))
    return {
        "tokens": {**board.tokens, event.on: blessed},
        "hands": {**board.hands, event.seat: board.hands[event.seat] - 1},
        "moves": board.moves + 1,
    }


def _looked(board: Board, event: ev.TokenLooked) -> Changes:
    return {"looked": board.looked | {event.seat}, "moves": board.moves + 1}


def _passed(board: Board, event: ev.PlacementPassed) -> Changes:
    return {"passed": board.passed | {event.seat}, "moves": board.moves + 1}


def _turned_up(board: Board, event: ev.TokensTurnedUp) -> Changes:
    return {"phase": "resolve", "faceup": event.tokens, "turn": None}


def _scorched(board: Board, event: ev.ProvinceScorched) -> Changes:
    control = {province: held for province, held in board.control.items() if province != event.province}
    return {"control": control, "scorched": board.scorched | {event.province}}


def _peace_made(board: Board, event: ev.PeaceMade) -> Changes:
    return {"peace": board.peace | {event.province}}


def _battle_fought(board: Board, event: ev.BattleFought) -> Changes:
    if event.winner is not None:
        return {"control": {**board.control, event.province: Control(event.winner)}}
    held = board.control.get(event.province)
    if held is None:
        return UNCHANGED
    return {"control": {**board.control, event.province: replace(held, faceup=held.faceup + 1)}}


def _card_taken(board: Board, event: ev.TerritoryCardTaken) -> Changes:
    return {
        "taken": {**board.taken, event.territory: event.seat},
        "held": {**board.held, event.seat: (*board.held[event.seat], event.territory)},
    }


def _map_cleared(board: Board, event: ev.MapCleared) -> Changes:
    hands = dict(board.hands)
    discards = {seat: list(faces) for seat, faces in board.discards.items()}
    for token in board.faceup:
        discards[token.seat].extend(token.blessings)
        if token.face == BLUFF:
            hands[token.seat] += 1
        else:
            discards[token.seat].append(token.face)
    return {
        "hands": hands,
        "discards": {seat: tuple(sorted(faces)) for seat, faces in discards.items()},
        "tokens": {},
        "spots": frozenset(),
        "faceup": (),
    }


def _objective_revealed(board: Board, event: ev.ObjectiveRevealed) -> Changes:
    return {"objectives": {**board.objectives, event.seat: (event.objective, event.met)}}


def _scored(board: Board, event: ev.SeatScored) -> Changes:
    score = Score(event.flowers, event.faceup, event.territories, event.objective, event.total, event.provinces)
    return {"scores": {**board.scores, event.seat: score}}


def _won(board: Board, event: ev.GameWon) -> Changes:
    return {"phase": "over", "winners": event.winners}


_STEPS: Mapping[type[Event], Callable[[Board, Any], Changes]] = {
    ev.ClanTaken: _clan_taken,
    ev.TerritoryCardLaid: _card_laid,
    ev.FirstPlayerDrawn: _first_drawn,
    ev.ControlPlaced: _control_placed,
    ev.RoundBegan: _round_began,
    ev.HandGrew: _hand_grew,
    ev.TalkTurnTaken: _answered,
    ev.SeatReady: _answered,
    ev.TalkWaveEnded: _wave_ended,
    ev.CardPlayed: _card_played,
    ev.PlacementBegan: _placement_began,
    ev.TurnPassedTo: _turn_passed,
    ev.TokenLaid: _token_laid,
    ev.BlessingLaid: _blessing_laid,
    ev.TokenLooked: _looked,
    ev.PlacementPassed: _passed,
    ev.TokensTurnedUp: _turned_up,
    ev.ProvinceScorched: _scorched,
    ev.PeaceMade: _peace_made,
    ev.BattleFought: _battle_fought,
    ev.TerritoryCardTaken: _card_taken,
    ev.MapCleared: _map_cleared,
    ev.ObjectiveRevealed: _objective_revealed,
    ev.SeatScored: _scored,
    ev.GameWon: _won,
}


def changes(board: Board, event: Event) -> Changes:
    """What an event changes on the board; nothing for events that change nothing public."""
    step = _STEPS.get(type(event))
    return UNCHANGED if step is None else step(board, event)


def evolve(board: Board, event: Event) -> Board:
    """The board after an event."""
    found = changes(board, event)
    return changed(board, found) if found else board


def controls_whole(board: Board, seat: Seat, territory: str) -> bool:
    """Whether the seat controls every province of a territory that is not scorched, at least one (house H8.5)."""
    left = [p for p in atlas().territories[territory].provinces if p not in board.scorched]
    return bool(left) and all(board.owner(p) == seat for p in left)
