"""Finds the reply in what a model wrote: the last JSON object that has the required field.

Prose is never searched for a move.  What stands between thinking tags is no reply; when the model
has closed such a tag without opening it, everything before is thinking too.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from typing import Any, NoReturn

from diplomat.agents.llm.failures import Failure, Unusable
from diplomat.core.menus import Problem

DEEPEST = 24
"""Levels of lists and objects in a reply."""
MOST_ATTEMPTS = 400
"""Opening braces that are tried; a reply has a handful."""
MOST_TEXT = 200_000
"""Characters that are looked at, counted from the end."""

_MARK = re.compile(r"\{|<(/?)think(?:ing)?>", re.IGNORECASE)
_END_OF_THOUGHT = re.compile(r"</think(?:ing)?>", re.IGNORECASE)


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")


def _number(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"{text} is no number")
    return value


_DECODER = json.JSONDecoder(parse_constant=_no_constant, parse_float=_number)


def reply_object(text: str, required: str, *, cut: bool = False) -> dict[str, Any]:
    """The last object with the required field; Unusable when there is none or a later one is broken.

    ``cut``: the text was stopped by its limit, so an object that began after the last whole one was lost.
    """
    text = text[-MOST_TEXT:]
    if not text.strip():
        raise Unusable(Failure.EMPTY)  # a limit used up by thinking leaves nothing, which is no cut reply
    chosen: dict[str, Any] | None = None
    end = 0
    for value, after in _objects(text):
        if value is None:
            chosen, end = None, after
        elif required in value:
            chosen, end = value, after
    broken = re.search(rf'"{re.escape(required)}"\s*:', _spoken(text[end:])) is not None
    if cut and (chosen is None or broken or "{" in text[end:]):
        raise Unusable(Failure.TRUNCATED)
    if chosen is None:
        if not _spoken(text):
            raise Unusable(Failure.EMPTY)
        code = "reply_broken" if broken else "reply_no_object"
        raise Unusable(Failure.UNPARSABLE, Problem(code, {"field": required}))
    if broken:
        raise Unusable(Failure.UNPARSABLE, Problem("reply_broken"))
    if not _shallow(chosen, DEEPEST):
        raise Unusable(Failure.UNPARSABLE, Problem("reply_too_deep"))
    scrubbed: dict[str, Any] = _scrubbed(chosen)
    return scrubbed


def _objects(text: str) -> Iterator[tuple[dict[str, Any] | None, int]]:
    """Every JSON object outside of thinking and where it ends; None where all before turns out to be thinking."""
    at = 0
    for _ in range(MOST_ATTEMPTS):
        mark = _MARK.search(text, at)
        if mark is None:
            return
        if mark.group() != "{":
            if mark.group(1):
                at = mark.end()
                yield None, at
                continue
            closed = _END_OF_THOUGHT.search(text, mark.end())
            if closed is None:
                return
            at = closed.end()
            continue
        try:
            value, at = _DECODER.raw_decode(text, mark.start())
        except (ValueError, RecursionError):
            at = mark.end()
            continue
        yield value, at


def _spoken(text: str) -> str:
    """What is left without thinking."""
    told = re.sub(r"(?is)<think(?:ing)?>.*?(</think(?:ing)?>|\Z)", "", text)
    return _END_OF_THOUGHT.split(told)[-1].strip()


def _shallow(value: Any, left: int) -> bool:
    if not isinstance(value, (dict, list)):
        return True
    inner = value.values() if isinstance(value, dict) else value
    return left > 0 and all(_shallow(item, left - 1) for item in inner)


def _scrubbed(value: Any) -> Any:
    """Without halves of surrogate pairs, which no UTF-8 can carry."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, list):
        return [_scrubbed(item) for item in value]
    if isinstance(value, dict):
        return {_scrubbed(key): _scrubbed(item) for key, item in value.items()}
    return value
