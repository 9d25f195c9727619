"""Figures: drawn in both languages from plain rows, the same bytes every time, every mark with its id."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from diplomat.core.errors import OutputExists
from diplomat.core.texts import LANGUAGES, flattened
from diplomat.study import plots
from diplomat.study.columns import Table
from diplomat.study.plots.canvas import COLOURS, SHAPES, STATUSES
from diplomat.study.plots.flow import HATCHES
from diplomat.study.plots.timeline import _placed
from diplomat.study.stats.cautions import FEW_GAMES
from diplomat.study.stats.dyads import HonestyRow, LagRow
from diplomat.study.stats.intervals import Interval
from diplomat.study.stats.power import PowerRow
from diplomat.study.stats.survival import Lifetime, incidence, kaplan_meier
from diplomat.study.write import study_texts

pytest.importorskip("matplotlib", reason="matplotlib of the extra `study` is not installed")
from matplotlib.text import Text

Draw = Callable[[str], Any]
LIVES = [Lifetime(1), Lifetime(2, "competing"), Lifetime(3), Lifetime(4, "censored")]
TRUST = [plots.TrustCell("Краб", "lion", 9, 10), plots.TrustCell("lion", "Краб", 1, 2)]
SPANS = [plots.Span(f"p-{status}", "a", "b", at, at + 2, status) for at, status in enumerate(STATUSES)]
BREACHES = [plots.Breach("p-broken", "a", "b", 3, 4), plots.Breach("x", "b", "a", 5)]
MEANT = ("sincere", "insincere", "undecided", "no_evidence")
FLOW = [
    plots.FlowRow(said, meant, did, 2)
    for said in ("promise", "offer", "counter", "accept", "threat")
    for meant in MEANT
    for did in STATUSES
]
HALF = Interval(0.5, 0.4, 0.6, "bootstrap", 10, 10)
CARD = plots.Card("g/1#1", "Краб", "lion", 3, "broken", "insincere", "I never $lie$ \U0001f600. " * 9)

FIGURES: dict[str, Draw] = {
    "trust": lambda lang: plots.trust_matrix(TRUST, lang),
    "trust_meant": lambda lang: plots.trust_matrix(TRUST, lang, meant=True),
    "lag": lambda lang: plots.lag_matrix([LagRow("kept", 9, 0.1, 0, 0.2), LagRow("broke", 0, 0, 0, 0)], lang),
    "timeline": lambda lang: plots.alliance_timeline(SPANS, BREACHES, lang),
    "flow": lambda lang: plots.intent_flow(FLOW, lang),
    "forest": lambda lang: plots.forest([plots.ForestRow("x", 0.5, 0.3, 0.7, 9, 3, 0.4, 0.6)], lang, reference=0.5),
    "honesty": lambda lang: plots.honesty_strength([HonestyRow("x", 9, 9, HALF, HALF)], lang),
    "power": lambda lang: plots.power_curve([PowerRow(10, 0.5, 0.02, 50, 40)], lang),
    "survival": lambda lang: plots.survival_curve({"x": kaplan_meier(LIVES)}, lang),
    "incidence": lambda lang: plots.incidence_curve(incidence(LIVES), lang),
    "card": lambda lang: plots.promise_card(CARD, lang),
}


def words(figure: Any) -> list[str]:
    return [text.get_text() for text in figure.findobj(Text) if text.get_text()]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", FIGURES)
def test_every_label_is_a_text_of_its_language(name: str, lang: str) -> None:
    shown = words(FIGURES[name](lang))
    assert shown
    assert [text for text in shown if "plot." in text or "{" in text] == []
    assert (lang == "ru") == any(re.search("[а-яё]{4}", text.replace("Краб", "")) for text in shown)


@pytest.mark.parametrize("name", ["trust", "timeline", "card"])
def test_saving_gives_png_and_the_same_svg_every_time(name: str, tmp_path: Path) -> None:
    png, svg = plots.save(FIGURES[name]("ru"), tmp_path / "one")
    _, again = plots.save(FIGURES[name]("ru"), tmp_path / "two")
    assert png.read_bytes().startswith(b"\x89PNG")
    assert svg.read_bytes() == again.read_bytes()


@pytest.mark.parametrize(
    ("name", "ids"),
    [
        ("trust", ["pair-lion-Краб"]),
        ("timeline", ["promise-p-kept", "breach-p-broken"]),
        ("card", ["card-g/1#1"]),
        ("flow", ["flow-0-promise-sincere-kept"]),
    ],
)
def test_marks_carry_ids(name: str, ids: list[str], tmp_path: Path) -> None:
    _, svg = plots.save(FIGURES[name]("en"), tmp_path / "figure")
    content = svg.read_text(encoding="utf-8")
    assert [mark for mark in ids if f'id="{mark}"' not in content] == []


def test_numbers_lie_beside_the_figure_and_nothing_is_overwritten_unasked(tmp_path: Path) -> None:
    table = Table("trust", plots.TrustCell, TRUST)
    paths = plots.save(FIGURES["trust"]("en"), tmp_path / "trust", [table])
    assert [path.name for path in paths] == ["trust.png", "trust.svg", "trust.csv", "codebook.csv"]
    assert (tmp_path / "trust" / "trust.csv").read_text(encoding="utf-8").splitlines()[1] == "Краб,lion,9,10"
    with pytest.raises(OutputExists, match=r"trust\.png"):
        plots.save(FIGURES["trust"]("en"), tmp_path / "trust")


def test_few_promises_are_grey_and_show_only_their_count() -> None:
    shown = words(FIGURES["trust"]("en"))
    assert "90%\nn = 10" in shown
    assert "n = 2" in shown
    assert not any(text.startswith("50%") for text in shown)


def test_promises_that_overlap_lie_on_lanes_of_their_own() -> None:
    spans = [plots.Span("1", "a", "b", 1, 3, "kept"), plots.Span("2", "a", "b", 2, 4, "kept")]
    later = plots.Span("3", "a", "b", 4, 5, "kept")
    heights = [height for _, height in _placed([*spans, later], [("a", "b")])]
    assert heights[0] != heights[1]
    assert heights[2] == heights[0]


def test_colour_never_carries_a_status_alone() -> None:
    assert set(COLOURS) == set(SHAPES) == set(STATUSES)
    assert set(HATCHES) == set(STATUSES) - {"kept"}


def test_both_languages_have_the_same_keys_and_places() -> None:
    catalogues = [
        flattened(tomllib.loads(files("diplomat.study").joinpath(f"texts.{lang}.toml").read_text(encoding="utf-8")))
        for lang in LANGUAGES
    ]
    english, russian = (
        {key: sorted(re.findall(r"{(\w+)}", text)) for key, text in entries.items()} for entries in catalogues
    )
    assert english == russian


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", FIGURES)
def test_a_caption_stands_inside_every_figure_and_leaves_room_for_it(name: str, lang: str, tmp_path: Path) -> None:
    say = study_texts(lang).say("plot.caption.few", games=4, rules="rokugan", wanted=FEW_GAMES)
    bare = FIGURES[name](lang)
    width = _drawn_width(bare, tmp_path / "bare")
    figure = plots.captioned(FIGURES[name](lang), say, warns=True)
    assert _drawn_width(figure, tmp_path / "told") > 0.8 * width
    (caption,) = [text for text in figure.findobj(Text) if text.get_gid() == "caption"]
    assert caption.get_text().replace("\n", " ") == say
    box = caption.get_window_extent()
    assert box.x0 >= 0
    assert box.x1 <= figure.bbox.x1
    assert box.y1 <= figure.bbox.y1
    for legend in figure.legends:
        assert not legend.get_window_extent().overlaps(box)


def _drawn_width(figure: Any, stem: Path) -> float:
    plots.save(figure, stem)
    return float(figure.axes[0].get_window_extent().width)


def test_rows_of_few_games_say_so_in_the_figure() -> None:
    row = plots.ForestRow("x", 0.5, 0.3, 0.7, 9, 9)
    assert [text for text in words(plots.forest([row])) if "too few games: 9" in text]
    assert not [text for text in words(plots.forest([replace(row, games=10)])) if "too few" in text]
    agents = [HonestyRow("x", 9, 9, HALF, HALF), HonestyRow("y", 10, 10, HALF, HALF)]
    named = words(plots.honesty_strength(agents))
    assert "x (too few games: 9)" in named
    assert "y (10 games)" in named


@pytest.mark.parametrize("lang", LANGUAGES)
def test_an_empty_deed_was_not_done_and_anything_else_is_not_known(lang: str) -> None:
    texts = study_texts(lang)
    shown = words(plots.promise_card(replace(CARD, words=""), lang))
    assert shown.count(texts.say("plot.card.undone")) == 2
    assert shown.count(texts.say("plot.card.unknown")) == 3


def test_no_two_of_many_agents_look_alike() -> None:
    agents = [HonestyRow(str(at), 20, 20, HALF, HALF) for at in range(30)]
    lines = [line for line in plots.honesty_strength(agents).axes[0].lines if line.get_gid()]
    assert len({(line.get_color(), line.get_marker()) for line in lines}) == 30
