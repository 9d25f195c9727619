"""What a player hands over, checked before anything of it reaches the log.

A player is any program: it may give back lists where texts belong, numbers that JSON does not
have, half a surrogate pair, or an object that it goes on changing.  What is kept is a fresh,
well-typed copy that can be written down.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

from diplomat.core.game import Reply
from diplomat.core.plain import canonical
from diplomat.core.talk import Message, clean
from diplomat.table.surplus import MOST_MESSAGES, MOST_PLEDGES, Cut, cut, whole

DEEPEST = 40
"""Levels of lists and objects in a reply; menus need a handful."""
LONGEST_REASON = 300
MUTE = "it failed, and does not say why"
"""For an exception that cannot be put into words."""

T = TypeVar("T")


class ReplyError(ValueError):
    """What a player gave back is no reply; the text says why."""


@cache
def _adapter() -> TypeAdapter[Reply]:
    return TypeAdapter(Reply)


def fresh(reply: object) -> Reply:
    """A well-typed copy of a reply; ReplyError says in words why there is none."""
    if not isinstance(reply, Reply):
        raise ReplyError(f"{type(reply).__name__} instead of a reply")
    if _is_simple(reply):
        return Reply(dict(reply.answer))
    reply = _bounded(reply)
    try:
        # Half of a surrogate pair cannot be written as UTF-8; it becomes a question mark.
        data = json.loads(canonical(reply).encode("utf-8", "replace"))
        if not _shallow(data, DEEPEST):
            raise ReplyError(f"a reply with more than {DEEPEST} levels")
        made = _adapter().validate_python(data)
    except ValidationError as fault:
        first = fault.errors()[0]
        raise ReplyError(f"{'.'.join(str(part) for part in first['loc'])}: {first['msg']}") from None
    except RecursionError:
        raise ReplyError(f"a reply with more than {DEEPEST} levels") from None
    except ReplyError:
        raise
    except (TypeError, ValueError) as fault:
        raise ReplyError(str(fault)) from None
    if reply.say:
        made = _counted(made, reply)
    plan = made.plan if made.plan is None else replace(made.plan, text=clean(made.plan.text))
    return replace(made, plan=plan, note=made.note if made.note is None else clean(made.note))


def _bounded(reply: Reply) -> Reply:
    """Without what is beyond every limit; the first thing too many stays, for the parley to return."""
    said: Any = reply.say
    if not isinstance(said, (list, tuple)):
        return reply
    kept = cut(said, MOST_MESSAGES)
    return replace(reply, say=_as_long_as(kept, map(_bounded_message, kept)))


def _bounded_message(message: Any) -> Any:
    pledges: Any = getattr(message, "pledges", None)
    if not isinstance(message, Message) or not isinstance(pledges, (list, tuple)):
        return message
    return replace(message, pledges=cut(pledges, MOST_PLEDGES))


def _counted(made: Reply, given: Reply) -> Reply:
    """The checked copy of a reply, with the count of what was cut off as ``given`` has it."""
    say = [
        replace(new, pledges=_as_long_as(old.pledges, new.pledges))
        for new, old in zip(made.say, given.say, strict=True)
    ]
    return replace(made, say=_as_long_as(given.say, say))


def _as_long_as(given: tuple[Any, ...], things: Iterable[T]) -> tuple[T, ...]:
    """The things, standing for as many as ``given`` does."""
    return Cut(things, whole(given)) if isinstance(given, Cut) else tuple(things)


def _is_simple(reply: Reply) -> bool:
    """Whether it is nothing but an answer of a few plain words, as most are: nothing in it can go wrong."""
    answer = reply.answer
    if type(answer) is not dict or reply.say != () or reply.plan is not None or reply.note is not None:
        return False
    return all(
        type(key) is str and type(value) is str and key.isascii() and value.isascii() for key, value in answer.items()
    )


def reason(fault: BaseException) -> str:
    """An exception as it can stand in a log: on one line and not without end.

    The exception is the player's own, so even asking for its text may fail.
    """
    try:
        text = f"{fault}" if type(fault) is ReplyError else f"{type(fault).__name__}: {fault}"
        text = " ".join(clean(text.encode("utf-8", "replace").decode()).split())
    except KeyboardInterrupt:
        raise
    except BaseException:  # noqa: BLE001 — whatever it raises, it is the player's
        return MUTE
    return text if len(text) <= LONGEST_REASON else text[: LONGEST_REASON - 1] + "…"


def _shallow(value: Any, left: int) -> bool:
    if not isinstance(value, (dict, list)):
        return True
    inner = value.values() if isinstance(value, dict) else value
    return left > 0 and all(_shallow(item, left - 1) for item in inner)
