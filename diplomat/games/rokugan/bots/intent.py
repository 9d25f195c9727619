"""What a scripted diplomat privately means to do, sealed beside everything it says."""

from __future__ import annotations

from collections.abc import Iterable

from diplomat.core.pledges import Goal, Plan
from diplomat.games.rokugan.bots.moves import Move
from diplomat.games.rokugan.bots.outlook import Outlook
from diplomat.games.rokugan.commitments import is_deed_forbidden
from diplomat.games.rokugan.deeds import VERB_OF_ACT, Deed
from diplomat.games.rokugan.verbs import VERBS

CHEAP_WORD = 1.0
"""Below this price, in honor, a word is kept only if it suits."""
TARGETS = 3
"""Attacks that a plan names."""


class Intent:
    """The best moves of the moment, as goals and as a judge of one's own promises."""

    def __init__(self, outlook: Outlook, moves: Iterable[Move]) -> None:
        self._outlook = outlook
        best: dict[tuple[str, str], Move] = {}
        for move in moves:
            key = (move.purpose, move.target)
            if move.purpose in VERB_OF_ACT and move.utility > 0 and move.utility > best.get(key, _NONE).utility:
                best[key] = move
        ordered = sorted(best.values(), key=lambda move: (-move.utility, move.purpose, move.target))
        self.attacks = [move for move in ordered if move.purpose == "attack"][:TARGETS]
        self.others = [move for move in ordered if move.purpose != "attack"][:2]

    @property
    def chosen(self) -> list[Move]:
        """All moves the plan names, best first within each kind."""
        return [*self.attacks, *self.others]

    def attack_on(self, seat: object) -> Move | None:
        """The best planned attack on a seat's land."""
        return next((m for m in self.attacks if self._outlook.owners.get(m.target) == seat), None)

    def goals(self, bound: Iterable[Goal] = ()) -> tuple[Goal, ...]:
        """The plan in the vocabulary of promises, without what the promises to be kept forbid."""
        now, me = self._outlook.now, self._outlook.seat
        forbidding = [goal for goal in bound if VERBS[goal.verb].mode == "never"]
        return tuple(
            Goal(VERB_OF_ACT[move.purpose], me, now, now, {"province": move.target})
            for move in self.chosen
            if not any(is_deed_forbidden(goal, self._deed(move)) for goal in forbidding)
        )

    def _deed(self, move: Move) -> Deed:
        outlook = self._outlook
        return Deed(outlook.now, outlook.seat, move.purpose, move.target, outlook.owners.get(move.target), "")

    def deeds(self) -> list[Deed]:
        """What the plan would do this round."""
        return [self._deed(move) for move in self.chosen]

    def keeps(self, goal: Goal) -> str:
        """Whether a promise will be kept as things stand: ``yes``, ``no`` or ``unsure``.

        A word that costs more to break than the forbidden deed brings is kept; one that costs next to
        nothing is kept if it happens to suit.
        """
        outlook = self._outlook
        price = outlook.mind.worth_of_word
        if VERBS[goal.verb].mode == "never":
            tempting = [move.utility for move in self.chosen if is_deed_forbidden(goal, self._deed(move))]
            if tempting and max(tempting) > price:
                return "no"
            return "yes" if price > CHEAP_WORD else "unsure"
        if any(VERBS[goal.verb].match(self._deed(move), goal.args) for move in self.chosen):
            return "yes"
        if price > CHEAP_WORD or not outlook.still_owed(goal):
            return "yes"
        return "unsure" if goal.last > outlook.now else "no"

    def plan(self, promised: Iterable[tuple[str, Goal]], text: str) -> Plan:
        """The sealed plan: goals, and for each promise (message id and goal) whether it will be kept."""
        outlook = self._outlook
        keep: dict[str, str] = {}
        bound: list[Goal] = []
        live = [(one.message, one.goal) for one in outlook.mind.words.live(outlook.seat)]
        for message, goal in [*live, *promised]:
            said = self.keeps(goal)
            keep[message] = _worse(keep.get(message), said)
            if said == "yes":
                bound.append(goal)
        return Plan(self.goals(bound), keep, text)


def _worse(one: str | None, other: str) -> str:
    order = ("no", "unsure", "yes")
    return other if one is None else min(one, other, key=order.index)


_NONE = Move(float("-inf"), "", "", "", "")
