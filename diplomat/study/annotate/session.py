"""A person's session of coding: which message is next, what may be seen of it, and where what is coded goes."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from diplomat.core.errors import UsageError
from diplomat.core.plain import plain
from diplomat.core.proceedings import MessageSent
from diplomat.study.annotate.files import fit, read_sheet
from diplomat.study.annotate.rows import MAKERS, RULES, STATES, Annotation, as_data, coded_of, text_hash
from diplomat.study.annotate.scheme import CODED_ACTS, QUALIFIERS, SURE, SWITCHES, Coded, goals_problem
from diplomat.study.annotate.store import Store
from diplomat.study.annotate.terms import Terms
from diplomat.study.annotate.units import Log, Unit
from diplomat.study.vocabulary import vocabulary_of

MOST_EARLIER = 60
"""Earlier messages that a person is shown."""
LONGEST = 24 * 3600.0
"""Seconds that one coding may take."""
AGREED = RULES[1]
Two = tuple[Annotation, Annotation]


class Refused(UsageError):
    """What the page sent cannot be saved."""


@dataclass
class Session:
    """One coder, some messages, one file; ``two`` are the codings to adjudicate between, if that is what is done."""

    units: Sequence[Unit]
    store: Store
    coder: str
    lang: str
    clock: Callable[[], str]
    two: Mapping[int, Two] = field(default_factory=dict)
    """By the number of the unit."""
    adjudicates: bool = False

    def __post_init__(self) -> None:
        """Takes up what the file says: done, begun, and how far this coder has read in each game."""
        self._rows: dict[int, Annotation] = {}
        self._read: dict[str, int] = {}
        self._terms: dict[str, Terms] = {}
        numbers = {unit.key: number for number, unit in enumerate(self.units)}
        rows, logs = everything(self.store), tuple({unit.log.name: unit.log for unit in self.units}.values())
        own = [row for row in rows if row.coder == self.coder]
        for unit, row in fit(own, logs).rows:
            if row.rule != AGREED:  # written without being shown
                self._saw(unit)
            if unit.key in numbers:
                self._rows[numbers[unit.key]] = row

    @property
    def done(self) -> int:
        """How many of its messages are finished."""
        return sum(row.state == "done" for row in self._rows.values())

    def _is_done(self, number: int) -> bool:
        return number in self._rows and self._rows[number].state == "done"

    def _saw(self, unit: Unit) -> None:
        self._read[unit.log.name] = max(self._read.get(unit.log.name, 0), unit.past.n)

    def _blind(self, number: int) -> bool:
        """Whether the coder has seen no later message of this game."""
        unit = self.units[number]
        return self._read.get(unit.log.name, 0) <= unit.past.n

    def terms(self, log: Log) -> Terms:
        """The game's terms in the language of the page."""
        if log.name not in self._terms:
            self._terms[log.name] = Terms(log, self.lang)
        return self._terms[log.name]

    # What the page gets ---------------------------------------------------------------------------------

    def overview(self) -> dict[str, Any]:
        """What does not depend on a message."""
        total = len(self.units)
        return {
            "coder": self.coder,
            "lang": self.lang,
            "total": total,
            "done": self.done,
            "open": next((n for n in range(total) if not self._is_done(n)), max(total - 1, 0)),
            "adjudicates": self.adjudicates,
            "acts": list(CODED_ACTS),
            "qualifiers": {name: list(values) for name, values in QUALIFIERS.items()},
            "switches": list(SWITCHES),
            "sure": list(SURE),
        }

    def shown(self, number: int) -> dict[str, Any]:
        """A message with what its readers could know when it was written, and what this coder has coded of it."""
        unit = self._unit(number)
        self._saw(unit)
        terms = self.terms(unit.log)
        row = self._rows.get(number)
        shown = {
            "number": number,
            "game": unit.log.name,
            "title": unit.log.game.title(self.lang),
            "message": _told(unit.message),
            "earlier": [_told(one) for one in unit.past.shared(unit.message)[-MOST_EARLIER:]],
            "seats": [[str(seat), terms.names(unit).get(seat, "")] for seat in unit.past.seats],
            "now": unit.past.now,
            "last": unit.past.last,
            "blind": self._blind(number),
            "terms": terms.offered(),
            "coding": None if row is None else self._coding(unit, row),
            "next_open": next((n for n in self._after(number) if not self._is_done(n)), None),
            "done": self.done,
        }
        if number in self.two:
            shown["two"] = [self._coding(unit, row) for row in self._sides(number)]
        return shown

    def _after(self, number: int) -> list[int]:
        return [*range(number + 1, len(self.units)), *range(number)]

    def _sides(self, number: int) -> Two:
        """The two codings in an order that does not give away whose they are."""
        one, other = self.two[number]
        odd = hashlib.sha256("/".join(self.units[number].key).encode("utf-8", "surrogatepass")).digest()[0] % 2
        return (other, one) if odd else (one, other)

    def _coding(self, unit: Unit, row: Annotation) -> dict[str, Any]:
        acts = []
        for act in row.acts:
            said = {
                name: [self.terms(unit.log).goal(unit, goal, own=name == "goals")[0] for goal in getattr(act, name)]
                for name in ("goals", "given")
            }
            acts.append({**plain(replace(act, disputed="", fault="")), "said": said})
        return {"acts": acts, "state": row.state, "seconds": row.seconds, "rule": row.rule}

    def _unit(self, number: int) -> Unit:
        if not 0 <= number < len(self.units):
            raise Refused(f"there is no message {number}; there are {len(self.units)}")
        return self.units[number]

    # What the page sends --------------------------------------------------------------------------------

    def save(self, number: int, data: Any) -> dict[str, Any]:
        """Keeps a coding; returns only when it is on the disk.  Refused names what is wrong with it."""
        unit = self._unit(number)
        if not isinstance(data, dict):
            raise Refused("a coding is an object")
        try:
            acts = tuple(coded_of(act) for act in data.get("acts", ()))
        except (ValueError, TypeError) as fault:
            raise Refused(str(fault)) from fault
        for act in acts:
            self._check(unit, act)
        state, seconds = data.get("state"), data.get("seconds")
        if state not in STATES or isinstance(seconds, bool) or not isinstance(seconds, (int, float)):
            raise Refused("a coding has a state and seconds")
        row = Annotation(
            transcript=unit.log.identity,
            game=unit.log.name,
            message=unit.message.id,
            text=text_hash(unit.message.text),
            coder=self.coder,
            acts=acts,
            by=MAKERS[2] if self.adjudicates else MAKERS[0],
            blind=self._blind(number),
            state=state,
            rule=self._rule(number, data.get("rule")),
            seconds=round(min(max(float(seconds), 0.0), LONGEST), 1),
            at=self.clock(),
        )
        self.store.write(row)
        self._rows[number] = row
        return {"saved": True, "done": self.done, "blind": row.blind}

    def _check(self, unit: Unit, act: Coded) -> None:
        text = unit.message.text
        if not 0 <= act.start < act.end <= len(text) or text[act.start : act.end] != act.words:
            raise Refused(f"the message does not have {act.words[:40]!r} from {act.start} to {act.end}")
        if why := goals_problem(act, unit.message.sender, unit.past, vocabulary_of(unit.log.game)):
            raise Refused(f"a goal does not fit the game: {why}")
        if act.ref is not None and act.ref not in {one.id for one in unit.past.shared(unit.message)}:
            raise Refused(f"there is no earlier message {act.ref[:40]!r}")

    def _rule(self, number: int, rule: Any) -> str:
        """Whose coding was taken, by the order of the coders' names and not of the page."""
        if number not in self.two:
            return ""
        if rule not in ("first", "second"):
            return "edited"
        taken = self._sides(number)[0 if rule == "first" else 1]
        return RULES[2] if taken is self.two[number][0] else RULES[3]


def _told(message: MessageSent) -> dict[str, Any]:
    return {"id": message.id, "from": message.sender, "to": list(message.to), "text": message.text}


def everything(store: Store) -> list[Annotation]:
    """The latest row of every coder on every message in a file, also what was only begun."""
    sheet = read_sheet(store.path)
    return [*sheet.rows, *sheet.begun]


def adjudication(
    units: Sequence[Unit], rows: Sequence[tuple[Unit, Annotation]]
) -> tuple[list[tuple[Unit, Two]], list[Annotation]]:
    """The units on which two coders differ, with both codings, and the codings of those on which they agree.

    UsageError unless the rows are of two coders.
    """
    coders = sorted({row.coder for _, row in rows})
    if len(coders) != 2:
        found = ", ".join(coders) or "none"
        raise UsageError(f"adjudication is between two coders; these files have {len(coders)}: {found}")
    by: dict[tuple[str, str], dict[str, Annotation]] = {}
    for unit, row in rows:
        by.setdefault(unit.key, {})[row.coder] = row
    differing, agreed = [], []
    for unit in units:
        both = by.get(unit.key, {})
        if len(both) == 2:
            one, other = both[coders[0]], both[coders[1]]
            if comparable(one) == comparable(other):
                agreed.append(replace(one, by=MAKERS[2], rule=AGREED))
            else:
                differing.append((unit, (one, other)))
    return differing, agreed


def comparable(row: Annotation) -> list[Any]:
    """What two codings must have alike to agree: everything but how sure the coder was."""
    return as_data(replace(row, acts=tuple(replace(a, confidence=1.0, disputed="") for a in row.acts)))["acts"]  # type: ignore[no-any-return]
