"""What a scripted diplomat says about what has happened, and how much it wants to say it."""

from __future__ import annotations

from collections.abc import Iterator

from diplomat.core.audience import Seat
from diplomat.core.talk import EVERYONE
from diplomat.games.rokugan.bots.answers import borders
from diplomat.games.rokugan.bots.moment import Moment
from diplomat.games.rokugan.bots.sayings import Saying
from diplomat.games.rokugan.commitments import Commitment


class News(Moment):
    """Greetings, thanks, reproaches, battles and gossip: nothing here promises or asks anything."""

    def courtesies(self) -> Iterator[Saying]:
        """Greetings in the first round, farewells in the last."""
        near = max(self.others, key=lambda seat: borders(self.outlook, seat))
        if self.now == 1:
            yield Saying("greet", (near,), 1.2, {"you": self.clan(near)})
        elif self.now == self.last and (self.outlook.mind.pact(near, self.now) or not self._wronged_by(near)):
            yield Saying("farewell", (near,), 0.9 + 0.4 * self.outlook.character.loyalty, {"you": self.clan(near)})

    def _wronged_by(self, seat: Seat) -> bool:
        return self.outlook.mind.grudge.get(seat, 0.0) > 0

    def reckonings(self) -> Iterator[Saying]:
        """Broken words are thrown back, kept ones thanked for; one's own breach is explained away."""
        who, words = self.outlook.character, self.outlook.mind.words
        for one in words.made:
            if one.settled != self.now - 1 or self.now == 1:
                continue
            if one.status == "broken" and one.owes(self.me):
                yield from self._accusations(one)
            elif one.status == "kept" and one.owes(self.me) and one.goal.verb != "attack":
                yield Saying("thank", (one.debtor,), 0.7 + 0.5 * who.loyalty, {"you": self.clan(one.debtor)})
            elif one.status == "broken" and one.debtor == self.me and len(one.creditors) == 1 and who.candour < 0.8:
                (you,) = one.creditors
                province = next((d.province for d in words.fresh if d.seat == self.me and d.owner == you), None)
                if province is not None:
                    yield Saying("excuse", (you,), 1.6, {"you": self.clan(you), "province": province})

    def _accusations(self, one: Commitment) -> Iterator[Saying]:
        who, third = self.outlook.character, one.debtor
        if one.goal.verb == "attack" or one.goal.args.get("target", self.me) == self.me:
            facts = {"you": self.clan(third), "broken": one.message}
            yield Saying("accuse", (third,), 2.0 + who.vengeance, facts)
            facts = {"third": self.clan(third), "broken": one.message}
            yield Saying("accuse_public", (EVERYONE,), 1.2 + who.vengeance, facts)
        listener = next((s for s in self.others if s != third and self.outlook.mind.trust(s) >= 0.4), None)
        if listener is not None:
            facts = {"you": self.clan(listener), "third": self.clan(third)}
            yield Saying("gossip_broken", (listener,), 0.4 + 1.6 * who.gossip, facts)

    def battles(self) -> Iterator[Saying]:
        """The last round's battles: what was taken, lost and held."""
        who = self.outlook.character
        for battle in self.outlook.mind.battles:
            facts = {"province": battle.province}
            loser = battle.defence.seat
            if battle.winner == self.me and loser is not None:
                weight = 0.6 + 0.9 * who.boldness
                yield Saying("taunt", (EVERYONE,), weight, {**facts, "third": self.clan(loser)})
            elif loser == self.me and battle.winner is not None:
                yield Saying(
                    "lament", (EVERYONE,), 0.9 + 0.6 * who.vengeance, {**facts, "third": self.clan(battle.winner)}
                )
            elif loser == self.me:
                yield Saying("boast", (EVERYONE,), 0.8 + 0.8 * who.boldness, facts)
            elif loser is not None and battle.winner is not None and self.ally(loser):
                yield Saying("condolence", (loser,), 0.5 + 0.7 * who.loyalty, {**facts, "you": self.clan(loser)})

    def calls(self) -> Iterator[Saying]:
        """The leader is named before all."""
        outlook, who = self.outlook, self.outlook.character
        leader = outlook.leader
        if self.is_called_out(leader):
            facts = {"third": self.clan(leader), "honor": f"{outlook.standing[leader]:.0f}"}
            yield Saying("call_leader", (EVERYONE,), 0.3 + 1.2 * who.ambition, facts)

    def told_offers(self) -> Iterator[Saying]:
        """An offer to strike a third is passed on to the third."""
        outlook, who = self.outlook, self.outlook.character
        for offer in outlook.mind.words.offers.values():
            if offer.round != self.now or self.me not in offer.to:
                continue
            victim = next(
                (Seat(g.args["target"]) for g in offer.pledge.given if g.verb == "attack" and "target" in g.args), None
            )
            if victim is not None and victim != self.me:
                facts = {"you": self.clan(victim), "third": self.clan(offer.sender)}
                yield Saying("gossip_offer", (victim,), 2.2 * who.gossip - 0.4 * who.loyalty, facts)

    def whispers(self) -> Iterator[Saying]:
        """Two that struck the same seat, and not each other, look like allies to one who likes to talk."""
        who, fresh = self.outlook.character, self.outlook.mind.words.fresh
        struck = {(deed.seat, deed.owner) for deed in fresh if deed.act == "attack" and deed.owner is not None}
        for victim in self.outlook.board.seats:
            pair = [seat for seat in self.others if (seat, victim) in struck]
            if len(pair) != 2 or (pair[0], pair[1]) in struck or (pair[1], pair[0]) in struck:
                continue
            third, fourth = pair
            listener = victim if victim != self.me else next((s for s in self.others if s not in pair), None)
            if listener is not None:
                facts = {"you": self.clan(listener), "third": self.clan(third), "fourth": self.clan(fourth)}
                yield Saying("gossip_pact", (listener,), 2.0 * who.gossip, facts)

    def in_passing(self, laid_at: list[tuple[Seat, str]]) -> Iterator[Saying]:
        """A word about tokens just laid against one's own land: (who, which province)."""
        outlook, who = self.outlook, self.outlook.character
        for you, province in laid_at:
            facts = {"you": self.clan(you), "province": province}
            if outlook.mind.pact(you, self.now):
                yield Saying("warn", (you,), 1.6, facts)
            elif outlook.worth.of(province) > 3.5:
                yield Saying("warn", (you,), 0.3 + 0.5 * who.boldness, facts)
