"""Keys come from the environment, go to their own server only, and appear nowhere else."""

from __future__ import annotations

import os
import re

from diplomat.core.errors import UsageError
from diplomat.llm.names import Endpoint

_VARIABLE = {"openai": "OPENAI_API_KEY", "anthropic": "ANTHROPIC_API_KEY", "server": "DIPLOMAT_SERVER_KEY"}
_SECRET_NAME = re.compile(r"(_|^)(KEY|TOKEN|SECRET|PASSWORD)(_|$)")
_SHORTEST = 8
"""Shorter values of the environment are no keys, and masking them would blot out words."""
_KEYLIKE = re.compile(r"\b(?:sk|pk|rk|gsk|xai|hf)[-_][A-Za-z0-9_\-*.…]{6,}|(?i:\bbearer\s+)[^\s\"',;]{6,}")
_USERINFO = re.compile(r"(?<=://)[^/\s@]+@")
MASK = "[key]"


def key_of(endpoint: Endpoint) -> str | None:
    """The key for an endpoint's own server; UsageError if a provider needs one and there is none."""
    variable = _VARIABLE.get(endpoint.kind)
    key = os.environ.get(variable, "").strip() if variable else ""
    if key:
        if not key.isascii() or not key.isprintable():
            raise UsageError(f"{variable} holds characters that no key has; set it anew")
        return key
    if endpoint.kind in {"openai", "anthropic"}:
        raise UsageError(f"{endpoint.name} needs a key; put it into the environment variable {variable}")
    return None


def masked(text: str) -> str:
    """The text without anything that is a key in the environment, or looks like one."""
    for name, value in os.environ.items():
        secret = value.strip()
        if len(secret) >= _SHORTEST and _SECRET_NAME.search(name.upper()):
            text = text.replace(secret, MASK)
    return _USERINFO.sub("…@", _KEYLIKE.sub(MASK, text))


def without_keys(text: str) -> str:
    """The text without the very keys that are in use; unlike :func:`masked` it leaves all other words alone."""
    for variable in _VARIABLE.values():
        secret = os.environ.get(variable, "").strip()
        if len(secret) >= _SHORTEST:
            text = text.replace(secret, MASK)
    return text
