"""What each seat did in a round, as the turned-up tokens show it to everybody."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from diplomat.core.audience import Seat
from diplomat.games.rokugan.content import kind
from diplomat.games.rokugan.events import TokensTurnedUp
from diplomat.games.rokugan.places import place

FIGHTERS = frozenset({"army", "navy", "shinobi"})


@dataclass(frozen=True, slots=True)
class Deed:
    """One token's meaning: ``seat`` did ``act`` at ``province``, which ``owner`` held at that moment.

    ``act`` is ``attack``, ``raid``, ``peace`` or ``defend``.  A bluff is no deed.
    """

    round: int
    seat: Seat
    act: str
    province: str
    owner: Seat | None
    token: str


def deeds(owners: Mapping[str, Seat], turned: TokensTurnedUp) -> Iterator[Deed]:
    """The deeds of a round; ``owners`` says who held each province when the tokens were turned up."""
    for token in turned.tokens:
        target = place(token.place).target
        owner = owners.get(target)
        what = kind(token.face)
        if what in FIGHTERS:
            act = "defend" if owner == token.seat else "attack"
        elif what == "raid":
            act = "raid"
        elif what == "diplomacy":
            act = "peace"
        else:
            continue
        yield Deed(turned.round, token.seat, act, target, owner, token.id)
