"""Messages, the promises in them with what became of each, and the plans sealed with them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol, runtime_checkable

from diplomat.core.audience import Seat
from diplomat.core.pledges import Commitment, Goal, Ledger, Plan, Pledge
from diplomat.core.proceedings import MessageSent, PlanSealed
from diplomat.core.talk import EVERYONE, clean
from diplomat.report.parts import Meant, Promise, Speech, Word
from diplomat.report.words import Wording
from diplomat.transcript.schema import Line

GIVING = frozenset({"promise", "offer", "counter"})
"""Acts whose goals may become a word given."""
_UNMADE = {"refuse": "refused", "counter": "countered"}
"""What became of an offer that made no commitment, by the answer to it."""


@runtime_checkable
class Explaining(Protocol):
    """A ledger that knows which tokens broke a promise."""

    def breaches(self, one: Commitment) -> tuple[str, ...]:
        """Ids of the tokens; none if the promise was broken by doing nothing."""


class Archive:
    """All messages and plans of a log by id, and the ledger after its last event."""

    def __init__(self, lines: Iterable[Line], seats: tuple[Seat, ...], wording: Wording) -> None:
        self._wording = wording
        self._seats = seats
        self.numbers: dict[str, int] = {}
        self._senders: dict[str, Seat] = {}
        self.ledger: Ledger = wording.game.pledges.ledger(seats)
        self._plans: dict[str, tuple[int, PlanSealed]] = {}
        for line in lines:
            self.ledger.hear(line.event)
            if isinstance(line.event, MessageSent):
                self.numbers[line.event.id] = line.n
                self._senders[line.event.id] = line.event.sender
            elif isinstance(line.event, PlanSealed):
                self._plans.update(dict.fromkeys(line.event.messages, (line.n, line.event)))

    def speech(self, n: int, message: MessageSent) -> Speech:
        """A message ready for the page."""
        to = () if tuple(message.to) == (EVERYONE,) else tuple(Seat(seat) for seat in message.to)
        promises = [self._promise(message, pledge) for pledge in message.pledges]
        sealed = self._plans.get(message.id)
        meant = self.meant(sealed[0], sealed[1].plan) if sealed else None
        return Speech(n, clean(message.id), message.sender, to, clean(message.text), promises, meant)

    def meant(self, n: int, plan: Plan) -> Meant:
        """A plan ready for the page."""
        keep = [(*self._reference(name), clean(str(answer))) for name, answer in plan.keep.items()]
        return Meant(n, [self._wording.goal(goal) for goal in plan.goals], keep, clean(plan.text))

    def _reference(self, message: str) -> tuple[str, int]:
        """How a message is referred to: its sender and event number, or its id if it is nowhere in the log."""
        if message not in self.numbers:
            return clean(message), 0
        n, sender = self.numbers[message], self._senders[message]
        return f"{self._wording.names.get(sender, sender)} #n{n}", n

    def _promise(self, message: MessageSent, pledge: Pledge) -> Promise:
        goals = [self._word(message, pledge, goal) for goal in pledge.goals]
        given = [self._answered(message, goal) for goal in pledge.given]
        ref = None if pledge.ref is None else self._reference(pledge.ref)
        return Promise(pledge.act, goals, given, ref)

    def _word(self, message: MessageSent, pledge: Pledge, goal: Goal) -> Word:
        """A goal with what became of it: the status of its commitment, or that nobody took the offer."""
        said = self._wording.goal(goal)
        if pledge.act not in GIVING:
            return Word(said, "")
        same = [one for one in self.ledger.made if _is(one, goal) and self._heard(one, message)]
        if pledge.act != "promise":
            same = [one for one in same if one.message == message.id]
        if not same:
            answer = self.ledger.answered.get(message.id, "")
            return Word(said, "" if pledge.act == "promise" else _UNMADE.get(answer, "untaken"))
        exact = [one for one in same if one.message == message.id]
        return self._judged(said, (exact or same)[0])

    def _answered(self, message: MessageSent, goal: Goal) -> Word:
        """A goal that the message wants from others, with what became of it if they gave their word."""
        said = self._wording.goal(goal)
        same = [one for one in self.ledger.made if one.message == message.id and _is(one, goal)]
        return self._judged(said, same[0]) if same else Word(said, "")

    def _judged(self, said: str, one: Commitment) -> Word:
        if one.status == "broken" and isinstance(self.ledger, Explaining):
            return Word(said, one.status, self.ledger.breaches(one))
        return Word(said, one.status)

    def _heard(self, one: Commitment, message: MessageSent) -> bool:
        """Whether the word was given to (some of) those who got the message."""
        if tuple(message.to) == (EVERYONE,) or not one.creditors:
            return True
        return any(seat in message.to for seat in one.creditors)


def _is(one: Commitment, goal: Goal) -> bool:
    """Whether a commitment covers a goal; a promise given twice is kept as one with the longer span."""
    kept = one.goal
    return (
        one.debtor == goal.by
        and kept.verb == goal.verb
        and dict(kept.args) == dict(goal.args)
        and kept.first <= goal.last
        and goal.first <= kept.last
    )
