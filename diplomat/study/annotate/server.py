"""The local page for people who code: this machine only, behind a token, and nothing of the future is sent to it."""

from __future__ import annotations

import hmac
import json
import secrets
import socket
from collections.abc import Awaitable, Callable
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from diplomat.core.errors import CannotWrite, UsageError
from diplomat.core.texts import load_texts
from diplomat.study.annotate.rows import goal_of
from diplomat.study.annotate.session import Refused, Session

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import Response

HOST = "127.0.0.1"
MOST_BYTES = 200_000
"""Of a request; a coding is a few thousand."""
GRACE = 2
"""Seconds that open requests get when the session ends."""
PAGE = {
    "annotate.html": "text/html",
    "annotate.css": "text/css",
    "annotate.js": "text/javascript",
    "words.js": "text/javascript",
    "acts.js": "text/javascript",
}
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}


def check_installed() -> None:
    """UsageError says what to install when the page's server is missing."""
    try:
        import starlette  # noqa: F401 — only whether it is there
        import uvicorn  # noqa: F401 — only whether it is there
    except ModuleNotFoundError as error:
        raise UsageError(
            f"the page needs {error.name}, which is not installed; `pip install 'diplomat[web]'` brings it"
        ) from error


def bound(port: int) -> socket.socket:
    """A listening socket on loopback; port 0 takes a free one.  UsageError if the port is taken."""
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)  # else replies wait 40 ms
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((HOST, port))
        listener.listen()  # who opens the link before the server runs waits, and is not turned away
    except (OSError, OverflowError) as fault:
        listener.close()
        why = getattr(fault, "strerror", None) or fault
        raise UsageError(f"port {port} of {HOST} cannot be used: {why}; --port 0 takes a free one") from None
    return listener


def serve(session: Session, port: int, announce: Callable[[str], None]) -> None:
    """Serves one session until it is interrupted; ``announce`` gets the link."""
    check_installed()
    import uvicorn

    listener = bound(port)
    token = secrets.token_urlsafe(24)
    address = f"{HOST}:{listener.getsockname()[1]}"
    config = uvicorn.Config(
        build(session, token, address),
        log_config=None,
        log_level="critical",
        access_log=False,
        lifespan="off",
        ws="none",
        server_header=False,
        timeout_graceful_shutdown=GRACE,
    )
    announce(f"http://{address}/#{token}")
    try:
        uvicorn.Server(config).run(sockets=[listener])
    finally:
        listener.close()


def build(session: Session, token: str, address: str) -> Starlette:
    """The application; ``address`` is the only host it answers to."""
    from starlette.applications import Starlette
    from starlette.responses import JSONResponse, Response
    from starlette.routing import Route

    port = address.rpartition(":")[2]
    hosts = {address, f"localhost:{port}"}

    def guarded(
        answer: Callable[[Request], Awaitable[Any]], *, secret: bool = True
    ) -> Callable[[Request], Awaitable[Response]]:
        async def guard(request: Request) -> Response:
            why = _stranger(request, hosts, token if secret else None)
            if why:
                return JSONResponse({"why": why}, 403, HEADERS)
            try:
                got = await answer(request)
            except Refused as fault:
                return JSONResponse({"why": str(fault)}, 422, HEADERS)
            except CannotWrite as fault:
                return JSONResponse({"why": str(fault)}, 507, HEADERS)
            return got if isinstance(got, Response) else JSONResponse(got, 200, HEADERS)

        return guard

    async def page(request: Request) -> Any:
        name = request.path_params.get("name", "annotate.html")
        if name not in PAGE:
            return Response(status_code=404, headers=HEADERS)
        text = files(__package__).joinpath("page", name).read_text(encoding="utf-8")
        return Response(text, media_type=PAGE[name], headers=HEADERS)

    async def overview(request: Request) -> Any:
        texts = load_texts(__package__, "texts", session.lang).entries
        shown = {key: text for key, text in texts.items() if key.split(".")[0] in ("page", "key", "act", "code")}
        return {**session.overview(), "texts": shown}

    async def unit(request: Request) -> Any:
        return session.shown(request.path_params["number"])

    async def save(request: Request) -> Any:
        return session.save(request.path_params["number"], await _body(request))

    async def goal(request: Request) -> Any:
        return _goal(session, request.path_params["number"], await _body(request))

    return Starlette(
        routes=[
            Route("/", guarded(page, secret=False)),
            Route("/page/{name}", guarded(page, secret=False)),
            Route("/api/session", guarded(overview)),
            Route("/api/unit/{number:int}", guarded(unit)),
            Route("/api/unit/{number:int}", guarded(save), methods=["POST"]),
            Route("/api/unit/{number:int}/goal", guarded(goal), methods=["POST"]),
        ]
    )


def _stranger(request: Request, hosts: set[str], token: str | None) -> str:
    """Why a request is not from our page; a page elsewhere may point its own name at this machine."""
    if request.headers.get("host", "") not in hosts:
        return "this session answers to its own address only"
    origin = request.headers.get("origin")
    if origin is not None and origin.removeprefix("http://") not in hosts:
        return "the request comes from another page"
    given = request.headers.get("authorization", "").removeprefix("Bearer ")
    if token is not None and not hmac.compare_digest(given.encode(), token.encode()):
        return "the token is missing or wrong; open the whole link that was printed"
    return ""


async def _body(request: Request) -> Any:
    if request.headers.get("content-type", "").partition(";")[0] != "application/json":
        raise Refused("what is sent must be JSON")
    raw = bytearray()
    async for part in request.stream():
        raw += part
        if len(raw) > MOST_BYTES:
            raise Refused(f"more than {MOST_BYTES} bytes")
    try:
        return json.loads(bytes(raw))
    except (ValueError, RecursionError) as fault:
        raise Refused(f"not JSON: {fault}") from fault


def _goal(session: Session, number: int, data: Any) -> dict[str, str]:
    """A goal in words, before it is added."""
    if not isinstance(data, dict) or not 0 <= number < len(session.units):
        raise Refused("a goal of a message is asked for")
    try:
        goal = goal_of(data.get("goal"))
    except ValueError as fault:
        raise Refused(str(fault)) from fault
    unit = session.units[number]
    text, why = session.terms(unit.log).goal(unit, goal, own=data.get("own") is True)
    return {"text": text, "why": why}
