"""What is asked of a model and what comes back, the same for every provider."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

Role = Literal["user", "assistant"]
Finish = Literal["stop", "length", "refusal"]
"""``length``: cut by the token limit.  ``refusal``: the model or its filter declined."""

Mode = Literal["schema", "object", "tool", "text"]
"""How a structured reply is asked for: strict JSON schema, JSON mode with the schema beside it, a
tool call, or plain text with JSON in it."""


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of the instructions that stays byte for byte the same from call to call."""

    text: str
    keep: bool = True
    """Whether everything up to its end is worth a place in the provider's prompt cache."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn of the conversation."""

    role: Role
    text: str
    keep: bool = False
    """Whether everything up to its end is worth a place in the provider's prompt cache."""


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a model."""

    id: str
    """``SEAT/REQUEST#TRY``: unique within a game, and the same when the game is played again."""
    seat: str
    purpose: str
    """The form of the request (``talk``, ``place`` …): what costs are counted by."""
    system: tuple[Part, ...]
    turns: tuple[Turn, ...]
    schema: Mapping[str, Any]
    """JSON schema of the reply: an object, all of its properties required, closed."""
    max_output: int
    """Tokens that the reply may have, thinking included."""
    constrained: bool = True
    """Whether the server is asked to hold the reply to the schema."""


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one call; input is the sum of fresh, cached and stored."""

    fresh: int = 0
    """Input tokens paid in full."""
    cached: int = 0
    """Input tokens read from the provider's cache."""
    stored: int = 0
    """Input tokens written to the provider's cache (Anthropic bills them apart)."""
    output: int = 0
    """Output tokens, thinking included."""
    thinking: int = 0
    """Of the output, what was spent on thinking, where the provider says so."""

    @property
    def input(self) -> int:
        """All input tokens."""
        return self.fresh + self.cached + self.stored


@dataclass(frozen=True, slots=True)
class Completion:
    """What a model gave back."""

    text: str
    finish: Finish = "stop"
    usage: Usage = field(default_factory=Usage)
    thinking: str = ""
    """The model's reasoning where the provider hands it over: sealed in the calls file, never in talk."""
    provider_id: str = ""
    """The provider's own id of the request."""
    mode: Mode = "text"


@dataclass(frozen=True, slots=True)
class Timeouts:
    """Seconds that one attempt may take."""

    connect: float = 10.0
    idle: float = 120.0
    """Without a byte from the server; a model on a slow machine reads a long prompt in silence."""
    total: float = 600.0


class Provider(Protocol):
    """One server, spoken to in its own protocol; a single attempt, no retries."""

    name: str
    """``openai``, ``anthropic`` or the server's address: what limits and prices are kept by."""

    async def complete(self, model: str, call: Call, mode: Mode) -> Completion:
        """One attempt; raises :class:`ProviderFault` for everything that is no completion."""

    async def close(self) -> None:
        """Lets go of the connections."""


FaultKind = Literal[
    "rate",  # 429
    "overloaded",  # 5xx, 529
    "connection",  # could not connect, cut off, garbled bytes
    "timeout",  # idle or total time ran out
    "too_long",  # the prompt does not fit into the model's context
    "unsupported",  # the server does not take this mode of structured output
    "denied",  # no key, wrong key, no credit
    "unknown_model",
    "rejected",  # any other 4xx
]
PASSING: frozenset[str] = frozenset({"rate", "overloaded", "connection", "timeout"})
"""Faults that may be gone a moment later."""


class ProviderFault(Exception):
    """A call that brought no completion; the text is fit for a person and holds no key."""

    def __init__(
        self,
        kind: FaultKind,
        text: str,
        *,
        retry_after: float | None = None,
        status: int | None = None,
        billed: bool = False,
    ) -> None:
        """``billed``: the server may have worked on it, so it may cost as much as a completion."""
        self.kind: FaultKind = kind
        self.retry_after = retry_after
        self.status = status
        self.billed = billed
        super().__init__(text)

    @property
    def passing(self) -> bool:
        """Whether trying again unchanged makes sense."""
        return self.kind in PASSING
