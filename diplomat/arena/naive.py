"""The client to compare with: for every question it sends rules, character, history, view and question anew.

On top stands the number of the turn, so that no two of its prompts begin alike.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from diplomat.agents.llm.agent import LlmAgent
from diplomat.agents.llm.lines import Lines
from diplomat.agents.llm.memory import Memory
from diplomat.arena.watched import Watched
from diplomat.core.audience import Seat
from diplomat.core.game import Decision, Reply
from diplomat.core.plain import canonical
from diplomat.llm.base import Call, Completion
from diplomat.llm.desk import Desk
from diplomat.session import Session

BYTES = 4
"""Bytes of a token, as the loopback server counts them."""


class NaiveShare(Watched):
    """Counts, for the calls of a game, what the naive client would send for the same questions."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.tokens = 0
        self.decisions = 0
        self._game, self._lang = session.game, session.lang
        self._memories = {
            seat: Memory(session.game, seat, session.settings, session.seats, Lines(session.game, seat, session.lang))
            for seat in session.seats
        }
        self._history = dict.fromkeys(session.seats, 0)
        """Bytes of all that each seat was told since the game began."""
        self._asked: dict[Seat, int] = {}
        """Bytes of view, question and menu of each seat's last question."""

    def _watch(self) -> None:
        self._put(LlmAgent, "decide", self._counted(LlmAgent.decide))
        self._put(Desk, "ask", self._weighed(Desk.ask))

    def _counted(self, decide: Callable[..., Any]) -> Callable[..., Any]:
        async def counted(agent: LlmAgent, decision: Decision[Any]) -> Reply:
            seat, side = decision.request.seat, self._game.side
            self.decisions += 1
            if decision.problem is None:
                memory = self._memories[seat]
                memory.hear(decision.news)
                self._history[seat] += sum(_size(line) + 1 for line in memory.take() or ())
            view = side.text(decision.known, self._lang) + side.ask(decision.known, decision.request, self._lang)
            self._asked[seat] = _size(view) + _size(canonical(decision.question.menu.schema()))
            reply: Reply = await decide(agent, decision)
            return reply

        return counted

    def _weighed(self, ask: Callable[..., Any]) -> Callable[..., Any]:
        async def weighed(desk: Desk, endpoint: Any, call: Call) -> Completion:
            seat = Seat(call.seat)
            fixed = sum(_size(part.text) for part in call.system)
            self.tokens += (fixed + self._history[seat] + self._asked[seat]) // BYTES
            completion: Completion = await ask(desk, endpoint, call)
            return completion

        return weighed


def _size(text: str) -> int:
    return len(text.encode())
