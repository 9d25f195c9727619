"""Rokugan drawn: one ``<svg>`` element from what a seat knows, in plain Python.

Owners are shown by colour, letter and hatch together, so that no colour is the only sign.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from html import escape

from diplomat.core.audience import Seat
from diplomat.games.rokugan import hexes
from diplomat.games.rokugan.atlas import Cell, Province, atlas
from diplomat.games.rokugan.board import Board, Control
from diplomat.games.rokugan.chips import chips, token_words
from diplomat.games.rokugan.hexes import number
from diplomat.games.rokugan.knowledge import Known
from diplomat.games.rokugan.places import place
from diplomat.games.rokugan.signs import colour, hatch, ink, letter, name, province_name, territory_name, words

NEUTRAL, SHADOW, BURNT = "#F6F0E1", "#8D8496", "#4B403A"
PAPER, SEA, ROCK = "#E9E1CF", "#CFE3EC", "#CDBFA5"
LINE, SHORE = "#3B3226", "#2B6C93"
FONT = "'DejaVu Sans','Segoe UI',Roboto,Helvetica,Arial,sans-serif"
NAME_ROOM = 93
"""Width that a name may take in a hex."""
BOLD_WIDTH = 0.7
"""Width of a bold letter, as a share of the font size, on the wide side."""


def svg(known: Known, lang: str) -> str:
    """The map as that seat knows it, one ``<svg>`` element."""
    x, y, width, height = hexes.frame(atlas())
    label = escape(_label(known.board, lang))
    box = " ".join(number(value) for value in (x, y, width, height))
    faces = {**known.faces, **{token.id: token.face for token in known.board.faceup}}
    return "".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" role="img" aria-label="{label}"'
            f' class="rokugan-map" font-family="{FONT}" font-weight="700" text-anchor="middle">',
            f"<title>{label}</title>",
            f'<path d="M{number(x)} {number(y)}h{number(width)}v{number(height)}h-{number(width)}Z" fill="{PAPER}"/>',
            _ground(),
            *(_province(known, faces, province, lang) for province in atlas().provinces.values()),
            _lines(),
            *chips(known.board, faces, lang),
            '<g pointer-events="none">',
            *(_above(known.board, province, lang) for province in atlas().provinces.values()),
            "</g>",
            "</svg>",
        )
    )


def _label(board: Board, lang: str) -> str:
    texts = words(lang)
    if board.round == 0:
        return texts.say("map.label_setup")
    return texts.say("map.label", round=board.round, phase=texts.say(f"phase.{board.phase}"))


@cache
def _ground() -> str:
    """Sea and mountains, the same in every picture."""

    def cells(found: frozenset[Cell], fill: str, mark: str, paint: str) -> Iterator[str]:
        tiles = "".join(f"M{_at(cell)}{hexes.TILE}" for cell in sorted(found))
        yield f'<path d="{tiles}" fill="{fill}" stroke="{fill}"/><path d="'
        yield "".join(f"M{_at(cell)}{mark}" for cell in sorted(found))
        yield f'" {paint}/>'

    sea = cells(atlas().sea, SEA, hexes.WAVE, 'fill="none" stroke="#9CC3D6" stroke-width="2.5"')
    rock = cells(atlas().mountains, ROCK, hexes.PEAKS, 'fill="#A4937A" stroke="#7D6E58" stroke-width="2"')
    return "".join((*sea, *rock))


@cache
def _lines() -> str:
    """Borders of territories, coasts and other outer edges."""
    lands, coasts, outside = hexes.borders(atlas())
    return (
        '<g fill="none" stroke-linecap="round">'
        f'<path d="{outside}" stroke="{LINE}" stroke-width="3"/>'
        f'<path d="{coasts}" stroke="{SHORE}" stroke-width="4"/>'
        f'<path d="{lands}" stroke="{LINE}" stroke-width="6.5"/></g>'
    )


def _at(cell: Cell) -> str:
    return " ".join(number(value) for value in hexes.centre(cell))


def _province(known: Known, faces: dict[str, str], land: Province, lang: str) -> str:
    """One province with everything that is printed or lies in its middle."""
    board = known.board
    held = board.control.get(land.id)
    scorched = land.id in board.scorched
    dark = atlas().territories[land.territory].kind == "shadowlands"
    parts = [f'<g transform="translate({_at(land.at)})"><title>{escape(_words(board, faces, land, lang))}</title>']
    fill = _fill(board, land, dark=dark)
    parts.append(f'<path d="{hexes.hexagon()}" fill="{fill}" stroke="#7D735F" stroke-width="1.5"/>')
    if held is not None:
        parts.append(_hatched(board, held.owner))
    if dark:
        parts.append(f'<path d="{hexes.thorns()}" fill="none" stroke="#2C2433" stroke-width="1.6" opacity=".75"/>')
    if land.flowers and not scorched:
        parts.append(
            f'<path transform="translate(-7 -46)" d="{hexes.FLOWER}" fill="#D6407F" stroke="#7A1644" stroke-width="1"/>'
        )
        parts.append(f"<g {_HALO}>{_text(7, -40, 15, str(land.flowers))}</g>")
    if land.capital:
        parts.append(f'<path transform="translate(-27 1)" d="{hexes.GATE}" fill="none" {_stroke(scorched)}/>')
    if held is not None:
        parts.append(_control(board, held, lang))
    if scorched:
        paint = 'fill="#E4572E" stroke="#FFD08A" stroke-width="2"'
        parts.append(f'<path transform="translate(0 25)" d="{hexes.FLAME}" {paint}/>')
    elif land.id in board.peace:
        parts.append(
            '<g transform="translate(0 33)"><circle r="13" fill="#fff"/>'
            f'<path d="{hexes.PEACE}" fill="none" stroke="#1E7A3C" stroke-width="3"/></g>'
        )
    parts.append("</g>")
    return "".join(parts)


def _above(board: Board, land: Province, lang: str) -> str:
    """A province's name and control tokens, which lie above all tokens so that none covers them."""
    scorched, held = land.id in board.scorched, board.control.get(land.id)
    texts = [_name(province_name(land.id, lang))]
    if held is not None:
        texts.append(_counts(held))
    halo = _HALO_LIGHT if scorched else _HALO
    return f'<g transform="translate({_at(land.at)})" {halo}>{"".join(texts)}</g>'


def _stroke(light: bool) -> str:
    return f'stroke="{"#F3E7D8" if light else "#8A1C1C"}" stroke-width="3" stroke-linecap="round"'


def _fill(board: Board, land: Province, *, dark: bool) -> str:
    if land.id in board.scorched:
        return BURNT
    owner = board.owner(land.id)
    if owner is not None:
        return _mixed(colour(board, owner), SHADOW if dark else "#FFFFFF", 0.34)
    return SHADOW if dark else NEUTRAL


def _mixed(first: str, second: str, share: float) -> str:
    """A colour between two, with ``share`` of the first."""
    pairs = ((int(first[i : i + 2], 16), int(second[i : i + 2], 16)) for i in (1, 3, 5))
    return "#" + "".join(f"{round(a * share + b * (1 - share)):02X}" for a, b in pairs)


def _hatched(board: Board, owner: Seat) -> str:
    shade = colour(board, owner)
    kind = hatch(board, owner)
    frame = f'<path d="{hexes.hexagon(0.92)}" fill="none" stroke="{shade}" stroke-width="4"/>'
    lines = hexes.hatching(kind)
    width = 5 if kind == "dots" else 2.5
    if not lines:
        return frame
    return f'{frame}<path d="{lines}" stroke="{shade}" stroke-width="{width}" stroke-linecap="round" opacity=".55"/>'


def _control(board: Board, held: Control, lang: str) -> str:
    """The owner's letter with its facedown and faceup control tokens."""
    shade = colour(board, held.owner)
    sign = escape(letter(board, held.owner, lang))
    parts = [
        f'<circle cy="1" r="12" fill="{shade}" stroke="#fff" stroke-width="2"/>',
        f'<text y="6.5" font-size="{15 if len(sign) < 2 else 13}" fill="{ink(shade)}">{sign}</text>',
    ]
    if held.facedown:
        parts.append(f'<path d="M14 -9h7v7h-7Z" fill="{LINE}" stroke="#fff" stroke-width="1"/>')
    if held.faceup:
        parts.append(
            f'<path transform="translate(18 8)" d="{hexes.STAR}" fill="#F2B705" stroke="{LINE}" stroke-width="1"/>'
        )
    return "".join(parts)


def _counts(held: Control) -> str:
    """How many control tokens lie facedown and faceup, beside their marks."""
    down = _text(28, -1, 12, str(held.facedown)) if held.facedown else ""
    return down + (_text(28, 13, 12, str(held.faceup)) if held.faceup else "")


def _halo(fill: str, halo: str) -> str:
    """Paint for words that are read over any hatch."""
    return f'fill="{fill}" stroke="{halo}" stroke-width="4" stroke-linejoin="round" paint-order="stroke"'


_HALO, _HALO_LIGHT = _halo("#1C1711", "#FFFDF6"), _halo("#FFF6E8", "#2A211C")


def _text(x: float, y: float, size: float, text: str) -> str:
    return f'<text x="{number(x)}" y="{number(y)}" font-size="{number(size)}">{escape(text)}</text>'


def _name(text: str) -> str:
    """A province's name as large as fits; two words go on two lines when one would be small."""
    size = min(19.0, NAME_ROOM / (BOLD_WIDTH * len(text)))
    if size >= 12 or " " not in text:
        return _text(0, -16, size, text)
    first, second = text.split(" ", 1)
    size = min(14.5, NAME_ROOM / (BOLD_WIDTH * max(len(first), len(second))))
    return _text(0, -31, size, first) + _text(0, -31 + size, size, second)


def _words(board: Board, faces: dict[str, str], land: Province, lang: str) -> str:
    """Everything about a province in full words."""
    texts = words(lang)
    facts = [
        texts.say("map.province", name=province_name(land.id, lang), territory=territory_name(land.territory, lang))
    ]
    if land.capital:
        facts.append(texts.say("map.capital"))
    if land.coastal:
        facts.append(texts.say("map.coastal"))
    facts.append(texts.say("map.flowers" if land.flowers else "map.no_flowers", count=land.flowers))
    if land.defence:
        facts.append(texts.say("map.defence", count=land.defence))
    held = board.control.get(land.id)
    if land.id in board.scorched:
        facts.append(texts.say("map.scorched"))
    elif held is None:
        facts.append(texts.say("map.nobody"))
    else:
        owner = name(board, held.owner, lang)
        facts.append(texts.say("map.held", owner=owner, facedown=held.facedown, faceup=held.faceup))
    if land.id in board.peace:
        facts.append(texts.say("map.peace"))
    near = [laid for laid in board.tokens.values() if place(laid.place).target == land.id]
    if near:
        listed = ", ".join(token_words(board, laid, faces.get(laid.id), lang) for laid in near)
        facts.append(texts.say("map.tokens", list=listed))
    return "; ".join(facts)
