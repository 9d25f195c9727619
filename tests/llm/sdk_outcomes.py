"""One call through a real SDK, and in a few words what came of it."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import anthropic
import openai

from diplomat.testing.loopback import Loopback

SCHEMA = {
    "type": "object",
    "properties": {
        "answer": {
            "type": "object",
            "properties": {"card": {"type": "string", "enum": [f"c{number}" for number in range(200)]}},
            "required": ["card"],
            "additionalProperties": False,
        },
        "note": {"type": ["string", "null"]},
    },
    "required": ["answer", "note"],
    "additionalProperties": False,
}
PATIENT = 30.0
"""Seconds that the SDK waits for bytes unless told otherwise."""


class Callers:
    """Both SDKs with a loop of their own, without retries."""

    def __init__(self, server: Loopback) -> None:
        self.server = server
        self._runner = asyncio.Runner()
        settings: dict[str, Any] = {"api_key": "sk-secret", "max_retries": 0, "timeout": PATIENT}
        self._openai = openai.AsyncOpenAI(base_url=server.openai_url, **settings)
        self._anthropic = anthropic.AsyncAnthropic(base_url=server.url, **settings)

    def outcome(self, protocol: str, *, stream: bool, idle: float = PATIENT, total: float = PATIENT) -> str:
        """What a caller meets within ``total`` seconds: the error, or how the completion ended and its text.

        ``idle``: the SDK's own timeout, in seconds.
        """
        return self._runner.run(self._outcome(protocol, stream, idle, total))

    def close(self) -> None:
        """Lets go of the connections."""
        self._runner.run(self._openai.close())
        self._runner.run(self._anthropic.close())
        self._runner.close()

    async def _outcome(self, protocol: str, stream: bool, idle: float, total: float) -> str:
        try:
            async with asyncio.timeout(total):
                if protocol == "openai":
                    return await _openai(self.server, self._openai.with_options(timeout=idle), stream)
                return await _anthropic(self.server, self._anthropic.with_options(timeout=idle), stream)
        except TimeoutError:
            return "never ends"
        except Exception as fault:  # noqa: BLE001 — whatever is raised is what the test is about
            module = type(fault).__module__.partition(".")[0]
            status = getattr(fault, "status_code", None)
            prefix = "" if module in ("openai", "anthropic", "builtins") else f"{module}."
            return f"{prefix}{type(fault).__name__}" + (f" {status}" if status else "")


async def _openai(server: Loopback, client: openai.AsyncOpenAI, stream: bool) -> str:
    asked: dict[str, Any] = {
        "model": "m",
        "messages": [{"role": "system", "content": "Play."}, {"role": "user", "content": "Your turn."}],
        "response_format": {"type": "json_schema", "json_schema": {"name": "r", "strict": True, "schema": SCHEMA}},
    }
    if stream:
        return await _openai_stream(server, client, asked)
    reply: Any = await client.chat.completions.create(**asked)
    if isinstance(reply, str) or reply.choices is None:
        return "a str" if isinstance(reply, str) else "choices None"
    choice, message = reply.choices[0], reply.choices[0].message
    if message.refusal:
        return f"{choice.finish_reason} refusal"
    thought = getattr(message, "reasoning_content", None)
    if message.tool_calls:
        return f"{choice.finish_reason} call"
    return _told(server, choice.finish_reason, message.content, thought, reply.usage)


async def _openai_stream(server: Loopback, client: Any, asked: dict[str, Any]) -> str:
    text, thought, finish, usage, calls, refusal = "", "", None, None, False, ""
    async for chunk in await client.chat.completions.create(
        **asked, stream=True, stream_options={"include_usage": True}
    ):
        usage = chunk.usage or usage
        for choice in chunk.choices:
            text += choice.delta.content or ""
            thought += getattr(choice.delta, "reasoning_content", None) or ""
            refusal += choice.delta.refusal or ""
            calls = calls or bool(choice.delta.tool_calls)
            finish = choice.finish_reason or finish
    if finish is None:
        return "no chunks"
    if refusal or calls:
        return f"{finish} {'refusal' if refusal else 'call'}"
    return _told(server, finish, text, thought, usage)


async def _anthropic(server: Loopback, client: anthropic.AsyncAnthropic, stream: bool) -> str:
    asked: dict[str, Any] = {
        "model": "m",
        "max_tokens": 500,
        "system": "Play.",
        "messages": [{"role": "user", "content": "Your turn."}],
        "output_config": {"format": {"type": "json_schema", "schema": SCHEMA}},
    }
    if stream:
        async with client.messages.stream(**asked) as events:
            reply: Any = await events.get_final_message()
    else:
        reply = await client.messages.create(**asked)
    if isinstance(reply, str) or reply.content is None:
        return "a str" if isinstance(reply, str) else "content None"
    text = "".join(block.text for block in reply.content if block.type == "text")
    thought = "".join(block.thinking for block in reply.content if block.type == "thinking")
    if any(block.type == "tool_use" for block in reply.content):
        return f"{reply.stop_reason} call"
    return _told(server, reply.stop_reason, text, thought, reply.usage)


def _told(server: Loopback, finish: str, text: str | None, thought: str | None, usage: Any) -> str:
    """How it ended, what the text is to the reply that was meant, and what else is there or missing."""
    meant = server.calls[-1].meant
    whole = json.dumps(meant, ensure_ascii=False)
    if not text:
        kind = "nothing"
    elif text == whole:
        kind = "good"
    elif len(text) > 1_000_000:
        kind = "10 MB"
    elif whole in text:
        kind = "good last" if text.endswith(whole) else "good inside"
    else:
        kind = "no JSON" if _value(text) is None else "wrong JSON"
    return f"{finish} {kind}" + (" + thought" if thought else "") + ("" if usage else ", no usage")


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None
