"""A small kit for tests of the rules: build a table in the middle of a game, ask it, and let it go on.

A :class:`Scene` is a value; each step returns a new one, so a test reads like the rule:
``scene("lion", "crane").holds(A, x).lays(A, "army-3", f"{x}>{y}").resolved()``.
Provinces come from queries on the map, because the map may be retuned.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import permutations
from typing import Any, TypeVar

from diplomat.core.audience import Seat
from diplomat.core.dice import Dice
from diplomat.core.events import Event
from diplomat.core.menus import Answer, Menu, Problem
from diplomat.core.requests import Request
from diplomat.games.rokugan import game
from diplomat.games.rokugan.atlas import atlas, distances
from diplomat.games.rokugan.board import Board, Control, new_board
from diplomat.games.rokugan.events import BattleFought, PoolShuffled, TokenChosen, TokenLaid, TurnedUp
from diplomat.games.rokugan.knowledge import Known
from diplomat.games.rokugan.places import place
from diplomat.games.rokugan.resolution import resolve
from diplomat.games.rokugan.rules import RokuganRules, State
from diplomat.games.rokugan.seat import RokuganSide
from diplomat.games.rokugan.settings import CLAN_IDS, Settings
from diplomat.table.referee import Referee

T = TypeVar("T", bound=Event)

SEATS = tuple(Seat(f"s{number}") for number in range(1, 6))
A, B, C, D, E = SEATS
RULES, SIDE, DICE, MAP = RokuganRules(), RokuganSide(), Dice("kit"), atlas()
CLANS = CLAN_IDS
KINDS = {
    "army": "army-2",
    "navy": "navy-2",
    "shinobi": "shinobi-3",
    "blessing": "blessing-2",
    "diplomacy": "diplomacy",
    "raid": "raid",
    "bluff": "bluff",
}
"""One face of every kind."""

BORDERS = tuple(f"{p.id}>{other}" for p in MAP.provinces.values() for other in p.neighbours)
COASTS = tuple(f"sea>{p.id}" for p in MAP.provinces.values() if p.coastal)
ROOMS = (*MAP.provinces, *BORDERS, *COASTS)
"""Every place a token could lie in, legal or not."""


# --- the map, by what is asked of it -----------------------------------------------------------


def plain(province: str) -> bool:
    """Whether neither the land nor Crab adds anything to its defence."""
    return MAP.provinces[province].defence == 0 and province not in MAP.near_shadow


def near(one: str, other: str) -> bool:
    """Whether two provinces are adjacent by land."""
    return other in MAP.provinces[one].neighbours


def coastal(province: str) -> bool:
    """Whether it has a coast."""
    return MAP.provinces[province].coastal


def paths(length: int) -> Iterator[tuple[str, ...]]:
    """Rows of provinces, each adjacent to the next, none twice."""
    rows: list[tuple[str, ...]] = [(p,) for p in MAP.provinces]
    for _ in range(length - 1):
        rows = [(*row, n) for row in rows for n in MAP.provinces[row[-1]].neighbours if n not in row]
    yield from rows


def border() -> tuple[str, str]:
    """Two adjacent plain provinces."""
    return next((x, y) for x, y in paths(2) if plain(x) and plain(y))


def path() -> tuple[str, str, str]:
    """A start, a province between and a target that does not touch the start; the target is plain."""
    return next((x, m, y) for x, m, y in paths(3) if plain(y) and not near(x, y))


def star() -> tuple[str, str, str, str]:
    """A plain province and three of its neighbours."""
    p = next(p for p in MAP.provinces.values() if plain(p.id) and len(p.neighbours) > 2)
    return p.id, p.neighbours[0], p.neighbours[1], p.neighbours[2]


def coast() -> str:
    """A plain coastal province of the mainland."""
    return next(p for p in MAP.provinces if coastal(p) and plain(p) and MAP.provinces[p].neighbours)


def coast_border() -> tuple[str, str]:
    """A province and its plain coastal neighbour."""
    return next((x, y) for x, y in paths(2) if plain(y) and coastal(y))


def inland() -> str:
    """A plain province without a coast."""
    return next(p for p in MAP.provinces if plain(p) and not coastal(p))


def far_from(*provinces: str) -> str:
    """A plain inland province at least three land steps from all of the given ones."""
    steps = [distances(MAP, p) for p in provinces]
    return next(p for p in MAP.provinces if plain(p) and not coastal(p) and all(s.get(p, 9) > 2 for s in steps))


def capital(clan: str) -> str:
    """A clan's capital."""
    return MAP.capital_of[clan]


def lands(territory: str) -> tuple[str, ...]:
    """The provinces of a territory."""
    return MAP.territories[territory].provinces


def shadowlands() -> tuple[str, ...]:
    """The Shadowlands provinces."""
    return tuple(p.id for p in MAP.provinces.values() if MAP.territories[p.territory].kind == "shadowlands")


def cut_by_mountain() -> tuple[str, str]:
    """Two provinces on one mountain that do not touch each other."""
    around = {q: p.id for p in MAP.provinces.values() for q in _around(p.at) if q in MAP.mountains}
    pairs = permutations(MAP.provinces.values(), 2)
    return next((a.id, b.id) for a, b in pairs if not near(a.id, b.id) and _around(a.at) & _around(b.at) & set(around))


def _around(cell: tuple[int, int]) -> set[tuple[int, int]]:
    q, r = cell
    return {(q + 1, r), (q - 1, r), (q, r + 1), (q, r - 1), (q + 1, r - 1), (q - 1, r + 1)}


# --- a table in the middle of a game -----------------------------------------------------------


@dataclass(frozen=True)
class Scene:
    """A game somewhere in a round, and what happened in the last step."""

    state: State
    log: tuple[Event, ...] = ()

    @property
    def board(self) -> Board:
        return self.state.board

    def with_board(self, **changes: Any) -> Scene:
        return Scene(replace(self.state, board=replace(self.board, **changes)), self.log)

    def holds(self, seat: Seat, *provinces: str, faceup: int = 0) -> Scene:
        """The seat controls these provinces."""
        held = {province: Control(seat, faceup=faceup) for province in provinces}
        return self.with_board(control={**self.board.control, **held})

    def peace(self, *provinces: str) -> Scene:
        return self.with_board(peace=self.board.peace | set(provinces))

    def scorched(self, *provinces: str) -> Scene:
        return self.with_board(scorched=self.board.scorched | set(provinces))

    def phase(self, name: str, number: int = 1) -> Scene:
        return self.with_board(phase=name, round=number)

    def first(self, seat: Seat) -> Scene:
        return self.with_board(first=seat, turn=seat)

    def card(self, seat: Seat, territory: str, kind: str) -> Scene:
        """The seat holds that territory's card, unplayed."""
        return self.with_board(
            cards={**self.board.cards, territory: kind},
            taken={**self.board.taken, territory: seat},
            held={**self.board.held, seat: (*self.board.held[seat], territory)},
        )

    def played(self, seat: Seat, *kinds: str) -> Scene:
        """The seat has these cards in force this round."""
        return self.with_board(played={**self.board.played, seat: kinds})

    def hand(self, seat: Seat, *faces: str) -> Scene:
        known = self.with_board(hands={**self.board.hands, seat: len(faces)})
        return Scene(replace(known.state, hands={**self.state.hands, seat: tuple(sorted(faces))}), self.log)

    def pool(self, seat: Seat, *faces: str) -> Scene:
        """The seat's pool, the next one to be drawn first."""
        known = self.with_board(pools={**self.board.pools, seat: len(faces)})
        return Scene(replace(known.state, pools={**self.state.pools, seat: faces[::-1]}), self.log)

    def lays(self, seat: Seat, face: str, where: str, *blessings: str) -> Scene:
        """The seat has laid a token there, blessed as told."""
        kept, name = self.state.hands[seat], f"t{self.board.laid + 1}"
        after = self.hand(seat, *kept, face).went_on(TokenLaid(seat, name, where), TokenChosen(seat, name, face))
        laid = {**after.board.tokens, name: replace(after.board.tokens[name], blessings=blessings)}
        return after.with_board(tokens=laid)

    def went_on(self, *events: Event) -> Scene:
        """After these events."""
        state = self.state
        for event in events:
            state = RULES.evolve(state, event)
        return Scene(state, events)

    def token(self, where: str, seat: Seat | None = None) -> str:
        """The id of the token that lies there."""
        laid = self.board.tokens.values()
        return next(t.id for t in laid if t.place == where and seat in (None, t.seat))

    # --- asking

    def known(self, seat: Seat, *hand: str) -> Known:
        """What the seat knows: its hand (or the given one) and its own tokens on the map."""
        own = {t.id: self.state.faces[t.id] for t in self.board.tokens.values() if t.seat == seat}
        cards = hand or self.state.hands[seat]
        return Known(seat, self.board, Settings(), hand=cards, faces=own, objective=self.state.objectives.get(seat))

    def menu(self, seat: Seat, *hand: str) -> Menu:
        """What the seat may answer now."""
        return SIDE.question(self.known(seat, *hand), Request("q", seat, "act", self.board.phase)).menu

    def refusal(self, seat: Seat, face: str, where: str) -> str | None:
        """The code of the reason why the seat may not place this face there, None if it may."""
        hand = (face, "bluff") if face != "bluff" else ("bluff", "army-1")
        return code(self.menu(seat, *hand).problem({"act": "place", "token": face, "place": where}))

    def places(self, seat: Seat, face: str) -> set[str]:
        """Every place (for a blessing: every token) that the menu takes for this face."""
        menu = self.menu(seat, *((face, "bluff") if face != "bluff" else ("bluff", "army-1")))
        rooms = (*ROOMS, *self.board.tokens)
        return {r for r in rooms if menu.problem({"act": "place", "token": face, "place": r}) is None}

    def asked(self) -> list[Seat]:
        """Who is asked now."""
        return [request.seat for request in RULES.requests(self.state)]

    def problem(self, seat: Seat, **answer: Answer) -> str | None:
        """The code of the reason why the seat may not answer so, None if it may."""
        return code(self.menu(seat).problem(answer))

    # --- going on

    def answers(self, seat: Seat, dice: Dice = DICE, **answer: Answer) -> Scene:
        """After the seat's answer to its open question, which must be legal."""
        request = next(request for request in RULES.requests(self.state) if request.seat == seat)
        assert SIDE.question(self.known(seat), request).menu.problem(answer) is None
        return self.went_on(*RULES.decide(self.state, request, answer, dice))

    def places_token(self, seat: Seat, face: str, where: str) -> Scene:
        """After the seat placed a token in its turn."""
        return self.answers(seat, act="place", token=face, place=where)

    def resolved(self) -> Scene:
        """After the resolution of what lies on the map."""
        return self.went_on(*resolve(self.board, self.state.faces))

    def battle(self, province: str) -> BattleFought | None:
        """The battle for that province in the resolution of what lies on the map."""
        fought = [event for event in self.resolved().of(BattleFought) if event.province == province]
        assert len(fought) < 2, "one battle in one province"
        return fought[0] if fought else None

    def of(self, kind: type[T]) -> list[T]:
        """The events of one kind in the last step."""
        return [event for event in self.log if isinstance(event, kind)]

    def owner(self, province: str) -> Seat | None:
        return self.board.owner(province)


def scene(*clans: str) -> Scene:
    """An empty map in the placement of round 1, one seat for each clan, A to begin."""
    seats = SEATS[: len(clans)]
    none: Mapping[Seat, tuple[str, ...]] = dict.fromkeys(seats, ())
    board = replace(
        new_board(seats, 5, 0),
        clans=dict(zip(seats, clans, strict=True)),
        cards=dict.fromkeys(MAP.territories, "battle_cry"),
        phase="place",
        round=1,
        first=seats[0],
        turn=seats[0],
        hands=dict.fromkeys(seats, 0),
    )
    return Scene(State(board, {}, hands=none, pools=none, objectives=dict(zip(seats, OBJECTIVES, strict=False))))


OBJECTIVES = ("legacy", "waves", "favour", "palm", "gaze")


def code(problem: Problem | None) -> str | None:
    """The code of a problem."""
    return None if problem is None else problem.code


def shown(face: str, seat: Seat, where: str, *blessings: str, name: str = "t") -> TurnedUp:
    """A token as it is turned up."""
    return TurnedUp(f"{name}-{seat}-{face}", seat, where, face, blessings)


def discards(board: Board, seat: Seat) -> Counter[str]:
    """A seat's discard pile."""
    return Counter(board.discards[seat])


# --- whole games -------------------------------------------------------------------------------


class Play:
    """A whole game at a referee's, its seats answering by chance unless told otherwise."""

    def __init__(self, *clans: str, seed: str = "1", seats: int = 0, **settings: Any) -> None:
        self.seats = SEATS[: len(clans) or seats]
        wishes = {str(seat): clan for seat, clan in zip(self.seats, clans, strict=False)}
        self.settings = Settings.model_validate({"talk_waves": 0, **settings, "clans": wishes})
        self.referee: Referee[State, Known] = Referee(game, self.settings, self.seats, seed)
        self.dice = Dice(f"{seed}/players")
        self.referee.begin()

    @property
    def board(self) -> Board:
        return self.referee.state.board

    @property
    def log(self) -> list[Event]:
        return self.referee.log

    def of(self, kind: type[T]) -> list[T]:
        """All events of one kind so far."""
        return [event for event in self.log if isinstance(event, kind)]

    def step(self) -> None:
        """The first open question gets a random legal answer."""
        request = self.referee.open()[0]
        answer = self.referee.question(request).menu.sample(self.dice.die(request.id))
        assert self.referee.submit(request, answer) is None

    def until(self, form: str, number: int = 0) -> Play:
        """Goes on until such a question is open, in that round or later."""
        while self.referee.open()[0].form != form or self.board.round < number:
            self.step()
        return self

    def finish(self) -> Play:
        """Goes on to the end."""
        while self.referee.open():
            self.step()
        return self


def hidden_from(events: Iterable[Event], seat: Seat | None) -> list[Event]:
    """Which of the events the seat may not see; None is a watcher."""
    return [event for event in events if not event.audience().includes(seat)]


def pools(play: Play) -> dict[Seat, tuple[str, ...]]:
    """The first order of every pool in a game."""
    first: dict[Seat, tuple[str, ...]] = {}
    for event in play.of(PoolShuffled):
        first.setdefault(event.seat, event.faces)
    return first


def target(where: str) -> str:
    """The province that a place acts on."""
    return place(where).target
