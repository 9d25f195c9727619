"""Who gave whose word for what, from the pledges of messages, and what became of it.

A fold over events: given one seat's permitted events it is what that seat can know; given the
whole log it is the truth.  A promise commits at once, an offer when it is accepted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from diplomat.core.audience import Seat
from diplomat.core.events import Event
from diplomat.core.pledges import Goal, Pledge
from diplomat.core.proceedings import MessageSent
from diplomat.games.rokugan import events as ev
from diplomat.games.rokugan.deeds import Deed, deeds
from diplomat.games.rokugan.verbs import VERBS, judge


@dataclass(slots=True)
class Commitment:
    """A goal that a seat gave its word for."""

    message: str
    """The message that gave it: the promise itself, or the offer that was accepted."""
    debtor: Seat
    creditors: tuple[Seat, ...]
    """Who was told; empty: everybody."""
    goal: Goal
    made: int
    """Round in which it was given."""
    mutual: bool = False
    """Whether the creditors gave their word in return."""
    status: str = "pending"
    """``pending``, ``kept``, ``broken``, ``excused`` (the other side broke first) or ``withdrawn``."""
    settled: int = 0
    """Round in which it stopped pending."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A pledge that waits for an answer."""

    message: str
    sender: Seat
    to: tuple[Seat, ...]
    pledge: Pledge
    round: int


@dataclass(slots=True)
class Commitments:
    """All commitments and open offers that the events so far show."""

    seats: tuple[Seat, ...]
    made: list[Commitment] = field(default_factory=list)
    offers: dict[str, Offer] = field(default_factory=dict)
    answered: dict[str, str] = field(default_factory=dict)
    """Offers that were answered: ``accept``, ``refuse`` or ``counter``."""
    owners: dict[str, Seat] = field(default_factory=dict)
    done: list[Deed] = field(default_factory=list)
    fresh: list[Deed] = field(default_factory=list)
    """Deeds of the last resolution."""
    round: int = 0

    def hear(self, event: Event) -> None:
        """Takes one event in."""
        step = _STEPS.get(type(event))
        if step is not None:
            step(self, event)

    def _heard(self, event: MessageSent) -> None:
        for pledge in event.pledges:
            self.pledge(event, pledge)

    def _began(self, event: ev.RoundBegan) -> None:
        self.round = event.round

    def _placed(self, event: ev.ControlPlaced) -> None:
        self.owners[event.province] = event.seat

    def _turned_up(self, event: ev.TokensTurnedUp) -> None:
        self.fresh = list(deeds(self.owners, event))
        self.done += self.fresh

    def _scorched(self, event: ev.ProvinceScorched) -> None:
        self.owners.pop(event.province, None)

    def _fought(self, event: ev.BattleFought) -> None:
        if event.winner is not None:
            self.owners[event.province] = event.winner

    def pledge(self, message: MessageSent, pledge: Pledge) -> None:
        """Takes one speech act in; also used for what was read from plain sentences."""
        to = tuple(seat for seat in self.seats if seat in message.to)
        if pledge.act == "promise":
            for goal in pledge.goals:
                self._commit(message.id, message.sender, to, goal, mutual=bool(pledge.given))
        elif pledge.act in ("offer", "ask", "counter"):
            self.offers[message.id] = Offer(message.id, message.sender, to, pledge, self.round)
            if pledge.ref is not None:
                self.answered[pledge.ref] = "counter"
        elif pledge.act in ("accept", "refuse") and pledge.ref is not None:
            self._answer(message.sender, pledge)
        elif pledge.act == "withdraw" and pledge.ref is not None:
            self._withdraw(message.sender, pledge.ref)

    def _answer(self, sender: Seat, pledge: Pledge) -> None:
        offer = self.offers.get(str(pledge.ref))
        if offer is None or sender == offer.sender or (offer.to and sender not in offer.to):
            return
        self.answered.setdefault(offer.message, pledge.act)
        if pledge.act != "accept":
            return
        mutual = bool(offer.pledge.goals and offer.pledge.given)
        for goal in offer.pledge.goals:
            self._commit(offer.message, offer.sender, (sender,), goal, mutual=mutual)
        for goal in offer.pledge.given:
            if goal.by == sender:
                self._commit(offer.message, sender, (offer.sender,), goal, mutual=mutual)

    def _commit(self, message: str, debtor: Seat, creditors: tuple[Seat, ...], goal: Goal, *, mutual: bool) -> None:
        """One more word given; the same goal to the same seats is the same promise, mentioned again."""
        for old in self.made:
            same = old.debtor == debtor and old.creditors == creditors and old.goal.verb == goal.verb
            if same and old.goal.args == goal.args and old.status == "pending" and old.goal.last >= goal.first:
                old.goal = Goal(goal.verb, debtor, old.goal.first, max(old.goal.last, goal.last), goal.args)
                old.mutual = old.mutual or mutual
                return
        self.made.append(Commitment(message, debtor, creditors, goal, self.round, mutual))

    def _withdraw(self, debtor: Seat, ref: str) -> None:
        for one in self.made:
            if one.debtor == debtor and one.message == ref and one.status == "pending":
                one.status, one.settled = "withdrawn", self.round

    def _settle(self, event: ev.MapCleared) -> None:
        """Judges what can be judged now; a breach by the other side before frees a mutual promise."""
        closed = event.round
        for one in self.made:
            if one.status != "pending":
                continue
            verdict = judge(one.goal, self.done, closed)
            if verdict == "broken" and one.mutual and self._betrayed_before(one, closed):
                one.status, one.settled = "excused", closed
            elif verdict != "pending":
                one.status, one.settled = verdict, closed

    def _betrayed_before(self, one: Commitment, closed: int) -> bool:
        return any(
            other.status == "broken"
            and other.settled < closed
            and other.debtor in one.creditors
            and one.debtor in other.creditors
            for other in self.made
        )

    def live(self, debtor: Seat, creditor: Seat | None = None) -> list[Commitment]:
        """Pending commitments of a seat, to one creditor or to anybody."""
        return [
            one
            for one in self.made
            if one.debtor == debtor
            and one.status == "pending"
            and (creditor is None or not one.creditors or creditor in one.creditors)
        ]

    def breaches(self, one: Commitment) -> tuple[str, ...]:
        """Tokens of the round that broke a promise; none if it was broken by leaving something undone."""
        mine = (deed for deed in self.done if deed.seat == one.debtor and deed.round == one.settled)
        return tuple(deed.token for deed in mine if is_deed_forbidden(one.goal, deed))

    def record(self, debtor: Seat) -> tuple[int, int]:
        """How many of a seat's commitments were kept and how many broken."""
        statuses = [one.status for one in self.made if one.debtor == debtor]
        return statuses.count("kept"), statuses.count("broken")


_STEPS: Mapping[type[Event], Callable[[Commitments, Any], None]] = {
    MessageSent: Commitments._heard,
    ev.RoundBegan: Commitments._began,
    ev.ControlPlaced: Commitments._placed,
    ev.TokensTurnedUp: Commitments._turned_up,
    ev.ProvinceScorched: Commitments._scorched,
    ev.BattleFought: Commitments._fought,
    ev.MapCleared: Commitments._settle,
}


def is_deed_forbidden(goal: Goal, deed: Deed) -> bool:
    """Whether a deed would break a goal that leaves something undone."""
    verb = VERBS[goal.verb]
    return verb.mode == "never" and goal.first <= deed.round <= goal.last and verb.match(deed, goal.args)
