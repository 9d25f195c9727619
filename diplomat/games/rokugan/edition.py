"""The house edition, put together for the table."""

from __future__ import annotations

from typing import Any

from diplomat.core.audience import Seat
from diplomat.core.errors import BadSettings
from diplomat.core.game import Game, Tally
from diplomat.games.rokugan import guide
from diplomat.games.rokugan.bots.daimyo import Daimyo
from diplomat.games.rokugan.events import EVENTS
from diplomat.games.rokugan.knowledge import Known
from diplomat.games.rokugan.pledges import RokuganPledges
from diplomat.games.rokugan.resample import REVEALS, another_world
from diplomat.games.rokugan.rules import RokuganRules, State
from diplomat.games.rokugan.seat import RokuganSide
from diplomat.games.rokugan.settings import CLAN_IDS, Settings
from diplomat.games.rokugan.tally import name, row, sheets
from diplomat.games.rokugan.tell import Story


def _seat_for_clan(raw: dict[str, Any], seat: Seat, clan: str) -> None:
    """Writes into raw settings that a seat plays a clan (house H1.2)."""
    clans = raw.setdefault("clans", {})
    if not isinstance(clans, dict):
        return  # the settings say what is wrong with it
    if clans.setdefault(str(seat), clan) != clan:
        text = f"clans.{seat}={clans[str(seat)]} is set, but the player asked for {clan} would sit there"
        raise BadSettings(f"{text}; name the seat instead of the clan")


game: Game[State, Known] = Game(
    id="rokugan",
    titles={"en": "Rokugan, house edition", "ru": "Рокуган, домашняя редакция"},
    edition="house",
    rules_version=2,
    seats=range(2, 6),
    settings=Settings,
    rules=RokuganRules(),
    side=RokuganSide(),
    pledges=RokuganPledges(),
    story=Story(),
    events=EVENTS,
    bots={"scripted": Daimyo},
    package="diplomat.games.rokugan",
    roles=CLAN_IDS,
    seat_for_role=_seat_for_clan,
    default_seats=5,
    balance=Tally(row, sheets, name),
    quiet={"talk_waves": 0},
    another_world=another_world,
    reveals=REVEALS,
    brief={"rounds": 1},
    guide=guide,
)
