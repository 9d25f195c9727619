"""Replies and errors in the form of Anthropic messages."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from diplomat.testing.loopback.asked import Asked
from diplomat.testing.loopback.openai_wire import llamacpp_too_long, pieces
from diplomat.testing.loopback.spoken import Refused, Spoken, Tokens


def completion(said: Spoken, asked: Asked, tokens: Tokens, name: str) -> dict[str, Any]:
    """The body of a whole reply."""
    head = _head(asked, name)
    head.update(content=_content(said, name), stop_reason=_finish(said))
    return {**head, **({"usage": _usage(tokens)} if said.usage else {})}


def stream(said: Spoken, asked: Asked, tokens: Tokens, name: str) -> Iterator[bytes]:
    """The same as server-sent events."""
    start = {**_head(asked, name), **({"usage": {**_usage(tokens), "output_tokens": 1}} if said.usage else {})}
    yield _event({"type": "message_start", "message": start})
    for index, block in enumerate(_content(said, name, whole=False)):
        yield _event({"type": "content_block_start", "index": index, "content_block": _opened(block)})
        if index == 0:
            yield _event({"type": "ping"})
        for delta in _deltas(block, said):
            yield _event({"type": "content_block_delta", "index": index, "delta": delta})
        yield _event({"type": "content_block_stop", "index": index})
    end = {"type": "message_delta", "delta": {"stop_reason": _finish(said), "stop_sequence": None}}
    yield _event({**end, "usage": {"output_tokens": tokens.output}} if said.usage else end)
    yield _event({"type": "message_stop"})


def stream_error(refused: Refused) -> bytes:
    """An error after the stream has begun."""
    return _event(refused.body)


def error(status: int, message: str, kind: str) -> Refused:
    """An error answer."""
    body = {"type": "error", "error": {"type": kind, "message": message}, "request_id": "req_loopback"}
    return Refused(status, body)


def refused(fault: str, asked: Asked, tokens: Tokens, most: int) -> Refused:
    """The error answer of a fault; ``most`` is the context it speaks of."""
    count = max(tokens.input, most + 1)
    match fault:
        case "rate_limited" | "rate_limited_bare":
            return error(429, "This request would exceed your organization's rate limit.", "rate_limit_error")
        case "no_credit":
            return error(402, "Your credit balance is too low to access the API.", "billing_error")
        case "overloaded":
            return error(529, "Overloaded", "overloaded_error")
        case "denied":
            return error(401, "invalid x-api-key", "authentication_error")
        case "unknown_model":
            return error(404, f"model: {asked.model}", "not_found_error")
        case "too_long" | "too_long_vllm":
            return error(400, f"prompt is too long: {count} tokens > {most} maximum", "invalid_request_error")
        case "too_long_llamacpp":
            return llamacpp_too_long(count, most)
        case "content_filter":
            return error(400, "Output blocked by content filtering policy", "invalid_request_error")
        case _:
            return error(500, "Internal server error", "api_error")


def _head(asked: Asked, name: str) -> dict[str, Any]:
    return {
        "id": f"msg_{name}",
        "type": "message",
        "role": "assistant",
        "model": asked.model,
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
    }


def _content(said: Spoken, name: str, *, whole: bool = True) -> list[dict[str, Any]]:
    blocks: list[dict[str, Any]] = []
    if said.reasoning:
        blocks.append({"type": "thinking", "thinking": said.reasoning, "signature": "bG9vcGJhY2s="})
    if said.tool:
        made = {"type": "tool_use", "id": f"toolu_{name}", "name": said.tool}
        blocks.append({**made, "input": _input(said.text) if whole else {}})
    elif said.text:
        blocks.append({"type": "text", "text": said.text, "citations": None})
    return blocks


def _opened(block: dict[str, Any]) -> dict[str, Any]:
    """A block as it stands before its first delta."""
    return {key: "" if key in ("text", "thinking", "signature") else value for key, value in block.items()}


def _deltas(block: dict[str, Any], said: Spoken) -> Iterator[dict[str, Any]]:
    if block["type"] == "thinking":
        for piece in pieces(block["thinking"]):
            yield {"type": "thinking_delta", "thinking": piece}
        yield {"type": "signature_delta", "signature": block["signature"]}
    elif block["type"] == "tool_use":
        for piece in pieces(said.text):
            yield {"type": "input_json_delta", "partial_json": piece}
    else:
        for piece in pieces(block["text"]):
            yield {"type": "text_delta", "text": piece}


def _input(text: str) -> dict[str, Any]:
    """The arguments of a tool call; what is no JSON object cannot be carried, and is empty."""
    try:
        data = json.loads(text)
    except ValueError:
        return {}
    return data if isinstance(data, dict) else {}


def _event(data: Any) -> bytes:
    text = json.dumps(data, ensure_ascii=False)
    return f"event: {data['type']}\ndata: {text}\n\n".encode("utf-8", "replace")


def _finish(said: Spoken) -> str:
    if said.tool and said.finish == "stop":
        return "tool_use"
    return {"stop": "end_turn", "length": "max_tokens"}.get(said.finish, "refusal")


def _usage(tokens: Tokens) -> dict[str, Any]:
    return {
        "input_tokens": tokens.fresh,
        "cache_creation_input_tokens": tokens.stored,
        "cache_read_input_tokens": tokens.cached,
        "output_tokens": tokens.output,
    }
