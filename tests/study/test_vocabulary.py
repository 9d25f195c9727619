"""Every game's vocabulary has examples that keep, break and make impossible each verb, and they come out so."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from diplomat.core.game import Game
from diplomat.core.pledges import Goal, Pledge
from diplomat.core.proceedings import MessageSent
from diplomat.games import found
from diplomat.games.rokugan.atlas import atlas
from diplomat.games.rokugan.verbs import VERBS
from diplomat.session import play
from diplomat.study.ledger import Fold, of
from diplomat.study.vocabulary import Example, vocabulary_of
from diplomat.testing.masquerade import game as masquerade
from diplomat.transcript.reader import Transcript, read
from tests.study.kit import S1, S2, Court, promise, spare, words

GAMES = [game for game in found().values() if game.pledges.verbs]
PLENTY = {"by": {"kept", "broken", "void"}, "never": {"kept", "broken", "vacuous"}, "keep": {"kept", "broken"}}


def fate(game: Game[Any, Any], example: Example) -> str:
    """What the resolver makes of an example whose goal is promised before anything else is said."""
    vocabulary = vocabulary_of(game)
    assert vocabulary is not None
    fold = Fold(example.seats, vocabulary, game.settings(), None)
    other = next(seat for seat in example.seats if seat != example.goal.by)
    name = f"{example.goal.by}>{other}.1"
    fold.hear(1, MessageSent(name, example.goal.by, (other,), "Words.", (Pledge("promise", (example.goal,)),)))
    for n, event in enumerate(example.events, start=2):
        fold.hear(n, event)
    (one,) = fold.resolutions(fold.promises())
    if one.status == "void":
        assert one.reason == "impossible"
    return "vacuous" if one.status == "kept" and one.binding is False else one.status


@pytest.mark.parametrize("game", GAMES, ids=[game.id for game in GAMES])
def test_every_game_with_promises_can_judge_them(game: Game[Any, Any]) -> None:
    assert vocabulary_of(game) is not None, f"{game.id}: its pledges lack mode, chronicle or examples"


@pytest.mark.parametrize("game", GAMES, ids=[game.id for game in GAMES])
def test_examples_come_out_as_they_say(game: Game[Any, Any]) -> None:
    vocabulary = vocabulary_of(game)
    assert vocabulary is not None
    seen: dict[str, set[str]] = {}
    for example in vocabulary.examples():
        assert fate(game, example) == example.fate, example.goal
        assert game.pledges.problem(example.goal, example.seats) is None
        seen.setdefault(example.goal.verb, set()).add(example.fate)
    for verb in game.pledges.verbs:
        mode = vocabulary.mode(verb)
        assert mode is not None
        assert seen.get(verb, set()) >= PLENTY[mode], f"{game.id}: {verb} lacks examples"


def test_an_unknown_verb_has_no_mode() -> None:
    assert words().mode("befriend") is None


def test_random_play_both_keeps_and_breaks_every_verb(tmp_path: Path) -> None:
    """Nothing in the vocabulary is always or never true."""
    fates: dict[str, set[str]] = {}
    for seed in range(2):
        path = tmp_path / f"{seed}.jsonl"
        play("rokugan", dict.fromkeys(("s1", "s2", "s3"), "random"), seed=seed, out=path)
        log = read(path)
        fold = Fold(log.seats, vocabulary_of(log.game), log.settings)
        for line in log.lines:
            fold.hear(line.n, line.event)
        judge = fold.judge()
        for goal in _goals(log):
            seen = fates.setdefault(goal.verb, set())
            if not {"kept", "broken"} <= seen:
                seen.add(judge.fate(goal).status)
    assert set(fates) == set(VERBS)
    assert all({"kept", "broken"} <= seen for seen in fates.values()), fates


def _goals(log: Transcript) -> Iterator[Goal]:
    """Every example's goal for every seat and place, over the game and in one round."""
    places = [*atlas().provinces, *atlas().territories]
    for example in words().examples():
        for seat, other, place in product(log.seats, log.seats, places):
            args = {name: str(other) if name == "target" else place for name in example.goal.args}
            for first, last in ((1, 5), (3, 3)):
                goal = replace(example.goal, by=seat, args=args, first=first, last=last)
                if log.game.pledges.problem(goal, log.seats) is None:
                    yield goal


def test_a_game_without_a_vocabulary_is_untestable_not_broken() -> None:
    log = Court()
    log.say(S1, "s2", promise(spare(S1, S2, 1, 1)))
    bare = replace(log.transcript, game=replace(masquerade, settings=log.game.settings))
    (one,) = of(bare).resolutions
    assert (one.status, one.reason) == ("untestable", "no_vocabulary")
