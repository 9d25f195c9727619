"""What table is asked for: a TOML file, and options that override it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from diplomat.core import toml
from diplomat.core.errors import BadSettings, UnknownName, UsageError

DEEPEST = 8
"""Names in the key of a setting."""


class TableFile(BaseModel):
    """A table as a file describes it; every key may be left out."""

    model_config = ConfigDict(extra="forbid", strict=True)

    game: str | None = None
    players: int | None = None
    seed: int | str | None = None
    lang: str | None = None
    seats: dict[str, str] = Field(default_factory=dict)
    settings: dict[str, Any] = Field(default_factory=dict)
    all: str | None = None
    pace: str | None = None
    budget: float | None = None
    prices: str | None = None
    deadline: float | None = None

    def calling(self) -> dict[str, Any]:
        """How language models are called."""
        return {"pace": self.pace, "budget": self.budget, "prices": Path(self.prices) if self.prices else None}


def read_table(path: Path) -> TableFile:
    """The table in a TOML file; UsageError says what is wrong in it and where."""
    try:
        return TableFile.model_validate(toml.parsed(path.read_text(encoding="utf-8")))
    except OSError as fault:
        raise UsageError(f"the table file {path} cannot be read: {fault.strerror}") from None
    except UnicodeDecodeError:
        raise UsageError(f"the table file {path} is not UTF-8 text") from None
    except toml.BadToml as fault:
        raise UsageError(f"the table file {path} is not TOML: {fault}") from None
    except ValidationError as fault:
        first = fault.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        if first["type"] == "extra_forbidden":
            raise UnknownName("key", where, TableFile.model_fields, where=str(path)) from None
        raise BadSettings(f"{path}: {where}: {first['msg'].lower()}, not {first['input']!r}") from None


def seat_wishes(entries: Iterable[str]) -> dict[str, str]:
    """``SEAT=AGENT[:PROFILE]`` entries as a table; a seat may be named once."""
    wishes: dict[str, str] = {}
    for entry in entries:
        seat, equals, agent = (part.strip() for part in entry.partition("="))
        if not (seat and equals and agent):
            raise UsageError(f"--seat {entry!r}: write SEAT=AGENT[:PROFILE], like crab=scripted:honest")
        if seat in wishes:
            raise UsageError(f"--seat {entry!r}: the seat {seat} is filled already, with {wishes[seat]}")
        wishes[seat] = agent
    return wishes


def setting_entries(entries: Iterable[str]) -> dict[str, Any]:
    """``KEY=VALUE`` entries as nested settings: ``clans.s1=crab`` is the entry s1 of clans."""
    settings: dict[str, Any] = {}
    for entry in entries:
        key, equals, value = (part.strip() for part in entry.partition("="))
        parts = key.split(".")
        if len(parts) > DEEPEST:
            raise UsageError(f"--set {entry[:40]!r}…: a setting has at most {DEEPEST} names with dots between them")
        if not equals or not all(parts):
            raise UsageError(f"--set {entry!r}: write KEY=VALUE, like rounds=3 or clans.s1=crab")
        place = settings
        for part in parts[:-1]:
            place = place.setdefault(part, {})
            if not isinstance(place, dict):
                raise UsageError(f"--set {entry!r}: {part} has a value of its own already")
        if parts[-1] in place:
            raise UsageError(f"--set {entry!r}: {key} is set already")
        place[parts[-1]] = value
    return settings


def joined(base: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """Nested settings, where ``over`` wins."""
    result = dict(base)
    for key, value in over.items():
        below = result.get(key)
        result[key] = joined(below, value) if isinstance(below, Mapping) and isinstance(value, Mapping) else value
    return result
