"""Guesses about what lies facedown, and the odds of a battle."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from diplomat.core.audience import Seat
from diplomat.games.rokugan.battle import attack_bonuses, defence_bonuses, token_strength
from diplomat.games.rokugan.board import Board, Laid
from diplomat.games.rokugan.content import BLUFF, kind, strength, token_set
from diplomat.games.rokugan.events import TurnedUp
from diplomat.games.rokugan.places import SEA, place


@dataclass(frozen=True, slots=True)
class Guess:
    """Mean and variance of a strength that is not known."""

    mean: float
    variance: float

    def plus(self, other: Guess) -> Guess:
        """The sum of two independent guesses."""
        return Guess(self.mean + other.mean, self.variance + other.variance)


NOTHING = Guess(0.0, 0.0)


def above(attack: float, defence: Guess) -> float:
    """The chance that an attack is strictly above a guessed defence (house H9.3)."""
    if defence.variance <= 1e-9:
        return 1.0 if attack > defence.mean else 0.0
    z = (attack - defence.mean - 0.5) / math.sqrt(defence.variance)
    return 0.5 * (1.0 + math.erf(z / math.sqrt(2.0)))


@cache
def _by_kind(clan: str, kinds: tuple[str, ...]) -> Guess:
    """Strength of a token of these kinds drawn from a clan's set, the bluff among them."""
    values = [strength(face) for face in token_set(clan) if kind(face) in kinds] + [0]
    mean = sum(values) / len(values)
    return Guess(mean, sum((v - mean) ** 2 for v in values) / len(values))


def facedown(board: Board, laid: Laid, faces: Mapping[str, str], *, defends: bool) -> Guess:
    """What a token on the map is guessed to add to its side, from where it lies and whose it is."""
    clan = board.clans[laid.seat]
    face = faces.get(laid.id)
    if face is not None:
        if kind(face) not in ("army", "navy", "shinobi", BLUFF) or (face == BLUFF and not (defends and clan == "lion")):
            return NOTHING
        return Guess(token_strength(board, TurnedUp(laid.id, laid.seat, laid.place, face, laid.blessings)), 0.0)
    where = place(laid.place)
    if where.source == SEA:
        base = _by_kind(clan, ("navy",))
    elif not where.inside:
        base = _by_kind(clan, ("army",))
    elif defends:
        base = _by_kind(clan, ("army", "navy", "diplomacy"))
    else:
        base = _by_kind(clan, ("shinobi", "raid"))
    extra = sum(strength(b) + (clan == "phoenix") for b in laid.blessings)
    if laid.blessings:  # a blessing proves that a fighter lies below (house H6.7)
        return Guess(base.mean + 0.4 + extra, base.variance * 0.6)
    return Guess(base.mean, base.variance)


@dataclass(slots=True)
class Front:
    """Who stands how strong at one province."""

    province: str
    owner: Seat | None
    land: int
    """Defence without tokens."""
    defence: Guess
    """All of the defence."""
    attackers: dict[Seat, Guess]
    """Each attacker's strength, bonuses included."""
    tokens: dict[Seat, int]
    """How many tokens each seat has acting on the province."""


def front(board: Board, province: str, faces: Mapping[str, str], acting: tuple[Laid, ...]) -> Front:
    """The state of one province from the tokens that act on it."""
    owner = board.owner(province)
    land = sum(part.amount for part in defence_bonuses(board, province))
    defence = Guess(land, 0.0)
    attackers: dict[Seat, Guess] = {}
    tokens: dict[Seat, int] = {}
    for laid in acting:
        tokens[laid.seat] = tokens.get(laid.seat, 0) + 1
        if laid.seat == owner:
            defence = defence.plus(facedown(board, laid, faces, defends=True))
        else:
            before = attackers.get(laid.seat)
            if before is None:
                before = Guess(sum(part.amount for part in attack_bonuses(board, laid.seat)), 0.0)
            attackers[laid.seat] = before.plus(facedown(board, laid, faces, defends=False))
    return Front(province, owner, land, defence, attackers, tokens)


def acting_on(board: Board) -> dict[str, tuple[Laid, ...]]:
    """The tokens that act on each province that any acts on."""
    acting: dict[str, list[Laid]] = {}
    for laid in board.tokens.values():
        acting.setdefault(place(laid.place).target, []).append(laid)
    return {province: tuple(laid) for province, laid in acting.items()}
