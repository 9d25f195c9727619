"""What the server says, before it is put into the words of a protocol."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Finish = Literal["stop", "length", "refusal", "content_filter"]


@dataclass(frozen=True, slots=True)
class Spoken:
    """One completion."""

    text: str
    finish: Finish = "stop"
    tool: str | None = None
    """Set: the text is the JSON of this tool's arguments."""
    reasoning: str = ""
    refusal: str = ""
    usage: bool = True
    """Whether the figures of usage are sent."""


@dataclass(frozen=True, slots=True)
class Tokens:
    """What a call counts: one token for each four bytes of UTF-8 begun."""

    input: int
    cached: int = 0
    stored: int = 0
    output: int = 0
    reasoning: int = 0

    @property
    def fresh(self) -> int:
        """Input that was neither read from the cache nor written to it."""
        return self.input - self.cached - self.stored


NONE = Tokens(0)


@dataclass(frozen=True, slots=True)
class Refused:
    """An error instead of a completion: status, JSON body (or raw bytes) and headers."""

    status: int
    body: Mapping[str, Any] | bytes
    headers: Mapping[str, str] = field(default_factory=dict)


def tokens_of(data: bytes | str) -> int:
    """One token for each four bytes of UTF-8 begun.

    >>> tokens_of("abcde"), tokens_of("")
    (2, 0)
    """
    size = len(data) if isinstance(data, bytes) else len(data.encode("utf-8", "surrogatepass"))
    return -(-size // 4)
