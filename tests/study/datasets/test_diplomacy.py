"""Promises of Diplomacy orders: each verb's examples, and all 884 of the pilot judged again by the resolver."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from diplomat.core.audience import Seat
from diplomat.core.pledges import Goal, Pledge
from diplomat.core.proceedings import MessageSent
from diplomat.study.datasets.diplomacy import Chronicle, Example, SeasonPlayed, Words
from diplomat.study.datasets.peskov import PeskovDialogue, message_rows
from diplomat.study.datasets.peskov_moves import PeskovPhase
from diplomat.study.datasets.rows import MessageRow, OrderRow
from diplomat.study.drafts import Draft
from diplomat.study.ledger import Fold
from diplomat.study.resolve import Judge
from diplomat.study.rows import Promise, Resolution
from diplomat.study.sources import Said
from diplomat.study.vocabulary import Vocabulary

VERBS = {
    "ORDER": "order",
    "MOVE": "move",
    "NOT_MOVE": "not_move",
    "SUPPORT": "support",
    "HOLD": "hold",
    "NOT_ATTACK_YOU": "not_attack",
}
ITALY, AUSTRIA = Seat("italy"), Seat("austria")


def fate(example: Example) -> Resolution:
    """What becomes of a goal that is promised before its season is played."""
    fold = Fold(example.seats, Words(), None)
    other = next(seat for seat in example.seats if seat != example.goal.by)
    fold.hear(1, MessageSent("m", example.goal.by, (other,), "Words.", (Pledge("promise", (example.goal,)),)))
    for n, event in enumerate(example.events, start=2):
        fold.hear(n, event)
    return fold.resolutions(fold.promises())[0]


@pytest.mark.parametrize("example", Words().examples(), ids=lambda one: f"{one.goal.by}-{one.goal.verb}-{one.fate}")
def test_each_verb_is_judged_by_the_seasons_orders(example: Example) -> None:
    assert isinstance(Words(), Vocabulary)
    found = fate(example)
    assert (found.status, found.reason, found.binding, found.registry) == (example.fate, "", None, "diplomacy-orders/1")


def test_every_verb_has_examples_that_keep_and_break_it() -> None:
    seen = {(one.goal.verb, one.fate) for one in Words().examples()}
    assert seen == {(verb, status) for verb in Words.verbs for status in ("kept", "broken")}


def test_a_verb_outside_the_vocabulary_is_untracked_and_a_season_not_played_pending() -> None:
    alliance = Goal("alliance", ITALY, 1, 1, {"target": "austria"})
    later = Goal("move", ITALY, 2, 2, {"place": "Tyr"})
    seats = (ITALY, AUSTRIA)
    assert [fate(Example(goal, "", (SeasonPlayed(()),), seats)).status for goal in (alliance, later)] == [
        "untracked",
        "pending",
    ]


@pytest.mark.parametrize(("result", "success"), [("SUCCEEDS", True), ("FAILS", False), ("", None)])
def test_a_promise_is_kept_by_the_order_whatever_came_of_it(result: str, success: bool | None) -> None:
    order = OrderRow("", "", "italy", "VEN", "MOVE", "TYR", result=result)
    goal = Goal("move", ITALY, 1, 1, {"place": "Tyr"})
    found = fate(Example(goal, "", (SeasonPlayed((order,)),), (ITALY, AUSTRIA)))
    assert (found.status, found.outcome_ok, found.evidence_ids) == ("kept", success, ("VEN",))


@pytest.mark.parametrize(
    ("one", "other", "clash"),
    [
        ("order unit=VEN place=TYR", "order unit=ven place=PIE", True),
        ("order unit=VEN place=TYR", "order unit=ROM place=TYR", False),
        ("not_move place=TYR", "move place=Tyr", True),
        ("not_move place=TYR", "order unit=VEN place=TYR", True),
        ("not_move place=TYR", "hold place=TYR", False),
        ("move place=TYR", "move place=PIE", False),
    ],
)
def test_orders_that_cannot_both_be_given_contradict(one: str, other: str, clash: bool) -> None:
    goals = [
        Goal(verb, ITALY, 1, 1, dict(pair.split("=") for pair in args)) for verb, *args in (one.split(), other.split())
    ]
    assert Chronicle().contradicts(*goals) is clash
    assert Chronicle().contradicts(*reversed(goals)) is clash


def test_what_a_power_did_to_another_is_read_from_its_orders() -> None:
    chronicle = Chronicle()
    for example in Words().examples()[:1]:
        chronicle.hear(1, example.events[0])
    assert chronicle.between(ITALY, AUSTRIA, 1) == ("attack",)
    assert chronicle.between(AUSTRIA, ITALY, 1) == ()
    assert chronicle.serves(*2 * (Goal("move", ITALY, 1, 1, {"place": "TYR"}),))


def played(moves: Mapping[tuple[int, str, str], PeskovPhase], game: int) -> tuple[Judge, dict[str, int]]:
    """The judge of a whole game, and the decision point of each of its seasons."""
    order = ("Spring", "Fall", "Winter")
    phases = sorted(
        (phase for phase in moves.values() if phase.game_id == game),
        key=lambda phase: (phase.year, order.index(phase.season)),
    )
    chronicle = Chronicle()
    for n, phase in enumerate(phases, start=1):
        chronicle.hear(n, SeasonPlayed(phase.rows(), phase.owners))
    points = {f"{phase.year}-{phase.season}": n for n, phase in enumerate(phases, start=1)}
    return Judge(Words(), chronicle, {n: n for n in points.values()}), points


def promised(row: Mapping[str, Any], message: MessageRow, point: int) -> Promise:
    """A row of the pilot as a promise for the season in which it was written."""
    args = {"place": row["province"] or "", "unit": row["origin"] or "", "target": message.receiver}
    goal = Goal(VERBS[row["type"]], Seat(message.sender), point, point, args)
    draft = Draft(
        pid=message.msg_id,
        debtor=goal.by,
        creditors=(Seat(message.receiver),),
        act="promise",
        goal=goal,
        given=(),
        said=Said("promise", (goal,)),
        source="rule",
        confidence=0.5,
        message=message.msg_id,
        said_n=0,
        made_n=0,
        made_point=point,
        known_to=(message.receiver, message.sender),
        stated=False,
    )
    return draft.row(Words().mode(goal.verb))


def test_the_resolver_ends_all_884_promises_of_the_pilot_as_the_pilot_says(
    peskov: tuple[PeskovDialogue, ...],
    peskov_moves: Mapping[tuple[int, str, str], PeskovPhase],
    rule_promises: list[dict[str, Any]],
) -> None:
    said = {(row.game_id, row.number, row.sender, row.receiver): row for row in message_rows(peskov)}
    games = {game: played(peskov_moves, game) for game in {row["game_id"] for row in rule_promises}}
    assert len(rule_promises) == 884
    for row in rule_promises:
        message = said[f"peskov/{row['game_id']}", row["absolute_message_index"], row["sender"], row["receiver"]]
        assert " ".join(row["sentence"].split()) in " ".join(message.text.split())
        assert message.phase == f"{row['year']}-{row['season']}"
        assert (message.intention == "lie") == row["sender_labelled_lie"]
        judge, points = games[row["game_id"]]
        found = judge.resolve(promised(row, message, points[message.phase]))
        assert (found.status, found.t_final) == (row["rule_status"], points[message.phase]), row
