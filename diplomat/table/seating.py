"""Who sits where: from what was asked for to a full table of agents."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterator, Mapping
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
from diplomat.llm.names import Endpoint, is_model_name, parse

RANDOM = "random"
SCRIPTED = "scripted"


@dataclass(frozen=True, slots=True)
class Chair:
    """One seat as it will be filled."""

    seat: Seat
    agent: str
    profile: Profile | None = None
    lang: str = "en"
    endpoint: Endpoint | None = None
    """The language model that plays it, None for computer players."""

    @property
    def instant(self) -> bool:
        """Whether its player never waits (see :class:`diplomat.agents.base.Agent`)."""
        return self.endpoint is None and ScriptedAgent.instant


ModelSeat = Callable[[Chair], Agent]
"""Makes the player of a chair with an endpoint."""


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
    game: Game[Any, Any],
    seats: tuple[Seat, ...],
    wishes: Mapping[Seat, str],
    lang: str,
    seed: str,
    everyone: str | None = None,
) -> tuple[Chair, ...]:
    """Every seat filled; seats nobody asked for get ``everyone``, or scripted players, of different personalities."""
    usual = everyone or (SCRIPTED if SCRIPTED in game.bots else next(iter(game.bots), RANDOM))
    asked = [_parted(wish) for wish in wishes.values()]
    spare = [name for name in profiles.paths() if name not in {profile for _, profile in asked}]
    drawn = iter(Dice(f"{seed}/table").die("profiles").shuffled(spare or list(profiles.paths())))
    return tuple(_chair(game, seat, wishes.get(seat, usual), lang, drawn) for seat in seats)


def _parted(wish: str) -> tuple[str, str]:
    """Agent and profile of ``AGENT[:PROFILE]``; a model's name may have colons of its own.

    >>> _parted("http://127.0.0.1:8080/v1#qwen:7b")
    ('http://127.0.0.1:8080/v1#qwen:7b', '')
    """
    if not is_model_name(wish.partition(":")[0] if wish.startswith("local:") else wish):
        agent, _, name = wish.partition(":")
        return agent, name
    agent, _, name = wish.rpartition(":")
    known = profiles.paths()
    if agent and (name in known or name.endswith(".toml")):
        return agent, name
    if is_model_name(agent) and difflib.get_close_matches(name, known, n=1, cutoff=0.75):
        raise UnknownName("profile", name, known)  # a slip, for no model ends so
    return wish, ""


def _chair(game: Game[Any, Any], seat: Seat, wish: str, lang: str, drawn: Iterator[str]) -> Chair:
    agent, name = _parted(wish)
    if is_model_name(agent):
        endpoint = parse(agent)
        return Chair(seat, endpoint.name, _profile(name, drawn), lang, endpoint)
    known = [RANDOM, *game.bots]
    if agent not in known:
        if agent in profiles.paths():
            raise BadSettings(f"seat {seat}: {agent!r} is a profile; a player with it is scripted:{agent}")
        if name and difflib.get_close_matches(agent.lower(), ("openai", "anthropic", "http", "https"), n=1):
            parse(wish)  # which says how it is written
        models = ["openai:MODEL", "anthropic:MODEL", "http://HOST:PORT/v1#MODEL", "local"]
        raise UnknownName("agent", agent, [*known, *models], where=f"seat {seat}")
    if agent == RANDOM:
        if name:
            raise BadSettings(f"seat {seat}: a random player has no profile, so {name!r} has no use here")
        return Chair(seat, RANDOM, None, lang)
    return Chair(seat, agent, _profile(name, drawn), lang)


def _profile(name: str, drawn: Iterator[str]) -> Profile:
    return profiles.find(name or next(drawn, "") or next(iter(profiles.paths())))


def agent_for(game: Game[Any, Any], chair: Chair, model: ModelSeat | None = None) -> Agent:
    """The player that fills a chair; ``model`` makes those that are played by a language model."""
    if chair.endpoint is not None:
        if model is None:
            raise UsageError(f"seat {chair.seat}: {chair.agent} is a language model, and none can be called here")
        return model(chair)
    if chair.agent == RANDOM:
        return ScriptedAgent(RandomBot())
    return ScriptedAgent(game.bots[chair.agent](chair.seat, chair.profile, chair.lang))
