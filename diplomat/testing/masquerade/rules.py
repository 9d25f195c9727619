"""The referee's rules of the masquerade."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from diplomat.core.audience import Seat
from diplomat.core.dice import Dice, Die
from diplomat.core.events import Event
from diplomat.core.game import Outcome
from diplomat.core.menus import Answer
from diplomat.core.requests import Request, RequestKind
from diplomat.testing.masquerade import events as ev
from diplomat.testing.masquerade import floor as public
from diplomat.testing.masquerade.floor import NOBODY, Floor, Settings

CHARACTERS = ("spy", "guard", "herald", "host")
"""The rest are guests."""
KINDS: Mapping[str, RequestKind] = {"talk": "talk", "orders": "act", "react": "react", "vote": "vote"}
NEXT = {"talk": "orders", "orders": "react", "react": "vote"}


@dataclass(frozen=True, slots=True)
class State:
    """The floor and everybody's secrets."""

    floor: Floor
    characters: Mapping[Seat, str] = field(default_factory=dict)
    orders: Mapping[Seat, ev.OrderSealed] = field(default_factory=dict)
    votes: Mapping[Seat, str] = field(default_factory=dict)


class MasqueradeRules:
    """See :class:`diplomat.core.game.Rules`."""

    def initial(self, settings: Settings, seats: tuple[Seat, ...]) -> State:
        """The state before the first event."""
        return State(Floor(seats))

    def start(self, state: State, dice: Dice) -> Iterable[Event]:
        """Deals the characters."""
        seats = state.floor.seats
        guests = ["guest"] * (len(seats) - len(CHARACTERS))
        dealt = dice.die("characters").shuffled([*CHARACTERS, *guests])
        yield ev.MasksShuffled(dealt)
        for seat, character in zip(seats, dealt, strict=True):
            yield ev.CharacterDealt(seat, character)
        yield ev.PhaseBegan("talk")

    def requests(self, state: State) -> tuple[Request, ...]:
        """The same question to every seat that has not answered it."""
        phase = state.floor.phase
        if phase not in KINDS:
            return ()
        return tuple(Request(f"{phase}.{seat}", seat, KINDS[phase], phase) for seat in state.floor.waiting())

    def decide(self, state: State, request: Request, answer: Answer, dice: Dice) -> Iterable[Event]:
        """What follows from an answer."""
        seat, phase = request.seat, request.form
        if phase == "orders":
            yield (sealed := ev.OrderSealed(seat, answer["act"], answer.get("target")))
            state = replace(state, orders={**state.orders, seat: sealed})
        elif phase == "vote":
            yield ev.VoteSealed(seat, answer["for"])
            state = replace(state, votes={**state.votes, seat: answer["for"]})
        yield ev.SeatAnswered(seat)
        ring = phase == "react" and answer["act"] == "bell"
        if phase == "react" and answer["act"] == "hush":
            yield ev.SeatHushed(seat, answer["target"])
        if ring:
            yield ev.BellRung(seat)
        if ring or state.floor.waiting() == (seat,):
            yield from _end_of(phase, state)

    def evolve(self, state: State, event: Event) -> State:
        """The state after an event."""
        match event:
            case ev.CharacterDealt():
                return replace(state, characters={**state.characters, event.seat: event.character})
            case ev.OrderSealed():
                return replace(state, orders={**state.orders, event.seat: event})
            case ev.VoteSealed():
                return replace(state, votes={**state.votes, event.seat: event.choice})
            case ev.PhaseBegan(phase="react"):
                return replace(state, floor=public.evolve(state.floor, event), orders={})
        floor = public.evolve(state.floor, event)
        return state if floor is state.floor else replace(state, floor=floor)

    def outcome(self, state: State) -> Outcome | None:
        """How the game ended."""
        floor = state.floor
        if floor.phase != "over":
            return None
        return Outcome(floor.winners, {seat: int(seat in floor.winners) for seat in floor.seats})


def _end_of(phase: str, state: State) -> Iterator[Event]:
    if phase == "orders":
        yield from _night(state)
    if phase == "vote":
        yield from _count(state)
    else:
        yield ev.PhaseBegan(NEXT[phase])


def _night(state: State) -> Iterator[Event]:
    """Everybody moves at once; a guarded seat cannot be poisoned."""
    orders = state.orders.values()
    guarded = {order.target for order in orders if order.act == "guard"}
    for order in orders:
        if order.act == "poison" and order.target is not None and order.target not in guarded:
            yield ev.SeatPoisoned(order.target)
    for order in orders:
        if order.act == "watch" and order.target is not None:
            came = tuple(o.seat for o in orders if o.target == order.target and o.seat != order.seat)
            yield ev.VisitSeen(order.seat, order.target, came)


def _count(state: State) -> Iterator[Event]:
    """The seat named most often is unmasked; nobody is on a tie, or when ``nobody`` leads."""
    counts = Counter(state.votes.values())
    most = max(counts.values())
    leaders = [name for name, count in counts.items() if count == most]
    unmasked = Seat(leaders[0]) if len(leaders) == 1 and leaders[0] != NOBODY else None
    yield ev.VotesCounted(dict(sorted(counts.items())), unmasked)
    for seat in state.floor.seats:
        yield ev.CharacterShown(seat, state.characters[seat])
    spy = next(seat for seat, character in state.characters.items() if character == "spy")
    winners = tuple(seat for seat in state.floor.seats if (seat == spy) != (unmasked == spy))
    yield ev.BallEnded(winners)


def another_world(state: State, seat: Seat, die: Die) -> State | None:
    """Others' characters, orders and votes dealt anew within what everybody knows."""
    floor = state.floor
    if not state.characters or floor.phase == "over":
        return None
    hidden = [other for other in floor.seats if other != seat and other not in floor.shown]
    characters = dict(state.characters)
    for _ in range(50):
        dealt = die.shuffled([state.characters[other] for other in hidden])
        characters.update(zip(hidden, dealt, strict=True))
        if all(characters[gone] != "spy" for gone in floor.out):  # the spy cannot poison itself
            break
    orders = {
        other: order if other == seat else _order(floor, other, characters[other], die)
        for other, order in state.orders.items()
    }
    votes = {
        other: vote if other == seat else die.pick([NOBODY, *(s for s in floor.present() if s != other)])
        for other, vote in state.votes.items()
    }
    return replace(state, characters=characters, orders=orders, votes=votes)


def _order(floor: Floor, seat: Seat, character: str, die: Die) -> ev.OrderSealed:
    act = die.pick(acts_at_night(character))
    others = [other for other in floor.present() if other != seat]
    return ev.OrderSealed(seat, act, None if act == "rest" else die.pick(others))


def acts_at_night(character: str) -> list[str]:
    """What a character may do at night."""
    return ["rest", "watch", *{"spy": ["poison"], "guard": ["guard"]}.get(character, [])]
