"""Checks a saved game: its hashes, its seed, and every event, by playing the game again.

What players said and answered is taken from the log; everything else must follow from it.  Nothing
follows to the words of a message, an answer that was refused, why a default was taken, a plan and a
note: for these the chain of hashes vouches.  Who makes all hashes anew can still change them, so
the last hash is worth keeping elsewhere.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from diplomat.core.dice import commitment
from diplomat.core.errors import DiplomatError
from diplomat.core.events import Event
from diplomat.core.plain import digest
from diplomat.core.proceedings import DiceChanged, SeedSealed
from diplomat.transcript.codec import encode
from diplomat.transcript.compare import differing, same
from diplomat.transcript.digests import NAME, mixed
from diplomat.transcript.reader import Transcript
from diplomat.transcript.retrace import Retrace
from diplomat.transcript.schema import Line


@dataclass(frozen=True, slots=True)
class Difference:
    """The first event that is not what the game gives; ``n=0`` is the header."""

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
    chain: str | None = None
    """The last hash, which stands for the whole log; None if the log has no hashes or they do not fit."""

    @property
    def sound(self) -> bool:
        """Whether nothing differs."""
        return self.difference is None


def verify(transcript: Transcript, chain: str | None = None) -> Verdict:
    """Checks the hashes, the seed against its commitment, and every event against the rules.

    ``chain`` is the last hash as it was kept elsewhere: then the log must end with it.
    """
    links = transcript.chain
    broken = None if links is None or not links.broken else Difference(links.broken - 1, links.broken, links.why)
    played = (
        _rules(transcript) or _raw(transcript) or _seed(transcript) or _other_dice(transcript) or _replay(transcript)
    )
    difference = _first(broken, played) or _behind_the_end(transcript)
    if difference is None and chain is not None:
        difference = _anchor(transcript, chain)
    last = None if links is None or links.broken else links.last
    return Verdict(len(transcript.lines), transcript.finished, difference, last)


def _first(broken: Difference | None, played: Difference | None) -> Difference | None:
    """The earlier of two differences; both reasons if it is the same line."""
    if broken is None or played is None:
        return broken or played
    if broken.line == played.line:
        return replace(broken, why=f"{broken.why}; {played.why}")
    return min(broken, played, key=lambda found: found.line)


def other_rules(transcript: Transcript) -> str | None:
    """Why this program cannot play the game again: it has other rules; None if it has the same."""
    header, game = transcript.header, transcript.game
    for name, written, here in (
        ("edition", header.edition, game.edition),
        ("rules version", header.rules_version, game.rules_version),
    ):
        if written != here:
            return f"the game was played by {name} {written}, this program has {here}"
    return None


def _rules(transcript: Transcript) -> Difference | None:
    why = other_rules(transcript)
    return None if why is None else Difference(0, 1, why)


def _raw(transcript: Transcript) -> Difference | None:
    """The written data must be exactly what its event writes: no field more, no audience widened."""
    for line in transcript.lines:
        wanted = encode(line.event)
        if not same(line.written, wanted):
            return Difference(line.n, line.number, f"{differing(line.written, wanted)}, for this very event")
    return None


def _seed(transcript: Transcript) -> Difference | None:
    if not transcript.lines or not isinstance(transcript.lines[0].event, SeedSealed):
        return Difference(1, 2, "the log does not begin with its sealed seed")
    first = transcript.lines[0]
    seed = transcript.lines[0].event.seed
    if commitment(seed, _nonce(first)) != transcript.header.commitment:
        return Difference(1, first.number, "the seed is not the one that the header committed to")
    return None


def _other_dice(transcript: Transcript) -> Difference | None:
    """A fork may change its dice once, behind what it shares with its parent, to those it committed to."""
    parent, then = transcript.header.parent, transcript.lines[0].meta.get("then")
    nonce = str(then.get("nonce", "")) if isinstance(then, dict) else ""
    promised = None if parent is None else parent.commitment
    changed = [line for line in transcript.lines if isinstance(line.event, DiceChanged)]
    for line in changed:
        assert isinstance(line.event, DiceChanged)
        if line is not changed[0]:
            return Difference(line.n, line.number, "the dice are changed a second time")
        if promised is None or commitment(line.event.seed, nonce) != promised:
            return Difference(line.n, line.number, "the dice are changed to ones that the header did not commit to")
        if parent is not None and line.n <= parent.at:
            why = f"the dice are changed before event {parent.at}, up to which this game is its parent"
            return Difference(line.n, line.number, why)
    return None


def _replay(transcript: Transcript) -> Difference | None:
    first = transcript.lines[0].event
    assert isinstance(first, SeedSealed)
    rules = transcript.game.rules
    line = transcript.lines[0]
    nonce = _nonce(line)
    try:
        retrace = Retrace(transcript.game, transcript.settings, transcript.seats, first.seed)
        state = rules.initial(transcript.settings, transcript.seats)
        for line in transcript.lines:
            why = _follow(retrace, line.event)
            if why is None:
                state = rules.evolve(state, line.event)
                why = _other_digest(line, state, nonce)
            if why is not None:
                return Difference(line.n, line.number, why)
    except DiplomatError as fault:
        return Difference(line.n, line.number, str(fault))
    except Exception as fault:  # noqa: BLE001 — a forged log can break the rules in any way; the line is what matters
        why = f"the game cannot be played on from here ({type(fault).__name__}: {fault})"
        return Difference(line.n, line.number, why)
    return None


def _nonce(first: Line) -> str:
    return str(first.meta.get("nonce", ""))


def _other_digest(line: Line, state: Any, nonce: str) -> str | None:
    if NAME not in line.meta or line.meta[NAME] == mixed(nonce, digest(state)):
        return None
    return "the state of the game has another digest behind it than was written there"


def _follow(retrace: Retrace, event: Event) -> str | None:
    """Takes one event of the log; why it could not stand here, or None."""
    if not retrace.due:
        why = retrace.take(event)
        if why is not None:
            return why
    wanted = retrace.due.popleft()
    if wanted == event:
        return None
    return f"{differing(encode(event), encode(wanted))}, as follows from the game"


def _behind_the_end(transcript: Transcript) -> Difference | None:
    if not (transcript.torn and transcript.finished):
        return None
    n = len(transcript.lines)
    return Difference(n + 1, n + 2, "something stands behind the end of the game")


def _anchor(transcript: Transcript, chain: str) -> Difference | None:
    """The last hash must be the one that was kept; an earlier one means that the log went on."""
    links = transcript.chain
    if links is None:
        return Difference(0, 1, f"format {transcript.format} has no hash to compare with {chain}")
    if links.last == chain:
        return None
    n = len(transcript.lines)
    if chain in links.links:
        at = links.links.index(chain)
        return Difference(at + 1, at + 2, f"the hash {chain} is that of event {at}, and the log goes on to event {n}")
    return Difference(n, n + 1, f"the log ends with the hash {links.last}, not {chain}: it is another log or cut short")


__all__ = ["Difference", "Verdict", "other_rules", "verify"]
