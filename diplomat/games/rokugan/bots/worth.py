"""What a province is worth to a clan, in honor at the end of the game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, lru_cache

from diplomat.core.audience import Seat
from diplomat.games.rokugan.atlas import atlas
from diplomat.games.rokugan.board import Board
from diplomat.games.rokugan.content import objectives
from diplomat.games.rokugan.scoring import TERRITORY_HONOR, Holdings, count

PRESENCE = 0.5
"""Worth of one more province whatever it is: the tie-break, a base to act from, later faceup tokens."""
CARD = 0.7
"""Worth of a territory card."""

Progress = Callable[[Holdings], tuple[float, float]]

PROGRESS: Mapping[str, Progress] = {
    "legacy": lambda h: (float(h.clan in h.capitals), 1),
    "waves": lambda h: (h.coastal, 3),
    "favour": lambda h: (h.by_territory.get("imperial", 0), 1),
    "palm": lambda h: (len(h.by_territory), 3),
    "gaze": lambda h: (h.shadowlands, 1),
    "conqueror": lambda h: (max(h.foreign_homes, default=0), 2),
    "spice": lambda h: (h.by_territory.get("islands", 0), 2),
    "wealth": lambda h: (h.flowers, 6),
    "siege": lambda h: (len(h.capitals - {h.clan}), 1),
    "shadow_light": lambda h: (float("imperial" in h.by_territory) + float(h.shadowlands > 0), 2),
    "not_an_inch": lambda h: (h.by_territory.get(h.clan, 0), 2),
}
"""For each objective what is had of it and what is needed."""


ZEAL: Mapping[str, float] = {
    "legacy": 0.14,
    "waves": 1.8,
    "favour": 3.2,
    "palm": 0.18,
    "gaze": 0.40,
    "conqueror": 1.35,
    "spice": 0.70,
    "wealth": 0.0,
    "siege": 1.75,
    "shadow_light": 0.43,
    "not_an_inch": 1.1,
}
"""How strongly scripted players strive for each objective, set by measuring (house H12)."""


def hope(objective: str, held: Holdings) -> float:
    """How near an objective is: 1 when met, a little more with something to spare, less on the way."""
    have, need = PROGRESS[objective](held)
    if have >= need:
        return 1.0 + 0.08 * min(have - need, 2)
    return float(0.55 * (have / need) ** 1.4)


@cache
def _share(held: int, size: int) -> float:
    """Worth of holding part of a territory, as a share of the whole."""
    return 1.0 if held >= size else float(0.3 * (held / size) ** 2)


def _prize(territory: str, taken: frozenset[str], scorched: frozenset[str]) -> tuple[float, int]:
    """What a whole territory is worth beside its flowers, and how many provinces that takes (house H8.5)."""
    land = atlas().territories[territory]
    honor = 0.0 if land.kind == "shadowlands" else TERRITORY_HONOR
    card = 0.0 if territory in taken else CARD
    return honor + card, sum(p not in scorched for p in land.provinces)


@lru_cache(maxsize=1 << 14)  # every seat asks again for the same lands all through a round
def _estate(
    clan: str,
    provinces: tuple[str, ...],
    objective: str | None,
    taken: frozenset[str],
    scorched: frozenset[str],
) -> float:
    """What provinces are worth together to a clan, control tokens left aside."""
    held = count(clan, provinces)
    worth: float = held.flowers + PRESENCE * len(provinces)
    for territory, here in held.by_territory.items():
        prize, size = _prize(territory, taken, scorched)
        worth += prize * _share(here, size)
    if objective is not None:
        worth += ZEAL[objective] * objectives()[objective].bonus * hope(objective, held)
    return worth


class Worth:
    """What each province adds to a seat's estate, worked out when asked for."""

    def __init__(self, board: Board, seat: Seat, objective: str | None) -> None:
        self._board = board
        self._clan = board.clans[seat]
        self._seat = seat
        self._objective = objective
        self._owned = tuple(board.owned(seat))
        self._taken = frozenset(board.taken)
        self._base = self._estate(self._owned)
        self._known: dict[str, float] = {}

    def ahead(self, province: str, picks: int) -> float:
        """What taking it promises at setup: a territory that the picks left can still complete."""
        territory = atlas().provinces[province].territory
        missing = [p for p in atlas().territories[territory].provinces if self._board.owner(p) != self._seat]
        if len(missing) > picks or any(p in self._board.control for p in missing):
            return 0.0
        prize, size = _prize(territory, self._taken, self._board.scorched)
        held = size - len(missing)
        gained = _share(held + 1, size) - _share(held, size)
        return prize * ((1.0 - _share(held, size)) / len(missing) - gained) if len(missing) > 1 else 0.0

    def _estate(self, provinces: tuple[str, ...]) -> float:
        return _estate(self._clan, provinces, self._objective, self._taken, self._board.scorched)

    def of(self, province: str) -> float:
        """Honor gained by taking the province, or lost by losing it."""
        found = self._known.get(province)
        if found is None:
            if province in self._owned:
                rest = tuple(p for p in self._owned if p != province)
                found = self._base - self._estate(rest)
                found += self._board.control[province].faceup
            else:
                more = self._estate((*self._owned, province))
                found = more - self._base
            self._known[province] = found
        return found
