"""How a scripted daimyo puts a thing into words: phrases by act and tone, names in cases, spans of rounds.

What to say is decided elsewhere.  The phrases are data (``phrases.en.toml``, ``phrases.ru.toml``): a table per
act, with lists under ``default`` and under tones of voice.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Mapping
from functools import cache
from importlib.resources import files

from diplomat.core.dice import Die
from diplomat.core.texts import load_texts
from diplomat.games.rokugan.content import ROUNDS, clans
from diplomat.games.rokugan.wording import declined, words

TONES = ("plain", "warm", "sly", "blunt", "grim", "chatty", "courtly")
DEFAULT = "default"
OWN_WEIGHT = 6
"""How many times likelier a tone's own phrase is than one that every tone shares."""

PERSONS = frozenset({"me", "you", "third", "fourth"})
PROVINCES = frozenset({"province", "mine", "theirs", "home"})

_PLACE = re.compile(r"\{([a-z_]+)\}")


@cache
def phrases(lang: str) -> Mapping[str, Mapping[str, tuple[str, ...]]]:
    """All phrases of a language: by act, then by tone (or ``default``)."""
    source = files("diplomat.games.rokugan.bots").joinpath(f"phrases.{lang}.toml").read_text(encoding="utf-8")
    return {
        act: {tone: tuple(map(str, listed)) for tone, listed in table.items()}
        for act, table in tomllib.loads(source).items()
    }


@cache
def places(phrase: str) -> frozenset[str]:
    """The facts that a phrase names.

    >>> sorted(places("{you}, leave {province} be."))
    ['province', 'you']
    """
    return frozenset(_PLACE.findall(phrase))


class Speech:
    """The voice of one daimyo: a language and a tone.  A tone without phrases of its own speaks the shared ones."""

    def __init__(self, lang: str, tone: str) -> None:
        self.lang = lang
        self.tone = tone

    def say(self, act: str, die: Die, facts: Mapping[str, str], avoid: Collection[str] = ()) -> str:
        """One way to say it; only phrases whose places the facts fill are eligible.

        A phrase that stands in ``avoid``, whatever it was filled with, is said again only when all have
        been said as often.  An unknown act, and facts that
        fill no phrase of the act, are mistakes of the caller: KeyError.
        """
        table = phrases(self.lang)[act]
        own = () if self.tone == DEFAULT else table.get(self.tone, ())
        pool = [phrase for phrase in (*table.get(DEFAULT, ()), *own * OWN_WEIGHT) if places(phrase) <= facts.keys()]
        if not pool:
            raise KeyError(f"{act}: no {self.lang} phrase is filled by {', '.join(sorted(facts)) or 'no facts'}")
        said = {phrase: sum(_shape(phrase).fullmatch(text) is not None for text in avoid) for phrase in set(pool)}
        fewest = min(said.values())
        return die.pick([phrase for phrase in pool if said[phrase] == fewest]).format_map(facts)


@cache
def _shape(phrase: str) -> re.Pattern[str]:
    """What a phrase looks like whatever facts fill it."""
    return re.compile(".+?".join(re.escape(part) for part in _PLACE.split(phrase)[::2]), re.DOTALL)


def naming(lang: str, **things: str) -> dict[str, str]:
    """Ids as the facts of a phrase: persons (clan ids) in all cases, provinces and the territory by shown name.

    Any other key is passed through.

    >>> naming("ru", third="lion", mine="hida", rounds="в этом раунде")["third_dat"]
    'Льву'
    >>> naming("en", mine="hida", territory="islands", honor="9")
    {'mine': 'Hida', 'territory': 'Islands of Spice and Silk', 'honor': '9'}
    """
    facts: dict[str, str] = {}
    for key, value in things.items():
        if key in PERSONS:
            clan = clans().get(value)
            facts |= declined(key, value if clan is None else clan.texts[lang], lang)
        elif key in PROVINCES:
            facts[key] = words(lang).province(value)
        elif key == "territory":
            facts[key] = words(lang).territory(value)
        else:
            facts[key] = value
    return facts


def span(lang: str, now: int, first: int, last: int) -> str:
    """Rounds ``first`` to ``last`` as an adverb, seen from round ``now``; what already began counts from now.

    >>> span("en", 2, 2, 3), span("en", 2, 1, 4), span("en", 2, 2, 5), span("ru", 2, 3, 3)
    ('this round and the next', 'until the end of round 4', 'to the end of the game', 'в следующем раунде')
    """
    first = max(first, now) if last >= now else first
    texts = load_texts("diplomat.games.rokugan.bots", "spans", lang)
    return texts.say(_span_key(now, first, last), first=first, last=last)


def _span_key(now: int, first: int, last: int) -> str:
    rounds = last - first + 1
    if rounds == 1:
        return {now: "this", now + 1: "next"}.get(first, "one")
    if rounds == 2:
        return "this_and_next" if first == now else "two"
    if last == ROUNDS:
        return "to_end" if first == now else "from_to_end"
    return "until" if first == now else "from_until"
