"""The desk: one per game, through which every call of a model goes, is counted and written down."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from types import TracebackType

from diplomat.core.errors import DiplomatError, Suspended
from diplomat.llm.answers import Answers, Settled
from diplomat.llm.base import Call, Completion, Provider, ProviderFault, Timeouts
from diplomat.llm.blocks import Blocks, Fingerprint, Prefixes, pieces_of
from diplomat.llm.budget import Budget
from diplomat.llm.calls import Calls, CallsFile
from diplomat.llm.entries import Entry, Status
from diplomat.llm.keys import key_of, without_keys
from diplomat.llm.known import Known
from diplomat.llm.ladder import Ladder
from diplomat.llm.names import Endpoint
from diplomat.llm.prices import Prices
from diplomat.llm.pricing import Costs
from diplomat.llm.providers import provider_for
from diplomat.llm.retry import Clock, Policy, Sleep
from diplomat.llm.sending import Sending, Spending
from diplomat.llm.totals import Tally, tallies

PATIENCE = 120.0
"""Seconds without an answer from any model until the game stops."""
DEADLINE = "deadline"
"""What the table says when it cancels a call whose time is over; any other cancelling leaves no trace."""


class Desk:
    """All model calls of one game."""

    def __init__(
        self,
        endpoints: Iterable[Endpoint],
        *,
        prices: Prices | None = None,
        budget: Budget | None = None,
        record: Path | None = None,
        resume: bool = False,
        settled: Settled | None = None,
        replay: Path | None = None,
        force: bool = False,
        seed: str = "",
        policy: Policy | None = None,
        timeouts: Timeouts | None = None,
        patience: float = PATIENCE,
        known: Known | None = None,
        providers: Mapping[Endpoint, Provider] | None = None,
        clock: Clock = time.monotonic,
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        """Checks keys, prices and files before anything is asked.

        Args:
            endpoints: All models of the game.
            prices: None for the user's and ours.
            budget: None for no limit.
            record: The calls file to write.
            resume: Reads ``record`` first, takes the answers in it as given and goes on writing.
            settled: Of a game that goes on: for which questions the recorded calls must fit.
            replay: A calls file to take every answer from; no server is asked.
            force: Overwrites ``record``.
            seed: For the waits between attempts only.
            policy: How often a call is tried.
            timeouts: Of one attempt; with ``providers`` they are theirs.
            patience: Seconds without any answer until the game stops.
            known: What is remembered about servers; None for the user's own file.
            providers: Used instead of those of the endpoints.
            clock: Gives seconds that only grow.
            sleep: Waits for seconds.

        Raises:
            UsageError: A key is missing, or a price while there is a budget.
            OutputExists: ``record`` is in the way, or being written by another game.
            CannotWrite: ``record`` cannot be written.
            BadTranscript: The file to read is no calls file.
        """
        self.endpoints = tuple(dict.fromkeys(endpoints))
        self._budget = budget or Budget(None)
        strict = replay is not None
        if not strict and providers is None:
            for endpoint in self.endpoints:
                key_of(endpoint)
        self._costs = Costs(self.endpoints, prices or Prices.load(), Budget(None) if strict else self._budget)
        self._file = None if record is None or strict else CallsFile(record, resume=resume, force=force)
        before = Calls.load(replay) if replay is not None else self._file.calls if self._file else Calls()
        self.repaired = before.torn
        """Bytes of a torn last line that were left out."""
        self._answers = Answers(
            before.entries.values(), replay or record, strict=strict, settled=settled, forgotten=before.forgotten
        )
        self._blocks, self._prefixes = Blocks(), Prefixes()
        self._take_up(before)
        self._providers = dict(providers or {})
        if not strict:
            for endpoint in self.endpoints:
                if endpoint not in self._providers:
                    self._providers[endpoint] = provider_for(endpoint, timeouts)
        self._sending = Sending(
            self._providers,
            self._costs,
            self._budget,
            Ladder(known or Known(on_disk=providers is None)),
            policy=policy or Policy(),
            patience=patience,
            seed=seed,
            clock=clock,
            sleep=sleep,
        )

    def _take_up(self, before: Calls) -> None:
        for entry in (*before.forgotten, *before.entries.values()):
            self._budget.restore(entry.cost or Decimal(0))
            system, turns = before.prompt(entry)
            form = before.texts.get(entry.request.schema, "")
            self._prefixes.measure(entry.endpoint, [form, *system, *(f"{role}\n{text}" for role, text in turns)])

    async def ask(self, endpoint: Endpoint, call: Call) -> Completion:
        """The answer to a call: as recorded, else from its server.

        Raises:
            ProviderFault: This call brought no answer; the seat's default is taken.
            OutOfTime: The recorded call had come to the table's deadline.
            Suspended: The game cannot go on now: BudgetSpent, Unreachable, OtherRequest, a wrong key or model.
        """
        request, texts = self._blocks.of(call)
        got = self._answers.get(call.id, request)
        if got is not None:
            return got
        if endpoint not in self._providers:
            raise DiplomatError(f"{endpoint.name} is no model of this game")
        prefix = self._prefixes.measure(endpoint.name, pieces_of(call))
        spending = Spending()

        def ended(status: Status, got: Completion | None = None, fault: ProviderFault | None = None) -> None:
            self._write(endpoint, call, request, texts, prefix, spending, status, got, fault)

        try:
            got = _without_keys(await self._sending.send(endpoint, call, spending))
        except ProviderFault as fault:
            ended("failed", fault=fault)
            raise
        except asyncio.CancelledError as cancelled:
            if cancelled.args[:1] == (DEADLINE,):
                ended("expired")
            elif spending.cost:
                ended("failed", fault=ProviderFault("connection", "the game was stopped while this call was under way"))
            raise
        except Suspended as stopped:
            if spending.cost:  # attempts before it were paid for; resumed, the call is made anew and this one counted
                ended("failed", fault=ProviderFault("connection", str(stopped)))
            raise
        ended("done", got)
        return got

    def _write(
        self,
        endpoint: Endpoint,
        call: Call,
        request: Fingerprint,
        texts: dict[str, str],
        prefix: tuple[int, int],
        spending: Spending,
        status: Status,
        got: Completion | None,
        fault: ProviderFault | None,
    ) -> None:
        entry = Entry(
            id=call.id,
            seat=call.seat,
            purpose=call.purpose,
            endpoint=endpoint.name,
            request=request,
            status=status,
            completion=got,
            fault=fault.kind if fault else None,
            fault_text=str(fault) if fault else "",
            cost=None if self._costs.price(endpoint) is None else spending.cost,
            estimated=spending.estimated,
            latency=spending.latency,
            attempts=tuple(spending.attempts),
            prefix=prefix,
            at=datetime.now(UTC).isoformat(timespec="milliseconds"),
        )
        self._answers.add(entry)
        if self._file is not None:
            self._file.write(entry, texts)

    def save(self) -> None:
        """Makes the calls so far outlast a power cut; before a log does that which rests on them."""
        if self._file is not None:
            self._file.save()

    def totals(self) -> tuple[Tally, ...]:
        """Sums per seat and purpose over the whole game, earlier parts of it included."""
        return tallies(self._answers.all())

    @property
    def spent(self) -> Decimal:
        """USD that the whole game has cost so far, as far as prices are known."""
        return self._budget.spent

    @property
    def unpriced(self) -> tuple[Endpoint, ...]:
        """Models whose cost is not known."""
        return self._costs.unpriced

    async def close(self) -> None:
        """Lets go of connections and file; may be called twice."""
        try:
            for provider in self._providers.values():
                await provider.close()
        finally:
            if self._file is not None:
                self._file.close()

    async def __aenter__(self) -> Desk:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()


def _without_keys(got: Completion) -> Completion:
    """A reply in which no key that is in use stands, whatever its server echoes; nobody gets to see another one."""
    return replace(
        got,
        text=without_keys(got.text),
        thinking=without_keys(got.thinking),
        provider_id=without_keys(got.provider_id),
    )
