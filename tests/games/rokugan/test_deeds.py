"""What a token does, and the verb by which that is promised."""

from __future__ import annotations

import pytest

from diplomat.core.audience import Seat
from diplomat.games.rokugan.deeds import ACT_OF_VERB, VERB_OF_ACT, act_of
from diplomat.games.rokugan.verbs import VERBS

A, B = Seat("s1"), Seat("s2")


@pytest.mark.parametrize(
    ("face", "owner", "act"),
    [
        ("army-5", B, "attack"),
        ("navy-1", None, "attack"),
        ("shinobi-3", A, "defend"),
        ("raid", B, "raid"),
        ("diplomacy", A, "peace"),
        ("bluff", B, None),
        ("bluff", A, None),
    ],
)
def test_a_token_does_what_its_kind_does_on_such_land(face: str, owner: Seat | None, act: str | None) -> None:
    assert act_of(face, A, owner) == act


def test_every_act_can_be_promised_by_one_verb() -> None:
    assert {ACT_OF_VERB[verb]: verb for verb in ACT_OF_VERB} == VERB_OF_ACT
    assert set(ACT_OF_VERB) == {name for name, verb in VERBS.items() if verb.mode == "by"}
