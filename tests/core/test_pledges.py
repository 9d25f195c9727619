"""Pledges: what makes a promise well-formed."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest

from diplomat.core.audience import Seat
from diplomat.core.menus import Problem
from diplomat.core.pledges import Goal, NoLedger, Pledge, pledge_problem
from diplomat.core.texts import Texts, core_texts

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


@pytest.mark.parametrize("rounds", [(1, 5), (3, 5), (5, 5), None])
@pytest.mark.parametrize(
    ("first", "last"),
    [(1, 1), (1, 2), (1, 3), (3, 3), (2, 4), (5, 5), (1, 5), (5, 6), (6, 6), (1, 10**9), (0, 3), (-9, 5)],
)
@pytest.mark.parametrize("where", ["goals", "given"])
def test_a_promise_ends_between_the_current_round_and_the_last(
    rounds: tuple[int, int] | None, first: int, last: int, where: str
) -> None:
    if where == "goals":
        mine, yours = Goal("spare", ME, first, last), Goal("spare", YOU, 5, 5)
    else:
        mine, yours = Goal("spare", ME, 5, 5), Goal("spare", YOU, first, last)
    found = pledge_problem(Pledge("promise", (mine,), (yours,)), ME, OneVerb(), SEATS, rounds)
    right = rounds is None or (first >= 1 and rounds[0] <= last <= rounds[1])
    assert (found and found.code) == (None if right else "pledge_rounds")


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_the_refusal_names_the_rounds(lang: str) -> None:
    found = pledge_problem(Pledge("promise", (Goal("spare", ME, 11, 12),)), ME, OneVerb(), SEATS, (3, 5))
    assert found is not None
    told = core_texts(lang).say(f"problem.{found.code}", **found.facts)
    assert re.findall(r"\d+", told) == ["11", "12", "1", "3", "5"]
