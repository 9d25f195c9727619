"""How a scripted diplomat reads what others write: formal pledges as they are, plain sentences as understood."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from diplomat.core.audience import Seat
from diplomat.core.pledges import NEEDS_REF, Pledge
from diplomat.core.proceedings import MessageSent
from diplomat.games.rokugan.bots.hearing import hear
from diplomat.games.rokugan.commitments import Commitments, Offer


def understood(
    message: MessageSent, hearer: Seat, words: Commitments, clans: Mapping[Seat, str], last_round: int
) -> Iterator[Pledge]:
    """The pledges of a plain message, read as a person would at the moment when it was written.

    A plain yes or no speaks of the hearer's last offer of this round that is still open.
    """
    for pledge in hear(message.text, message.sender, hearer, clans, words.round, last_round):
        if pledge.act not in NEEDS_REF or pledge.ref is not None:
            yield pledge
        elif (offer := _last_offer(words, hearer, message.sender)) is not None:
            yield replace(pledge, ref=offer)


def _last_offer(words: Commitments, hearer: Seat, sender: Seat) -> str | None:
    """The hearer's last offer of this round to the sender that nobody answered."""
    for name, offer in reversed(words.offers.items()):
        open_ = offer.round == words.round and name not in words.answered
        if open_ and offer.sender == hearer and sender in offer.to:
            return name
    return None


def waiting(words: Commitments, seat: Seat) -> list[Offer]:
    """Offers of this round to this seat that nobody has answered.

    Two offers of the same kind that crossed are one agreement: the seat that comes first says yes.
    """
    unanswered = [
        offer for name, offer in words.offers.items() if offer.round == words.round and name not in words.answered
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
