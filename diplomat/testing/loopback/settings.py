"""What a loopback server is told when it starts, checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from diplomat.core.errors import BadSettings, UnknownName
from diplomat.testing.loopback.asked import MODES, Mode
from diplomat.testing.loopback.faults import check_rates
from diplomat.testing.loopback.player import POLICIES, Policy

Unsupported = Literal["reject", "llamacpp", "ignore"]
UNSUPPORTED: tuple[Unsupported, ...] = ("reject", "llamacpp", "ignore")


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How the server behaves; BadSettings or UnknownName say what does not fit."""

    delay: float = 0.0
    """Seconds before a reply begins."""
    jitter: float = 0.0
    """Up to this many seconds more, drawn by content."""
    faults: float | Mapping[str, float] = 0.0
    """Rate of all everyday faults together, or the rate of each by name."""
    seed: int = 0
    policy: Policy = "random"
    context: int | None = None
    """Tokens of prompt that fit; None: all."""
    modes: Sequence[Mode] = MODES
    """The modes of structured output that the server takes."""
    unsupported: Unsupported = "reject"
    """What becomes of the other modes: a 400; HTTP 500 for schemas as llama.cpp's Python server gives; silence."""
    strict: bool = True
    """Whether schemas that the real service would not take are refused."""
    models: Sequence[str] = ()
    """The models there are; empty: every name is known."""
    key: str | None = None
    """The key that must be sent; None: any."""
    retry_after: float = 1.0
    """Seconds in the Retry-After of fault ``rate_limited``."""
    cache_block: int = 128
    """Tokens in one step of the cache; 1: to the token."""
    cache_least: int = 1024
    """Prefixes of fewer tokens are not cached."""
    keep: bool = True
    """Whether bodies and replies are kept with the calls; a server nobody can look into need not."""

    def __post_init__(self) -> None:
        check_rates(self.faults)
        _known("policy", self.policy, POLICIES)
        _known("choice for unsupported modes", self.unsupported, UNSUPPORTED)
        for mode in self.modes:
            _known("mode", mode, MODES)
        for name in ("delay", "jitter", "retry_after", "cache_least"):
            if getattr(self, name) < 0:
                raise BadSettings(f"{name} is {getattr(self, name)}; it must not be negative")
        for name in ("context", "cache_block"):
            if getattr(self, name) is not None and getattr(self, name) < 1:
                raise BadSettings(f"{name} is {getattr(self, name)}; it must be at least 1")


def _known(what: str, name: str, known: Sequence[str]) -> None:
    if name not in known:
        raise UnknownName(what, name, known)
