"""The catalogues of Rokugan: whole in both languages, with a text for every problem."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import diplomat
from diplomat.core.texts import LANGUAGES, Texts, load_texts
from diplomat.games.rokugan import game
from diplomat.games.rokugan.content import kind, tokens
from diplomat.games.rokugan.places import place
from diplomat.games.rokugan.wording import CASES

PLACES = re.compile(r"\{([a-z_]+)\}")
CASE = re.compile(f"_({'|'.join(CASES)})$")


def catalogue(lang: str) -> Texts:
    return load_texts("diplomat.games.rokugan", "texts", lang)


def test_both_catalogues_have_the_same_keys_and_places() -> None:
    english, russian = (catalogue(lang).entries for lang in LANGUAGES)
    assert list(english) == list(russian)
    for key, template in english.items():
        places = [{CASE.sub("", name) for name in PLACES.findall(text)} for text in (template, russian[key])]
        assert places[0] == places[1], key


def test_no_catalogue_has_an_empty_text_or_a_stray_brace() -> None:
    for lang in LANGUAGES:
        for key, template in catalogue(lang).entries.items():
            assert template.strip(), key
            assert not re.search(r"[{}]", PLACES.sub("", template)), key


def test_english_asks_for_no_case() -> None:
    assert not [key for key, text in catalogue("en").entries.items() if any(map(CASE.search, PLACES.findall(text)))]


def test_every_noun_has_its_forms() -> None:
    for lang, count in (("en", 2), ("ru", 3)):
        nouns = {key: text for key, text in catalogue(lang).entries.items() if key.startswith("noun.")}
        assert nouns
        assert {len(text.split("|")) for text in nouns.values()} == {count}


def test_examples_of_places_in_the_texts_lie_on_the_map() -> None:
    for lang in LANGUAGES:
        entries = catalogue(lang).entries
        for key in ("problem.no_such_place", "ask.place"):
            shown = re.findall(r"\(([a-z_]+(?:>[a-z_]+)?)\)", entries[key])
            assert [bool(place(text)) for text in shown] == [True] * 3


def problem_codes() -> Iterator[str]:
    """Every code that some source gives to a Problem, written out or as a condition of two."""
    top = Path(diplomat.__path__[0])
    for path in sorted(path for folder in ("core", "table", "games/rokugan") for path in (top / folder).rglob("*.py")):
        for call in re.findall(r"\bProblem\(\s*([^,(){]*)", path.read_text(encoding="utf-8")):
            if call.startswith('f"'):
                yield from (f"{call[2:]}{name}" for name in {kind(face) for face in tokens()} - {"blessing"})
            else:
                yield from re.findall(r'"([a-z_]+)"', call)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_problem_has_a_text(lang: str) -> None:
    codes = set(problem_codes())
    assert {"at_peace", "border_taken", "coast_taken", "not_here_army", "verb_needs", "stale"} <= codes
    texts = game.texts(lang)
    assert not [code for code in codes if not texts.has(f"problem.{code}")]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_problem_text_is_left_over(lang: str) -> None:
    codes = set(problem_codes())
    assert not [k for k in catalogue(lang).entries if k.startswith("problem.") and k[8:] not in codes]
