"""Decides what becomes of each request: refused, answered or spoilt; and counts it all."""

from __future__ import annotations

import json
import threading
import time
from collections import Counter, deque
from collections.abc import Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from random import Random
from typing import Any

from diplomat.testing.loopback import anthropic_wire, openai_wire
from diplomat.testing.loopback.asked import Asked, Misshapen, Protocol, read_anthropic, read_openai
from diplomat.testing.loopback.cache import Footprint, PromptCache
from diplomat.testing.loopback.faults import OK, check_name, check_rates, draw, spoil
from diplomat.testing.loopback.gate import refusal
from diplomat.testing.loopback.player import play, says_for
from diplomat.testing.loopback.settings import Settings
from diplomat.testing.loopback.spoken import NONE, Refused, Spoken, Tokens, tokens_of

SECRET_HEADERS = frozenset({"authorization", "x-api-key", "api-key", "cookie", "proxy-authorization"})


@dataclass(slots=True)
class Call:
    """One request as it was received, and what became of it."""

    path: str
    body: Any
    """The JSON that was sent, None when it was none (or is not kept)."""
    headers: Mapping[str, str]
    """Without keys and cookies."""
    began: float
    """Seconds of the monotonic clock."""
    fault: str = OK
    status: int = 0
    """HTTP status, 0 while nothing was sent."""
    ended: float | None = None
    """Seconds of the monotonic clock; None while the reply is not finished."""
    tokens: Tokens | None = None
    """What was counted; None for errors."""
    reply: str = ""
    """The text of the reply, with its fault in it; also of a reply that was cut."""
    meant: Any = None
    """The reply that the player would have given without a fault, as JSON value."""
    gone: bool = False
    """Whether the caller hung up before the reply was finished."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is to be sent for one request."""

    fault: str
    wait: float
    """Seconds before anything is sent."""
    refused: Refused | None = None
    said: Spoken | None = None
    asked: Asked | None = None
    tokens: Tokens = NONE
    footprint: Footprint | None = None
    name: str = ""


@dataclass(slots=True)
class _Scripted:
    fault: str
    only: str


class Desk:
    """All state of one server."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.calls: list[Call] = []
        self._rates = check_rates(settings.faults)
        self._seen: Counter[bytes] = Counter()
        self._script: deque[_Scripted] = deque()
        self._lock = threading.Lock()
        self._cache = PromptCache(settings.cache_block, settings.cache_least)

    def script(self, *faults: str, only: str = "") -> None:
        """The next requests meet these faults, in order of arrival; ``only`` those whose body holds a text."""
        entries = [_Scripted(check_name(fault), only) for fault in faults]
        with self._lock:
            self._script.extend(entries)

    def received(self, path: str, raw: bytes, headers: Mapping[str, str]) -> Call:
        """Takes down a request."""
        kept = {name: value for name, value in headers.items() if name not in SECRET_HEADERS}
        try:
            body = json.loads(raw)
        except (ValueError, RecursionError):
            body = None
        call = Call(path, body, kept, time.monotonic())
        with self._lock:
            self.calls.append(call)
        return call

    def judge(self, protocol: Protocol, call: Call, raw: bytes, key: str) -> Verdict:
        """What is to be sent for a request."""
        wire = openai_wire if protocol == "openai" else anthropic_wire
        try:
            if not isinstance(call.body, dict):
                raise Misshapen("the body is no JSON object")
            asked = (read_openai if protocol == "openai" else read_anthropic)(call.body)
        except (Misshapen, AttributeError, KeyError, IndexError, TypeError) as problem:
            return Verdict(OK, 0.0, refused=wire.error(400, f"Invalid request: {problem}", "invalid_request_error"))
        digest, count, scripted = self._arrival(protocol, raw)
        dice = Random(sha256(f"{self.settings.seed}/{count}/".encode() + digest).digest())
        drawn = draw(self._rates, dice)
        call.fault = drawn if scripted is None else scripted
        wait = self.settings.delay + self.settings.jitter * dice.random()
        footprint = self._cache.footprint(asked)
        refused = refusal(self.settings, asked, call.fault, footprint, key)
        if refused is not None:
            return Verdict(call.fault, wait, refused=refused, asked=asked)
        obeyed = asked.mode in self.settings.modes

        def reply() -> Any:
            return play(asked, self.settings.policy, dice, constrained=obeyed)

        call.meant = reply()
        said = Spoken(_text(call.meant), tool=asked.tool if obeyed else None)
        spoilt = spoil(call.fault, said, lambda: _text(reply()), lambda: says_for(asked))
        said = _limited(spoilt, asked, call.fault)
        name = sha256(digest + count.to_bytes(4, "big")).hexdigest()[:20]
        tokens = self._cache.look_up(asked, footprint)
        return Verdict(call.fault, wait, said=said, asked=asked, tokens=tokens, footprint=footprint, name=name)

    def forget(self, call: Call) -> None:
        """Lets go of what is large about a finished call, unless it is to be kept."""
        if not self.settings.keep:
            call.body, call.meant, call.reply, call.headers = None, None, "", {}

    def counted(self, verdict: Verdict, call: Call) -> Verdict:
        """The verdict with all its figures; the reply begins, and from now on its prompt is in the cache."""
        assert verdict.said is not None
        assert verdict.footprint is not None
        self._cache.store(verdict.footprint)
        thinking = tokens_of(verdict.said.reasoning)
        written = tokens_of(verdict.said.text) + tokens_of(verdict.said.refusal) + thinking
        call.tokens = tokens = replace(verdict.tokens, output=max(1, written), reasoning=thinking)
        call.reply = verdict.said.text
        return replace(verdict, tokens=tokens)

    def stats(self) -> dict[str, Any]:
        """Totals: calls, tokens by kind, faults by name, statuses."""
        with self._lock:
            calls = list(self.calls)
        counted = [call.tokens for call in calls if call.tokens is not None]
        total = {"calls": len(calls), "answered": len(counted), "gone": sum(call.gone for call in calls)}
        for kind in ("input", "cached", "stored", "fresh", "output", "reasoning"):
            total[kind] = sum(getattr(tokens, kind) for tokens in counted)
        faults = Counter(call.fault for call in calls if call.fault != OK)
        statuses = Counter(str(call.status) for call in calls)
        return {**total, "faults": dict(sorted(faults.items())), "statuses": dict(sorted(statuses.items()))}

    def _arrival(self, protocol: str, raw: bytes) -> tuple[bytes, int, str | None]:
        """Hash of the body, how often it came before, and the scripted fault for it."""
        digest = sha256(protocol.encode() + raw).digest()
        with self._lock:
            count = self._seen[digest]
            self._seen[digest] += 1
            for entry in self._script:
                if entry.only.encode() in raw:
                    self._script.remove(entry)
                    return digest, count, entry.fault
        return digest, count, None


def _limited(said: Spoken, asked: Asked, fault: str) -> Spoken:
    """Cut at the limit that the request sets, in tokens; the 10 MB of ``huge`` come from a server that ignores it."""
    data = said.text.encode("utf-8", "replace")
    if fault == "huge" or asked.limit is None or len(data) <= asked.limit * 4:
        return said
    return replace(said, text=data[: asked.limit * 4].decode("utf-8", "ignore"), finish="length")


def _text(reply: Any) -> str:
    return reply if isinstance(reply, str) else json.dumps(reply, ensure_ascii=False)
