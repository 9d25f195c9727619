"""The words of a reply: messages, pledges, plan and note, read field by field.

A malformed message or pledge never costs the move.  What is well typed goes through as it is, so
that the parley judges it and returns it to the sender; what is not even that is named as a fault.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from diplomat.agents.llm.readings import folded
from diplomat.core.audience import Seat
from diplomat.core.pledges import Goal, Plan, Pledge
from diplomat.core.talk import EVERYONE, Message

KEEPS = ("yes", "no", "unsure")
MOST_FAULTS = 6
FARTHEST = 10**6
"""Rounds beyond this are no numbers of rounds."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Fault:
    """A part of a reply that could not be used: where it stands and what it should have been."""

    where: str
    code: str
    """Key of the catalogue, below ``fault.``."""
    found: str = ""


class _IllTyped(Exception):
    """A part of a list is not what it should be."""

    def __init__(self, where: str, code: str, found: Any) -> None:
        self.where, self.code, self.found = where, code, found
        super().__init__(code)


def _round(value: Any, where: str) -> int:
    if type(value) is not int or abs(value) > FARTHEST:
        raise _IllTyped(where, "not_round", value)
    return value


@dataclass(slots=True)
class Reader:
    """Reads the words of one reply of one seat."""

    seat: Seat
    names: Mapping[str, Seat]
    """Folded shown names of the seats, where a name means one seat."""
    faults: list[Fault] = field(default_factory=list)

    def messages(self, value: Any) -> tuple[Message, ...]:
        """The messages in order; one message alone may stand without its list."""
        if isinstance(value, dict):
            value = [value]
        return tuple(self._each(value, "say", self._message))

    def plan(self, value: Any) -> Plan | None:
        """The private plan, None when nothing is planned."""
        if value in (None, "", {}):
            return None
        if isinstance(value, str):
            return Plan(text=value)
        if not isinstance(value, dict):
            self._fault("plan", "not_object", value)
            return None
        goals = tuple(self._each(value.get("goals"), "plan.goals", self._goal))
        keep = dict(self._each(value.get("keep"), "plan.keep", self._kept))
        text = self._text(value.get("text"), "plan.text")
        return Plan(goals, keep, text) if goals or keep or text else None

    def note(self, value: Any) -> str | None:
        """The private note."""
        return self._text(value, "note") or None

    def _message(self, value: Any, where: str) -> Message | None:
        if not isinstance(value, dict):
            raise _IllTyped(where, "not_message", value)
        text, to, pledges = value.get("text"), value.get("to"), value.get("pledges")
        if not text and not to and not pledges:
            return None
        if not isinstance(text, str):
            raise _IllTyped(f"{where}.text", "not_text", text)
        names = [to] if isinstance(to, str) else to
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise _IllTyped(f"{where}.to", "not_seats", to)
        said = tuple(self._each(pledges, f"{where}.pledges", self._pledge))
        return Message(tuple(self._recipient(name) for name in names), text, said)

    def _recipient(self, name: str) -> str:
        """A seat by its id or by its shown name; another word stays, so that the message comes back."""
        if name == EVERYONE or name in self.names.values():
            return name
        return self.names.get(folded(name), name)

    def _pledge(self, value: Any, where: str) -> Pledge | None:
        if not isinstance(value, dict):
            raise _IllTyped(where, "not_pledge", value)
        act, ref = value.get("act"), value.get("ref") or None
        if not isinstance(act, str):
            raise _IllTyped(f"{where}.act", "not_text", act)
        if ref is not None and not isinstance(ref, str):
            raise _IllTyped(f"{where}.ref", "not_text", ref)
        before = len(self.faults)
        goals = tuple(self._each(value.get("goals"), f"{where}.goals", self._goal))
        given = tuple(self._each(value.get("given"), f"{where}.given", self._goal))
        if len(self.faults) > before:
            return None  # half a bargain is another bargain
        return Pledge(act.strip().casefold(), goals, given, ref)

    def _goal(self, value: Any, where: str) -> Goal:
        if not isinstance(value, dict):
            raise _IllTyped(where, "not_goal", value)
        verb, by = value.get("verb"), value.get("by")
        if by is None and ".given[" not in where:
            by = self.seat  # one's own goals are one's own; a condition has to say whose it is
        if not isinstance(verb, str) or not isinstance(by, str):
            raise _IllTyped(f"{where}.verb", "not_text", verb if isinstance(by, str) else by)
        first, last = value.get("first"), value.get("last")
        rounds = (_round(first, f"{where}.first"), _round(last, f"{where}.last"))
        return Goal(verb, Seat(self._recipient(by)), *rounds, self._args(value, where))

    def _args(self, value: Mapping[str, Any], where: str) -> dict[str, str]:
        """The arguments of a verb: fields beside it, or a list of names and values."""
        found = {k: v for k, v in value.items() if k not in ("verb", "by", "first", "last", "args") and v is not None}
        listed = value.get("args")
        if isinstance(listed, dict):
            found.update(listed)
        elif isinstance(listed, list):
            for pair in listed:
                if not isinstance(pair, dict) or not isinstance(pair.get("name"), str):
                    raise _IllTyped(f"{where}.args", "not_object", pair)
                found[pair["name"]] = pair.get("value")
        for name, each in found.items():
            if not isinstance(each, str):
                raise _IllTyped(f"{where}.{name}", "not_text", each)
        return {name: self._recipient(each) if name == "target" else each for name, each in found.items() if each}

    def _kept(self, value: Any, where: str) -> tuple[str, str]:
        named, mean = (value.get("message"), value.get("mean")) if isinstance(value, dict) else (None, None)
        if not isinstance(named, str) or not isinstance(mean, str) or mean.casefold() not in KEEPS:
            raise _IllTyped(where, "not_kept", value)
        return named, mean.casefold()

    def _each(self, value: Any, where: str, read: Callable[[Any, str], T | None]) -> Sequence[T]:
        if value is None or value == "":
            return ()
        if not isinstance(value, list):
            self._fault(where, "not_list", value)
            return ()
        made: list[T] = []
        for number, item in enumerate(value):
            try:
                one = read(item, f"{where}[{number}]")
            except _IllTyped as ill:
                self._fault(ill.where, ill.code, ill.found)
                continue
            if one is not None:
                made.append(one)
        return made

    def _text(self, value: Any, where: str) -> str:
        if value is None:
            return ""
        if not isinstance(value, str):
            self._fault(where, "not_text", value)
            return ""
        return value.strip()

    def _fault(self, where: str, code: str, found: Any) -> None:
        self.faults.append(Fault(where, code, repr(found)[:60]))
