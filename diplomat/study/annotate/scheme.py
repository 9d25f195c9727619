"""What is coded of a message: the coding scheme, in the words of the ledger."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from diplomat.core.pledges import ACTS, Goal, Pledge, pledge_problem
from diplomat.study.sources import Past, Said
from diplomat.study.vocabulary import Vocabulary

CODEBOOK = "promises/1"
"""Version of the scheme; raised when a code comes to mean something else."""
CODED_ACTS: tuple[str, ...] = (*ACTS, "claim", "plan_share", "other")
"""Acts of the ledger, and three that commit nobody: something asserted, a plan told without a word given, the rest."""
GIVING = frozenset({"promise", "offer", "counter", "accept", "threat"})
"""Acts by which somebody may come to owe something."""
QUALIFIERS: Mapping[str, tuple[str, ...]] = {
    "polarity": ("do", "dont"),
    "certainty": ("firm", "hedged"),
    "explicitness": ("explicit", "implicit"),
    "level": ("order", "outcome"),
}
"""Codes with a closed list of values, the usual one first."""
SWITCHES: tuple[str, ...] = ("conditional", "testable", "stated")
"""Codes that are yes or no."""
SURE: tuple[float, ...] = (0.5, 0.75, 1.0)
"""How sure a person is: low, middle, high."""
NO_GOAL = "no_goal"
UNTRACKED = "untracked"


@dataclass(frozen=True, slots=True)
class Coded:
    """One act that a coder finds in a message."""

    act: str
    """One of :data:`CODED_ACTS`."""
    start: int
    """First code point of its words."""
    end: int
    words: str
    """``text[start:end]``, so that a file can be checked against the message, and read."""
    goals: tuple[Goal, ...] = ()
    """The speaker's own."""
    given: tuple[Goal, ...] = ()
    """The condition, or what is asked for."""
    ref: str | None = None
    """Id of the message that it answers."""
    polarity: str = "do"
    certainty: str = "firm"
    explicitness: str = "explicit"
    level: str = "order"
    conditional: bool = False
    testable: bool = True
    """Whether one could see if it was kept, be it by a goal of this game or not."""
    stated: bool = False
    """Whether the words name their rounds."""
    confidence: float = 1.0
    """0 to 1."""
    disputed: str = ""
    """Of two readings by models: ``one_reading`` (the other has no such act), ``goals`` or ``codes`` (they differ),
    ``single`` (there was one reading only); else empty."""
    fault: str = ""
    """Why its goals were left out, the code of a problem; or empty."""


def said(coded: Coded) -> Said | None:
    """The act as a source of the ledger gives it; None for acts of which the ledger knows nothing."""
    if coded.act not in ACTS:
        return None
    fault = coded.fault
    if not fault and coded.act in ("promise", "threat", "offer", "counter") and not coded.goals:
        fault = UNTRACKED if coded.testable else NO_GOAL
    return Said(
        act=coded.act,
        goals=coded.goals,
        given=coded.given,
        ref=coded.ref,
        start=coded.start,
        end=coded.end,
        confidence=coded.confidence,
        stated=coded.stated,
        certainty=coded.certainty,
        explicitness=coded.explicitness,
        level=coded.level,
        fault=fault,
    )


def goals_problem(coded: Coded, speaker: str, past: Past, vocabulary: Vocabulary | None) -> str:
    """The code of what is wrong with the goals of an act, by the game's vocabulary; empty if nothing is."""
    goals = (*coded.goals, *coded.given)
    if not goals:
        return ""
    if vocabulary is None:
        return UNTRACKED
    from diplomat.core.audience import Seat

    rounds = (past.now, past.last) if past.last else None
    # An act without a ref or a goal of its own is a coder's finding all the same; its goals are what is judged here.
    pledge = Pledge("promise" if coded.goals else "ask", coded.goals, coded.given)
    problem = pledge_problem(pledge, Seat(speaker), vocabulary, past.seats, rounds)  # type: ignore[arg-type]
    if problem is None:
        return ""
    return UNTRACKED if problem.code == "unknown_verb" else problem.code
