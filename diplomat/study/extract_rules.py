"""Plain sentences of scripted players as speech acts, by the game's own rules of reading.

Made for sentences that scripted players say, in both languages.  For people's and models' prose rules only find
candidates: their rates are no results.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from diplomat.core.audience import Seat
from diplomat.core.pledges import NEEDS_REF, Pledge
from diplomat.core.proceedings import MessageSent
from diplomat.core.talk import EVERYONE
from diplomat.study.sources import Past, Said
from diplomat.study.vocabulary import Reading

CONFIDENCE = 0.5
"""Of a rule's finding in prose: about what a pilot on people's talk gave for single verdicts."""
_SENTENCE = re.compile(r"[^.!?;…\n]+[.!?;…]*")


@dataclass(frozen=True, slots=True)
class Rules:
    """Reads messages that declare nothing; with ``beside`` also those that do, to compare words with pledges."""

    vocabulary: Reading
    beside: bool = False
    confidence: float = CONFIDENCE
    but: frozenset[str] = frozenset()
    """Ids of messages for which a better source speaks."""
    name: str = "rule"

    def acts(self, message: MessageSent, past: Past) -> Iterable[Said]:
        """What the words do to each hearer; the same act to several hearers is one act."""
        if message.id in self.but or (message.pledges and not self.beside):
            return
        hearers = _hearers(message, past)
        by_act: dict[str, tuple[Said, list[Seat]]] = {}
        for hearer in self._moved(message, hearers, past):
            for said in self._heard(message, hearer, past):
                by_act.setdefault(repr(said), (said, []))[1].append(hearer)
        for said, reached in by_act.values():
            yield said if len(reached) == len(hearers) else replace(said, hearers=tuple(reached))

    def _moved(self, message: MessageSent, hearers: list[Seat], past: Past) -> list[Seat]:
        """The hearers to whom the words may say anything; what says nothing to one says nothing to all not named."""
        if len(hearers) < 2:
            return hearers
        named = self.vocabulary.named(message.text)
        alike = [seat for seat in hearers if past.roles.get(seat, "") not in named]
        if alike and not self._read(message.text, message.sender, alike[0], past)[0]:
            return [seat for seat in hearers if seat not in alike]
        return hearers

    def _heard(self, message: MessageSent, hearer: Seat, past: Past) -> Iterator[Said]:
        """What one hearer would make of the words; answers speak of what stands between the two."""
        pledges, stated = self._read(message.text, message.sender, hearer, past)
        for pledge in pledges:
            start, end = self._span(message, hearer, past, pledge)
            said = Said(
                pledge.act, pledge.goals, pledge.given, pledge.ref, start, end, None, self.confidence, stated=stated
            )
            if pledge.act not in NEEDS_REF or pledge.ref is not None:
                yield said
            elif pledge.act == "withdraw":
                yield from (replace(said, ref=name) for name in dict.fromkeys(past.owed.get(hearer, ())))
            else:
                open_ = [one for one in past.waiting if one.sender == hearer and one.point == past.now]
                if open_:
                    yield replace(said, ref=open_[-1].message)

    def _read(self, text: str, speaker: Seat, hearer: Seat, past: Past) -> tuple[tuple[Pledge, ...], bool]:
        return self.vocabulary.read(text, speaker, hearer, past.roles, past.now, past.last)

    def _span(self, message: MessageSent, hearer: Seat, past: Past, pledge: Pledge) -> tuple[int, int]:
        """The one sentence that says it by itself, else the whole message."""
        parts = [match for match in _SENTENCE.finditer(message.text) if match[0].strip()]
        for match in parts if len(parts) > 1 else ():
            alone, _ = self._read(match[0], message.sender, hearer, past)
            if pledge in alone:
                return match.start() + len(match[0]) - len(match[0].lstrip()), match.end()
        return 0, len(message.text)


def _hearers(message: MessageSent, past: Past) -> list[Seat]:
    everybody = tuple(message.to) == (EVERYONE,)
    return [seat for seat in past.seats if seat != message.sender and (everybody or seat in message.to)]
