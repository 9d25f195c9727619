"""Plays a saved game again from its seed and its answers and compares every event.

What players said and answered is taken from the log; everything else must follow from it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from diplomat.core.dice import commitment
from diplomat.core.events import Event
from diplomat.core.plain import canonical
from diplomat.core.proceedings import (
    PROCEEDINGS,
    AnswerGiven,
    GameOpened,
    MessageSent,
    PledgeReturned,
    SeedSealed,
)
from diplomat.core.talk import Message
from diplomat.table.parley import Parley
from diplomat.table.referee import Referee
from diplomat.transcript.codec import encode
from diplomat.transcript.reader import Transcript
from diplomat.transcript.schema import Line


@dataclass(frozen=True, slots=True)
class Difference:
    """The first event that is not what the game gives."""

    n: int
    line: int
    why: str

    def __str__(self) -> str:
        return f"event {self.n} (line {self.line}): {self.why}"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a check found."""

    events: int
    finished: bool
    difference: Difference | None = None

    @property
    def sound(self) -> bool:
        """Whether nothing differs."""
        return self.difference is None


def verify(transcript: Transcript) -> Verdict:
    """Checks the seed against its commitment and every event against the rules."""
    difference = _raw(transcript.path, transcript) or _seed(transcript) or _replay(transcript)
    finished = bool(transcript.lines) and isinstance(transcript.lines[-1].event, GameOpened)
    return Verdict(len(transcript.lines), finished, difference)


def _raw(path: Path, transcript: Transcript) -> Difference | None:
    """The written data must be exactly what its event writes: no field more, no audience widened."""
    rows = path.read_text(encoding="utf-8").split("\n")[1:]
    for line, row in zip(transcript.lines, rows, strict=False):
        record = json.loads(row)
        written = {key: record.get(key) for key in ("kind", "to", "data")}
        if canonical(written) != canonical(encode(line.event)):
            return Difference(line.n, line.number, "the line holds something else than its event says")
    return None


def _seed(transcript: Transcript) -> Difference | None:
    if not transcript.lines or not isinstance(transcript.lines[0].event, SeedSealed):
        return Difference(1, 2, "the log does not begin with its sealed seed")
    first = transcript.lines[0]
    seed = transcript.lines[0].event.seed
    if commitment(seed, str(first.meta.get("nonce", ""))) != transcript.header.commitment:
        return Difference(1, first.number, "the seed is not the one that the header committed to")
    return None


def _replay(transcript: Transcript) -> Difference | None:
    seed = transcript.lines[0].event
    assert isinstance(seed, SeedSealed)
    referee = Referee(transcript.game, transcript.settings, transcript.seats, seed.seed)
    produced: list[Event] = []
    referee.listen(lambda _, event: produced.append(event))
    parley = Parley(transcript.game.pledges, transcript.seats)
    referee.listen(lambda _, event: parley.hear(event))
    referee.begin()
    at = 0
    while at < len(transcript.lines):
        if not produced:
            found = _feed(referee, parley, transcript.lines[at])
            if found is not None:
                return found
        for event in produced:
            if at >= len(transcript.lines):
                break
            line = transcript.lines[at]
            if event != line.event:
                wanted, got = encode(event), encode(line.event)
                return Difference(line.n, line.number, f"{_short(got)} stands where {_short(wanted)} follows from the game")
            at += 1
        produced.clear()
    return None


def _feed(referee: Referee[object, object], parley: Parley, line: Line) -> Difference | None:
    """Gives one recorded input to the referee; a Difference if it could not have happened here."""
    event = line.event
    if isinstance(event, AnswerGiven):
        request = next((r for r in referee.open() if r.id == event.request and r.seat == event.seat), None)
        if request is None:
            return Difference(line.n, line.number, f"{event.seat} answers {event.request}, which nobody asked")
        problem = referee.submit(request, event.answer)
        return None if problem is None else Difference(line.n, line.number, f"an illegal answer: {problem}")
    if isinstance(event, MessageSent):
        return _message(referee, parley, line, event)
    if isinstance(event, GameOpened):
        outcome = referee.outcome()
        if outcome is None:
            return Difference(line.n, line.number, "the game is opened before it is over")
        referee.record(GameOpened(outcome.winners, dict(outcome.scores)))
        return None
    if isinstance(event, PROCEEDINGS):
        referee.record(event)
        return None
    return Difference(line.n, line.number, f"{_short(encode(event))} follows from nothing")


def _message(
    referee: Referee[object, object], parley: Parley, line: Line, event: MessageSent
) -> Difference | None:
    """A message must be deliverable as it stands; its id counts the room's messages."""
    request = next((r for r in referee.open() if r.seat == event.sender), None)
    window = referee.game.side.talk(referee.known(event.sender), request)
    carried = list(parley.carry(event.sender, (Message(event.to, event.text, event.pledges),), window))
    made: Iterator[MessageSent] = (e for e in carried if isinstance(e, MessageSent))
    if next(made, None) != event or any(isinstance(e, PledgeReturned) for e in carried):
        return Difference(line.n, line.number, f"message {event.id} could not have been sent")
    referee.record(event)
    return None


def _short(record: dict[str, object]) -> str:
    text = f"{record['kind']} {canonical(record['data'])}"
    return text if len(text) <= 160 else text[:157] + "…"


__all__ = ["Difference", "Verdict", "verify"]
