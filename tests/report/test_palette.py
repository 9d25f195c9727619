"""The page's own colours: read by everybody, and never the only sign."""

from __future__ import annotations

import re
from importlib.resources import files
from itertools import combinations

import pytest

from diplomat.cli.reveal import page_of
from diplomat.transcript.reader import Transcript

CSS = files("diplomat.report").joinpath("templates/page.css").read_text(encoding="utf-8")
Colour = tuple[float, float, float]
VISIONS: dict[str, tuple[Colour, Colour, Colour]] = {
    "usual": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
"""What is left of linear red, green and blue (Machado, Oliveira and Fernandes 2009, full severity)."""


def named(name: str) -> str:
    found = re.search(rf"--{name}:(#[0-9a-fA-F]{{6}})\b", CSS)
    assert found, name
    return found.group(1)


def linear(colour: str) -> Colour:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return red, green, blue


def seen(colour: str, vision: str) -> Colour:
    light = linear(colour)
    red, green, blue = (
        min(1.0, max(0.0, sum(a * b for a, b in zip(row, light, strict=True)))) for row in VISIONS[vision]
    )
    return red, green, blue


def contrast(one: Colour, other: Colour) -> float:
    first, second = (0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2] + 0.05 for c in (one, other))
    return max(first, second) / min(first, second)


FATES = {
    "kept": ("kept", "kept-bg"),
    "broken": ("", "broken"),
    "void": ("void", "void-bg"),
    "pending": ("pending", "pending-bg"),
}


@pytest.mark.parametrize("vision", VISIONS)
@pytest.mark.parametrize("fate", FATES)
def test_every_fate_is_readable_to_every_eye(fate: str, vision: str) -> None:
    ink, paper = FATES[fate]
    text = named(ink) if ink else "#ffffff"
    assert contrast(seen(text, vision), seen(named(paper), vision)) >= 4.5


@pytest.mark.parametrize("vision", VISIONS)
def test_a_breach_stands_out_from_all_other_fates(vision: str) -> None:
    broken = seen(named("broken"), vision)
    for fate in ("kept-bg", "void-bg", "pending-bg"):
        assert contrast(broken, seen(named(fate), vision)) >= 3


def test_every_fate_has_a_sign_of_its_own() -> None:
    signs = dict(re.findall(r'\.fate\.(\w+)::before\{content:"(\S+?)\\a0"\}', CSS))
    wanted = {"kept", "broken", "void", "pending", "carried", "idle"}
    assert wanted <= set(signs)
    for one, other in combinations(sorted(wanted), 2):
        assert signs[one] != signs[other]


def test_every_seat_has_its_own_letter_and_hatch(talked: Transcript) -> None:
    for lang in ("en", "ru"):
        page = page_of(talked, lang)
        letters = set(re.findall(r'<span class="seal" aria-hidden="true">(\w+)</span>\n', page))
        assert len(letters) == len(talked.seats)
    hatches = dict(re.findall(r"\.(p\d)\{--hatch:([^}]+)\}", CSS))
    assert len(hatches) == len(set(hatches.values())) == 8


def test_links_and_grey_words_are_readable_on_paper() -> None:
    for ink in (named("dim"), named("text"), named("red"), named("secret")):
        for paper in (named("paper"), named("card"), named("secret-bg")):
            assert contrast(linear(ink), linear(paper)) >= 4.5, (ink, paper)
