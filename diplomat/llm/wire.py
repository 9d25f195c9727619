"""The bytes of a reply as events, bounded in size and strict about UTF-8."""

from __future__ import annotations

import codecs
import json
from typing import Any

MOST_BYTES = 1_000_000
"""Bytes of one reply, its envelope included; none in a game is near it, and a runaway must not fill the memory."""


class TooMuch(ValueError):
    """A reply went on beyond the limit of its size."""


class Events:
    """Takes bytes as they come and gives back the JSON objects of the server-sent stream.

    A server that does not stream sends one object; it comes out at the end.  Raises ValueError for
    what is neither, UnicodeDecodeError for bytes that are no UTF-8 and TooMuch beyond the limit.
    """

    def __init__(self, limit: int = MOST_BYTES) -> None:
        self.done = False
        """Whether the server has said that nothing follows."""
        self._left, self._limit = limit, limit
        self._decode = codecs.getincrementaldecoder("utf-8-sig")().decode
        self._text: list[str] = []  # what has come since the last whole line
        self._whole: bool | None = None  # whether it is one object and no stream; None: nothing has come yet

    def feed(self, chunk: bytes, *, final: bool = False) -> list[dict[str, Any]]:
        """The objects that these bytes complete."""
        self._left -= len(chunk)
        if self._left < 0:
            raise TooMuch(f"more than {self._limit} bytes")
        text = self._decode(chunk, final)
        if self._whole is None and text.strip():
            self._whole = "".join((*self._text, text)).lstrip().startswith("{")
        self._text.append(text)
        if self._whole:
            return [_object("".join(self._text))] if final else []
        if "\n" not in text and not final:
            return []
        lines = "".join(self._text).split("\n")
        self._text = [] if final else [lines.pop()]
        return self._read(lines)

    def end(self) -> list[dict[str, Any]]:
        """The objects that were complete when the bytes ended."""
        return self.feed(b"", final=True)

    def _read(self, lines: list[str]) -> list[dict[str, Any]]:
        found = []
        for line in lines:
            if self.done or not line.startswith("data:"):
                continue  # other fields, comments that keep the connection alive, and empty lines
            data = line[5:].strip()
            if data == "[DONE]":
                self.done = True
            elif data:
                found.append(_object(data))
        return found


def _object(text: str) -> dict[str, Any]:
    value = json.loads(text)
    if not isinstance(value, dict):
        raise ValueError(f"{type(value).__name__} where an object belongs")
    return value
