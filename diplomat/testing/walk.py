"""Plays a game at the referee's table alone: no agents, no talk, one answer after the other."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias

from diplomat.core.audience import Seat
from diplomat.core.dice import Dice, Die
from diplomat.core.game import Game
from diplomat.core.menus import Answer
from diplomat.core.plain import canonical
from diplomat.core.requests import Question, Request
from diplomat.table.referee import Referee
from diplomat.table.seating import seats_of

AnyGame: TypeAlias = Game[Any, Any]
AnyReferee: TypeAlias = Referee[Any, Any]
AnswerOf = Callable[[Question, Die], Answer]

STEPS = 5_000
"""Answers within which every game must end when it is played at random."""


def at_random(question: Question, die: Die) -> Answer:
    """A random legal answer."""
    return question.menu.sample(die)


def by_default(question: Question, _: Die) -> Answer:
    """The default."""
    return question.default


def mixed(question: Question, die: Die) -> Answer:
    """The default half of the time."""
    return question.default if die.chance(0.5) else question.menu.sample(die)


def settings_of(game: AnyGame, raw: Mapping[str, Any] | None = None) -> Any:
    """The game's settings, its defaults unless told otherwise."""
    return game.settings.model_validate(dict(raw or {}))


def seated(game: AnyGame, seats: int, seed: str, settings: Mapping[str, Any] | None = None) -> AnyReferee:
    """A referee before its first event."""
    return Referee(game, settings_of(game, settings), seats_of(seats), seed)


def begun(game: AnyGame, seats: int, seed: str, settings: Mapping[str, Any] | None = None) -> AnyReferee:
    """A referee after the opening events."""
    referee = seated(game, seats, seed, settings)
    referee.begin()
    return referee


def walk(
    referee: AnyReferee, answer_of: AnswerOf = at_random, limit: int = STEPS
) -> Iterator[tuple[Request, Question]]:
    """Yields every request before it is answered; AssertionError when the game does not end in time."""
    dice = Dice(f"{referee.seed}/walk")
    for step in range(limit):
        requests = referee.open()
        if not requests:
            return
        request = requests[0]
        question = referee.question(request)
        yield request, question
        answer = answer_of(question, dice.die(f"{step}"))
        # As a table does it: what is answered has been through JSON.
        problem = referee.submit(request, json.loads(canonical(answer)))
        assert problem is None, f"{request.id}: {answer!r} was refused: {problem}"
    raise AssertionError(f"{referee.game.id} did not end within {limit} answers")


def play_out(referee: AnyReferee, answer_of: AnswerOf = at_random) -> AnyReferee:
    """Walks to the end of the game."""
    for _ in walk(referee, answer_of):
        pass
    return referee


def twin(referee: AnyReferee, state: Any = None) -> AnyReferee:
    """A copy of a table that goes its own way from here, with another state if one is given."""
    other = copy.copy(referee)
    other.log = list(referee.log)
    other._listeners = []
    other._feeds = {seat: copy.copy(feed) for seat, feed in referee._feeds.items()}
    for feed in other._feeds.values():
        feed.events = list(feed.events)
    if state is not None:
        other.state = state
        other._open = other.game.rules.requests(state)
    return other


def onlookers(referee: AnyReferee) -> tuple[Seat | None, ...]:
    """Every seat, and the watcher."""
    return (*referee.seats, None)
