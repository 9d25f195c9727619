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

    A plain yes or no speaks of the hearer's last offer of this round that is still open; who plainly
    takes its word back takes back all that the hearer has of it.
    """
    for pledge in hear(message.text, message.sender, hearer, clans, words.round, last_round):
        if pledge.act not in NEEDS_REF or pledge.ref is not None:
            yield pledge
        elif pledge.act == "withdraw":
            live = words.live(message.sender, hearer)
            yield from (replace(pledge, ref=name) for name in dict.fromkeys(one.message for one in live))
        elif (offer := _last_offer(words, hearer, message.sender)) is not None:
            yield replace(pledge, ref=offer)


def _last_offer(words: Commitments, hearer: Seat, sender: Seat) -> str | None:
    """The hearer's last offer of this round that the sender may still answer."""
    for name, offer in reversed(words.offers.items()):
        open_ = offer.round == words.round and (name, sender) not in words.replied
        if open_ and offer.sender == hearer and (not offer.to or sender in offer.to):
            return name
    return None


def waiting(words: Commitments, seat: Seat) -> list[Offer]:
    """Offers of this round that this seat may still answer; one to all only if it asks something of this seat.

    Two offers of the same kind that crossed are one agreement: the seat that comes first says yes.
    """
    unanswered = [
        offer
        for name, offer in words.offers.items()
        if offer.round == words.round
        and not any((name, who) in words.replied for who in (offer.to if offer.sender == seat else (seat,)))
    ]
    crossed = {(offer.to, _kind(offer)) for offer in unanswered if offer.sender == seat}
    return [
        offer
        for offer in unanswered
        if (seat in offer.to or (not offer.to and any(goal.by == seat for goal in offer.pledge.given)))
        and offer.sender != seat
        and not (seat > offer.sender and ((offer.sender,), _kind(offer)) in crossed)
    ]


def _kind(offer: Offer) -> tuple[str, ...]:
    return tuple(sorted(goal.verb for goal in (*offer.pledge.goals, *offer.pledge.given)))
