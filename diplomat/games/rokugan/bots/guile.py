"""Raids, bluffs and blessings: what turns a battle that others think decided."""

from __future__ import annotations

from collections.abc import Iterator

from diplomat.games.rokugan.atlas import atlas
from diplomat.games.rokugan.bots.attack import force_of
from diplomat.games.rokugan.bots.defence import defence_gain
from diplomat.games.rokugan.bots.moves import Move
from diplomat.games.rokugan.bots.outlook import THRIFT, Outlook
from diplomat.games.rokugan.content import BLUFF, kind
from diplomat.games.rokugan.places import SEA, place

HIDDEN_CAPITAL = 0.7
"""What may hang on a capital by objectives that nobody has shown: its owner's legacy, others' siege."""


def raids(outlook: Outlook) -> Iterator[Move]:
    """Burning what others hold, the richest first."""
    if "raid" not in outlook.known.hand:
        return
    for province in outlook.position.raids:
        owner = outlook.owners.get(province)
        if owner is None:
            continue
        land = atlas().provinces[province]
        gain = 2.0 + outlook.deny(owner) * outlook.worth_to(owner, province)
        gain += 0.8 * land.flowers + (HIDDEN_CAPITAL if land.capital else 0.0)
        gain += outlook.word("raid", province) - outlook.warmth(owner)
        if outlook.committed(province) is not None:
            gain -= 2.0
        if outlook.mind.bound(owner, outlook.now):  # the letter of a peace forbids attacks, its spirit raids too
            gain -= 0.7 * outlook.mind.worth_of_word
        yield Move(gain, "raid", "raid", province, province)


def blessings(outlook: Outlook) -> Iterator[Move]:
    """A blessing where it turns a battle."""
    faces = [f for f in dict.fromkeys(outlook.known.hand) if kind(f) == "blessing"]
    if not faces:
        return
    for token in outlook.position.blessings:
        target = place(outlook.board.tokens[token].place).target
        for face in faces:
            force = force_of(outlook, face)
            if outlook.owners.get(target) == outlook.seat:
                total = outlook.front(target).defence.mean + force
                gain = defence_gain(outlook, target, force)
            else:
                prize = outlook.prize(target)
                held = outlook.committed(target) or 0.0
                total = held + force
                gain = outlook.gain(target, total, prize) - outlook.gain(target, held, prize)
            yield Move(gain - THRIFT * force, "bless", face, token, target, total)


def bluffs(outlook: Outlook) -> Iterator[Move]:
    """A bluff closes a border against an attack, or makes somebody look the wrong way."""
    if BLUFF not in outlook.known.hand or outlook.board.clans[outlook.seat] == "lion":
        return
    basis = 0.05 + 0.1 * outlook.character.boldness
    for where in outlook.position.bluffs:
        spot = place(where)
        owner = outlook.owners.get(spot.target)
        gain = basis
        if owner == outlook.seat:
            gain += 0.04 * outlook.worth.of(spot.target)
        elif owner is not None and outlook.breaks("attack", spot.target):
            gain -= 0.3  # it would look like a broken word
        elif spot.source not in (None, SEA) and outlook.owners.get(str(spot.source)) == outlook.seat:
            gain += 0.06 * outlook.worth.of(str(spot.source)) if owner is not None else -0.1
        yield Move(gain, "bluff", BLUFF, where, spot.target)
