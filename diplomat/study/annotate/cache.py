"""Replies of models by what they were asked: a second run over the same messages costs nothing."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from diplomat.core.errors import CannotWrite
from diplomat.llm.base import Call, Completion

NAME = "annotator.cache.jsonl"


class Cache:
    """A file of replies, or none: then only this run remembers them."""

    def __init__(self, folder: Path | None = None) -> None:
        """Reads what there is; lines that were cut short are left out.  CannotWrite if there is no such place."""
        self.path = None if folder is None else folder / NAME
        self.skipped = 0
        """Lines that could not be read; their messages are asked about again."""
        self._replies: dict[str, Completion] = {}
        if self.path is None:
            return
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            raw = self.path.read_bytes() if self.path.exists() else b""
        except OSError as fault:
            raise CannotWrite(f"{self.path} cannot be used: {fault.strerror}; choose another folder") from fault
        for line in raw.split(b"\n"):
            self._take(line)

    def _take(self, line: bytes) -> None:
        if not line:
            return
        try:
            data = json.loads(line)
            if not all(isinstance(data[name], str) for name in ("key", "text", "finish")):
                raise ValueError("not a reply")
            self._replies[data["key"]] = Completion(data["text"], data["finish"])
        except (ValueError, KeyError, TypeError):
            self.skipped += 1

    def get(self, key: str) -> Completion | None:
        """The reply, if it is known."""
        return self._replies.get(key)

    def put(self, key: str, model: str, reply: Completion) -> None:
        """Remembers a reply; CannotWrite if it cannot be kept."""
        self._replies[key] = reply
        if self.path is None:
            return
        row = {"key": key, "model": model, "text": reply.text, "finish": reply.finish}
        # A line break in front keeps the row whole even behind one that was cut short.
        data = b"\n" + json.dumps(row, ensure_ascii=True, separators=(",", ":")).encode() + b"\n"
        try:
            descriptor = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o666)
            try:
                os.write(descriptor, data)
            finally:
                os.close(descriptor)
        except OSError as fault:
            raise CannotWrite(f"{self.path} cannot be continued: {fault.strerror}") from fault


def key_of(model: str, call: Call) -> str:
    """What a reply is remembered by: the model and everything that it is asked, not who asks or when."""
    asked: Mapping[str, Any] = {
        "model": model,
        "system": [part.text for part in call.system],
        "turns": [[turn.role, turn.text] for turn in call.turns],
        "schema": call.schema,
        "max_output": call.max_output,
        "constrained": call.constrained,
    }
    return hashlib.sha256(json.dumps(asked, sort_keys=True, ensure_ascii=True).encode()).hexdigest()
