"""Finds in a prompt what the pretended player must know: the menu block, a schema, a list of answers, the language."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from string import ascii_lowercase
from typing import Any, Literal

_FENCE = re.compile(r"```([\w-]*)[ \t]*\n(.*?)\n?```", re.DOTALL)
_BULLET = re.compile(r"^[ \t]*(?:[-*•]|\d+[.)])[ \t]+(.+?)[ \t]*$", re.MULTILINE)
_CYRILLIC = "".join(map(chr, range(ord("а"), ord("я") + 1)))
_SCHEMA_WORDS = frozenset({"type", "properties", "anyOf", "oneOf", "enum", "const", "$ref", "items"})


def menu_block(text: str) -> Mapping[str, Any] | None:
    """The last fenced block named ``menu`` that holds a JSON object, or None."""
    for name, data in _fenced(text):
        if name == "menu" and isinstance(data, dict):
            return data
    return None


def schema_in(text: str) -> Mapping[str, Any] | None:
    """The last JSON schema in a fenced block, else the last one standing free in the text."""
    for _, data in _fenced(text):
        if (schema := _schema(data)) is not None:
            return schema
    found = None
    decoder = json.JSONDecoder()
    at = text.find("{")
    while at != -1:
        try:
            data, end = decoder.raw_decode(text, at)
        except ValueError:
            at = text.find("{", at + 1)
            continue
        found = _schema(data) or found
        at = text.find("{", end)
    return found


def answers_in(text: str) -> list[Any]:
    """The last list of answers: a fenced JSON list, else the last lines that are bullets."""
    for _, data in _fenced(text):
        if isinstance(data, list) and data:
            return data
    bullets: list[Any] = []
    last_end = -1
    for match in _BULLET.finditer(text):
        if text[last_end : match.start()].strip():
            bullets = []
        bullets.append(_value(match[1]))
        last_end = match.end()
    return bullets


def language_of(text: str) -> Literal["en", "ru"]:
    """Russian when a fifth of the letters outside of fenced blocks are Cyrillic."""
    text = _FENCE.sub("", text)[-20_000:].lower()
    cyrillic, latin = (sum(map(text.count, letters)) for letters in (_CYRILLIC, ascii_lowercase))
    return "ru" if cyrillic * 4 >= latin and cyrillic else "en"


def _fenced(text: str) -> Iterator[tuple[str, object]]:
    for match in reversed(list(_FENCE.finditer(text))):
        try:
            yield match[1], json.loads(match[2])
        except ValueError:
            continue


def _schema(data: object) -> dict[str, Any] | None:
    """The value if it is a JSON schema, or what it holds under the name ``schema``."""
    if not isinstance(data, dict):
        return None
    inner: object = data.get("schema", data)
    return inner if isinstance(inner, dict) and _SCHEMA_WORDS & inner.keys() else None


def _value(text: str) -> Any:
    text = text.strip("`")
    try:
        return json.loads(text)
    except ValueError:
        return text
