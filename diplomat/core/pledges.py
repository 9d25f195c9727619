"""Pledges: formal statements that a message may carry beside its words.  They bind nobody.

A *goal* is something a seat does or leaves undone within rounds, in the vocabulary of the game
(``not_attack``, ``stay_out`` …).  A *pledge* is a speech act about goals.  The game's
:class:`PledgeRules` say which goals make sense; nothing ever enforces them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal, Protocol

from diplomat.core.audience import Seat
from diplomat.core.events import Event
from diplomat.core.menus import Problem
from diplomat.core.texts import Texts

Act = Literal["promise", "offer", "ask", "accept", "refuse", "counter", "threat", "withdraw"]
"""``promise``: I will.  ``offer``: I will if you will, and I want your word.  ``ask``: will you?
``accept``/``refuse``/``counter``: about the message ``ref``.  ``threat``: I will if you do.
``withdraw``: I take back what I promised in ``ref``; an agreement then ends for both sides."""

ACTS: tuple[Act, ...] = ("promise", "offer", "ask", "accept", "refuse", "counter", "threat", "withdraw")
NEEDS_REF = frozenset({"accept", "refuse", "counter", "withdraw"})
NEEDS_GOALS = frozenset({"promise", "offer", "counter", "threat"})


@dataclass(frozen=True, slots=True)
class Goal:
    """What ``by`` does (or leaves undone) in rounds ``first`` to ``last``, both included."""

    verb: str
    by: Seat
    first: int
    last: int
    args: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Pledge:
    """One speech act of a message.

    ``goals`` are the speaker's own; ``given`` are the condition: what the hearer must do for an
    offer, a counter-offer or a conditional promise to hold, or what calls down a threat.
    """

    act: str
    """One of :data:`ACTS`; another word is a malformed pledge, which goes back to its sender."""
    goals: tuple[Goal, ...] = ()
    given: tuple[Goal, ...] = ()
    ref: str | None = None
    """Id of the message it answers."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What a seat privately means to do at the moment it speaks; sealed until the reveal.

    ``keep`` says of live promises (by message id) whether the seat means to keep them:
    ``yes``, ``no`` or ``unsure``.
    """

    goals: tuple[Goal, ...] = ()
    keep: Mapping[str, str] = field(default_factory=dict)
    text: str = ""
    """At most as long as a note (:attr:`TalkWindow.note_length`)."""


class Commitment(Protocol):
    """A word given, as a game's ledger keeps it."""

    message: str
    """Id of the message that gave it."""
    debtor: Seat
    creditors: tuple[Seat, ...]
    """Empty: everybody."""
    goal: Goal
    status: str
    """``pending``, ``kept``, ``broken``, ``excused`` (the other side broke first), ``void`` (its condition
    was not met) or ``withdrawn``."""
    settled: int
    """Round in which it stopped pending, 0 before."""


class Ledger(Protocol):
    """Hears every event and knows what became of every word given."""

    @property
    def made(self) -> Sequence[Commitment]:
        """All commitments in the order in which they were made."""

    @property
    def answered(self) -> Mapping[str, str]:
        """Offers that were answered, by message: ``accept``, ``refuse``, ``counter``, or ``withdraw`` by its sender."""

    def hear(self, event: Event) -> None:
        """Takes one event in."""


class NoLedger:
    """For games that judge no promises."""

    made: tuple[Commitment, ...] = ()
    answered: Mapping[str, str] = MappingProxyType({})

    def hear(self, event: Event) -> None:
        """Nothing is judged."""


class PledgeRules(Protocol):
    """A game's vocabulary of promises."""

    verbs: tuple[str, ...]

    def problem(self, goal: Goal, seats: tuple[Seat, ...]) -> Problem | None:
        """Why the goal makes no sense in this game, or None."""

    def text(self, goal: Goal, texts: Texts, names: Mapping[str, str]) -> str:
        """The goal in words of the catalogue's language; ``names`` maps seats to shown names."""

    def ledger(self, seats: tuple[Seat, ...]) -> Ledger:
        """A fresh ledger of promises."""


def pledge_problem(
    pledge: Pledge,
    speaker: Seat,
    rules: PledgeRules,
    seats: tuple[Seat, ...],
    rounds: tuple[int, int] | None = None,
) -> Problem | None:
    """Why a pledge of ``speaker`` is malformed, or None.  A bad pledge never costs the message.

    ``rounds`` are the current and the last round, if the game has them (:attr:`TalkWindow.rounds`).
    """
    if pledge.act not in ACTS:
        return Problem("bad_pledge", {"why": f"act {pledge.act!r}"})
    if pledge.act in NEEDS_REF and pledge.ref is None:
        return Problem("bad_pledge", {"why": f"{pledge.act}: ref?"})
    if pledge.act in NEEDS_GOALS and not pledge.goals:
        return Problem("bad_pledge", {"why": f"{pledge.act}: goals?"})
    if pledge.act == "ask" and not pledge.given:
        return Problem("bad_pledge", {"why": "ask: given?"})
    for goal in pledge.goals:
        if goal.by != speaker:
            return Problem("bad_pledge", {"why": f"goals: by {goal.by} ≠ {speaker}"})
    for goal in (*pledge.goals, *pledge.given):
        if goal.by not in seats or not goal.first <= goal.last:
            return Problem("bad_pledge", {"why": f"{goal.verb}: by {goal.by}, {goal.first}–{goal.last}"})
        found = rules.problem(goal, seats) or (None if rounds is None else _rounds_problem(goal, *rounds))
        if found is not None:
            return found
    return None


def _rounds_problem(goal: Goal, now: int, end: int) -> Problem | None:
    """A promise about what is over, or about rounds that will never come, could only be farmed for trust."""
    if goal.first >= 1 and now <= goal.last <= end:
        return None
    facts = {"first": str(goal.first)[:40], "last": str(goal.last)[:40], "now": str(now), "end": str(end)}
    return Problem("pledge_rounds", facts)
