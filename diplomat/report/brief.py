"""The story in brief: how it ended, who broke whose trust, and what changed hands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from diplomat.core.audience import Seat
from diplomat.report.cards import Card
from diplomat.report.evidence import Case, Evidence

SHOWN = 6
"""Breaches told in the brief; the others stand among the cards."""


@dataclass(frozen=True, slots=True)
class Balance:
    """What one seat's word was worth, and what others' words were worth to it."""

    seat: Seat
    given: int
    kept: int
    broken: int
    unmeant: int
    """Given with a plan beside it that said otherwise."""
    suffered: int
    """Words to this seat that others broke."""
    open: int


@dataclass(frozen=True, slots=True)
class Brief:
    """The first thing after opening."""

    balances: list[Balance]
    breaches: list[Card]
    """The weightiest."""
    more: int
    judged: int
    broken: int
    open: int


def brief(evidence: Evidence, cards: Sequence[Card], seats: tuple[Seat, ...]) -> Brief:
    """The brief; breaches that had been announced or answered another breach come last, as among the cards."""
    broken = [card for card in cards if card.group == "breach"]
    cases = evidence.counted
    statuses = [case.fate.status for case in cases]
    return Brief(
        balances=[_balance(cases, seat) for seat in seats],
        breaches=broken[:SHOWN],
        more=max(0, len(broken) - SHOWN),
        judged=statuses.count("kept") + statuses.count("broken"),
        broken=statuses.count("broken"),
        open=statuses.count("pending"),
    )


def _balance(cases: Sequence[Case], seat: Seat) -> Balance:
    own = [case for case in cases if case.given.debtor == seat]
    statuses = [case.fate.status for case in own]
    hurt = [case for case in cases if case.breach and case.given.debtor != seat and _owed(case, seat)]
    return Balance(
        seat,
        len(own),
        statuses.count("kept"),
        statuses.count("broken"),
        sum(case.verdict.meant == "insincere" for case in own),
        len(hurt),
        statuses.count("pending"),
    )


def _owed(case: Case, seat: Seat) -> bool:
    return not case.given.owed or seat in case.given.owed
