"""Reports fit any terminal in both languages, and nothing in a file steers it."""

from __future__ import annotations

import io
import re
import tomllib
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any, get_args

import pytest
from rich.cells import cell_len

from diplomat.core.texts import flattened, load_texts
from diplomat.study import counts
from diplomat.study.counts import ConflictRow, WindowRow
from diplomat.study.figures import figures
from diplomat.study.findings import Findings, find
from diplomat.study.gather import Gathered, LeftOut
from diplomat.study.modelling import PREDICTORS
from diplomat.study.report_files import report_data
from diplomat.study.rows import VoidReason
from diplomat.study.screen import Section, natural_width, show
from diplomat.study.sections import sections
from diplomat.study.sections.words import bounds
from diplomat.study.stats.cautions import FEW_GAMES, Caution
from diplomat.study.stats.rates import StatusRow
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
    shown = next(
        figures(
            some.ledgers,
            found,
            load_texts("diplomat.study", "report", "en"),
            "en",
            {one.ledger.name: one.row.file for one in some.games},
        )
    )
    assert (shown.basis, shown.weak) == ("12 games of rokugan", False)
    assert not [note for note in _weak(sections(some, found, None, "en"), "en") if "the study has only" in note]


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_one_game_has_no_intervals_by_game_and_the_reason_stands_once(gathered: Gathered, lang: str) -> None:
    one = replace(gathered, games=gathered.games[:1])
    found = find(counts.labelled(one.ledgers, "profile"), "profile", resamples=50, models=False)
    parts = sections(one, found, None, lang)
    by_game = {"en": "by game", "ru": "по партиям"}[lang]
    cells = [row[at] for part in parts for row in part.rows for at, name in enumerate(part.columns) if name == by_game]
    assert len(cells) > 10
    assert set(cells) == {"–"}
    (reason,) = [note for note in _weak(parts, lang) if by_game.split()[-1] in note]
    assert "(1" not in reason
    assert {row["cluster_low"] for row in report_data(one, found, None)["rates"]} == {None}


def test_groups_of_a_single_game_are_named(gathered: Gathered, found: Findings) -> None:
    lonely = Caution("one_game", {"games": 1})
    rates = tuple(replace(row, cautions=(lonely,) if row.group == "loyal" else ()) for row in found.rates)
    (about,) = [
        note
        for note in _weak(sections(gathered, replace(found, rates=rates), None, "en"), "en")
        if "single game" in note
    ]
    assert "loyal (1" in about


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_a_rate_of_all_or_none_is_sent_to_wilson(gathered: Gathered, found: Findings, lang: str) -> None:
    sure = Caution("all_alike", {"hits": 0, "units": 211})
    rates = tuple(replace(row, cautions=(sure,) if row.group == "loyal" else ()) for row in found.rates)
    weak = _weak(sections(gathered, replace(found, rates=rates), None, lang), lang)
    (said,) = [note for note in weak if "211" in note]
    assert {"en": "loyal", "ru": "Верный союзник"}[lang] in said
    assert {"en": "Wilson", "ru": "Уилсон"}[lang] in said


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_every_term_of_a_model_is_explained_on_the_screen_and_in_the_handbook(lang: str) -> None:
    told = load_texts("diplomat.study", "report", lang).say("model.terms")
    handbook = (Path(__file__).parents[3] / "docs" / "study.md").read_text(encoding="utf-8")
    for name in PREDICTORS:
        assert name == "player" or f"{name}: " in told  # a player's terms are called by its label
        assert f"`{name}`: " in handbook


def test_no_figure_calls_wilson_too_narrow() -> None:
    """It is the wider one where all units hit or none."""
    for lang in ("en", "ru"):
        words = load_texts("diplomat.study", "texts", lang).say("plot.forest.independent")
        assert not re.search("narrow|узк", words)


def test_open_words_are_not_said_to_be_in_no_rate(gathered: Gathered, found: Findings) -> None:
    """What was meant and doubted counts them."""
    game = gathered.games[0]
    playing = replace(gathered, games=(replace(game, row=replace(game.row, finished=False)), *gathered.games[1:]))
    for lang, words in (("en", "no rate"), ("ru", "в доли они не входят")):
        head = sections(playing, found, None, lang)[0]
        assert words not in " ".join(head.notes)
        assert len(head.notes) == 3


def test_void_promises_stand_by_reason_and_only_where_there_are_some(gathered: Gathered, found: Findings) -> None:
    rows = (
        StatusRow("loyal", "void", "released", 2, 0, 0, 2),
        StatusRow("schemer", "void", "debtor_out", 1, 0, 0, 1),
        StatusRow("schemer", "void", "released", 1, 0, 0, 1),
        StatusRow("schemer", "kept", "", 9, 9, 0, 0),
    )
    some, none = replace(found, statuses=rows), replace(found, statuses=rows[3:])
    (part,) = [one for one in sections(gathered, some, None, "en") if "void" in one.title]
    assert part.columns == ("personality", "released", "giver out")
    assert part.rows == (("all", "3", "1"), ("loyal", "2", "0"), ("schemer", "1", "1"))
    assert not [one for one in sections(gathered, none, None, "en") if one.title == part.title]


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_every_reason_of_void_has_its_words(gathered: Gathered, found: Findings, lang: str) -> None:
    rows = tuple(StatusRow("x", "void", reason, 1, 0, 0, 1) for reason in get_args(VoidReason))
    parts = sections(gathered, replace(found, statuses=rows), None, lang)
    assert not re.search(r"void\.[a-z]", printed(parts, 80))


def test_readings_of_unstated_rounds_and_both_sides_stand_where_there_are_such_words(
    gathered: Gathered, found: Findings
) -> None:
    full = replace(found, windows=(WindowRow("", 4, 8, 10, 6, 10, 3, 6),), conflicts=(ConflictRow("", 5, 2, 3),))
    titles = {part.title: part for part in sections(gathered, full, None, "en")}
    (longer,) = [part for title, part in titles.items() if title.startswith("Kept, had")]
    assert longer.rows == (("all", "4", "10", "80%", "60%", "50%"),)
    (sides,) = [part for title, part in titles.items() if title.startswith("Playing both")]
    assert sides.rows == (("all", "5", "2", "3"),)
    bare = [part.title for part in sections(gathered, replace(found, windows=(), conflicts=()), None, "en")]
    assert not [title for title in bare if title.startswith(("Kept, had", "Playing both"))]


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
