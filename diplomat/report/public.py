"""A log made fit to publish: words of people who did not agree are left out, names are replaced, rest is scrubbed.

The log itself is rewritten before anything is judged or drawn, so that the page cannot show what is not in it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from diplomat.core import proceedings as table
from diplomat.core.audience import Seat
from diplomat.core.events import Event
from diplomat.core.menus import Problem
from diplomat.core.pledges import Plan
from diplomat.core.texts import Texts, load_texts
from diplomat.report.scrub import Scrub
from diplomat.transcript.reader import Transcript
from diplomat.transcript.schema import Header, Line, SeatEntry

PROGRAMS = frozenset({"scripted", "random"})
"""Agents that are no people; every other one without a model is taken for a person."""


@dataclass(slots=True)
class Removed:
    """What is not on a page made for the public."""

    counts: Counter[str] = field(default_factory=Counter)
    """By kind: ``messages``, ``returned``, ``notes``, ``plans`` (of people without consent), ``name``, ``path`` …"""
    silent: tuple[Seat, ...] = ()
    """People who did not agree to publish their words."""


def is_person(entry: SeatEntry) -> bool:
    """Whether a seat was a person's, as far as the header says; in doubt it was."""
    return entry.model is None and entry.agent.split(":")[0] not in PROGRAMS


def agreed(header: Header, entry: SeatEntry) -> bool:
    """Whether whoever sat there may be quoted: programs always, people who said yes.

    The flag is ``consent`` of the seat's entry, or the header's option ``consent``: a list of seats, or
    an object from seats to true or false.
    """
    if not is_person(entry):
        return True
    if entry.consent is not None:
        return entry.consent
    listed = header.options.get("consent")
    if isinstance(listed, dict):
        return listed.get(entry.seat) is True
    return isinstance(listed, list) and entry.seat in listed


def refused(header: Header, entry: SeatEntry) -> bool:
    """Whether whoever sat there said no in the log, which nobody can say yes to in their place."""
    if entry.consent is not None:
        return not entry.consent
    listed = header.options.get("consent")
    return isinstance(listed, dict) and listed.get(entry.seat) is False


def publish(
    transcript: Transcript, lang: str, *, hide: Sequence[str] = (), consent: Sequence[str] = ()
) -> tuple[Transcript, Removed]:
    """The same game as a log for everybody, and what was removed.

    ``hide`` are further names to replace, ``consent`` seats that agreed, of those that the log does not name as
    refusing.
    """
    texts, header = load_texts("diplomat.report", "texts", lang), transcript.header
    asked = (one for one in header.seats if one.seat not in consent or refused(header, one))
    removed = Removed(silent=tuple(Seat(one.seat) for one in asked if not agreed(header, one)))
    seats, names = _pseudonyms(header, texts)
    names |= dict.fromkeys(hide, texts.say("public.name"))
    scrub = Scrub(names, {kind: texts.say(f"public.{kind}") for kind in Scrub.KINDS}, removed.counts)
    cleaner = _Cleaner(scrub, removed, texts.say("public.left_out"))
    cleaned = ((line, cleaner.event(line.event)) for line in transcript.lines)
    lines = tuple(Line(line.n, event, line.audience) for line, event in cleaned if event is not None)
    bare = header.model_copy(update={"seats": seats, "options": {}, "started": "", "commitment": "", "parent": None})
    return replace(transcript, header=bare, lines=lines, chain=None), removed


def _pseudonyms(header: Header, texts: Texts) -> tuple[tuple[SeatEntry, ...], dict[str, str]]:
    """The seats under names that say nothing, and what to replace in texts: the same player has the same name."""
    labels: dict[tuple[str, str], str] = {}
    counts: Counter[str] = Counter()
    names: dict[str, str] = {}
    seats = []
    for entry in header.seats:
        kind = "person" if is_person(entry) else "model" if entry.model else "bot"
        who = (kind, entry.seat if kind == "person" else f"{entry.agent} {entry.model} {entry.profile}")
        if who not in labels:
            counts[kind] += 1
            labels[who] = texts.say(f"public.{kind}", letter=_letter(counts[kind]))
        seats.append(SeatEntry(seat=entry.seat, agent=labels[who], lang=entry.lang))
        names |= dict.fromkeys(_named(header, entry), labels[who])
    return tuple(seats), names


def _letter(number: int) -> str:
    return chr(ord("A") + number - 1) if number <= 26 else str(number)


def _named(header: Header, entry: SeatEntry) -> Iterator[str]:
    """What tells who sat there, as far as the header knows."""
    people = header.options.get("names")
    own = entry.name or (people.get(entry.seat) if isinstance(people, dict) else None)
    if isinstance(own, str):
        yield own
        yield from (word for word in own.split() if len(word) > 2)
    if entry.model:
        yield entry.model
        yield entry.model.rsplit("/", 1)[-1]
    if is_person(entry):
        yield from (part for part in entry.agent.split(":")[1:] if len(part) > 2)
    elif entry.agent.split(":")[0] not in PROGRAMS:
        yield entry.agent
    if entry.profile and entry.profile.endswith(".toml"):
        yield entry.profile.replace("\\", "/").rsplit("/", 1)[-1].removesuffix(".toml")


class _Cleaner:
    """Rewrites one event at a time."""

    def __init__(self, scrub: Scrub, removed: Removed, left_out: str) -> None:
        self._scrub, self._removed, self._left_out = scrub, removed, left_out
        self._silent = frozenset(removed.silent)

    def event(self, event: Event) -> Event | None:
        """The event without what must not be seen; None for one that must not be seen at all."""
        step = _STEPS.get(type(event))
        return event if step is None else step(self, event)

    def _quiet(self, seat: Seat, kind: str) -> bool:
        if seat in self._silent:
            self._removed.counts[kind] += 1
            return True
        return False

    def seed(self, _: Event) -> None:
        """A seed would let anybody join the page with the whole log."""

    def message(self, event: table.MessageSent) -> Event:
        """Words, or a mark in their place: that something was said was seen by others, too."""
        if self._quiet(event.sender, "messages"):
            return replace(event, text=self._left_out, pledges=())
        return replace(event, text=self._scrub(event.text))

    def returned(self, event: table.MessageReturned) -> Event | None:
        """Words that reached nobody."""
        if self._quiet(event.sender, "returned"):
            return None
        return replace(event, text=self._scrub(event.text), problem=self._problem(event.problem))

    def pledge(self, event: table.PledgeReturned) -> Event | None:
        """A pledge that could not be read."""
        return None if event.sender in self._silent else replace(event, problem=self._problem(event.problem))

    def plan(self, event: table.PlanSealed) -> Event | None:
        """A private plan."""
        if self._quiet(event.seat, "plans"):
            return None
        plan = event.plan
        return replace(event, plan=Plan(plan.goals, plan.keep, self._scrub(plan.text)))

    def note(self, event: table.NoteSealed) -> Event | None:
        """A private note."""
        return None if self._quiet(event.seat, "notes") else replace(event, text=self._scrub(event.text))

    def trouble(self, event: Any) -> Event | None:
        """A problem, whose facts may quote an answer."""
        changed: Event = replace(event, problem=self._problem(event.problem))
        return None if event.seat in self._silent else changed

    def _problem(self, problem: Problem) -> Problem:
        return Problem(problem.code, {name: self._scrub(str(value)) for name, value in problem.facts.items()})


_STEPS: Mapping[type[Event], Callable[[_Cleaner, Any], Event | None]] = {
    table.SeedSealed: _Cleaner.seed,
    table.DiceChanged: _Cleaner.seed,
    table.MessageSent: _Cleaner.message,
    table.MessageReturned: _Cleaner.returned,
    table.PledgeReturned: _Cleaner.pledge,
    table.PlanSealed: _Cleaner.plan,
    table.NoteSealed: _Cleaner.note,
    table.PlanReturned: _Cleaner.trouble,
    table.NoteReturned: _Cleaner.trouble,
    table.AnswerRefused: _Cleaner.trouble,
    table.DefaultExplained: _Cleaner.trouble,
}


def in_play(transcript: Transcript) -> Transcript:
    """What a watcher has seen of a game that is not over."""
    return replace(transcript, lines=tuple(line for line in transcript.lines if line.event.audience().includes(None)))
