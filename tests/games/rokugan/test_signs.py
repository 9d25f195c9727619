"""What the program shows of this game has words in both languages."""

from __future__ import annotations

import pytest

from diplomat.games.rokugan import game
from diplomat.games.rokugan.asking import _FORMS
from diplomat.games.rokugan.guide import pledge_fields


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_every_question_verb_and_argument_has_a_word(lang: str) -> None:
    ids = {"form": tuple(_FORMS), "verb": game.pledges.verbs, "argument": pledge_fields()}
    for field, values in ids.items():
        words = [game.guide.word(field, value, lang) for value in values]
        assert all(words), field
        assert len(set(words)) == len(words), "two that are called alike cannot be told apart"
        assert not any("_" in str(word) for word in words)
