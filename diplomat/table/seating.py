"""Who sits where: from what was asked for to a full table of agents."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from diplomat.agents import profile as profiles
from diplomat.agents.base import Agent
from diplomat.agents.profile import Profile
from diplomat.agents.scripted import RandomBot, ScriptedAgent
from diplomat.core.audience import Seat
from diplomat.core.dice import Dice
from diplomat.core.errors import BadSettings, UnknownName, UsageError
from diplomat.core.game import Game

RANDOM = "random"
SCRIPTED = "scripted"


@dataclass(frozen=True, slots=True)
class Chair:
    """One seat as it will be filled."""

    seat: Seat
    agent: str
    profile: Profile | None = None
    lang: str = "en"

    @property
    def instant(self) -> bool:
        """Whether its player never waits (see :class:`diplomat.agents.base.Agent`)."""
        return ScriptedAgent.instant


def seats_of(count: int) -> tuple[Seat, ...]:
    """The seats of a table of that size."""
    return tuple(Seat(f"s{number}") for number in range(1, count + 1))


def table_size(game: Game[Any, Any], asked: int | None, wishes: Mapping[str, str]) -> int:
    """How many seats there will be; UsageError if the game cannot have so many."""
    size = asked if asked is not None else max(game.default_seats, len(wishes))
    if size not in game.seats:
        raise UsageError(f"{game.id} is played by {game.seats[0]} to {game.seats[-1]} seats, not by {size}")
    if len(wishes) > size:
        raise UsageError(f"{len(wishes)} seats are named, but the table has {size}")
    return size


def place_wishes(
    game: Game[Any, Any], seats: tuple[Seat, ...], wishes: Mapping[str, str], raw: dict[str, Any]
) -> dict[Seat, str]:
    """Wishes by seat; a wish by role takes the first free seat and writes the role into raw settings."""
    placed: dict[Seat, str] = {Seat(name): wish for name, wish in wishes.items() if name in seats}
    for name, wish in wishes.items():
        if name in placed:
            continue
        if name not in game.roles or game.seat_for_role is None:
            raise UnknownName("seat", name, [*seats, *game.roles])
        free = next(seat for seat in seats if seat not in placed)
        game.seat_for_role(raw, free, name)
        placed[free] = wish
    return placed


def chairs(
    game: Game[Any, Any], seats: tuple[Seat, ...], wishes: Mapping[Seat, str], lang: str, seed: str
) -> tuple[Chair, ...]:
    """Every seat filled; seats nobody asked for get scripted players of different personalities."""
    spare = [name for name in profiles.paths() if name not in {w.partition(":")[2] for w in wishes.values()}]
    drawn = iter(Dice(f"{seed}/table").die("profiles").shuffled(spare or list(profiles.paths())))
    usual = SCRIPTED if SCRIPTED in game.bots else next(iter(game.bots), RANDOM)
    return tuple(_chair(game, seat, wishes.get(seat, usual), lang, drawn) for seat in seats)


def _chair(game: Game[Any, Any], seat: Seat, wish: str, lang: str, drawn: Any) -> Chair:
    agent, _, name = wish.partition(":")
    known = [RANDOM, *game.bots]
    if agent not in known:
        if agent in profiles.paths():
            raise BadSettings(f"seat {seat}: {agent!r} is a profile; a player with it is scripted:{agent}")
        raise UnknownName("agent", agent, known, where=f"seat {seat}")
    if agent == RANDOM:
        if name:
            raise BadSettings(f"seat {seat}: a random player has no profile, so {name!r} has no use here")
        return Chair(seat, RANDOM, None, lang)
    name = name or next(drawn, "") or next(iter(profiles.paths()))
    return Chair(seat, agent, profiles.find(name), lang)


def agent_for(game: Game[Any, Any], chair: Chair) -> Agent:
    """The player that fills a chair."""
    if chair.agent == RANDOM:
        return ScriptedAgent(RandomBot())
    return ScriptedAgent(game.bots[chair.agent](chair.seat, chair.profile, chair.lang))
