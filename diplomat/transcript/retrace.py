"""Retraces a game from what its players gave: each recorded input must have been possible there."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from typing import Any

from diplomat.core.audience import Seat
from diplomat.core.events import Event, kind_of
from diplomat.core.game import Game
from diplomat.core.menus import Problem
from diplomat.core.proceedings import (
    AnswerGiven,
    AnswerRefused,
    Defaulted,
    DefaultExplained,
    DiceChanged,
    GameOpened,
    MessageReturned,
    MessageSent,
    NoteReturned,
    NoteSealed,
    PlanReturned,
    PlanSealed,
    PledgeReturned,
)
from diplomat.core.requests import Question, Request
from diplomat.core.talk import Message, TalkWindow
from diplomat.table.parley import Parley
from diplomat.table.referee import Referee
from diplomat.table.surplus import MOST_MESSAGES, MOST_PLEDGES, Cut, claimed, messages_left_out, pledges_left_out

_STALE = Problem("stale")


class Retrace:
    """A referee that is fed the players' part of a log; what follows from it waits in :attr:`due`."""

    def __init__(self, game: Game[Any, Any], settings: Any, seats: tuple[Seat, ...], seed: str) -> None:
        self.due: deque[Event] = deque()
        """Events that must come next in the log, in this order."""
        self._referee: Referee[Any, Any] = Referee(game, settings, seats, seed)
        self._parley = Parley(game.pledges, seats)
        self._referee.listen(lambda _, event: self.due.append(event))
        self._referee.listen(lambda _, event: self._parley.hear(event))
        self._wave: dict[Request, tuple[Question, TalkWindow]] = {}
        """What was asked together, as it stood when it was asked."""
        self._delivered: dict[str, int] = {}
        self._stale: dict[Seat, int] = {}
        """Messages of a reply that came too late, so far."""
        self._handed: dict[str, int] = {}
        """Messages of each open question, the returned ones too."""
        self._pledged: dict[str, int] = {}
        """Pledges of each message, the returned ones too."""
        self._defaulted: tuple[Seat, str] | None = None
        """The seat and the request whose default must be the next answer."""
        self._reasoned = False
        """Whether it was said why."""
        self._closed: set[tuple[Seat, str]] = set()
        """Requests that were open and are not any more."""
        self._over = False
        self._referee.begin()
        self._ask()

    def take(self, event: Event) -> str | None:
        """Feeds one recorded event to the referee; why it could not have happened here, or None."""
        take = _TAKES.get(type(event))
        if take is None:
            return f"{kind_of(type(event))} follows from nothing"
        if self._over:
            return f"{kind_of(type(event))} stands behind the end of the game"
        if self._defaulted is not None and not isinstance(event, AnswerGiven if self._reasoned else DefaultExplained):
            return f"{kind_of(type(event))} stands between a default and its answer"
        return take(self, event)

    def _ask(self) -> None:
        """Notes every open question as the table asks it: all at once, and anew when all are closed."""
        still = self._referee.open()
        self._closed.update((r.seat, r.id) for r in self._wave if r not in still)
        if any(request in still for request in self._wave):
            return
        side = self._referee.game.side
        self._wave = {
            request: (self._referee.question(request), side.talk(self._referee.known(request.seat), request))
            for request in still
        }

    def _asked(self, seat: Seat, request: str | None = None) -> tuple[Request, Question, TalkWindow] | None:
        """The open question of a seat, by id if one is given."""
        for candidate in self._referee.open():
            if candidate.seat == seat and request in (None, candidate.id):
                side = self._referee.game.side
                asked = self._wave.get(candidate) or (
                    self._referee.question(candidate),
                    side.talk(self._referee.known(seat), candidate),
                )
                return candidate, *asked
        return None

    def _answer(self, event: AnswerGiven) -> str | None:
        asked = self._asked(event.seat, event.request)
        if asked is None:
            return f"{event.seat} answers {event.request}, which nobody asked"
        request, question, _ = asked
        if self._defaulted is not None and (
            self._defaulted != (event.seat, request.id) or question.default != event.answer
        ):
            return f"this is not the default of {self._defaulted[1]}"
        self._defaulted, self._reasoned = None, False
        problem = self._referee.submit(request, event.answer, question)
        if problem is not None:
            return f"an illegal answer: {self._why(problem)}"
        self._ask()
        return None

    def _refused(self, event: AnswerRefused) -> str | None:
        asked = self._asked(event.seat, event.request)
        if asked is None:
            if (event.seat, event.request) not in self._closed:
                return f"{event.request} was never asked of {event.seat}"
            wanted: Problem | None = _STALE
        else:
            wanted = asked[1].menu.problem(event.answer)
        self._stale.pop(event.seat, None)
        if wanted == event.problem:
            return self._keep(event)
        return self._misjudged(wanted)

    def _misjudged(self, wanted: Problem | None) -> str:
        if wanted is None:
            return "a legal answer stands here as refused"
        return f"the answer was refused for another reason: {self._why(wanted)}"

    def _default(self, event: Defaulted) -> str | None:
        if self._asked(event.seat, event.request) is None:
            return f"{event.request} was not open to {event.seat}"
        self._defaulted = event.seat, event.request
        return self._keep(event)

    def _explained(self, event: DefaultExplained) -> str | None:
        if self._defaulted != (event.seat, event.request):
            return "no default was taken here"
        self._reasoned = True
        return self._keep(event)

    def _dice(self, event: DiceChanged) -> str | None:
        self._referee.change_dice(event.seed)
        return None

    def _opened(self, _: GameOpened) -> str | None:
        outcome = self._referee.outcome()
        if outcome is None:
            return "the game is opened before it is over"
        self._over = True
        return self._keep(GameOpened(outcome.winners, dict(outcome.scores)))

    def _said(self, event: MessageSent | MessageReturned) -> str | None:
        """A message must have fared as its window says; its id counts the room's messages."""
        if event.sender not in self._referee.seats:
            return f"there is no seat {event.sender}"
        asked = self._asked(event.sender)
        if isinstance(event, MessageReturned) and event.problem == self._late(event):
            closed = any(seat == event.sender for seat, _ in self._closed)
            self._stale[event.sender] = self._stale.get(event.sender, 0) + 1
            return self._keep(event, None if closed else f"no question to {event.sender} was closed")
        window = self._window(event.sender, asked)
        delivered = self._delivered.get(asked[0].id, 0) if asked else 0
        message = Message(event.to, event.text, event.pledges if isinstance(event, MessageSent) else ())
        handed = self._handed.get(asked[0].id, 0) if asked else 0
        left_out = claimed(event.problem) if isinstance(event, MessageReturned) else 1
        carried = self._parley.carry(event.sender, Cut((message,), left_out), window, delivered, handed)
        if handed > MOST_MESSAGES or next(carried) != event:
            return f"{kind_of(type(event))} could not have happened so: its number, readers, size or promises"
        if asked:
            self._handed[asked[0].id] = handed + 1
        if asked and isinstance(event, MessageSent):
            self._delivered[asked[0].id] = delivered + 1
        if isinstance(event, MessageSent):
            self._pledged[event.id] = len(event.pledges)
        return self._keep(event)

    def _late(self, event: MessageReturned) -> Problem:
        """Why the next message of a reply that came too late goes back."""
        if self._stale.get(event.sender, 0) < MOST_MESSAGES:
            return _STALE
        return messages_left_out(claimed(event.problem))

    def _pledge(self, event: PledgeReturned) -> str | None:
        before = self._pledged.get(event.message, 0)
        wanted = (
            pledges_left_out(claimed(event.problem))
            if before == MOST_PLEDGES
            else self._parley.pledge_problem(
                event.pledge, event.sender, self._window(event.sender, self._asked(event.sender))
            )
        )
        right = self._parley.heard(event.message, event.sender) and before <= MOST_PLEDGES and event.problem == wanted
        self._pledged[event.message] = before + 1
        return self._keep(event, None if right else "this promise could not have been left out so")

    def _window(self, sender: Seat, asked: tuple[Request, Question, TalkWindow] | None) -> TalkWindow:
        """The window in which a seat speaks: that of its open question, or of nothing."""
        return asked[2] if asked else self._referee.game.side.talk(self._referee.known(sender), None)

    def _plan(self, event: PlanSealed) -> str | None:
        if not all(self._parley.heard(name, event.seat) for name in event.messages):
            return f"the plan names messages that {event.seat} did not send"
        return self._aside(event)

    def _is_of_the_plan(self, event: PlanReturned) -> bool:
        """Whether the line before is that seat's plan, whose words were left out."""
        before = self._referee.log[-1] if self._referee.log else None
        if not isinstance(before, PlanSealed) or before.plan.text:
            return False
        return (before.seat, before.request) == (event.seat, event.request)

    def _aside(self, event: PlanSealed | PlanReturned | NoteSealed | NoteReturned) -> str | None:
        asked = self._asked(event.seat, event.request)
        if asked is None:
            return f"{event.request} was not open to {event.seat}"
        limit = asked[2].note_length
        if isinstance(event, NoteSealed) and len(event.text) > limit > 0:
            return f"the note has more than {limit} characters"
        if isinstance(event, PlanSealed) and len(event.plan.text) > limit > 0:
            return f"the plan has more than {limit} characters"
        if isinstance(event, (PlanReturned, NoteReturned)):
            what = "plan" if isinstance(event, PlanReturned) else "note"
            length = claimed(event.problem, "length")
            wanted = Problem(f"{what}_too_long", {"length": str(length), "limit": str(limit)})
            if event.problem != wanted or not length > limit > 0:
                return f"the {what} could not have been returned so"
        if isinstance(event, PlanReturned) and not self._is_of_the_plan(event):
            return f"no plan of {event.seat} stands before it whose words were left out"
        return self._keep(event)

    def _why(self, problem: Problem) -> str:
        return self._referee.game.texts("en").say(f"problem.{problem.code}", **problem.facts)

    def _keep(self, event: Event, why: str | None = None) -> str | None:
        if why is None:
            self._referee.record(event)
        return why


_TAKES: Mapping[type[Event], Callable[[Retrace, Any], str | None]] = {
    AnswerGiven: Retrace._answer,
    AnswerRefused: Retrace._refused,
    Defaulted: Retrace._default,
    DefaultExplained: Retrace._explained,
    DiceChanged: Retrace._dice,
    GameOpened: Retrace._opened,
    MessageSent: Retrace._said,
    MessageReturned: Retrace._said,
    PledgeReturned: Retrace._pledge,
    PlanSealed: Retrace._plan,
    PlanReturned: Retrace._aside,
    NoteSealed: Retrace._aside,
    NoteReturned: Retrace._aside,
}
