"""Values that are replaced, never changed: quicker than ``dataclasses.replace`` for large states.

``changed`` and ``amend`` are for frozen dataclasses without slots and without lazy fields (which
would be copied too).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Generic, TypeAlias, TypeVar

T = TypeVar("T")
Changes: TypeAlias = Mapping[str, Any]
"""New values of some fields."""

UNCHANGED: Changes = {}


def changed(value: T, changes: Changes = UNCHANGED) -> T:
    """A copy of a value with some fields replaced."""
    copy: T = object.__new__(type(value))
    fields = copy.__dict__
    fields.update(value.__dict__)
    fields.update(changes)
    return copy


def amend(draft: object, changes: Changes) -> None:
    """Replaces fields of a copy that nobody else has seen yet; for runs of many small changes."""
    draft.__dict__.update(changes)


class Lazy(Generic[T]):
    """A field worked out when it is first asked for, then kept: ``cached_property`` without its lock.

    Python 3.11 takes a lock at every first access, which costs more than most of what is worked out here.
    """

    def __init__(self, work: Callable[[Any], T]) -> None:
        self._work = work
        self.__doc__ = work.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, instance: object, owner: type | None = None) -> T:
        found = self._work(instance)
        instance.__dict__[self._name] = found
        return found
