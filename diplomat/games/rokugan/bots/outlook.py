"""How one seat sees the board at one moment: what things are worth, who is ahead, what it promised."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping

from diplomat.core.audience import Seat
from diplomat.core.pledges import Goal
from diplomat.games.rokugan.bots.mind import Mind, forbids
from diplomat.games.rokugan.bots.odds import Front, Guess, above, acting_on, front
from diplomat.games.rokugan.bots.worth import Worth
from diplomat.games.rokugan.commitments import Commitment, is_deed_forbidden
from diplomat.games.rokugan.deeds import Deed, act_of
from diplomat.games.rokugan.knowledge import Known
from diplomat.games.rokugan.placement import Position
from diplomat.games.rokugan.places import place
from diplomat.games.rokugan.scoring import score
from diplomat.games.rokugan.verbs import VERBS

THRIFT = 0.10
"""Honor that a point of strength is worth when kept for later."""
HOLDS_A_ROUND = 0.8
"""Chance that a gain is still there a round later, roughly."""

HANDICAP: Mapping[str, float] = {
    "crab": 0.0,
    "crane": 1.0,
    "dragon": -0.25,
    "lion": 0.0,
    "phoenix": -0.15,
    "scorpion": -0.15,
    "unicorn": -0.1,
}
"""A handicap: what a blow at a clan is worth to scripted players beside the land, in honor.

What the map leaves over, measured so that at a full table every clan wins its share (house H12); it
fades with fewer seats.
"""
HANDICAP_OPENER = -0.35
"""The same for the seat that will open the last round: it shows its tokens first when it matters most."""


class Outlook:
    """One seat's judgement at one moment; nothing in it outlives the decision."""

    def __init__(self, known: Known, mind: Mind) -> None:
        assert known.seat is not None
        self.known = known
        self.board = known.board
        self.seat: Seat = known.seat
        self.mind = mind
        self.character = mind.character
        self.now = known.board.round
        self.left = known.board.rounds - max(1, self.now)
        """Rounds after this one."""
        self.lasting = 0.3 + 0.7 * HOLDS_A_ROUND**self.left
        """How much of a gain now will be left at the end."""
        self.position = Position(known.board, known.seat, known.faces)
        self.worth = Worth(known.board, known.seat, known.objective)
        self.owners = {province: held.owner for province, held in known.board.control.items()}
        self.acting = acting_on(known.board)
        self.standing = {seat: float(score(self.board, seat, None).total) for seat in self.board.seats}
        """Everybody's honor as it can be seen, objectives left out."""
        self.leader = max(self.board.seats, key=lambda seat: self.standing[seat])
        self.first_bonus = (self.board.clans[self.seat] == "crane") + self.board.bonus(self.seat, "battle_cry")
        self._lands = Counter(self.owners.values())
        self._fronts: dict[str, Front] = {}
        self._chances: dict[tuple[str, float], float] = {}
        self._others = {seat: Worth(self.board, seat, None) for seat in self.board.seats if seat != self.seat}
        self._deny: dict[Seat, float] = {}
        self._warmth: dict[Seat, float] = {}
        self._forbidding, self._owed = self._promises()

    def front(self, province: str) -> Front:
        """Who stands how strong at a province."""
        found = self._fronts.get(province)
        if found is None:
            found = front(self.board, province, self.known.faces, self.acting.get(province, ()))
            self._fronts[province] = found
        return found

    def worth_to(self, other: Seat, province: str) -> float:
        """What a province is worth to another seat, whose objective is not known."""
        return self._others[other].of(province)

    def deny(self, other: Seat) -> float:
        """How much of another's loss counts as one's own gain.

        Between two it is all of it.  Among more, the farther ahead the other is the more, and above
        all early: a leader is stopped in time or not at all, at the end everybody takes what he can.
        """
        found = self._deny.get(other)
        if found is None:
            players = len(self.board.seats)
            if players == 2:
                found = 1.0
            else:
                lead = self.standing[other] - self.standing[self.seat]
                danger = 1.0 / (1.0 + math.exp(-lead / 4.0))
                found = (0.15 + (0.2 + 0.13 * self.left) * self.character.ambition * danger) * 2.0 / players
            self._deny[other] = found
        return found

    def warmth(self, other: Seat) -> float:
        """Goodwill towards a seat, in honor."""
        found = self._warmth.get(other)
        if found is None:
            found = self._warmth[other] = self.mind.warmth(other, self.now)
        return found

    def handicap(self, other: Seat) -> float:
        """What a blow at a seat is worth beside the land; nothing between two, where there is no choice."""
        players = len(self.board.seats)
        order = self.board.order()
        opener = order[(self.board.rounds - max(1, self.now)) % players]
        whole = HANDICAP[self.board.clans[other]] + (HANDICAP_OPENER if other == opener else 0.0)
        return whole * (players - 2) / 3

    def prize(self, province: str) -> float:
        """What taking a province is worth now, the owner's loss included."""
        owner = self.owners.get(province)
        prize = self.worth.of(province) * self.lasting * (0.75 + 0.5 * self.character.aggression)
        if owner is not None:
            prize += self.deny(owner) * self.worth_to(owner, province) - self.warmth(owner)
            prize += self.handicap(owner)
        return prize

    def stake(self, province: str) -> float:
        """What losing an own province costs."""
        return self.worth.of(province) * self.lasting * (0.6 + 0.8 * self.character.caution) + 0.4

    # Promises -------------------------------------------------------------------------------------

    def _promises(self) -> tuple[list[Commitment], list[Commitment]]:
        """Own live promises of this round: those still unbroken to leave something, those still owed."""
        live = [one for one in self.mind.words.live(self.seat) if one.goal.first <= self.now <= one.goal.last]
        if not live:
            return [], []
        done = self._done()
        leave = [one for one in live if forbids(one) and not any(is_deed_forbidden(one.goal, deed) for deed in done)]
        owe = [
            one
            for one in live
            if not forbids(one) and not any(VERBS[one.goal.verb].match(deed, one.goal.args) for deed in done)
        ]
        return leave, owe

    def _done(self) -> list[Deed]:
        """Own deeds of this round so far."""
        done: list[Deed] = []
        for laid in self.board.tokens.values():
            if laid.seat == self.seat:
                target = place(laid.place).target
                owner = self.owners.get(target)
                act = act_of(self.known.faces[laid.id], self.seat, owner)
                if act is not None:
                    done.append(Deed(self.now, self.seat, act, target, owner, laid.id))
        return done

    def _would(self, act: str, province: str) -> Deed:
        return Deed(self.now, self.seat, act, province, self.owners.get(province), "")

    def still_owed(self, goal: Goal) -> bool:
        """Whether an own promise to do something is still to be fulfilled this round."""
        done = self._done()
        return not any(VERBS[goal.verb].match(deed, goal.args) for deed in done)

    def breaks(self, act: str, province: str) -> list[Commitment]:
        """Own promises that such a deed would break, those already broken this round left out."""
        if not self._forbidding:
            return []
        deed = self._would(act, province)
        return [one for one in self._forbidding if is_deed_forbidden(one.goal, deed)]

    def owed(self, act: str, province: str) -> list[Commitment]:
        """Own promises that such a deed would fulfil and that are not fulfilled yet."""
        if not self._owed:
            return []
        deed = self._would(act, province)
        return [one for one in self._owed if VERBS[one.goal.verb].match(deed, one.goal.args)]

    def word(self, act: str, province: str) -> float:
        """What one's word says to such a deed: the worth of promises kept less the price of those broken."""
        if not (self._forbidding or self._owed):
            return 0.0
        kept = sum(
            self.mind.price(one) * (1.0 if one.goal.last <= self.now else 0.6) for one in self.owed(act, province)
        )
        return kept - sum(self.mind.price(one) for one in self.breaks(act, province))

    # Battle ---------------------------------------------------------------------------------------

    def committed(self, province: str) -> float | None:
        """Own strength already sent against a province, None if there is none."""
        guess = self.front(province).attackers.get(self.seat)
        return None if guess is None else guess.mean

    def _resistance(self, there: Front) -> Guess:
        """The defence to be expected, what the owner may still add included."""
        owner = there.owner
        if owner is None or there.tokens.get(owner):
            return there.defence
        spare = self.board.hands[owner] - 1
        if spare <= 0:
            return there.defence
        share = 0.6 * min(1.0, 1.4 * spare / self._lands[owner])
        return there.defence.plus(Guess(2.2 * share, 0.5 + 2.2 * share))

    def chance(self, province: str, attack: float) -> float:
        """The chance that an attack of that strength takes the province."""
        odds = self._chances.get((province, attack))
        if odds is None:
            there = self.front(province)
            odds = above(attack, self._resistance(there))
            for other, guess in there.attackers.items():
                if other != self.seat:
                    odds *= above(attack, guess)
            self._chances[province, attack] = odds
        return odds

    def gain(self, province: str, attack: float, prize: float) -> float:
        """What an attack of that strength is worth: the prize if it wins, a faceup token given if not."""
        owner = self.owners.get(province)
        odds = self.chance(province, attack)
        spoiled = 0.0 if owner is None else 0.35 + self.deny(owner)
        return odds * prize - (1.0 - odds) * spoiled
