"""What an event is: a frozen fact in the past tense that says who may learn of it."""

from __future__ import annotations

import re
from functools import cache

from diplomat.core.audience import Audience


class Event:
    """Base of all events; subclasses are frozen slotted dataclasses named in the past tense.

    An event is all or nothing for each seat: partial sight means two events
    (``TokensDrawn`` for the owner, ``HandGrew`` for all).  Events are told apart many times over, so
    this is no abstract class, whose ``isinstance`` is slow; a subclass is looked at when it is made.
    """

    __slots__ = ()

    def __init_subclass__(cls) -> None:
        """TypeError for an event that does not say who may learn of it."""
        super().__init_subclass__()
        if cls.audience is Event.audience:
            raise TypeError(f"{cls.__name__} must say who may learn of it: it has no audience()")

    def audience(self) -> Audience:
        """Who may learn of it.  There is no default on purpose."""
        raise TypeError("an event of no kind has no audience")


def kind_of(event_class: type[Event]) -> str:
    """The name of an event class in transcripts: ``TokenLaid`` is ``token_laid``."""
    return _kind(event_class.__name__)


@cache
def _kind(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()
