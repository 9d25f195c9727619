"""Combat tokens drawn on the map: in provinces, on borders as arrows, on coasts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from html import escape

from diplomat.games.rokugan import hexes
from diplomat.games.rokugan.atlas import atlas, hex_neighbours
from diplomat.games.rokugan.board import Board, Laid
from diplomat.games.rokugan.content import strength
from diplomat.games.rokugan.hexes import Point, number
from diplomat.games.rokugan.places import SEA, Place, place
from diplomat.games.rokugan.signs import colour, face_name, face_short, ink, letter, name, place_name, words

Box = tuple[float, float]
"""Width and height of a token."""
HIDDEN: Box = (26.0, 24.0)
FLAT: Box = (62.0, 20.0)
TALL: Box = (44.0, 33.0)
"""A facedown token, a faceup one, and a faceup one on an upright border."""
SLIM: Box = (49.0, 20.0)
"""A faceup one with another on the next border, or with another in its province."""
TAB = 0.3
"""Share of a faceup token's width that is coloured and names the owner; the white rest names the token."""
INSIDE_Y = 26.0
"""How far below the middle of a province its own tokens lie."""
BESIDE, BELOW = 25.0, 19.0
"""Of several tokens inside one province two lie side by side, so far from the middle, and the next two below."""
SIGN = "#111"
SIZE, WIDTH_OF_A_LETTER = 13.0, 0.66
"""Of the words on a token: their size in the map's units and how wide a letter is by it."""


def token_words(board: Board, laid: Laid, face: str | None, lang: str) -> str:
    """One token in full words; without a face it is facedown."""
    texts = words(lang)
    shown = texts.say("map.facedown") if face is None else face_name(face, lang)
    if laid.blessings:
        blessings = ", ".join(face_name(blessing, lang) for blessing in laid.blessings)
        shown = texts.say("map.blessed", face=shown, blessings=blessings)
    return texts.say("map.token", owner=name(board, laid.seat, lang), face=shown, place=place_name(laid.place, lang))


def chips(board: Board, faces: Mapping[str, str], lang: str) -> Iterator[str]:
    """All tokens on the map; ``faces`` are those that the viewer may know."""
    inside: dict[str, list[Laid]] = {}
    lines: list[tuple[Laid, Point, Point]] = []
    for laid in board.tokens.values():
        spot = place(laid.place)
        if spot.inside:
            inside.setdefault(spot.target, []).append(laid)
        else:
            lines.append((laid, *_line(spot)))
    crowd = [at for laid, at, way in lines if laid.id in faces and not _is_upright(way)]
    for laid, at, way in lines:
        yield _chip(board, laid, faces.get(laid.id), lang, at=at, way=way, slim=_is_crowded(at, crowd))
    for province, row in inside.items():
        x, y = hexes.centre(atlas().provinces[province].at)
        for number_inside, laid in enumerate(row):
            beside = 0.0 if len(row) == 1 else BESIDE if number_inside % 2 else -BESIDE
            at = (x + beside, y + INSIDE_Y + number_inside // 2 * BELOW)
            yield _chip(board, laid, faces.get(laid.id), lang, at=at, slim=len(row) > 1)


def _line(spot: Place) -> tuple[Point, Point]:
    """Where a token on a border or coast lies, and which way it points."""
    target = atlas().provinces[spot.target].at
    if spot.source == SEA or spot.source is None:
        wet = [cell for cell in hex_neighbours(target) if cell in atlas().sea]
        here = min(wet, key=lambda cell: (abs(hexes.centre(cell)[1] - hexes.centre(target)[1]), cell))
    else:
        here = atlas().provinces[spot.source].at
    way = hexes.towards(hexes.centre(here), hexes.centre(target))
    x, y = hexes.between(here, target)
    back = 9.0 if spot.source == SEA else 0.0
    return (x - way[0] * back, y - way[1] * back), way


def _is_upright(way: Point) -> bool:
    return abs(way[1]) < 0.1


def _is_crowded(at: Point, others: Iterable[Point]) -> bool:
    """Whether two tokens in full width would cover each other."""
    return any(at != (x, y) and abs(at[0] - x) < FLAT[0] and abs(at[1] - y) < FLAT[1] for x, y in others)


def _chip(
    board: Board,
    laid: Laid,
    face: str | None,
    lang: str,
    *,
    at: Point,
    way: Point | None = None,
    slim: bool = False,
) -> str:
    shade = colour(board, laid.seat)
    sign = escape(letter(board, laid.seat, lang))
    upright = way is not None and _is_upright(way)
    width, height = HIDDEN if face is None else TALL if upright else SLIM if slim else FLAT
    half_w, half_h = width / 2, height / 2
    parts = [
        f'<g transform="translate({number(at[0])} {number(at[1])})">',
        f"<title>{escape(token_words(board, laid, face, lang))}</title>",
    ]
    if way is not None:
        parts.append(_arrow(way, half_w, half_h, shade))
    if upright and face is not None:
        parts.append('<g transform="translate(0 4)">')
    box = f'x="{number(-half_w)}" y="{number(-half_h)}" width="{number(width)}" height="{number(height)}" rx="5"'
    parts.append(f'<rect {box} fill="{shade}" stroke="#fff" stroke-width="2"/>')
    if face is None:
        parts.append(f'<text y="6" font-size="17" fill="{ink(shade)}">{sign}</text>')
    else:
        parts.append(_faceup(sign, ink(shade), face_short(face, lang), width, height, upright=upright))
    for index, blessing in enumerate(laid.blessings):
        parts.append(
            f'<g transform="translate({number(half_w - 2)} {number(-half_h - 4 + 14 * index)})">'
            f'<circle r="9" fill="#FFE27A" stroke="#5A4300" stroke-width="1.5"/>'
            f'<text y="4" font-size="11" fill="#3A2B00">+{strength(blessing)}</text></g>'
        )
    parts.append("</g></g>" if upright and face is not None else "</g>")
    return "".join(parts)


def _faceup(sign: str, paint: str, short: str, width: float, height: float, *, upright: bool) -> str:
    """The owner's letter on its colour and, beside or below it, what the token is on white."""
    half_w, half_h = width / 2, height / 2
    if upright:
        letter_at, left, top = (0.0, -half_h + 12), -half_w + 2, -half_h + 15
    else:
        tab = TAB * width
        letter_at, left, top = (-half_w + tab / 2, 5.0), -half_w + tab, -half_h + 2
    plate = (half_w - 2 - left, half_h - 2 - top)
    middle = (left + plate[0] / 2, top + plate[1] / 2 + 5)
    wide = WIDTH_OF_A_LETTER * SIZE * len(short)
    squeezed = f' textLength="{number(plate[0] - 3)}" lengthAdjust="spacingAndGlyphs"' if wide > plate[0] else ""
    return (
        f'<text x="{number(letter_at[0])}" y="{number(letter_at[1])}" font-size="13" fill="{paint}">{sign}</text>'
        f'<path d="M{number(left)} {number(top)}h{number(plate[0])}v{number(plate[1])}h-{number(plate[0])}Z"'
        ' fill="#fff"/>'
        f'<text x="{number(middle[0])}" y="{number(middle[1])}" font-size="{number(SIZE)}" fill="{SIGN}"{squeezed}>'
        f"{escape(short)}</text>"
    )


def _arrow(way: Point, half_w: float, half_h: float, shade: str) -> str:
    """A head that points at the attacked province, just outside the token's box."""
    dx, dy = way
    reach = min(half_w / abs(dx) if abs(dx) > 1e-9 else 1e9, half_h / abs(dy) if abs(dy) > 1e-9 else 1e9)
    tip, base = reach + 14, reach - 3
    corners = [(dx * tip, dy * tip)]
    corners += [(dx * base - side * dy * 13, dy * base + side * dx * 13) for side in (1, -1)]
    path = "M" + "L".join(f"{number(x)} {number(y)}" for x, y in corners) + "Z"
    return f'<path d="{path}" fill="{shade}" stroke="#fff" stroke-width="2" stroke-linejoin="round"/>'
