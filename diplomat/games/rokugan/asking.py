"""The questions of Rokugan in words for people."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from diplomat.core.audience import Seat
from diplomat.core.requests import Request
from diplomat.games.rokugan.board import Board
from diplomat.games.rokugan.content import BLUFF, SETUP_TOKENS
from diplomat.games.rokugan.knowledge import Known
from diplomat.games.rokugan.wording import Words, words


def ask(known: Known, request: Request, lang: str) -> str:
    """What the seat is asked, and what the answer names."""
    return _FORMS[request.form](words(lang), known, request.seat)


def _settle(w: Words, known: Known, seat: Seat) -> str:
    board = known.board
    count = SETUP_TOKENS[len(board.seats)]
    return w.say("ask.settle", number=len(board.owned(seat)), count=count)


def _talk(w: Words, known: Known, _seat: Seat) -> str:
    board, last = known.board, known.board.wave + 1 >= known.board.talk_waves
    key = "ask.talk_last" if last else "ask.talk"
    return w.say(
        key,
        round=board.round,
        wave=board.wave + 1,
        waves=board.talk_waves,
        limit=w.count("message", known.settings.messages),
    )


def _prepare(w: Words, known: Known, seat: Seat) -> str:
    board = known.board
    held = [f"{w.card(board.cards[territory])} [{territory}]" for territory in board.held[seat]]
    told = w.say("ask.prepare", cards=", ".join(held)) if held else w.say("ask.prepare_no_cards")
    if _may_exchange(board, seat, known.hand):
        told += " " + w.say("ask.exchange")
    return told


def _may_exchange(board: Board, seat: Seat, hand: tuple[str, ...]) -> bool:
    """Whether Dragon's exchange is offered (house H5.2)."""
    return board.clans.get(seat) == "dragon" and board.pools[seat] > 0 and any(face != BLUFF for face in hand)


def _place(w: Words, known: Known, seat: Seat) -> str:
    board = known.board
    told = w.say("ask.place", more=w.count("token", max(1, board.hands[seat] - 1)))
    others = any(laid.seat != seat for laid in board.tokens.values())
    if board.clans.get(seat) == "scorpion" and seat not in board.looked and others:
        told += " " + w.say("ask.look")
    return told


_FORMS: Mapping[str, Callable[[Words, Known, Seat], str]] = {
    "settle": _settle,
    "talk": _talk,
    "prepare": _prepare,
    "place": _place,
}
