"""The parley: carries words between seats, or returns them to the sender with the reason."""

from __future__ import annotations

from collections.abc import Iterator

from diplomat.core.audience import Audience, Seat
from diplomat.core.events import Event
from diplomat.core.menus import Problem
from diplomat.core.pledges import Pledge, PledgeRules, pledge_problem
from diplomat.core.proceedings import MessageReturned, MessageSent, PledgeReturned
from diplomat.core.talk import Message, TalkWindow, address_problem, clean, message_id
from diplomat.table.surplus import MOST_MESSAGES, MOST_PLEDGES, messages_left_out, pledges_left_out, whole


class Parley:
    """Delivers messages; knows only who said what to whom, to number and answer messages."""

    def __init__(self, rules: PledgeRules, seats: tuple[Seat, ...]) -> None:
        self._rules = rules
        self._seats = seats
        self._counts: dict[tuple[Seat, tuple[str, ...]], int] = {}
        self._sent: dict[str, Audience] = {}
        self._senders: dict[str, Seat] = {}

    def hear(self, event: Event) -> None:
        """Remembers a message that was sent; all memory comes from events, so a log rebuilds it."""
        if isinstance(event, MessageSent):
            room = (event.sender, tuple(sorted(event.to)))
            self._counts[room] = self._counts.get(room, 0) + 1
            self._sent[event.id] = event.audience()
            self._senders[event.id] = event.sender

    def carry(
        self,
        sender: Seat,
        messages: tuple[Message, ...],
        window: TalkWindow,
        delivered: int = 0,
        handed: int = 0,
    ) -> Iterator[Event]:
        """The events of one reply's messages, one message after the other.

        Before them the reply ``handed`` over so many, of which so many were ``delivered``.  The first
        one above the limit goes back with the number of all that are left out.
        """
        for number, said in enumerate(messages, start=handed + 1):
            message = Message(tuple(dict.fromkeys(said.to)), clean(said.text).strip(), said.pledges)
            if number > MOST_MESSAGES:
                too_many = messages_left_out(handed + whole(messages) - MOST_MESSAGES)
                yield MessageReturned(sender, message.to, message.text, too_many)
                return
            problem = address_problem(message, sender, window)
            if problem is None and delivered >= window.messages:
                problem = Problem("too_many_messages", {"limit": str(window.messages)})
            if problem is not None:
                yield MessageReturned(sender, message.to, message.text, problem)
                continue
            delivered += 1
            yield from self._deliver(sender, message, window)

    def heard(self, name: str, sender: Seat) -> bool:
        """Whether a message of that id was sent by that very seat."""
        return self._senders.get(name) == sender

    def _deliver(self, sender: Seat, message: Message, window: TalkWindow) -> Iterator[Event]:
        room = tuple(sorted(message.to))
        name = message_id(sender, room, self._counts.get((sender, room), 0) + 1)
        good: list[Pledge] = []
        bad: list[tuple[Pledge, Problem]] = []
        for number, pledge in enumerate(message.pledges[: MOST_PLEDGES + 1], start=1):
            if number > MOST_PLEDGES:
                bad.append((pledge, pledges_left_out(whole(message.pledges) - MOST_PLEDGES)))
                continue
            problem = self.pledge_problem(pledge, sender, window)
            if problem is None:
                good.append(pledge)
            else:
                bad.append((pledge, problem))
        yield MessageSent(name, sender, message.to, message.text, tuple(good))
        for pledge, problem in bad:
            yield PledgeReturned(sender, name, pledge, problem)

    def pledge_problem(self, pledge: Pledge, sender: Seat, window: TalkWindow) -> Problem | None:
        """Why a pledge is left out of a message, or None."""
        problem = pledge_problem(pledge, sender, self._rules, self._seats, window.rounds)
        return problem or self._ref_problem(pledge, sender)

    def _ref_problem(self, pledge: Pledge, sender: Seat) -> Problem | None:
        if pledge.ref is None:
            return None
        audience = self._sent.get(pledge.ref)
        if audience is None or not audience.includes(sender):
            return Problem("unknown_ref", {"ref": pledge.ref[:60]})
        return None
