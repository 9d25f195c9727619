"""From whom a study takes promises: people, declared pledges, a model, rules; each message from one of them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Literal

from diplomat.core.errors import UnknownName, UsageError
from diplomat.study.annotate.rows import Annotation
from diplomat.study.extract_codings import Codings
from diplomat.study.extract_declared import Declared
from diplomat.study.extract_rules import Rules
from diplomat.study.sources import Source
from diplomat.study.vocabulary import Reading, Vocabulary

Giver = Literal["people", "declared", "model", "rule"]
GIVERS: tuple[Giver, ...] = ("people", "declared", "model", "rule")
"""In the order in which they are asked: who has something to say about a message speaks for it alone."""
USUAL: tuple[Giver, ...] = ("declared", "rule")
CODING: tuple[Giver, ...] = ("people", "model")
"""Those that annotation files hold."""
Coded = Mapping[str, Annotation]
"""One coding per message of one game, by the message's id."""


def givers(text: str) -> tuple[Giver, ...]:
    """The sources of a list with commas.

    UnknownName for one that there is not, UsageError for none.

    >>> givers("rule, people")
    ('people', 'rule')
    """
    names = [name.strip() for name in text.split(",") if name.strip()]
    for name in names:
        if not any(name == one for one in GIVERS):
            raise UnknownName("source", name, GIVERS, where="--sources")
    if not names:
        raise UsageError(f"--sources names where promises are taken from: {', '.join(GIVERS)}, with commas between")
    return tuple(one for one in GIVERS if one in names)


def sources_of(
    vocabulary: Vocabulary | None, asked: Collection[Giver], people: Coded, model: Coded
) -> tuple[Source, ...]:
    """The sources of one game, so that no message is read twice; those without anything there are left out."""
    declared = "declared" in asked
    by_people = frozenset(people) if "people" in asked else frozenset[str]()
    by_codings = by_people | (frozenset(model) if "model" in asked else frozenset[str]())
    found: list[Source] = []
    if "people" in asked:
        found += _by_coder(people)
    if declared:
        found.append(Declared(by_people))
    if "model" in asked:
        found += _by_coder(model, by_people, declaring=not declared)
    if "rule" in asked:
        found += [Rules(vocabulary, not declared, but=by_codings)] if isinstance(vocabulary, Reading) else []
    return tuple(found)


def resting_on(vocabulary: Vocabulary | None, asked: Sequence[Giver], people: Coded, model: Coded) -> Iterator[Giver]:
    """Those of the sources that can say anything in one game."""
    there = {"people": bool(people), "declared": True, "model": bool(model), "rule": isinstance(vocabulary, Reading)}
    return (one for one in asked if there[one])


def _by_coder(codings: Coded, but: frozenset[str] = frozenset(), *, declaring: bool = True) -> Iterator[Codings]:
    for coder in sorted({source_of(row) for row in codings.values()}):
        own = {message: row for message, row in codings.items() if source_of(row) == coder}
        yield Codings(coder, own, but, declaring)


def source_of(row: Annotation) -> str:
    """The source that a coding gives every row of the ledger."""
    return row.coder if row.by == "llm" else f"human:{row.coder}"
