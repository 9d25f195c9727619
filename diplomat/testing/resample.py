"""Two worlds that a seat cannot tell apart must ask, show, refuse and tell it the same.

A game's ``another_world(state, seat, die)`` deals anew all that the seat does not know.  What the
referee does with that state in place of the true one must look the same to the seat, up to an
event by which the rules themselves open a secret (``game.reveals``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from diplomat.core.audience import Seat
from diplomat.core.dice import Die
from diplomat.core.events import Event
from diplomat.core.menus import Answer
from diplomat.core.plain import canonical, digest
from diplomat.core.requests import Request
from diplomat.core.texts import LANGUAGES
from diplomat.testing.menus import corrupted
from diplomat.testing.walk import AnyGame, AnyReferee, begun, twin, walk

WORLDS = 2
"""Other worlds tried for each seat at each sampled request."""
ANSWERS = 2
"""Own answers whose consequences are compared in each world."""
SAMPLED = 1.0
"""Seats sampled at each request, on average."""


def check_resample(game: AnyGame, seats: int, seed: str) -> None:
    """Along a random game, at sampled requests and for sampled seats, no other world looks different."""
    assert game.another_world is not None, f"{game.id} has no another_world hook"
    referee = begun(game, seats, seed)
    twins: list[tuple[Seat, AnyReferee, int]] = []
    different = 0
    for step, (request, _) in enumerate(walk(referee)):
        for seat, other, since in twins:
            _follow(referee, seat, other, since, request)
        twins.clear()
        for seat in referee.seats:
            die = referee.dice.die(f"resample/{step}/{seat}")
            if not die.chance(SAMPLED / seats):
                continue
            shown = portrait(referee, seat)
            for _ in range(WORLDS):
                world = game.another_world(referee.state, seat, die)
                if world is None:
                    continue
                different += digest(world) != referee.digest()
                other = twin(referee, world)
                compare(shown, referee, other, seat, die)
                twins.append((seat, other, referee.seen_count(seat)))
    assert different, f"{game.id}: another_world never gives another world"


def compare(shown: Mapping[str, str], here: AnyReferee, there: AnyReferee, seat: Seat, die: Die) -> None:
    """One seat in two worlds at the same moment; ``shown`` is its portrait in the first one."""
    other = portrait(there, seat)
    for part, text in shown.items():
        assert text == other[part], f"{seat}'s {part} tells two worlds apart: {_apart(text, other[part])}"
    for request in here.open():
        if request.seat == seat:
            menu = here.question(request).menu
            for answer in (menu.sample(die) for _ in range(ANSWERS)):
                _same_consequences(here, there, request, answer)


def portrait(referee: AnyReferee, seat: Seat) -> dict[str, str]:
    """All that a seat is shown at one moment, as text, part by part."""
    side, known = referee.game.side, referee.known(seat)
    requests = [request for request in referee.open() if request.seat == seat]
    shown: dict[str, Any] = {"list of open questions": requests, "view": side.view(known)}
    for request in requests:
        question = referee.question(request)
        wrong = [answer for answer in corrupted(question.default) if question.menu.problem(answer) is not None]
        shown |= {
            f"menu of {request.id}": [question.menu.schema(), question.menu.single()],
            f"default of {request.id}": question.default,
            f"talk window at {request.id}": side.talk(known, request),
            f"list of refusals at {request.id}": [twin(referee).submit(request, answer) for answer in wrong],
        }
        for lang in LANGUAGES:
            shown[f"question {request.id} in {lang!r}"] = side.ask(known, request, lang)
    for lang in LANGUAGES:
        shown[f"text in {lang!r}"] = side.text(known, lang)
    return {part: canonical(value) for part, value in shown.items()}


def _same_consequences(here: AnyReferee, there: AnyReferee, request: Request, answer: Answer) -> None:
    """What the seat sees of its own answer, up to a rightful reveal."""
    seen: list[tuple[Event, ...]] = []
    for referee in (here, there):
        copy = twin(referee)
        since = copy.seen_count(request.seat)
        question = copy.question(request)
        try:
            problem = copy.submit(request, answer, question)
        except Exception as fault:
            text = f"{request.id}: {answer!r} cannot be decided in another world: {type(fault).__name__}: {fault}"
            raise AssertionError(text) from fault
        assert problem is None, f"{request.id}: {answer!r} is refused in another world: {problem}"
        seen.append(copy.seen(request.seat, since))
    _same_until_reveal(here.game, seen[0], seen[1], f"{request.seat} answers {answer!r} to {request.id}")


def _same_until_reveal(game: AnyGame, left: Sequence[Event], right: Sequence[Event], where: str) -> None:
    for one, other in zip(left, right, strict=False):
        if isinstance(one, _reveals(game)) or isinstance(other, _reveals(game)):
            return
        assert one == other, f"{where}: what follows tells two worlds apart: {one} or {other}"
    longer = (left if len(left) > len(right) else right)[min(len(left), len(right)) :]
    assert not longer or isinstance(longer[0], _reveals(game)), f"{where}: only one world goes on with {longer[0]}"


def _follow(here: AnyReferee, seat: Seat, there: AnyReferee, since: int, request: Request) -> None:
    """What the seat has seen since must have been possible in the other world too."""
    for event in here.seen(seat, since):
        if isinstance(event, _reveals(here.game)):
            return
        name = type(event).__name__
        try:
            there.state = here.game.rules.evolve(there.state, event)
        except Exception as fault:
            text = f"{name} tells {seat} a secret: it is impossible in a world that looks the same to it"
            raise AssertionError(f"{text} ({type(fault).__name__}: {fault}); is its audience too wide?") from fault
    mine = [r for r in here.open() if r.seat == seat]
    theirs = [r for r in here.game.rules.requests(there.state) if r.seat == seat]
    assert mine == theirs, f"before {request.id}, {seat} is asked {mine} in one world and {theirs} in another"


def _reveals(game: AnyGame) -> tuple[type[Event], ...]:
    return game.reveals


def _apart(left: str, right: str) -> str:
    at = next((n for n, (a, b) in enumerate(zip(left, right, strict=False)) if a != b), min(len(left), len(right)))
    return f"…{left[max(0, at - 30) : at + 40]}… or …{right[max(0, at - 30) : at + 40]}…"
