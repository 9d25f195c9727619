"""Pledges: formal statements that a message may carry beside its words.  They bind nobody.

A *goal* is something a seat does or leaves undone within rounds, in the vocabulary of the game
(``not_attack``, ``stay_out`` …).  A *pledge* is a speech act about goals.  The game's
:class:`PledgeRules` say which goals make sense; nothing ever enforces them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol

from diplomat.core.audience import Seat
from diplomat.core.events import Event
from diplomat.core.menus import Problem
from diplomat.core.texts import Texts

Act = Literal["promise", "offer", "ask", "accept", "refuse", "counter", "threat", "withdraw"]
"""``promise``: I will.  ``offer``: I will if you will, and I want your word.  ``ask``: will you?
``accept``/``refuse``/``counter``: about the message ``ref``.  ``threat``: I will if you do.
``withdraw``: I take back what I promised in ``ref``."""

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


@dataclass(frozen=True, slots=True)
class Word:
    """A promise as it ended: who gave it to whom, and whether it was kept."""

    debtor: Seat
    creditors: tuple[Seat, ...]
    """Empty: everybody."""
    goal: Goal
    message: str
    """Id of the message that gave it."""
    status: str
    """``kept``, ``broken``, ``excused``, ``withdrawn`` or ``pending``."""
    settled: int
    """Round in which that was settled; 0 while it is pending."""


class PledgeRules(Protocol):
    """A game's vocabulary of promises."""

    verbs: tuple[str, ...]

    def problem(self, goal: Goal, seats: tuple[Seat, ...]) -> Problem | None:
        """Why the goal makes no sense in this game, or None."""

    def text(self, goal: Goal, texts: Texts, names: Mapping[str, str]) -> str:
        """The goal in words of the catalogue's language; ``names`` maps seats to shown names."""

    def words(self, seats: tuple[Seat, ...], events: Iterable[Event]) -> list[Word]:
        """Every promise that these events show, and what became of it."""


def pledge_problem(pledge: Pledge, speaker: Seat, rules: PledgeRules, seats: tuple[Seat, ...]) -> Problem | None:
    """Why a pledge of ``speaker`` is malformed, or None.  A bad pledge never costs the message."""
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
        if (found := rules.problem(goal, seats)) is not None:
            return found
    return None
