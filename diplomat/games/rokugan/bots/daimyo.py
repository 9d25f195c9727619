"""A scripted diplomat: a character, a memory, a judgement for the tokens and a tongue for the talk."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from diplomat.core.audience import Seat
from diplomat.core.game import Decision, Reply
from diplomat.core.menus import Answer
from diplomat.games.rokugan.atlas import atlas
from diplomat.games.rokugan.bots import reasons
from diplomat.games.rokugan.bots.answers import answers, asked
from diplomat.games.rokugan.bots.attack import attacks
from diplomat.games.rokugan.bots.character import character
from diplomat.games.rokugan.bots.consistency import consistent
from diplomat.games.rokugan.bots.defence import defences, peaces
from diplomat.games.rokugan.bots.guile import blessings, bluffs, raids
from diplomat.games.rokugan.bots.intent import Intent
from diplomat.games.rokugan.bots.listening import waiting
from diplomat.games.rokugan.bots.mind import Mind
from diplomat.games.rokugan.bots.moves import Move
from diplomat.games.rokugan.bots.openings import Openings
from diplomat.games.rokugan.bots.outlook import Outlook
from diplomat.games.rokugan.bots.sayings import Saying
from diplomat.games.rokugan.bots.voice import Voice, chosen, promised
from diplomat.games.rokugan.bots.worth import Worth
from diplomat.games.rokugan.content import BLUFF, SETUP_TOKENS, strength
from diplomat.games.rokugan.events import TokenLaid
from diplomat.games.rokugan.knowledge import Known
from diplomat.games.rokugan.placement import Position
from diplomat.games.rokugan.places import place

RESTLESS = 0.8
"""How far chance may shift the choice between moves, in honor."""


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
        picks = SETUP_TOKENS[len(board.seats)] + 1 - len(mine)

        def utility(province: str) -> float:
            land = atlas().provinces[province]
            others = sum(board.owner(n) not in (None, self.seat) for n in land.neighbours)
            near = sum(n in mine for n in land.neighbours)
            safety = 0.6 * self.character.caution * (0.4 * land.defence - 0.25 * others + 0.3 * near)
            reach = 0.25 * self.character.aggression * min(3, len(land.neighbours))
            return worth.of(province) + worth.ahead(province, picks) + safety + reach + 0.8 * die.fraction()

        free = [province for province in atlas().provinces if province not in board.control]
        best = max(free, key=utility)
        note = reasons.say(self.lang, "settle", province=best, gain=f"{worth.of(best):.1f}")
        return Reply({"province": best}, note=note)

    def prepare(self, decision: Decision[Known]) -> Reply:
        """Cards as soon as they serve; Dragon's weakest token for another."""
        known = decision.known
        board = known.board
        late = board.round >= board.rounds - 1
        play = [t for t in board.held[self.seat] if late or board.cards[t] != "fortifications"]
        answer: dict[str, Answer] = {"cards": play}
        note = reasons.say(self.lang, "prepare", count=str(len(play)))
        if board.clans[self.seat] == "dragon" and board.pools[self.seat] > 0:
            weak = [face for face in known.hand if face != BLUFF and strength(face) == 1]
            if weak:
                answer["exchange"] = weak[0]
                note = reasons.say(self.lang, "exchange", face=weak[0])
        return Reply(answer, note=note)

    def place(self, decision: Decision[Known]) -> Reply:
        """The token and place of most utility."""
        known = decision.known
        outlook = Outlook(known, self.mind)
        target = self._look(outlook)
        if target is not None:
            near = place(known.board.tokens[target].place).target
            return Reply({"act": "look", "target": target}, note=reasons.say(self.lang, "look", province=near))
        die = decision.die("place")
        moves = list(weighed(outlook))
        best = max(moves, key=lambda move: move.utility + RESTLESS * die.fraction(), default=None)
        if best is None:
            best = self._least(known)
            note = reasons.say(self.lang, "forced", face=best.face)
        else:
            note = reasons.why(outlook, best, self.lang)
        answer = {"act": "place", "token": best.face, "place": best.where}
        if decision.window.messages == 0:
            return Reply(answer, note=note)
        laid = [(e.seat, place(e.place).target) for e in decision.news if isinstance(e, TokenLaid)]
        mine = [(seat, where) for seat, where in laid if seat != self.seat and outlook.owners.get(where) == self.seat]
        intent = Intent(outlook, moves)
        sayings = [s for s in Openings(outlook, intent).in_passing(mine) if not self._wrote_to(s.to)]
        return self._with_words(decision, outlook, intent, sayings, answer, note)

    def _wrote_to(self, room: tuple[str, ...]) -> bool:
        """Whether this seat wrote into that room already since placement began."""
        return any(message.to == room for message in self.mind.spoken_since_placement)

    def _least(self, known: Known) -> Move:
        """Where nothing seems worth doing: the weakest token in its first place."""
        position = Position(known.board, self.seat, known.faces)
        for face in sorted(known.hand, key=strength):
            places = position.places(face)
            if places:
                return Move(0.0, "forced", face, places[0], "")
        raise LookupError("no token has a legal place")

    def _look(self, outlook: Outlook) -> str | None:
        """Scorpion's look: at the token that threatens the dearest province (house H6.13)."""
        board = outlook.board
        if board.clans[self.seat] != "scorpion" or self.seat in board.looked:
            return None
        others = [laid for laid in board.tokens.values() if laid.seat != self.seat]
        threats = [laid for laid in others if outlook.owners.get(place(laid.place).target) == self.seat]
        if threats:
            return max(threats, key=lambda laid: (outlook.stake(place(laid.place).target), laid.id)).id
        last_chance = board.hands[self.seat] == 2 and others
        return others[-1].id if last_chance else None

    def talk(self, decision: Decision[Known]) -> Reply:
        """A turn to talk: offers are answered first, then what weighs most is said."""
        outlook = Outlook(decision.known, self.mind)
        intent = Intent(outlook, weighed(outlook))
        die = decision.die("talk")
        most = decision.window.messages
        replies = list(answers(outlook, intent, waiting(self.mind.words, self.seat)))[:most]
        room = round(most * (0.25 + 0.75 * self.character.talkative))
        openings = Openings(outlook, intent)
        wave = decision.known.board.wave
        more = openings.all() if wave == 0 else openings.later() if wave == 1 else ()
        sayings = consistent(outlook, [*replies, *chosen(more, max(0, room - len(replies)), 0.75, die)])
        sayings.sort(key=lambda saying: saying.act not in ("greet", "excuse"))
        note = "" if sayings else reasons.mood(outlook, intent, self.lang)
        return self._with_words(decision, outlook, intent, sayings, {}, note)

    def _with_words(
        self,
        decision: Decision[Known],
        outlook: Outlook,
        intent: Intent,
        sayings: list[Saying],
        answer: Answer,
        note: str,
    ) -> Reply:
        """The reply with its messages and, sealed, the plan they were sent with."""
        if not sayings:
            return Reply(answer, note=note)
        voice = Voice(self.lang, outlook, self.mind)
        worded = voice.messages(sayings[: decision.window.messages], decision.window, decision.die("voice"))
        offers = {name: asked(offer, self.seat) for name, offer in self.mind.words.offers.items()}
        plan = intent.plan(promised(worded, offers), reasons.mood(outlook, intent, self.lang))
        taken_back = {p.ref for _, saying, _ in worded for p in saying.pledges if p.act == "withdraw"}
        plan = replace(plan, keep={name: said for name, said in plan.keep.items() if name not in taken_back})
        return Reply(answer, tuple(message for _, _, message in worded), plan, note)


_DECIDE: Mapping[str, Callable[[Daimyo, Decision[Known]], Reply]] = {
    "settle": Daimyo.settle,
    "talk": Daimyo.talk,
    "prepare": Daimyo.prepare,
    "place": Daimyo.place,
}
