"""Names and templates of one language: what every sentence about Rokugan is made from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache

from diplomat.core.audience import Seat
from diplomat.core.menus import Problem
from diplomat.core.texts import Texts, core_texts, load_texts
from diplomat.games.rokugan.atlas import atlas
from diplomat.games.rokugan.board import Board
from diplomat.games.rokugan.content import cards, clans, objectives, tokens
from diplomat.games.rokugan.places import SEA, place

CASES = ("gen", "dat", "acc", "ins", "pre")
"""Grammatical cases besides the nominative; a place ``{seat_gen}`` asks for one.  English has none."""


def plural(number: int, lang: str) -> int:
    """Which of a noun's forms goes with a number.

    >>> [plural(n, "ru") for n in (1, 2, 5, 11, 12, 21, 24)], [plural(n, "en") for n in (1, 0, 2)]
    ([0, 1, 2, 2, 2, 0, 1], [0, 1, 1])
    """
    if lang != "ru":
        return int(number != 1)
    if number % 10 == 1 and number % 100 != 11:
        return 0
    return 1 if number % 10 in (2, 3, 4) and number % 100 not in (12, 13, 14) else 2


def declined(key: str, name: str, lang: str) -> dict[str, str]:
    """A shown clan name in all cases, as places of a template; a name that is no clan's stays as it is.

    >>> declined("by", "Лев", "ru")["by_gen"], declined("by", "s1", "ru")["by_gen"]
    ('Льва', 's1')
    """
    return {f"{key}{ending}": form for ending, form in _forms(name, lang)}


@cache
def _forms(name: str, lang: str) -> tuple[tuple[str, str], ...]:
    """The ending of a place and the form that it asks for, the nominative first."""
    forms = next((clan.texts for clan in clans().values() if clan.texts[lang] == name), {})
    return ("", name), *((f"_{case}", forms.get(f"{lang}_{case}", name)) for case in CASES)


@dataclass(frozen=True, slots=True)
class Words:
    """The words of one language."""

    lang: str
    texts: Texts

    def say(self, key: str, **facts: object) -> str:
        """A template of the catalogue, filled."""
        return self.texts.say(key, **facts)

    def province(self, name: str) -> str:
        """A province's name."""
        shown: str = getattr(atlas().provinces[name], self.lang)
        return shown

    def territory(self, name: str) -> str:
        """A territory's name."""
        shown: str = getattr(atlas().territories[name], self.lang)
        return shown

    def face(self, name: str) -> str:
        """A token's name as it stands inside a sentence."""
        shown = tokens()[name].texts[self.lang]
        return shown[0].lower() + shown[1:]

    def card(self, name: str) -> str:
        """The name of a kind of card."""
        return cards()[name].texts[self.lang]

    def objective(self, name: str) -> str:
        """An objective's name."""
        return objectives()[name].texts[self.lang]

    def condition(self, name: str) -> str:
        """What an objective asks for, without the full stop, inside a sentence."""
        text = objectives()[name].texts[f"text_{self.lang}"].rstrip(".")
        return text[0].lower() + text[1:]

    def count(self, noun: str, number: int) -> str:
        """A number with its noun in the right form."""
        forms = self.texts.entries[f"noun.{noun}"].split("|")
        return forms[plural(number, self.lang)].format(n=number)

    def listed(self, items: Iterable[str]) -> str:
        """Names joined by commas and, before the last, by *and*."""
        *head, last = items
        return self.say("list.and", head=", ".join(head), last=last) if head else last

    def faces(self, faces: Iterable[str]) -> str:
        """Faces with their numbers, equal ones together: ``army 3 ×2, raid``."""
        counts: dict[str, int] = {}
        for face in faces:
            counts[face] = counts.get(face, 0) + 1
        return ", ".join(self.face(face) + (f" ×{n}" if n > 1 else "") for face, n in counts.items())

    def clan(self, board: Board, seat: Seat) -> str:
        """How a seat is shown: its clan, or the seat while no clan is known."""
        clan = board.clans.get(seat)
        return seat if clan is None else clans()[clan].texts[self.lang]

    def who(self, board: Board, key: str, *seats: Seat) -> dict[str, str]:
        """Seats as places ``{key}``, ``{key_gen}`` … of a template; several are listed."""
        each = [_forms(self.clan(board, seat), self.lang) for seat in seats]
        return {f"{key}{same[0][0]}": self.listed(form for _, form in same) for same in zip(*each, strict=True)}

    def where(self, text: str, manner: str = "short") -> str:
        """A place of a token in words: ``short``, ``at`` (where it lies) or ``to`` (where it is put)."""
        spot = place(text)
        kind = "inside" if spot.inside else "coast" if spot.source == SEA else "border"
        facts = {"target": self.province(spot.target)}
        if kind == "border":
            facts["source"] = self.province(str(spot.source))
        return self.say(f"place.{manner}.{kind}", **facts)

    def why(self, problem: Problem) -> str:
        """A problem in words."""
        return self.say(f"problem.{problem.code}", **problem.facts)


@cache
def words(lang: str) -> Words:
    """The words of a language: the shared catalogue joined with the game's."""
    return Words(lang, core_texts(lang).joined(load_texts("diplomat.games.rokugan", "texts", lang)))


def seat_names(board: Board, lang: str) -> Mapping[str, str]:
    """How every seat is shown."""
    return {str(seat): words(lang).clan(board, seat) for seat in board.seats}
