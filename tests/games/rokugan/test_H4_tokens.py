# ruff: noqa: N999 (the file is named after the chapter of the rules)
"""House H4: the combat tokens and the control tokens."""

from __future__ import annotations

from collections import Counter

import pytest

from diplomat.games.rokugan.board import Control
from diplomat.games.rokugan.content import clans, kind, strength, token_set

from .kit import CLANS, MAP, A, B, Play, border, scene

COMMON = {
    ("army", 1): 3,
    ("army", 2): 4,
    ("army", 3): 4,
    ("army", 4): 2,
    ("navy", 1): 2,
    ("navy", 2): 3,
    ("navy", 3): 2,
    ("shinobi", 3): 1,
    ("blessing", 2): 2,
    ("diplomacy", 0): 1,
    ("raid", 0): 1,
}
UNIQUE = {
    "crab": ("navy", 4),
    "crane": ("diplomacy", 0),
    "dragon": ("shinobi", 3),
    "lion": ("army", 6),
    "phoenix": ("blessing", 3),
    "scorpion": ("shinobi", 4),
    "unicorn": ("army", 5),
}


def printed(faces: tuple[str, ...]) -> Counter[tuple[str, int]]:
    """Tokens by kind and strength."""
    return Counter((kind(face), strength(face)) for face in faces)


@pytest.mark.parametrize("clan", CLANS)
def test_H4_1_the_set_of_a_clan(clan: str) -> None:
    assert printed(token_set(clan)) - Counter([UNIQUE[clan]]) == Counter(COMMON)
    assert len(token_set(clan)) == 26


@pytest.mark.parametrize("clan", CLANS)
def test_H4_1_27_tokens_with_the_bluff_in_a_game(clan: str) -> None:
    other = "lion" if clan != "lion" else "crab"
    state = Play(clan, other).until("prepare").referee.state
    mine = Counter(state.hands[A]) + Counter(state.pools[A])
    assert mine == Counter(token_set(clan)) + Counter(["bluff"])
    assert mine.total() == 27


def test_H4_1_everybody_can_count() -> None:
    play = Play("lion", "crane", "crab", seed="count").until("place", number=3)
    known = play.referee.known(None)
    for seat in play.seats:
        on_map = [token for token in known.board.tokens.values() if token.seat == seat]
        blessings = sum(len(token.blessings) for token in on_map)
        unseen = known.board.hands[seat] + known.board.pools[seat] + len(on_map)
        assert unseen + blessings + len(known.board.discards[seat]) == 27
        assert Counter(known.board.discards[seat]) <= Counter(token_set(known.board.clans[seat]))


@pytest.mark.parametrize(("clan", "face"), UNIQUE.items())
def test_H4_2_unique_tokens(clan: str, face: tuple[str, int]) -> None:
    assert (kind(clans()[clan].unique), strength(clans()[clan].unique)) == face
    assert printed(token_set(clan)) == Counter(COMMON) + Counter([face])


def test_H4_3_control_tokens_never_run_out() -> None:
    x, y = border()
    others = [province for province in MAP.provinces if province != y]
    start = scene("lion", "crane").holds(A, *others, faceup=40).holds(B, y)
    won = start.lays(A, "army-4", f"{x}>{y}").resolved()
    assert won.board.control[y] == Control(A, facedown=1, faceup=0)
    held = won.lays(B, "shinobi-3", x).resolved()
    assert held.board.control[x] == Control(A, facedown=1, faceup=41)
