"""Who gave whose word for what, from the pledges of messages, and what became of it.

A fold over events: given one seat's permitted events it is what that seat can know; given the
whole log it is the truth.  A promise commits at once, an offer when it is accepted; either speaks
only of rounds that are not over when the word is given.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from diplomat.core.audience import Seat
from diplomat.core.events import Event
from diplomat.core.pledges import Goal, Pledge
from diplomat.core.proceedings import MessageSent
from diplomat.core.talk import EVERYONE
from diplomat.games.rokugan import events as ev
from diplomat.games.rokugan.deeds import Deed, deeds
from diplomat.games.rokugan.verbs import VERBS, judge, when


@dataclass(slots=True)
class Commitment:
    """A goal that a seat gave its word for."""

    message: str
    """The message that gave it: the promise itself, or the offer that was accepted."""
    debtor: Seat
    creditors: tuple[Seat, ...]
    """Who was told; empty: everybody."""
    goal: Goal
    """Its rounds begin no earlier than the word was given, and end before those for which it was taken back."""
    made: int
    """Round in which it was given."""
    mutual: bool = False
    """Whether the creditors gave their word in return."""
    given: tuple[Goal, ...] = ()
    """The condition of a promise."""
    status: str = "pending"
    """``pending``, ``kept``, ``broken``, ``excused`` (the other side broke first), ``void`` (its condition
    was not met) or ``withdrawn``."""
    settled: int = 0
    """Round in which it stopped pending."""
    withdrawn: bool = False
    """Whether it ended, taken back by either side of an agreement, before the rounds after those of :attr:`goal`."""

    def owes(self, seat: Seat) -> bool:
        """Whether the word was given to that seat, alone, among others or with everybody."""
        return seat != self.debtor and (not self.creditors or seat in self.creditors)


@dataclass(frozen=True, slots=True)
class Offer:
    """What one message offers or asks for; it waits for an answer."""

    message: str
    sender: Seat
    to: tuple[Seat, ...]
    """Whom it asks; empty: everybody."""
    pledges: tuple[Pledge, ...]
    round: int

    @property
    def pledge(self) -> Pledge:
        """All its pledges as one: whoever accepts the message accepts them together."""
        first = self.pledges[0]
        goals = tuple(goal for pledge in self.pledges for goal in pledge.goals)
        return Pledge(first.act, goals, tuple(goal for pledge in self.pledges for goal in pledge.given), first.ref)


@dataclass(slots=True)
class Commitments:
    """All commitments and open offers that the events so far show."""

    seats: tuple[Seat, ...]
    made: list[Commitment] = field(default_factory=list)
    offers: dict[str, Offer] = field(default_factory=dict)
    answered: dict[str, str] = field(default_factory=dict)
    """Offers that were answered: ``accept`` if anybody did, else the first ``refuse``, ``counter`` or the
    sender's own ``withdraw``."""
    replied: set[tuple[str, Seat]] = field(default_factory=set)
    """Offers and the seats that cannot answer them any more."""
    owners: dict[str, Seat] = field(default_factory=dict)
    done: list[Deed] = field(default_factory=list)
    fresh: list[Deed] = field(default_factory=list)
    """Deeds of the last resolution."""
    round: int = 0
    placing: int = 0
    """The last round whose placement has begun."""
    closed: int = 0
    """The last round that is over."""

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

    def _placement(self, event: ev.PlacementBegan) -> None:
        self.placing = event.round

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
                self._commit(Commitment(message.id, message.sender, to, goal, self.round, given=pledge.given))
        elif pledge.act in ("offer", "ask", "counter"):
            if pledge.ref is not None:
                self._answer(message.sender, pledge.ref, "counter")
            before = self.offers.get(message.id)
            pledges = (*before.pledges, pledge) if before else (pledge,)
            self.offers[message.id] = Offer(message.id, message.sender, to, pledges, self.round)
        elif pledge.act in ("accept", "refuse") and pledge.ref is not None:
            self._answer(message.sender, pledge.ref, pledge.act)
        elif pledge.act == "withdraw" and pledge.ref is not None:
            self._withdraw(message, pledge.ref)

    def _answer(self, sender: Seat, ref: str, act: str) -> None:
        """One seat's only answer to an offer; too late if no part of the offer can be kept in full any more."""
        offer = self.offers.get(ref)
        if offer is None or sender == offer.sender or (offer.to and sender not in offer.to):
            return
        standing = [one for one in offer.pledges if not any(self._over(goal) for goal in (*one.goals, *one.given))]
        if not standing or (ref, sender) in self.replied:
            return
        self.replied.add((ref, sender))
        if act != "accept":
            self.answered.setdefault(ref, act)
            return
        self.answered[ref] = act
        for pledge in standing:
            mutual = bool(pledge.goals and pledge.given)
            for goal in pledge.goals:
                self._commit(Commitment(ref, offer.sender, (sender,), goal, self.round, mutual))
            for goal in pledge.given:
                if goal.by == sender:
                    self._commit(Commitment(ref, sender, (offer.sender,), goal, self.round, mutual))

    def _over(self, goal: Goal) -> bool:
        return goal.last < self._now

    @property
    def _now(self) -> int:
        """The first round that is not over."""
        return max(self.round, self.closed + 1)

    def _commit(self, new: Commitment) -> None:
        """One more word given; the same goal to the same seats is the same promise, mentioned again."""
        if self._over(new.goal):
            return
        new.goal = self._from_now(new.goal)
        new.given = tuple(self._from_now(goal) for goal in new.given)
        for old in self.made:
            if _alike(old, new) and (goal := _joined(old.goal, new.goal)) is not None:
                old.goal, old.mutual = goal, old.mutual or new.mutual
                return
        self.made.append(new)

    def _from_now(self, goal: Goal) -> Goal:
        """A goal without the rounds that were over when it was spoken of."""
        return replace(goal, first=max(goal.first, self._now))

    def _withdraw(self, message: MessageSent, ref: str) -> None:
        """Takes a word back before those who have it, for the rounds whose placement is still to come.

        Who takes back its half of an agreement frees the other side of theirs.
        """
        offer = self.offers.get(ref)
        if offer is not None and offer.sender == message.sender and _reaches(message, offer.to):
            self.answered.setdefault(ref, "withdraw")
            self.replied.update((ref, seat) for seat in self.seats)
        start = max(self._now, self.placing + 1)
        for one in self.made:
            if one.message != ref or one.status != "pending":
                continue
            mine = one.debtor == message.sender and _reaches(message, one.creditors)
            theirs = one.mutual and one.creditors == (message.sender,) and _reaches(message, (one.debtor,))
            if not (mine or theirs):
                continue
            if start <= one.goal.first:
                one.status, one.settled = "withdrawn", self.round
            elif start <= one.goal.last:
                one.goal, one.withdrawn = replace(one.goal, last=start - 1), True
                self._judge(one)

    def _settle(self, event: ev.MapCleared) -> None:
        """Judges what can be judged now."""
        self.closed = event.round
        for one in self.made:
            if one.status == "pending":
                self._judge(one)

    def _judge(self, one: Commitment) -> None:
        """Settles one commitment if it can be; a breach by the other side before frees a mutual promise."""
        verdict = self._verdict(one)
        if verdict == "broken" and one.mutual and self._betrayed_before(one, self.closed):
            verdict = "excused"
        if verdict != "pending":
            one.status, one.settled = verdict, max(self.round, self.closed)

    def _verdict(self, one: Commitment) -> str:
        """What became of a goal, seen together with its condition and with what was taken back of it."""
        verdict: str = judge(one.goal, self.done, self.closed)
        hit = when(one.goal, self.done)
        decided = hit or (self.closed + 1 if verdict == "pending" else one.goal.last)
        if one.withdrawn and not hit and verdict != "pending":
            verdict = "withdrawn"
        for goal in one.given:
            if VERBS[goal.verb].mode == "never":
                met = "broken" if 0 < when(goal, self.done) < decided else "kept"
            else:
                met = judge(goal, self.done, self.closed)
            if met == "broken":
                return "withdrawn" if verdict == "withdrawn" else "void"
            if met == "pending" and verdict != "withdrawn":
                verdict = "pending"
        return verdict

    def _betrayed_before(self, one: Commitment, closed: int) -> bool:
        return any(
            other.status == "broken" and other.settled < closed and one.owes(other.debtor) and other.owes(one.debtor)
            for other in self.made
        )

    def live(self, debtor: Seat, creditor: Seat | None = None) -> list[Commitment]:
        """Pending commitments of a seat, to one creditor or to anybody."""
        return [
            one
            for one in self.made
            if one.debtor == debtor and one.status == "pending" and (creditor is None or one.owes(creditor))
        ]

    def breaches(self, one: Commitment) -> tuple[str, ...]:
        """Tokens of the round that broke a promise; none if it was broken by leaving something undone."""
        broken = when(one.goal, self.done)
        mine = (deed for deed in self.done if deed.seat == one.debtor and deed.round == broken)
        return tuple(deed.token for deed in mine if is_deed_forbidden(one.goal, deed))

    def record(self, debtor: Seat) -> tuple[int, int]:
        """How many of a seat's commitments were kept and how many broken."""
        statuses = [one.status for one in self.made if one.debtor == debtor]
        return statuses.count("kept"), statuses.count("broken")


_STEPS: Mapping[type[Event], Callable[[Commitments, Any], None]] = {
    MessageSent: Commitments._heard,
    ev.RoundBegan: Commitments._began,
    ev.PlacementBegan: Commitments._placement,
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


def _reaches(message: MessageSent, seats: tuple[Seat, ...]) -> bool:
    """Whether a message comes to all of some seats; to everybody if there are none."""
    return EVERYONE in message.to or (bool(seats) and set(seats) <= set(message.to))


def _alike(old: Commitment, new: Commitment) -> bool:
    """Whether a word still stands that differs from a new one by nothing but its rounds."""
    return (
        old.status == "pending"
        and not old.withdrawn
        and (old.debtor, old.creditors) == (new.debtor, new.creditors)
        and _deed_of(old.goal) == _deed_of(new.goal)
        and [(_deed_of(goal), goal.last) for goal in old.given] == [(_deed_of(goal), goal.last) for goal in new.given]
    )


def _deed_of(goal: Goal) -> tuple[str, Seat, dict[str, str]]:
    return goal.verb, goal.by, dict(goal.args)


def _joined(old: Goal, new: Goal) -> Goal | None:
    """Two mentions of a goal as one, or None if these are two goals.

    To leave something undone in spans that meet is to leave it undone in both.  To do something within
    some rounds, and within more rounds around them, is to do it within the fewer.
    """
    if new.last < old.first or old.last < new.first:
        return None
    first, last = (old.first, new.first), (old.last, new.last)
    if VERBS[old.verb].mode == "never":
        return replace(old, first=min(first), last=max(last))
    inner = replace(old, first=max(first), last=min(last))
    return inner if (inner.first, inner.last) in zip(first, last, strict=True) else None
