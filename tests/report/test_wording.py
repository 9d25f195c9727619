"""The same thing has one Russian name in all catalogues (the table in CONTRIBUTING.md)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import diplomat
from diplomat.core import toml

TOP = Path(diplomat.__file__).parent
SPOKEN = ("agents/llm/", "games/rokugan/bots/", "testing/")
"""What is said to language models, or by players, is no text of the program."""
CATALOGUES = sorted(path for path in TOP.rglob("*.ru.toml") if not path.relative_to(TOP).as_posix().startswith(SPOKEN))
AVOIDED = re.compile(
    r"\b(письм|замысл|замысел|профил|бот(?:ы|а|ов)?\b|лог(?:и|а|ов)?\b|наблюдател|сид(?:ы|а)?\b|запис(?:ь|и|ью|ям|ей|ях)\b)\w*",
    re.IGNORECASE,
)
ALLOWED = re.compile("после записи")
"""The act of writing down."""
STUDY = [path for path in CATALOGUES if path.is_relative_to(TOP / "study")]
PLAYED = re.compile(r"\bигр(?:а|ы|е|у|ой|ам|ами|ах)?\b", re.IGNORECASE)
RULES = re.compile(
    r"сила игры|момент решения игры|слов(?:ами|аря) игры|в игре их нет|в самой игре|как игра называет|порядке игры"
    r"|engine \(игра\)|какая игра|(?:издание|версия правил|языке) игры|(?:у игры|в этой игре) нет слов|другая игра"
    r"|ход в игре|не подходит к игре",
    re.IGNORECASE,
)
"""The game as a set of rules, or playing; one that is played is another word."""


@pytest.mark.parametrize("path", STUDY, ids=lambda path: path.relative_to(TOP).as_posix())
def test_decimals_have_a_point_as_the_figures_beside_them_have(path: Path) -> None:
    found = [text for _, text in _texts(toml.parsed(path.read_text(encoding="utf-8"))) if re.search(r"\d,\d", text)]
    assert found == []


COUNTED = re.compile(r"\{\w+\} (?:[a-z]+s|are|were|hold|do)\b")
"""A count before a word that is wrong for one."""


@pytest.mark.parametrize(
    ("file", "sections"),
    [
        (
            "study/report.en.toml",
            ("head.title", "head.what", "head.in", "head.torn", "head.old", "head.forks", "left."),
        ),
        ("study/annotate/texts.en.toml", ("table.refused", "table.drafts", "table.unblind")),
    ],
)
def test_counts_are_told_in_words_that_are_right_for_one_too(file: str, sections: tuple[str, ...]) -> None:
    texts = [
        pair for pair in _texts(toml.parsed((TOP / file).read_text(encoding="utf-8"))) if pair[0].startswith(sections)
    ]
    assert texts
    assert [pair for pair in texts if COUNTED.search(pair[1])] == []


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: path.relative_to(TOP).as_posix())
def test_a_russian_catalogue_uses_the_one_name_of_a_thing(path: Path) -> None:
    found = []
    for key, text in _texts(toml.parsed(path.read_text(encoding="utf-8"))):
        found += [f"{key}: {hit[0]}" for hit in AVOIDED.finditer(ALLOWED.sub("", text))]
    assert found == []


@pytest.mark.parametrize("path", STUDY, ids=lambda path: path.relative_to(TOP).as_posix())
def test_games_that_are_counted_are_games_that_were_played(path: Path) -> None:
    found = []
    for key, text in _texts(toml.parsed(path.read_text(encoding="utf-8"))):
        found += [f"{key}: {hit[0]}" for hit in PLAYED.finditer(RULES.sub("", text))]
    assert found == []


def _texts(data: object, key: str = "") -> list[tuple[str, str]]:
    if isinstance(data, dict):
        return [pair for name, value in data.items() for pair in _texts(value, f"{key}.{name}".strip("."))]
    if isinstance(data, list):
        return [pair for value in data for pair in _texts(value, key)]
    return [(key, data)] if isinstance(data, str) else []
