"""Tokens, clans, cards and objectives as data (house H4, H10, H11)."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

BLUFF = "bluff"
HAND_SIZE = 6
"""Tokens in hand after drawing, the bluff included (house H5.1)."""
SETUP_TOKENS = {2: 6, 3: 5, 4: 4, 5: 3}
"""Extra control tokens each at setup, by number of players (house H3.3)."""
ROUNDS = 5


@dataclass(frozen=True, slots=True)
class Token:
    """One face of a combat token."""

    id: str
    kind: str
    strength: int
    count: int
    texts: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Clan:
    """A clan: its unique token and how it is shown."""

    id: str
    unique: str
    texts: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Card:
    """A kind of territory card."""

    id: str
    texts: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Objective:
    """A secret objective; its condition is in :mod:`diplomat.games.rokugan.scoring`."""

    id: str
    bonus: int
    texts: Mapping[str, str]


def _table(name: str) -> dict[str, dict[str, Any]]:
    source = files("diplomat.games.rokugan").joinpath("data", f"{name}.toml").read_text(encoding="utf-8")
    return tomllib.loads(source)


def _texts(row: Mapping[str, Any]) -> dict[str, str]:
    return {key: value for key, value in row.items() if isinstance(value, str)}


@cache
def tokens() -> Mapping[str, Token]:
    """All token faces by id (``army-3``), in order of the file."""
    return {
        key: Token(key, row["kind"], row["strength"], row["count"], _texts(row))
        for key, row in _table("tokens").items()
    }


@cache
def clans() -> Mapping[str, Clan]:
    """The seven clans by id."""
    return {key: Clan(key, row["unique"], _texts(row)) for key, row in _table("clans").items()}


@cache
def cards() -> Mapping[str, Card]:
    """The four kinds of territory card by id."""
    return {key: Card(key, _texts(row)) for key, row in _table("cards").items()}


@cache
def objectives() -> Mapping[str, Objective]:
    """The eleven objectives by id."""
    return {key: Objective(key, row["bonus"], _texts(row)) for key, row in _table("objectives").items()}


@cache
def token_set(clan: str) -> tuple[str, ...]:
    """The 26 combat tokens of a clan without the bluff, sorted (house H4.1, H4.2)."""
    faces = [face for face, token in tokens().items() if face != BLUFF for _ in range(token.count)]
    return tuple(sorted([*faces, clans()[clan].unique]))


@cache
def kind(face: str) -> str:
    """The kind of a face: army, navy, shinobi, blessing, diplomacy, raid or bluff."""
    return tokens()[face].kind


@cache
def strength(face: str) -> int:
    """The printed strength of a face."""
    return tokens()[face].strength
