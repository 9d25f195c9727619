"""What went wrong with an attempt, told from what the SDKs and servers throw and say.

Both SDKs throw the same shapes, so the status and the words of the answer decide, not the class.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

from diplomat.llm.base import FaultKind, Mode, ProviderFault
from diplomat.llm.keys import masked

LONGEST_TEXT = 400
"""Characters of a server's own words that go into a fault."""

_TOO_LONG = re.compile(
    r"context_length_exceeded|exceed_context_size|maximum context length|context (?:size|window|length|limit)"
    r"|prompt is too long|request_too_large|request too large|longer than the maximum model length"
    r"|maximum (?:model|input|prompt) length|input length and `?max_tokens|input (?:is )?too long"
    r"|too many input tokens",
    re.IGNORECASE,
)
_NO_CREDIT = re.compile(r"insufficient_quota|credit balance|billing|payment required|your current quota", re.I)
_FILTERED = re.compile(r"content[ _-]?(?:filter|management policy|policy_violation)|\bsafety system", re.I)
_NO_MODEL = re.compile(
    r"model_not_found|model[^.]{0,80}(?:does not exist|not found|not exist|not available)|invalid model|unknown model",
    re.I,
)
_MODE_WORDS: dict[Mode, re.Pattern[str]] = {
    "schema": re.compile(r"response_?format|json.?schema|output_config|output_format|structured.?output|grammar", re.I),
    "object": re.compile(r"response_?format|json.?(?:object|mode|schema)|structured.?output|grammar", re.I),
    "tool": re.compile(r"\btools?\b|tool_choice|tool_use|function.?call|\bjinja\b|grammar", re.I),
}


def of_status(status: int, said: str, mode: Mode, headers: Mapping[str, str], where: str) -> ProviderFault:
    """The fault of an answer with an error status; ``said`` is the server's own text, ``where`` the endpoint."""
    kind = _kind(status, said, mode)
    text = f"{where} answered {status}{_hint(kind)}: {tidy(said) or 'without a word'}"
    wait = retry_after(headers) if kind in {"rate", "overloaded"} else None
    return ProviderFault(kind, masked(text), retry_after=wait, status=status)


def _kind(status: int, said: str, mode: Mode) -> FaultKind:
    if status in {401, 402, 403} or (status in {400, 429} and _NO_CREDIT.search(said)):
        return "denied"
    if status in {400, 413, 422, 429, 500} and _TOO_LONG.search(said):
        return "too_long"
    if status == 413:
        return "too_long"
    if status == 429:
        return "rate"
    words = _MODE_WORDS.get(mode)
    # llama.cpp answers 500 to a schema that it cannot turn into a grammar; 501 and 415 are seen elsewhere.
    if words is not None and status in {400, 404, 415, 422, 500, 501} and words.search(said):
        return "unsupported"
    if status == 404 or (status in {400, 422} and _NO_MODEL.search(said)):
        return "unknown_model"
    if status in {408, 409} or status >= 500:
        return "overloaded"
    return "rejected"


def _hint(kind: FaultKind) -> str:
    """What the kind of fault means, for a person."""
    return {
        "denied": " (the key is missing, wrong or without credit)",
        "unknown_model": " (there is no such model, or no such address)",
        "too_long": " (the prompt does not fit into the model's context)",
        "unsupported": " (this form of structured output is not taken)",
    }.get(kind, "")


def of_exception(fault: BaseException, mode: Mode, where: str, *, begun: bool) -> ProviderFault:
    """The fault of whatever an SDK or its connection raised; ``begun``: part of the reply had arrived."""
    import httpx2

    cause: BaseException | None = fault
    while cause is not None:
        response = getattr(cause, "response", None)
        if isinstance(response, httpx2.Response) and response.is_error:
            return of_status(response.status_code, _words(response), mode, response.headers, where)
        if isinstance(response, httpx2.Response) and response.has_redirect_location:
            return ProviderFault("rejected", masked(f"{where} sends us elsewhere; name its final address"))
        if isinstance(cause, httpx2.ConnectTimeout):
            return ProviderFault("timeout", masked(f"{where} could not be reached in time"))
        if isinstance(cause, (httpx2.TimeoutException, TimeoutError)):
            return ProviderFault("timeout", masked(f"{where} fell silent"), billed=True)
        if isinstance(cause, httpx2.ConnectError):
            return ProviderFault("connection", masked(f"{where} cannot be reached: {tidy(str(cause)) or 'no answer'}"))
        if isinstance(cause, httpx2.RequestError):
            what = tidy(str(cause)) or type(cause).__name__
            return ProviderFault("connection", masked(f"{where} broke off: {what}"), billed=begun)
        cause = cause.__cause__ or cause.__context__
    return _odd(fault, where, begun)


def _odd(fault: BaseException, where: str, begun: bool) -> ProviderFault:
    if isinstance(fault, UnicodeDecodeError):
        return ProviderFault("connection", masked(f"{where} sent bytes that are no UTF-8"), billed=begun)
    if isinstance(fault, (ValueError, TypeError, AttributeError, KeyError, LookupError)):
        what = f"{type(fault).__name__}: {tidy(str(fault))}"
        return ProviderFault("connection", masked(f"{where} sent what cannot be read ({what})"), billed=begun)
    what = f"{type(fault).__name__}: {tidy(str(fault))}"
    return ProviderFault("connection", masked(f"{where} could not be asked ({what})"), billed=begun)


_NAMED = (
    ("rate_limit", 429),
    ("overloaded", 529),
    ("authentication", 401),
    ("permission", 403),
    ("not_found", 404),
    ("invalid_request", 400),
    ("BadRequest", 400),
)
"""Statuses by the names that errors in a stream have."""


def is_filtered(fault: ProviderFault) -> bool:
    """Whether a provider's filter turned prompt or reply down: no fault of the call, but a refusal."""
    return fault.status in {400, 403, 422} and _FILTERED.search(str(fault)) is not None


def of_event(error: Any, mode: Mode, where: str) -> ProviderFault:
    """The fault of an error that a server sends inside a stream that began well."""
    said = error if isinstance(error, str) else json.dumps(error, ensure_ascii=False)
    word = f"{error.get('type', '')} {error.get('code', '')}" if isinstance(error, Mapping) else ""
    status = next((status for name, status in _NAMED if name in word), 500)
    code = error.get("code") if isinstance(error, Mapping) else None
    if isinstance(code, int) and 400 <= code < 600:
        status = code
    fault = of_status(status, said, mode, {}, where)
    fault.billed = True
    return fault


def _words(response: Any) -> str:
    """A server's own words about an error: the message, its type and code, where it speaks JSON."""
    text: str = response.content.decode("utf-8", "replace")[:20_000]
    try:
        data = json.loads(text)
    except ValueError:
        return re.sub(r"<[^>]*>", " ", text)
    error = data.get("error", data) if isinstance(data, Mapping) else data
    if not isinstance(error, Mapping):
        return str(error)
    parts = [error.get("message"), error.get("detail"), error.get("type"), error.get("code"), error.get("param")]
    words = " / ".join(part if isinstance(part, str) else json.dumps(part) for part in parts if part)
    return words or text


def tidy(text: str) -> str:
    """A server's text on one line and not without end."""
    line = " ".join("".join(char if char.isprintable() else " " for char in text).split())
    return line if len(line) <= LONGEST_TEXT else line[: LONGEST_TEXT - 1] + "…"


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds that a server asks us to wait: in milliseconds, in seconds or until a date; never negative."""
    exact = headers.get("retry-after-ms")
    plain = headers.get("retry-after")
    for text, unit in ((exact, 1000.0), (plain, 1.0)):
        try:
            seconds = float(text) / unit if text is not None else -1.0
        except ValueError:
            continue
        if 0 <= seconds < 1e9:  # not a number and endless waits fail this, too
            return seconds
    try:
        when = parsedate_to_datetime(plain) if plain else None
    except ValueError:
        return None
    if when is None:
        return None
    when = when if when.tzinfo else when.replace(tzinfo=UTC)
    return max(0.0, (when - datetime.now(UTC)).total_seconds())
