"""One attempt through an SDK: the request goes out as bytes, the reply is folded event by event.

The SDK makes the connection, signs the request and tells statuses apart; its typed stream is not
used, since it builds an object for every few letters and stumbles over replies without a usage.
"""

from __future__ import annotations

import asyncio
import json
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import replace
from typing import Any, Protocol

from diplomat.llm.base import Call, Completion, Mode, ProviderFault, Timeouts
from diplomat.llm.clients import Lease, drain, timeout_of
from diplomat.llm.faults import is_filtered, of_event, of_exception
from diplomat.llm.keys import masked
from diplomat.llm.names import Endpoint
from diplomat.llm.wire import Events, TooMuch


class Fold(Protocol):
    """Puts one reply together."""

    def take(self, event: dict[str, Any]) -> None:
        """Adds an event; anything may be missing from it."""

    def completion(self, *, done: bool) -> Completion | None:
        """The whole reply; None if it was cut off.  ``done``: the server said that nothing follows."""


class _Unsaid(ProviderFault):
    """A reply was granted, and nothing came of it."""


class Streamed(ABC):
    """A provider that is spoken to through its SDK."""

    path: str
    models_path: str
    tongue_tied = False
    """Whether such a server may end a stream without a word and give the reason only where none is asked for.

    A call that met with this is made without a stream at its next attempt.
    """

    def __init__(self, endpoint: Endpoint, timeouts: Timeouts | None = None) -> None:
        self.name = endpoint.provider
        self._endpoint = endpoint
        self._timeouts = timeouts or Timeouts()
        self._lease: Lease | None = None
        self._unsaid: set[str] = set()
        # Loading an SDK takes seconds on a slow machine: before the game, not within the time of a call.
        self._stream_class = self.stream_class()

    @abstractmethod
    def body(self, model: str, call: Call, mode: Mode) -> dict[str, Any]:
        """The request as JSON data, asking for a stream."""

    @abstractmethod
    def fold(self, mode: Mode) -> Fold:
        """An empty reply."""

    @abstractmethod
    def stream_class(self) -> Any:
        """The SDK's class of streams, which its signatures ask for."""

    def adapts(self, fault: ProviderFault) -> bool:
        """Whether the fault taught how this server wants to be asked, so that it is worth asking anew."""
        return False

    async def complete(self, model: str, call: Call, mode: Mode) -> Completion:
        """One attempt; raises :class:`ProviderFault` for everything that is no completion."""
        while True:
            got = await self._attempt(model, call, mode, stream=call.id not in self._unsaid)
            if isinstance(got, _Unsaid) and self.tongue_tied:
                self._unsaid.add(call.id)
            elif isinstance(got, Completion) or got.kind != "connection":
                # After such a stream the server may have hung up, so a broken connection says nothing yet.
                self._unsaid.discard(call.id)
            if isinstance(got, Completion):
                return got
            if is_filtered(got):
                return Completion("", "refusal", mode=mode)
            if not self.adapts(got):
                raise got

    async def _attempt(self, model: str, call: Call, mode: Mode, *, stream: bool) -> Completion | ProviderFault:
        # The fault is returned and raised elsewhere, so that no traceback leads to the SDK's request and its key.
        where, events, fold = replace(self._endpoint, model=model).name, Events(), self.fold(mode)
        body = self.body(model, call, mode)
        content = encoded(body if stream else _unstreamed(body))
        client, limit = self._client(), asyncio.timeout(self._timeouts.total)
        begun = False
        try:
            async with limit, aclosing(self._chunks(client, content)) as chunks:
                async for chunk in chunks:
                    begun = True
                    for event in events.feed(chunk):
                        _take(fold, event, mode, where)
                    if events.done:
                        await drain(chunks)
                        break
                for event in events.end():
                    _take(fold, event, mode, where)
        except ProviderFault as fault:
            return fault
        except TooMuch as fault:
            return ProviderFault("rejected", masked(f"{where} sent {fault} and no end"), billed=True)
        except Exception as fault:  # noqa: BLE001 — whatever SDK and server come up with, the attempt has failed
            if limit.expired():
                return ProviderFault("timeout", f"{where} took more than {self._timeouts.total:g} s", billed=True)
            return of_exception(fault, mode, where, begun=begun)
        if not begun:
            return _Unsaid("connection", f"{where} ended its reply before the first word", billed=True)
        whole = fold.completion(done=events.done)
        return whole or ProviderFault("connection", f"{where} broke off in the middle of its reply", billed=True)

    async def _chunks(self, client: Any, content: bytes) -> AsyncGenerator[bytes, None]:
        import httpx2

        response = await client.post(
            self.path,
            cast_to=httpx2.Response,
            content=content,
            options={"headers": {"content-type": "application/json"}, "timeout": timeout_of(self._timeouts)},
            stream=True,
            stream_cls=self._stream_class,
        )
        try:
            async with aclosing(response.aiter_bytes()) as chunks:
                async for chunk in chunks:
                    yield chunk
        finally:
            await response.aclose()

    async def models(self) -> tuple[str, ...]:
        """The models that the server lists; ProviderFault if it cannot be asked."""
        import httpx2

        client = self._client()
        try:
            async with asyncio.timeout(self._timeouts.total):
                response = await client.get(
                    self.models_path, cast_to=httpx2.Response, options={"timeout": timeout_of(self._timeouts)}
                )
            listed = response.json().get("data") or ()
            return tuple(str(entry["id"]) for entry in listed)
        except Exception as error:  # noqa: BLE001 — as above
            fault = of_exception(error, "text", self.name, begun=False)
        raise fault

    def _client(self) -> Any:
        if self._lease is None:
            self._lease = Lease(self._endpoint)
        return self._lease.client

    async def close(self) -> None:
        """Lets go of the connections."""
        lease, self._lease = self._lease, None
        if lease is not None:
            await lease.close()


def _unstreamed(body: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in body.items() if name not in ("stream", "stream_options")}


def encoded(body: dict[str, Any]) -> bytes:
    """A request as UTF-8; half of a surrogate pair becomes a question mark."""
    return json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def _take(fold: Fold, event: dict[str, Any], mode: Mode, where: str) -> None:
    if event.get("error") or event.get("object") == "error" or event.get("type") == "error":
        raise of_event(event.get("error") or event, mode, where)
    fold.take(event)
