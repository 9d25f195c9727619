"""The hard limit of what a game may cost, held before each call and not after it."""

from __future__ import annotations

import asyncio
from collections import deque
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from diplomat.core.errors import BudgetSpent, UsageError


@dataclass(slots=True, eq=False)
class Reservation:
    """Money put aside for a call that is under way."""

    amount: Decimal
    settled: bool = False


class Budget:
    """One game's money in USD, exact; spent and put aside together are never above the limit."""

    def __init__(self, limit_usd: Decimal | str | float | None = None) -> None:
        """None for no limit; UsageError for what is no amount of money."""
        self.limit = None if limit_usd is None else amount_of(limit_usd)
        self._spent = Decimal(0)
        self._held = Decimal(0)
        self._out = 0
        self._waiting: deque[tuple[Decimal, asyncio.Future[Reservation]]] = deque()

    @property
    def spent(self) -> Decimal:
        """USD that are gone."""
        return self._spent

    @property
    def held(self) -> Decimal:
        """USD put aside for calls that are under way."""
        return self._held

    def restore(self, spent: Decimal) -> None:
        """Counts what an earlier part of the game has cost."""
        self._spent += spent

    async def reserve(self, most: Decimal) -> Reservation:
        """Puts aside what a call costs at worst, first come, first served.

        Waits while calls under way may leave enough; BudgetSpent when they cannot.
        """
        if self._fits(most) and not self._waiting:
            return self._hold(most)
        if self._hopeless(most):
            raise self._error(most)
        place: asyncio.Future[Reservation] = asyncio.get_running_loop().create_future()
        self._waiting.append((most, place))
        try:
            return await place
        except asyncio.CancelledError:
            if place.done() and not place.cancelled() and place.exception() is None:
                self.settle(place.result(), Decimal(0))
            else:
                self._waiting = deque(entry for entry in self._waiting if entry[1] is not place)
                self._serve()
            raise

    def settle(self, reservation: Reservation, cost: Decimal) -> None:
        """Books what the call has cost and frees the rest; a second time does nothing."""
        if reservation.settled:
            return
        reservation.settled = True
        self._held -= reservation.amount
        self._out -= 1
        self._spent += cost
        self._serve()

    def _fits(self, most: Decimal) -> bool:
        return self.limit is None or self._spent + self._held + most <= self.limit

    def _hopeless(self, most: Decimal) -> bool:
        """Whether it would not even fit if all calls under way turned out to be free."""
        return self.limit is not None and self._spent + most > self.limit

    def _hold(self, most: Decimal) -> Reservation:
        self._held += most
        self._out += 1
        return Reservation(most)

    def _serve(self) -> None:
        while self._waiting:
            most, place = self._waiting[0]
            if place.done():
                self._waiting.popleft()
            elif self._fits(most):
                self._waiting.popleft()
                place.set_result(self._hold(most))
            elif self._hopeless(most):
                self._waiting.popleft()
                place.set_exception(self._error(most))
            else:
                return

    def _error(self, most: Decimal) -> BudgetSpent:
        return BudgetSpent(
            f"the budget of {shown(self.limit or Decimal(0))} USD does not cover the next call: "
            f"{shown(self._spent)} are spent, and it may cost {shown(most)}; resume the game with a higher --budget"
        )


def amount_of(value: Decimal | str | float) -> Decimal:
    """An amount of USD as people write it; UsageError if it is none.

    >>> amount_of("1.50")
    Decimal('1.50')
    """
    try:
        amount = Decimal(str(value).strip().removeprefix("$"))
    except InvalidOperation:
        raise UsageError(f"a budget of {value!r} is no amount of USD; write it like 2.50") from None
    if not amount.is_finite() or amount < 0:
        raise UsageError(f"a budget of {value} is no amount of USD; it must be 0 or more") from None
    return amount


def shown(amount: Decimal) -> str:
    """An amount for people: four digits after the point, never rounded to nothing.

    >>> shown(Decimal("0.00000012")), shown(Decimal("2.5"))
    ('0.00000012', '2.5000')
    """
    rounded = amount.quantize(Decimal("0.0001"))
    return f"{amount.normalize():f}" if amount and not rounded else f"{rounded}"
