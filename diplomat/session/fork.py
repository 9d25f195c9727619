"""A saved game played on from any of its events, with one thing changed."""

from __future__ import annotations

import difflib
import hashlib
import secrets
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from diplomat.agents.base import Agent
from diplomat.agents.relay import Relay, Silence
from diplomat.core.audience import Seat
from diplomat.core.dice import commitment
from diplomat.core.errors import UsageError
from diplomat.core.events import Event
from diplomat.core.proceedings import AnswerGiven, MessageReturned, MessageSent
from diplomat.table.seating import Chair
from diplomat.transcript.reader import Transcript
from diplomat.transcript.schema import Parent

NEAREST = 5
"""Ids of messages that are suggested for one that does not exist."""


@dataclass(frozen=True, slots=True)
class Fork:
    """From which event on a game goes otherwise, and how."""

    at: int
    """The last event that both games have in common by right."""
    parent_sha256: str
    before: tuple[Chair, ...] = ()
    """Who held the seats that change hands, up to then."""
    seed: str | None = None
    """Other dice of the rules from there on."""
    nonce: str = ""
    silence: Silenced | None = None

    def parent(self) -> Parent:
        """What the header says of it; holds no secret."""
        return Parent(
            sha256=self.parent_sha256,
            at=self.at,
            change=self._change(),
            commitment=commitment(self.seed, self.nonce) if self.seed is not None else None,
        )

    @property
    def cut(self) -> str | None:
        """The question whose reply is used but for one message, ``SEAT/REQUEST``."""
        return None if self.silence is None else f"{self.silence.seat}/{self.silence.request}"

    def sealed(self) -> dict[str, Any]:
        """What of it is a secret of the game until the reveal: other dice, and which message is not sent."""
        found: dict[str, Any] = {}
        if self.seed is not None:
            found["then"] = {"seed": self.seed, "nonce": self.nonce}
        if self.silence is not None:
            found["silence"] = asdict(self.silence)
        return found

    def _change(self) -> str:
        if self.silence is not None:
            return "drop"
        if self.before:
            return "seat " + ", ".join(chair.seat for chair in self.before)
        return "seed" if self.seed is not None else "nothing"

    def player(self, seat: Seat, now: Agent, make: Callable[[Chair], Agent], events: Callable[[], int]) -> Agent:
        """The player of a seat, who may take over in mid-game or leave a message unsaid."""
        for chair in self.before:
            if chair.seat == seat:
                return Relay(make(chair), now, lambda: events() >= self.at)
        if self.silence is not None and self.silence.seat == seat:
            return Silence(now, self.silence.request, self.silence.place)
        return now

    def options(self) -> dict[str, Any]:
        """What of it is needed to set the very same fork up again and may stand in the header."""
        return {
            "before": [
                {"seat": chair.seat, "agent": chair.agent, "profile": chair.profile.id if chair.profile else None}
                for chair in self.before
            ]
        }


@dataclass(frozen=True, slots=True)
class Silenced:
    """A message that is never sent: the one at ``place`` of the reply to ``request``."""

    seat: Seat
    request: str
    place: int
    message: str


def fork_of(
    transcript: Transcript,
    at: int | None,
    *,
    before: tuple[Chair, ...] = (),
    seed: str | None = None,
    drop: str | None = None,
) -> Fork:
    """The fork of a log after its event ``at``; UsageError says what does not fit together."""
    last = len(transcript.lines)
    silence = None
    if drop is not None:
        sent, silence = _silenced(transcript, drop)
        if at is not None and at != sent - 1:
            raise UsageError(
                f"--at {at}: the message {drop} is event {sent}, so the games part at {sent - 1}; leave --at out"
            )
        at = sent - 1
    if at is None:
        raise UsageError(f"say after which event the new game begins: --at N, from 1 to {last - 1}")
    if not 1 <= at < last:
        raise UsageError(f"--at {at}: {transcript.path} has {last} events; choose from 1 to {last - 1}")
    return Fork(
        at=at,
        parent_sha256=hashlib.sha256(transcript.path.read_bytes()).hexdigest(),
        before=before,
        seed=seed,
        nonce=secrets.token_hex(16) if seed is not None else "",
        silence=silence,
    )


def _silenced(transcript: Transcript, message: str) -> tuple[int, Silenced]:
    """The event that sent a message, and its place in the reply that it came with."""
    sent = [event for event in transcript.events() if isinstance(event, MessageSent)]
    if message not in {event.id for event in sent}:
        raise _unknown(transcript, message, sent)
    places: dict[str, int] = {}
    found: tuple[int, str, int] | None = None
    for line in transcript.lines:
        event = line.event
        if isinstance(event, (MessageSent, MessageReturned)):
            if isinstance(event, MessageSent) and event.id == message:
                found = line.n, event.sender, places.get(event.sender, 0)
            places[event.sender] = places.get(event.sender, 0) + 1
        elif isinstance(event, AnswerGiven):
            if found is not None and event.seat == found[1]:
                return found[0], Silenced(event.seat, event.request, found[2], message)
            places[event.seat] = 0
    raise UsageError(f"the log ends before the reply that {message} came with; fork it at an earlier event")


def _unknown(transcript: Transcript, message: str, sent: Sequence[MessageSent]) -> UsageError:
    """Says which ids come near; of a game that is not over, only of what was said to all."""
    ids = [event.id for event in sent if transcript.finished or event.audience().seats is None]
    near = difflib.get_close_matches(message, ids, n=NEAREST)
    found = f"the nearest: {', '.join(near)}" if near else f"an id looks like {ids[0]}" if ids else "there is none"
    spoilers = "" if transcript.finished else " --spoilers"
    return UsageError(
        f"unknown message {message[:60]!r} in {transcript.path}; {found}. "
        f"diplomat replay {shlex.quote(str(transcript.path))}{spoilers} shows the id behind each message"
    )


class Shared:
    """Compares the events that a fork has in common with its parent, each before it is written."""

    def __init__(self, parent: Transcript, at: int) -> None:
        self._parent, self._at = parent, at

    def hear(self, n: int, event: Event) -> None:
        """UsageError if the parent's players, asked again, did not play the parent's game."""
        if n <= self._at and self._parent.lines[n - 1].event != event:
            raise UsageError(
                f"{self._parent.path}, event {n}: played again, the game differs from its log before the fork; "
                "its players, profiles or recorded calls are not the same any more"
            )


def changed_chairs(
    chairs: tuple[Chair, ...], wishes: Mapping[Seat, Chair]
) -> tuple[tuple[Chair, ...], tuple[Chair, ...]]:
    """The chairs after the change, and those that were replaced."""
    return (
        tuple(wishes.get(chair.seat, chair) for chair in chairs),
        tuple(chair for chair in chairs if chair.seat in wishes),
    )
