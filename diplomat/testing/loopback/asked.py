"""What a request asks, the same for both protocols: its mode, its schema, its text and its prompt in hashing order."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

Protocol = Literal["openai", "anthropic"]
Mode = Literal["schema", "object", "tool", "text"]
MODES: tuple[Mode, ...] = ("schema", "object", "tool", "text")


@dataclass(frozen=True, slots=True)
class Block:
    """A stretch of the prompt as a provider would hash it; ``mark`` is a cache breakpoint at its end."""

    data: bytes
    mark: bool = False


@dataclass(frozen=True, slots=True)
class Asked:
    """One request, read."""

    protocol: Protocol
    model: str
    mode: Mode
    schema: Mapping[str, Any] | None
    """JSON schema that the reply is asked to follow, where one was sent."""
    tool: str | None
    """Name of the tool to be called in mode ``tool``."""
    strict: bool
    """Whether the server has promised to hold the reply to the schema."""
    stream: bool
    stream_usage: bool
    limit: int | None
    """Most tokens of the reply."""
    turns: tuple[tuple[str, str], ...]
    """Role and text, the system's first."""
    blocks: tuple[Block, ...]

    @property
    def prompt(self) -> str:
        """All text that was sent."""
        return "\n".join(text for _, text in self.turns)

    @property
    def last_turn(self) -> str:
        """The newest text of the user, empty without one."""
        return next((text for role, text in reversed(self.turns) if role == "user"), "")


class Misshapen(ValueError):
    """The body is no request of its protocol; the text says where."""


def read_openai(body: Mapping[str, Any]) -> Asked:
    """A body of ``POST /v1/chat/completions``; Misshapen says what is wrong with it."""
    messages = _messages(body)
    form = body.get("response_format") or {}
    kind = form.get("type", "text")
    tools = body.get("tools") or []
    mode: Mode = "text"
    schema: Mapping[str, Any] | None = None
    tool: str | None = None
    strict = False
    if kind == "json_schema":
        mode, schema = "schema", form["json_schema"].get("schema")
        strict = bool(form["json_schema"].get("strict"))
    elif kind == "json_object":
        mode, schema = "object", form.get("schema")
    elif tools and body.get("tool_choice") != "none":
        function = _chosen(tools, body.get("tool_choice"), lambda entry: entry["function"])
        mode, tool, schema = "tool", function["name"], function.get("parameters")
        strict = bool(function.get("strict"))
    blocks = [Block(_plain(tools))] if tools else []
    if form:
        blocks.append(Block(_plain(form)))
    blocks += [Block(_plain(message)) for message in messages]
    return Asked(
        protocol="openai",
        model=str(body.get("model", "")),
        mode=mode,
        schema=schema,
        tool=tool,
        strict=strict,
        stream=bool(body.get("stream")),
        stream_usage=bool((body.get("stream_options") or {}).get("include_usage")),
        limit=body.get("max_completion_tokens") or body.get("max_tokens"),
        turns=tuple((_role(message), "".join(_texts(message.get("content")))) for message in messages),
        blocks=tuple(blocks),
    )


def read_anthropic(body: Mapping[str, Any]) -> Asked:
    """A body of ``POST /v1/messages``; Misshapen says what is wrong with it."""
    messages = _messages(body)
    if not isinstance(body.get("max_tokens"), int):
        raise Misshapen("max_tokens: Field required")
    form = (body.get("output_config") or {}).get("format") or body.get("output_format") or {}
    tools = body.get("tools") or []
    mode: Mode = "text"
    schema: Mapping[str, Any] | None = None
    tool: str | None = None
    if form.get("type") == "json_schema":
        mode, schema = "schema", form.get("schema")
    elif tools and (body.get("tool_choice") or {}).get("type") != "none":
        chosen = _chosen(tools, body.get("tool_choice"), lambda entry: entry)
        mode, tool, schema = "tool", chosen["name"], chosen.get("input_schema")
    system = body.get("system") or []
    turns = [("system", "".join(_texts(system)))] if system else []
    turns += [(_role(message), "".join(_texts(message.get("content")))) for message in messages]
    blocks = list(_anthropic_blocks(form, tools, system, messages))
    if body.get("cache_control") and blocks:
        blocks[-1] = Block(blocks[-1].data, mark=True)
    return Asked(
        protocol="anthropic",
        model=str(body.get("model", "")),
        mode=mode,
        schema=schema,
        tool=tool,
        strict=mode == "schema",
        stream=bool(body.get("stream")),
        stream_usage=True,
        limit=body["max_tokens"],
        turns=tuple(turns),
        blocks=tuple(blocks),
    )


def _anthropic_blocks(
    form: Mapping[str, Any], tools: Sequence[Any], system: Any, messages: Sequence[Mapping[str, Any]]
) -> Iterator[Block]:
    if form:
        yield Block(_plain(form))
    for tool in tools:
        yield _block(tool)
    for part in _parts(system):
        yield _block(part, "system")
    for message in messages:
        for part in _parts(message.get("content")):
            yield _block(part, str(message.get("role")))


def _block(part: Mapping[str, Any], role: str = "") -> Block:
    rest = {key: value for key, value in part.items() if key != "cache_control"}
    return Block(role.encode() + _plain(rest), mark=part.get("cache_control") is not None)


def _parts(content: Any) -> list[Mapping[str, Any]]:
    if isinstance(content, str):
        return [{"type": "text", "text": content}] if content else []
    return [part for part in content or [] if isinstance(part, Mapping)]


def _texts(content: Any) -> Iterator[str]:
    for part in _parts(content):
        if isinstance(part.get("text"), str):
            yield part["text"]


def _messages(body: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    messages = body.get("messages")
    if not isinstance(messages, list) or not messages or not all(isinstance(entry, Mapping) for entry in messages):
        raise Misshapen("messages: a list with at least one message is required")
    return messages


def _role(message: Mapping[str, Any]) -> str:
    role = str(message.get("role"))
    return "system" if role == "developer" else role


def _chosen(tools: Sequence[Any], choice: Any, inner: Any) -> Mapping[str, Any]:
    """The tool that must or may be called: the named one, else the first."""
    wanted = None
    if isinstance(choice, Mapping):
        wanted = choice.get("name") or (choice.get("function") or {}).get("name")
    found: Mapping[str, Any] = next((inner(tool) for tool in tools if inner(tool)["name"] == wanted), inner(tools[0]))
    return found


def _plain(value: Any) -> bytes:
    """JSON with the keys as they were sent: providers hash what they get, not what it means."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")
