"""Objectives, honor and the winner (house H11)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from diplomat.core.audience import Seat
from diplomat.core.events import Event
from diplomat.games.rokugan.atlas import atlas
from diplomat.games.rokugan.board import Board, controls_whole
from diplomat.games.rokugan.content import objectives
from diplomat.games.rokugan.events import GameWon, ObjectiveRevealed, SeatScored

TERRITORY_HONOR = 5


@dataclass(frozen=True)
class Holdings:
    """What a seat controls, counted the ways objectives ask for."""

    clan: str
    provinces: tuple[str, ...]

    @cached_property
    def by_territory(self) -> Mapping[str, int]:
        """Provinces held in each territory where there are any."""
        counts: dict[str, int] = {}
        for province in self.provinces:
            territory = atlas().provinces[province].territory
            counts[territory] = counts.get(territory, 0) + 1
        return counts

    @cached_property
    def flowers(self) -> int:
        """Flowers in all; the Shadowlands have none (house H2.4)."""
        return sum(atlas().provinces[p].flowers for p in self.provinces)

    @cached_property
    def coastal(self) -> int:
        """Coastal provinces."""
        return sum(atlas().provinces[p].coastal for p in self.provinces)

    @cached_property
    def shadowlands(self) -> int:
        """Shadowlands provinces."""
        return sum(n for t, n in self.by_territory.items() if atlas().territories[t].kind == "shadowlands")

    @cached_property
    def foreign_homes(self) -> tuple[int, ...]:
        """Provinces held in each home land of another clan, neutral clans included."""
        kinds = atlas().territories
        return tuple(n for t, n in self.by_territory.items() if kinds[t].kind == "clan" and t != self.clan)

    @cached_property
    def capitals(self) -> frozenset[str]:
        """Clans whose capital is held."""
        return frozenset(clan for clan, p in atlas().capital_of.items() if p in self.provinces)


CONDITIONS: Mapping[str, Callable[[Holdings], bool]] = {
    "legacy": lambda h: h.clan in h.capitals,
    "waves": lambda h: h.coastal >= 3,
    "favour": lambda h: "imperial" in h.by_territory,
    "palm": lambda h: len(h.by_territory) >= 3,
    "gaze": lambda h: h.shadowlands >= 1,
    "conqueror": lambda h: any(n >= 2 for n in h.foreign_homes),
    "spice": lambda h: h.by_territory.get("islands", 0) == len(atlas().territories["islands"].provinces),
    "wealth": lambda h: h.flowers >= 6,
    "siege": lambda h: bool(h.capitals - {h.clan}),
    "shadow_light": lambda h: "imperial" in h.by_territory and h.shadowlands >= 1,
    "not_an_inch": lambda h: h.by_territory.get(h.clan, 0) >= 2,
}
"""What each objective asks for (house H11.4)."""


def holdings(board: Board, seat: Seat) -> Holdings:
    """What a seat controls on the board."""
    return Holdings(board.clans[seat], tuple(board.owned(seat)))


def score(board: Board, seat: Seat, objective: str | None) -> SeatScored:
    """A seat's honor if the game ended now (house H11.2); ``objective=None`` leaves its bonus out."""
    held = holdings(board, seat)
    kinds = atlas().territories
    faceup = sum(
        control.faceup
        for province, control in board.control.items()
        if control.owner == seat and kinds[atlas().provinces[province].territory].kind != "shadowlands"
    )
    whole = sum(
        kinds[territory].kind != "shadowlands" and controls_whole(board, seat, territory)
        for territory in held.by_territory
    )
    bonus = objectives()[objective].bonus if objective and CONDITIONS[objective](held) else 0
    total = held.flowers + faceup + TERRITORY_HONOR * whole + bonus
    return SeatScored(seat, held.flowers, faceup, TERRITORY_HONOR * whole, bonus, total, len(held.provinces))


def final(board: Board, dealt: Mapping[Seat, str]) -> Iterator[Event]:
    """The end of the game: objectives, honor, winners (house H11.2, H11.3)."""
    scores = {seat: score(board, seat, dealt[seat]) for seat in board.seats}
    for seat in board.seats:
        yield ObjectiveRevealed(seat, dealt[seat], CONDITIONS[dealt[seat]](holdings(board, seat)))
    yield from scores.values()
    best = max(rank(scored) for scored in scores.values())
    yield GameWon(tuple(seat for seat in board.seats if rank(scores[seat]) == best))


def rank(scored: SeatScored) -> tuple[int, int, int]:
    """What decides the game: honor, then provinces, then flowers (house H11.3)."""
    return (scored.total, scored.provinces, scored.flowers)
