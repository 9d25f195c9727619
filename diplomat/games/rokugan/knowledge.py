"""What one seat knows of a game of Rokugan: a fold over the events it may see (house H7)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from diplomat.core.audience import Seat
from diplomat.core.events import Event
from diplomat.core.proceedings import MessageSent
from diplomat.core.value import Changes, amend, changed
from diplomat.games.rokugan import board as public
from diplomat.games.rokugan import events as ev
from diplomat.games.rokugan.board import Board
from diplomat.games.rokugan.content import BLUFF
from diplomat.games.rokugan.settings import Settings


@dataclass(frozen=True)
class Known:
    """What a seat knows; ``seat=None`` is a watcher, who knows the board and public talk."""

    seat: Seat | None
    board: Board
    settings: Settings
    hand: tuple[str, ...] = ()
    """Own tokens in hand, sorted."""
    faces: Mapping[str, str] = field(default_factory=dict)
    """Faces of tokens on the map: own ones, and what Scorpion saw."""
    objective: str | None = None
    prepared: ev.PreparationSealed | None = None
    talk: tuple[MessageSent, ...] = ()
    """Messages sent or received, in order."""


def _objective(known: Known, event: ev.ObjectiveDealt) -> Changes:
    return {"objective": event.objective}


def _drawn(known: Known, event: ev.TokensDrawn) -> Changes:
    return {"hand": tuple(sorted((*known.hand, *event.faces)))}


def _prepared(known: Known, event: ev.PreparationSealed) -> Changes:
    return {"prepared": event}


def _began(known: Known, event: ev.PlacementBegan) -> Changes:
    return {"prepared": None}


def _without(hand: tuple[str, ...], face: str) -> tuple[str, ...]:
    at = hand.index(face)
    return hand[:at] + hand[at + 1 :]


def _exchanged(known: Known, event: ev.TokenExchanged) -> Changes:
    return {"hand": tuple(sorted((*_without(known.hand, event.returned), event.drawn)))}


def _chosen(known: Known, event: ev.TokenChosen) -> Changes:
    return {"hand": _without(known.hand, event.face), "faces": {**known.faces, event.id: event.face}}


def _blessed(known: Known, event: ev.BlessingLaid) -> Changes:
    hand = _without(known.hand, event.face) if event.seat == known.seat else known.hand
    return {"hand": hand}


def _seen(known: Known, event: ev.TokenSeen) -> Changes:
    return {"faces": {**known.faces, event.id: event.face}}


def _cleared(known: Known, event: ev.MapCleared) -> Changes:
    back = sum(token.face == BLUFF and token.seat == known.seat for token in known.board.faceup)
    hand = tuple(sorted((*known.hand, *[BLUFF] * back)))
    return {"hand": hand, "faces": {}}


def _heard(known: Known, event: MessageSent) -> Changes:
    return {"talk": (*known.talk, event)}


_STEPS: Mapping[type[Event], Callable[[Known, Any], Changes]] = {
    ev.ObjectiveDealt: _objective,
    ev.TokensDrawn: _drawn,
    ev.PreparationSealed: _prepared,
    ev.PlacementBegan: _began,
    ev.TokenExchanged: _exchanged,
    ev.TokenChosen: _chosen,
    ev.BlessingLaid: _blessed,
    ev.TokenSeen: _seen,
    ev.MapCleared: _cleared,
    MessageSent: _heard,
}


def learn(known: Known, events: Iterable[Event]) -> Known:
    """What is known after more permitted events."""
    board = changed(known.board)
    known = changed(known, {"board": board})
    for event in events:
        step = _STEPS.get(type(event))
        if step is not None:
            amend(known, step(known, event))
        found = public.changes(board, event)
        if found:
            amend(board, found)
    return known
