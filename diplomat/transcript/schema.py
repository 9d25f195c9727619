"""The header of a transcript and the shape of its lines."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from diplomat.core.audience import Audience
from diplomat.core.events import Event

FORMAT = 2
"""Number of the format this version writes; a reader refuses higher ones."""


class SeatEntry(BaseModel):
    """Who sat where."""

    model_config = ConfigDict(extra="ignore", frozen=True, strict=True)

    seat: str
    agent: str
    profile: str | None = None
    profile_sha256: str | None = None
    lang: str = "en"
    model: str | None = None
    """Name of the language model that played the seat, None for other players."""
    consent: bool | None = Field(default=None, exclude=True)
    """Whether the person who played the seat may be quoted; read where a host wrote it, and never written."""
    name: str | None = Field(default=None, exclude=True)
    """What that person is called; read where a host wrote it, and never written."""


class Parent(BaseModel):
    """The game from which this one was forked."""

    model_config = ConfigDict(extra="ignore", frozen=True, strict=True)

    sha256: str = Field(pattern="^[0-9a-f]{64}$")
    """SHA-256 of the parent's file."""
    at: int = Field(ge=0)
    """How many events both have in common by right."""
    change: str = ""
    """What is different from there on, in words."""
    commitment: str | None = None
    """SHA-256 of nonce and seed of the dice from there on, if they are others."""


class Header(BaseModel):
    """Line 1 of a transcript."""

    model_config = ConfigDict(extra="ignore", frozen=True, strict=True)

    format: int = Field(default=FORMAT, ge=1)
    game: str
    edition: str
    rules_version: int
    settings: dict[str, Any] = Field(default_factory=dict)
    seats: tuple[SeatEntry, ...] = Field(strict=False)  # JSON has lists and no tuples
    lang: str = "en"
    package: str
    commitment: str
    """SHA-256 of nonce and seed, published before the first event."""
    started: str = ""
    options: dict[str, JsonValue] = Field(default_factory=dict)
    """How the table was run beyond the rules: pace, deadline, budget, models, hashes of prompts and prices."""
    parent: Parent | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """One event as it stands in the file."""

    n: int
    event: Event
    audience: Audience
    at: str = ""
    meta: dict[str, Any] = field(default_factory=dict)
    number: int = 0
    """Line in the file, from 1."""
    written: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)
    """``kind``, ``to`` and ``data`` exactly as they stand there."""
