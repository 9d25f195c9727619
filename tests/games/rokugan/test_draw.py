"""The drawn map: sound XML for everybody at every moment, and no face for those who may not know it."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from typing import Any

import pytest

from diplomat.agents.scripted import RandomBot, ScriptedAgent
from diplomat.core.audience import Seat
from diplomat.games import find
from diplomat.games.rokugan import hexes
from diplomat.games.rokugan.atlas import atlas
from diplomat.games.rokugan.content import clans, tokens
from diplomat.games.rokugan.knowledge import Known
from diplomat.table.referee import Referee
from diplomat.table.table import Table, finish

SVG = "{http://www.w3.org/2000/svg}"


def moments(seed: str, seats: int, every: int = 23) -> Iterator[tuple[Seat | None, Known]]:
    """What everybody knows, again and again along a random game."""
    game = find("rokugan")
    places = tuple(Seat(f"s{n}") for n in range(1, seats + 1))
    referee: Referee[Any, Any] = Referee(game, game.settings(), places, seed)
    found: list[tuple[Seat | None, Known]] = []

    def look(n: int, event: object) -> None:
        if n % every == 0 or n < 8 or type(event).__name__ in ("TokensTurnedUp", "GameWon"):
            found.extend((seat, referee.known(seat)) for seat in (*places, None))

    referee.listen(look)
    finish(Table(referee, {seat: ScriptedAgent(RandomBot()) for seat in places}).play())
    yield from found


def shorts(lang: str) -> set[str]:
    return {token.texts[f"short_{lang}"] for token in tokens().values()}


def drawn_faces(picture: ET.Element, lang: str) -> list[str]:
    """Short texts of faces, which stand on white; letters of owners stand on their colour."""
    texts = [t for t in picture.iter(f"{SVG}text") if t.get("fill") == "#111"]
    assert {str(text.text) for text in texts} <= shorts(lang)
    return sorted(str(text.text) for text in texts)


@pytest.mark.parametrize(("seed", "seats"), [("1", 5), ("2", 2), ("3", 4)])
def test_every_picture_is_one_sound_svg_and_shows_no_hidden_face(seed: str, seats: int) -> None:
    side = find("rokugan").side
    for number, (_, known) in enumerate(moments(seed, seats)):
        lang = "ru" if number % 2 else "en"
        picture = ET.fromstring(side.svg(known, lang))
        assert picture.tag == f"{SVG}svg"
        assert picture.get("role") == "img"
        assert picture.get("aria-label")
        turned = {token.id: token.face for token in known.board.faceup}
        may_know = {**known.faces, **turned}
        expected = [tokens()[may_know[t]].texts[f"short_{lang}"] for t in known.board.tokens if t in may_know]
        assert drawn_faces(picture, lang) == sorted(expected)


def test_titles_and_texts_name_no_face_that_the_viewer_does_not_know() -> None:
    """Also the words for screen readers keep facedown tokens secret."""
    side = find("rokugan").side
    looked = 0
    for _, known in moments("4", 3):
        hidden = [t for t in known.board.tokens if t not in known.faces]
        if not hidden or known.board.faceup or known.faces:
            continue
        looked += 1
        titles = " ".join(str(title.text) for title in ET.fromstring(side.svg(known, "en")).iter(f"{SVG}title"))
        blessed = {face for laid in known.board.tokens.values() for face in laid.blessings}
        for face, token in tokens().items():
            assert face in blessed or token.texts["en"] not in titles
    assert looked


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_every_province_has_its_name_and_a_title(lang: str) -> None:
    side = find("rokugan").side
    for _, known in moments("5", 5, every=200):
        picture = ET.fromstring(side.svg(known, lang))
        shown = " ".join(str(text.text) for text in picture.iter(f"{SVG}text"))
        titles = [str(title.text) for title in picture.iter(f"{SVG}title")]
        for land in atlas().provinces.values():
            name = getattr(land, lang)
            assert name in shown
            assert any(title.startswith(name) for title in titles)


def test_a_map_is_drawn_before_anything_is_known() -> None:
    game = find("rokugan")
    known = game.side.unknown(game.settings(), (Seat("s1"), Seat("s2")), None)
    for lang in ("en", "ru", "xx"):
        ET.fromstring(game.side.svg(known, lang))


def test_pictures_use_no_ids_scripts_or_addresses() -> None:
    """Several pictures share one page, so nothing in them may be referred to by id."""
    side = find("rokugan").side
    _, known = list(moments("6", 5, every=50))[-1]
    picture = side.svg(known, "en").replace('xmlns="http://www.w3.org/2000/svg"', "")
    assert not re.search(r"\sid=|url\(|<script|https?:|href", picture)


def test_every_clan_has_a_hatch_of_its_own() -> None:
    drawn = {clan.texts["hatch"]: hexes.hatching(clan.texts["hatch"]) for clan in clans().values()}
    assert len(drawn) == len(clans()) == len(set(drawn.values()))


def test_an_arrow_points_at_the_attacked_province() -> None:
    """The tip lies nearer to the target than the token's middle does."""
    from diplomat.games.rokugan.chips import _line
    from diplomat.games.rokugan.places import coasts, outward

    lines = [spot for province in atlas().provinces for spot in outward(province)] + list(coasts())
    for spot in lines:
        (x, y), (dx, dy) = _line(spot)
        tx, ty = hexes.centre(atlas().provinces[spot.target].at)
        assert (tx - x) * dx + (ty - y) * dy == pytest.approx(((tx - x) ** 2 + (ty - y) ** 2) ** 0.5)


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_signs_of_tokens_are_short_and_are_no_letters_of_clans(lang: str) -> None:
    letters = {clan.texts[f"letter_{lang}"] for clan in clans().values()}
    assert len(shorts(lang)) == len(tokens())
    assert all(2 < len(sign) <= 5 and sign.split()[0] not in letters for sign in shorts(lang))


def test_no_token_is_drawn_over_a_name() -> None:
    """Names come last in the picture."""
    side = find("rokugan").side
    _, known = next((seat, known) for seat, known in moments("7", 5) if known.board.faceup)
    layer = list(ET.fromstring(side.svg(known, "en")))[-1]
    shown = " ".join(str(text.text) for text in layer.iter(f"{SVG}text"))
    assert layer.get("pointer-events") == "none"
    assert all(land.en.split()[0] in shown for land in atlas().provinces.values())


SHIFT = "translate(0 4)"
"""Of a token on an upright border, within its place."""


def boxes(picture: ET.Element) -> list[tuple[float, float, float, float]]:
    """Left, top, right and bottom of every faceup token, by the coloured box that its signs stand on."""
    found = []
    for group in picture.iter(f"{SVG}g"):
        moved = re.fullmatch(r"translate\(([-\d.]+) ([-\d.]+)\)", group.get("transform", ""))
        inner = next((part for part in group if part.get("transform") == SHIFT), group)
        box = next((part for part in inner if part.tag == f"{SVG}rect" and part.get("rx") == "5"), None)
        if moved and moved[0] != SHIFT and box is not None and any(part.get("fill") == "#111" for part in inner):
            x, y = float(moved[1]), float(moved[2]) + (4.0 if inner is not group else 0.0)
            left, top = x + float(box.get("x", 0)), y + float(box.get("y", 0))
            found.append((left, top, left + float(box.get("width", 0)), top + float(box.get("height", 0))))
    return found


@pytest.mark.parametrize("seed", ["1", "2", "3"])
def test_no_faceup_token_hides_another(seed: str) -> None:
    """At a full table, with all tokens turned up: less than a sixth of a token lies under another."""
    side = find("rokugan").side
    looked = 0
    for seat, known in moments(seed, 5):
        if seat is not None or not known.board.faceup:
            continue
        found = boxes(ET.fromstring(side.svg(known, "en")))
        assert len(found) == len(known.board.tokens.keys() & {token.id for token in known.board.faceup})
        looked += len(found)
        for at, one in enumerate(found):
            for other in found[at + 1 :]:
                wide = min(one[2], other[2]) - max(one[0], other[0])
                high = min(one[3], other[3]) - max(one[1], other[1])
                smaller = min((b[2] - b[0]) * (b[3] - b[1]) for b in (one, other))
                assert max(0.0, wide) * max(0.0, high) < smaller / 6, (known.board.round, one, other)
    assert looked > 50
