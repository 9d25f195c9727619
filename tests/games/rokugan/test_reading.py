"""Most talk is passed over without being read: only where its words cannot promise or answer anything."""

from __future__ import annotations

import random

import pytest

from diplomat.core.audience import Seat
from diplomat.games.rokugan.bots import hearing
from diplomat.games.rokugan.bots.hearing import BEGINNINGS, hear
from diplomat.games.rokugan.bots.hearing_frames import Memory
from diplomat.games.rokugan.bots.hearing_reader import Reader
from diplomat.games.rokugan.bots.hearing_steps import STEPS, read
from diplomat.games.rokugan.bots.hearing_words import Sentence, lexicon

CLANS = {Seat("s1"): "crab", Seat("s2"): "lion"}


def test_without_a_word_that_begins_something_nobody_does_anything() -> None:
    known = {token for phrases in lexicon().values() for _, tokens in phrases for token in tokens}
    idle = sorted(token for token in known if token.kind not in BEGINNINGS)
    assert len({token.kind for token in idle} & set(STEPS)) > 20
    dice = random.Random(3)
    for _ in range(20_000):
        tokens = dice.choices(idle, k=dice.randint(1, 9))
        reader = read(Sentence(tokens, dice.random() < 0.3), Memory("crab", "lion", "lion"))
        assert not reader.frames, tokens
        assert not reader.answers, tokens


def test_idle_talk_is_not_read_and_a_promise_is(monkeypatch: pytest.MonkeyPatch) -> None:
    times: list[Sentence] = []

    def counted(sentence: Sentence, memory: Memory) -> Reader:
        times.append(sentence)
        return read(sentence, memory)

    monkeypatch.setattr(hearing, "read_sentence", counted)
    assert not hear("A fine morning, Lion. The snow is late.", Seat("s1"), Seat("s2"), CLANS, 1, 5)
    assert not times
    assert hear("I won't attack you.", Seat("s1"), Seat("s2"), CLANS, 1, 5)
    assert len(times) == 1
