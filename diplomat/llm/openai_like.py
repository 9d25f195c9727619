"""OpenAI, and every server that speaks its protocol of chat completions."""

from __future__ import annotations

import re
from typing import Any

from diplomat.llm.asking import TOOL, TOOL_TEXT, apart, count, inner, with_schema
from diplomat.llm.base import Call, Completion, Finish, Mode, ProviderFault, Timeouts, Usage
from diplomat.llm.names import Endpoint
from diplomat.llm.streaming import Streamed
from diplomat.llm.strict import strict

_FINISH: dict[str, Finish] = {
    "length": "length",
    "max_tokens": "length",
    "content_filter": "refusal",
    "refusal": "refusal",
}


class OpenAILike(Streamed):
    """Chat completions, always streamed, so that silence can be told from a long reply."""

    path = "/chat/completions"
    models_path = "/models"

    def __init__(self, endpoint: Endpoint, timeouts: Timeouts | None = None) -> None:
        super().__init__(endpoint, timeouts)
        self._own = endpoint.kind == "openai"
        # The Python server of llama.cpp does not say in a stream that a prompt does not fit.
        self.tongue_tied = not self._own
        # How this server wants to be asked; learnt from its refusals.
        self._limit = "max_completion_tokens" if self._own else "max_tokens"
        self._asks_usage = True
        self._has_system = True
        self._learnt: set[str] = set()

    def stream_class(self) -> Any:
        """The SDK's class of streams."""
        import openai

        return openai.AsyncStream

    def body(self, model: str, call: Call, mode: Mode) -> dict[str, Any]:
        """Everything that stays the same comes first, byte for byte, which is what prefix caches go by."""
        schema = strict(call.schema, bounds=not self._own)
        made: dict[str, Any] = {
            "model": model,
            "messages": self._messages(call, mode, schema),
            self._limit: call.max_output,
            "stream": True,
        }
        if self._asks_usage:
            made["stream_options"] = {"include_usage": True}
        if mode == "schema":
            form = {"name": TOOL, "strict": True, "schema": schema}
            made["response_format"] = {"type": "json_schema", "json_schema": form}
        elif mode == "object":
            # Servers of llama.cpp's family hold the reply to a schema here; OpenAI itself refuses the field.
            made["response_format"] = {"type": "json_object"} | ({} if self._own else {"schema": schema})
        elif mode == "tool":
            function = {"name": TOOL, "description": TOOL_TEXT, "parameters": schema}
            made["tools"] = [{"type": "function", "function": function | ({"strict": True} if self._own else {})}]
            made["tool_choice"] = {"type": "function", "function": {"name": TOOL}}
        return made

    def _messages(self, call: Call, mode: Mode, schema: dict[str, Any]) -> list[dict[str, str]]:
        system = "\n\n".join(part.text for part in call.system if part.text)
        messages: list[dict[str, str]] = [{"role": turn.role, "content": turn.text} for turn in call.turns]
        if system and self._has_system:
            messages.insert(0, {"role": "system", "content": system})
        elif system and messages and messages[0]["role"] == "user":
            messages[0]["content"] = f"{system}\n\n{messages[0]['content']}"
        elif system:
            messages.insert(0, {"role": "user", "content": system})
        if call.constrained and mode in {"object", "text"}:
            if not messages or messages[-1]["role"] != "user":
                messages.append({"role": "user", "content": ""})
            messages[-1]["content"] = with_schema(messages[-1]["content"], schema).lstrip()
        return messages

    def adapts(self, fault: ProviderFault) -> bool:
        """Learns from refusals of fields that some servers do not know; each lesson is tried once."""
        text = str(fault)
        if fault.status not in {400, 422, 500}:
            return False
        for lesson, words in _LESSONS:
            if lesson not in self._learnt and words.search(text):
                self._learnt.add(lesson)
                if lesson == "usage":
                    self._asks_usage = False
                elif lesson == "limit":
                    self._limit = "max_tokens" if self._limit == "max_completion_tokens" else "max_completion_tokens"
                else:
                    self._has_system = False
                return True
        return False

    def fold(self, mode: Mode) -> _Fold:
        """An empty reply."""
        return _Fold(mode)


_NOT_TAKEN = r"(?:unsupported|unrecognized|unknown|extra|not permitted|not supported)"
_LIMIT = r"max_(?:completion_)?tokens"
_LESSONS = (
    ("usage", re.compile(r"stream_options|include_usage", re.I)),
    ("limit", re.compile(rf"{_NOT_TAKEN}[^.]*{_LIMIT}|{_LIMIT}['\"`]?[^.]*{_NOT_TAKEN}", re.I)),
    ("system", re.compile(r"system (?:role|message)s? (?:is |are )?not supported|only user and assistant roles", re.I)),
)


class _Fold:
    """Puts the pieces of one choice together."""

    def __init__(self, mode: Mode) -> None:
        self._mode = mode
        self._text: list[str] = []
        self._tool: list[str] = []
        self._thinking: list[str] = []
        self._refusal: list[str] = []
        self._finish: str | None = None
        self._usage = Usage()
        self._id = ""

    def take(self, event: dict[str, Any]) -> None:
        """Adds a piece; anything may be missing from it."""
        if not self._id and isinstance(event.get("id"), str):
            self._id = event["id"]
        if isinstance(event.get("usage"), dict):
            self._usage = usage_of(event["usage"])
        choice = inner(event, "choices", 0)
        if not isinstance(choice, dict) or choice.get("index") not in {0, None}:
            return
        finish = choice.get("finish_reason")
        if isinstance(finish, str):
            self._finish = finish
        said = choice.get("delta") or choice.get("message")
        if not isinstance(said, dict):
            return
        _add(self._text, said.get("content"))
        _add(self._thinking, said.get("reasoning_content") or said.get("reasoning"))
        _add(self._refusal, said.get("refusal"))
        _add(self._tool, inner(said, "function_call", "arguments"))
        for used in said.get("tool_calls") or ():
            # Of several calls only the first counts: two answers glued together are none.
            if isinstance(used, dict) and used.get("index") in {0, None}:
                _add(self._tool, inner(used, "function", "arguments"))

    def completion(self, *, done: bool) -> Completion | None:
        """The whole reply; None if the stream ended without a reason and without its mark."""
        if self._finish is None and not done:
            return None
        text, thought = apart("".join(self._text))
        refusal = "".join(self._refusal)
        finish = _FINISH.get(self._finish or "stop", "stop")
        if self._tool:
            text = "".join(self._tool)
        elif refusal and not text.strip():
            text, finish = refusal, "refusal"
        thinking = "\n".join(part for part in ("".join(self._thinking).strip(), thought) if part)
        return Completion(text, finish, self._usage, thinking, self._id, self._mode)


def _add(pieces: list[str], value: Any) -> None:
    if isinstance(value, str):
        pieces.append(value)
    elif isinstance(value, list):
        pieces.extend(part["text"] for part in value if isinstance(part, dict) and isinstance(part.get("text"), str))


def usage_of(data: dict[str, Any]) -> Usage:
    """Tokens as this protocol counts them: the cached ones are part of the prompt's."""
    prompt = count(data.get("prompt_tokens"))
    cached = count(inner(data, "prompt_tokens_details", "cached_tokens")) or count(data.get("prompt_cache_hit_tokens"))
    cached = min(cached, prompt)
    return Usage(
        fresh=prompt - cached,
        cached=cached,
        output=count(data.get("completion_tokens")),
        thinking=count(inner(data, "completion_tokens_details", "reasoning_tokens")),
    )
