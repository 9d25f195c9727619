"""Who knew what when: when each seat could first read a promise, and what others told of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from diplomat.core.audience import Seat
from diplomat.report.cards import Card
from diplomat.report.evidence import EVERYBODY, Claimed
from diplomat.report.speech import Archive
from diplomat.report.timeline import Timeline
from diplomat.report.words import Wording


@dataclass(frozen=True, slots=True)
class Learned:
    """When a seat learned of a promise."""

    n: int
    """Event number of the message, 0: never while the game was on."""
    round: int = 0
    own: bool = False
    """Whether it is its own word."""


@dataclass(frozen=True, slots=True)
class Known:
    """One promise and everybody's knowledge of it."""

    card: Card
    seats: Mapping[Seat, Learned]


def knowledge(cards: Sequence[Card], archive: Archive, timeline: Timeline, seats: tuple[Seat, ...]) -> list[Known]:
    """For every promise, in the order in which they were given."""
    ordered = sorted(cards, key=lambda card: card.case.given.made_n)
    return [Known(card, {seat: _learned(card, archive, timeline, seat) for seat in seats}) for card in ordered]


def _learned(card: Card, archive: Archive, timeline: Timeline, seat: Seat) -> Learned:
    given = card.case.given
    for span in given.spans:
        n, message = archive.messages.get(span.message, (0, None))
        if message is not None and message.audience().includes(seat):
            since = max(n, given.made_n)
            return Learned(since, timeline.number(since), own=seat == card.debtor)
    return Learned(0)


@dataclass(frozen=True, slots=True)
class Told:
    """Something that one seat told others about third ones."""

    n: int
    speaker: Seat
    hearers: tuple[Seat, ...]
    text: str
    what: str
    truth: str
    style: str
    knew: str
    source: str


def hearsay(archive: Archive, wording: Wording) -> list[Told]:
    """What was claimed, and whether it was so; first what was false and known to be."""
    found = [_told(claim, archive, wording) for claim in archive.evidence.claims]
    return sorted(found, key=lambda told: (("lie", "false", "true", "open").index(told.style), told.n))


def _told(claim: Claimed, archive: Archive, wording: Wording) -> Told:
    style = {"true": "true", "false": "lie" if claim.speaker_knew == "yes" else "false"}.get(claim.truth, "open")
    names = [wording.names.get(seat, seat) for seat in claim.about]
    key = f"claim.{claim.proposition}"
    what = wording.say(key, who=names[0], whom=names[1]) if wording.labels.has(key) and len(names) == 2 else ""
    hearers = () if EVERYBODY in claim.hearers else tuple(Seat(seat) for seat in claim.hearers)
    return Told(
        claim.n,
        Seat(claim.speaker),
        hearers,
        archive.quoted(claim.message, claim.start, claim.end),
        what,
        wording.say(f"truth.{claim.truth}"),
        style,
        wording.say(f"knew.{claim.speaker_knew}"),
        wording.source(claim.source, claim.confidence),
    )
