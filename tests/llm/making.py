"""Calls, endpoints and providers for the tests of this folder."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import replace
from typing import Any, TypeVar

from diplomat.llm.base import Call, Completion, Mode, Part, ProviderFault, Turn, Usage
from diplomat.llm.names import Endpoint
from diplomat.llm.retry import Policy
from diplomat.testing.loopback import Loopback

T = TypeVar("T")

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"answer": {"type": "string", "enum": ["hold", "march"]}, "note": {"type": "string"}},
    "required": ["answer", "note"],
    "additionalProperties": False,
}
QUICK = Policy(attempts=3, total=60.0, first=0.01, most=0.02)


def call(number: int = 1, *, seat: str = "crab", text: str = "Your move.", **changes: Any) -> Call:
    made = Call(
        id=f"{seat}/r{number}#1",
        seat=seat,
        purpose="place",
        system=(Part("You are a daimyo. " * 20),),
        turns=(Turn("user", text),),
        schema=SCHEMA,
        max_output=300,
    )
    return replace(made, **changes)


def openai_at(server: Loopback, model: str = "gpt-4o-mini") -> Endpoint:
    return Endpoint("openai", model, server.openai_url)


def anthropic_at(server: Loopback, model: str = "claude-haiku-4-5") -> Endpoint:
    return Endpoint("anthropic", model, server.url)


def server_at(server: Loopback, model: str = "qwen") -> Endpoint:
    return Endpoint("server", model, server.openai_url)


def run(work: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(asyncio.wait_for(work, 60))


Reply = Completion | ProviderFault | Callable[[], Awaitable[Completion]]


class Fake:
    """A provider that gives what it is told, and counts."""

    def __init__(self, *replies: Reply, name: str = "fake") -> None:
        self.name = name
        self.replies = list(replies)
        self.asked: list[tuple[str, Mode]] = []
        self.closed = False

    async def complete(self, model: str, call: Call, mode: Mode) -> Completion:
        self.asked.append((call.id, mode))
        reply = self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]
        if isinstance(reply, ProviderFault):
            raise reply
        if isinstance(reply, Completion):
            return replace(reply, mode=mode)
        return await reply()

    async def close(self) -> None:
        self.closed = True


GOOD = Completion('{"answer":"hold","note":""}', usage=Usage(fresh=100, output=10), thinking="hm", provider_id="x1")


class Hours:
    """A clock that only sleeping moves."""

    def __init__(self) -> None:
        self.now = 0.0
        self.slept: list[float] = []

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds
        await asyncio.sleep(0)
