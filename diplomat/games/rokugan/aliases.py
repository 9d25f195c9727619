"""Shown names that may stand for ids in answers: declared, so that nothing has to be guessed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

from diplomat.games.rokugan.atlas import atlas
from diplomat.games.rokugan.content import tokens
from diplomat.games.rokugan.knowledge import Known
from diplomat.games.rokugan.places import SEA
from diplomat.games.rokugan.wording import words

ARROWS = (" → ", " -> ", "->", "→", " > ")
"""What stands between the two sides of a border in the view, and how it is commonly typed."""


def aliases(known: Known, lang: str) -> Mapping[str, tuple[str, ...]]:
    """Names of provinces, territories, tokens and places in that language, and own tokens by where they lie."""
    lying: dict[str, tuple[str, ...]] = {}
    for laid in known.board.tokens.values():
        if laid.seat == known.seat:
            lying[laid.place] = (*lying.get(laid.place, ()), laid.id)
    return {**_names(lang), **lying}


@cache
def _names(lang: str) -> Mapping[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for name, ident in _pairs(lang):
        if name != ident and ident not in found.get(name, ()):
            found[name] = (*found.get(name, ()), ident)
    return found


def _pairs(lang: str) -> Iterator[tuple[str, str]]:
    for token in tokens().values():
        yield token.texts[lang], token.id
    for territory in atlas().territories.values():
        yield getattr(territory, lang), territory.id
    for land in atlas().provinces.values():
        yield getattr(land, lang), land.id
        for arrow in ARROWS:
            for other in land.neighbours:
                yield f"{other}{arrow}{land.id}", f"{other}>{land.id}"
                yield f"{_shown(other, lang)}{arrow}{_shown(land.id, lang)}", f"{other}>{land.id}"
            if land.coastal:
                yield f"{SEA}{arrow}{land.id}", f"{SEA}>{land.id}"
                yield f"{_sea(lang)}{arrow}{_shown(land.id, lang)}", f"{SEA}>{land.id}"


def _shown(province: str, lang: str) -> str:
    return words(lang).province(province)


def _sea(lang: str) -> str:
    """The word for the sea as the list of tokens has it."""
    return words(lang).texts.entries["place.short.coast"].split(" ", 1)[0]
