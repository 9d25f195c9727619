"""Texts for people: data in two languages, looked up by key, never built in logic."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

LANGUAGES = ("en", "ru")


class _Missing(dict[str, object]):
    """Leaves an unknown placeholder visible instead of failing in front of a person."""

    def __missing__(self, key: str) -> str:
        return "{" + key + "}"


@dataclass(frozen=True, slots=True)
class Texts:
    """A catalogue of one language: ``section.key`` to a template with ``{named}`` places."""

    lang: str
    entries: Mapping[str, str] = field(default_factory=dict)

    def say(self, key: str, **facts: object) -> str:
        """The text of that key with its places filled; an unknown key is shown as itself."""
        template = self.entries.get(key)
        if template is None:
            return key + ("" if not facts else f" {dict(sorted(facts.items()))}")
        return template.format_map(_Missing(facts))

    def has(self, key: str) -> bool:
        """Whether the catalogue has that key."""
        return key in self.entries

    def joined(self, other: Texts) -> Texts:
        """Both catalogues; on a clash ``other`` wins."""
        return Texts(self.lang, {**self.entries, **other.entries})


def flattened(table: Mapping[str, Any], prefix: str = "") -> dict[str, str]:
    """Nested TOML tables as one table of dotted keys."""
    flat: dict[str, str] = {}
    for key, value in table.items():
        name = f"{prefix}{key}"
        if isinstance(value, Mapping):
            flat.update(flattened(value, name + "."))
        else:
            flat[name] = str(value)
    return flat


@cache
def load_texts(package: str, stem: str, lang: str) -> Texts:
    """The catalogue ``{stem}.{lang}.toml`` that lies in a package."""
    source = files(package).joinpath(f"{stem}.{lang}.toml").read_text(encoding="utf-8")
    return Texts(lang, flattened(tomllib.loads(source)))


def core_texts(lang: str) -> Texts:
    """The texts that every game shares: problems, table notices."""
    return load_texts("diplomat.core", "texts", lang)
