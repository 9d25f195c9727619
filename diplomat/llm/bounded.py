"""A response whose bytes end; imported only when a client is made, as it needs the HTTP library."""

from __future__ import annotations

from collections.abc import AsyncIterator

import httpx2

from diplomat.llm.wire import MOST_BYTES


class Bounded(httpx2.AsyncByteStream):
    """The bytes of a response up to a limit, since the SDKs read error pages to the end."""

    def __init__(self, inner: httpx2.AsyncByteStream) -> None:
        self._inner = inner

    async def __aiter__(self) -> AsyncIterator[bytes]:
        left = 2 * MOST_BYTES
        async for chunk in self._inner:
            left -= len(chunk)
            if left < 0:
                raise httpx2.RemoteProtocolError("the answer does not end")
            yield chunk

    async def aclose(self) -> None:
        """Lets go of the connection."""
        await self._inner.aclose()


async def bounded(response: httpx2.Response) -> None:
    """An event hook that puts the limit on."""
    if isinstance(response.stream, httpx2.AsyncByteStream):
        response.stream = Bounded(response.stream)
