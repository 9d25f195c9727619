"""What the page reads of a ledger of promises: plain rows, copied by the names of their columns.

The caller hands in any ledger whose tables and columns are called as here (that of ``diplomat.study`` is); what the
columns mean is written in :mod:`diplomat.study.rows`.  The page judges nothing itself.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Any, TypeVar

from diplomat.core.pledges import Goal

EVERYBODY = "*"
"""The creditor, hearer or knower that stands for the whole table."""

Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class Span:
    """Where words stand in a message."""

    message: str
    n: int
    start: int
    end: int
    source: str


@dataclass(frozen=True, slots=True)
class Act:
    """One thing done by one message."""

    message: str
    act: str
    answered: str


@dataclass(frozen=True, slots=True)
class Given:
    """A word given by one seat for one goal."""

    pid: str
    debtor: str
    creditors: tuple[str, ...]
    act: str
    goal: Goal | None
    antecedent: tuple[Goal, ...]
    certainty: str
    explicitness: str
    said_n: int
    made_n: int
    made_point: int
    window_start: int
    window_end: int
    horizon_source: str
    mentions: tuple[Any, ...]
    offer: str
    mutual_of: tuple[str, ...]
    conflicts_with: tuple[str, ...]
    source: str
    confidence: float
    known_to: tuple[str, ...]

    @property
    def spans(self) -> list[Span]:
        """Where it was said."""
        return copied(Span, self.mentions)

    @property
    def threat(self) -> bool:
        """Whether keeping it would have been the worse deed."""
        return self.act == "threat"

    @property
    def owed(self) -> tuple[str, ...]:
        """The creditors, none for the whole table."""
        return () if EVERYBODY in self.creditors else self.creditors


@dataclass(frozen=True, slots=True)
class Fate:
    """What became of it."""

    pid: str
    status: str
    reason: str
    t_final: int
    n_final: int
    evidence: tuple[int, ...]
    evidence_ids: tuple[str, ...]
    binding: bool | None
    attempt_ok: bool | None
    outcome_ok: bool | None
    excused_by: tuple[str, ...]
    retaliatory: bool
    with_notice: bool
    status_next: str
    status_end: str
    registry: str


@dataclass(frozen=True, slots=True)
class Stated:
    """What a sealed plan said of it."""

    pid: str
    n: int
    point: int
    at_sending: bool
    intent: str
    method: str
    torn: bool


@dataclass(frozen=True, slots=True)
class Faith:
    """What a receiver made of it."""

    pid: str
    receiver: str
    n: int
    label: str
    method: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """The four columns in one row."""

    pid: str
    did: str
    meant: str
    believed: str
    outcome: str
    turned_n: int
    turned_after: int


@dataclass(frozen=True, slots=True)
class Claimed:
    """Something asserted as true."""

    n: int
    point: int
    message: str
    speaker: str
    hearers: tuple[str, ...]
    proposition: str
    about: tuple[str, ...]
    truth: str
    speaker_knew: str
    start: int
    end: int
    source: str
    confidence: float


@dataclass(frozen=True, slots=True)
class Case:
    """One promise with everything that is known of it."""

    given: Given
    fate: Fate
    verdict: Verdict
    stated: tuple[Stated, ...]
    faith: tuple[Faith, ...]

    @property
    def breach(self) -> bool:
        """Whether a word was broken; a threat that was not carried out is none."""
        return self.fate.status == "broken" and not self.given.threat


@dataclass(frozen=True, slots=True)
class Evidence:
    """A ledger as the page reads it."""

    acts: tuple[Act, ...]
    cases: tuple[Case, ...]
    claims: tuple[Claimed, ...]

    @property
    def counted(self) -> list[Case]:
        """The promises that count as words given, threats left out."""
        return [case for case in self.cases if not case.given.threat]

    @property
    def breaches(self) -> list[Case]:
        """The broken ones."""
        return [case for case in self.cases if case.breach]


def copied(kind: type[Row], rows: Iterable[Any]) -> list[Row]:
    """Rows of another kind with the same column names as rows of this kind."""
    names = [field.name for field in fields(kind)]  # type: ignore[arg-type]  # every kind here is a dataclass
    return [kind(**{name: getattr(row, name) for name in names}) for row in rows]


def evidence_of(ledger: Any) -> Evidence:
    """The evidence in a ledger: ``promises``, ``resolutions``, ``verdicts`` (in one order), ``intents`` and so on."""
    stated: dict[str, list[Stated]] = {}
    for one in copied(Stated, ledger.intents):
        stated.setdefault(one.pid, []).append(one)
    faith: dict[str, list[Faith]] = {}
    for seen in copied(Faith, ledger.perceptions):
        faith.setdefault(seen.pid, []).append(seen)
    rows = zip(
        copied(Given, ledger.promises),
        copied(Fate, ledger.resolutions),
        copied(Verdict, ledger.verdicts),
        strict=True,
    )
    cases = tuple(
        Case(given, fate, verdict, tuple(stated.get(given.pid, ())), tuple(faith.get(given.pid, ())))
        for given, fate, verdict in rows
    )
    return Evidence(tuple(copied(Act, ledger.acts)), cases, tuple(copied(Claimed, ledger.claims)))
