"""The header of a transcript and the shape of its lines."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from diplomat.core.audience import Audience
from diplomat.core.events import Event

FORMAT = 1
"""Number of the format this version writes; a reader refuses higher ones."""


class SeatEntry(BaseModel):
    """Who sat where."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    seat: str
    agent: str
    profile: str | None = None
    profile_sha256: str | None = None
    lang: str = "en"


class Header(BaseModel):
    """Line 1 of a transcript."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    format: int = FORMAT
    game: str
    edition: str
    rules_version: int
    settings: dict[str, Any] = Field(default_factory=dict)
    seats: tuple[SeatEntry, ...]
    lang: str = "en"
    package: str
    commitment: str
    """SHA-256 of nonce and seed, published before the first event."""
    started: str = ""


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
