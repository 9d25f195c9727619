"""Holding land: defenders, blessings on them, lasting peace."""

from __future__ import annotations

from collections.abc import Iterator

from diplomat.core.audience import Seat
from diplomat.games.rokugan.atlas import atlas
from diplomat.games.rokugan.battle import LION_BLUFF
from diplomat.games.rokugan.bots.moves import Move
from diplomat.games.rokugan.bots.odds import Guess, above
from diplomat.games.rokugan.bots.outlook import THRIFT, Outlook
from diplomat.games.rokugan.content import BLUFF, kind, strength
from diplomat.games.rokugan.deeds import FIGHTERS


def coming(outlook: Outlook, province: str) -> list[tuple[float, Guess]]:
    """Attacks on an own province that may still come: the chance of each and its strength."""
    board, land = outlook.board, atlas().provinces[province]
    ways: dict[Seat, float] = {}
    for neighbour in land.neighbours:
        owner = outlook.owners.get(neighbour)
        if owner is not None and owner != outlook.seat and neighbour not in board.peace:
            ways[owner] = ways.get(owner, 0.0) + 1.0
    if land.coastal:
        for seat in board.seats:
            if seat != outlook.seat:
                ways[seat] = ways.get(seat, 0.0) + 0.6
    already = outlook.front(province).attackers
    found: list[tuple[float, Guess]] = []
    for seat, count in ways.items():
        spare = board.hands[seat] - 1
        if spare <= 0 or seat in already:
            continue
        odds = min(0.5, 0.022 * spare * count * (1.0 + 0.25 * outlook.worth_to(seat, province)))
        if outlook.mind.pact(seat, outlook.now):
            odds *= 1.0 - outlook.mind.trust(seat)
        found.append((odds, Guess(3.0 + (board.clans[seat] == "crane"), 2.0)))
    return found


def loss(outlook: Outlook, province: str, defence: float, later: list[tuple[float, Guess]]) -> tuple[float, float]:
    """The chance that an own province is lost with that defence, and that it is attacked at all."""
    safe, quiet = 1.0, 1.0
    for guess in outlook.front(province).attackers.values():
        safe *= 1.0 - above(guess.mean, Guess(defence, max(guess.variance, 0.05)))
        quiet *= 0.15
    for odds, guess in later:
        safe *= 1.0 - odds * above(guess.mean, Guess(defence, guess.variance))
        quiet *= 1.0 - odds
    return 1.0 - safe, 1.0 - quiet


def defence_gain(outlook: Outlook, province: str, extra: float) -> float:
    """What more strength in an own province is worth: land kept, and a faceup token if it is attacked."""
    later = coming(outlook, province)
    held = outlook.front(province).defence.mean
    lost, attacked = loss(outlook, province, held, later)
    after, _ = loss(outlook, province, held + extra, later)
    return (lost - after) * (outlook.stake(province) + attacked)


def defences(outlook: Outlook) -> Iterator[Move]:
    """Fighters, and Lion's bluff, put into own provinces."""
    lion = outlook.board.clans[outlook.seat] == "lion"
    faces = [f for f in dict.fromkeys(outlook.known.hand) if kind(f) in FIGHTERS or (lion and f == BLUFF)]
    for province in outlook.position.defences:
        later = coming(outlook, province)
        held = outlook.front(province).defence.mean
        lost, attacked = loss(outlook, province, held, later)
        word = outlook.word("defend", province)
        stake = outlook.stake(province) + attacked
        for face in faces:
            if kind(face) == "navy" and not atlas().provinces[province].coastal:
                continue
            force = LION_BLUFF if face == BLUFF else strength(face)
            after, _ = loss(outlook, province, held + force, later)
            yield Move((lost - after) * stake + word - THRIFT * force, "defend", face, province, province, held + force)


def peaces(outlook: Outlook) -> Iterator[Move]:
    """Lasting peace for an own province: safe for good, but no base any more."""
    if "diplomacy" not in outlook.known.hand:
        return
    for province in outlook.position.diplomacies:
        lost, _ = loss(outlook, province, outlook.front(province).defence.mean, coming(outlook, province))
        sooner_or_later = 1.0 - (1.0 - lost) * 0.86**outlook.left
        gain = sooner_or_later * outlook.worth.of(province) * 0.8 - 0.5 - 0.25 * outlook.left
        yield Move(gain + outlook.word("peace", province), "peace", "diplomacy", province, province)
