"""The log is the game: whatever is folded from it, by whomever and however often, is the same."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from diplomat.agents.base import Agent
from diplomat.core.audience import Seat
from diplomat.core.events import Event
from diplomat.core.plain import canonical, digest
from diplomat.core.proceedings import AnswerGiven
from diplomat.table.referee import Referee
from diplomat.table.seating import seats_of
from diplomat.table.table import Table, finish, run
from diplomat.testing.agents import Chatty, Tardy
from diplomat.testing.walk import AnyGame, AnyReferee, begun, onlookers, play_out, seated, walk


def check_log_is_the_state(game: AnyGame, seats: int, seed: str) -> None:
    """At every request, the log folded by the rules is the referee's state."""
    referee = begun(game, seats, seed)
    state = game.rules.initial(referee.settings, referee.seats)
    folded = 0
    for request, _ in walk(referee):
        for event in referee.log[folded:]:
            state = game.rules.evolve(state, event)
        folded = len(referee.log)
        assert digest(state) == referee.digest(), f"{request.id}: the log does not fold to the state"
        assert game.rules.requests(state) == referee.open(), f"{request.id}: the folded state asks something else"


def check_learning_is_a_fold(game: AnyGame, seats: int, seed: str) -> None:
    """Every onlooker learns the same event by event, in one go, and in the referee's own steps."""
    referee = play_out(begun(game, seats, seed))
    for seat in onlookers(referee):
        nothing = game.side.unknown(referee.settings, referee.seats, seat)
        seen = referee.seen(seat)
        assert all(event.audience().includes(seat) for event in seen), f"{seat} is shown what is not for it"
        slowly = nothing
        for event in seen:
            slowly = game.side.learn(slowly, (event,))
        quickly = game.side.learn(nothing, seen)
        assert slowly == quickly == referee.known(seat), f"{seat} learns something else in one go"
        assert canonical(game.side.view(slowly)) == canonical(game.side.view(quickly)), f"{seat}: views differ"


def check_answers_give_the_log(game: AnyGame, seats: int, seed: str) -> None:
    """The seed and the recorded answers give every event again."""
    first = play_out(begun(game, seats, seed))
    again = begun(game, seats, seed)
    for event in first.log:
        if isinstance(event, AnswerGiven):
            request = next(r for r in again.open() if (r.id, r.seat) == (event.request, event.seat))
            assert again.submit(request, event.answer) is None, f"{event.request}: refused the second time"
    same_log(first.log, again.log, "the same seed and answers")


def check_arrival_does_not_matter(game: AnyGame, seats: int, seed: str) -> None:
    """Whoever is quicker, the log is the same, words included."""
    prompt = played(game, seats, seed, {seat: Chatty() for seat in seats_of(seats)})
    for order in ("one", "another"):
        tardy = {seat: Tardy(Chatty(), f"{order}/{seat}") for seat in seats_of(seats)}
        same_log(prompt.log, played(game, seats, seed, tardy).log, f"arrival in {order} order")


def played(game: AnyGame, seats: int, seed: str, agents: Mapping[Seat, Agent], **options: Any) -> AnyReferee:
    """The referee after a whole game of these agents."""
    referee: Referee[Any, Any] = seated(game, seats, seed, options.pop("settings", None))
    table = Table(referee, agents, **options)
    if table.instant:
        finish(table.play())
    else:
        run(table.play())
    return referee


def same_log(one: list[Event], other: list[Event], what: str) -> None:
    """Two logs hold the same events; AssertionError names the first that differs."""
    for number, (left, right) in enumerate(zip(one, other, strict=False), start=1):
        assert left == right, f"{what}: event {number} is {left} once and {right} another time"
    assert len(one) == len(other), f"{what}: {len(one)} events once, {len(other)} another time"
