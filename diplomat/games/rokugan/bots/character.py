"""The numbers a scripted diplomat plays by; a profile's traits give them."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any


@dataclass(frozen=True, slots=True)
class Character:
    """Traits from 0 to 1; see the fields of a profile.  The defaults are a middling player."""

    honesty: float = 0.6
    candour: float = 0.6
    loyalty: float = 0.5
    aggression: float = 0.5
    caution: float = 0.5
    ambition: float = 0.5
    trust: float = 0.5
    vengeance: float = 0.5
    forgiveness: float = 0.5
    talkative: float = 0.5
    gossip: float = 0.3
    boldness: float = 0.5
    tone: str = "plain"


def character(profile: Any) -> Character:
    """The character of a profile: anything with numeric ``traits`` and a ``tone``; None gives the middling one."""
    if profile is None:
        return Character()
    names = [field.name for field in fields(Character) if field.name != "tone"]
    return Character(**{name: float(getattr(profile.traits, name)) for name in names}, tone=str(profile.tone))
