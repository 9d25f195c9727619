"""Requests: everything that needs an answer from a seat."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from diplomat.core.audience import Seat
from diplomat.core.menus import Answer, Menu

RequestKind = Literal["act", "react", "vote", "talk"]


@dataclass(frozen=True, slots=True)
class Request:
    """One open question to one seat.

    The rules say *that* a seat is asked; what it may answer is worked out by the seat's side of
    the game from what that seat knows (see :class:`Question`), so no secret of another seat can
    reach a menu, a default or a refusal.
    """

    id: str
    """Unique within the game and quoted by every answer, so a late one is recognised as stale."""
    seat: Seat
    kind: RequestKind
    form: str
    """The game's own name for what is asked: ``place``, ``prepare``, ``talk`` …"""


@dataclass(frozen=True, slots=True)
class Question:
    """A request with its menu of legal answers and the answer that is taken when none comes."""

    request: Request
    menu: Menu
    default: Answer
