"""What an answer that is not on the menu can have meant, by declared aliases alone.

Tried are punctuation around an option, upper and lower case, names that the game declares, and a
name followed by its id in brackets as the view writes it.  Everything else is not legal.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import Any

from diplomat.core.menus import Answer, Menu

Aliases = Mapping[str, tuple[str, ...]]
"""Folded names (see :func:`folded`) and the ids that each can stand for."""

MOST_READINGS = 8
_AROUND = " \t\r\n.,:;!?()[]{}\"'`«»“”*_"
_MARKED = re.compile(r"^(.*\S)\s*\[([^\[\]]+)\]\s*$", re.DOTALL)


def folded(name: str) -> str:
    """A name without what is trivial about it.

    >>> folded(" B) "), folded("«Хида»"), folded("hida>kaiu.")
    ('b', 'хида', 'hida>kaiu')
    """
    return name.strip(_AROUND).casefold()


def fold_aliases(names: Mapping[str, Sequence[str]]) -> Aliases:
    """A game's declared names, ready for looking up."""
    found: dict[str, tuple[str, ...]] = {}
    for name, idents in names.items():
        key = folded(name)
        found[key] = tuple(dict.fromkeys((*found.get(key, ()), *idents)))
    return found


class Names:
    """Folds a game's declared names again and again; those that are the same as before cost no work."""

    def __init__(self) -> None:
        self._first: Mapping[str, tuple[str, ...]] | None = None
        self._folded: Aliases = {}

    def fold(self, names: Mapping[str, tuple[str, ...]]) -> Aliases:
        """The names of this moment, ready for looking up."""
        first = self._first
        if first is None or not first.keys() <= names.keys():
            self._first, self._folded = names, fold_aliases(names)
            return self._folded
        fresh = fold_aliases(dict(sorted(names.items() - first.items())))
        joint = {key: tuple(dict.fromkeys((*self._folded.get(key, ()), *idents))) for key, idents in fresh.items()}
        return {**self._folded, **joint}


def options(given: str, among: Sequence[str], aliases: Aliases) -> tuple[str, ...]:
    """The options that a text can stand for: itself if it is one, else all readings."""
    if given in among:
        return (given,)
    marked = _MARKED.match(given)
    if marked is not None:
        inside = options(marked[2], among, {})
        outside = _named(marked[1], among, aliases)
        return tuple(dict.fromkeys((*inside, *outside)))
    return _named(given, among, aliases)


def _named(given: str, among: Sequence[str], aliases: Aliases) -> tuple[str, ...]:
    key = folded(given)
    same = [option for option in among if folded(option) == key] if key else []
    return tuple(dict.fromkeys((*same, *(ident for ident in aliases.get(key, ()) if ident in among))))


def legal_readings(
    answer: Answer, menu: Menu, schema: Mapping[str, Any], aliases: Callable[[], Aliases]
) -> list[Answer]:
    """The answer itself if it is legal, else every legal answer that it can be read as."""
    answer = without_blanks(answer)
    if menu.problem(answer) is None:
        return [answer]
    found: list[Answer] = []
    for reading in _readings(answer, schema, aliases()):
        if reading not in found and menu.problem(reading) is None:
            found.append(reading)
    return found


def without_blanks(answer: Answer) -> Answer:
    """An answer without fields that say nothing: null stands for left out, and no option is an empty text."""
    if not isinstance(answer, dict):
        return answer
    return {key: value for key, value in answer.items() if value is not None and value != ""}


def _readings(value: Any, schema: Mapping[str, Any], aliases: Aliases) -> list[Any]:
    if "anyOf" in schema:
        return [reading for part in schema["anyOf"] for reading in _readings(value, part, aliases)][: 4 * MOST_READINGS]
    if isinstance(value, str):
        among = [schema["const"]] if "const" in schema else schema.get("enum", ())
        return list(options(value, among, aliases)[:MOST_READINGS])
    if isinstance(value, list) and len(value) <= MOST_READINGS * 4:
        each = [_readings(item, schema.get("items", {}), aliases) or [item] for item in value]
        return _combined(each)
    if isinstance(value, dict):
        fields = schema.get("properties", {})
        if any(key not in fields for key in value):
            return []
        each = [_readings(item, fields[key], aliases) or [item] for key, item in value.items()]
        return [dict(zip(value, chosen, strict=True)) for chosen in _combined(each)]
    return [value]


def _combined(each: Sequence[Sequence[Any]]) -> list[Any]:
    """All ways to choose one of each, as lists, as long as there are few."""
    count = 1
    for choices in each:
        count *= len(choices)
    return [list(chosen) for chosen in product(*each)] if count <= MOST_READINGS else []
