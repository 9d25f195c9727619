"""A language model as annotator: a source of the ledger that reads every message twice and sees nothing but words.

First :meth:`ModelAnnotator.read` asks about all messages through the desk, then the annotator is a source like any
other.  Replies are kept by what was asked, so a second run costs nothing::

    annotator = ModelAnnotator(transcript.game, [parse("openai:gpt-4o-mini")], lang="en", folder=Path("cache"))
    async with Desk(annotator.endpoints, budget=Budget(1)) as desk:
        await annotator.read(Log(transcript).units, desk)
    ledger = of(transcript, (annotator,))
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path
from typing import Any

from diplomat.agents.llm.safe import tokens
from diplomat.core.errors import UsageError
from diplomat.core.game import Game
from diplomat.core.proceedings import MessageSent
from diplomat.llm.base import Call, Completion, ProviderFault, Usage
from diplomat.llm.desk import Desk
from diplomat.llm.names import Endpoint
from diplomat.llm.prices import Prices
from diplomat.llm.pricing import most_tokens
from diplomat.study.annotate.asking import SMALL, Questions
from diplomat.study.annotate.cache import Cache, key_of
from diplomat.study.annotate.readings import merged
from diplomat.study.annotate.replies import Reading, read_reply
from diplomat.study.annotate.rows import Annotation, text_hash
from diplomat.study.annotate.scheme import Coded, said
from diplomat.study.annotate.units import Unit
from diplomat.study.sources import Past, Said
from diplomat.study.vocabulary import vocabulary_of

READINGS = (1, 2)
TRIES = 2
"""Calls for one reading, if what comes back is no reply."""
REPLY_TOKENS = 250
"""Tokens that a reply is expected to have, for the forecast."""
Progress = Callable[[int, int], None]
"""Hears how many messages are done, of how many."""


@dataclass(frozen=True, slots=True)
class Bill:
    """What is going to be used, by the size of the prompts and the usual length of replies."""

    calls: int = 0
    input: int = 0
    """Tokens, about."""
    output: int = 0
    cost: Decimal | None = Decimal(0)
    """USD without any cached beginnings; None if a model has no known price."""
    most: Decimal | None = Decimal(0)
    """USD if every reply were as long as it may be and every byte a token."""

    def plus(self, call: Call, endpoint: Endpoint, prices: Prices) -> Bill:
        """The bill with one more call."""
        texts = [part.text for part in call.system] + [turn.text for turn in call.turns]
        size = sum(map(tokens, texts)) + tokens(json.dumps(call.schema))
        cost = most = None
        price = prices.of(endpoint)
        if price is not None and self.cost is not None and self.most is not None:
            cost = self.cost + price.cost(Usage(fresh=size, output=REPLY_TOKENS))
            most = self.most + price.most(most_tokens(call), call.max_output)
        return Bill(self.calls + 1, self.input + size, self.output + REPLY_TOKENS, cost, most)


class ModelAnnotator:
    """A :class:`~diplomat.study.sources.Source`; two endpoints give a reading each, one gives both."""

    def __init__(
        self, game: Game[Any, Any], endpoints: Sequence[Endpoint], *, lang: str = "en", folder: Path | None = None
    ) -> None:
        """Nothing is asked yet.

        Args:
            game: The game whose words are read.
            endpoints: One model or two.
            lang: Language of the instructions; the words may be in any.
            folder: Where replies are kept (``annotator.cache.jsonl``); None: only while this object lives.

        Raises:
            UsageError: Not one or two models.
            CannotWrite: The folder cannot be used.
        """
        if not 1 <= len(endpoints) <= len(READINGS):
            raise UsageError(f"an annotator takes one model or two, not {len(endpoints)}")
        self.endpoints = tuple(endpoints)
        self.counts: Counter[str] = Counter()
        """What :meth:`acts` met: ``messages``, ``acts``, ``disputed`` acts, ``unread`` and ``half_read`` messages
        (no reading or one only), ``rejected_span``, ``rejected_goal`` …, ``unusable_truncated`` … replies."""
        self.faults: Counter[str] = Counter()
        """Calls that brought no completion, by kind."""
        self._questions = Questions(game, lang)
        self._vocabulary = vocabulary_of(game)
        self._cache = Cache(folder)
        self._places: dict[Endpoint, Endpoint] = {}

    @property
    def name(self) -> str:
        """``llm:MODEL@HASH``; the hash is of the instructions."""
        asked = [self._questions.system(reading, small=self._of(reading).kind in SMALL) for reading in READINGS]
        mark = hashlib.sha256(json.dumps(asked).encode()).hexdigest()[:8]
        return f"llm:{'+'.join(one.name for one in self.endpoints)}@{mark}"

    def _of(self, reading: int) -> Endpoint:
        return self.endpoints[(reading - 1) % len(self.endpoints)]

    # Asking -----------------------------------------------------------------------------------------

    async def read(
        self,
        units: Iterable[Unit],
        desk: Desk,
        *,
        progress: Progress | None = None,
        places: Callable[[Endpoint], Endpoint] = lambda endpoint: endpoint,
    ) -> None:
        """Asks about every message that is not known yet.

        Args:
            units: The messages.
            desk: Through which all calls go; its budget holds.
            progress: Hears of every message that is done.
            places: Where an endpoint is to be found, for one whose server was just started.

        Raises:
            Suspended: The budget is spent, or no model answers; what was answered so far is kept.
        """
        listed = list(units)
        done = 0

        async def one(unit: Unit) -> None:
            nonlocal done
            for reading in READINGS:
                await self._ask(unit.message, unit.past, reading, desk, places)
            done += 1
            if progress is not None:
                progress(done, len(listed))

        tasks = [asyncio.ensure_future(one(unit)) for unit in listed]
        try:
            await asyncio.gather(*tasks)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _ask(
        self, message: MessageSent, past: Past, reading: int, desk: Desk, places: Callable[[Endpoint], Endpoint]
    ) -> None:
        """Fills the cache for one reading of one message, as far as the model answers."""
        endpoint, again = self._of(reading), ""
        for _ in range(TRIES):
            call, key = self._call(message, past, reading, again)
            got = self._cache.get(key)
            if got is None:
                try:
                    got = await desk.ask(places(endpoint), replace(call, id=f"{call.seat}/{key[:24]}"))
                except ProviderFault as fault:
                    self.faults[fault.kind] += 1
                    return
                self._cache.put(key, endpoint.name, got)
            again = read_reply(got, message, past, self._vocabulary).unusable
            if not again:
                return

    def _call(self, message: MessageSent, past: Past, reading: int, again: str) -> tuple[Call, str]:
        endpoint = self._of(reading)
        call = self._questions.call(endpoint, message, past, reading, again)
        return call, key_of(endpoint.name, call)

    def expected(self, units: Iterable[Unit], prices: Prices) -> Bill:
        """What :meth:`read` would use; nothing is asked (a dry run)."""
        bill = Bill()
        for unit in units:
            for reading in READINGS:
                call, key = self._call(unit.message, unit.past, reading, "")
                if self._cache.get(key) is None:
                    bill = bill.plus(call, self._of(reading), prices)
        return bill

    # The source -------------------------------------------------------------------------------------

    def acts(self, message: MessageSent, past: Past) -> Iterable[Said]:
        """What both readings made of a message; messages that were not read are counted."""
        for act in self.coded(message, past):
            if (one := said(act)) is not None:
                yield one

    def coded(self, message: MessageSent, past: Past) -> tuple[Coded, ...]:
        """All acts of a message, also those of which the ledger knows nothing."""
        readings = [one for one in (self._known(message, past, reading) for reading in READINGS) if one is not None]
        self.counts["messages"] += 1
        self.counts["unread"] += not readings
        self.counts["half_read"] += len(readings) == 1
        for one in readings:
            self.counts.update({f"rejected_{why}": count for why, count in one.rejected.items()})
        made = merged([one.acts for one in readings])
        self.counts["acts"] += len(made)
        self.counts["disputed"] += sum(bool(act.disputed) for act in made)
        return made

    def _known(self, message: MessageSent, past: Past, reading: int) -> Reading | None:
        """The reading by the replies that are known, None if there is none that can be used."""
        again = ""
        for _ in range(TRIES):
            got: Completion | None = self._cache.get(self._call(message, past, reading, again)[1])
            if got is None:
                return None
            found = read_reply(got, message, past, self._vocabulary)
            if not found.unusable:
                return found
            again = found.unusable
            self.counts[f"unusable_{again}"] += 1
        return None

    def annotations(self, units: Iterable[Unit], at: str = "") -> list[Annotation]:
        """What was found as rows of an annotation file; messages without any reading have none."""
        name = self.name
        rows = []
        for unit in units:
            before = self.counts["unread"]
            acts = self.coded(unit.message, unit.past)
            if self.counts["unread"] == before:
                row = Annotation(
                    unit.log.identity, unit.log.name, unit.message.id, text_hash(unit.message.text), name, acts
                )
                rows.append(replace(row, by="llm", at=at))
        return rows
