"""Where a combat token can lie, written as a short string.

``hida`` is inside a province; ``hida>ikoma`` is the border between the two, pointing at the
attacked ``ikoma``; ``sea>hida`` is the coast of ``hida`` (house H6.3, H6.4, H6.5).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from diplomat.games.rokugan.atlas import atlas

SEA = "sea"


@dataclass(frozen=True, slots=True)
class Place:
    """A place taken apart: the province it acts on, where it comes from, and the room it takes."""

    text: str
    target: str
    source: str | None
    """The province on the near side of a border; ``sea`` on a coast; None inside a province."""
    spot: str
    """Same for both directions of one border: at most one token lies on a spot that is a line."""

    @property
    def inside(self) -> bool:
        """Whether it is a province's inside, not a border or a coast."""
        return self.source is None

    @property
    def provinces(self) -> tuple[str, ...]:
        """The provinces it touches."""
        return (self.target,) if self.source in (None, SEA) else (self.target, str(self.source))


@cache
def place(text: str) -> Place:
    """The place written so; ValueError when the map has no such place."""
    provinces = atlas().provinces
    source, arrow, target = text.rpartition(">")
    if target not in provinces:
        raise ValueError(f"no province {target!r} in place {text!r}")
    if not arrow:
        return Place(text, target, None, text)
    if source == SEA:
        if not provinces[target].coastal:
            raise ValueError(f"{target!r} has no coast, in place {text!r}")
        return Place(text, target, SEA, f"sea|{target}")
    if source not in provinces[target].neighbours:
        raise ValueError(f"no border between {source!r} and {target!r}, in place {text!r}")
    return Place(text, target, source, "|".join(sorted((source, target))))


@cache
def outward(province: str) -> tuple[Place, ...]:
    """The places on the borders of a province that point out of it."""
    return tuple(place(f"{province}>{other}") for other in atlas().provinces[province].neighbours)


@cache
def coasts() -> tuple[Place, ...]:
    """All coasts, in map order."""
    return tuple(place(f"{SEA}>{p.id}") for p in atlas().provinces.values() if p.coastal)


@cache
def insides() -> tuple[Place, ...]:
    """All provinces' insides, in map order."""
    return tuple(place(p) for p in atlas().provinces)
