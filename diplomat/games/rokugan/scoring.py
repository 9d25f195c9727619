"""Objectives, honor and the winner (house H11)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from diplomat.core.audience import Seat
from diplomat.core.events import Event
from diplomat.games.rokugan.atlas import atlas
from diplomat.games.rokugan.board import Board, controls_whole
from diplomat.games.rokugan.content import objectives
from diplomat.games.rokugan.events import GameWon, ObjectiveRevealed, SeatScored

TERRITORY_HONOR = 5


@dataclass(frozen=True, slots=True)
class Holdings:
    """What a seat controls, counted the ways objectives ask for; :func:`count` makes one."""

    clan: str
    by_territory: Mapping[str, int]
    """Provinces held in each territory where there are any."""
    flowers: int
    """In all; the Shadowlands have none (house H2.4)."""
    coastal: int
    """Coastal provinces."""
    capitals: frozenset[str]
    """Clans whose capital is held."""

    @property
    def shadowlands(self) -> int:
        """Shadowlands provinces."""
        return sum(n for t, n in self.by_territory.items() if _kind(t) == "shadowlands")

    @property
    def foreign_homes(self) -> tuple[int, ...]:
        """Provinces held in each home land of another clan, neutral clans included."""
        return tuple(n for t, n in self.by_territory.items() if t != self.clan and _kind(t) == "clan")


def count(clan: str, provinces: Iterable[str]) -> Holdings:
    """A clan's provinces, counted."""
    lands = atlas().provinces
    territories: dict[str, int] = {}
    flowers = coastal = 0
    capitals: set[str] = set()
    for province in provinces:
        land = lands[province]
        territories[land.territory] = territories.get(land.territory, 0) + 1
        flowers += land.flowers
        coastal += land.coastal
        if land.capital:
            capitals.add(land.territory)
    return Holdings(clan, territories, flowers, coastal, frozenset(capitals))


def _kind(territory: str) -> str:
    return atlas().territories[territory].kind


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
    return count(board.clans[seat], board.owned(seat))


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
    return SeatScored(
        seat, held.flowers, faceup, TERRITORY_HONOR * whole, bonus, total, sum(held.by_territory.values())
    )


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
