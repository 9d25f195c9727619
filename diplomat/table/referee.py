"""The referee: holds the state, judges answers, keeps the log and every seat's share of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Generic, TypeVar

from diplomat.core.audience import Seat
from diplomat.core.dice import Dice
from diplomat.core.errors import RulesFault, StepLimit
from diplomat.core.events import Event
from diplomat.core.game import Game, Outcome
from diplomat.core.menus import Answer, Problem
from diplomat.core.plain import digest
from diplomat.core.proceedings import AnswerGiven, DiceChanged, SeedSealed
from diplomat.core.requests import Question, Request

S = TypeVar("S")
K = TypeVar("K")
Listener = Callable[[int, Event], None]

MAX_ANSWERS = 100_000
"""A game that takes more answers than this does not end by itself."""


class _Feed(Generic[K]):
    """One seat's permitted events, and what it knows from them, folded when somebody asks."""

    __slots__ = ("events", "folded", "known")

    def __init__(self, known: K) -> None:
        self.events: list[Event] = []
        self.known = known
        self.folded = 0


class Referee(Generic[S, K]):
    """Applies the rules of one game at one table."""

    def __init__(self, game: Game[S, K], settings: Any, seats: tuple[Seat, ...], seed: str) -> None:
        self.game = game
        self.settings = settings
        self.seats = seats
        self.dice = Dice(f"{seed}/rules")
        self.seed = seed
        self.state: S = game.rules.initial(settings, seats)
        self.log: list[Event] = []
        self.answers = 0
        self._feeds: dict[Seat | None, _Feed[K]] = {
            seat: _Feed(game.side.unknown(settings, seats, seat)) for seat in (*seats, None)
        }
        self._listeners: list[Listener] = []
        self._open: tuple[Request, ...] = ()

    def listen(self, hear: Listener) -> None:
        """Calls ``hear(n, event)`` for every event from now on; ``n`` counts from 1."""
        self._listeners.append(hear)

    def begin(self) -> None:
        """Seals the seed and deals."""
        self.record(SeedSealed(self.seed))
        self._apply(self.game.rules.start(self.state, self.dice))

    def change_dice(self, seed: str) -> None:
        """From here on the rules draw from another seed: a fork of a game with other luck."""
        self.record(DiceChanged(seed))
        self.dice = Dice(f"{seed}/rules")

    def open(self) -> tuple[Request, ...]:
        """All requests that wait for an answer, in the order in which answers are applied."""
        return self._open

    def is_open(self, request: Request) -> bool:
        """Whether that very request still waits."""
        return request in self._open

    def question(self, request: Request) -> Question:
        """The request's menu and default, from what its seat knows."""
        return self.game.side.question(self.known(request.seat), request)

    def submit(self, request: Request, answer: Answer, question: Question | None = None) -> Problem | None:
        """Applies an answer; a problem says why it was not applied, and then nothing has changed."""
        if not self.is_open(request):
            return Problem("stale")
        menu = (question or self.question(request)).menu
        if (found := menu.problem(answer)) is not None:
            return found
        self.answers += 1
        if self.answers > MAX_ANSWERS:
            raise StepLimit(f"the game did not end within {MAX_ANSWERS} answers")
        self.record(AnswerGiven(request.seat, request.id, answer))
        self._apply(self.game.rules.decide(self.state, request, answer, self.dice))
        return None

    def record(self, event: Event) -> None:
        """Takes an event into the log, the state and the feeds of those who may see it."""
        audience = event.audience().seats
        if audience is not None and not audience.issubset(self.seats):
            strangers = ", ".join(sorted(audience.difference(self.seats)))
            raise RulesFault(f"{type(event).__name__} is meant for {strangers}, but nobody of that name sits here")
        self.log.append(event)
        self.state = self.game.rules.evolve(self.state, event)
        if audience is None:
            for feed in self._feeds.values():
                feed.events.append(event)
        else:
            for seat in audience:
                self._feeds[seat].events.append(event)
        for hear in self._listeners:
            hear(len(self.log), event)

    def _apply(self, events: Iterable[Event]) -> None:
        for event in events:
            self.record(event)
        self._open = self.game.rules.requests(self.state)
        if not self._open and self.outcome() is None:
            raise RulesFault(f"{self.game.id}: nobody is asked and the game is not over")

    def known(self, seat: Seat | None) -> K:
        """What a seat knows now; ``None`` is a watcher."""
        feed = self._feeds[seat]
        if feed.folded < len(feed.events):
            feed.known = self.game.side.learn(feed.known, feed.events[feed.folded :])
            feed.folded = len(feed.events)
        return feed.known

    def seen(self, seat: Seat | None, since: int = 0) -> tuple[Event, ...]:
        """The events a seat may see, from its own position ``since`` on."""
        return tuple(self._feeds[seat].events[since:])

    def seen_count(self, seat: Seat | None) -> int:
        """How many events a seat has been allowed to see."""
        return len(self._feeds[seat].events)

    def outcome(self) -> Outcome | None:
        """How the game ended, None while it runs."""
        return self.game.rules.outcome(self.state)

    def digest(self) -> str:
        """SHA-256 of the full state."""
        return digest(self.state)
