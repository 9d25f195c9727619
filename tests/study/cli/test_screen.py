"""Reports fit any terminal in both languages, and nothing in a file steers it."""

from __future__ import annotations

import io
import re
import tomllib
from dataclasses import replace
from importlib.resources import files
from typing import Any

import pytest
from rich.cells import cell_len

from diplomat.core.texts import flattened, load_texts
from diplomat.study import counts
from diplomat.study.figures import figures
from diplomat.study.findings import Findings, find
from diplomat.study.gather import Gathered, LeftOut
from diplomat.study.screen import Section, natural_width, show
from diplomat.study.sections import sections
from diplomat.study.sections.words import bounds
from diplomat.study.stats.cautions import FEW_GAMES, Caution
from diplomat.terminal.ladder import console


@pytest.fixture(scope="module")
def found(gathered: Gathered) -> Findings:
    return find(counts.labelled(gathered.ledgers, "profile"), "profile", resamples=50)


def printed(parts: list[Section], width: int) -> str:
    out = io.StringIO()
    shown = console("plain", out)
    shown.width = width
    show(shown, parts)
    return out.getvalue()


@pytest.mark.parametrize("width", [80, 40])
@pytest.mark.parametrize("lang", ["en", "ru"])
def test_no_line_is_wider_than_the_terminal(gathered: Gathered, found: Findings, lang: str, width: int) -> None:
    text = printed(sections(gathered, found, None, lang), width)
    assert max(map(cell_len, text.splitlines())) <= width
    assert len(text.splitlines()) > 60


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_every_key_has_its_words(gathered: Gathered, found: Findings, lang: str) -> None:
    full = replace(gathered, left=tuple(LeftOut("x", why, "") for why in ("missing", "calls", "twice")))
    text = printed(sections(full, found, None, lang), 80)
    assert not re.search(r"\b(column|four|rate|measure|left|head|test|model|judge|time|by)\.[a-z_]+", text)
    assert "{" not in text


def test_a_table_that_fits_is_one_and_another_becomes_paragraphs() -> None:
    section = Section("t", ("who", "kept", "broken"), (("honest and loyal", "10", "2"),))
    width = natural_width(section)
    assert printed([section], width).splitlines()[1].split() == ["who", "kept", "broken"]
    assert printed([section], width - 1).splitlines()[1:3] == ["honest and loyal", "  kept 10 · broken 2"]


def test_words_of_files_cannot_steer_the_terminal() -> None:
    evil = "a\x1b]52;c;aGk=\x07\u202e[bold]b\nRound 9"
    text = printed([Section(evil, (evil,), ((evil,),), (evil,))], 80)
    assert not set("\x1b\x07\u202e") & set(text)
    assert "[bold]" in text
    assert not any(line.startswith("Round 9") for line in text.splitlines())


def _places(text: str) -> set[str]:
    return set(re.findall(r"{(\w+)}", text))


def test_both_languages_say_the_same_things() -> None:
    catalogues: list[dict[str, Any]] = [
        flattened(tomllib.loads(files("diplomat.study").joinpath(f"report.{lang}.toml").read_text(encoding="utf-8")))
        for lang in ("en", "ru")
    ]
    first, second = catalogues
    assert set(first) == set(second)
    assert {key for key in first if _places(first[key]) != _places(second[key])} == set()


def _weak(parts: list[Section], lang: str) -> list[str]:
    title = {"en": "Handle with care", "ru": "Осторожно"}[lang]
    (found,) = [part for part in parts if part.title.startswith(title)]
    return list(found.notes)


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_a_small_study_is_cautioned_once_and_as_a_whole(gathered: Gathered, lang: str) -> None:
    small = replace(gathered, games=gathered.games[:4])
    few = find(counts.labelled(small.ledgers, "profile"), "profile", resamples=50, models=False)
    parts = sections(small, few, None, lang)
    about_games = [note for note in _weak(parts, lang) if re.search(r"\b4\b", note) and "10" in note]
    assert len(about_games) == 1
    others = [note for part in parts for note in part.notes if note not in _weak(parts, lang)]
    assert not [note for note in others if re.search("too narrow|слишком узк", note)]


def test_figures_and_cautions_count_the_same_games(gathered: Gathered, found: Findings) -> None:
    """A game without promises is one of the study too."""
    silent = [replace(one, ledger=replace(one.ledger, promises=())) for one in gathered.games[:4]]
    some = replace(gathered, games=(*silent, *gathered.games[4:]))
    shown = next(figures(some.ledgers, found, load_texts("diplomat.study", "report", "en"), "en"))
    assert (shown.basis, shown.weak) == ("12 games of rokugan", False)
    assert not [note for note in _weak(sections(some, found, None, "en"), "en") if "the study has only" in note]


def test_a_caution_names_each_group_and_its_games_once(gathered: Gathered, found: Findings) -> None:
    (about,) = [note for note in _weak(sections(gathered, found, None, "en"), "en") if "Too few games" in note]
    few: dict[str, set[int]] = {}
    for row in found.rates:
        if row.group and row.games < FEW_GAMES:
            few.setdefault(row.group, set()).add(row.games)
    assert few
    for group, games in few.items():
        shown = "–".join(str(count) for count in sorted({min(games), max(games)}))
        assert re.findall(rf"\b{group} \(([\d–]+)", about) == [shown]
    assert about.count("permutation test") == 1


def test_a_caution_names_the_figures_where_groups_have_others(gathered: Gathered, found: Findings) -> None:
    few = Caution("few_games", {"games": 7, "wanted": FEW_GAMES})
    weak = {("loyal", "kept"), ("schemer", "doubted")}
    rates = tuple(
        replace(row, cautions=(few,) if (row.group, row.measure) in weak else ()) for row in found.rates if row.group
    )
    only = replace(found, rates=rates)
    (about,) = [note for note in _weak(sections(gathered, only, None, "en"), "en") if "Too few games" in note]
    assert "loyal (7: kept)" in about
    assert "schemer (7: doubted)" in about


def test_cautions_of_one_kind_stand_together_with_what_each_concerns(gathered: Gathered, found: Findings) -> None:
    lost = Caution("undefined_draws", {"lost": 3, "reps": 50})
    rates = tuple(
        replace(row, cautions=(lost,)) if row.group == "loyal" and row.measure in ("kept", "doubted") else row
        for row in found.rates
    )
    notes = _weak(sections(gathered, replace(found, rates=rates), None, "en"), "en")
    (said,) = [note for note in notes if "nothing to divide by" in note]
    assert "kept, loyal: 3 of 50; doubted, loyal: 3 of 50" in said


def test_a_difference_below_nothing_is_no_range_with_two_dashes() -> None:
    assert (bounds(-0.214, 0.4), bounds(-0.001, 0.4)) == ("-21…40%", "0–40%")
