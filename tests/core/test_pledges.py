"""Pledges: what makes a promise well-formed."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from diplomat.core.audience import Seat
from diplomat.core.menus import Problem
from diplomat.core.pledges import Goal, NoLedger, Pledge, pledge_problem
from diplomat.core.texts import Texts

ME, YOU, SEATS = Seat("s1"), Seat("s2"), (Seat("s1"), Seat("s2"))
MINE, YOURS = Goal("spare", ME, 1, 2), Goal("spare", YOU, 1, 1)


class OneVerb:
    """A vocabulary of one verb."""

    verbs: tuple[str, ...] = ("spare",)

    def problem(self, goal: Goal, seats: tuple[Seat, ...]) -> Problem | None:
        return None if goal.verb in self.verbs else Problem("unknown_verb", {"verb": goal.verb})

    def text(self, goal: Goal, texts: Texts, names: Mapping[str, str]) -> str:
        return goal.verb

    def ledger(self, seats: tuple[Seat, ...]) -> NoLedger:
        return NoLedger()


@pytest.mark.parametrize(
    ("pledge", "why"),
    [
        (Pledge("promise", (MINE,)), None),
        (Pledge("promise", (MINE,), (YOURS,)), None),
        (Pledge("offer", (MINE,), (YOURS,)), None),
        (Pledge("ask", given=(YOURS,)), None),
        (Pledge("accept", ref="s2>s1.1"), None),
        (Pledge("counter", (MINE,), ref="s2>s1.1"), None),
        (Pledge("threat", (MINE,), (YOURS,)), None),
        (Pledge("withdraw", ref="s1>s2.1"), None),
        (Pledge("swear", (MINE,)), "bad_pledge"),
        (Pledge("accept"), "bad_pledge"),
        (Pledge("refuse"), "bad_pledge"),
        (Pledge("withdraw"), "bad_pledge"),
        (Pledge("counter", (MINE,)), "bad_pledge"),
        (Pledge("counter", ref="s2>s1.1"), "bad_pledge"),
        (Pledge("promise"), "bad_pledge"),
        (Pledge("threat"), "bad_pledge"),
        (Pledge("ask"), "bad_pledge"),
        (Pledge("promise", (YOURS,)), "bad_pledge"),
        (Pledge("promise", (Goal("spare", ME, 2, 1),)), "bad_pledge"),
        (Pledge("ask", given=(Goal("spare", Seat("s9"), 1, 1),)), "bad_pledge"),
        (Pledge("promise", (Goal("fly", ME, 1, 1),)), "unknown_verb"),
        (Pledge("promise", (MINE,), (Goal("fly", YOU, 1, 1),)), "unknown_verb"),
    ],
)
def test_pledge(pledge: Pledge, why: str | None) -> None:
    found = pledge_problem(pledge, ME, OneVerb(), SEATS)
    assert (found and found.code) == why
