"""The arithmetic of a battle in one province (house H9, H10)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from diplomat.core.audience import Seat
from diplomat.games.rokugan.atlas import atlas
from diplomat.games.rokugan.board import Board
from diplomat.games.rokugan.content import BLUFF, kind, strength
from diplomat.games.rokugan.events import BattleFought, Part, Total, TurnedUp

LION_BLUFF = 2
FORTIFICATIONS = 2


def token_strength(board: Board, token: TurnedUp) -> int:
    """A token's strength with its blessings (house H6.7) and its clan's share in them (house H10)."""
    clan = board.clans[token.seat]
    base = LION_BLUFF if token.face == BLUFF and clan == "lion" else strength(token.face)
    extra = 1 if clan == "phoenix" else 0
    return base + sum(strength(blessing) + extra for blessing in token.blessings)


def defence_bonuses(board: Board, province: str) -> Iterable[Part]:
    """What defends a province besides tokens: the land, faceup control, clan and cards (house H9.1)."""
    land = atlas().provinces[province]
    if land.defence:
        yield Part("base", land.defence)
    held = board.control.get(province)
    if held is None:
        return
    if held.faceup:
        yield Part("faceup", held.faceup)
    if board.clans[held.owner] == "crab" and crab_guards(province):
        yield Part("crab", 1)
    if cards := board.bonus(held.owner, "fortifications"):
        yield Part("fortifications", FORTIFICATIONS * cards)


def crab_guards(province: str) -> bool:
    """Whether Crab defends a province it controls with +1 (house H10, Crab)."""
    return province == atlas().capital_of["crab"] or province in atlas().near_shadow


def attack_bonuses(board: Board, seat: Seat) -> Iterable[Part]:
    """What is added once to a seat's attack on a province (house H9.2, H10, H11.1)."""
    if board.clans[seat] == "crane":
        yield Part("crane", 1)
    if cards := board.bonus(seat, "battle_cry"):
        yield Part("battle_cry", cards)


def defence_total(board: Board, province: str, tokens: Iterable[TurnedUp] = ()) -> Total:
    """The defence of a province with the given defending tokens."""
    parts = [*defence_bonuses(board, province)]
    parts += [Part(token.id, token_strength(board, token)) for token in tokens]
    return Total(board.owner(province), sum(part.amount for part in parts), tuple(parts))


def attack_total(board: Board, seat: Seat, tokens: Iterable[TurnedUp]) -> Total:
    """A seat's attack with the given tokens on one province."""
    parts = [Part(token.id, token_strength(board, token)) for token in tokens]
    parts += attack_bonuses(board, seat)
    return Total(seat, sum(part.amount for part in parts), tuple(parts))


def fight(board: Board, province: str, tokens: Sequence[TurnedUp]) -> BattleFought | None:
    """The battle that these tokens fight over a province; None when nobody attacks it (house H9.4).

    ``tokens`` are fighters (army, navy, shinobi, Lion's bluff at home) that act on the province.
    An attacker wins only strictly above the defence and every other attacker (house H9.3, H9.6).
    """
    owner = board.owner(province)
    defenders = [token for token in tokens if token.seat == owner]
    attackers = [token for token in tokens if token.seat != owner]
    if not attackers:
        return None
    sides = dict.fromkeys(token.seat for token in attackers)
    attacks = [
        attack_total(board, seat, [t for t in attackers if t.seat == seat]) for seat in board.order() if seat in sides
    ]
    defence = defence_total(board, province, defenders)
    best = max(attack.amount for attack in attacks)
    leaders = [attack.seat for attack in attacks if attack.amount == best]
    winner = leaders[0] if len(leaders) == 1 and best > defence.amount else None
    return BattleFought(province, defence, tuple(attacks), winner)


def is_fighter(board: Board, token: TurnedUp) -> bool:
    """Whether a token fights: armies, navies, shinobi; Lion's bluff in an own province (house H8.1)."""
    if kind(token.face) in ("army", "navy", "shinobi"):
        return True
    return token.face == BLUFF and board.clans[token.seat] == "lion" and board.owner(token.place) == token.seat
