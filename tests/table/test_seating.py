"""Who sits where."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from diplomat.agents import profile as profiles
from diplomat.agents.scripted import RandomBot, ScriptedAgent
from diplomat.core.audience import Seat
from diplomat.core.errors import BadSettings, UnknownName, UsageError
from diplomat.core.game import Decision, Reply
from diplomat.games import find
from diplomat.table.seating import Chair, agent_for, chairs, place_wishes, seats_of, table_size

GAME = find("rokugan")
SEATS = seats_of(3)


class Bot:
    """A bot that remembers what it was made of."""

    def __init__(self, seat: str, profile: Any, lang: str) -> None:
        self.made = (seat, profile.id, lang)

    def decide(self, decision: Decision[Any]) -> Reply:
        return Reply(decision.question.default)


BOTS = replace(GAME, bots={"scripted": Bot, "other": Bot})


@pytest.mark.parametrize(
    ("asked", "wishes", "size"), [(None, {}, 5), (2, {}, 2), (3, {"s1": "random"}, 3), (None, {"s1": "random"}, 5)]
)
def test_table_size(asked: int | None, wishes: dict[str, str], size: int) -> None:
    assert table_size(GAME, asked, wishes) == size


@pytest.mark.parametrize(
    ("asked", "wishes", "text"),
    [
        (1, {}, "2 to 5 seats, not by 1"),
        (6, {}, "not by 6"),
        (None, {f"s{n}": "random" for n in range(9)}, "not by 9"),
        (2, {"s1": "random", "crab": "random", "lion": "random"}, "3 seats are named, but the table has 2"),
    ],
)
def test_impossible_table(asked: int | None, wishes: dict[str, str], text: str) -> None:
    with pytest.raises(UsageError, match=text):
        table_size(GAME, asked, wishes)


def test_a_role_takes_the_first_free_seat() -> None:
    raw: dict[str, Any] = {}
    placed = place_wishes(GAME, SEATS, {"crab": "x", "s1": "y", "lion": "z"}, raw)
    assert placed == {"s1": "y", "s2": "x", "s3": "z"}
    assert raw == {"clans": {"s2": "crab", "s3": "lion"}}


@pytest.mark.parametrize("game", [GAME, replace(GAME, seat_for_role=None)])
def test_neither_seat_nor_role(game: Any) -> None:
    with pytest.raises(UnknownName, match="unknown seat 'crabb'") as caught:
        place_wishes(game, SEATS, {"crabb": "x"}, {})
    assert "s1" in caught.value.known


def test_empty_chairs_get_scripted_players_of_different_personalities() -> None:
    made = chairs(BOTS, seats_of(5), {Seat("s2"): "other:honest", Seat("s4"): "random"}, "ru", "7")
    assert [chair.agent for chair in made] == ["scripted", "other", "scripted", "random", "scripted"]
    names = [chair.profile.id for chair in made if chair.profile]
    assert len(set(names)) == len(names) == 4
    assert names[1] == "honest"
    assert {chair.lang for chair in made} == {"ru"}
    assert made == chairs(BOTS, seats_of(5), {Seat("s2"): "other:honest", Seat("s4"): "random"}, "ru", "7")


def test_more_chairs_than_personalities(monkeypatch: pytest.MonkeyPatch) -> None:
    one = dict(list(profiles.paths().items())[:1])
    monkeypatch.setattr(profiles, "paths", lambda: one)
    made = chairs(BOTS, SEATS, {}, "en", "7")
    assert [chair.profile and chair.profile.id for chair in made] == list(one) * 3


@pytest.mark.parametrize(
    ("wish", "error", "text"),
    [
        ("scriptet", UnknownName, "unknown agent 'scriptet' in seat s1. Did you mean 'scripted'"),
        ("", UnknownName, "unknown agent ''"),
        ("random:honest", BadSettings, "seat s1: a random player has no profile"),
        ("scripted:honset", UnknownName, "unknown profile 'honset'. Did you mean 'honest'"),
        ("opneai:gpt-4o", UsageError, "'opneai:gpt-4o' does not name a model. Did you mean 'openai:gpt-4o'"),
        ("openai:", UsageError, "'openai:' names no model"),
        ("http://127.0.0.1:1/v1", UsageError, "does not say which model"),
        ("locl", UnknownName, "unknown agent 'locl' in seat s1. Did you mean 'local'"),
    ],
)
def test_impossible_wish(wish: str, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        chairs(BOTS, SEATS, {Seat("s1"): wish}, "en", "7")


def test_agents_are_made_from_chairs() -> None:
    chance = agent_for(BOTS, Chair(Seat("s1"), "random"))
    assert isinstance(chance, ScriptedAgent)
    assert isinstance(chance.bot, RandomBot)
    scripted = agent_for(BOTS, chairs(BOTS, SEATS, {Seat("s1"): "scripted:honest"}, "en", "7")[0])
    assert isinstance(scripted, ScriptedAgent)
    assert isinstance(scripted.bot, Bot)
    assert scripted.bot.made == ("s1", "honest", "en")
