"""Sends one call: budget, limiter, retries, ladder, provider; and waits out an outage."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal

from diplomat.core.dice import Dice
from diplomat.core.errors import Suspended, Unreachable
from diplomat.llm.base import Call, Completion, Provider, ProviderFault
from diplomat.llm.budget import Budget
from diplomat.llm.ladder import Ladder
from diplomat.llm.limiter import limiter_for
from diplomat.llm.names import Endpoint
from diplomat.llm.outage import Outage
from diplomat.llm.pricing import Costs
from diplomat.llm.retry import Attempt, Clock, Policy, Sleep, persist

LOOK = Policy(attempts=1)
"""For a call that only looks whether a dead endpoint is back."""


@dataclass(slots=True)
class Spending:
    """What came of a call besides its answer; filled in as it goes, so that it holds whenever the call is stopped."""

    attempts: list[Attempt] = field(default_factory=list)
    cost: Decimal = Decimal(0)
    estimated: bool = False
    latency: float = 0.0


class Sending:
    """The way out to the servers, for one game."""

    def __init__(
        self,
        providers: Mapping[Endpoint, Provider],
        costs: Costs,
        budget: Budget,
        ladder: Ladder,
        *,
        policy: Policy,
        patience: float,
        seed: str,
        clock: Clock = time.monotonic,
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        self._providers = providers
        self._costs, self._budget, self._ladder = costs, budget, ladder
        self._policy, self._patience = policy, patience
        self._dice = Dice(seed)
        self._clock, self._sleep = clock, sleep
        self._outage = Outage(providers, patience, clock)

    async def send(self, endpoint: Endpoint, call: Call, spending: Spending) -> Completion:
        """The answer; ProviderFault when there is none for this call, Suspended when there is none for the game."""
        self._outage.began(endpoint)
        try:
            return await self._insist(endpoint, call, spending)
        finally:
            self._outage.ended(endpoint)

    async def _insist(self, endpoint: Endpoint, call: Call, spending: Spending) -> Completion:
        most = self._costs.most(endpoint, call)
        die = self._dice.die(f"wait/{call.id}")

        async def attempt() -> Completion:
            return await self._attempt(endpoint, call, most, spending)

        def failed(fault: ProviderFault) -> None:
            if fault.passing:
                self._outage.failed(endpoint)
                self._check_patience(fault)

        while True:
            dead = None if self._outage.total else self._outage.dead(endpoint)
            if dead is not None:
                raise dead
            policy = LOOK if self._outage.only_looks(endpoint) else self._policy
            try:
                got = await persist(
                    attempt,
                    policy=policy,
                    die=die,
                    failed=failed,
                    log=spending.attempts,
                    sleep=self._sleep,
                    clock=self._clock,
                )
            except ProviderFault as fault:
                if not fault.passing:
                    raise self._final(endpoint, fault) from None
                self._outage.gave_up(endpoint, fault)
                if not self._outage.total:
                    raise
                # Nobody answers: the game waits, since a default for every seat would be a game of its own.
                await self._sleep(self._policy.wait(fault, self._policy.attempts, die))
                continue
            self._outage.answered(endpoint)
            return got

    def _check_patience(self, fault: ProviderFault) -> None:
        if self._outage.total and self._outage.lasted >= self._patience:
            raise Unreachable(
                f"no model of this game has answered for {self._outage.lasted:.0f} s; "
                f"resume it when they do. The last fault: {fault}"
            ) from None

    def _final(self, endpoint: Endpoint, fault: ProviderFault) -> Exception:
        """What a fault that will not pass means: for this call, or for the game until somebody sees to it."""
        if fault.kind in {"denied", "unknown_model"}:
            todo = "set the right key" if fault.kind == "denied" else "name a model that the server has"
            return Suspended(f"{endpoint.name} cannot be used: {fault}; {todo}, then resume the game")
        self._outage.answered(endpoint)
        return fault

    async def _attempt(self, endpoint: Endpoint, call: Call, most: Decimal, spending: Spending) -> Completion:
        limiter = limiter_for(endpoint.provider)
        reservation = await self._budget.reserve(most)
        # Until something better is known, an attempt that was under way has cost all that it may.
        cost, estimated = Decimal(0), False
        try:
            async with limiter.slot() as slot:
                started = self._clock()
                cost, estimated = most, most > 0
                try:
                    got = await self._ladder.ask(self._providers[endpoint], endpoint, call)
                except ProviderFault as fault:
                    if fault.kind == "rate":
                        limiter.refused(slot)
                    if not fault.billed:
                        cost, estimated = Decimal(0), False
                    raise
                finally:
                    spending.latency = self._clock() - started
                limiter.succeeded()
            known = self._costs.of(endpoint, got.usage)
            cost, estimated = (cost, estimated) if known is None else (known, False)
            return got
        finally:
            spending.cost += cost
            spending.estimated = spending.estimated or estimated
            self._budget.settle(reservation, cost)
