"""Where the processor time of a game with language models goes, and how many waves of calls it had."""

from __future__ import annotations

import time
from collections.abc import Callable
from types import TracebackType
from typing import Any

from diplomat.agents.llm.agent import LlmAgent
from diplomat.llm.base import Call, Completion
from diplomat.llm.desk import Desk
from diplomat.table.table import Table

_STEPS = (
    ("prompt", LlmAgent, "_begin"),
    ("parse", LlmAgent, "_reply"),
    ("rules", Table, "_decision"),
    ("rules", Table, "_apply"),
)
"""What is timed as which part; what is left is the SDK, the network and the event loop."""


class Parts:
    """Takes times while it is open; for one benchmark at a time."""

    def __init__(self) -> None:
        self.spent = {"prompt": 0.0, "parse": 0.0, "rules": 0.0}
        """Seconds of processor time."""
        self.decisions = 0
        """Questions that were put to a model or answered from its plan."""
        self.waves = 0
        """How often the table went from nobody being called to somebody being called."""
        self._calling = 0
        self._kept: list[tuple[type[Any], str, Any]] = []

    def __enter__(self) -> Parts:
        for part, owner, name in _STEPS:
            self._put(owner, name, self._timed(part, getattr(owner, name)))
        self._put(LlmAgent, "decide", self._counted(LlmAgent.decide))
        self._put(Desk, "ask", self._watched(Desk.ask))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        for owner, name, kept in reversed(self._kept):
            setattr(owner, name, kept)

    def _put(self, owner: type[Any], name: str, new: Callable[..., Any]) -> None:
        self._kept.append((owner, name, getattr(owner, name)))
        setattr(owner, name, new)

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
