"""A scripted diplomat: a character, a memory, tactics for the tokens and a tongue for the talk."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from diplomat.core.audience import Seat
from diplomat.core.game import Decision, Reply
from diplomat.core.menus import Answer
from diplomat.games.rokugan.atlas import atlas
from diplomat.games.rokugan.bots.attack import attacks
from diplomat.games.rokugan.bots.character import character
from diplomat.games.rokugan.bots.defence import defences, peaces
from diplomat.games.rokugan.bots.guile import blessings, bluffs, raids
from diplomat.games.rokugan.bots.mind import Mind
from diplomat.games.rokugan.bots.moves import Move
from diplomat.games.rokugan.bots.outlook import Outlook
from diplomat.games.rokugan.bots.worth import Worth
from diplomat.games.rokugan.content import BLUFF, kind, strength
from diplomat.games.rokugan.knowledge import Known
from diplomat.games.rokugan.placement import Position
from diplomat.games.rokugan.places import place

RESTLESS = 0.25
"""Chance of choices whose utilities are this near, in honor."""


def weighed(outlook: Outlook) -> Iterator[Move]:
    """Every placement worth weighing."""
    for source in (attacks, defences, peaces, raids, blessings, bluffs):
        yield from source(outlook)


class Daimyo:
    """See :class:`diplomat.core.game.Bot`; its memory is a fold over the news it was given."""

    def __init__(self, seat: Seat, profile: Any = None, lang: str = "en") -> None:
        self.seat = seat
        self.lang = lang
        self.character = character(profile)
        self.mind = Mind(seat, self.character)

    def decide(self, decision: Decision[Known]) -> Reply:
        """The reply to one question."""
        self.mind.learn(decision.known, decision.news)
        return _DECIDE[decision.request.form](self, decision)

    def settle(self, decision: Decision[Known]) -> Reply:
        """The free province that adds most: flowers, a territory, neighbours of one's own, safety."""
        known, die = decision.known, decision.die("settle")
        board = known.board
        worth = Worth(board, self.seat, known.objective)
        mine = set(board.owned(self.seat))

        def utility(province: str) -> float:
            land = atlas().provinces[province]
            others = sum(board.owner(n) not in (None, self.seat) for n in land.neighbours)
            near = sum(n in mine for n in land.neighbours)
            safety = 0.6 * self.character.caution * (0.4 * land.defence - 0.25 * others + 0.3 * near)
            reach = 0.25 * self.character.aggression * min(3, len(land.neighbours))
            return worth.of(province) + safety + reach + 0.8 * die.fraction()

        free = [province for province in atlas().provinces if province not in board.control]
        best = max(free, key=utility)
        return Reply({"province": best})

    def prepare(self, decision: Decision[Known]) -> Reply:
        """Cards as soon as they serve; Dragon's weakest token for another."""
        known = decision.known
        board = known.board
        last = board.round >= board.rounds
        play = [
            territory
            for territory in board.held[self.seat]
            if last or board.cards[territory] != "fortifications" or board.round >= board.rounds - 1
        ]
        answer: dict[str, Answer] = {"cards": play}
        if board.clans[self.seat] == "dragon" and board.pools[self.seat] > 0:
            weak = [face for face in known.hand if face != BLUFF and strength(face) == 1]
            if weak:
                answer["exchange"] = weak[0]
        return Reply(answer)

    def place(self, decision: Decision[Known]) -> Reply:
        """The token and place of most utility."""
        known = decision.known
        outlook = Outlook(known, self.mind)
        target = self._look(known, outlook)
        if target is not None:
            return Reply({"act": "look", "target": target})
        die = decision.die("place")
        best = max(weighed(outlook), key=lambda move: move.utility + RESTLESS * die.fraction(), default=None)
        if best is None:
            return Reply(self._any(known))
        return Reply({"act": "place", "token": best.face, "place": best.where})

    def _any(self, known: Known) -> Answer:
        """Where nothing seems worth doing: the weakest token in its first place."""
        position = Position(known.board, self.seat, known.faces)
        for face in sorted(known.hand, key=strength):
            places = position.places(face)
            if places:
                return {"act": "place", "token": face, "place": places[0]}
        raise LookupError("no token has a legal place")

    def _look(self, known: Known, outlook: Outlook) -> str | None:
        """Scorpion's look: at the token that threatens the dearest province."""
        board = known.board
        if board.clans[self.seat] != "scorpion" or self.seat in board.looked:
            return None
        threats = [
            (outlook.stake(place(laid.place).target), laid.id)
            for laid in board.tokens.values()
            if laid.seat != self.seat and board.owner(place(laid.place).target) == self.seat
        ]
        if threats:
            return max(threats)[1]
        if board.hands[self.seat] == 2:
            others = [laid.id for laid in board.tokens.values() if laid.seat != self.seat]
            return others[-1] if others else None
        return None

    def talk(self, decision: Decision[Known]) -> Reply:
        """A turn to talk."""
        return Reply({})


_DECIDE: Mapping[str, Callable[[Daimyo, Decision[Known]], Reply]] = {
    "settle": Daimyo.settle,
    "talk": Daimyo.talk,
    "prepare": Daimyo.prepare,
    "place": Daimyo.place,
}
