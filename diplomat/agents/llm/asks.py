"""The one thing that the agent needs from whoever sends its calls."""

from __future__ import annotations

from typing import Any, Protocol

from diplomat.llm.base import Call, Completion


class Asks(Protocol):
    """Takes a call to a model and brings its completion: the desk of a game, or a fake in tests."""

    async def ask(self, endpoint: Any, call: Call) -> Completion:
        """What the model gave back.

        Raises ProviderFault when there is no completion; core OutOfTime and Suspended are passed on.
        """
