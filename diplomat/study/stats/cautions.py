"""Cautions that travel with a figure: what makes it weak, as a key and facts that the texts put into words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

FEW_GAMES = 10
"""Below this many games, intervals that resample games are too narrow to lean on."""


@dataclass(frozen=True, slots=True)
class Caution:
    """One reason to mistrust a figure; ``code`` is the key ``weak.CODE`` of the report's texts."""

    code: str
    facts: Mapping[str, str | int | float] = field(default_factory=dict)


def few_games(games: int) -> tuple[Caution, ...]:
    """The caution below ten games: Cameron, Gelbach & Miller (2008) show such intervals to be too narrow.

    A single game has no interval at all: nothing shows how games differ.
    """
    if games == 1:
        return (Caution("one_game", {"games": 1}),)
    return (Caution("few_games", {"games": games, "wanted": FEW_GAMES}),) if games < FEW_GAMES else ()
