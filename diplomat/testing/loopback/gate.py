"""Which requests get an error instead of a completion: by the server's settings, or by their fault."""

from __future__ import annotations

from dataclasses import replace

from diplomat.testing.loopback import anthropic_wire, openai_wire
from diplomat.testing.loopback.asked import Asked
from diplomat.testing.loopback.cache import MOST_MARKS, Footprint
from diplomat.testing.loopback.faults import FAULTS, OK
from diplomat.testing.loopback.settings import Settings
from diplomat.testing.loopback.spoken import NONE, Refused, Tokens
from diplomat.testing.loopback.strictness import schema_problem

DEFAULT_CONTEXT = 8192
"""What the faults of too long prompts speak of where the server has no limit of its own."""
PAGE = b"<html><head><title>502 Bad Gateway</title></head><body>Bad Gateway</body></html>"


def refusal(settings: Settings, asked: Asked, fault: str, footprint: Footprint, key: str) -> Refused | None:
    """The error answer for a request, or None if it gets a completion.

    What the settings refuse is refused whatever the fault: it would be on every try.
    """
    found = _by_name(settings, asked, key) or _unsupported(settings, asked) or _malformed(settings, asked, footprint)
    if found is None and settings.context is not None:
        found = _too_long(settings, asked, Tokens(footprint.total), settings.context)
    return found or _by_fault(settings, asked, fault, Tokens(footprint.total))


def wrong_key(settings: Settings, key: str) -> bool:
    """Whether the caller does not hold the key that the server asks for."""
    return settings.key is not None and key != settings.key


def _by_name(settings: Settings, asked: Asked, key: str) -> Refused | None:
    if wrong_key(settings, key):
        return _worded(asked, "denied")
    if settings.models and asked.model not in settings.models:
        return _worded(asked, "unknown_model")
    return None


def _too_long(settings: Settings, asked: Asked, tokens: Tokens, most: int) -> Refused | None:
    if tokens.input > most:
        return _worded(asked, "too_long_llamacpp" if settings.unsupported == "llamacpp" else "too_long", tokens, most)
    total = tokens.input + (asked.limit or 0)
    if total <= most:
        return None
    if asked.protocol == "anthropic":
        text = (
            f"input length and `max_tokens` exceed context limit: {tokens.input} + {asked.limit} > {most}, "
            "decrease input length or `max_tokens` and try again"
        )
        return anthropic_wire.error(400, text, "invalid_request_error")
    text = (
        f"This model's maximum context length is {most} tokens. However, you requested {total} tokens "
        f"({tokens.input} in the messages, {asked.limit} in the completion). "
        "Please reduce the length of the messages or completion."
    )
    return openai_wire.error(400, text, "invalid_request_error", "context_length_exceeded", "messages")


def _by_fault(settings: Settings, asked: Asked, fault: str, tokens: Tokens) -> Refused | None:
    if fault == "content_filter" and asked.protocol == "anthropic":
        return _worded(asked, fault)
    if fault == "too_long_unsaid" and not asked.stream:
        return _worded(asked, "too_long", tokens, settings.context or DEFAULT_CONTEXT)
    if fault == OK or FAULTS[fault].where != "status":
        return None
    if fault == "bad_gateway":
        return Refused(502, PAGE, {"content-type": "text/html"})
    refused = _worded(asked, fault, tokens, settings.context or DEFAULT_CONTEXT)
    if fault == "rate_limited":
        return replace(refused, headers={"retry-after": f"{settings.retry_after:g}"})
    return refused


def _unsupported(settings: Settings, asked: Asked) -> Refused | None:
    if asked.mode in settings.modes or asked.mode == "text" or settings.unsupported == "ignore":
        return None
    if asked.protocol == "anthropic":
        what = "output_config.format" if asked.mode == "schema" else "tools"
        return anthropic_wire.error(400, f"{what}: not supported by this model", "invalid_request_error")
    if asked.mode == "tool":
        return openai_wire.error(400, "tools is not supported with this model", "invalid_request_error", None, "tools")
    if settings.unsupported == "llamacpp" and asked.mode == "schema":
        text = (
            "[{'type': 'literal_error', 'loc': ('body', 'response_format', 'type'), "
            "'msg': \"Input should be 'text' or 'json_object'\", 'input': 'json_schema'}]"
        )
        return openai_wire.error(500, text, "internal_server_error")
    what = "json_schema" if asked.mode == "schema" else "json_object"
    text = f"Invalid parameter: 'response_format' of type '{what}' is not supported with this model."
    return openai_wire.error(400, text, "invalid_request_error", None, "response_format")


def _malformed(settings: Settings, asked: Asked, footprint: Footprint) -> Refused | None:
    """What the real services refuse before the model sees anything; servers of one's own are not so strict."""
    if not settings.strict or settings.unsupported != "reject":
        return None
    if asked.protocol == "anthropic" and len(footprint.marks) > MOST_MARKS:
        text = f"A maximum of {MOST_MARKS} blocks with cache_control may be provided. Found {len(footprint.marks)}."
        return anthropic_wire.error(400, text, "invalid_request_error")
    if asked.protocol == "openai" and asked.mode == "object" and "json" not in asked.prompt.lower():
        text = "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'."
        return openai_wire.error(400, text, "invalid_request_error", None, "messages")
    problem = schema_problem(asked.schema, asked.protocol) if asked.strict and asked.schema is not None else None
    if problem is None:
        return None
    if asked.protocol == "anthropic":
        return anthropic_wire.error(400, f"output_config.format.schema: {problem}", "invalid_request_error")
    what = "response_format" if asked.mode == "schema" else "function"
    text = f"Invalid schema for {what}: {problem}"
    return openai_wire.error(400, text, "invalid_request_error", "invalid_json_schema", what)


def _worded(asked: Asked, fault: str, tokens: Tokens = NONE, most: int = DEFAULT_CONTEXT) -> Refused:
    if asked.protocol == "openai":
        return openai_wire.refused(fault, asked, tokens, most)
    return anthropic_wire.refused(fault, asked, tokens, most)
