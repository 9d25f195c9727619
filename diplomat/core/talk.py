"""Talk: messages, rooms and the window in which a seat may write.

A room is its set of members; the public room has none listed.  An unknown or unreachable
recipient is refused to the sender with the list of possible ones: a message is never widened.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass

from diplomat.core.audience import PUBLIC, Audience, Seat, only
from diplomat.core.menus import Problem
from diplomat.core.pledges import Pledge

EVERYONE = "all"


@dataclass(frozen=True, slots=True)
class Message:
    """What a seat wants to say: to ``("all",)`` or to some seats, with optional pledges."""

    to: tuple[str, ...]
    text: str
    pledges: tuple[Pledge, ...] = ()


@dataclass(frozen=True, slots=True)
class TalkWindow:
    """Whom a seat may write to now, how many messages, and how long (in code points)."""

    reach: tuple[Seat, ...]
    public: bool = True
    messages: int = 4
    length: int = 600
    note_length: int = 2000
    """Code points of a note, and of the words of a plan."""
    rounds: tuple[int, int] | None = None
    """The current and the last round, between which a promise made now must end; None: no such bound."""


CLOSED = TalkWindow(reach=(), public=False, messages=0)


def address_problem(message: Message, sender: Seat, window: TalkWindow) -> Problem | None:
    """Why a message cannot be delivered as addressed and sized, or None."""
    possible = [*([EVERYONE] if window.public else []), *window.reach]
    if not possible or window.messages == 0:
        return Problem("talk_closed")
    listed = ", ".join(possible)
    if not message.to:
        return Problem("no_recipient")
    for name in message.to:
        if name == sender:
            return Problem("to_oneself", {"near": listed})
        if name not in possible:
            close = difflib.get_close_matches(name, possible, n=1)
            near = listed if not close else f"{close[0]} ({listed})"
            return Problem("unknown_recipient", {"to": clean(name)[:40], "near": near})
    if EVERYONE in message.to and len(message.to) > 1:
        return Problem("everyone_and_some")
    if not message.text.strip():
        return Problem("empty_message")
    if len(message.text) > window.length:
        return Problem("message_too_long", {"length": str(len(message.text)), "limit": str(window.length)})
    return None


def room_audience(sender: Seat, to: Iterable[str]) -> Audience:
    """Who may learn of a message: everyone, or exactly its sender and recipients."""
    names = tuple(to)
    return PUBLIC if names == (EVERYONE,) else only(sender, names)


def message_id(sender: Seat, to: Iterable[str], ordinal: int) -> str:
    """An id that counts only the sender's messages in this very room.

    A table-wide number would tell outsiders how many private messages there are.
    """
    return f"{sender}>{'+'.join(sorted(to))}.{ordinal}"


def clean(text: str) -> str:
    r"""Text without control, escape and direction-changing characters; line breaks and tabs stay.

    >>> clean("a\x1b[31mb\u202ec")
    'a[31mbc'
    """
    return "".join(c for c in text if c in "\n\t" or not _hostile(c))


def _hostile(char: str) -> bool:
    code = ord(char)
    return (
        code < 0x20
        or 0x7F <= code <= 0x9F
        or code == 0x061C
        or 0x200E <= code <= 0x200F
        or 0x2028 <= code <= 0x202E
        or 0x2066 <= code <= 0x2069
        or 0xD800 <= code <= 0xDFFF
        or 0xE0000 <= code <= 0xE007F
        or code == 0xFEFF
    )
