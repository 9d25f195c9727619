"""A look at every server before a game begins: is it there, does it take the key, has it the model?"""

from __future__ import annotations

import asyncio
import difflib
from collections.abc import Iterable

from diplomat.core.errors import DiplomatError, UsageError
from diplomat.llm.base import Call, ProviderFault, Timeouts, Turn
from diplomat.llm.names import Endpoint
from diplomat.llm.providers import provider_for
from diplomat.llm.streaming import Streamed

SHOWN = 20
"""Models that a message names at most."""
TIMEOUTS = Timeouts(connect=10, idle=20, total=30)
"""A server that takes longer is left to the game, whose calls have time and retries."""


async def preflight(endpoints: Iterable[Endpoint], *, free: bool) -> None:
    """Asks every server for its list of models, and for one token where the list does not tell.

    ``free``: whether the latter may be asked of servers that cost money; a game with a budget pays
    for nothing outside of it.  Errors: UsageError for a model that the server has not,
    DiplomatError for a server that cannot be reached or refuses the key.  A server without a list
    passes, and the local model, which the game starts itself, is not looked for.
    """
    asked = [endpoint for endpoint in endpoints if endpoint.kind != "local"]
    for fault in await asyncio.gather(*(_look(endpoint, free=free or endpoint.near) for endpoint in asked)):
        if fault is not None:
            raise fault


async def _look(endpoint: Endpoint, *, free: bool) -> DiplomatError | None:
    provider = provider_for(endpoint, TIMEOUTS)
    try:
        try:
            listed = await provider.models()
        except ProviderFault as fault:
            if fault.kind == "denied":
                return _refused(endpoint, fault)
            # It may be that only its list is broken or missing.
            return await _try(provider, endpoint, ()) if free else _unreachable(fault) if _away(fault) else None
        if not listed or {endpoint.model, f"{endpoint.model}:latest"} & set(listed):
            return None
        # Short names and names that a server does not look at are on no list, so only a call can tell.
        return await _try(provider, endpoint, listed) if free else None
    finally:
        await provider.close()


async def _try(provider: Streamed, endpoint: Endpoint, listed: tuple[str, ...]) -> DiplomatError | None:
    """Whether a call gets through, whatever comes of it."""
    call = Call(
        id="preflight/model#1",
        seat="",
        purpose="preflight",
        system=(),
        turns=(Turn("user", "Say yes."),),
        schema={"type": "object", "properties": {}, "required": [], "additionalProperties": False},
        max_output=1,
        constrained=False,
    )
    try:
        await provider.complete(endpoint.model, call, "text")
    except ProviderFault as fault:
        if fault.kind == "unknown_model":
            return UsageError(_unknown(endpoint, listed) if listed else _no_such(fault))
        return _unreachable(fault) if _away(fault) and not listed else _refused(endpoint, fault)
    return None


def _away(fault: ProviderFault) -> bool:
    """Whether nobody answered at all; a server that fell silent may just be busy with somebody else."""
    return fault.kind in {"connection", "timeout"} and not fault.billed


def _unreachable(fault: ProviderFault) -> DiplomatError:
    return DiplomatError(f"{fault}; start the server or correct the address; nothing was played")


def _no_such(fault: ProviderFault) -> str:
    return f"{fault}; correct the model's name or the address, which mostly ends in /v1; nothing was played"


def _refused(endpoint: Endpoint, fault: ProviderFault) -> DiplomatError | None:
    """A key that is not taken; all else, such as a server without a list, is for the game to see."""
    if fault.kind == "denied":
        return DiplomatError(f"{endpoint.name} cannot be used: {fault}; nothing was played")
    return None


def _unknown(endpoint: Endpoint, listed: tuple[str, ...]) -> str:
    near = difflib.get_close_matches(endpoint.model, listed, n=1)
    hint = f" Did you mean {near[0]!r}?" if near else ""
    more = " …" if len(listed) > SHOWN else ""
    return (
        f"{endpoint.name}: the server has no model {endpoint.model!r}.{hint} "
        f"It lists: {', '.join(listed[:SHOWN])}{more}; nothing was played"
    )
