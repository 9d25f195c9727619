"""What both protocols share: the words that go with a schema, and how thinking is told from the reply."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

TOOL = "reply"
TOOL_TEXT = "Gives the reply. Call it exactly once."
SCHEMA_TEXT = "Reply with one JSON object that fits this JSON schema, and with nothing else:\n"
"""Goes at the very end of the prompt, so that it does not change what a cache knows."""

_THINK = re.compile(r"\s*<(think|thinking|thought)>", re.IGNORECASE)
_THOUGHT = re.compile(r"</(?:think|thinking|thought)>", re.IGNORECASE)


def with_schema(text: str, schema: Mapping[str, Any]) -> str:
    """A turn with the schema told in words."""
    return f"{text}\n\n{SCHEMA_TEXT}{json.dumps(schema, ensure_ascii=False, separators=(',', ':'))}"


def apart(text: str) -> tuple[str, str]:
    """The reply and the thinking that came before it in the same text.

    >>> apart("<think>hm</think>{}")
    ('{}', 'hm')
    """
    start = _THINK.match(text)
    if start is None and ("{" in text[:1] or not _THOUGHT.search(text)):
        return text, ""
    ends = list(_THOUGHT.finditer(text))
    body = start.end() if start else 0
    if not ends:
        return "", text[body:].strip()
    # Without an opening mark, the server's template has written it itself.
    end = next((mark for mark in ends if mark.start() >= body), ends[0])
    return text[end.end() :].lstrip(), text[body : end.start()].strip()


def count(value: Any) -> int:
    """A number of tokens as servers send it; what is no such number counts as none."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0


def inner(value: Any, *path: str | int) -> Any:
    """What lies at the end of a path in JSON data; None where the path breaks off."""
    for step in path:
        if isinstance(step, int):
            value = value[step] if isinstance(value, list) and len(value) > step else None
        else:
            value = value.get(step) if isinstance(value, Mapping) else None
    return value
