"""Looks at a server before a game: is it there, has it the model, what form of output does it hold to?"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from diplomat.llm.base import Call, Completion, Mode, Part, ProviderFault, Timeouts, Turn
from diplomat.llm.known import Known
from diplomat.llm.ladder import steps
from diplomat.llm.names import Endpoint
from diplomat.llm.providers import provider_for
from diplomat.llm.streaming import Streamed

Held = Literal["holds", "ignored", "refused", "failed"]
"""``ignored``: taken, but the reply did not fit.  ``failed``: no reply for another reason."""

_SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {"colour": {"type": "string", "enum": ["teal", "ochre"]}, "even": {"type": "boolean"}},
    "required": ["colour", "even"],
    "additionalProperties": False,
}
_ASKED = "Say good morning."
"""Nothing in it leads to the schema, so only a server that holds to it gives a reply that fits."""


@dataclass(frozen=True, slots=True)
class Probe:
    """What was found at an endpoint."""

    endpoint: Endpoint
    reachable: bool
    fault: str | None = None
    """Why it is not reachable, or why it gives no reply."""
    models: tuple[str, ...] = ()
    listed: bool | None = None
    """Whether the server lists the model; None if it lists nothing or none was named."""
    modes: Mapping[Mode, Held] = field(default_factory=dict)
    best: Mode | None = None
    latency: float | None = None
    """Seconds of the quickest reply."""


async def probe(endpoint: Endpoint, *, timeouts: Timeouts | None = None, known: Known | None = None) -> Probe:
    """Asks for the list of models, then for a tiny reply in every form; UsageError without a key.

    A model called ``*`` (see :func:`diplomat.llm.names.server`) means: only list.
    ``known`` remembers the best form for games to come.
    """
    provider = provider_for(endpoint, timeouts or Timeouts(connect=5, idle=60, total=120))
    try:
        models, fault = await _models(provider)
        if endpoint.model == "*" or (fault is not None and fault.kind in {"connection", "timeout", "denied"}):
            return Probe(endpoint, fault is None, str(fault) if fault else None, models)
        listed = endpoint.model in models if models else None
        found = await _modes(provider, endpoint)
    finally:
        await provider.close()
    if found.best is not None and known is not None:
        known.remember(endpoint, found.best)
    return Probe(endpoint, found.reached, found.fault, models, listed, found.modes, found.best, found.latency)


@dataclass(slots=True)
class _Found:
    modes: dict[Mode, Held] = field(default_factory=dict)
    best: Mode | None = None
    latency: float | None = None
    fault: str | None = None
    reached: bool = True


async def _models(provider: Streamed) -> tuple[tuple[str, ...], ProviderFault | None]:
    try:
        return await provider.models(), None
    except ProviderFault as fault:
        return (), fault


async def _modes(provider: Streamed, endpoint: Endpoint) -> _Found:
    found = _Found()
    for mode in steps(endpoint):
        started = time.monotonic()
        try:
            got = await provider.complete(endpoint.model, _call(mode), mode)
        except ProviderFault as fault:
            found.modes[mode] = "refused" if fault.kind == "unsupported" else "failed"
            if fault.kind != "unsupported":
                found.fault = found.fault or str(fault)
            if fault.kind in {"denied", "unknown_model", "connection"}:
                found.reached = fault.kind != "connection"
                break
            continue
        taken = time.monotonic() - started
        found.latency = taken if found.latency is None else min(found.latency, taken)
        found.modes[mode] = "holds" if fits(got) else "ignored"
    taking: list[Mode] = [mode for mode, held in found.modes.items() if held == "holds"]
    if not taking and "ignored" in found.modes.values():
        taking = ["text"]
    found.best = taking[0] if taking else None
    if found.best is not None:
        found.fault = None
    return found


def _call(mode: Mode) -> Call:
    return Call(
        id=f"probe/{mode}#1",
        seat="",
        purpose="probe",
        system=(Part("You are being tested."),),
        turns=(Turn("user", _ASKED),),
        schema=_SCHEMA,
        max_output=200,
    )


def fits(got: Completion) -> bool:
    """Whether a reply is what the tiny schema asks for."""
    try:
        data = json.loads(got.text)
    except ValueError:
        return False
    return (
        isinstance(data, dict)
        and set(data) == {"colour", "even"}
        and data["colour"] in ("teal", "ochre")
        and isinstance(data["even"], bool)
    )
