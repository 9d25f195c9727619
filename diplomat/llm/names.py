"""How a model is named on the command line, and the endpoint that the name stands for."""

from __future__ import annotations

import difflib
import ipaddress
import os
from dataclasses import dataclass, replace
from typing import Literal
from urllib.parse import urlsplit

from diplomat.core.errors import UsageError

Kind = Literal["openai", "anthropic", "server", "local"]

_FORMS = "openai:MODEL, anthropic:MODEL, http://HOST:PORT/v1#MODEL (any server of the OpenAI protocol), local"
_WORDS = ("openai", "anthropic", "local", "http", "https")
_HOME = {
    "openai": ("OPENAI_BASE_URL", "https://api.openai.com/v1"),
    "anthropic": ("ANTHROPIC_BASE_URL", "https://api.anthropic.com"),
}


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A model at a server; hashable, and without a key."""

    kind: Kind
    model: str
    base_url: str | None = None
    """None: the provider's own address."""

    @property
    def name(self) -> str:
        """The text that :func:`parse` reads."""
        if self.kind == "server":
            return f"{self.base_url}#{self.model}"
        return "local" if self.kind == "local" else f"{self.kind}:{self.model}"

    @property
    def provider(self) -> str:
        """What limits and connections are kept by: ``openai``, ``anthropic`` or the server's address."""
        if self.kind in {"server", "local"} and self.base_url:
            return self.base_url
        return self.kind

    @property
    def address(self) -> str:
        """Where requests go; UsageError for a local model that nobody has started."""
        if self.base_url:
            return self.base_url
        if self.kind in _HOME:
            variable, usual = _HOME[self.kind]
            return os.environ.get(variable) or usual
        raise UsageError("the model 'local' has no server yet; start it first, or name one: http://HOST:PORT/v1#MODEL")

    @property
    def near(self) -> bool:
        """Whether the address is this machine or a private network: nobody is billed for it."""
        return self.kind == "local" or (self.kind == "server" and is_near(self.base_url or ""))

    def at(self, base_url: str) -> Endpoint:
        """The same model at another address, such as a local server that was just started."""
        return replace(self, base_url=base_url.rstrip("/"))


def is_near(url: str) -> bool:
    """Whether a URL points to this machine or a private network."""
    host = (urlsplit(url).hostname or "").lower()
    if host == "localhost" or host.endswith((".localhost", ".local", ".internal", ".lan")):
        return True
    try:
        place = ipaddress.ip_address(host)
    except ValueError:
        return False
    return place.is_loopback or place.is_private or place.is_link_local


def is_model_name(text: str) -> bool:
    """Whether a text is meant as the name of a model, rightly written or not."""
    head = text.strip().partition(":")[0].lower()
    return text.strip().lower() == "local" or (":" in text and head in {"openai", "anthropic", "http", "https"})


def parse(name: str) -> Endpoint:
    """The endpoint of a name; UsageError says what is missing and how it is written.

    >>> parse("openai:gpt-4o").model
    'gpt-4o'
    >>> parse("http://127.0.0.1:8080/v1#qwen").provider
    'http://127.0.0.1:8080/v1'
    """
    text = name.strip()
    if text.lower() == "local":
        return Endpoint("local", "local")
    head, colon, rest = text.partition(":")
    scheme = head.lower()
    if scheme in {"http", "https"} and colon:
        return _server(text)
    if scheme == "openai" and colon:
        return Endpoint("openai", _model(rest, "openai", "gpt-4o-mini"))
    if scheme == "anthropic" and colon:
        return Endpoint("anthropic", _model(rest, "anthropic", "claude-sonnet-4-5"))
    near = difflib.get_close_matches(scheme, _WORDS, n=1)
    hint = f" Did you mean {near[0] + colon + rest!r}?" if near and near[0] != scheme else ""
    raise UsageError(f"{_shown(text)!r} does not name a model.{hint} A model is written as one of: {_FORMS}")


def _model(text: str, provider: str, example: str) -> str:
    model = text.strip()
    if not model:
        raise UsageError(f"'{provider}:' names no model; write {provider}:MODEL, such as {provider}:{example}")
    if any(char.isspace() for char in model):
        raise UsageError(f"{model!r} is not the name of a model: it has a space in it; write {provider}:MODEL")
    return model


def _server(text: str) -> Endpoint:
    url, _, model = text.partition("#")
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError:
        raise UsageError(f"{_shown(url)!r} is not an address; write http://HOST:PORT/v1#MODEL") from None
    if "@" in parts.netloc:
        raise UsageError(
            f"{_shown(url)!r} holds a user name or password, which would end up in logs; "
            "put the server's key into DIPLOMAT_SERVER_KEY and write http://HOST:PORT/v1#MODEL"
        )
    if not host:
        raise UsageError(f"{_shown(url)!r} has no host; write http://HOST:PORT/v1#MODEL")
    if parts.query:
        raise UsageError(
            f"{_shown(url)!r} has a query, which would end up in logs; "
            "put the server's key into DIPLOMAT_SERVER_KEY and write http://HOST:PORT/v1#MODEL"
        )
    url = url.rstrip("/")
    if not model.strip():
        raise UsageError(
            f"{url!r} does not say which model; write {url}#MODEL. "
            f"'diplomat models check {url}' lists the models of that server"
        )
    return Endpoint("server", model.strip(), url)


def server(url: str) -> Endpoint:
    """A server without a model, for looking at what it has; UsageError as in :func:`parse`."""
    return parse(url if url.partition("#")[2].strip() else url.partition("#")[0] + "#*")


def _shown(text: str) -> str:
    """An address without what may be a password or a key in it."""
    head, slashes, tail = text.partition("://")
    if not slashes:
        return text
    netloc, slash, path = tail.partition("/")
    path = path.partition("?")[0]
    return f"{head}://{'…@' + netloc.rpartition('@')[2] if '@' in netloc else netloc.partition('?')[0]}{slash}{path}"
