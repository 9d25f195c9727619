"""Anthropic's protocol of messages."""

from __future__ import annotations

import json
from typing import Any

from diplomat.llm.asking import TOOL, TOOL_TEXT, apart, count, inner, with_schema
from diplomat.llm.base import Call, Completion, Finish, Mode, Usage
from diplomat.llm.streaming import Streamed
from diplomat.llm.strict import strict

BREAKPOINTS = 4
"""Places in a prompt that the provider lets us mark for its cache."""

_FINISH: dict[str, Finish] = {
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "refusal": "refusal",
}


class Anthropic(Streamed):
    """Messages, always streamed, so that silence can be told from a long reply."""

    path = "/v1/messages"
    models_path = "/v1/models"

    def stream_class(self) -> Any:
        """The SDK's class of streams."""
        import anthropic

        return anthropic.AsyncStream

    def body(self, model: str, call: Call, mode: Mode) -> dict[str, Any]:
        """The request, marked for the cache where the call says that it is worth it."""
        schema = strict(call.schema, bounds=False)
        # The provider refuses empty blocks.
        said = [turn for turn in call.turns if turn.text.strip()]
        parts = [part for part in call.system if part.text.strip()]
        turns: list[dict[str, Any]] = [{"role": turn.role, "content": [_block(turn.text)]} for turn in said]
        system = [_block(part.text) for part in parts]
        kept = [part.keep for part in parts] + [turn.keep for turn in said]
        blocks: list[dict[str, Any]] = [*system, *(turn["content"][0] for turn in turns)]
        for place in breakpoints(kept, len(system)):
            blocks[place]["cache_control"] = {"type": "ephemeral"}
        if call.constrained and mode in {"object", "text"}:
            _tell(turns, schema)
        made: dict[str, Any] = {"model": model, "max_tokens": call.max_output, "stream": True}
        if system:
            made["system"] = system
        made["messages"] = turns
        if mode == "schema":
            made["output_config"] = {"format": {"type": "json_schema", "schema": schema}}
        elif mode == "tool":
            made["tools"] = [{"name": TOOL, "description": TOOL_TEXT, "input_schema": schema}]
            made["tool_choice"] = {"type": "tool", "name": TOOL}
        return made

    def fold(self, mode: Mode) -> _Fold:
        """An empty reply."""
        return _Fold(mode)


def _block(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def _tell(turns: list[dict[str, Any]], schema: dict[str, Any]) -> None:
    """Adds the schema in a block of its own, behind what the cache knows."""
    if not turns or turns[-1]["role"] != "user":
        turns.append({"role": "user", "content": []})
    turns[-1]["content"].append(_block(with_schema("", schema).lstrip()))


def breakpoints(kept: list[bool], system: int) -> list[int]:
    """Which of the blocks worth keeping are marked, when there are more than the provider lets us mark.

    The end of the instructions comes first, as all later calls begin with it; the rest goes to the
    last turns, where the next call of the same seat will look.
    """
    wanted = [place for place, keep in enumerate(kept) if keep]
    if len(wanted) <= BREAKPOINTS:
        return wanted
    first = [place for place in wanted if place < system][-1:]
    rest = [place for place in wanted if place not in first]
    return sorted(first + rest[-(BREAKPOINTS - len(first)) :])


class _Fold:
    """Puts the blocks of one message together."""

    def __init__(self, mode: Mode) -> None:
        self._mode = mode
        self._text: list[str] = []
        self._tool: list[str] = []
        self._thinking: list[str] = []
        self._stop: str | None = None
        self._usage: dict[str, int] = {}
        self._id = ""
        self._ended = False
        self._tools = 0

    def take(self, event: dict[str, Any]) -> None:
        """Adds an event; anything may be missing from it."""
        kind = event.get("type")
        if kind == "message_start":
            self._message(event.get("message"))
        elif kind == "message":  # a server that does not stream
            self._message(event)
            for block in event.get("content") or ():
                self._begin(block)
            self._ended = True
        elif kind == "content_block_start":
            self._begin(event.get("content_block"))
        elif kind == "content_block_delta":
            self._delta(event.get("delta"))
        elif kind == "message_delta":
            self._count(event.get("usage"))
            self._stop = inner(event, "delta", "stop_reason") or self._stop
        elif kind == "message_stop":
            self._ended = True

    def _message(self, message: Any) -> None:
        if isinstance(message, dict):
            self._id = str(message.get("id") or "")
            self._stop = message.get("stop_reason") or self._stop
            self._count(message.get("usage"))

    def _begin(self, block: Any) -> None:
        kind = inner(block, "type")
        if kind == "tool_use":
            self._tools += 1
            # A streamed block begins with an empty input and fills it later.
            if self._tools == 1 and inner(block, "input"):
                self._tool.append(json.dumps(block["input"], ensure_ascii=False))
        elif kind in {"text", "thinking"}:
            self._delta({"type": f"{kind}_delta", kind: inner(block, kind)})

    def _delta(self, delta: Any) -> None:
        for field, kind, pieces in (
            ("text", "text_delta", self._text),
            ("thinking", "thinking_delta", self._thinking),
            ("partial_json", "input_json_delta", self._tool if self._tools == 1 else []),
        ):
            piece = inner(delta, field)
            if inner(delta, "type") == kind and isinstance(piece, str):
                pieces.append(piece)

    def _count(self, usage: Any) -> None:
        if isinstance(usage, dict):
            self._usage |= {name: count(value) for name, value in usage.items() if count(value)}

    def completion(self, *, done: bool) -> Completion | None:
        """The whole reply; None if the stream ended before the message did."""
        if not self._ended and self._stop is None:
            return None
        text, thought = apart("".join(self._text))
        thinking = "\n".join(part for part in ("".join(self._thinking).strip(), thought) if part)
        finish = _FINISH.get(self._stop or "", "stop")
        return Completion("".join(self._tool) or text, finish, self._counted(), thinking, self._id, self._mode)

    def _counted(self) -> Usage:
        return Usage(
            fresh=self._usage.get("input_tokens", 0),
            cached=self._usage.get("cache_read_input_tokens", 0),
            stored=self._usage.get("cache_creation_input_tokens", 0),
            output=self._usage.get("output_tokens", 0),
        )
