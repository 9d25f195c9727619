"""The referee's rules of Rokugan, house edition: who is asked when, and what follows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from diplomat.core.audience import Seat
from diplomat.core.dice import Dice
from diplomat.core.errors import RulesFault
from diplomat.core.events import Event
from diplomat.core.game import Outcome
from diplomat.core.menus import Answer
from diplomat.core.requests import Request
from diplomat.core.value import UNCHANGED, Changes, amend, changed
from diplomat.games.rokugan import board as public
from diplomat.games.rokugan import events as ev
from diplomat.games.rokugan.atlas import atlas
from diplomat.games.rokugan.board import Board, new_board, settling
from diplomat.games.rokugan.content import BLUFF, HAND_SIZE, cards, clans, kind, objectives, token_set
from diplomat.games.rokugan.placement import Position, can_place
from diplomat.games.rokugan.resolution import resolve
from diplomat.games.rokugan.scoring import final
from diplomat.games.rokugan.settings import Settings


@dataclass(frozen=True)
class State:
    """The referee's full state: the public board and everybody's secrets."""

    board: Board
    clan_wishes: Mapping[str, str]
    hands: Mapping[Seat, tuple[str, ...]] = field(default_factory=dict)
    """Tokens in hand, sorted."""
    pools: Mapping[Seat, tuple[str, ...]] = field(default_factory=dict)
    """In the order of drawing; the next one last."""
    objectives: Mapping[Seat, str] = field(default_factory=dict)
    faces: Mapping[str, str] = field(default_factory=dict)
    """The face of every token on the map."""
    prepared: Mapping[Seat, ev.PreparationSealed] = field(default_factory=dict)


class _Course:
    """A run of events, each applied at once so that the next can be decided on.

    Its state is a draft of its own: the state it began with stays as it was.
    """

    def __init__(self, state: State) -> None:
        self.board = changed(state.board)
        self.state = changed(state, {"board": self.board})
        self.events: list[Event] = []

    def add(self, *events: Event) -> None:
        for event in events:
            self.events.append(event)
            step = _STEPS.get(type(event))
            if step is not None:
                amend(self.state, step(self.state, event))
            amend(self.board, public.changes(self.board, event))


class RokuganRules:
    """See :class:`diplomat.core.game.Rules`."""

    def initial(self, settings: Settings, seats: tuple[Seat, ...]) -> State:
        """The state before the first event."""
        board = new_board(seats, settings.rounds, settings.talk_waves)
        hands = dict.fromkeys(seats, (BLUFF,))
        return State(board, dict(settings.clans), hands=hands)

    def start(self, state: State, dice: Dice) -> Iterable[Event]:
        """Clans, capitals, territory cards and the first player (house H1.2, H3.1, H3.2, H3.5)."""
        course = _Course(state)
        seats = state.board.seats
        free = dice.die("clans").shuffled([c for c in clans() if c not in state.clan_wishes.values()])
        drawn = iter(free)
        for seat in seats:
            course.add(ev.ClanTaken(seat, state.clan_wishes.get(seat) or next(drawn)))
        for seat in seats:
            course.add(ev.ControlPlaced(seat, atlas().capital_of[course.board.clans[seat]]))
        for territory in atlas().territories:
            course.add(ev.TerritoryCardLaid(territory, dice.die(f"card/{territory}").pick(list(cards()))))
        course.add(ev.FirstPlayerDrawn(dice.die("first").pick(seats)))
        return course.events

    def requests(self, state: State) -> tuple[Request, ...]:
        """All open questions in turn order."""
        board = state.board
        if board.phase == "setup":
            seat = settling(board)
            return () if seat is None else (Request(f"setup.{len(board.control)}", seat, "act", "settle"),)
        waiting = [seat for seat in board.order() if seat not in board.answered]
        if board.phase == "talk":
            stem = f"r{board.round}.talk{board.wave + 1}"
            return tuple(Request(f"{stem}.{seat}", seat, "talk", "talk") for seat in waiting)
        if board.phase == "prepare":
            return tuple(Request(f"r{board.round}.prepare.{seat}", seat, "act", "prepare") for seat in waiting)
        if board.phase == "place" and board.turn is not None:
            return (Request(f"r{board.round}.place.{board.moves}", board.turn, "act", "place"),)
        return ()

    def decide(self, state: State, request: Request, answer: Answer, dice: Dice) -> Iterable[Event]:
        """What follows from an answer that the seat's menu allows."""
        course = _Course(state)
        _DECIDE[request.form](course, request.seat, answer, dice)
        return course.events

    def evolve(self, state: State, event: Event) -> State:
        """The state after an event."""
        return evolve(state, event)

    def outcome(self, state: State) -> Outcome | None:
        """How the game ended, None while it runs."""
        board = state.board
        if board.phase != "over":
            return None
        return Outcome(board.winners, {seat: board.scores[seat].total for seat in board.seats})


def _settle(course: _Course, seat: Seat, answer: Answer, dice: Dice) -> None:
    course.add(ev.ControlPlaced(seat, answer["province"]))
    if settling(course.board) is None:
        _deal(course, dice)
        _begin_round(course, 1, course.board.order()[0])


def _deal(course: _Course, dice: Dice) -> None:
    """Objectives and pools (house H3.4)."""
    drawn = dice.die("objectives").shuffled(list(objectives()))
    for seat, objective in zip(course.board.seats, drawn, strict=False):
        course.add(ev.ObjectiveDealt(seat, objective))
        course.add(ev.PoolShuffled(seat, dice.die(f"pool/{seat}").shuffled(token_set(course.board.clans[seat]))))


def _begin_round(course: _Course, number: int, first: Seat) -> None:
    course.add(ev.RoundBegan(number, first))
    for seat in course.board.order():
        _draw(course, seat, HAND_SIZE - len(course.state.hands[seat]))


def _draw(course: _Course, seat: Seat, wanted: int) -> None:
    """Draws up to so many tokens; an empty pool gives what is left (house H5.1)."""
    pool = course.state.pools[seat]
    drawn = tuple(reversed(pool[max(0, len(pool) - wanted) :]))
    if wanted > 0 and drawn:
        course.add(ev.TokensDrawn(seat, drawn), ev.HandGrew(seat, len(drawn)))


def _talk(course: _Course, seat: Seat, answer: Answer, dice: Dice) -> None:
    course.add(ev.TalkTurnTaken(seat))
    board = course.board
    if len(board.answered) == len(board.seats):
        wave = board.wave + 1
        course.add(ev.TalkWaveEnded(board.round, wave, last=wave >= board.talk_waves))


def _prepare(course: _Course, seat: Seat, answer: Answer, dice: Dice) -> None:
    course.add(ev.PreparationSealed(seat, tuple(answer["cards"]), answer.get("exchange")), ev.SeatReady(seat))
    if len(course.board.answered) < len(course.board.seats):
        return
    prepared = course.state.prepared
    for who in course.board.order():
        for territory in prepared[who].cards:
            course.add(ev.CardPlayed(who, territory, course.board.cards[territory]))
    for who in course.board.order():
        returned = prepared[who].exchange
        if returned is not None:
            _exchange(course, who, returned, dice)
    for who in course.board.order():
        _draw(course, who, course.board.bonus(who, "reinforcements"))
    course.add(ev.PlacementBegan(course.board.round))
    _next_turn(course, course.board.order()[0])


def _exchange(course: _Course, seat: Seat, returned: str, dice: Dice) -> None:
    """Dragon's exchange: into the pool, shuffle, draw one (house H5.2)."""
    pool = [*course.state.pools[seat], returned]
    shuffled = dice.die(f"exchange/{seat}/r{course.board.round}").shuffled(pool)
    course.add(ev.TokenExchanged(seat, returned, shuffled[-1]), ev.ExchangeMade(seat))
    course.add(ev.PoolShuffled(seat, shuffled[:-1]))


def _place(course: _Course, seat: Seat, answer: Answer, dice: Dice) -> None:
    if answer["act"] == "look":
        token = answer["target"]
        course.add(ev.TokenLooked(seat, token), ev.TokenSeen(seat, token, course.state.faces[token]))
        return
    face, where = answer["token"], answer["place"]
    if kind(face) == "blessing":
        course.add(ev.BlessingLaid(seat, where, face))
    else:
        token = f"t{course.board.laid + 1}"
        course.add(ev.TokenLaid(seat, token, where), ev.TokenChosen(seat, token, face))
    order = course.board.order()
    _next_turn(course, order[(order.index(seat) + 1) % len(order)])


def _next_turn(course: _Course, candidate: Seat) -> None:
    """Gives the turn to the next seat that must place; resolves when there is none (house H6.1)."""
    order = course.board.order()
    start = order.index(candidate)
    for seat in order[start:] + order[:start]:
        if course.board.hands[seat] <= 1 or seat in course.board.passed:
            continue
        if can_place(Position(course.board, seat, course.state.faces), course.state.hands[seat]):
            course.add(ev.TurnPassedTo(seat))
            return
        course.add(ev.PlacementPassed(seat))
    _resolve(course)


def _resolve(course: _Course) -> None:
    course.add(*resolve(course.board, course.state.faces))
    board = course.board
    if board.round < board.rounds:
        order = board.seats
        following = order[(order.index(board.order()[0]) + 1) % len(order)]
        _begin_round(course, board.round + 1, following)
    else:
        course.add(*final(board, course.state.objectives))


_DECIDE: Mapping[str, Callable[[_Course, Seat, Answer, Dice], None]] = {
    "settle": _settle,
    "talk": _talk,
    "prepare": _prepare,
    "place": _place,
}


def _without(hand: tuple[str, ...], *faces: str) -> tuple[str, ...]:
    left = list(hand)
    for face in faces:
        left.remove(face)
    return tuple(left)


def _dealt(state: State, event: ev.ObjectiveDealt) -> Changes:
    return {"objectives": {**state.objectives, event.seat: event.objective}}


def _shuffled(state: State, event: ev.PoolShuffled) -> Changes:
    return {"pools": {**state.pools, event.seat: event.faces}}


def _drawn(state: State, event: ev.TokensDrawn) -> Changes:
    seat, count = event.seat, len(event.faces)
    pool = state.pools[seat]
    if tuple(reversed(pool[-count:])) != event.faces:
        raise RulesFault(f"{seat} draws {event.faces} but the pool ends with {pool[-count:]}")
    return {
        "hands": {**state.hands, seat: tuple(sorted((*state.hands[seat], *event.faces)))},
        "pools": {**state.pools, seat: pool[:-count]},
    }


def _sealed(state: State, event: ev.PreparationSealed) -> Changes:
    return {"prepared": {**state.prepared, event.seat: event}}


def _exchanged(state: State, event: ev.TokenExchanged) -> Changes:
    hand = tuple(sorted((*_without(state.hands[event.seat], event.returned), event.drawn)))
    pool = _without((*state.pools[event.seat], event.returned), event.drawn)
    return {"hands": {**state.hands, event.seat: hand}, "pools": {**state.pools, event.seat: pool}}


def _chosen(state: State, event: ev.TokenChosen) -> Changes:
    return {
        "hands": {**state.hands, event.seat: _without(state.hands[event.seat], event.face)},
        "faces": {**state.faces, event.id: event.face},
    }


def _blessed(state: State, event: ev.BlessingLaid) -> Changes:
    return {"hands": {**state.hands, event.seat: _without(state.hands[event.seat], event.face)}}


def _began(state: State, event: ev.PlacementBegan) -> Changes:
    return {"prepared": {}}


def _cleared(state: State, event: ev.MapCleared) -> Changes:
    hands = dict(state.hands)
    for token in state.board.faceup:
        if token.face == BLUFF:
            hands[token.seat] = tuple(sorted((*hands[token.seat], BLUFF)))
    return {"hands": hands, "faces": {}}


_STEPS: Mapping[type[Event], Callable[[State, Any], Changes]] = {
    ev.ObjectiveDealt: _dealt,
    ev.PoolShuffled: _shuffled,
    ev.TokensDrawn: _drawn,
    ev.PreparationSealed: _sealed,
    ev.TokenExchanged: _exchanged,
    ev.TokenChosen: _chosen,
    ev.BlessingLaid: _blessed,
    ev.PlacementBegan: _began,
    ev.MapCleared: _cleared,
}


def evolve(state: State, event: Event) -> State:
    """The state after an event: the public board, and secrets where the event touches them."""
    step = _STEPS.get(type(event))
    secrets = UNCHANGED if step is None else step(state, event)
    found = public.changes(state.board, event)
    if found:
        return changed(state, {**secrets, "board": changed(state.board, found)})
    return changed(state, secrets) if secrets else state
