"""Replies and errors in the form of OpenAI chat completions."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from diplomat.testing.loopback.asked import Asked
from diplomat.testing.loopback.spoken import Refused, Spoken, Tokens

PIECE = 48
"""Code points in one piece of a stream; long texts come in a thousand pieces at most."""


def completion(said: Spoken, asked: Asked, tokens: Tokens, name: str) -> dict[str, Any]:
    """The body of a whole reply."""
    message: dict[str, Any] = {"role": "assistant", "content": said.text, "refusal": None}
    if said.reasoning:
        message["reasoning_content"] = said.reasoning
    if said.tool:
        message["content"] = None
        message["tool_calls"] = [_tool_call(said, name)]
    if said.finish == "refusal":
        message.update(content=None, refusal=said.refusal)
    choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": _finish(said)}
    head = _head(asked, name, "chat.completion")
    return {**head, "choices": [choice], **({"usage": _usage(tokens)} if said.usage else {})}


def stream(said: Spoken, asked: Asked, tokens: Tokens, name: str) -> Iterator[bytes]:
    """The same as server-sent events."""
    head = _head(asked, name, "chat.completion.chunk")
    usage = {"usage": None} if asked.stream_usage else {}

    def chunk(delta: Mapping[str, Any], finish: str | None = None) -> bytes:
        choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}
        return sse({**head, "choices": [choice], **usage})

    yield chunk({"role": "assistant", "content": None if said.tool else ""})
    for piece in pieces(said.reasoning):
        yield chunk({"reasoning_content": piece})
    if said.finish == "refusal":
        yield chunk({"refusal": said.refusal})
    elif said.tool:
        call = _tool_call(said, name)
        yield chunk({"tool_calls": [{**call, "index": 0, "function": {"name": said.tool, "arguments": ""}}]})
        for piece in pieces(said.text):
            yield chunk({"tool_calls": [{"index": 0, "function": {"arguments": piece}}]})
    else:
        for piece in pieces(said.text):
            yield chunk({"content": piece})
    yield chunk({}, _finish(said))
    if asked.stream_usage and said.usage:
        yield sse({**head, "choices": [], "usage": _usage(tokens)})
    yield b"data: [DONE]\n\n"


def stream_error(refused: Refused) -> bytes:
    """An error after the stream has begun."""
    return sse(refused.body)


def error(status: int, message: str, kind: str, code: str | int | None = None, param: str | None = None) -> Refused:
    """An error answer."""
    return Refused(status, {"error": {"message": message, "type": kind, "param": param, "code": code}})


def refused(fault: str, asked: Asked, tokens: Tokens, most: int) -> Refused:
    """The error answer of a fault; ``most`` is the context it speaks of."""
    count = max(tokens.input, most + 1)
    match fault:
        case "rate_limited" | "rate_limited_bare":
            text = f"Rate limit reached for {asked.model} on requests per min (RPM): Limit 3, Used 3, Requested 1."
            return error(429, text, "requests", "rate_limit_exceeded")
        case "no_credit":
            text = "You exceeded your current quota, please check your plan and billing details."
            return error(429, text, "insufficient_quota", "insufficient_quota")
        case "overloaded":
            return error(529, "The model is overloaded. Try again later.", "overloaded_error")
        case "denied":
            return error(401, "Incorrect API key provided.", "invalid_request_error", "invalid_api_key")
        case "unknown_model":
            text = f"The model `{asked.model}` does not exist or you do not have access to it."
            return error(404, text, "invalid_request_error", "model_not_found")
        case "too_long":
            text = (
                f"This model's maximum context length is {most} tokens. However, your messages resulted in "
                f"{count} tokens. Please reduce the length of the messages."
            )
            return error(400, text, "invalid_request_error", "context_length_exceeded", "messages")
        case "too_long_llamacpp":
            return llamacpp_too_long(count, most)
        case "too_long_vllm":
            text = (
                f"This model's maximum context length is {most} tokens. However, your request has {count} input "
                "tokens. Please reduce the length of the input messages."
            )
            return error(400, text, "BadRequestError", 400)
        case _:
            text = "The server had an error while processing your request. Sorry about that!"
            return error(500, text, "server_error")


def llamacpp_too_long(count: int, most: int) -> Refused:
    """How the server of llama.cpp says that a prompt does not fit."""
    text = f"request ({count} tokens) exceeds the available context size ({most} tokens), try increasing it"
    facts = {"code": 400, "message": text, "type": "exceed_context_size_error", "n_prompt_tokens": count, "n_ctx": most}
    return Refused(400, {"error": facts})


def pieces(text: str) -> Iterator[str]:
    """A text in pieces."""
    size = max(PIECE, len(text) // 1000)
    for start in range(0, len(text), size):
        yield text[start : start + size]


def sse(data: Any) -> bytes:
    """One event without a name."""
    return b"data: " + json.dumps(data, ensure_ascii=False).encode("utf-8", "replace") + b"\n\n"


def _head(asked: Asked, name: str, kind: str) -> dict[str, Any]:
    return {"id": f"chatcmpl-{name}", "object": kind, "created": 0, "model": asked.model}


def _tool_call(said: Spoken, name: str) -> dict[str, Any]:
    return {"id": f"call_{name}", "type": "function", "function": {"name": said.tool, "arguments": said.text}}


def _finish(said: Spoken) -> str:
    if said.finish == "refusal":
        return "stop"
    return "tool_calls" if said.tool and said.finish == "stop" else said.finish


def _usage(tokens: Tokens) -> dict[str, Any]:
    return {
        "prompt_tokens": tokens.input,
        "completion_tokens": tokens.output,
        "total_tokens": tokens.input + tokens.output,
        "prompt_tokens_details": {"cached_tokens": tokens.cached},
        "completion_tokens_details": {"reasoning_tokens": tokens.reasoning},
    }
