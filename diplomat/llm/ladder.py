"""Structured output by whatever a server can do: schema, JSON mode, tool call, plain text."""

from __future__ import annotations

import json
from collections.abc import Mapping

from diplomat.llm.base import Call, Completion, Mode, Provider, ProviderFault
from diplomat.llm.known import Known
from diplomat.llm.names import Endpoint

_STEPS: dict[str, tuple[Mode, ...]] = {
    "openai": ("schema", "object", "tool", "text"),
    # There is no JSON mode without a schema in this protocol.
    "anthropic": ("schema", "tool", "text"),
    "server": ("schema", "object", "tool", "text"),
    "local": ("schema", "object", "tool", "text"),
}


IGNORED = 3
"""Replies in prose, none of them as asked, after which a form counts as ignored."""
HEEDED = 20
"""Replies in prose on top of these that it takes after one that was as asked."""


def steps(endpoint: Endpoint) -> tuple[Mode, ...]:
    """The forms that an endpoint's protocol has, best first."""
    return _STEPS[endpoint.kind]


class Ladder:
    """Finds once per endpoint how it is asked, and steps down when it refuses or pays no heed."""

    def __init__(self, known: Known) -> None:
        self._known = known
        self._at: dict[Endpoint, Mode] = {}
        self._unheeded: dict[tuple[Endpoint, Mode], int] = {}

    def mode(self, endpoint: Endpoint) -> Mode:
        """The form to ask in now."""
        if endpoint not in self._at:
            remembered = self._known.mode(endpoint)
            self._at[endpoint] = remembered if remembered in steps(endpoint) else steps(endpoint)[0]
        return self._at[endpoint]

    def below(self, endpoint: Endpoint, mode: Mode) -> Mode | None:
        """Steps down from a form that was refused; None if there is nothing below."""
        order = steps(endpoint)
        place = order.index(mode) + 1
        if place == len(order):
            return None
        # Calls run in parallel: another one may have stepped down further already.
        if order.index(self.mode(endpoint)) < place:
            self._at[endpoint] = order[place]
        return self._at[endpoint]

    async def ask(self, provider: Provider, endpoint: Endpoint, call: Call) -> Completion:
        """One attempt, in as many forms as it takes; ProviderFault as from the provider."""
        if not call.constrained:
            return await provider.complete(endpoint.model, call, "text")
        mode = self.mode(endpoint)
        while True:
            try:
                got = await provider.complete(endpoint.model, call, mode)
            except ProviderFault as fault:
                lower = self.below(endpoint, mode) if fault.kind == "unsupported" else None
                if lower is None:
                    raise
                mode = lower
                continue
            if got.finish == "stop":
                self._judge(endpoint, mode, is_object(got.text))
            return got

    def _judge(self, endpoint: Endpoint, mode: Mode, heeded: bool) -> None:
        """Steps down from a form that a server takes and ignores; a slip now and then is no ignoring.

        The replies are used all the same: reading them is the caller's business.
        """
        key = (endpoint, mode)
        if heeded or mode == "text":
            self._unheeded[key] = -HEEDED
            if self.mode(endpoint) == mode:
                self._known.remember(endpoint, mode)
            return
        self._unheeded[key] = self._unheeded.get(key, 0) + 1
        if self._unheeded[key] >= IGNORED:
            self.below(endpoint, mode)


def is_object(text: str) -> bool:
    """Whether a text is one JSON object, a fence around it allowed."""
    body = text.strip()
    if body.startswith("```"):
        body = body.strip("`").removeprefix("json").strip()
    try:
        return isinstance(json.loads(body), Mapping)
    except (ValueError, RecursionError):
        return False
