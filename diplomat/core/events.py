"""What an event is: a frozen fact in the past tense that says who may learn of it."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from functools import cache

from diplomat.core.audience import Audience


class Event(ABC):
    """Base of all events; subclasses are frozen slotted dataclasses named in the past tense.

    An event is all or nothing for each seat: partial sight means two events
    (``TokensDrawn`` for the owner, ``HandGrew`` for all).
    """

    __slots__ = ()

    @abstractmethod
    def audience(self) -> Audience:
        """Who may learn of it.  There is no default on purpose."""


@cache
def kind_of(event_class: type[Event]) -> str:
    """The name of an event class in transcripts: ``TokenLaid`` is ``token_laid``."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", event_class.__name__).lower()
