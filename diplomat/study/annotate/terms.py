"""A game's terms for goals, as the page offers them: verbs, their arguments and the ids that these may have."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from diplomat.core.pledges import Goal
from diplomat.core.talk import clean
from diplomat.study.annotate.scheme import Coded, goals_problem
from diplomat.study.annotate.units import Log, Unit
from diplomat.study.vocabulary import vocabulary_of
from diplomat.transcript.replay import known_to

MOST_OPTIONS = 400
"""Ids that are offered for one argument."""


@dataclass
class Terms:
    """What one log's game has to offer, in one language; nothing of it depends on what happened in the game."""

    log: Log
    lang: str
    _names: dict[int, Mapping[str, str]] = field(default_factory=dict)

    @cached_property
    def fields(self) -> Mapping[str, list[list[str]]]:
        """Every argument with the ids it may have, each with its shown name."""
        game, transcript = self.log.game, self.log.transcript
        if vocabulary_of(game) is None:
            return {}
        known = game.side.unknown(transcript.settings, transcript.seats, None)
        shown: dict[str, str] = {str(seat): "" for seat in transcript.seats}
        for name, ids in game.guide.aliases(known, self.lang).items():
            for one in ids:
                shown.setdefault(one, clean(name))
        return {name: self._fitting(name, shown) for name in game.guide.pledge_fields()}

    def _fitting(self, name: str, shown: Mapping[str, str]) -> list[list[str]]:
        """Those ids that the game lets some verb take as its only argument; none: anything may be typed."""
        seats = self.log.transcript.seats
        pledges = self.log.game.pledges

        def fits(one: str) -> bool:
            by = next((seat for seat in seats if seat != one), seats[0])
            return any(pledges.problem(Goal(verb, by, 1, 1, {name: one}), seats) is None for verb in pledges.verbs)

        return [[one, text] for one, text in shown.items() if fits(one)][:MOST_OPTIONS]

    def offered(self) -> Mapping[str, Any]:
        """What the form for goals is made of; no verbs: it cannot be filled in."""
        game = self.log.game
        verbs = game.pledges.verbs if vocabulary_of(game) else ()
        return {
            "verbs": [[verb, self._word("verb", verb)] for verb in verbs],
            "fields": self.fields,
            "called": {name: self._word("argument", name) for name in self.fields},
        }

    def _word(self, field: str, value: str) -> str:
        """What the game calls a verb or an argument; the id where it has no word."""
        return clean(self.log.game.guide.word(field, value, self.lang) or value)

    def names(self, unit: Unit) -> Mapping[str, str]:
        """How seats were shown to everybody just before a message."""
        point = unit.past.now
        if point not in self._names:
            known = known_to(self.log.transcript, None, unit.past.n - 1)
            names = self.log.game.story.names(known, self.lang)
            self._names[point] = {str(seat): clean(name) for seat, name in names.items()}
        return self._names[point]

    def goal(self, unit: Unit, goal: Goal, *, own: bool) -> tuple[str, str]:
        """A goal in words, and what is wrong with it in words; one of the two is empty."""
        game, texts = self.log.game, self.log.game.texts(self.lang)
        act = Coded("promise", 0, 1, "", goals=(goal,) if own else (), given=() if own else (goal,))
        vocabulary = vocabulary_of(game)
        if not goals_problem(act, unit.message.sender, unit.past, vocabulary):
            return clean(game.pledges.text(goal, texts, self.names(unit))), ""
        if vocabulary is not None and (found := game.pledges.problem(goal, unit.past.seats)) is not None:
            return "", clean(texts.say(f"problem.{found.code}", **found.facts))
        now, last = unit.past.now, unit.past.last
        facts = {"first": goal.first, "last": goal.last, "now": now, "end": last}
        if goal.by != unit.message.sender and own:
            return "", texts.say("problem.bad_pledge", why=f"{goal.by} ≠ {unit.message.sender}")
        return "", texts.say("problem.pledge_rounds", **facts)
