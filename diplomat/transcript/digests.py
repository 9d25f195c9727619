"""The state's digest, written beside the events that open a part of the game.

It is mixed with the nonce of the seed: a reader who knows only its own share of a log could
otherwise find out hidden cards by trying which state has the digest.
"""

from __future__ import annotations

from typing import Any

from diplomat.core.events import Event
from diplomat.core.game import Game
from diplomat.core.plain import digest
from diplomat.core.proceedings import GameOpened
from diplomat.table.referee import Referee

NAME = "digest"
"""The key in a line's ``meta``."""


def is_marked(game: Game[Any, Any], event: Event) -> bool:
    """Whether a digest belongs to the event: it opens a chapter or a section, or it is the last one."""
    guide = game.guide
    return isinstance(event, GameOpened) or guide.opens_chapter(event) is not None or guide.section(event) is not None


def mixed(nonce: str, plain_digest: str) -> str:
    """What is written for a state: SHA-256 of the JSON list of nonce and the state's digest."""
    return digest((nonce, plain_digest))


def digest_of(referee: Referee[Any, Any], event: Event, nonce: str) -> dict[str, str]:
    """What belongs into the ``meta`` of the event that the referee has just recorded."""
    return {NAME: mixed(nonce, referee.digest())} if is_marked(referee.game, event) else {}
