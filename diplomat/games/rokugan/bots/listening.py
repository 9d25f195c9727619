"""How a scripted diplomat reads what others write: formal pledges as they are, plain sentences as understood."""

from __future__ import annotations

from dataclasses import replace

from diplomat.core.audience import Seat
from diplomat.core.pledges import NEEDS_REF, Pledge
from diplomat.core.proceedings import MessageSent
from diplomat.games.rokugan.bots.hearing import hear
from diplomat.games.rokugan.bots.mind import Mind
from diplomat.games.rokugan.commitments import Offer
from diplomat.games.rokugan.knowledge import Known


def listen(mind: Mind, known: Known) -> None:
    """Reads every message not read before; one without pledges is read as a person would."""
    for message in mind.messages[mind.read :]:
        if message.sender != mind.seat and not message.pledges:
            for pledge in _understood(mind, known, message):
                mind.words.pledge(message, pledge)
    mind.read = len(mind.messages)


def _understood(mind: Mind, known: Known, message: MessageSent) -> list[Pledge]:
    board = known.board
    read = hear(message.text, message.sender, mind.seat, board.clans, board.round, board.rounds)
    linked: list[Pledge] = []
    for pledge in read:
        if pledge.act not in NEEDS_REF or pledge.ref is not None:
            linked.append(pledge)
        elif (offer := _last_offer(mind, message.sender)) is not None:
            linked.append(replace(pledge, ref=offer))
    return linked


def _last_offer(mind: Mind, sender: Seat) -> str | None:
    """The last open offer of this seat to the sender, which a plain yes or no speaks of."""
    for name, offer in reversed(mind.words.offers.items()):
        if offer.sender == mind.seat and sender in offer.to and name not in mind.words.answered:
            return name
    return None


def waiting(mind: Mind, seat: Seat) -> list[Offer]:
    """Offers of this round to this seat that nobody has answered.

    Two offers of the same kind that crossed are one agreement: the seat that comes first says yes.
    """
    unanswered = [
        offer
        for name, offer in mind.words.offers.items()
        if offer.round == mind.words.round and name not in mind.words.answered
    ]
    crossed = {(offer.to, _kind(offer)) for offer in unanswered if offer.sender == seat}
    return [
        offer
        for offer in unanswered
        if seat in offer.to
        and offer.sender != seat
        and not (seat > offer.sender and ((offer.sender,), _kind(offer)) in crossed)
    ]


def _kind(offer: Offer) -> tuple[str, ...]:
    return tuple(sorted(goal.verb for goal in (*offer.pledge.goals, *offer.pledge.given)))
