"""What a scripted diplomat proposes, promises and takes back, and how much it wants to say it."""

from __future__ import annotations

from collections.abc import Iterator

from diplomat.core.audience import Seat
from diplomat.core.pledges import Pledge
from diplomat.core.talk import EVERYONE
from diplomat.games.rokugan.atlas import atlas
from diplomat.games.rokugan.bots.answers import SLIPPERY, borders
from diplomat.games.rokugan.bots.attack import attacks
from diplomat.games.rokugan.bots.intent import CHEAP_WORD, Intent
from diplomat.games.rokugan.bots.moment import Moment
from diplomat.games.rokugan.bots.outlook import Outlook
from diplomat.games.rokugan.bots.sayings import Saying, ask, division, peace, promise, strike, swap, threat
from diplomat.games.rokugan.content import kind
from diplomat.games.rokugan.places import place

PARTING = 1.5
"""How much more, in honor, a partner's land must bring than any other before a pact is left; twice that if loyal."""


class Proposals(Moment):
    """Everything with a pledge in it: a word taken back, offers, threats, requests, promises."""

    def __init__(self, outlook: Outlook, intent: Intent) -> None:
        super().__init__(outlook, intent)
        self.leaving = self._leaving()
        """Whom this seat would rather attack than keep its word to, and the messages that gave it."""

    def _leaving(self) -> dict[Seat, tuple[str, ...]]:
        """The one partner whose land tempts this seat too much, if its word is worth taking back first."""
        outlook, who = self.outlook, self.outlook.character
        if outlook.mind.worth_of_word <= CHEAP_WORD or not outlook.mind.words.live(self.me):
            return {}
        tempting: tuple[float, Seat, tuple[str, ...]] | None = None
        for move in attacks(outlook):
            owner = outlook.owners.get(move.target)
            words = outlook.breaks("attack", move.target)
            if owner is None or not words or any(one.creditors != (owner,) for one in words):
                continue
            gain = outlook.gain(move.target, move.force, outlook.prize(move.target))
            if tempting is None or gain > tempting[0]:
                tempting = gain, owner, tuple(dict.fromkeys(one.message for one in words))
        instead = max((move.utility for move in self.intent.attacks), default=0.0)
        if tempting is None or tempting[0] < max(0.0, instead) + PARTING + PARTING * who.loyalty:
            return {}
        return {tempting[1]: tempting[2]}

    def partings(self) -> Iterator[Saying]:
        """A word that this seat would rather not keep is taken back before the tokens are laid."""
        for you, messages in self.leaving.items():
            pledges = tuple(Pledge("withdraw", ref=message) for message in messages)
            yield Saying("withdraw", (you,), 2.4, {"you": self.clan(you)}, pledges)

    def offers(self) -> Iterator[Saying]:
        """Peace, swaps, joint strikes, divisions, threats: to each seat what fits."""
        for you in self.others:
            if you in self.leaving:
                continue
            if self.outlook.mind.trust(you) < 0.25 and self.outlook.character.honesty > SLIPPERY:
                yield from self._threats(you)
                continue
            yield from self._peace(you)
            yield from self._strike(you)
            yield from self._division(you)
            yield from self._threats(you)
            yield from self._help(you)

    def _peace(self, you: Seat) -> Iterator[Saying]:
        """Non-aggression: with neighbours one does not mean to attack, or means to lull."""
        outlook, who = self.outlook, self.outlook.character
        if outlook.mind.pact(you, min(self.now + 1, self.last)) or outlook.mind.bound(you, self.now):
            return
        if self.is_called_out(you):
            return
        edge = borders(outlook, you)
        prey = self.intent.attack_on(you)
        last = min(self.now + (2 if who.loyalty > 0.6 else 1), self.last)
        yield from self._swap(you, edge, last)
        if prey is None:
            weight = 0.5 + 0.35 * edge * (0.4 + 0.6 * who.caution) + 0.4 * who.loyalty
        elif who.honesty < SLIPPERY:
            weight = 1.4 + 0.3 * prey.utility
        else:
            return
        weight -= who.vengeance * outlook.mind.grudge.get(you, 0.0)
        facts = {"you": self.clan(you), "rounds": self.rounds(last)}
        yield Saying("offer_peace", (you,), weight, facts, (peace(self.me, you, self.now, last),))

    def _swap(self, you: Seat, edge: int, last: int) -> Iterator[Saying]:
        """One dear province of mine for one of yours: the peace of those who want to stay free elsewhere."""
        outlook = self.outlook
        wanted = {move.target for move in self.intent.chosen}
        touching = [
            (mine, other)
            for mine in outlook.board.owned(self.me)
            for other in atlas().provinces[mine].neighbours
            if outlook.owners.get(other) == you
            and not outlook.board.closed(other)
            and not outlook.board.closed(mine)
            and other not in wanted
        ]
        if not touching:
            return
        mine = max((m for m, _ in touching), key=lambda p: (outlook.worth.of(p), p))
        theirs = max((t for m, t in touching if m == mine), key=lambda p: (outlook.worth_to(you, p), p))
        facts = {"you": self.clan(you), "mine": mine, "theirs": theirs, "rounds": self.rounds(last)}
        free = 0.5 if self.intent.attack_on(you) is not None else 0.0
        weight = 0.2 + free + 0.2 * edge * (0.3 + 0.5 * outlook.character.caution)
        yield Saying("offer_swap", (you,), weight, facts, (swap(self.me, you, mine, theirs, self.now, last),))

    def _strike(self, you: Seat) -> Iterator[Saying]:
        """A joint attack on the leader, or on whoever wronged this seat."""
        outlook, who = self.outlook, self.outlook.character
        for move in self.intent.attacks[:2]:
            third = outlook.owners.get(move.target)
            if third is None or third in (you, self.me) or outlook.mind.bound(third, self.now):
                continue
            if third != outlook.leader:
                continue
            if not borders_between(outlook, you, third) or not self._sure(move.target):
                continue
            weight = 0.3 + 0.4 * who.aggression + (0.9 * who.ambition if third == outlook.leader else 0.0)
            weight += 0.4 * who.vengeance * outlook.mind.grudge.get(third, 0.0)
            weight += 0.4 if self.ally(you) else 0.0
            facts = {
                "you": self.clan(you),
                "third": self.clan(third),
                "province": move.target,
                "honor": f"{outlook.standing[third]:.0f}",
                "rounds": self.rounds(self.now),
            }
            pledge = strike(self.me, you, third, move.target, self.now, self.now)
            yield Saying("offer_strike", (you,), weight, facts, (pledge,))
            return

    def _sure(self, target: str) -> bool:
        """Whether an attack can be promised: by more than one way, unless words weigh little."""
        if self.outlook.character.honesty < SLIPPERY:
            return True
        position = self.outlook.position
        kinds = {kind(face) for face in self.outlook.known.hand}
        ways = [("army", position.armies), ("navy", position.navies), ("shinobi", position.shinobi)]
        return sum(place(where).target == target for what, found in ways if what in kinds for where in found) > 1

    def _division(self, you: Seat) -> Iterator[Saying]:
        """A territory in which both hold land is shared."""
        outlook = self.outlook
        lands = atlas().provinces
        mine = {lands[p].territory for p in outlook.board.owned(self.me)}
        for territory in sorted(mine & {lands[p].territory for p in outlook.board.owned(you)}):
            if any(lands[move.target].territory == territory for move in self.intent.attacks[:2]):
                continue
            last = min(self.now + 1, self.last)
            facts = {"you": self.clan(you), "territory": territory, "rounds": self.rounds(last)}
            pledge = division(self.me, you, territory, self.now, last)
            yield Saying("offer_division", (you,), 0.6 + 0.4 * outlook.character.caution, facts, (pledge,))
            return

    def _threats(self, you: Seat) -> Iterator[Saying]:
        """To one who struck this seat, or could: hands off, or else."""
        outlook, who = self.outlook, self.outlook.character
        if outlook.mind.bound(you, self.now) or self.me == you:
            return
        theirs = self._touched(you)
        if not theirs:
            return
        dear = max(theirs, key=lambda p: (outlook.worth_to(you, p), p))
        own = max(outlook.board.owned(self.me), key=lambda p: (outlook.worth.of(p), p))
        weight = 1.7 * who.boldness * min(1.0, 0.45 + 0.5 * outlook.mind.grudge.get(you, 0.0)) - 0.25
        facts = {"you": self.clan(you), "theirs": dear, "province": own}
        yield Saying("threaten", (you,), weight, facts, (threat(self.me, you, dear, self.now, self.now),))

    def _help(self, you: Seat) -> Iterator[Saying]:
        """An ally, or whoever else has no peace with the third, is asked to strike where it can."""
        outlook, who = self.outlook, self.outlook.character
        for move in self.intent.attacks[:1]:
            third = outlook.owners.get(move.target)
            if third is None or third == you or not borders_between(outlook, you, third):
                continue
            facts = {"you": self.clan(you), "third": self.clan(third), "province": move.target}
            pledge = ask(you, third, move.target, self.now, self.now)
            weight = 0.8 if self.ally(you) else 0.3 + 0.5 * who.vengeance * outlook.mind.grudge.get(third, 0.0)
            yield Saying("ask_help", (you,), weight, facts, (pledge,))

    def promises(self) -> Iterator[Saying]:
        """What one will do anyway is promised to those it pleases; what one will not do, by the less candid."""
        who = self.outlook.character
        friends = [seat for seat in self.others if self.ally(seat) and seat not in self.leaving]
        for friend in friends[:2]:
            yield from self._gifts(friend, 0.3 * who.loyalty)
        yield from self.announced()
        if who.honesty < SLIPPERY:
            yield from self._lulling()

    def _gifts(self, friend: Seat, more: float) -> Iterator[Saying]:
        """Promises that cost nothing, to a friend."""
        outlook, who = self.outlook, self.outlook.character
        last = min(self.now + 1, self.last)
        to, facts = (str(friend),), {"you": self.clan(friend)}
        span = {**facts, "rounds": self.rounds(last)}
        defended, calmed = self._own("defend"), self._own("peace")
        if defended is not None:
            pledge = promise("defend", self.me, self.now, self.now, province=defended)
            now = {**facts, "province": defended, "rounds": self.rounds(self.now)}
            yield Saying("promise_defend", to, 0.8 + more, now, (pledge,))
        if calmed is not None:
            pledge = promise("make_peace", self.me, self.now, self.now, province=calmed)
            yield Saying("promise_peace", to, 1.1 + more, {**facts, "province": calmed}, (pledge,))
        if "raid" in outlook.known.hand or who.candour < 0.5:
            pledge = promise("not_raid", self.me, self.now, last, target=friend)
            yield Saying("promise_not_raid", to, 0.9 + more, span, (pledge,))
        wanted = {move.target for move in self.intent.chosen}
        theirs = [p for p in self._touched(friend) if p not in wanted]
        if theirs:
            dear = max(theirs, key=lambda p: (outlook.worth_to(friend, p), p))
            pledge = promise("stay_out", self.me, self.now, last, province=dear)
            yield Saying("promise_stay_out", to, 0.8 + more, {**span, "province": dear}, (pledge,))

    def _lulling(self) -> Iterator[Saying]:
        """The slippery swear to stay out of what they are about to take."""
        for move in self.intent.attacks[:1]:
            you = self.outlook.owners.get(move.target)
            if you is not None:
                facts = {"you": self.clan(you), "province": move.target, "rounds": self.rounds(self.now)}
                pledge = promise("stay_out", self.me, self.now, self.now, province=move.target)
                yield Saying("promise_stay_out", (you,), 1.2, facts, (pledge,))

    def announced(self) -> Iterator[Saying]:
        """A defence that is meant anyway is announced to all, to make others look elsewhere."""
        who, province = self.outlook.character, self._own("defend")
        if province is not None and who.honesty >= SLIPPERY:
            facts = {"province": province, "rounds": self.rounds(self.now)}
            pledge = promise("defend", self.me, self.now, self.now, province=province)
            yield Saying("promise_defend", (EVERYONE,), 0.3 + 0.5 * who.caution, facts, (pledge,))

    def _own(self, purpose: str) -> str | None:
        """The one province that this seat means to defend, or to bring lasting peace, and can promise.

        Lion may change its mind and lay a bluff there, which defends but keeps no word (house H10).
        """
        if purpose == "defend" and self.clan(self.me) == "lion":
            return None
        return next((move.target for move in self.intent.others if move.purpose == purpose), None)

    def _touched(self, you: Seat) -> list[str]:
        """Provinces of a seat that touch one's own and may still be attacked."""
        outlook = self.outlook
        return [
            other
            for mine in outlook.board.owned(self.me)
            for other in atlas().provinces[mine].neighbours
            if outlook.owners.get(other) == you and not outlook.board.closed(other)
        ]


def borders_between(outlook: Outlook, one: Seat, other: Seat) -> bool:
    """Whether two other seats touch by land."""
    lands = atlas().provinces
    return any(
        outlook.owners.get(near) == other
        for province, owner in outlook.owners.items()
        if owner == one
        for near in lands[province].neighbours
    )
