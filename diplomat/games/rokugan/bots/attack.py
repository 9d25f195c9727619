"""Attacks, and blessings on them: one token at a time, pairs thought of together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from diplomat.games.rokugan.bots.moves import Move
from diplomat.games.rokugan.bots.outlook import THRIFT, Outlook
from diplomat.games.rokugan.content import kind, strength
from diplomat.games.rokugan.deeds import FIGHTERS
from diplomat.games.rokugan.places import SEA, place

Routes = dict[str, list[str]]
"""Places that armies, navies and shinobi may take against one target, by kind."""


@dataclass(frozen=True, slots=True)
class _Aim:
    """One target, with what an attack on it is measured by."""

    target: str
    routes: Routes
    prize: float
    before: float
    """Strength already there, or the bonus that comes with the first token."""
    base: float
    """What the attack is worth as it stands."""
    word: float


def attacks(outlook: Outlook) -> Iterator[Move]:
    """Attacks with one token, and the first token of attacks with two."""
    faces = sorted((f for f in outlook.known.hand if kind(f) in FIGHTERS), key=lambda f: (strength(f), f))
    if not faces:
        return
    blessings = [f for f in outlook.known.hand if kind(f) == "blessing"]
    several = outlook.board.hands[outlook.seat] > 2
    for target, routes in _routes(outlook, {kind(face) for face in faces}).items():
        usable = [face for face in faces if kind(face) in routes]
        prize = outlook.prize(target)
        committed = outlook.committed(target)
        base = 0.0 if committed is None else outlook.gain(target, committed, prize)
        before = float(outlook.first_bonus) if committed is None else committed
        aim = _Aim(target, routes, prize, before, base, outlook.word("attack", target))
        for face in dict.fromkeys(usable):
            total = before + strength(face)
            utility = outlook.gain(target, total, prize) - base + aim.word - THRIFT * strength(face)
            yield _attack(outlook, aim, face, utility, total)
        if several:
            yield from _pairs(outlook, aim, usable, blessings)


def _pairs(outlook: Outlook, aim: _Aim, usable: list[str], blessings: list[str]) -> Iterator[Move]:
    """Two tokens that win together what neither wins alone: the first is worth half of both."""
    pairs = [*combinations(usable, 2), *((face, blessing) for face in usable for blessing in blessings)]
    for one, two in dict.fromkeys(pairs):
        first, second = kind(one), kind(two)
        if first == second and len(aim.routes[first]) < 2:
            continue
        both = aim.before + strength(one) + force_of(outlook, two)
        utility = (outlook.gain(aim.target, both, aim.prize) - aim.base + aim.word) / 2
        utility -= THRIFT * (strength(one) + strength(two)) / 2
        lead = two if second == "army" and first == "shinobi" else one
        yield _attack(outlook, aim, lead, utility, both)


def force_of(outlook: Outlook, face: str) -> int:
    """What a token adds to its side, Phoenix's blessings one more (house H10)."""
    phoenix = kind(face) == "blessing" and outlook.board.clans[outlook.seat] == "phoenix"
    return strength(face) + phoenix


def _routes(outlook: Outlook, kinds: set[str]) -> dict[str, Routes]:
    """For each target the places that tokens of these kinds may take against it."""
    found: dict[str, Routes] = {}
    position = outlook.position
    for what, places in (("army", position.armies), ("navy", position.navies), ("shinobi", position.shinobi)):
        if what in kinds:
            for where in places:
                target = place(where).target
                if outlook.owners.get(target) != outlook.seat:
                    found.setdefault(target, {}).setdefault(what, []).append(where)
    return found


def _attack(outlook: Outlook, aim: _Aim, face: str, utility: float, total: float) -> Move:
    places = aim.routes[kind(face)]
    where = places[0] if len(places) == 1 else max(places, key=lambda place: (_exposed(outlook, place), place))
    return Move(utility, "attack", face, where, aim.target, total)


def _exposed(outlook: Outlook, where: str) -> float:
    """What stands behind a border: a token laid there also closes the way for a strike back."""
    source = place(where).source
    if source is None or source == SEA or outlook.owners.get(source) != outlook.seat:
        return 0.0
    return outlook.worth.of(source)
