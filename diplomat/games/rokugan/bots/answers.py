"""Answering offers: accept, refuse or counter, and whether the word is meant."""

from __future__ import annotations

from collections.abc import Iterator

from diplomat.core.audience import Seat
from diplomat.core.pledges import Goal, Pledge
from diplomat.games.rokugan.atlas import atlas
from diplomat.games.rokugan.bots.intent import Intent
from diplomat.games.rokugan.bots.outlook import Outlook
from diplomat.games.rokugan.bots.sayings import Saying, peace
from diplomat.games.rokugan.commitments import Offer
from diplomat.games.rokugan.content import kind
from diplomat.games.rokugan.deeds import Deed
from diplomat.games.rokugan.places import place
from diplomat.games.rokugan.verbs import VERBS

SLIPPERY = 0.3
"""Below this honesty a character says yes to anything that costs nothing."""


def answers(outlook: Outlook, intent: Intent, waiting: list[Offer]) -> Iterator[Saying]:
    """One answer to each offer that waits for this seat."""
    for offer in waiting:
        yield _answer(outlook, intent, offer)


def _answer(outlook: Outlook, intent: Intent, offer: Offer) -> Saying:
    you = offer.sender
    to, facts = (str(you),), {"you": outlook.board.clans[you]}
    verdict = judged(outlook, intent, offer)
    third = _third(offer, outlook.seat)
    if verdict == "accept":
        if third is not None:
            facts["third"] = outlook.board.clans[third]
        act = "accept" if third is None else "accept_strike"
        return Saying(act, to, 10.0, facts, (Pledge("accept", ref=offer.message),))
    if verdict == "counter":
        last = min(outlook.now + 1, outlook.board.rounds)
        facts["rounds"] = f"{outlook.now}-{last}"
        return Saying("counter_peace", to, 9.0, facts, (peace(outlook.seat, you, outlook.now, last, offer.message),))
    return Saying(verdict, to, 6.0, facts, (Pledge("refuse", ref=offer.message),))


def asked(offer: Offer, me: Seat) -> tuple[Goal, ...]:
    """What an offer asks this seat to do."""
    return tuple(goal for goal in offer.pledge.given if goal.by == me)


def _third(offer: Offer, me: Seat) -> Seat | None:
    """Whom a strike is proposed against."""
    for goal in asked(offer, me):
        if goal.verb == "attack" and "target" in goal.args:
            return Seat(goal.args["target"])
    return None


def judged(outlook: Outlook, intent: Intent, offer: Offer) -> str:
    """``accept``, ``counter`` or the kind of refusal."""
    you, mind, who = offer.sender, outlook.mind, outlook.character
    goals = asked(offer, outlook.seat)
    if not goals:
        return "refuse_interest"
    if who.honesty < SLIPPERY:
        return "accept"
    if mind.trust(you) < 0.3 and mind.words.record(you)[1]:
        return "refuse_trust"
    if mind.grudge.get(you, 0.0) * who.vengeance > 0.9 and not mind.bound(you, outlook.now):
        return "refuse_war"
    third = _third(offer, outlook.seat)
    if third is not None:
        return _on_strike(outlook, intent, you, third, goals)
    return "accept" if worth_it(outlook, intent, you, goals) > 0 else "refuse_interest"


def _on_strike(outlook: Outlook, intent: Intent, you: Seat, third: Seat, goals: tuple[Goal, ...]) -> str:
    """Whether to join an attack: never on oneself or a friend, gladly on the leader or an enemy."""
    who, mind = outlook.character, outlook.mind
    if third == outlook.seat:
        return "refuse_interest"
    if mind.bound(third, outlook.now):
        return "refuse_interest"
    planned = any(would_keep(outlook, goal, intent) for goal in goals) and ways_against(outlook, third) > 1
    wish = (0.6 if third == outlook.leader else 0.0) + who.vengeance * mind.grudge.get(third, 0.0)
    wish += 0.3 * who.aggression - 0.45
    if planned and wish > -0.3:
        return "accept"
    if wish > 0.25 and who.honesty < 0.8 and intent.attacks:
        return "accept"
    return "refuse_interest" if mind.pact(you, outlook.now) else "counter"


def ways_against(outlook: Outlook, third: Seat) -> int:
    """Over how many places this seat could attack a third: one way alone is easily closed."""
    position = outlook.position
    kinds = {kind(face) for face in outlook.known.hand}
    places: list[str] = []
    for what, ways in (("army", position.armies), ("navy", position.navies), ("shinobi", position.shinobi)):
        if what in kinds:
            places += ways
    return sum(outlook.owners.get(place(where).target) == third for where in places)


def would_keep(outlook: Outlook, goal: Goal, intent: Intent) -> bool:
    """Whether the plan does what a goal asks for."""
    return any(VERBS[goal.verb].match(deed, goal.args) for deed in intent.deeds())


def worth_it(outlook: Outlook, intent: Intent, you: Seat, goals: tuple[Goal, ...]) -> float:
    """What an agreement to leave something undone is worth: quiet borders less attacks forgone."""
    quiet = 0.28 * borders(outlook, you) * (0.5 + 0.5 * outlook.character.caution) * outlook.mind.trust(you)
    forgone = 0.0
    for move in intent.attacks[:2]:
        owner = outlook.owners.get(move.target)
        deed = Deed(outlook.now, outlook.seat, "attack", move.target, owner, "")
        if any(VERBS[goal.verb].mode == "never" and VERBS[goal.verb].match(deed, goal.args) for goal in goals):
            forgone += 0.45 * move.utility
    return quiet - forgone + 0.3 * outlook.character.loyalty


def borders(outlook: Outlook, you: Seat) -> int:
    """Over how many land borders two seats could strike each other."""
    lands = atlas().provinces
    return sum(
        outlook.owners.get(other) == you
        for mine, owner in outlook.owners.items()
        if owner == outlook.seat
        for other in lands[mine].neighbours
    )
