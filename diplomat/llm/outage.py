"""Which endpoints have fallen silent, so that a dead one is not asked over and over and a dead net stops the game."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass

from diplomat.llm.base import ProviderFault
from diplomat.llm.names import Endpoint
from diplomat.llm.retry import Clock

FIRST_PAUSE = 10.0
"""Seconds that a dead endpoint is left alone at first; they double."""
MOST_PAUSE = 60.0


@dataclass(slots=True)
class _Health:
    answered: float
    """When it last answered; the start of the game if it never did."""
    running: int = 0
    """Calls under way."""
    ailing: bool = False
    """Whether the last attempt failed in passing."""
    fault: ProviderFault | None = None
    """What its retries ended in; None while it is asked normally."""
    gave_up: float = 0.0
    pause: float = 0.0
    until: float = 0.0
    looking: bool = False
    """Whether a call is on its way that looks if it is back."""


class Outage:
    """The health of all endpoints of one game."""

    def __init__(self, endpoints: Iterable[Endpoint], patience: float, clock: Clock = time.monotonic) -> None:
        """``patience``: seconds of silence after which an endpoint that nobody asks says nothing about the net."""
        self._health = {endpoint: _Health(clock()) for endpoint in endpoints}
        self._patience = patience
        self._clock = clock
        self._since: float | None = None
        self._answered = clock()

    @property
    def total(self) -> bool:
        """Whether no endpoint of the game works, as far as one can tell."""
        now = self._clock()
        return all(
            health.ailing or (not health.running and now - health.answered > self._patience)
            for health in self._health.values()
        )

    @property
    def lasted(self) -> float:
        """Seconds since the first fault after which nobody has answered; 0 while somebody does."""
        return 0.0 if self._since is None else self._clock() - self._since

    def began(self, endpoint: Endpoint) -> None:
        """A call is under way."""
        self._health[endpoint].running += 1

    def ended(self, endpoint: Endpoint) -> None:
        """It is over, whatever came of it."""
        self._health[endpoint].running -= 1

    def answered(self, endpoint: Endpoint) -> None:
        """An endpoint is well, or at least there."""
        self._answered = self._clock()
        self._health[endpoint] = _Health(self._answered, self._health[endpoint].running)
        self._since = None

    def failed(self, endpoint: Endpoint) -> None:
        """An attempt failed in passing."""
        self._health[endpoint].ailing = True
        if self._since is None:
            self._since = self._clock()

    def gave_up(self, endpoint: Endpoint, fault: ProviderFault) -> None:
        """All attempts of a call failed: the endpoint is left alone for a while."""
        health = self._health[endpoint]
        if health.fault is not None and not health.looking and health.until > self._clock():
            return  # calls that ran beside each other fail together, and count once
        health.fault, health.looking = fault, False
        health.gave_up = self._clock()
        health.pause = min(MOST_PAUSE, health.pause * 2 or FIRST_PAUSE)
        health.until = health.gave_up + health.pause

    def dead(self, endpoint: Endpoint) -> ProviderFault | None:
        """The fault to fail with at once; None if it may be asked.

        Only an endpoint that is dead while others answer is left alone; without their answers it may
        be the net.  When the pause is over, one call goes through to see, and the others go on failing.
        """
        health = self._health[endpoint]
        if health.fault is None or self._alone(health):
            return None
        left = health.until - self._clock()
        if left <= 0:
            # Should that call be cancelled, another one looks after the longest pause.
            health.looking, health.until = True, self._clock() + MOST_PAUSE
            return None
        text = f"not asked, since it has just failed again and again ({health.fault}); next look in {left:.0f} s"
        return ProviderFault(health.fault.kind, text)

    def only_looks(self, endpoint: Endpoint) -> bool:
        """Whether a call that may be made only looks if a dead endpoint is back, so that one attempt is enough."""
        health = self._health[endpoint]
        return health.fault is not None and not self._alone(health)

    def _alone(self, health: _Health) -> bool:
        """Whether nobody else has answered since it was given up."""
        return self._answered <= health.gave_up
