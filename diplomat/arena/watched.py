"""Steps of the harness put aside for a while, so that a benchmark can watch them go by."""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType
from typing import Any, Self


class Watched:
    """Puts every step back where it was when it is left; for one benchmark at a time."""

    def __init__(self) -> None:
        self._kept: list[tuple[type[Any], str, Any]] = []

    def __enter__(self) -> Self:
        self._watch()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        for owner, name, kept in reversed(self._kept):
            setattr(owner, name, kept)
        self._kept.clear()

    def _watch(self) -> None:
        """Puts the steps that are to be watched, with :meth:`_put`."""

    def _put(self, owner: type[Any], name: str, new: Callable[..., Any]) -> None:
        self._kept.append((owner, name, getattr(owner, name)))
        setattr(owner, name, new)
