"""Orders of the twelve games of *It Takes Two to Lie*: one file per game and season, with what came of each order.

Messages of a season were written before that season's orders; no shift is needed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from diplomat.core.errors import BadTranscript
from diplomat.study.datasets.rows import OrderRow

NAME = re.compile(r"DiplomacyGame(?P<game>\d+)_(?P<year>\d{4})_(?P<season>spring|fall|winter)\.json")


@dataclass(frozen=True, slots=True)
class PeskovPhase:
    """One season of one game as its file holds it."""

    game_id: int
    year: str
    season: str
    """``Spring``, ``Fall`` or ``Winter``, as the messages spell it."""
    orders: Mapping[str, Mapping[str, Mapping[str, str]]]
    """Country to unit's province to the order."""
    owners: Mapping[str, str]
    """Supply centre to the country that owns it."""
    centres: str
    """The page's own text of who has how many centres, with its spaces."""

    @property
    def key(self) -> tuple[int, str, str]:
        """What finds a message's season: game, year, season."""
        return self.game_id, self.year, self.season

    def rows(self) -> tuple[OrderRow, ...]:
        """The orders as plain rows; seats are lower case as in the messages."""
        return tuple(
            OrderRow(
                game_id=f"peskov/{self.game_id}",
                phase=f"{self.year}-{self.season}",
                seat=country.lower(),
                unit=unit.upper(),
                kind=order["type"],
                to=order.get("to", "").upper(),
                source=order.get("from", "").upper(),
                result=order.get("result", ""),
            )
            for country, units in self.orders.items()
            for unit, order in units.items()
        )

    def as_json(self) -> dict[str, Any]:
        """The file's own object."""
        return {"sc": self.centres, "orders": self.orders, "territories": self.owners}


def read_phase(path: Path) -> PeskovPhase:
    """One season's file.

    Raises:
        BadTranscript: its name or content is not of the data set's form.
    """
    named = NAME.fullmatch(path.name)
    if named is None:
        raise BadTranscript(f"{path.name} is not named like DiplomacyGame1_1901_spring.json")
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except json.JSONDecodeError as error:
        raise BadTranscript(f"{path.name} is no JSON: {error.msg}", error.lineno) from error
    if not isinstance(found, dict) or set(found) != {"sc", "orders", "territories"}:
        raise BadTranscript(f"{path.name}: an object of sc, orders and territories is wanted")
    season = named["season"].capitalize()
    return PeskovPhase(int(named["game"]), named["year"], season, found["orders"], found["territories"], found["sc"])


def read_moves(folder: Path) -> dict[tuple[int, str, str], PeskovPhase]:
    """All seasons of a folder by game, year and season.

    Raises:
        BadTranscript: the folder holds none, or one of them cannot be read.
    """
    phases = [read_phase(path) for path in sorted(folder.glob("DiplomacyGame*.json"))]
    if not phases:
        raise BadTranscript(f"{folder} holds no DiplomacyGame*.json; the folder `moves` of the data set is wanted")
    return {phase.key: phase for phase in phases}
