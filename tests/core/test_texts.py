"""Texts: looked up by key in two languages, never failing in front of a person."""

from __future__ import annotations

import re

import pytest

from diplomat.core.texts import LANGUAGES, Texts, core_texts, flattened, load_texts

TEXTS = Texts("en", {"a.b": "{who} takes {what}", "c": "plain"})


@pytest.mark.parametrize(
    ("key", "facts", "said"),
    [
        ("c", {}, "plain"),
        ("a.b", {"who": "Crab", "what": 3}, "Crab takes 3"),
        ("a.b", {"who": "Crab"}, "Crab takes {what}"),
        ("a.b", {"who": "{what}", "what": "x"}, "{what} takes x"),
        ("d", {}, "d"),
        ("d", {"z": 1, "a": 2}, "d {'a': 2, 'z': 1}"),
    ],
)
def test_say(key: str, facts: dict[str, object], said: str) -> None:
    assert TEXTS.say(key, **facts) == said


def test_joined_texts_prefer_the_second() -> None:
    joined = TEXTS.joined(Texts("en", {"c": "other", "e": "new"}))
    assert (joined.say("c"), joined.say("e"), joined.has("a.b"), joined.has("f")) == ("other", "new", True, False)


def test_flattened() -> None:
    assert flattened({"a": {"b": {"c": "x"}, "n": 1}, "d": "y"}) == {"a.b.c": "x", "a.n": "1", "d": "y"}


def test_shared_texts_have_the_same_keys_and_places_in_both_languages() -> None:
    one, other = (core_texts(lang).entries for lang in LANGUAGES)
    assert one.keys() == other.keys()
    for key, template in one.items():
        assert sorted(re.findall(r"{(\w+)}", template)) == sorted(re.findall(r"{(\w+)}", other[key])), key


def test_texts_of_no_language_are_missing() -> None:
    with pytest.raises(FileNotFoundError):
        load_texts("diplomat.core", "texts", "xx")
