"""What the study asks of a game's vocabulary beyond :class:`diplomat.core.pledges.PledgeRules`.

A game whose pledges have these methods is judged; promises of any other game are ``untestable``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, Protocol, cast, runtime_checkable

from diplomat.core.audience import Seat
from diplomat.core.events import Event
from diplomat.core.game import Game
from diplomat.core.pledges import Goal, Pledge

Mode = Literal["by", "never", "keep"]
"""``by``: at least once within the points; ``never``: not once; ``keep``: true at every point."""


class Hit(Protocol):
    """A deed that a goal speaks of; of a goal to *keep* a state, a point at which it did not hold."""

    @property
    def point(self) -> int:
        """Its decision point."""

    @property
    def n(self) -> int:
        """Number of the event that showed it."""

    @property
    def ids(self) -> tuple[str, ...]:
        """The game's own ids for it."""

    @property
    def success(self) -> bool | None:
        """Whether it had its effect; None if that is not known."""


class Chronicle(Protocol):
    """A fold over a whole log: who did what, and who could have."""

    now: int
    """The first decision point that is not over."""
    committed: int
    """The last point whose moves are being made or were made."""
    closed: int
    """The last point that is over."""
    last: int
    """The last point of the game."""
    over: bool
    roles: dict[Seat, str]

    def hear(self, n: int, event: Event) -> None:
        """Takes event ``n`` in."""

    def hits(self, goal: Goal) -> Sequence[Hit]:
        """The deeds so far that a goal speaks of, within its points, in order."""

    def can(self, goal: Goal, point: int) -> bool | None:
        """Whether its seat could do at that point what the goal speaks of; None: not known (yet)."""

    def out(self, seat: Seat) -> int:
        """The point at which a seat left the game, 0: it has not."""

    def contradicts(self, one: Goal, other: Goal) -> bool:
        """Whether one seat cannot keep both goals, as things stand now."""

    def serves(self, planned: Goal, promised: Goal) -> bool:
        """Whether doing the one does what the other promises, as things stand now."""

    def chances(self, seat: Seat, other: Seat, point: int) -> tuple[str, ...] | None:
        """What a seat could have done to another at a point; None: not known."""

    def between(self, seat: Seat, other: Seat, point: int) -> tuple[str, ...]:
        """What it did."""

    @property
    def spoken(self) -> Mapping[tuple[Seat, int], int]:
        """Chances to talk that a seat had at a point."""


class Example(Protocol):
    """A tiny log with a goal of a seat, and what became of it: ``kept``, ``broken``, ``void`` or ``vacuous``."""

    @property
    def goal(self) -> Goal:
        """The goal, given before the first decision point was over."""

    @property
    def fate(self) -> str:
        """What the resolver must find; ``vacuous``: kept, but could not have been broken."""

    @property
    def events(self) -> tuple[Event, ...]:
        """The log."""

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Its table."""


@runtime_checkable
class Vocabulary(Protocol):
    """The vocabulary of a game whose promises can be judged."""

    version: str
    """Of the vocabulary; stamped on every resolution."""

    def mode(self, verb: str) -> Mode | None:
        """How a verb is judged; None for a verb that the game does not have."""

    def chronicle(self, seats: tuple[Seat, ...], settings: Any) -> Chronicle:
        """A fresh record of deeds."""

    def examples(self) -> Iterable[Example]:
        """What keeps, breaks and makes impossible each verb."""


@runtime_checkable
class Reading(Protocol):
    """A vocabulary that can read the plain sentences of its own scripted players."""

    def read(
        self, text: str, speaker: Seat, hearer: Seat, roles: Mapping[Seat, str], now: int, last: int
    ) -> tuple[tuple[Pledge, ...], bool]:
        """The pledges of a text and whether it names its rounds; answers have no ``ref`` yet."""

    def named(self, text: str) -> frozenset[str]:
        """The roles that a text names; it says the same to all hearers that it does not name."""


@runtime_checkable
class Guarding(Protocol):
    """A chronicle that shows whether a creditor relied on a word."""

    def faith(self, creditor: Seat, goal: Goal) -> tuple[str, int]:
        """``believed``, ``doubted`` or empty, and the event that shows it."""


class Assertion(Protocol):
    """What a text asserts, and where it stands."""

    @property
    def proposition(self) -> str:
        """What kind of thing is asserted; what the study does not know is kept as unverifiable.

        ``asked``: a seat asked the speaker for a deed against another; ``bound``: of two seats one gave the other
        its word; ``broke``: a seat broke its word to another.
        """

    @property
    def about(self) -> tuple[str, ...]:
        """The seats: who, and whom."""

    @property
    def start(self) -> int:
        """First code point."""

    @property
    def end(self) -> int:
        """Code point after the last."""


@runtime_checkable
class Asserting(Protocol):
    """A vocabulary that finds what the sentences of its own scripted players assert."""

    def assertions(
        self, text: str, speaker: Seat, hearers: tuple[Seat, ...], roles: Mapping[Seat, str]
    ) -> Sequence[Assertion]:
        """What a text to some hearers (none listed: everybody) asserts about seats."""


def vocabulary_of(game: Game[Any, Any]) -> Vocabulary | None:
    """The game's vocabulary as the study needs it, or None if its promises cannot be judged."""
    return cast("Vocabulary", game.pledges) if isinstance(game.pledges, Vocabulary) else None
