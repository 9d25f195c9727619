"""Personalities: who sits in a seat, as numbers for scripted players and as prose for language models."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from diplomat.agents.shelf import folders
from diplomat.core import toml
from diplomat.core.errors import BadProfile, UnknownName

Tone = Literal["plain", "warm", "sly", "blunt", "grim", "chatty", "courtly"]
Share = Annotated[float, Field(ge=0.0, le=1.0, allow_inf_nan=False)]
Words = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=4000)]


class Spoken(BaseModel):
    """One text in both languages."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    en: Words
    ru: Words

    def say(self, lang: str) -> str:
        """The text in that language."""
        return self.ru if lang == "ru" else self.en


class Traits(BaseModel):
    """Numbers from 0 to 1 that a scripted player plays by."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    honesty: Share
    """How much a promise weighs when breaking it would pay; 1 never breaks one."""
    candour: Share
    """How often what it says of its plans is true."""
    loyalty: Share
    """Weight of an ally's interests, and how long it stays with one."""
    aggression: Share
    """Weight of taking land."""
    caution: Share
    """Weight of holding land."""
    ambition: Share
    """How much it minds the leader."""
    trust: Share
    """Belief in others' words before anything is known of them."""
    vengeance: Share
    """Weight of a wrong done to it."""
    forgiveness: Share
    """How fast a grudge fades, per round."""
    talkative: Share
    """How much it says."""
    gossip: Share
    """How gladly it tells third parties what it knows."""
    boldness: Share
    """How readily it threatens and bluffs."""


class Profile(BaseModel):
    """A personality."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    id: Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_-]{0,30}$")]
    tone: Tone
    name: Spoken
    summary: Spoken
    prose: Spoken
    traits: Traits

    def sha256(self) -> str:
        """Hash of everything that it says, for the header of a transcript."""
        return hashlib.sha256(self.model_dump_json().encode()).hexdigest()


def parse(text: str, source: str) -> Profile:
    """A profile from TOML text; BadProfile names the file and the field."""
    try:
        return Profile.model_validate(toml.parsed(text))
    except toml.BadToml as fault:
        raise BadProfile(f"{source}: not TOML: {fault}") from None
    except ValidationError as fault:
        first = fault.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise BadProfile(f"{source}: {where}: {first['msg'].lower()}") from None


def load(path: Path) -> Profile:
    """The profile in a file, whose name must be its id."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, ValueError) as fault:
        raise BadProfile(f"{path}: cannot be read: {fault}") from None
    profile = parse(text, str(path))
    if profile.id != path.stem:
        raise BadProfile(f"{path}: id: is {profile.id!r}, but the file is called {path.stem!r}")
    return profile


def paths() -> Mapping[str, Path]:
    """Every profile file by id; the user's own go before packaged ones."""
    found: dict[str, Path] = {}
    for folder in folders("profiles"):
        for path in sorted(folder.glob("*.toml")) if folder.is_dir() else ():
            found.setdefault(path.stem, path)
    return dict(sorted(found.items()))


@cache
def _loaded(path: Path, changed: int) -> Profile:
    return load(path)


def find(name: str) -> Profile:
    """The profile of that id, or in that file; UnknownName with suggestions if there is none."""
    if name.endswith(".toml"):
        return load(Path(name))
    known = paths()
    if name not in known:
        raise UnknownName("profile", name, known)
    return _loaded(known[name], known[name].stat().st_mtime_ns)
