"""Promises of Diplomacy orders: one rule per verb, and all 884 of the pilot judged again from messages and moves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from diplomat.study.datasets.diplomacy import OrderGoal, Season, Verdict, resolve_order
from diplomat.study.datasets.peskov import PeskovDialogue, message_rows
from diplomat.study.datasets.peskov_moves import PeskovPhase
from diplomat.study.datasets.rows import OrderRow

FORMS = {
    "ORDER": "order",
    "MOVE": "move",
    "NOT_MOVE": "not_move",
    "SUPPORT": "support",
    "HOLD": "hold",
    "NOT_ATTACK_YOU": "not_attack",
}


def order(seat: str, unit: str, kind: str, to: str = "", source: str = "") -> OrderRow:
    return OrderRow("g", "1901-Spring", seat, unit, kind, to, source)


SEASON = Season.of(
    [
        order("italy", "VEN", "MOVE", "TYR"),
        order("italy", "ROM", "SUPPORT", "TYR", "VEN"),
        order("italy", "NAP", "HOLD"),
        order("russia", "STP/SC", "MOVE", "BOT"),
        order("austria", "TYR", "HOLD"),
    ],
    {"Vie": "Austria", "Nwy": "England"},
)


@pytest.mark.parametrize(
    ("goal", "status"),
    [
        (OrderGoal("order", "italy", "TYR", unit="VEN"), "kept"),
        (OrderGoal("order", "italy", "TYR", unit="ROM"), "broken"),
        (OrderGoal("order", "russia", "bot", unit="Stp"), "kept"),
        (OrderGoal("move", "italy", "Tyr"), "kept"),
        (OrderGoal("move", "italy", "Pie"), "broken"),
        (OrderGoal("not_move", "italy", "Pie"), "kept"),
        (OrderGoal("not_move", "italy", "Tyr"), "broken"),
        (OrderGoal("support", "italy", "Ven"), "kept"),
        (OrderGoal("support", "italy", "Tyr"), "kept"),
        (OrderGoal("support", "italy", "Rom"), "broken"),
        (OrderGoal("hold", "italy", "Nap"), "kept"),
        (OrderGoal("hold", "italy", "Rom"), "kept"),
        (OrderGoal("hold", "italy", "Ven"), "broken"),
        (OrderGoal("not_attack", "italy", other="austria"), "broken"),
        (OrderGoal("not_attack", "italy", other="england"), "kept"),
        (OrderGoal("not_attack", "germany", other="austria"), "kept"),
        (OrderGoal("move", "germany", "Tyr"), "broken"),
        (OrderGoal("alliance", "italy", other="austria"), "untracked"),
    ],
)
def test_each_verb_is_judged_by_the_seasons_orders(goal: OrderGoal, status: Verdict) -> None:
    assert resolve_order(goal, SEASON) == status


@pytest.mark.parametrize("season", [None, Season.of([])])
def test_without_orders_nothing_is_kept_or_broken(season: Season | None) -> None:
    assert resolve_order(OrderGoal("move", "italy", "Tyr"), season) == "untestable"


def test_all_884_promises_of_the_pilot_end_as_the_pilot_says(
    peskov: tuple[PeskovDialogue, ...],
    peskov_moves: Mapping[tuple[int, str, str], PeskovPhase],
    rule_promises: list[dict[str, Any]],
) -> None:
    said = {(row.game_id, row.number, row.sender, row.receiver): row for row in message_rows(peskov)}
    assert len(rule_promises) == 884
    for row in rule_promises:
        message = said[f"peskov/{row['game_id']}", row["absolute_message_index"], row["sender"], row["receiver"]]
        assert " ".join(row["sentence"].split()) in " ".join(message.text.split())
        assert message.phase == f"{row['year']}-{row['season']}"
        assert (message.intention == "lie") == row["sender_labelled_lie"]
        year, _, season = message.phase.partition("-")
        phase = peskov_moves[row["game_id"], year, season]
        goal = OrderGoal(
            FORMS[row["type"]], message.sender, row["province"] or "", row["origin"] or "", message.receiver
        )
        assert resolve_order(goal, Season.of(phase.rows(), phase.owners)) == row["rule_status"], row
