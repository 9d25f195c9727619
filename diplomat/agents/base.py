"""The one thing a player must do."""

from __future__ import annotations

from typing import Any, Protocol

from diplomat.core.game import Decision, Reply


class Agent(Protocol):
    """A player at the table."""

    instant: bool
    """Whether :meth:`decide` never waits for anything, so that no event loop is needed."""

    async def decide(self, decision: Decision[Any]) -> Reply:
        """The reply to one question; may raise or take too long, then the default is taken."""
