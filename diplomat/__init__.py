"""Seats language models, scripted players and people at the same table of a strategy game.

``diplomat.play("rokugan", seats={"crab": "scripted:honest"}, seed=7)`` plays a whole game.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from diplomat.session import GameResult, SeatResult, Session, play, play_async, prepare

__all__ = ["GameResult", "SeatResult", "Session", "__version__", "play", "play_async", "prepare"]


def __getattr__(name: str) -> Any:
    """Loads the session only when it is used, so that ``diplomat --help`` stays quick."""
    if name in __all__:
        from diplomat import session

        return getattr(session, name)
    raise AttributeError(f"module 'diplomat' has no attribute {name!r}")


def __dir__() -> list[str]:
    """What can be used, loaded or not."""
    return sorted({*globals(), *__all__})
