"""The routes of the server, and how a verdict goes over the wire."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

from diplomat.testing.loopback import anthropic_wire, openai_wire
from diplomat.testing.loopback.asked import Protocol
from diplomat.testing.loopback.desk import Call, Desk, Verdict
from diplomat.testing.loopback.gate import wrong_key
from diplomat.testing.loopback.spoken import Refused

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.types import Receive, Scope, Send

DRIP = 0.1
"""Seconds between two signs of life of fault ``drip``."""
CHUNK = 1 << 16
HangUp: TypeAlias = Callable[[Any], None]
STALLS: Mapping[str, int] = {"hang": 0, "hang_headers": 1, "hang_mid": 2, "drip": 1, "cut": 2, "cut_early": 0}
"""How far the reply gets: 0 nothing, 1 the headers, 2 half of the body."""


def build(desk: Desk, closing: asyncio.Event, hang_up: HangUp) -> Starlette:
    """The application; ``closing`` ends everything that hangs, ``hang_up`` a connection by the caller's address."""
    from starlette.applications import Starlette
    from starlette.responses import JSONResponse
    from starlette.routing import Route

    async def models(request: Request) -> Response:
        if wrong_key(desk.settings, _key(request)):
            return JSONResponse({"error": {"message": "Incorrect API key provided."}}, 401)
        names = desk.settings.models or ("loopback",)
        return JSONResponse({"object": "list", "data": [_listed(name) for name in names], "has_more": False})

    async def stats(request: Request) -> Response:
        return JSONResponse(desk.stats())

    async def chat(request: Request) -> Sending:
        return await _receive("openai", request)

    async def messages(request: Request) -> Sending:
        return await _receive("anthropic", request)

    async def _receive(protocol: Protocol, request: Request) -> Sending:
        raw = await request.body()
        call = desk.received(request.url.path, raw, dict(request.headers))
        verdict = desk.judge(protocol, call, raw, _key(request))
        return Sending(desk, call, verdict, protocol, closing, lambda: hang_up(request.scope.get("client")))

    return Starlette(
        routes=[
            Route("/v1/models", models, methods=["GET"]),
            Route("/v1/chat/completions", chat, methods=["POST"]),
            Route("/v1/messages", messages, methods=["POST"]),
            Route("/stats", stats, methods=["GET"]),
        ]
    )


class Sending:
    """One reply on its way: waits, sends, and stalls where its fault says so."""

    def __init__(
        self,
        desk: Desk,
        call: Call,
        verdict: Verdict,
        protocol: Protocol,
        closing: asyncio.Event,
        hang_up: Callable[[], None],
    ) -> None:
        self._desk, self._call, self._verdict = desk, call, verdict
        self._hang_up = hang_up
        self._wire = openai_wire if protocol == "openai" else anthropic_wire
        self._closing = closing

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Sends it all, or as much as the fault allows."""
        gone = asyncio.ensure_future(self._gone(receive))
        try:
            worked = time.monotonic() - self._call.began  # a model's own work is part of the time it takes
            if not await self._rest(max(0.0, self._verdict.wait - worked), gone):
                await self._send(send, gone)
        except OSError:
            self._call.gone = True
        finally:
            gone.cancel()
            self._call.ended = time.monotonic()
            self._desk.forget(self._call)

    async def _send(self, send: Send, gone: asyncio.Future[None]) -> None:
        stop = STALLS.get(self._verdict.fault, 3) if self._verdict.refused is None else 3
        if stop == 0:
            await self._stall(send, gone)
            return
        status, headers, body = self._payload()
        self._call.status = status
        named = [(name.encode(), value.encode()) for name, value in headers.items()]
        await send({"type": "http.response.start", "status": status, "headers": named})
        if stop == 1:
            await send({"type": "http.response.body", "body": b"", "more_body": True})
            await self._stall(send, gone)
            return
        pieces = list(body)
        if stop == 2:
            pieces = pieces[: len(pieces) // 2] if len(pieces) > 1 else [pieces[0][: len(pieces[0]) // 2]]
        async for piece in _paced(pieces):
            if gone.done():
                self._call.gone = True
                return
            await send({"type": "http.response.body", "body": piece, "more_body": True})
        if stop == 2:
            await self._stall(send, gone)
            return
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _stall(self, send: Send, gone: asyncio.Future[None]) -> None:
        """Ends the connection at once for faults that cut it, else when the caller or the server goes."""
        if self._verdict.fault in ("cut", "cut_early"):
            if self._verdict.fault == "cut_early":
                self._hang_up()
            return
        streaming = self._verdict.asked is not None and self._verdict.asked.stream
        while not await self._rest(DRIP if self._verdict.fault == "drip" else None, gone):
            await send({"type": "http.response.body", "body": b": wait\n\n" if streaming else b" ", "more_body": True})

    async def _rest(self, seconds: float | None, gone: asyncio.Future[None]) -> bool:
        """Waits; True when the caller hung up or the server closes before the time is over."""
        if seconds == 0:
            return False
        closing = asyncio.ensure_future(self._closing.wait())
        try:
            awaited: set[asyncio.Future[Any]] = {gone, closing}
            done, _ = await asyncio.wait(awaited, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        finally:
            closing.cancel()
        self._call.gone = self._call.gone or gone in done
        return bool(done)

    async def _gone(self, receive: Receive) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass

    def _payload(self) -> tuple[int, dict[str, str], Iterable[bytes]]:
        """Status, headers and body in pieces."""
        verdict = self._verdict
        if verdict.refused is not None:
            return _error(verdict.refused, verdict.name)
        verdict = self._desk.counted(verdict, self._call)
        assert verdict.said is not None
        assert verdict.asked is not None
        stream = verdict.asked.stream
        kind = "text/event-stream; charset=utf-8" if stream else "application/json"
        headers = {"content-type": kind, "x-request-id": f"req_{verdict.name}", "request-id": f"req_{verdict.name}"}
        if verdict.fault == "not_json":
            return 200, {**headers, "content-type": "text/html"}, [b"<html><body>Sign in to continue</body></html>"]
        if verdict.fault == "too_long_unsaid":
            pieces = []
        elif stream:
            pieces = list(self._wire.stream(verdict.said, verdict.asked, verdict.tokens, verdict.name))
        else:
            whole = self._wire.completion(verdict.said, verdict.asked, verdict.tokens, verdict.name)
            data = json.dumps(whole, ensure_ascii=False).encode("utf-8", "replace")
            pieces = [data[start : start + CHUNK] for start in range(0, len(data), CHUNK)]
        return 200, headers, self._garbled(pieces, stream)

    def _garbled(self, pieces: list[bytes], stream: bool) -> list[bytes]:
        """The body with the faults of bytes in it."""
        verdict = self._verdict
        assert verdict.asked is not None
        if verdict.fault == "not_utf8":
            middle = len(pieces) // 2
            pieces[middle] = _with_bad_bytes(pieces[middle])
        if verdict.fault == "error_in_body":
            refused = self._wire.refused("overloaded", verdict.asked, verdict.tokens, 0)
            if not stream:
                return [json.dumps(refused.body).encode()]
            return [*pieces[: len(pieces) // 2], self._wire.stream_error(refused)]
        return pieces


def _with_bad_bytes(piece: bytes) -> bytes:
    r"""Two bytes that no UTF-8 has, inside of the last string of the piece.

    >>> _with_bad_bytes(b'{"a": "b"}')
    b'{"a": "b\xff\xfe"}'
    """
    at = piece.rfind(b'"')
    return piece[:at] + b"\xff\xfe" + piece[at:]


def _error(refused: Refused, name: str) -> tuple[int, dict[str, str], list[bytes]]:
    body = refused.body if isinstance(refused.body, bytes) else json.dumps(refused.body).encode()
    return refused.status, {"content-type": "application/json", "request-id": "req_loopback", **refused.headers}, [body]


async def _paced(pieces: Iterable[bytes]) -> AsyncIterator[bytes]:
    """The pieces, with a turn for the others between them."""
    for piece in pieces:
        yield piece
        await asyncio.sleep(0)


def _key(request: Request) -> str:
    return request.headers.get("authorization", "").removeprefix("Bearer ") or request.headers.get("x-api-key", "")


def _listed(name: str) -> dict[str, Any]:
    """A model as both protocols list it."""
    dates = {"created": 0, "created_at": "1970-01-01T00:00:00Z"}
    return {"id": name, "object": "model", "type": "model", "display_name": name, "owned_by": "loopback", **dates}
