"""The table: asks every open question, waits, and applies the replies in the order of the requests."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from diplomat.agents.base import Agent
from diplomat.core.audience import Seat
from diplomat.core.dice import Dice
from diplomat.core.errors import NoAnswer, OutOfTime, RulesFault, Suspended
from diplomat.core.game import Decision, Outcome, Reply
from diplomat.core.menus import Answer, Problem
from diplomat.core.plain import canonical, digest
from diplomat.core.proceedings import (
    AnswerRefused,
    Defaulted,
    DefaultExplained,
    GameOpened,
    MessageReturned,
    MessageSent,
    NoteReturned,
    NoteSealed,
    PlanReturned,
    PlanSealed,
)
from diplomat.core.requests import Question, Request
from diplomat.core.talk import TalkWindow, clean
from diplomat.table.parley import Parley
from diplomat.table.referee import Referee
from diplomat.table.replies import fresh, reason
from diplomat.table.surplus import MOST_MESSAGES, messages_left_out, whole

TRIES = 3
"""Answers taken to one question before its default is used."""

LAST_WORD = 0.05
"""Seconds in which a player whose time is over may write down that it is."""

PARTING = 1.0
"""Seconds that players who were stopped get to tidy up after a game."""

T = TypeVar("T")


@dataclass(slots=True)
class _Asked:
    """What came of asking one question."""

    decision: Decision[Any]
    reply: Reply | None = None
    refused: list[tuple[Answer, Problem]] = field(default_factory=list)
    failure: Problem | None = None


class Table:
    """One game being played: a referee, an agent for every seat, and the talk between them."""

    def __init__(
        self,
        referee: Referee[Any, Any],
        agents: Mapping[Seat, Agent],
        *,
        deadline: float | None = None,
        tries: int = TRIES,
        other_dice: tuple[int, str] | None = None,
    ) -> None:
        """``deadline`` is in seconds per answer, None for no limit.

        ``other_dice`` are the event after which a fork goes on with another seed, and that seed.
        """
        missing = [seat for seat in referee.seats if seat not in agents]
        if missing:
            raise ValueError(f"no agent for {', '.join(missing)}")
        self.referee = referee
        self._agents = agents
        self._deadline = deadline
        self._tries = tries
        self._other_dice = other_dice
        self._trusted = {seat for seat, agent in agents.items() if getattr(agent, "trusted", False)}
        self._instant = deadline is None and all(agent.instant for agent in agents.values())
        self._parley = Parley(referee.game.pledges, referee.seats)
        self._read: dict[Seat, int] = dict.fromkeys(referee.seats, 0)
        # A player is handed its dice, so their seed must not lead back to the game's.
        self._dice = {seat: Dice(digest(f"{referee.seed}/seat/{seat}")) for seat in referee.seats}
        referee.listen(lambda _, event: self._parley.hear(event))

    @property
    def instant(self) -> bool:
        """Whether no seat ever waits, so that the game can be played without an event loop."""
        return self._instant

    async def play(self) -> Outcome:
        """Plays from the first event to the last."""
        self.referee.begin()
        while requests := self.referee.open():
            if self._other_dice is not None and len(self.referee.log) >= self._other_dice[0]:
                self.referee.change_dice(self._other_dice[1])
                self._other_dice = None
            for asked in await self._ask_all(requests):
                self._apply(asked)
        outcome = self.referee.outcome()
        if outcome is None:
            raise RulesFault("the game stopped without an outcome")
        self.referee.record(GameOpened(outcome.winners, dict(outcome.scores)))
        return outcome

    async def _ask_all(self, requests: Sequence[Request]) -> list[_Asked]:
        """Asks all open questions at once; the log does not depend on who was quick."""
        asked = [_Asked(self._decision(request)) for request in requests]
        if len(asked) == 1 or self.instant:
            for one in asked:
                await self._ask(one)
        else:
            # All of them finish before a suspended game stops; what they said is asked for again on resuming.
            for came in await asyncio.gather(*(self._ask(one) for one in asked), return_exceptions=True):
                if came is not None:
                    raise came
        return asked

    def _decision(self, request: Request) -> Decision[Any]:
        seat, game = request.seat, self.referee.game
        known = self.referee.known(seat)
        question = game.side.question(known, request)
        news = self.referee.seen(seat, self._read[seat])
        if _forced(question) is None:
            self._read[seat] = self.referee.seen_count(seat)
        return Decision(
            question=question,
            window=game.side.talk(known, request),
            known=known,
            news=news,
            dice=self._dice[seat],
        )

    async def _ask(self, asked: _Asked) -> None:
        """Asks until an answer is legal; a question with one legal answer is not asked at all."""
        decision = asked.decision
        menu = decision.question.menu
        only = _forced(decision.question)
        if only is not None:
            asked.reply = Reply(only[0])
            return
        agent = self._agents[decision.request.seat]
        problem: Problem | None = None
        for _ in range(self._tries):
            try:
                reply, asked.failure = await self._answer_of(agent, decision, problem)
            except NoAnswer as given_up:
                asked.failure = given_up.problem
                asked.refused.extend(given_up.refused)
                return
            if reply is None:
                return
            problem = menu.problem(reply.answer)
            if problem is None:
                asked.reply = reply
                return
            asked.refused.append((reply.answer, problem))
        asked.failure = Problem("tries_used_up", {"tries": str(self._tries), "why": str(problem)})

    async def _answer_of(
        self, agent: Agent, decision: Decision[Any], problem: Problem | None
    ) -> tuple[Reply | None, Problem | None]:
        if problem is not None:
            decision = replace(decision, news=(), problem=problem)
        # Players that are not the game's own get copies, so that nothing they do to them matters.
        work = _replied(agent, decision if decision.request.seat in self._trusted else deepcopy(decision), self._late)
        if self.instant:
            try:
                return finish(work)
            except RuntimeError:
                return None, Problem("agent_failed", {"why": "it waits, though it said that it never does"})
        # In a task of its own, the player can neither hold up the table nor have it cancelled.
        task = asyncio.create_task(work)
        try:
            await asyncio.wait({task}, timeout=self._deadline)
            if not task.done():
                task.cancel("deadline")  # the one word by which a player may tell this from a stopped program
                await asyncio.wait({task}, timeout=LAST_WORD)
                return None, self._late(self._deadline)
            if task.cancelled():
                return None, Problem("agent_failed", {"why": "CancelledError"})
            return task.result()
        finally:
            task.cancel()

    def _late(self, seconds: float | None) -> Problem:
        """Why a player that took too long gets the default; the table's own limit goes before the player's."""
        limit = seconds if self._deadline is None else self._deadline
        return Problem("out_of_time", {"seconds": "?" if limit is None else f"{limit:g}"})

    def _apply(self, asked: _Asked) -> None:
        """Puts one reply into the log: words first, then plan and note, then the answer."""
        request, question = asked.decision.request, asked.decision.question
        seat = request.seat
        for answer, problem in asked.refused:
            self.referee.record(AnswerRefused(seat, request.id, answer, problem))
        reply = asked.reply
        if not self.referee.is_open(request):
            self._too_late(request, reply)
            return
        if reply is None:
            self.referee.record(Defaulted(seat, request.id))
            self.referee.record(DefaultExplained(seat, request.id, asked.failure or Problem("no_answer")))
            reply = Reply(question.default)
        self._speak(seat, request, reply, asked.decision.window)
        refusal = self.referee.submit(request, reply.answer, question)
        if refusal is not None:
            raise RulesFault(f"the default of {request.id} is not legal: {refusal}")

    def _too_late(self, request: Request, reply: Reply | None) -> None:
        """A question that another seat's answer closed: nothing of the reply is used, all of it goes back."""
        if reply is None:
            return
        stale = Problem("stale")
        for number, message in enumerate(reply.say, start=1):
            why = stale if number <= MOST_MESSAGES else messages_left_out(whole(reply.say) - MOST_MESSAGES)
            self.referee.record(MessageReturned(request.seat, message.to, clean(message.text).strip(), why))
        self.referee.record(AnswerRefused(request.seat, request.id, reply.answer, stale))

    def _speak(self, seat: Seat, request: Request, reply: Reply, window: TalkWindow) -> None:
        sent: list[str] = []
        for event in self._parley.carry(seat, reply.say, window):
            self.referee.record(event)
            if isinstance(event, MessageSent):
                sent.append(event.id)
        limit = window.note_length
        if reply.plan is not None:
            facts = _beyond(reply.plan.text, limit)
            plan = replace(reply.plan, text="") if facts else reply.plan
            self.referee.record(PlanSealed(seat, request.id, plan, tuple(sent)))
            if facts:
                self.referee.record(PlanReturned(seat, request.id, Problem("plan_too_long", facts)))
        if reply.note:
            facts = _beyond(reply.note, limit)
            if facts:
                self.referee.record(NoteReturned(seat, request.id, Problem("note_too_long", facts)))
            else:
                self.referee.record(NoteSealed(seat, request.id, reply.note))


def _beyond(text: str, limit: int) -> dict[str, str]:
    """The length and the limit of a text that is too long to be kept, else nothing; a limit of 0 is none."""
    return {"length": str(len(text)), "limit": str(limit)} if len(text) > limit > 0 else {}


def _forced(question: Question) -> tuple[Answer] | None:
    """The answer of a question that leaves no choice and is not asked; a chance to talk is always asked."""
    return None if question.request.kind == "talk" else question.menu.single()


async def _replied(
    agent: Agent, decision: Decision[Any], late: Callable[[float | None], Problem]
) -> tuple[Reply | None, Problem | None]:
    """What a player gives, or why it gave nothing.

    KeyboardInterrupt, Suspended (the game stops) and NoAnswer (the player says why) come out of here.
    """
    try:
        return fresh(await agent.decide(decision)), None
    except (KeyboardInterrupt, Suspended):
        raise
    except NoAnswer as fault:
        if not _can_be_written(fault):
            return None, Problem("agent_failed", {"why": reason(fault)})
        raise
    except OutOfTime as fault:
        return None, late(getattr(fault, "seconds", None))
    except BaseException as fault:  # noqa: BLE001 — whatever a player does, the game goes on with the default
        return None, Problem("agent_failed", {"why": reason(fault)})


def _can_be_written(fault: NoAnswer) -> bool:
    """Whether what a player says of its failure fits into a log."""
    try:
        canonical([fault.problem, fault.refused]).encode()
        return isinstance(fault.problem, Problem) and all(isinstance(why, Problem) for _, why in fault.refused)
    except (TypeError, ValueError, RecursionError):
        return False


def finish(work: Coroutine[Any, Any, T]) -> T:
    """Runs a coroutine that never waits, without an event loop; RuntimeError if it does wait."""
    try:
        work.send(None)
    except StopIteration as done:
        result: T = done.value
        return result
    work.close()
    raise RuntimeError("this table has to wait for somebody; play it in an event loop")


def run(work: Coroutine[Any, Any, T]) -> T:
    """Like ``asyncio.run``, but does not wait for ever for a player that will not be stopped."""
    runner = asyncio.Runner()
    try:
        return runner.run(work)
    finally:
        loop = runner.get_loop()
        # Where a second Ctrl-C came in between, the end of the game is still to stop the loop: now, not later.
        loop.call_soon(loop.stop)
        loop.run_forever()
        left = asyncio.all_tasks(loop)
        for task in left:
            task.cancel()
        if left:
            loop.run_until_complete(asyncio.wait(left, timeout=PARTING))
        if asyncio.all_tasks(loop):
            loop.set_exception_handler(lambda *_: None)
            loop.close()
        else:
            runner.close()
