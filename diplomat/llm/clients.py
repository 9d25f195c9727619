"""One SDK client per server and event loop, shared by all tables of the process."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from diplomat.llm.base import Timeouts
from diplomat.llm.keys import key_of
from diplomat.llm.limiter import MOST
from diplomat.llm.names import Endpoint, is_near

if TYPE_CHECKING:
    import httpx2

CONNECTIONS = MOST
"""As many as the limiter lets run at once."""
NO_KEY = "none"
"""Stands for the key of servers that ask for none, as the SDK does not go without; it is taken off again."""

_KEPT = frozenset(
    {"host", "content-type", "content-length", "transfer-encoding", "accept", "accept-encoding", "connection"}
)


@dataclass(slots=True)
class _Shared:
    client: Any
    users: int = 0


_clients: dict[tuple[asyncio.AbstractEventLoop, str, str, str], _Shared] = {}
"""By event loop, kind, address and key."""


class Lease:
    """A share in a client; the last to let go closes it."""

    def __init__(self, endpoint: Endpoint) -> None:
        """UsageError when the endpoint needs a key and the environment has none."""
        key = key_of(endpoint)
        self._where = (asyncio.get_running_loop(), endpoint.kind, endpoint.address, key or "")
        for where in [where for where in _clients if where[0].is_closed()]:
            del _clients[where]  # its connections went with its loop
        shared = _clients.get(self._where)
        if shared is None:
            shared = _clients[self._where] = _Shared(_made(endpoint, key))
        shared.users += 1
        self._shared: _Shared | None = shared
        self.client: Any = shared.client

    async def close(self) -> None:
        """Gives the share back; a second time does nothing."""
        shared, self._shared = self._shared, None
        if shared is None:
            return
        shared.users -= 1
        if shared.users == 0:
            _clients.pop(self._where, None)
            await shared.client.close()


def _made(endpoint: Endpoint, key: str | None) -> Any:
    http = _http(endpoint, key)
    if endpoint.kind == "anthropic":
        import anthropic

        return anthropic.AsyncAnthropic(
            api_key=key,
            base_url=endpoint.address,
            max_retries=0,
            http_client=http,
            open_telemetry=False,
        )
    import openai

    return openai.AsyncOpenAI(api_key=key or NO_KEY, base_url=endpoint.address, max_retries=0, http_client=http)


def _http(endpoint: Endpoint, key: str | None) -> httpx2.AsyncClient:
    import httpx2

    from diplomat.llm.bounded import bounded

    limits = httpx2.Limits(max_connections=CONNECTIONS, max_keepalive_connections=CONNECTIONS, keepalive_expiry=30)

    async def only_ours(request: httpx2.Request) -> None:
        """Takes off what the SDK picks up from the environment for its own provider; others have no use for it."""
        for name in list(request.headers):
            if name.lower() not in _KEPT:
                del request.headers[name]
        if key:
            request.headers["authorization"] = f"Bearer {key}"
        request.headers["user-agent"] = "diplomat"

    return httpx2.AsyncClient(
        limits=limits,
        # A redirect would carry the key and the prompt to an address that nobody named.
        follow_redirects=False,
        # Reading all certificates takes longer than a reply of a loopback server, which has no use for them.
        verify=endpoint.address.startswith("https:"),
        trust_env=not is_near(endpoint.address),
        headers={"accept-encoding": "identity"},
        event_hooks={"request": [only_ours] if endpoint.kind in {"server", "local"} else [], "response": [bounded]},
    )


def timeout_of(timeouts: Timeouts) -> httpx2.Timeout:
    """The same in the words of the HTTP library, whose time for reading is what may pass without a byte."""
    import httpx2

    return httpx2.Timeout(timeouts.idle, connect=timeouts.connect, pool=timeouts.total)


async def drain(chunks: AsyncIterator[bytes], seconds: float = 0.2) -> None:
    """Reads the few bytes after the last event, so that the connection can be used again."""
    with contextlib.suppress(Exception):
        async with asyncio.timeout(seconds):
            async for _ in chunks:
                pass
