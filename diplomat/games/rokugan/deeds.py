"""What each seat did in a round, as the turned-up tokens show it to everybody."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from diplomat.core.audience import Seat
from diplomat.games.rokugan.content import kind
from diplomat.games.rokugan.events import TokensTurnedUp
from diplomat.games.rokugan.places import place

FIGHTERS = frozenset({"army", "navy", "shinobi"})
VERB_OF_ACT: Mapping[str, str] = {"attack": "attack", "raid": "raid", "peace": "make_peace", "defend": "defend"}
"""The verb that promises each act (see :mod:`.verbs`)."""
ACT_OF_VERB: Mapping[str, str] = {verb: act for act, verb in VERB_OF_ACT.items()}
_OTHERS: Mapping[str, str] = {"raid": "raid", "diplomacy": "peace"}
"""Acts of the tokens that do not fight."""


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


def act_of(face: str, seat: Seat, owner: Seat | None) -> str | None:
    """What a token of ``seat`` does to land that ``owner`` holds; None for a bluff, which does nothing.

    >>> act_of("army-3", Seat("s1"), Seat("s2")), act_of("navy-1", Seat("s1"), Seat("s1"))
    ('attack', 'defend')
    >>> act_of("bluff", Seat("s1"), None) is None
    True
    """
    what = kind(face)
    if what in FIGHTERS:
        return "defend" if owner == seat else "attack"
    return _OTHERS.get(what)


def deeds(owners: Mapping[str, Seat], turned: TokensTurnedUp) -> Iterator[Deed]:
    """The deeds of a round; ``owners`` says who held each province when the tokens were turned up."""
    for token in turned.tokens:
        target = place(token.place).target
        owner = owners.get(target)
        act = act_of(token.face, token.seat, owner)
        if act is not None:
            yield Deed(turned.round, token.seat, act, target, owner, token.id)
