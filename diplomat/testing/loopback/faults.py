"""Everything that can go wrong on purpose, by name, and how the next fault is drawn."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import Any, Literal, TypeAlias

from diplomat.core.errors import BadSettings, UnknownName
from diplomat.testing.loopback.spoken import Spoken

Says: TypeAlias = Mapping[str, Any]
"""The canned texts of a language."""
Where = Literal["status", "content", "wire"]
OK = "ok"
HUGE = 10 * 1024 * 1024
"""Bytes of the reply of fault ``huge``."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that goes wrong."""

    where: Where
    """``status``: an error answer.  ``content``: a completion with a wrong text.  ``wire``: broken bytes or silence."""
    text: str
    everyday: bool = True
    """Whether a rate for all faults together draws it: neither hopeless errors nor endless silence."""


FAULTS: Mapping[str, Fault] = {
    "rate_limited": Fault("status", "429 with Retry-After"),
    "rate_limited_bare": Fault("status", "429 without Retry-After"),
    "server_error": Fault("status", "500"),
    "bad_gateway": Fault("status", "502 with a page of HTML, as proxies give"),
    "overloaded": Fault("status", "529"),
    "denied": Fault("status", "401", everyday=False),
    "no_credit": Fault("status", "OpenAI: 429 insufficient_quota; Anthropic: 402 billing_error", everyday=False),
    "unknown_model": Fault("status", "404", everyday=False),
    "too_long": Fault("status", "the prompt does not fit, in the words of OpenAI or Anthropic", everyday=False),
    "too_long_llamacpp": Fault("status", "the same in the words of llama.cpp", everyday=False),
    "too_long_vllm": Fault("status", "the same in the words of vLLM", everyday=False),
    "too_long_unsaid": Fault("wire", "the same outside of a stream; a stream is empty", everyday=False),
    "hang": Fault("wire", "nothing ever comes", everyday=False),
    "hang_headers": Fault("wire", "headers come, the body never", everyday=False),
    "hang_mid": Fault("wire", "half of the body comes", everyday=False),
    "drip": Fault("wire", "signs of life for ever and no answer", everyday=False),
    "cut": Fault("wire", "the connection ends in the middle of the body"),
    "cut_early": Fault("wire", "the connection ends before any answer"),
    "not_utf8": Fault("wire", "the body holds bytes that are no UTF-8"),
    "not_json": Fault("wire", "200 with a page of HTML"),
    "error_in_body": Fault("wire", "200, then an error inside of the body or the stream"),
    "empty": Fault("content", "no text"),
    "empty_length": Fault("content", "no text, since thinking used all tokens"),
    "truncated": Fault("content", "cut by the token limit in the middle of the JSON"),
    "refusal": Fault("content", "the model declines"),
    "content_filter": Fault("content", "OpenAI: finish_reason content_filter; Anthropic: 400"),
    "broken_json": Fault("content", "JSON with a syntax error"),
    "prose": Fault("content", "words and no JSON"),
    "fenced_prose": Fault("content", "words inside a json fence"),
    "two_objects": Fault("content", "a first answer, then a reconsidered one"),
    "fenced": Fault("content", "the JSON inside a json fence with chatter around it"),
    "think_tags": Fault("content", "<think>…</think> before the JSON"),
    "reasoning": Fault("content", "OpenAI: a field reasoning_content; Anthropic: a block of thinking"),
    "tool_call": Fault("content", "a tool call instead of text; text instead of a tool call"),
    "wrong_types": Fault("content", "every text of the reply is an object, every object a text"),
    "huge": Fault("content", "10 MB of text", everyday=False),
    "no_usage": Fault("content", "no figures of usage"),
}
"""All faults by name."""


def check_rates(faults: float | Mapping[str, float]) -> dict[str, float]:
    """The rate of each fault: a number stands for all everyday faults together; BadSettings says what does not fit."""
    if isinstance(faults, Mapping):
        rates = dict(faults)
    else:
        everyday = [name for name, fault in FAULTS.items() if fault.everyday]
        rates = {name: faults / len(everyday) for name in everyday} if faults else {}
    for name, rate in rates.items():
        check_name(name)
        if not 0 <= rate <= 1:
            raise BadSettings(f"rate of fault {name!r} is {rate}; it must be from 0 to 1")
    if sum(rates.values()) > 1 + 1e-9:
        raise BadSettings(f"the rates of the faults add up to {sum(rates.values()):g}, more than 1")
    return rates


def check_name(name: str) -> str:
    """The name of a fault, or UnknownName."""
    if name != OK and name not in FAULTS:
        raise UnknownName("fault", name, [OK, *FAULTS])
    return name


def draw(rates: Mapping[str, float], dice: Random) -> str:
    """A fault by the rates, or ``ok``."""
    left = dice.random()
    for name, rate in rates.items():
        left -= rate
        if left < 0:
            return name
    return OK


def spoil(name: str, said: Spoken, other: Callable[[], str], says: Callable[[], Says]) -> Spoken:
    """What a fault of content makes of a good reply; ``other`` is another legal reply that must not be taken."""
    if name in _BARE:
        return _BARE[name](said)
    if name in _WORDED:
        return _WORDED[name](said, other(), says())
    return said


def _empty(said: Spoken) -> Spoken:
    return replace(said, text="", tool=None)


def _truncated(said: Spoken) -> Spoken:
    return replace(said, text=said.text[: max(1, len(said.text) * 2 // 3)], finish="length")


def _filtered(said: Spoken) -> Spoken:
    return replace(_empty(said), finish="content_filter")


def _broken_json(said: Spoken) -> Spoken:
    return replace(said, text=said.text.replace(":", " ", 1)[:-1] + ",]")


def _tool_call(said: Spoken) -> Spoken:
    return replace(said, tool=None if said.tool else "reply")


def _no_usage(said: Spoken) -> Spoken:
    return replace(said, usage=False)


def _wrong_types(said: Spoken) -> Spoken:
    data = json.loads(said.text) if said.text.startswith("{") else {"answer": [said.text]}
    return replace(said, text=json.dumps({key: _swapped(value) for key, value in data.items()}, ensure_ascii=False))


def _swapped(value: Any) -> Any:
    if isinstance(value, str):
        return {"value": value}
    if isinstance(value, (dict, list)):
        return json.dumps(value, ensure_ascii=False)
    return [value]


def _as_text(said: Spoken, *lines: str) -> Spoken:
    return replace(said, text="\n".join(lines), tool=None)


def _empty_length(said: Spoken, other: str, says: Says) -> Spoken:
    return replace(_empty(said), finish="length", reasoning=says["thought"])


def _refusal(said: Spoken, other: str, says: Says) -> Spoken:
    return replace(_empty(said), finish="refusal", refusal=says["refusal"])


def _prose(said: Spoken, other: str, says: Says) -> Spoken:
    return _as_text(said, says["prose"])


def _fenced_prose(said: Spoken, other: str, says: Says) -> Spoken:
    return _as_text(said, "```json", says["prose"], "```")


def _two_objects(said: Spoken, other: str, says: Says) -> Spoken:
    return _as_text(said, says["first"], other, "", says["reconsidered"], said.text)


def _fenced(said: Spoken, other: str, says: Says) -> Spoken:
    return _as_text(said, says["first"], "```json", said.text, "```", says["closing"])


def _think_tags(said: Spoken, other: str, says: Says) -> Spoken:
    return _as_text(said, "<think>", says["thought"], other, "</think>", said.text)


def _reasoning(said: Spoken, other: str, says: Says) -> Spoken:
    return replace(said, reasoning=f"{says['thought']} {other}")


def _huge(said: Spoken, other: str, says: Says) -> Spoken:
    line: str = says["prose"] + " "
    return _as_text(said, line * -(-HUGE // len(line.encode())))


_BARE: Mapping[str, Callable[[Spoken], Spoken]] = {
    "empty": _empty,
    "truncated": _truncated,
    "content_filter": _filtered,
    "broken_json": _broken_json,
    "tool_call": _tool_call,
    "wrong_types": _wrong_types,
    "no_usage": _no_usage,
}
_WORDED: Mapping[str, Callable[[Spoken, str, Says], Spoken]] = {
    "empty_length": _empty_length,
    "refusal": _refusal,
    "prose": _prose,
    "fenced_prose": _fenced_prose,
    "two_objects": _two_objects,
    "fenced": _fenced,
    "think_tags": _think_tags,
    "reasoning": _reasoning,
    "huge": _huge,
}
