"""A tiny game for tests: up to sixteen masked seats, one night of sealed orders, one vote.

It proves that the core takes games unlike Rokugan without being bent (hidden characters,
simultaneous orders, a reaction window for every seat, a question that another seat's answer
closes, a vote with a tie rule), and shows an author of games how little a game must bring.  It is
not found by discovery: pass :data:`game` itself.
"""

from __future__ import annotations

from diplomat.core.game import Game
from diplomat.testing.masquerade.events import EVENTS, REVEALS
from diplomat.testing.masquerade.floor import Settings
from diplomat.testing.masquerade.rules import MasqueradeRules, State, another_world
from diplomat.testing.masquerade.side import PACKAGE, Known, MasqueradePledges, MasqueradeSide, MasqueradeStory

game: Game[State, Known] = Game(
    id="masquerade",
    titles={"en": "Masquerade", "ru": "Маскарад"},
    edition="tiny",
    rules_version=1,
    seats=range(4, 17),
    settings=Settings,
    rules=MasqueradeRules(),
    side=MasqueradeSide(),
    pledges=MasqueradePledges(),
    story=MasqueradeStory(),
    events=EVENTS,
    bots={},
    package=PACKAGE,
    another_world=another_world,
    default_seats=16,
    reveals=REVEALS,
)

__all__ = ["game"]
