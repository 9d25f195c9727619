"""How seats, places and tokens are shown: letters, colours and full words in both languages."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from diplomat.core.audience import Seat
from diplomat.core.texts import LANGUAGES, Texts, load_texts
from diplomat.games.rokugan.atlas import atlas
from diplomat.games.rokugan.board import Board
from diplomat.games.rokugan.content import cards, clans, objectives, tokens
from diplomat.games.rokugan.places import SEA, place

NOBODYS_COLOUR = "#6B6B6B"
"""For a seat whose clan is not known yet."""


def spoken(lang: str) -> str:
    """The language itself if there are texts in it, English otherwise."""
    return lang if lang in LANGUAGES else "en"


def words(lang: str) -> Texts:
    """The words of the map and of the reveal page."""
    return load_texts("diplomat.games.rokugan", "signs", spoken(lang))


def letter(board: Board, seat: Seat, lang: str) -> str:
    """One or two letters that stand for a seat on the map; its own id before clans are known."""
    clan = clans().get(board.clans.get(seat, ""))
    return clan.texts[f"letter_{spoken(lang)}"] if clan else str(seat)


def colour(board: Board, seat: Seat) -> str:
    """The colour of a seat's clan."""
    clan = clans().get(board.clans.get(seat, ""))
    return clan.texts["colour"] if clan else NOBODYS_COLOUR


def hatch(board: Board, seat: Seat) -> str:
    """The hatch of a seat's clan: the sign beside the colour."""
    clan = clans().get(board.clans.get(seat, ""))
    return clan.texts["hatch"] if clan else "none"


def name(board: Board, seat: Seat, lang: str) -> str:
    """A seat's clan in words."""
    clan = clans().get(board.clans.get(seat, ""))
    return clan.texts[spoken(lang)] if clan else str(seat)


def ink(background: str) -> str:
    """Black or white, whichever is read better on that colour (relative luminance of WCAG)."""

    def light(part: int) -> float:
        share = part / 255
        return float(share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4)

    red, green, blue = (light(int(background[i : i + 2], 16)) for i in (1, 3, 5))
    return "#000" if 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.18 else "#fff"


def province_name(province: str, lang: str) -> str:
    """A province's name."""
    land = atlas().provinces[province]
    return land.ru if spoken(lang) == "ru" else land.en


def territory_name(territory: str, lang: str) -> str:
    """A territory's name."""
    land = atlas().territories[territory]
    return land.ru if spoken(lang) == "ru" else land.en


def face_name(face: str, lang: str) -> str:
    """A token's face in full."""
    return tokens()[face].texts[spoken(lang)]


def face_short(face: str, lang: str) -> str:
    """A token's face in five characters at most, for the map."""
    return tokens()[face].texts[f"short_{spoken(lang)}"]


def place_name(where: str, lang: str) -> str:
    """A place of a token: ``Hida → Ikoma``, ``sea → Hida``, ``in Hida``."""
    spot = place(where)
    target = province_name(spot.target, lang)
    if spot.source is None:
        return words(lang).say("place.inside", target=target)
    if spot.source == SEA:
        return words(lang).say("place.coast", target=target)
    return words(lang).say("place.border", source=province_name(spot.source, lang), target=target)


_NAMED: Mapping[str, Callable[[str, str], str]] = {
    "province": province_name,
    "territory": territory_name,
    "face": face_name,
    "place": place_name,
    "clan": lambda value, lang: clans()[value].texts[spoken(lang)],
    "card": lambda value, lang: cards()[value].texts[spoken(lang)],
    "objective": lambda value, lang: objectives()[value].texts[spoken(lang)],
}


def word(field: str, value: str, lang: str) -> str | None:
    """What ``value`` of an event's ``field`` is called; None when there is no name for it."""
    if field in _NAMED:
        try:
            return _NAMED[field](value, lang)
        except (KeyError, ValueError):
            return None
    key = f"{field}.{value}"
    return words(lang).say(key) if words(lang).has(key) else None
