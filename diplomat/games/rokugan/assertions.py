"""What the gossip of scripted daimyo asserts about others, by the very phrases that they speak."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from diplomat.core.audience import Seat
from diplomat.core.texts import LANGUAGES
from diplomat.games.rokugan.bots.speech import phrases
from diplomat.games.rokugan.content import clans

_PLACE = re.compile(r"\{([a-z]+)(?:_[a-z]+)?\}")
_PROPOSITIONS: Mapping[str, tuple[str, tuple[str, str]]] = {
    "gossip_offer": ("asked", ("third", "you")),
    "gossip_pact": ("bound", ("third", "fourth")),
    "gossip_broken": ("broke", ("third", "me")),
}
"""What each act of gossip asserts, and of whom."""


@dataclass(frozen=True, slots=True)
class Assertion:
    """A proposition about two seats, and where the words stand."""

    proposition: str
    about: tuple[str, ...]
    start: int
    end: int


@cache
def _forms() -> Mapping[str, str]:
    """Clans by every form of their names."""
    return {form: clan.id for clan in clans().values() for form in clan.texts.values()}


@cache
def _patterns() -> tuple[tuple[str, str, re.Pattern[str]], ...]:
    """Every phrase of gossip: its act, its longest piece, and a pattern whose groups are the seats that it names."""
    names = "|".join(sorted(map(re.escape, _forms()), key=len, reverse=True))
    found = []
    for lang in LANGUAGES:
        for act in _PROPOSITIONS:
            for phrase in (one for listed in phrases(lang).get(act, {}).values() for one in listed):
                seen: set[str] = set()
                parts = _PLACE.split(phrase)
                made = [re.escape(parts[0])]
                for place, rest in zip(parts[1::2], parts[2::2], strict=True):
                    made.append(f"(?:{names})" if place in seen else f"(?P<{place}>{names})")
                    made.append(re.escape(rest))
                    seen.add(place)
                found.append((act, max(parts[::2], key=len), re.compile("".join(made))))
    return tuple(found)


def assertions(text: str, speaker: Seat, hearers: tuple[Seat, ...], roles: Mapping[Seat, str]) -> tuple[Assertion, ...]:
    """What a text asserts about two seats; empty for everything but the known phrases said to one hearer."""
    if len(hearers) != 1:
        return ()
    seats = {clan: seat for seat, clan in roles.items()}
    for act, piece, pattern in _patterns():
        match = pattern.search(text) if piece in text else None
        if match is None:
            continue
        proposition, places = _PROPOSITIONS[act]
        known: dict[str, Seat | None] = {"me": speaker, "you": hearers[0]}
        known |= {place: seats.get(_forms()[name]) for place, name in match.groupdict().items() if place != "you"}
        about = tuple(seat for seat in map(known.get, places) if seat is not None)
        return (Assertion(proposition, about, match.start(), match.end()),) if len(about) == len(places) else ()
    return ()
