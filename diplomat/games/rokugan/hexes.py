"""Geometry of the drawn map: pointy-top hexes, their edges, hatches and small marks.

Everything is in units of the picture; a hex is 60 from its centre to a corner.  Hatches are plain
lines cut to the hex, not ``<pattern>``: ids of several pictures on one page cannot collide.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from math import cos, hypot, pi, sin, sqrt

from diplomat.games.rokugan.atlas import Atlas, Cell

SIZE = 60.0
HALF = SIZE * sqrt(3) / 2
"""From the centre to the middle of an edge."""

Point = tuple[float, float]

CORNERS: tuple[Point, ...] = (
    (0, -SIZE),
    (HALF, -SIZE / 2),
    (HALF, SIZE / 2),
    (0, SIZE),
    (-HALF, SIZE / 2),
    (-HALF, -SIZE / 2),
)
EDGES: dict[Cell, tuple[int, int]] = {
    (1, 0): (1, 2),
    (1, -1): (0, 1),
    (0, -1): (5, 0),
    (-1, 0): (4, 5),
    (-1, 1): (3, 4),
    (0, 1): (2, 3),
}
"""The two corners of the edge towards each neighbour."""


def number(value: float) -> str:
    """A coordinate with one decimal at most."""
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def centre(cell: Cell) -> Point:
    """The middle of a cell."""
    q, r = cell
    return HALF * 2 * (q + r / 2), SIZE * 1.5 * r


def between(here: Cell, there: Cell) -> Point:
    """The middle of the edge of two neighbouring cells."""
    (x1, y1), (x2, y2) = centre(here), centre(there)
    return (x1 + x2) / 2, (y1 + y2) / 2


def towards(here: Point, there: Point) -> Point:
    """The unit vector from one point to another."""
    dx, dy = there[0] - here[0], there[1] - here[1]
    length = hypot(dx, dy) or 1.0
    return dx / length, dy / length


@cache
def hexagon(scale: float = 1.0) -> str:
    """The outline of a hex around the origin as path data."""
    return "M" + "L".join(f"{number(x * scale)} {number(y * scale)}" for x, y in CORNERS) + "Z"


def edge(cell: Cell, step: Cell) -> str:
    """One edge of a cell as path data."""
    x, y = centre(cell)
    (ax, ay), (bx, by) = (CORNERS[corner] for corner in EDGES[step])
    return f"M{number(x + ax)} {number(y + ay)}L{number(x + bx)} {number(y + by)}"


def borders(atlas: Atlas) -> tuple[str, str, str]:
    """Path data of the lines between territories, of the coasts, and of the other outer edges."""
    at = {province.at: province for province in atlas.provinces.values()}
    lands: list[str] = []
    coasts: list[str] = []
    outside: list[str] = []
    for cell, province in at.items():
        for step in EDGES:
            other = (cell[0] + step[0], cell[1] + step[1])
            if other in at:
                if at[other].territory != province.territory and other > cell:
                    lands.append(edge(cell, step))
            elif other in atlas.sea:
                coasts.append(edge(cell, step))
            else:
                outside.append(edge(cell, step))
    return "".join(lands), "".join(coasts), "".join(outside)


def frame(atlas: Atlas) -> tuple[float, float, float, float]:
    """The picture's box (x, y, width, height): the provinces with a strip of sea around them."""
    points = [centre(province.at) for province in atlas.provinces.values()]
    left, right = min(x for x, _ in points) - HALF * 1.62, max(x for x, _ in points) + HALF * 1.62
    top, bottom = min(y for _, y in points) - SIZE * 1.45, max(y for _, y in points) + SIZE * 1.45
    return left, top, right - left, bottom - top


_INSET = 0.9
_ANGLES: Mapping[str, tuple[float, ...]] = {
    "horizontal": (0.0,),
    "vertical": (pi / 2,),
    "diagonal": (-pi / 4,),
    "antidiagonal": (pi / 4,),
    "cross": (-pi / 4, pi / 4),
}


def _cut(angle: float, offset: float) -> tuple[Point, Point] | None:
    """The part inside the hex of the line at that angle and distance from the centre."""
    ux, uy = cos(angle), sin(angle)
    px, py = -uy * offset, ux * offset
    low, high = -SIZE * 2, SIZE * 2
    for side in range(6):
        mx, my = cos(side * pi / 3), sin(side * pi / 3)
        room, slope = HALF * _INSET - (mx * px + my * py), mx * ux + my * uy
        if abs(slope) < 1e-9:
            if room < 0:
                return None
        elif slope > 0:
            high = min(high, room / slope)
        else:
            low = max(low, room / slope)
    if low >= high:
        return None
    return (px + ux * low, py + uy * low), (px + ux * high, py + uy * high)


def _dots(gap: float) -> Iterator[Point]:
    for row in range(-5, 6):
        for column in range(-5, 6):
            x, y = gap * (column + row % 2 / 2), gap * 0.87 * row
            if abs(x) < HALF * 0.86 and abs(x) / 2 + abs(y) * sqrt(3) / 2 < HALF * 0.86:
                yield x, y


@cache
def hatching(kind: str) -> str:
    """A hatch cut to the hex as path data, empty for ``none`` and for kinds that are not known."""
    if kind == "dots":
        return "".join(f"M{x:.0f} {y:.0f}h0" for x, y in _dots(15))
    lines: list[str] = []
    gap = 18.0 if kind == "cross" else 12.0
    for angle in _ANGLES.get(kind, ()):
        for step in range(-5, 6):
            if (cut := _cut(angle, gap * step + gap / 2)) is not None:
                (ax, ay), (bx, by) = cut
                lines.append(f"M{ax:.0f} {ay:.0f}L{bx:.0f} {by:.0f}".replace("-0 ", "0 "))
    return "".join(lines)


@cache
def thorns() -> str:
    """The dark texture of the Shadowlands as path data: small crooked strokes."""
    return "".join(f"M{x - 4:.0f} {y + 3:.0f}l3 -7l2 5l3 -4" for x, y in _dots(21) if abs(y) < SIZE * 0.72)


def _petal(turn: float) -> str:
    (ax, ay), (bx, by) = ((7 * cos(turn + side), 7 * sin(turn + side)) for side in (-0.7, 0.7))
    return f"M0 0C{number(ax)} {number(ay)} {number(bx)} {number(by)} 0 0"


FLOWER = "".join(_petal(pi * (2 * k / 5 - 0.5)) for k in range(5))
GATE = "M-9 -7Q0 -4 9 -7M-7 -2H7M-5 -5V8M5 -5V8"
STAR = "M0 -6L1.5 -1.9 5.7 -1.9 2.3 .7 3.5 4.9 0 2.3 -3.5 4.9 -2.3 .7 -5.7 -1.9 -1.5 -1.9Z"
PEACE = "M10 0A10 10 0 1 1 -10 0A10 10 0 1 1 10 0M0 -10V10M0 0L7 7M0 0L-7 7"
FLAME = "M0 -13C8 -4 10 0 8 6A8.5 8.5 0 0 1 -8 6C-9 1 -5 -1 -4 -6C-1 -4 0 -8 0 -13Z"
WAVE = "m-22 -8q6 -6 12 0t12 0m-4 22q6 -6 12 0t12 0"
PEAKS = "m-40 26l26 -46 16 30 14 -20 24 36Zm18 -32l8 -14 8 14 -5 -3 -4 5Z"
TILE = f"m0 {number(-SIZE)}l{number(HALF)} 30v60l-{number(HALF)} 30 -{number(HALF)} -30v-60Z"
"""A whole cell, sea waves and mountains as path data that begin at the middle of their cell."""
