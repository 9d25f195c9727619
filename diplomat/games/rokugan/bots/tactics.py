"""Where a scripted diplomat puts its tokens: every choice has a utility in honor and a reason."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations

from diplomat.core.audience import Seat
from diplomat.games.rokugan.atlas import atlas
from diplomat.games.rokugan.board import Laid
from diplomat.games.rokugan.bots.mind import Mind, forbids
from diplomat.games.rokugan.bots.odds import Front, Guess, above, acting_on, front
from diplomat.games.rokugan.bots.worth import Worth
from diplomat.games.rokugan.commitments import Commitment, is_deed_forbidden
from diplomat.games.rokugan.content import BLUFF, kind, strength
from diplomat.games.rokugan.deeds import Deed
from diplomat.games.rokugan.knowledge import Known
from diplomat.games.rokugan.placement import Position
from diplomat.games.rokugan.pledges import VERBS
from diplomat.games.rokugan.places import SEA, place
from diplomat.games.rokugan.scoring import score

THRIFT = 0.10
"""Honor a point of strength is worth when kept for later."""
FIGHTING = ("army", "navy", "shinobi")


@dataclass(frozen=True, slots=True)
class Move:
    """One placement with its utility and what explains it."""

    face: str
    where: str
    utility: float
    reason: str
    facts: Mapping[str, str] = field(default_factory=dict)


class Tactics:
    """One seat's thoughts at one moment."""

    def __init__(self, known: Known, mind: Mind) -> None:
        assert known.seat is not None
        self.known = known
        self.board = known.board
        self.seat: Seat = known.seat
        self.mind = mind
        self.character = mind.character
        self.position = Position(known.board, known.seat, known.faces)
        self.worth = Worth(known.board, known.seat, known.objective)
        self.left = known.board.rounds - max(1, known.board.round)
        """Rounds after this one."""
        self._acting = acting_on(known.board)
        self._fronts: dict[str, Front] = {}
        self._others: dict[Seat, Worth] = {}
        self._deny: dict[Seat, float] = {}

    # -- what things are worth ------------------------------------------------------------------

    def front(self, province: str) -> Front:
        """Who stands how strong at a province."""
        found = self._fronts.get(province)
        if found is None:
            found = front(self.board, province, self.known.faces, self._acting.get(province, ()))
            self._fronts[province] = found
        return found

    def worth_to(self, other: Seat, province: str) -> float:
        """What a province is worth to another seat, whose objective is not known."""
        if other not in self._others:
            self._others[other] = Worth(self.board, other, None)
        return self._others[other].of(province)

    @cached_property
    def standing(self) -> dict[Seat, float]:
        """Everybody's honor as it can be seen, objectives left out."""
        return {seat: float(score(self.board, seat, None).total) for seat in self.board.seats}

    @cached_property
    def leader(self) -> Seat:
        """Who has most honor as it can be seen, oneself included."""
        return max(self.board.seats, key=lambda seat: self.standing[seat])

    def deny(self, other: Seat) -> float:
        """How much of another's loss counts as one's own gain: all of it between two, more for the leader."""
        found = self._deny.get(other)
        if found is None:
            players = len(self.board.seats)
            if players == 2:
                found = 1.0
            else:
                lead = self.standing[other] - self.standing[self.seat]
                danger = 1.0 / (1.0 + math.exp(-lead / 4.0))
                found = (0.15 + 0.7 * self.character.ambition * danger) * 2.0 / players
                if other == self.leader:
                    found += 0.15 * self.character.ambition
            self._deny[other] = found
        return found

    @cached_property
    def lasting(self) -> float:
        """How much of a gain now will be left at the end."""
        return float(0.3 + 0.7 * 0.8**self.left)

    def prize(self, province: str) -> float:
        """What taking a province is worth now, the owner's loss included."""
        owner = self.board.owner(province)
        prize = self.worth.of(province) * self.lasting * (0.75 + 0.5 * self.character.aggression)
        if owner is not None:
            prize += self.deny(owner) * self.worth_to(owner, province)
            prize -= self.mind.warmth(owner, self.board.round)
        return prize

    # -- promises -------------------------------------------------------------------------------

    @cached_property
    def _forbidding(self) -> list[Commitment]:
        now = self.board.round
        live = self.mind.words.live(self.seat)
        done = [deed for laid in self.board.tokens.values() if laid.seat == self.seat for deed in self._deed(laid)]
        return [
            one
            for one in live
            if forbids(one)
            and one.goal.first <= now <= one.goal.last
            and not any(is_deed_forbidden(one.goal, deed) for deed in done)
        ]

    def _deed(self, laid: Laid) -> Iterator[Deed]:
        target = place(laid.place).target
        owner = self.board.owner(target)
        what = kind(self.known.faces[laid.id])
        if what in FIGHTING:
            act = "defend" if owner == self.seat else "attack"
        elif what in ("raid", "diplomacy"):
            act = "raid" if what == "raid" else "peace"
        else:
            return
        yield Deed(self.board.round, self.seat, act, target, owner, laid.id)

    def breaks(self, act: str, province: str) -> list[Commitment]:
        """Own promises that such a deed would break, those already broken this round left out."""
        deed = Deed(self.board.round, self.seat, act, province, self.board.owner(province), "")
        return [one for one in self._forbidding if is_deed_forbidden(one.goal, deed)]

    def breach_price(self, act: str, province: str) -> float:
        """What the promises broken by such a deed cost this character."""
        return sum(self.mind.price(one) for one in self.breaks(act, province))

    @cached_property
    def _owed(self) -> list[Commitment]:
        """Own promises to do something that is not done yet in this round."""
        now = self.board.round
        done = [deed for laid in self.board.tokens.values() if laid.seat == self.seat for deed in self._deed(laid)]
        return [
            one
            for one in self.mind.words.live(self.seat)
            if not forbids(one)
            and one.goal.first <= now <= one.goal.last
            and not any(VERBS[one.goal.verb].match(deed, one.goal.args) for deed in done)
        ]

    def owed(self, act: str, province: str) -> float:
        """What keeping a promise to do such a deed is worth; pressing in its last round."""
        deed = Deed(self.board.round, self.seat, act, province, self.board.owner(province), "")
        worth = 0.0
        for one in self._owed:
            if VERBS[one.goal.verb].match(deed, one.goal.args):
                worth += self.mind.price(one) * (1.0 if one.goal.last <= self.board.round else 0.6)
        return worth

    # -- attack ---------------------------------------------------------------------------------

    def _resistance(self, province: str) -> Guess:
        """The defence to be expected, what the owner may still add included."""
        there = self.front(province)
        if there.owner is None:
            return there.defence
        spare = max(0, self.board.hands[there.owner] - 1)
        lands = max(1, len(self.board.owned(there.owner)))
        if there.tokens.get(there.owner) or not spare:
            return there.defence
        share = min(1.0, 1.4 * spare / lands) * 0.6
        return there.defence.plus(Guess(2.2 * share, 0.5 + 2.2 * share))

    def chance(self, province: str, attack: float) -> float:
        """The chance that an attack of that strength takes the province."""
        there = self.front(province)
        odds = above(attack, self._resistance(province))
        for other, guess in there.attackers.items():
            if other != self.seat:
                odds *= above(attack, guess)
        return odds

    def _gain(self, province: str, attack: float, prize: float) -> float:
        owner = self.board.owner(province)
        odds = self.chance(province, attack)
        spoiled = 0.0 if owner is None else 0.35 + self.deny(owner)
        return odds * prize - (1.0 - odds) * spoiled

    def _committed(self, province: str) -> float | None:
        guess = self.front(province).attackers.get(self.seat)
        return None if guess is None else guess.mean

    @cached_property
    def _first_bonus(self) -> int:
        extra = 1 if self.board.clans[self.seat] == "crane" else 0
        return extra + self.board.bonus(self.seat, "battle_cry")

    @cached_property
    def _routes(self) -> dict[str, dict[str, list[str]]]:
        """For each target the places that armies, navies and shinobi may take against it."""
        routes: dict[str, dict[str, list[str]]] = {}
        owned = {province for province, held in self.board.control.items() if held.owner == self.seat}
        kinds = {kind(face) for face in self.known.hand}
        for what, places in (
            ("army", self.position.armies),
            ("navy", self.position.navies),
            ("shinobi", self.position.shinobi),
        ):
            if what not in kinds:
                continue
            for where in places:
                target = place(where).target
                if target not in owned:
                    routes.setdefault(target, {}).setdefault(what, []).append(where)
        return routes

    def attacks(self) -> Iterator[Move]:
        """Attacks with one token, and the first token of attacks with two."""
        faces = sorted((f for f in self.known.hand if kind(f) in FIGHTING), key=lambda f: (strength(f), f))
        if not faces:
            return
        several = self.board.hands[self.seat] > 2
        for target, routes in self._routes.items():
            usable = [face for face in faces if kind(face) in routes]
            if not usable:
                continue
            prize = self.prize(target)
            committed = self._committed(target)
            base = 0.0 if committed is None else self._gain(target, committed, prize)
            before = float(self._first_bonus) if committed is None else committed
            debt = self.owed("attack", target) - self.breach_price("attack", target)
            seen: set[str] = set()
            for face in usable:
                if face not in seen:
                    seen.add(face)
                    gain = self._gain(target, before + strength(face), prize) - base + debt
                    yield self._attack(target, face, routes, gain - THRIFT * strength(face), before + strength(face))
            if several:
                yield from self._pairs(target, usable, routes, prize, base, before, debt)

    def _pairs(
        self,
        target: str,
        usable: list[str],
        routes: dict[str, list[str]],
        prize: float,
        base: float,
        before: float,
        debt: float,
    ) -> Iterator[Move]:
        blessings = [f for f in self.known.hand if kind(f) == "blessing"]
        seen: set[tuple[str, str]] = set()
        for one, two in [*combinations(usable, 2), *((face, b) for face in usable for b in blessings)]:
            if (one, two) in seen:
                continue
            seen.add((one, two))
            first, second = kind(one), kind(two)
            if first == second and len(routes[first]) < 2:
                continue
            both = before + strength(one) + self._force(two)
            gain = (self._gain(target, both, prize) - base + debt) / 2 - THRIFT * (strength(one) + strength(two)) / 2
            lead = two if second == "army" and first == "shinobi" else one
            yield self._attack(target, lead, routes, gain, both)

    def _force(self, face: str) -> int:
        phoenix = kind(face) == "blessing" and self.board.clans[self.seat] == "phoenix"
        return strength(face) + (1 if phoenix else 0)

    def _attack(self, target: str, face: str, routes: dict[str, list[str]], utility: float, total: float) -> Move:
        where = self._best_border(target, routes[kind(face)])
        owner = self.board.owner(target)
        facts = {
            "face": face,
            "province": target,
            "owner": "" if owner is None else str(owner),
            "percent": str(round(100 * self.chance(target, total))),
            "gain": f"{self.prize(target):.1f}",
        }
        reason = "attack_nobody" if owner is None else "attack"
        if owner is not None and self.breaks("attack", target):
            reason = "attack_breach"
        elif self.owed("attack", target) > 0:
            reason = "attack_promised"
        return Move(face, where, utility, reason, facts)

    def _best_border(self, target: str, places: list[str]) -> str:
        """Of several borders the one over which the target could strike back at the most."""
        if len(places) == 1:
            return places[0]
        return max(places, key=lambda where: (self._exposed(str(place(where).source)), where))

    def _exposed(self, source: str) -> float:
        if source == SEA or self.board.owner(source) != self.seat:
            return 0.0
        return self.worth.of(source)

    # -- defence --------------------------------------------------------------------------------

    def _later(self, province: str) -> list[tuple[float, Guess]]:
        """Attacks that may still come: the chance of each and its strength."""
        land = atlas().provinces[province]
        coming: dict[Seat, float] = {}
        for neighbour in land.neighbours:
            owner = self.board.owner(neighbour)
            if owner is not None and owner != self.seat and not self.board.closed(neighbour):
                coming[owner] = coming.get(owner, 0.0) + 1.0
        if land.coastal:
            for seat in self.board.seats:
                if seat != self.seat:
                    coming[seat] = coming.get(seat, 0.0) + 0.6
        later: list[tuple[float, Guess]] = []
        for seat, ways in coming.items():
            spare = max(0, self.board.hands[seat] - 1)
            if spare and seat not in self.front(province).attackers:
                odds = min(0.5, 0.022 * spare * ways * (1.0 + 0.25 * self.worth_to(seat, province)))
                if self.mind.pact(seat, self.board.round):
                    odds *= 1.0 - self.mind.trust(seat)
                later.append((odds, Guess(3.0 + (self.board.clans[seat] == "crane"), 2.0)))
        return later

    def loss(self, province: str, defence: float) -> tuple[float, float]:
        """The chance that an own province is lost with that defence, and that it is attacked at all."""
        safe, quiet = 1.0, 1.0
        for guess in self.front(province).attackers.values():
            spread = Guess(defence, max(guess.variance, 0.05))
            beaten = above(guess.mean, spread)
            safe *= 1.0 - beaten
            quiet *= 0.15
        for odds, guess in self._later(province):
            safe *= 1.0 - odds * above(guess.mean, Guess(defence, guess.variance))
            quiet *= 1.0 - odds
        return 1.0 - safe, 1.0 - quiet

    def stake(self, province: str) -> float:
        """What losing an own province costs."""
        return self.worth.of(province) * self.lasting * (0.6 + 0.8 * self.character.caution) + 0.4

    def _defence_gain(self, province: str, extra: float) -> float:
        held = self.front(province).defence.mean
        lost, attacked = self.loss(province, held)
        after, _ = self.loss(province, held + extra)
        return (lost - after) * (self.stake(province) + attacked)

    def defences(self) -> Iterator[Move]:
        """Fighters, and Lion's bluff, put into own provinces."""
        faces = [f for f in dict.fromkeys(self.known.hand) if kind(f) in FIGHTING or self._guards(f)]
        for province in self.position.defences:
            debt = self.owed("defend", province)
            for face in faces:
                if kind(face) == "navy" and not atlas().provinces[province].coastal:
                    continue
                force = 2 if face == BLUFF else strength(face)
                gain = self._defence_gain(province, force) + debt - THRIFT * force
                lost, _ = self.loss(province, self.front(province).defence.mean)
                facts = {"face": face, "province": province, "percent": str(round(100 * lost))}
                yield Move(face, province, gain, "defend_promised" if debt else "defend", facts)

    def _guards(self, face: str) -> bool:
        return face == BLUFF and self.board.clans[self.seat] == "lion"

    def peaces(self) -> Iterator[Move]:
        """Lasting peace for an own province: safe for good, but no base any more."""
        if "diplomacy" not in self.known.hand:
            return
        for province in self.position.diplomacies:
            if self._acting.get(province):
                lost, _ = self.loss(province, self.front(province).defence.mean)
            else:
                lost, _ = self.loss(province, self.front(province).defence.mean)
            sooner_or_later = 1.0 - (1.0 - lost) * 0.86**self.left
            gain = sooner_or_later * self.worth.of(province) * 0.8 - 0.5 - 0.25 * self.left
            gain += self.owed("peace", province)
            yield Move("diplomacy", province, gain, "peace", {"province": province})

    # -- the rest -------------------------------------------------------------------------------

    def raids(self) -> Iterator[Move]:
        """Burning what others hold, or what could not be held."""
        if "raid" not in self.known.hand:
            return
        for province in self.position.raids:
            owner = self.board.owner(province)
            if owner is None:
                continue
            gain = self.deny(owner) * (self.worth_to(owner, province) + self._hidden(province)) + 0.3
            gain += 0.25 * atlas().provinces[province].flowers - self.mind.warmth(owner, self.board.round)
            gain += self.owed("raid", province) - self.breach_price("raid", province)
            if self._committed(province) is not None:
                gain -= 2.0
            yield Move("raid", province, gain, "raid", {"province": province, "owner": str(owner)})

    def _hidden(self, province: str) -> float:
        """What may hang on a capital by hidden objectives: the owner's legacy, others' siege."""
        return 1.2 if atlas().provinces[province].capital else 0.5

    def blessings(self) -> Iterator[Move]:
        """A blessing where it turns a battle."""
        faces = [f for f in dict.fromkeys(self.known.hand) if kind(f) == "blessing"]
        if not faces:
            return
        for token in self.position.blessings:
            target = place(self.board.tokens[token].place).target
            for face in faces:
                force = self._force(face)
                if self.board.owner(target) == self.seat:
                    gain = self._defence_gain(target, force)
                else:
                    prize = self.prize(target)
                    held = self._committed(target) or 0.0
                    gain = self._gain(target, held + force, prize) - self._gain(target, held, prize)
                facts = {"face": face, "province": target, "token": token}
                yield Move(face, token, gain - THRIFT * force, "bless", facts)

    def bluffs(self) -> Iterator[Move]:
        """A bluff closes a border against an attack, or makes somebody look the wrong way."""
        if BLUFF not in self.known.hand or self._guards(BLUFF):
            return
        for where in self.position.bluffs:
            spot = place(where)
            gain = 0.05 + 0.1 * self.character.boldness
            if spot.source not in (None, SEA) and self.board.owner(str(spot.source)) == self.seat:
                against = self.board.owner(spot.target)
                if against is not None and not self.breaks("attack", spot.target):
                    gain += 0.06 * self.worth.of(str(spot.source))
                else:
                    gain -= 0.1
            elif spot.inside and self.board.owner(spot.target) == self.seat:
                gain += 0.04 * self.worth.of(spot.target)
            elif self.board.owner(spot.target) is not None and self.breaks("attack", spot.target):
                gain -= 0.3
            yield Move(BLUFF, where, gain, "bluff", {"province": spot.target})

    def moves(self) -> Iterator[Move]:
        """Everything worth weighing."""
        yield from self.attacks()
        yield from self.defences()
        yield from self.peaces()
        yield from self.raids()
        yield from self.blessings()
        yield from self.bluffs()
