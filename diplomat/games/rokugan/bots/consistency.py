"""Not promising what one has promised away: the difference between a liar and a careless friend."""

from __future__ import annotations

from collections.abc import Iterable

from diplomat.core.audience import Seat
from diplomat.core.pledges import Goal
from diplomat.games.rokugan.bots.answers import SLIPPERY, asked
from diplomat.games.rokugan.bots.outlook import Outlook
from diplomat.games.rokugan.bots.sayings import Saying
from diplomat.games.rokugan.commitments import is_deed_forbidden
from diplomat.games.rokugan.deeds import ACT_OF_VERB, Deed
from diplomat.games.rokugan.verbs import VERBS


def clash(outlook: Outlook, one: Goal, other: Goal) -> bool:
    """Whether one seat cannot keep both goals."""
    if one.last < other.first or other.last < one.first:
        return False
    if VERBS[one.verb].mode == VERBS[other.verb].mode:
        return one.verb == "attack" == other.verb and one.args.get("target") != other.args.get("target")
    do, leave = (one, other) if VERBS[one.verb].mode == "by" else (other, one)
    province = do.args.get("province", "")
    owner = outlook.owners.get(province) if province else Seat(do.args.get("target", ""))
    if not province:
        return leave.verb == "not_attack" and leave.args.get("target") == owner
    round_ = max(do.first, leave.first)
    return is_deed_forbidden(leave, Deed(round_, do.by, ACT_OF_VERB[do.verb], province, owner, ""))


def consistent(outlook: Outlook, sayings: Iterable[Saying]) -> list[Saying]:
    """The sayings a seat can stand by together; the slippery say everything."""
    everything = list(sayings)
    if outlook.character.honesty < SLIPPERY:
        return everything
    mine = [one.goal for one in outlook.mind.words.live(outlook.seat)]
    for name, offer in outlook.mind.words.offers.items():
        if (
            offer.sender == outlook.seat
            and outlook.mind.words.answered.get(name) is None
            and offer.round == outlook.now
        ):
            mine += offer.pledge.goals
    fitting: list[Saying] = []
    for saying in everything:
        goals = [*saying.promised, *_accepted(outlook, saying)]
        if any(clash(outlook, goal, other) for goal in goals for other in mine):
            continue
        mine += goals
        fitting.append(saying)
    return fitting


def _accepted(outlook: Outlook, saying: Saying) -> list[Goal]:
    """What an accept gives this seat's word for."""
    offers = outlook.mind.words.offers
    refs = [pledge.ref for pledge in saying.pledges if pledge.act == "accept" and pledge.ref in offers]
    return [goal for ref in refs for goal in asked(offers[str(ref)], outlook.seat)]
