"""Players that stand in for others: one who takes over a seat in mid-game, one who leaves a message unsaid."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from diplomat.agents.base import Agent
from diplomat.core.events import Event
from diplomat.core.game import Decision, Reply


class Relay:
    """One player until the hour comes, another from then on, who is first told all that the seat may know."""

    trusted = False

    def __init__(self, before: Agent, after: Agent, has_come: Callable[[], bool]) -> None:
        self._before, self._after, self._has_come = before, after, has_come
        self._told: list[Event] = []
        self._over = False
        self.instant = before.instant and after.instant

    async def decide(self, decision: Decision[Any]) -> Reply:
        """The reply of whoever holds the seat when the question is put."""
        self._over = self._over or (decision.problem is None and self._has_come())
        if not self._over:
            self._told.extend(decision.news)
            return await self._before.decide(decision)
        news, self._told = (*self._told, *decision.news), []
        return await self._after.decide(replace(decision, news=news))


class Silence:
    """A player one of whose messages is never sent."""

    trusted = False

    def __init__(self, player: Agent, request: str, place: int) -> None:
        """The message is the one at ``place``, from 0, of what the reply to ``request`` hands over."""
        self._player, self._request, self._place = player, request, place
        self.instant = player.instant

    async def decide(self, decision: Decision[Any]) -> Reply:
        """The player's reply without that message."""
        reply = await self._player.decide(decision)
        if decision.request.id != self._request:
            return reply
        return replace(reply, say=(*reply.say[: self._place], *reply.say[self._place + 1 :]))
