"""Who kept whose trust: matrices of seats, alliances by round, the course of every promise."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from diplomat.core.audience import Seat
from diplomat.report.evidence import Case
from diplomat.report.words import Wording

FEW = 5
"""Below so many promises a share says little, and the cell is grey."""
JUDGED = frozenset({"kept", "broken"})
PLAIN = frozenset({"sincere", "insincere"})


@dataclass(frozen=True, slots=True)
class Cell:
    """So many of so many, and beside them those that nobody can count."""

    good: int
    all: int
    unsure: int = 0

    @property
    def level(self) -> str:
        """The style: ``blank``, ``full``, ``part`` or ``none``, with the hatch that goes with it."""
        if not self.all:
            return "blank"
        return "full" if self.good == self.all else "none" if not self.good else "part"

    @property
    def few(self) -> bool:
        """Whether there are too few to say much."""
        return 0 < self.all < FEW


@dataclass(frozen=True, slots=True)
class Matrix:
    """One table: a row per debtor; a column per creditor and one for words to the whole table."""

    seats: tuple[Seat, ...]
    rows: dict[Seat, dict[Seat | None, Cell]]


def did_matrix(cases: Sequence[Case], seats: tuple[Seat, ...]) -> Matrix:
    """How many of the judged promises were kept."""
    judged = [case for case in cases if case.fate.status in JUDGED]
    return _matrix(judged, seats, {case.given.pid: case.fate.status == "kept" for case in judged})


def meant_matrix(cases: Sequence[Case], seats: tuple[Seat, ...]) -> Matrix:
    """How many promises were meant when they were given; plans that leave it open are counted beside them."""
    planned = [case for case in cases if case.verdict.meant != "no_evidence"]
    plain = {case.given.pid: case.verdict.meant == "sincere" for case in planned if case.verdict.meant in PLAIN}
    return _matrix(planned, seats, plain)


def _matrix(cases: Sequence[Case], seats: tuple[Seat, ...], good: Mapping[str, bool]) -> Matrix:
    """``good`` says of every promise that can be counted whether it counts as a good one."""
    columns: tuple[Seat | None, ...] = (*seats, None)
    rows: dict[Seat, dict[Seat | None, Cell]] = {}
    for debtor in seats:
        rows[debtor] = {}
        for creditor in columns:
            mine = [case.given.pid for case in cases if case.given.debtor == debtor and _to(case, creditor)]
            counted = [good[pid] for pid in mine if pid in good]
            rows[debtor][creditor] = Cell(sum(counted), len(counted), len(mine) - len(counted))
    return Matrix(seats, rows)


def _to(case: Case, creditor: Seat | None) -> bool:
    """Whether a word was given to that seat, or (None) to the whole table."""
    return not case.given.owed if creditor is None else creditor in case.given.owed


@dataclass(frozen=True, slots=True)
class Bond:
    """How two seats stood to each other in one round."""

    mark: str
    """``both``, ``one``, ``none``, and ``torn`` when a word between them was broken in that round."""
    words: str
    count: int


@dataclass(frozen=True, slots=True)
class Pair:
    """Two seats over the rounds."""

    first: Seat
    second: Seat
    bonds: tuple[Bond, ...]


def alliances(cases: Sequence[Case], seats: tuple[Seat, ...], rounds: Sequence[int], wording: Wording) -> list[Pair]:
    """The pairs that ever gave each other their word, the longest bonds first."""
    pairs = []
    for first, second in combinations(seats, 2):
        mine = [case for case in cases if case.given.owed and {case.given.debtor, *case.given.owed} >= {first, second}]
        between = [case for case in mine if case.given.debtor in (first, second)]
        if between:
            bonds = tuple(_bond(between, first, second, point, wording) for point in rounds)
            pairs.append(Pair(first, second, bonds))
    return sorted(pairs, key=lambda pair: -sum(bond.mark == "both" for bond in pair.bonds))


def _bond(cases: Sequence[Case], first: Seat, second: Seat, point: int, wording: Wording) -> Bond:
    live = [case for case in cases if _holds(case, point)]
    torn = [case for case in cases if case.breach and case.fate.t_final == point]
    givers = {case.given.debtor for case in live} & {first, second}
    mark = "torn" if torn else "both" if len(givers) == 2 else "one" if givers else "none"
    giver = wording.names.get(next(iter(givers), ""), "")
    breaker = ", ".join(dict.fromkeys(wording.names.get(case.given.debtor, case.given.debtor) for case in torn))
    words = wording.say(f"bond.{mark}", seat=breaker if torn else giver, count=len(live))
    return Bond(mark, words, len(live))


def _holds(case: Case, point: int) -> bool:
    """Whether a word holds in a round; what came to nothing held in none."""
    given, fate = case.given, case.fate
    if fate.status == "void" or given.goal is None:
        return False
    end = fate.t_final if fate.status == "broken" and fate.t_final else given.window_end
    return max(given.made_point, given.window_start) <= point <= end


@dataclass(frozen=True, slots=True)
class Step:
    """A promise in one round."""

    mark: str
    """``before``, ``given``, ``holds``, ``waits`` (given for later rounds), or its end: a class of fate."""


def course(case: Case, rounds: Sequence[int], style: str) -> list[Step]:
    """A promise from round to round."""
    given, fate = case.given, case.fate
    end = fate.t_final or (given.window_end if fate.status not in ("pending",) else 0)
    steps = []
    for point in rounds:
        if point == end:
            mark = style
        elif point < given.made_point or (end and point > end):
            mark = "before"
        elif point == given.made_point:
            mark = "given"
        elif point < given.window_start:
            mark = "waits"
        elif point <= given.window_end:
            mark = "holds"
        else:
            mark = "before"
        steps.append(Step(mark))
    return steps
