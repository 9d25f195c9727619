"""What matters most to a seat in a few lines, for readers that cannot take in the whole view."""

from __future__ import annotations

from collections.abc import Iterator

from diplomat.core.audience import Seat
from diplomat.games.rokugan import text
from diplomat.games.rokugan.atlas import atlas
from diplomat.games.rokugan.battle import defence_total
from diplomat.games.rokugan.board import Board
from diplomat.games.rokugan.boardlines import standings
from diplomat.games.rokugan.knowledge import Known
from diplomat.games.rokugan.places import place
from diplomat.games.rokugan.wording import Words, words


def brief(known: Known, lang: str) -> str:
    """The round, the standings, own land with what threatens it, and the hand."""
    w, board = words(lang), known.board
    lines = list(text._head(w, known))[:1]
    counted = [f"{w.clan(board, seat)} ({seat}) {honor}" for seat, honor in standings(board)]
    if counted:
        lines.append(w.say("brief.standings", seats=", ".join(counted)))
    if known.seat is not None:
        lines.extend(_land(w, board, known.seat))
        lines.extend(text._own(w, known, known.seat))
    return "\n".join(lines)


def _land(w: Words, board: Board, seat: Seat) -> Iterator[str]:
    """Own provinces with their defence, and the tokens of others that are aimed at them."""
    owned = board.owned(seat)
    if owned:
        shown = (f"{text.marked(w.province(name), name)} {_defence(board, name)}" for name in owned)
        yield w.say("brief.land", provinces=", ".join(shown))
    near = dict.fromkeys(
        other for name in owned for other in atlas().provinces[name].neighbours if board.owner(other) != seat
    )
    if near:
        shown = (f"{name} {_defence(board, name)} ({_holder(w, board, name)})" for name in near)
        yield w.say("brief.near", provinces=", ".join(shown))
    aimed = [laid for laid in board.tokens.values() if laid.seat != seat and place(laid.place).target in owned]
    if aimed:
        shown = (f"{laid.id} {w.clan(board, laid.seat)} [{laid.place}]" for laid in aimed)
        yield w.say("brief.aimed", tokens=", ".join(shown))


def _defence(board: Board, province: str) -> str:
    return "×" if board.closed(province) else str(defence_total(board, province).amount)


def _holder(w: Words, board: Board, province: str) -> str:
    owner = board.owner(province)
    return w.say("text.nobody") if owner is None else w.clan(board, owner)
