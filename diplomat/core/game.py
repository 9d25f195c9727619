"""What a game must bring: pure rules, a seat's side, a vocabulary and texts.

Two type variables run through: ``S`` is the referee's full state, ``K`` what one seat knows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

from diplomat.core.audience import Seat
from diplomat.core.dice import Dice, Die
from diplomat.core.events import Event
from diplomat.core.guide import Guide, PlainGuide
from diplomat.core.menus import Answer, Problem
from diplomat.core.pledges import Plan, PledgeRules
from diplomat.core.requests import Question, Request
from diplomat.core.sheet import Sheet
from diplomat.core.talk import Message, TalkWindow
from diplomat.core.texts import Texts

S = TypeVar("S")
K = TypeVar("K")


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: several winners are a shared victory."""

    winners: tuple[Seat, ...]
    scores: Mapping[str, int]


class Rules(Protocol[S]):
    """The rules: pure functions of state, answer and named dice."""

    def initial(self, settings: Any, seats: tuple[Seat, ...]) -> S:
        """The state before the first event."""

    def start(self, state: S, dice: Dice) -> Iterable[Event]:
        """The opening events: dealing, drawing, whatever comes before the first question."""

    def requests(self, state: S) -> tuple[Request, ...]:
        """All open questions, in seat order; empty when the game is over."""

    def decide(self, state: S, request: Request, answer: Answer, dice: Dice) -> Iterable[Event]:
        """What follows from a legal answer."""

    def evolve(self, state: S, event: Event) -> S:
        """The state after an event; events of other kinds leave it as it is."""

    def outcome(self, state: S) -> Outcome | None:
        """How the game ended, or None while it runs."""


class SeatSide(Protocol[K]):
    """What one seat knows: a fold over the events it may see, and everything made from that."""

    def unknown(self, settings: Any, seats: tuple[Seat, ...], seat: Seat | None) -> K:
        """What is known before the first event; ``seat=None`` is a watcher."""

    def learn(self, known: K, events: Iterable[Event]) -> K:
        """What is known after more permitted events, in order."""

    def question(self, known: K, request: Request) -> Question:
        """The menu and the default of a request, from what its seat knows."""

    def talk(self, known: K, request: Request | None) -> TalkWindow:
        """Whom the seat may write to now; ``request`` is what it is answering, if anything."""

    def view(self, known: K) -> dict[str, Any]:
        """What is known as plain JSON data."""

    def text(self, known: K, lang: str) -> str:
        """What is known as words, the text twin of the picture."""

    def svg(self, known: K, lang: str) -> str:
        """What is known as a picture, one ``<svg>`` element."""

    def ask(self, known: K, request: Request, lang: str) -> str:
        """The question in words."""


@dataclass(frozen=True, slots=True)
class Decision(Generic[K]):
    """All that a player ever gets to decide from."""

    question: Question
    window: TalkWindow
    known: K
    """The fold over the events this seat may see, up to now."""
    news: tuple[Event, ...]
    """The permitted events since this seat was last asked."""
    dice: Dice
    """Dice of this seat alone, for players that play by chance."""
    problem: Problem | None = None
    """Why the last answer to this very question was refused."""

    @property
    def request(self) -> Request:
        """The open request."""
        return self.question.request

    def die(self, purpose: str) -> Die:
        """A die for one purpose of this decision."""
        return self.dice.die(f"{self.request.id}/{purpose}")


@dataclass(frozen=True, slots=True)
class Reply:
    """What a player gives back: the answer and, if it likes, words, a plan and a note."""

    answer: Answer
    say: tuple[Message, ...] = ()
    plan: Plan | None = None
    note: str | None = None


class Bot(Protocol[K]):
    """A scripted player: decides at once, from its decision alone and its own memory of earlier ones."""

    def decide(self, decision: Decision[K]) -> Reply:
        """The reply to one question."""


BotFactory = Callable[..., Bot[Any]]
"""``factory(seat, profile, lang)``: profile gives numeric traits and a tone of voice."""


class Storyteller(Protocol):
    """Puts events into words for people."""

    def names(self, board: Any, lang: str) -> Mapping[str, str]:
        """How seats are shown, from what a watcher knows."""

    def tell(self, event: Event, before: Any, lang: str) -> str | None:
        """One event as a sentence, or None when it is not worth one; ``before`` is what was known."""


@dataclass(frozen=True, slots=True)
class Tally(Generic[K]):
    """What a balance report counts."""

    row: Callable[[K], Mapping[str, Any]]
    """A finished game as plain data, from what a watcher knows at its end."""
    sheets: Callable[[Sequence[Mapping[str, Any]]], Sequence[Sheet]]
    """The figures over many games."""
    name: Callable[[str, str], str]
    """The shown form of a sheet's title, column or row name, given the language."""


@dataclass(frozen=True)
class Game(Generic[S, K]):
    """A game as the discovery finds it: everything the table needs, and nothing to edit elsewhere."""

    id: str
    titles: Mapping[str, str]
    edition: str
    rules_version: int
    seats: range
    settings: type[Any]
    """A pydantic model; every field has a default."""
    rules: Rules[S]
    side: SeatSide[K]
    pledges: PledgeRules
    story: Storyteller
    events: tuple[type[Event], ...]
    """Every event class of the game."""
    bots: Mapping[str, BotFactory]
    package: str
    """Where its texts and ``rules.{lang}.md`` lie."""
    roles: tuple[str, ...] = ()
    """Names that can be asked for in place of a seat (Rokugan: clans)."""
    seat_for_role: Callable[[dict[str, Any], Seat, str], None] | None = None
    """Writes into raw settings that a seat plays a role."""
    another_world: Callable[[S, Seat, Die], S | None] | None = None
    """A different state that the seat cannot tell apart from this one (for the resample check)."""
    default_seats: int = 2
    balance: Tally[K] | None = None
    """What the balance report counts."""
    quiet: Mapping[str, Any] = field(default_factory=dict)
    """Settings of a game without talk."""
    brief: Mapping[str, Any] = field(default_factory=dict)
    """Settings of a short game, for golden play-throughs."""
    reveals: tuple[type[Event], ...] = ()
    """Events by which the rules themselves open a secret (for the resample check)."""
    guide: Guide = field(default_factory=PlainGuide)
    """How it wants to be shown."""

    def texts(self, lang: str) -> Texts:
        """The game's catalogue joined with the shared one."""
        from diplomat.core.texts import core_texts, load_texts

        return core_texts(lang).joined(load_texts(self.package, "texts", lang))

    def title(self, lang: str) -> str:
        """The game's name in that language, English if there is none."""
        return self.titles.get(lang, self.titles["en"])
