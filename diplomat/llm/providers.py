"""The provider that speaks an endpoint's protocol."""

from __future__ import annotations

from diplomat.llm.base import Timeouts
from diplomat.llm.names import Endpoint
from diplomat.llm.streaming import Streamed


def provider_for(endpoint: Endpoint, timeouts: Timeouts | None = None) -> Streamed:
    """A provider that has not connected yet."""
    if endpoint.kind == "anthropic":
        from diplomat.llm.anthropic import Anthropic

        return Anthropic(endpoint, timeouts)
    from diplomat.llm.openai_like import OpenAILike

    return OpenAILike(endpoint, timeouts)
