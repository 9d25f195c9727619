"""Menus: what they draw is legal, what they describe is what they take, what they refuse they explain."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from diplomat.core.menus import Answer, Menu, Problem
from diplomat.core.requests import Question
from diplomat.core.texts import LANGUAGES
from diplomat.testing.schema import fault
from diplomat.testing.walk import AnyGame, begun, walk

SAMPLES = 3
"""Answers drawn from each menu."""
_PLACE = re.compile(r"\{[a-z_]+\}")
_DEEP: Any = json.loads("[" * 30 + "]" * 30)
_STRANGE: tuple[Any, ...] = (
    None,
    True,
    0,
    -1.5,
    "",
    "no such option",
    "\x1b[31mred\u202e",
    "x" * 5000,
    [],
    [None],
    [["s1"], {}],
    {},
    {"": None},
    {"no such field": 1},
    _DEEP,
)


def corrupted(answer: Answer) -> Iterator[Answer]:
    """The answer with one thing wrong with it, in many ways; some may be legal by chance."""
    yield from _STRANGE
    if isinstance(answer, dict):
        yield {**answer, "no such field": "x"}
        yield [answer]
        for name, entry in answer.items():
            yield {key: other for key, other in answer.items() if key != name}
            for strange in corrupted(entry) if isinstance(entry, (dict, list)) else _STRANGE:
                yield {**answer, name: strange}
    elif isinstance(answer, list):
        yield [*answer, *answer]
        for strange in _STRANGE:
            yield [*answer, strange]
    elif isinstance(answer, str):
        yield f" {answer}"
        yield answer.upper()
        yield [answer]


def check_menus(game: AnyGame, seats: int, seed: str) -> None:
    """Every menu of a random game judges, draws and describes the same set of answers."""
    referee = begun(game, seats, seed)
    for step, (request, question) in enumerate(walk(referee)):
        die = referee.dice.die(f"menus/{step}")
        check_question(game, question, [question.menu.sample(die) for _ in range(SAMPLES)], request.id)


def check_question(game: AnyGame, question: Question, samples: list[Answer], where: str) -> None:
    """One question: its samples and its default are legal, and every corruption of them is judged as described."""
    menu = question.menu
    schema = json.loads(json.dumps(menu.schema(), allow_nan=False))
    for answer in (*samples, question.default):
        assert menu.problem(answer) is None, f"{where}: refuses its own {answer!r}: {menu.problem(answer)}"
        assert not (found := fault(schema, answer)), f"{where}: {answer!r} does not fit the menu's schema: {found}"
    if (only := menu.single()) is not None:
        assert all(answer == only[0] for answer in samples), f"{where}: single() says {only[0]!r}, sample() differs"
    for answer in corrupted(samples[0]):
        _check_judgement(game, menu, schema, answer, where)


def _check_judgement(game: AnyGame, menu: Menu, schema: dict[str, Any], answer: Answer, where: str) -> None:
    shown = repr(answer)[:80]
    try:
        problem = menu.problem(answer)
    except Exception as error:
        raise AssertionError(f"{where}: judging {shown} raises {type(error).__name__}: {error}") from error
    if answer is None and menu.problem({}) is None:
        return  # where nothing is to be chosen, null is as good as an empty object
    misfit = fault(schema, answer)
    if problem is None:
        assert misfit is None, f"{where}: {shown} is taken, but the schema says: {misfit}"
        return
    assert misfit is not None, f"{where}: {shown} fits the schema, but is refused: {problem}"
    check_problem(game, problem, where)


def check_problem(game: AnyGame, problem: Problem, where: str) -> None:
    """A problem can be put into words in every language, with nothing left open."""
    for lang in LANGUAGES:
        texts = game.texts(lang)
        key = f"problem.{problem.code}"
        assert texts.has(key), f"{where}: there is no text {key!r} in {lang!r}"
        said = texts.say(key, **problem.facts)
        left = [place for place in _PLACE.findall(said) if place[1:-1] not in problem.facts]
        assert not left, f"{where}: {key} in {lang!r} leaves {', '.join(left)} open"
