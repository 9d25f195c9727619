"""Menus: sums and products of choices that say what a legal answer is.

A menu never needs to list all answers: it judges one (``problem``), draws one (``sample``) and
describes all of them as JSON schema (``schema``).  Answers are plain JSON values.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias, runtime_checkable

from diplomat.core.dice import Die

Answer: TypeAlias = Any
"""A plain JSON value: null, boolean, number, string, list or object."""

_NOTHING: Mapping[str, str] = {}


@dataclass(frozen=True, slots=True)
class Problem:
    """Why something was refused: a code of the text catalogue and the facts it needs.

    ``code`` is looked up in the game's and the package's texts in the reader's language.
    """

    code: str
    facts: Mapping[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        from diplomat.core.texts import core_texts

        return core_texts("en").say(f"problem.{self.code}", **self.facts)


@runtime_checkable
class Menu(Protocol):
    """What a seat may answer."""

    def problem(self, answer: Answer) -> Problem | None:
        """Why the answer is not legal, or None when it is."""

    def sample(self, die: Die) -> Answer:
        """A legal answer, drawn with the die."""

    def schema(self) -> dict[str, Any]:
        """JSON schema of the legal answers."""

    def single(self) -> tuple[Answer] | None:
        """The only legal answer in a 1-tuple, or None when there are several."""


@dataclass(frozen=True, slots=True)
class Nothing:
    """Only an empty object is legal: the question is a chance to talk."""

    def problem(self, answer: Answer) -> Problem | None:
        """See :class:`Menu`."""
        return None if answer in ({}, None) else Problem("not_empty", {"answer": _shown(answer)})

    def sample(self, die: Die) -> Answer:
        """See :class:`Menu`."""
        return {}

    def schema(self) -> dict[str, Any]:
        """See :class:`Menu`."""
        return {"type": "object", "properties": {}, "additionalProperties": False}

    def single(self) -> tuple[Answer] | None:
        """See :class:`Menu`."""
        return ({},)


@dataclass(frozen=True, slots=True)
class Choice:
    """Exactly one of the options, which are strings."""

    options: Sequence[str]
    refusals: Mapping[str, Problem] = field(default_factory=dict)
    """Known answers that are not legal now, with the reason."""

    def problem(self, answer: Answer) -> Problem | None:
        """See :class:`Menu`."""
        if not isinstance(answer, str):
            return Problem("not_text", {"answer": _shown(answer)})
        if answer in self.options:
            return None
        return self.refusals.get(answer) or Problem(
            "not_an_option", {"answer": _shown(answer), "near": _near(answer, self.options)}
        )

    def sample(self, die: Die) -> Answer:
        """See :class:`Menu`."""
        return die.pick(self.options)

    def schema(self) -> dict[str, Any]:
        """See :class:`Menu`."""
        return {"type": "string", "enum": list(self.options)}

    def single(self) -> tuple[Answer] | None:
        """See :class:`Menu`."""
        return (self.options[0],) if len(self.options) == 1 else None


@dataclass(frozen=True, slots=True)
class Several:
    """A list of different options, at least ``least`` and at most ``most`` of them."""

    options: Sequence[str]
    least: int = 0
    most: int | None = None

    def problem(self, answer: Answer) -> Problem | None:
        """See :class:`Menu`."""
        if not isinstance(answer, list):
            return Problem("not_a_list", {"answer": _shown(answer)})
        for entry in answer:
            if not isinstance(entry, str):
                return Problem("not_text", {"answer": _shown(entry)})
            if entry not in self.options:
                return Problem("not_an_option", {"answer": _shown(entry), "near": _near(entry, self.options)})
        if len(set(answer)) != len(answer):
            return Problem("named_twice", {"answer": _shown(answer)})
        if not self.least <= len(answer) <= self._most():
            counts = {"least": str(self.least), "most": str(self._most()), "count": str(len(answer))}
            return Problem("wrong_count", counts)
        return None

    def _most(self) -> int:
        return len(self.options) if self.most is None else min(self.most, len(self.options))

    def sample(self, die: Die) -> Answer:
        """See :class:`Menu`."""
        count = self.least + die.below(self._most() - self.least + 1)
        return list(die.shuffled(self.options)[:count])

    def schema(self) -> dict[str, Any]:
        """See :class:`Menu`."""
        items = {"type": "string", "enum": list(self.options)} if self.options else {"type": "string"}
        return {
            "type": "array",
            "items": items,
            "uniqueItems": True,
            "minItems": self.least,
            "maxItems": self._most(),
        }

    def single(self) -> tuple[Answer] | None:
        """See :class:`Menu`."""
        if self._most() == 0:
            return ([],)
        return (list(self.options),) if self.least == len(self.options) == 1 else None


@dataclass(frozen=True, slots=True)
class Form:
    """An object with named fields, each with a menu of its own; ``optional`` ones may be left out."""

    fields: Mapping[str, Menu]
    optional: frozenset[str] = frozenset()

    def problem(self, answer: Answer, known: Mapping[str, str] = _NOTHING) -> Problem | None:
        """See :class:`Menu`; ``known`` names keys that an enclosing menu has already judged."""
        if not isinstance(answer, dict):
            return Problem("not_an_object", {"answer": _shown(answer)})
        for key in answer:
            if key not in self.fields and key not in known:
                return Problem("unknown_field", {"field": _shown(key), "fields": ", ".join([*known, *self.fields])})
        for key, menu in self.fields.items():
            if key not in answer:
                if key in self.optional:
                    continue
                return Problem("missing_field", {"field": key})
            if (found := menu.problem(answer[key])) is not None:
                return found
        return None

    def sample(self, die: Die) -> Answer:
        """See :class:`Menu`."""
        return {
            key: menu.sample(die) for key, menu in self.fields.items() if key not in self.optional or die.chance(0.5)
        }

    def schema(self) -> dict[str, Any]:
        """See :class:`Menu`."""
        return {
            "type": "object",
            "properties": {key: menu.schema() for key, menu in self.fields.items()},
            "required": [key for key in self.fields if key not in self.optional],
            "additionalProperties": False,
        }

    def single(self) -> tuple[Answer] | None:
        """See :class:`Menu`."""
        if self.optional:
            return None
        chosen: dict[str, Answer] = {}
        for key, menu in self.fields.items():
            only = menu.single()
            if only is None:
                return None
            chosen[key] = only[0]
        return (chosen,)


@dataclass(frozen=True, slots=True)
class Branch:
    """An object whose field ``key`` decides what the other fields are."""

    key: str
    variants: Mapping[str, Form | Branch]
    refusals: Mapping[str, Problem] = field(default_factory=dict)

    def problem(self, answer: Answer, known: Mapping[str, str] = _NOTHING) -> Problem | None:
        """See :class:`Menu`; ``known`` names keys that an enclosing branch has already judged."""
        if not isinstance(answer, dict):
            return Problem("not_an_object", {"answer": _shown(answer)})
        if self.key not in answer:
            return Problem("missing_field", {"field": self.key})
        chosen = answer[self.key]
        if not isinstance(chosen, str):
            return Problem("not_text", {"answer": _shown(chosen)})
        if chosen not in self.variants:
            return self.refusals.get(chosen) or Problem(
                "not_an_option", {"answer": _shown(chosen), "near": _near(chosen, list(self.variants))}
            )
        return self.variants[chosen].problem(answer, {**known, self.key: chosen})

    def sample(self, die: Die) -> Answer:
        """See :class:`Menu`."""
        chosen = die.pick(list(self.variants))
        return {self.key: chosen, **self.variants[chosen].sample(die)}

    def schema(self) -> dict[str, Any]:
        """See :class:`Menu`."""
        return {"anyOf": [self._joined(name, menu.schema()) for name, menu in self.variants.items()]}

    def _joined(self, name: str, rest: dict[str, Any]) -> dict[str, Any]:
        if "anyOf" in rest:
            return {"anyOf": [self._joined(name, part) for part in rest["anyOf"]]}
        return {
            **rest,
            "properties": {self.key: {"const": name}, **rest["properties"]},
            "required": [self.key, *rest["required"]],
        }

    def single(self) -> tuple[Answer] | None:
        """See :class:`Menu`."""
        if len(self.variants) != 1:
            return None
        ((name, menu),) = self.variants.items()
        only = menu.single()
        return None if only is None else ({self.key: name, **only[0]},)


def _shown(value: object) -> str:
    """A value as it can stand in a message: short and on one line."""
    text = value if isinstance(value, str) else repr(value)
    text = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return text if len(text) <= 60 else text[:57] + "…"


def _near(name: str, options: Sequence[str]) -> str:
    close = difflib.get_close_matches(name, options, n=4, cutoff=0.3)
    shown = close or list(options[:8])
    return ", ".join(shown) + (" …" if len(options) > len(shown) else "")
