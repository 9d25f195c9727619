"""The server as a context manager: a thread of its own, a free port on 127.0.0.1, a clean stop."""

from __future__ import annotations

import asyncio
import socket
import threading
from types import TracebackType
from typing import Any

from diplomat.core.errors import DiplomatError, UsageError
from diplomat.testing.loopback.desk import Call, Desk
from diplomat.testing.loopback.settings import Settings

HOST = "127.0.0.1"
PATIENCE = 10.0
"""Seconds that starting or stopping may take."""


class Loopback:
    """A model server on this machine, for tests, benchmarks and examples.

    ``url`` is for the Anthropic SDK, ``openai_url`` (with ``/v1``) for OpenAI's.  Keyword arguments
    are the fields of :class:`Settings`.  UsageError when the port is taken.
    """

    def __init__(self, *, port: int = 0, **settings: Any) -> None:
        self.desk = Desk(Settings(**settings))
        self._port = port
        self._closing: asyncio.Event | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._server: Any = None
        self._thread: threading.Thread | None = None
        self._fault: BaseException | None = None

    @property
    def port(self) -> int:
        """The port in use, 0 before the start."""
        return self._port

    @property
    def url(self) -> str:
        """The address without a path."""
        return f"http://{HOST}:{self._port}"

    @property
    def openai_url(self) -> str:
        """The address that OpenAI clients are given."""
        return f"{self.url}/v1"

    @property
    def calls(self) -> list[Call]:
        """The requests received so far, in order of arrival."""
        return self.desk.calls

    def stats(self) -> dict[str, Any]:
        """Totals of calls, tokens and faults: the same as ``GET /stats``."""
        return self.desk.stats()

    def script(self, *faults: str, only: str = "") -> None:
        """What the next requests meet, in order of arrival: names of faults or ``ok``.

        With ``only``, the next requests whose body holds this text.
        """
        self.desk.script(*faults, only=only)

    def start(self) -> Loopback:
        """Serves until :meth:`stop`; UsageError when the port is taken."""
        # The event loop sends at once, instead of waiting 40 ms for an acknowledgement, only for sockets named TCP.
        listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((HOST, self._port))
        except OSError as fault:
            listener.close()
            raise UsageError(
                f"port {self._port} of {HOST} cannot be used: {fault.strerror}; 0 takes a free one"
            ) from None
        self._port = listener.getsockname()[1]
        ready = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(listener, ready), name="loopback", daemon=True)
        self._thread.start()
        if not ready.wait(PATIENCE) or self._fault is not None:
            listener.close()
            raise DiplomatError(f"the loopback server did not start: {self._fault}")
        return self

    def stop(self) -> None:
        """Lets go of every connection, also of those that hang; may be called twice."""
        if self._thread is None:
            return
        if self._loop is not None and self._closing is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._close)
        self._thread.join(PATIENCE)
        self._thread = None

    def __enter__(self) -> Loopback:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def _close(self) -> None:
        assert self._closing is not None
        self._closing.set()
        self._server.should_exit = True

    def _hang_up(self, client: Any) -> None:
        """Breaks the connection to this address: ASGI has no word for it, so uvicorn's own list is asked."""
        for connection in list(self._server.server_state.connections):
            if connection.client == client and connection.transport is not None:
                connection.transport.abort()

    def _run(self, listener: socket.socket, ready: threading.Event) -> None:
        try:
            asyncio.run(self._serve(listener, ready))
        except BaseException as fault:  # noqa: BLE001 — it is told to the thread that waits for the start
            self._fault = fault
        finally:
            ready.set()

    async def _serve(self, listener: socket.socket, ready: threading.Event) -> None:
        import uvicorn

        from diplomat.testing.loopback.app import build

        self._loop = asyncio.get_running_loop()
        self._closing = asyncio.Event()
        config = uvicorn.Config(
            build(self.desk, self._closing, self._hang_up),
            log_config=None,
            log_level="critical",
            access_log=False,
            lifespan="off",
            ws="none",
            backlog=1024,
            timeout_graceful_shutdown=2,
        )
        self._server = uvicorn.Server(config)
        serving = asyncio.ensure_future(self._server.serve(sockets=[listener]))
        while not self._server.started and not serving.done():
            await asyncio.sleep(0.005)
        ready.set()
        await serving
