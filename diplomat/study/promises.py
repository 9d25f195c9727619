"""Speech acts become promises: who is bound, from when, and what is the same word said again.

A promise binds at once, an offer when it is accepted (both sides), a threat is kept apart.  Asking, advising and
telling bind nobody.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from diplomat.core.audience import Seat
from diplomat.core.pledges import Goal
from diplomat.core.proceedings import MessageSent
from diplomat.core.talk import EVERYONE
from diplomat.study.drafts import Draft, goal_key
from diplomat.study.rows import EVERYBODY, Span, SpeechAct
from diplomat.study.sources import Past, Said, Waiting
from diplomat.study.vocabulary import Chronicle, Vocabulary

OFFERS = frozenset({"offer", "counter", "ask"})
GIVING = frozenset({"promise", "offer", "counter", "threat"})


@dataclass(slots=True)
class _Offer:
    """What one message offers or asks for, while it may be answered."""

    message: str
    sender: Seat
    to: tuple[Seat, ...]
    parts: list[tuple[Said, str]]
    """With the source of each."""
    n: int
    point: int
    known_to: tuple[str, ...]
    span: Span


class Book:
    """All speech acts and promises of a log so far; a fold over messages."""

    def __init__(self, seats: tuple[Seat, ...], vocabulary: Vocabulary | None, chronicle: Chronicle | None) -> None:
        self.seats = seats
        self.drafts: list[Draft] = []
        self._acts: list[SpeechAct] = []
        self._vocabulary = vocabulary
        self._chronicle = chronicle
        self._offers: dict[str, _Offer] = {}
        self._answered: dict[str, str] = {}
        self._replied: set[tuple[str, Seat]] = set()
        self._numbers: Counter[str] = Counter()

    # What readers may know --------------------------------------------------------------------------

    @property
    def now(self) -> int:
        """The current decision point."""
        return self._chronicle.now if self._chronicle else 0

    def waiting(self, seat: Seat) -> tuple[Waiting, ...]:
        """Offers that a seat may still answer."""
        return tuple(
            Waiting(offer.message, offer.sender, offer.point)
            for offer in self._offers.values()
            if offer.sender != seat
            and (not offer.to or seat in offer.to)
            and (offer.message, seat) not in self._replied
        )

    def owed(self, debtor: Seat) -> dict[Seat, tuple[str, ...]]:
        """Messages with which a seat gave its word, by who has it, for points still to come."""
        live = [one for one in self.drafts if one.debtor == debtor and one.standing and self._open(one)]
        return {seat: tuple(one.offer or one.message for one in live if one.owes(seat)) for seat in self.seats}

    def acts(self) -> Iterator[SpeechAct]:
        """All speech acts, offers with their answers."""
        for act in self._acts:
            yield replace(act, answered=self._answered.get(act.message, "")) if act.act in OFFERS else act

    def spoken_goals(self, seat: Seat) -> list[Goal]:
        """Goals that a seat has given or offered its word for and that are not over."""
        given = [one.goal for one in self.drafts if one.debtor == seat and one.goal is not None and self._open(one)]
        offers = [offer for offer in self._offers.values() if offer.sender == seat]
        offered = [goal for offer in offers for said, _ in offer.parts for goal in said.goals if not self._over(goal)]
        return [*given, *offered]

    def _open(self, one: Draft) -> bool:
        closed = self._chronicle.closed if self._chronicle else 0
        return one.goal is not None and one.goal.last > closed

    # Taking acts in ---------------------------------------------------------------------------------

    def take(self, message: MessageSent, n: int, said: Said, source: str) -> None:
        """Takes one speech act of a message in."""
        everybody = tuple(message.to) == (EVERYONE,)
        to = said.hearers or (() if everybody else tuple(seat for seat in self.seats if seat in message.to))
        known = (EVERYBODY,) if everybody else tuple(sorted({*message.to, message.sender}))
        span = Span(message.id, n, said.start, said.end, source)
        self._acts.append(self._act(message, n, said, source, to))
        if said.fault:
            if said.act in ("promise", "threat"):
                self._faulty(message, said, span, to, known)
        elif said.act in ("promise", "threat"):
            mine = [goal for goal in said.goals if goal.by == message.sender]
            for goal in mine:
                self._commit(self._draft(message.id, message.sender, to, said, goal, span, known))
            if not said.goals:
                self._faulty(message, replace(said, fault="no_goal"), span, to, known)
        elif said.act in OFFERS:
            if said.ref is not None:
                self._answer(message, said.ref, "counter", span, known)
            offer = self._offers.get(message.id)
            if offer is None:
                offer = _Offer(message.id, message.sender, to, [], n, self.now, known, span)
                self._offers[message.id] = offer
            offer.parts.append((said, source))
        elif said.ref is not None and said.act in ("accept", "refuse"):
            self._answer(message, said.ref, said.act, span, known)
        elif said.ref is not None and said.act == "withdraw":
            self._withdraw(message, said.ref, n, to)

    def _act(self, message: MessageSent, n: int, said: Said, source: str, to: tuple[Seat, ...]) -> SpeechAct:
        name = f"{message.id}#{source}"
        self._numbers[name] += 1
        sender, ref = message.sender, said.ref or ""
        released = (
            said.act == "withdraw"
            and not self._own(sender, ref)
            and any(self._speaks_of(one, ref) and one.owes(sender) for one in self.drafts)
        )
        return SpeechAct(
            aid=f"{name}.{self._numbers[name]}",
            n=n,
            point=self.now,
            message=message.id,
            speaker=message.sender,
            hearers=to or (EVERYBODY,),
            act="release" if released else said.act,
            goals=said.goals,
            given=said.given,
            ref=said.ref or "",
            start=said.start,
            end=said.end,
            source=source,
            confidence=said.confidence,
            answered="",
            fault=said.fault,
        )

    def _draft(
        self,
        own: str,
        debtor: Seat,
        to: tuple[Seat, ...],
        said: Said,
        goal: Goal | None,
        span: Span,
        known: Sequence[str],
    ) -> Draft:
        self._numbers[own] += 1
        return Draft(
            pid=f"{own}#{self._numbers[own]}",
            debtor=debtor,
            creditors=tuple(seat for seat in to if seat != debtor),
            act=said.act,
            goal=goal,
            given=said.given if said.act in ("promise", "threat") else (),
            said=said,
            source=span.source,
            confidence=said.confidence,
            message=own,
            said_n=span.n,
            made_n=span.n,
            made_point=self.now,
            known_to=tuple(known),
            stated=said.stated,
            mentions=[span],
        )

    def _faulty(self, message: MessageSent, said: Said, span: Span, to: tuple[Seat, ...], known: Sequence[str]) -> None:
        """A word given that nothing can test; counted as such."""
        draft = self._draft(message.id, message.sender, to, said, said.goals[0] if said.goals else None, span, known)
        draft.fault = said.fault
        self.drafts.append(draft)

    def _answer(self, message: MessageSent, ref: str, act: str, span: Span, known: tuple[str, ...]) -> None:
        """One seat's only answer to an offer; too late if no part of it can be kept in full any more."""
        offer, sender = self._offers.get(ref), message.sender
        if offer is None or sender == offer.sender or (offer.to and sender not in offer.to):
            return
        parts = [part for part in offer.parts if not any(self._over(g) for g in (*part[0].goals, *part[0].given))]
        if not parts or (ref, sender) in self._replied:
            return
        self._replied.add((ref, sender))
        if act != "accept":
            self._answered.setdefault(ref, act)
            return
        self._answered[ref] = act
        for said, source in parts:
            theirs = [self._accepted(offer, message, said, source, goal, span, known) for goal in said.goals]
            mine = [self._taken(offer, message, said, goal, span, known) for goal in said.given if goal.by == sender]
            for one in theirs:
                one.mutual_of = list(dict.fromkeys([*one.mutual_of, *(other.pid for other in mine)]))
            for one in mine:
                one.mutual_of = list(dict.fromkeys([*one.mutual_of, *(other.pid for other in theirs)]))

    def _accepted(
        self,
        offer: _Offer,
        message: MessageSent,
        said: Said,
        source: str,
        goal: Goal,
        span: Span,
        known: tuple[str, ...],
    ) -> Draft:
        """The offerer's half: said when it was offered, binding from now on."""
        words = Span(offer.message, offer.n, said.start, said.end, source)
        draft = self._draft(offer.message, offer.sender, (message.sender,), said, goal, words, offer.known_to)
        draft.made_n, draft.offer, draft.act = span.n, offer.message, "counter" if said.act == "counter" else "offer"
        return self._commit(draft)

    def _taken(
        self, offer: _Offer, message: MessageSent, said: Said, goal: Goal, span: Span, known: tuple[str, ...]
    ) -> Draft:
        """What the accepting seat was asked for and says yes to."""
        draft = self._draft(message.id, message.sender, (offer.sender,), replace(said, act="accept"), goal, span, known)
        draft.offer, draft.confidence = offer.message, min(said.confidence, draft.confidence)
        return self._commit(draft)

    # The same word again, and words that replace each other -------------------------------------------

    def _over(self, goal: Goal) -> bool:
        return goal.last < self.now

    def _from_now(self, goal: Goal) -> Goal:
        return replace(goal, first=max(goal.first, self.now)) if goal.last >= self.now else goal

    def _commit(self, new: Draft) -> Draft:
        """One more word given; said before and still standing, it is that promise mentioned again.

        Where the old word was taken back, or what was given for it was taken back or broken, it is a new promise in
        the old one's place.
        """
        goal = new.goal
        assert goal is not None
        if self._vocabulary is not None and self._vocabulary.mode(goal.verb) is None:
            new.fault = "untracked"
        elif self._over(goal):
            new.fault = "over"
        new.goal, new.given = self._from_now(goal), tuple(self._from_now(one) for one in new.given)
        alike = [] if new.fault else [old for old in self.drafts if self._alike(old, new)]
        stale = [old for old in alike if old.notice_n or self._let_down(old)]
        again = next((old for old in alike if old not in stale), None)
        if again is None:
            self._compare(new)
            self.drafts.append(new)
        else:
            again.goal, again.confidence = self._joined(again.goal, new.goal), max(again.confidence, new.confidence)
            again.mentions += new.mentions
            again.offer = again.offer or new.offer
        one = again or new
        for old in stale:
            old.superseded_by, old.superseded_n = one.pid, new.made_n
        return one

    def _alike(self, old: Draft, new: Draft) -> bool:
        threats = (old.act == "threat", new.act == "threat")
        return (
            old.standing
            and self._open(old)
            and threats[0] == threats[1]
            and (old.debtor, old.creditors) == (new.debtor, new.creditors)
            and goal_key(old.goal, rounds=False) == goal_key(new.goal, rounds=False)
            and [goal_key(goal) for goal in old.given] == [goal_key(goal) for goal in new.given]
            and self._joined(old.goal, new.goal) is not None
            and not self._decided(old)
        )

    def _decided(self, one: Draft) -> bool:
        """Whether a deed has settled it already, so that a new word is a new promise."""
        return self._chronicle is not None and one.goal is not None and bool(self._chronicle.hits(one.goal))

    def _let_down(self, one: Draft) -> bool:
        """Whether what was given for it has been taken back or broken: to say it again then is to begin anew."""
        return any(other.notice_n or self._broken(other) for other in self._returns(one))

    def _returns(self, one: Draft) -> list[Draft]:
        """What its creditors gave in return."""
        return [other for other in self.drafts if other.pid in one.mutual_of]

    def _broken(self, one: Draft) -> bool:
        if one.fault or one.goal is None or self._vocabulary is None:
            return False
        done = self._decided(one)
        return not (done or self._open(one)) if self._vocabulary.mode(one.goal.verb) == "by" else done

    def _joined(self, old: Goal | None, new: Goal | None) -> Goal | None:
        """Two mentions of a goal as one, or None if these are two.

        Leaving undone in spans that meet is leaving undone in both; doing within few points and within more
        around them is doing within the few.
        """
        if old is None or new is None or new.last < old.first or old.last < new.first:
            return None
        if self._vocabulary is None or self._vocabulary.mode(old.verb) != "by":
            return replace(old, first=min(old.first, new.first), last=max(old.last, new.last))
        inner = replace(old, first=max(old.first, new.first), last=min(old.last, new.last))
        return inner if (inner.first, inner.last) in ((old.first, old.last), (new.first, new.last)) else None

    def _compare(self, new: Draft) -> None:
        """A word that cannot be kept beside another: to the same seats it replaces it, to others it conflicts."""
        if self._chronicle is None or new.fault or new.goal is None or new.act == "threat":
            return
        for old in self.drafts:
            rival = old.debtor == new.debtor and old.standing and old.act != "threat" and self._open(old)
            if not rival or old.goal is None or not self._chronicle.contradicts(old.goal, new.goal):
                continue
            if old.creditors == new.creditors:
                old.superseded_by, old.superseded_n = new.pid, new.made_n
            else:
                old.conflicts.append(new.pid)
                new.conflicts.append(old.pid)

    def _withdraw(self, message: MessageSent, ref: str, n: int, to: tuple[Seat, ...]) -> None:
        """A debtor gives notice to its creditors and frees them of what they gave in return; an open offer is off.

        Who owes nothing by those words itself frees its debtors.
        """
        offer = self._offers.get(ref)
        if offer is not None and offer.sender == message.sender and (not to or (offer.to and set(offer.to) <= set(to))):
            self._answered.setdefault(ref, "withdraw")
            self._replied.update((ref, seat) for seat in self.seats)
        own = self._own(message.sender, ref)
        for one in own:
            told = not to or (bool(one.creditors) and set(one.creditors) <= set(to))
            if told and self._open(one):
                one.notice_n = one.notice_n or n
        mine = {one.pid for one in own}
        for one in self.drafts:
            if one.creditors == (message.sender,) and (not to or one.debtor in to) and self._freed(one, ref, mine):
                one.released_n = one.released_n or n

    def _own(self, seat: Seat, ref: str) -> list[Draft]:
        """What a seat itself gave its word for with these words."""
        return [one for one in self.drafts if one.debtor == seat and self._speaks_of(one, ref)]

    def _freed(self, one: Draft, ref: str, own: set[str]) -> bool:
        """Whether it goes with words taken back, of which ``own`` are the speaker's; not while it is still paid for."""
        if not (self._speaks_of(one, ref) or own.intersection(one.mutual_of)):
            return False
        return not own or all(other.notice_n or not self._open(other) for other in self._returns(one))

    def _speaks_of(self, one: Draft, ref: str) -> bool:
        return ref in one.words


def past_of(
    book: Book, chronicle: Chronicle | None, message: MessageSent, n: int, earlier: Iterable[MessageSent]
) -> Past:
    """What existed when a message was written."""
    sender = message.sender
    return Past(
        n=n,
        seats=book.seats,
        roles=chronicle.roles if chronicle else {},
        now=book.now,
        last=chronicle.last if chronicle else 0,
        said=tuple(earlier),
        waiting=book.waiting(sender),
        owed=book.owed(sender),
    )
