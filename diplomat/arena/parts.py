"""Where the processor time of a game with language models goes, and how many waves of calls it had."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from diplomat.agents.llm.agent import LlmAgent
from diplomat.agents.llm.memory import Memory
from diplomat.arena.watched import Watched
from diplomat.llm.base import Call, Completion
from diplomat.llm.desk import Desk
from diplomat.table.table import Table

_STEPS = (
    ("prompt", Memory, "hear"),
    ("prompt", LlmAgent, "_begin"),
    ("parse", LlmAgent, "_planned"),
    ("parse", LlmAgent, "_reply"),
    ("rules", Table, "_decision"),
    ("rules", Table, "_apply"),
)
"""What is timed as which part; what is left is the SDK, the network and the event loop."""


class Parts(Watched):
    """Takes times while it is open; for one benchmark at a time."""

    def __init__(self) -> None:
        super().__init__()
        self.spent = {"prompt": 0.0, "parse": 0.0, "rules": 0.0}
        """Seconds of processor time."""
        self.decisions = 0
        """Questions that were put to a model or answered from its plan."""
        self.waves = 0
        """How often the table went from nobody being called to somebody being called."""
        self._calling = 0

    def _watch(self) -> None:
        for part, owner, name in _STEPS:
            self._put(owner, name, self._timed(part, getattr(owner, name)))
        self._put(LlmAgent, "decide", self._counted(LlmAgent.decide))
        self._put(Desk, "ask", self._watched(Desk.ask))

    def _timed(self, part: str, step: Callable[..., Any]) -> Callable[..., Any]:
        def timed(*args: Any, **named: Any) -> Any:
            began = time.process_time()
            try:
                return step(*args, **named)
            finally:
                self.spent[part] += time.process_time() - began

        return timed

    def _counted(self, decide: Callable[..., Any]) -> Callable[..., Any]:
        async def counted(agent: LlmAgent, decision: Any) -> Any:
            self.decisions += 1
            return await decide(agent, decision)

        return counted

    def _watched(self, ask: Callable[..., Any]) -> Callable[..., Any]:
        async def watched(desk: Desk, endpoint: Any, call: Call) -> Completion:
            self.waves += self._calling == 0
            self._calling += 1
            try:
                completion: Completion = await ask(desk, endpoint, call)
            finally:
                self._calling -= 1
            return completion

        return watched
