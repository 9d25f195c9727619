"""Players for tests: talkative, slow, broken or full of secrets."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from diplomat.agents.base import Agent
from diplomat.core.dice import Dice, Die
from diplomat.core.game import Decision, Reply
from diplomat.core.menus import Answer
from diplomat.core.pledges import Goal, Plan, Pledge
from diplomat.core.talk import EVERYONE, Message


class Chatty:
    """Answers at random and says something, to all or to one or two, nearly every time."""

    instant = True

    async def decide(self, decision: Decision[Any]) -> Reply:
        """A random answer with messages, a plan and a note."""
        die = decision.die("chatty")
        return Reply(
            answer=decision.question.menu.sample(die),
            say=tuple(_message(decision, die, number) for number in range(die.below(decision.window.messages + 2))),
            plan=Plan(text=f"plan of {decision.request.id}"),
            note=f"note of {decision.request.id}" if die.chance(0.5) else None,
        )


def _message(decision: Decision[Any], die: Die, number: int) -> Message:
    reach = decision.window.reach
    to: tuple[str, ...] = (EVERYONE,)
    if reach and die.chance(0.7):
        to = tuple(die.shuffled(reach)[: 1 + die.below(2)])
    goal = Goal("no such verb", decision.request.seat, 1, 1)
    pledges = (Pledge("promise", (goal,)),) if die.chance(0.2) else ()
    return Message(to, f"{decision.request.id} says {number}", pledges)


class Tardy:
    """Passes every question on to another player, after others had their chance to be quicker."""

    instant = False

    def __init__(self, agent: Agent, seed: str) -> None:
        self._agent = agent
        self._dice = Dice(seed)

    async def decide(self, decision: Decision[Any]) -> Reply:
        """The other player's reply, late by a random number of turns of the event loop."""
        for _ in range(self._dice.die(decision.request.id).below(30)):
            await asyncio.sleep(0)
        return await self._agent.decide(decision)


class Scripted:
    """Answers with what a function makes of the decision, and remembers every decision."""

    def __init__(self, reply: Callable[[Decision[Any]], Any], *, instant: bool = True) -> None:
        self.instant = instant
        self.decisions: list[Decision[Any]] = []
        self._reply = reply

    async def decide(self, decision: Decision[Any]) -> Reply:
        """Whatever the function gives, be it a reply or not."""
        self.decisions.append(decision)
        made: Reply = self._reply(decision)
        return made


def drawn(decision: Decision[Any]) -> Answer:
    """A random legal answer."""
    return decision.question.menu.sample(decision.die("drawn"))


def silent(decision: Decision[Any]) -> Reply:
    """A random answer without a word."""
    return Reply(drawn(decision))


class Raising:
    """Fails at every question."""

    instant = True

    def __init__(self, fault: BaseException) -> None:
        self._fault = fault

    async def decide(self, _: Decision[Any]) -> Reply:
        """Never returns."""
        raise self._fault


class Sleeping:
    """Never answers."""

    instant = False

    async def decide(self, _: Decision[Any]) -> Reply:
        """Waits for an hour."""
        await asyncio.sleep(3600)
        return Reply(None)
