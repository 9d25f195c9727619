"""Where a token may be placed (house H6), from the public board and the seat's own tokens only."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from diplomat.core.audience import Seat
from diplomat.core.menus import Problem
from diplomat.core.value import Lazy
from diplomat.games.rokugan.atlas import atlas
from diplomat.games.rokugan.board import Board
from diplomat.games.rokugan.content import BLUFF, kind
from diplomat.games.rokugan.places import SEA, Place, coasts, insides, outward, place

BLESSABLE = frozenset({"army", "navy", "shinobi"})


@dataclass(frozen=True)
class Position:
    """What bears on a seat's placements: the board and the faces of its own tokens on the map."""

    board: Board
    seat: Seat
    faces: Mapping[str, str]
    """Token id to face, for at least all own tokens on the map."""

    @Lazy
    def own(self) -> tuple[str, ...]:
        """Own provinces that are open (house H6.11)."""
        return tuple(p for p in self.board.owned(self.seat) if not self.board.closed(p))

    @Lazy
    def _mine(self) -> tuple[tuple[Place, str], ...]:
        laid = self.board.tokens.values()
        return tuple((place(t.place), self.faces[t.id]) for t in laid if t.seat == self.seat)

    @Lazy
    def _filled(self) -> frozenset[str]:
        """Provinces whose defence slot (own) or infiltration slot (others') this seat has filled (house H6.10)."""
        return frozenset(where.target for where, face in self._mine if where.inside and kind(face) != "raid")

    @Lazy
    def _shinobi_at(self) -> frozenset[str]:
        return frozenset(where.target for where, face in self._mine if where.inside and kind(face) == "shinobi")

    @Lazy
    def open(self) -> frozenset[str]:
        """All provinces that are neither at peace nor scorched (house H6.11)."""
        return frozenset(atlas().provinces) - self.board.peace - self.board.scorched

    @Lazy
    def defences(self) -> tuple[str, ...]:
        """Own open provinces with a free defence slot (house H6.4, H6.10)."""
        return tuple(p for p in self.own if p not in self._filled)

    def _strikes_from(self) -> Iterator[str]:
        """Provinces whose outward borders this seat's armies may use.

        With range 2 that is also every open province next to an own one (house H6.14); the start
        of such a path cannot be its target, because the target is never an own province.
        """
        yield from self.own
        if self.board.ranges_two(self.seat):
            seen = set(self.own)
            for start in self.own:
                for middle in atlas().provinces[start].neighbours:
                    if middle in self.open and middle not in seen:
                        seen.add(middle)
                        yield middle

    @Lazy
    def armies(self) -> tuple[str, ...]:
        """Places of an army (house H6.4, H6.14, H6.15)."""
        board, taken = self.board, self.board.spots
        if board.is_ronin(self.seat):
            return tuple(
                where.text
                for source in insides()
                if source.target in self.open
                for where in outward(source.target)
                if where.spot not in taken and where.target in self.open
            )
        mine = frozenset(board.owned(self.seat))
        strikes = tuple(
            where.text
            for source in self._strikes_from()
            for where in outward(source)
            if where.spot not in taken and where.target in self.open and where.target not in mine
        )
        return self.defences + strikes

    @Lazy
    def navies(self) -> tuple[str, ...]:
        """Places of a navy (house H6.5)."""
        board = self.board
        attacks = tuple(
            where.text
            for where in coasts()
            if where.spot not in board.spots and where.target in self.open and board.owner(where.target) != self.seat
        )
        return tuple(p for p in self.defences if atlas().provinces[p].coastal) + attacks

    @Lazy
    def shinobi(self) -> tuple[str, ...]:
        """Places of a shinobi: any open province whose slot is free (house H6.6, H6.10)."""
        return tuple(p for p in atlas().provinces if p in self.open and p not in self._filled)

    @Lazy
    def bluffs(self) -> tuple[str, ...]:
        """Wherever an army, navy or shinobi could go (house H6.9)."""
        return tuple(dict.fromkeys(self.armies + self.navies + self.shinobi))

    @Lazy
    def blessings(self) -> tuple[str, ...]:
        """Own armies, navies and shinobi without a blessing (house H6.7)."""
        return tuple(
            laid.id
            for laid in self.board.tokens.values()
            if laid.seat == self.seat and not laid.blessings and kind(self.faces[laid.id]) in BLESSABLE
        )

    @Lazy
    def diplomacies(self) -> tuple[str, ...]:
        """Own open provinces with a free defence slot (house H6.8, H6.10)."""
        return self.defences

    @Lazy
    def raids(self) -> tuple[str, ...]:
        """Others' and nobody's provinces next to an own open one or holding an own shinobi (house H6.8, H6.15)."""
        board = self.board
        if board.is_ronin(self.seat):
            return ()
        near = {n for p in self.own for n in atlas().provinces[p].neighbours} | self._shinobi_at
        return tuple(p for p in atlas().provinces if p in near and p in self.open and board.owner(p) != self.seat)

    def places(self, face: str) -> tuple[str, ...]:
        """All legal places of a face, in a fixed order; for a blessing, ids of tokens it may lie on."""
        found: tuple[str, ...] = _BY_KIND[kind(face)](self)
        return found

    def problem(self, face: str, where: str) -> Problem:
        """Why a face may not be placed there, for an answer that is not among :meth:`places`."""
        if kind(face) == "blessing":
            return self._blessing_problem(where)
        try:
            spot = place(where)
        except ValueError:
            return Problem("no_such_place", {"place": where[:40]})
        for province in spot.provinces:
            if province in self.board.peace:
                return Problem("at_peace", {"province": province})
            if province in self.board.scorched:
                return Problem("scorched", {"province": province})
        if not spot.inside and spot.spot in self.board.spots:
            return Problem("border_taken" if spot.source != SEA else "coast_taken", {"place": where})
        if spot.inside and spot.target in self._filled:
            own = self.board.owner(spot.target) == self.seat
            if own and kind(face) != "raid":
                return Problem("defence_filled", {"province": spot.target})
            if not own and kind(face) in ("shinobi", BLUFF):
                return Problem("infiltration_filled", {"province": spot.target})
        return Problem(f"not_here_{kind(face)}", {"place": where})

    def _blessing_problem(self, where: str) -> Problem:
        laid = self.board.tokens.get(where)
        if laid is None or laid.seat != self.seat:
            return Problem("bless_own_token", {"token": where[:40]})
        if laid.blessings:
            return Problem("blessed_already", {"token": where})
        return Problem("bless_only_fighters", {"token": where})


_BY_KIND: Mapping[str, Callable[[Position], tuple[str, ...]]] = {
    "army": lambda p: p.armies,
    "navy": lambda p: p.navies,
    "shinobi": lambda p: p.shinobi,
    "blessing": lambda p: p.blessings,
    "diplomacy": lambda p: p.diplomacies,
    "raid": lambda p: p.raids,
    BLUFF: lambda p: p.bluffs,
}


def can_place(position: Position, hand: tuple[str, ...]) -> bool:
    """Whether some token in hand has a legal place (house H6.1)."""
    kinds = {kind(face) for face in hand}
    return any(what in kinds and bool(_BY_KIND[what](position)) for what in _CHEAPEST_FIRST)


_CHEAPEST_FIRST = ("shinobi", "diplomacy", "navy", "raid", "blessing", "army", BLUFF)
"""Kinds in the order in which their places are quickly found."""
