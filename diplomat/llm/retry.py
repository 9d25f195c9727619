"""The one policy of trying again: only what may pass, bounded in number and time."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from diplomat.core.dice import Die
from diplomat.llm.base import Completion, ProviderFault

if TYPE_CHECKING:
    from tenacity import RetryCallState

Sleep = Callable[[float], Awaitable[None]]
Clock = Callable[[], float]


@dataclass(frozen=True, slots=True)
class Policy:
    """How often and how long one call is tried; seconds."""

    attempts: int = 5
    total: float = 90.0
    """No attempt begins later than this after the first."""
    first: float = 1.0
    """The longest first wait; it doubles from attempt to attempt."""
    most: float = 30.0
    """The longest wait, even if the server asks for more."""

    def wait(self, fault: ProviderFault, attempt: int, die: Die) -> float:
        """Seconds until the next attempt: what the server asks for, else doubling, never in step with others."""
        doubled: float = min(self.most, self.first * 2.0 ** min(attempt - 1, 30))
        if fault.retry_after is not None:
            return min(self.most, fault.retry_after + die.fraction() * min(1.0, self.first))
        return doubled * (0.5 + 0.5 * die.fraction())


@dataclass(frozen=True, slots=True)
class Attempt:
    """An attempt that failed in passing, and the seconds waited after it."""

    fault: str
    waited: float


async def persist(
    attempt: Callable[[], Awaitable[Completion]],
    *,
    policy: Policy,
    die: Die,
    failed: Callable[[ProviderFault], None] | None = None,
    log: list[Attempt] | None = None,
    sleep: Sleep = asyncio.sleep,
    clock: Clock = time.monotonic,
) -> Completion:
    """Tries until it works; the last ProviderFault when the policy says that it is enough.

    ``failed`` hears every fault and may raise to stop; ``log`` gets every attempt that failed.
    """
    from tenacity import AsyncRetrying, retry_if_exception

    started = clock()
    noted: list[Attempt] = log if log is not None else []

    def enough(state: RetryCallState) -> bool:
        return state.attempt_number >= policy.attempts or clock() - started + state.upcoming_sleep > policy.total

    def wait(state: RetryCallState) -> float:
        return policy.wait(_fault(state), state.attempt_number, die)

    def hear(state: RetryCallState) -> None:
        if state.outcome is not None and state.outcome.failed and isinstance(state.outcome.exception(), ProviderFault):
            noted.append(Attempt(_fault(state).kind, 0.0))
            if failed is not None:
                failed(_fault(state))

    def resting(state: RetryCallState) -> None:
        noted[-1] = Attempt(noted[-1].fault, round(state.upcoming_sleep, 3))

    retrying = AsyncRetrying(
        sleep=sleep,
        stop=enough,
        wait=wait,
        retry=retry_if_exception(lambda fault: isinstance(fault, ProviderFault) and fault.passing),
        after=hear,
        before_sleep=resting,
        reraise=True,
    )
    return await retrying(attempt)


def _fault(state: RetryCallState) -> ProviderFault:
    fault = state.outcome.exception() if state.outcome is not None else None
    assert isinstance(fault, ProviderFault)
    return fault
