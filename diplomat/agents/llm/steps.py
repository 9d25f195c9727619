"""A plan of several answers: given once, used one after the other while nothing speaks against it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from diplomat.agents.llm.failures import Unusable
from diplomat.core.menus import Answer

MOST_STEPS = 12
"""Answers that one plan is asked for; more are taken too."""
SPAN, MOST_REVISIONS = 5, 1
"""A seat is asked for a new plan on account of news only if it was asked for less than so many within so many
chapters, and for none in this one; plans that ran out count, but are always asked for again."""
FEWEST_LEFT = 2
"""With fewer steps left than this, thinking it over is not worth a call."""


@dataclass(frozen=True, slots=True)
class Step:
    """One answer of a plan that turned out to be legal, and the numbers of those that were passed over."""

    number: int
    answer: Answer
    skipped: tuple[int, ...]


@dataclass(slots=True)
class Route:
    """The steps of one plan; a step that is not legal when its turn comes waits, and the next one goes first."""

    form: str
    chapter: int
    request: str
    """The question to which it was the answer."""
    steps: dict[int, Answer] = field(default_factory=dict)
    """Unused steps by their number in the plan, from 1."""

    def take(self, understand: Callable[[Answer], Answer]) -> Step | None:
        """Takes the first step that is legal now off the plan; None when there is none."""
        skipped: list[int] = []
        for number, given in self.steps.items():
            try:
                answer = understand(given)
            except Unusable:
                skipped.append(number)
                continue
            del self.steps[number]
            return Step(number, answer, tuple(skipped))
        return None

    def fits(self, form: str, chapter: int) -> bool:
        """Whether it was made for questions like this one, in this part of the game."""
        return (self.form, self.chapter) == (form, chapter)


def route(form: str, chapter: int, request: str, answers: tuple[Answer, ...]) -> Route:
    """A fresh plan."""
    return Route(form, chapter, request, dict(enumerate(answers, start=1)))


@dataclass(slots=True)
class Revisions:
    """Keeps count of plans that were asked for again, so that calls stay few."""

    made: list[tuple[int, str]] = field(default_factory=list)
    """Chapter and form of each."""

    def allowed(self, route: Route) -> bool:
        """Whether news may have this plan thought over."""
        recent = [chapter for chapter, _ in self.made if chapter > route.chapter - SPAN]
        fresh = (route.chapter, route.form) not in self.made
        return fresh and len(recent) < MOST_REVISIONS and len(route.steps) >= FEWEST_LEFT

    def count(self, route: Route) -> None:
        """One more."""
        self.made.append((route.chapter, route.form))
