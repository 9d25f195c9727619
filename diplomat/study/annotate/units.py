"""The messages to be coded, each with what its reader may know of the past; and a sample that is the same for all."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from diplomat.core.errors import BadTranscript, UsageError
from diplomat.core.game import Game
from diplomat.core.proceedings import MessageSent
from diplomat.study.annotate.rows import text_hash
from diplomat.study.ledger import default_sources, of
from diplomat.study.sources import Past, Said
from diplomat.study.vocabulary import vocabulary_of
from diplomat.transcript.reader import Transcript

OVERLAP = 0.2
"""Share of messages that a second coder is usually given."""
ENOUGH = 150
"""Units that agreement should rest on."""


@dataclass(frozen=True)
class Unit:
    """One message of one game."""

    log: Log
    message: MessageSent
    past: Past
    candidate: bool
    """Whether a rule or its sender finds an act in it; for drawing samples only, never shown."""

    @property
    def key(self) -> tuple[str, str]:
        """What it is called in every version of its log."""
        return self.log.name, f"{self.message.id}/{text_hash(self.message.text)}"


@dataclass(frozen=True)
class Log:
    """One transcript as annotations name it."""

    transcript: Transcript

    @property
    def name(self) -> str:
        """The file's name without its ending."""
        return self.transcript.path.stem

    @property
    def game(self) -> Game[Any, Any]:
        """What is played."""
        return self.transcript.game

    @property
    def changed(self) -> bool:
        """Whether it was changed after it was written."""
        return self.transcript.chain is not None and bool(self.transcript.chain.broken)

    @cached_property
    def identity(self) -> str:
        """The hash that stands for the whole log: of its chain, else of its bytes; BadTranscript if it was changed."""
        chain = self.transcript.chain
        if chain is not None:
            if chain.broken:
                raise BadTranscript(
                    f"{self.transcript.path}, line {chain.broken}: {chain.why}; a log that was changed cannot be coded",
                    chain.broken,
                )
            return f"chain:{chain.last}"
        return f"sha256:{hashlib.sha256(self.transcript.path.read_bytes()).hexdigest()}"

    def is_named(self, identity: str, n: int) -> bool:
        """Whether an annotation of event ``n`` names this log, or an earlier state of it that had the event.

        A log that was changed is none that anybody coded.
        """
        chain = self.transcript.chain
        if self.changed:
            return False
        if identity == self.identity:
            return True
        if chain is None or not identity.startswith("chain:"):
            return False
        link = identity.removeprefix("chain:")
        # The header has the first link, so event n the link n.
        return link in chain.links and chain.links.index(link) >= n

    @cached_property
    def units(self) -> tuple[Unit, ...]:
        """All messages in the order in which they were sent; BadTranscript if its deeds make no sense."""
        seen = _Seen()
        ledger = of(self.transcript, (*default_sources(vocabulary_of(self.game)), seen))
        acting = {act.message for act in ledger.acts}
        return tuple(Unit(self, message, past, message.id in acting) for message, past in seen.all)

    @cached_property
    def by_message(self) -> dict[str, Unit]:
        """The units by the ids of their messages."""
        return {unit.message.id: unit for unit in self.units}


class _Seen:
    """A source that finds nothing and keeps what it was shown."""

    name = "units"

    def __init__(self) -> None:
        self.all: list[tuple[MessageSent, Past]] = []

    def acts(self, message: MessageSent, past: Past) -> Iterable[Said]:
        self.all.append((message, past))
        return ()


def logs_of(transcripts: Iterable[Transcript]) -> tuple[Log, ...]:
    """The logs to code; UsageError if two are called the same, since coders know them by name."""
    logs = tuple(Log(one) for one in transcripts)
    names = [log.name for log in logs]
    for name in names:
        if names.count(name) > 1:
            raise UsageError(f"two of the files are called {name}; rename one, since annotations name games by file")
    return logs


def sample(units: Sequence[Unit], share: float) -> tuple[Unit, ...]:
    """A share of the units, the same for every coder, spread over games, senders and messages with a candidate act.

    Strata in proportion, so that messages in which rules find nothing are coded too: missed promises count.
    UsageError unless the share lies above 0 and is at most 1.
    """
    if not 0 < share <= 1:
        raise UsageError(f"the overlap is a share above 0 and at most 1, not {share}; {OVERLAP} is usual")
    ordered = sorted(units, key=lambda unit: (unit.log.name, unit.message.sender, unit.candidate, _lot(unit)))
    # Walking along the strata with an even step takes from each its share, and rounds only once.
    chosen = {id(ordered[int(step / share)]) for step in range(round(len(ordered) * share))}
    return tuple(unit for unit in units if id(unit) in chosen)


def _lot(unit: Unit) -> str:
    return hashlib.sha256("\n".join(unit.key).encode("utf-8", "surrogatepass")).hexdigest()
