"""Views are plain data; words and pictures never fail, whoever looks."""

from __future__ import annotations

import json
from typing import Any
from xml.parsers import expat

from diplomat.core.audience import Seat
from diplomat.core.game import SeatSide
from diplomat.core.texts import LANGUAGES
from diplomat.testing.walk import AnyGame, AnyReferee, begun, onlookers, walk

EVERY = 12
"""Every so manieth request is looked at, to keep it quick."""


def check_views(game: AnyGame, seats: int, seed: str) -> None:
    """For every seat and the watcher, in every language: view, text, picture, question, and each event told."""
    referee = begun(game, seats, seed)
    for step, (request, _) in enumerate(walk(referee)):
        for lang in LANGUAGES:
            asked = game.side.ask(referee.known(request.seat), request, lang)
            assert isinstance(asked, str), f"{request.id}: the question in {lang!r} is no text"
            assert asked.strip(), f"{request.id}: the question in {lang!r} is empty"
        if step % EVERY == 0:
            for seat in onlookers(referee):
                check_side(game.side, referee.known(seat), f"{seat} at {request.id}")
    for seat in onlookers(referee):
        check_side(game.side, referee.known(seat), f"{seat} at the end")
        _check_story(game, referee, seat)


def check_side(side: SeatSide[Any], known: Any, where: str) -> None:
    """One onlooker's view, text and picture."""
    view = side.view(known)
    try:
        back = json.loads(json.dumps(view, allow_nan=False))
    except (TypeError, ValueError) as fault:
        raise AssertionError(f"{where}: the view is not plain data: {fault}") from fault
    assert back == view, f"{where}: the view is not what JSON makes of it"
    for lang in LANGUAGES:
        text = side.text(known, lang)
        assert isinstance(text, str), f"{where}: the text in {lang!r} is no text"
        check_svg(side.svg(known, lang), f"{where}, {lang!r}")


def check_svg(svg: str, where: str) -> None:
    """A picture is one well-formed ``<svg>`` element."""
    names: list[str] = []
    parser = expat.ParserCreate()
    parser.StartElementHandler = lambda name, _: names.append(name)
    try:
        parser.Parse(svg, True)
    except expat.ExpatError as fault:
        raise AssertionError(f"{where}: the picture is not XML: {fault}") from fault
    assert names[0] == "svg", f"{where}: the picture is a <{names[0]}>"


def _check_story(game: AnyGame, referee: AnyReferee, seat: Seat | None) -> None:
    """Every event that somebody may see can be told from what was known before it."""
    for lang in LANGUAGES:
        known = game.side.unknown(referee.settings, referee.seats, seat)
        for event in referee.seen(seat):
            told = game.story.tell(event, known, lang)
            assert told is None or isinstance(told, str), f"{type(event).__name__} is told as {told!r}"
            known = game.side.learn(known, (event,))
        names = game.story.names(known, lang)
        assert set(names) == set(referee.seats), f"names in {lang!r} are of {', '.join(names)}"
