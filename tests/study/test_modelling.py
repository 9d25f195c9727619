"""The models of a study: kinds of promise that all ended alike are left out by name, and nothing infinite is shown."""

from __future__ import annotations

from dataclasses import replace
from math import isfinite
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from diplomat.study import modelling
from diplomat.study.modelling import ENDS, KINDS, OUTCOMES, Lacking, ModelRow, end_of, lacking, modelled, r_script
from diplomat.study.screen import Section
from diplomat.study.sections.models import models
from diplomat.study.sections.words import report_texts
from diplomat.study.stats.regression import NotFitted

CHANCES = {"cat": 0.4, "fox": 0.5, "owl": 0.2, "saint": 0.0, "traitor": 1.0}


def rows(*players: str, games: int = 15, each: int = 4) -> list[ModelRow]:
    dice = Random("kinds")
    return [
        ModelRow(
            game=f"g{game}",
            pid=f"{player}.{at}",
            broken=dice.random() < CHANCES[player],
            player=player,
            point=1 + at,
            conditional=False,
            public=dice.random() < 0.5,
            do=dice.random() < 0.5,
            agreed=dice.random() < 0.5,
            pair=f"g{game}/{player}",
            seat=f"g{game}/{player}",
            outcome="kept_unknown",
        )
        for game in range(games)
        for player in players
        for at in range(each)
    ]


def shown(found: modelling.Modelled, lang: str = "en") -> list[Section]:
    some: Any = SimpleNamespace(models=found)
    return list(models(some, report_texts(lang)))


@pytest.fixture
def statsmodels() -> None:
    pytest.importorskip("statsmodels", reason="statsmodels of the extra `study` is not installed")


@pytest.mark.usefixtures("statsmodels")
def test_who_never_or_always_broke_a_word_is_left_out_by_name_and_the_rest_is_fitted() -> None:
    found = modelled(rows("fox", "owl", "saint", "traitor"))
    assert found.lacking == (
        Lacking("player", "saint", 60, ("broken",)),
        Lacking("player", "traitor", 60, ("kept",)),
    )
    assert {row.player for row in found.rows if row.modelled} == {"fox", "owl"}
    alone = modelled(rows("fox", "owl"))
    assert [model.method for model in found.fitted] == ["gee", "mixed_vb"]
    assert [model.rows for model in found.fitted] == [120, 120]
    for model in (*found.fitted, *alone.fitted):
        assert all(isfinite(figure) for term in model.terms for figure in (term.low, term.high, term.odds_ratio))
        assert all(abs(term.estimate) < 5 for term in model.terms)
    *_, about = shown(found)
    assert "None of these promises was broken" in about.notes[-2]
    assert about.notes[-2].endswith(": saint (60).")
    assert "All of these promises were broken" in about.notes[-1]
    assert about.notes[-1].endswith(": traitor (60).")


def test_kinds_are_left_out_until_every_kind_has_both_ends() -> None:
    """Without the saint, public promises were all broken; without those, the fox kept all."""
    loud = {"saint": {True, False}, "fox": {True}, "owl": set[bool]()}
    made = [replace(row, public=row.broken in loud[row.player]) for row in rows("fox", "owl", "saint")]
    found = list(lacking(made, KINDS, end_of, ENDS))
    assert [(kind.predictor, kind.value, kind.missing) for kind in found] == [
        ("player", "saint", ("broken",)),
        ("public", "true", ("kept",)),
        ("player", "fox", ("broken",)),
    ]


def test_where_all_ended_alike_no_kind_is_singled_out() -> None:
    assert list(lacking(rows("saint"), KINDS, end_of, ENDS)) == []


@pytest.mark.usefixtures("statsmodels")
@pytest.mark.parametrize(("lang", "words"), [("en", "did not converge"), ("ru", "не сошлась")])
def test_a_model_that_does_not_converge_is_named_and_has_no_odds(
    monkeypatch: pytest.MonkeyPatch, lang: str, words: str
) -> None:
    def runs_away(*_: Any) -> Any:
        raise NotFitted("gee")

    monkeypatch.setattr(modelling, "gee", runs_away)
    found = modelled(rows("fox", "owl"))
    assert [model.method for model in found.fitted] == ["mixed_vb"]
    assert found.why == ("model.not_fitted.gee", "model.few_outcomes")
    sections = shown(found, lang)
    assert len(sections) == 2
    assert "GEE" in sections[-1].notes[0]
    assert words in sections[-1].notes[0]


def meant(*players: str) -> list[ModelRow]:
    """Promises with a plan beside them; owls never relent and never lie."""
    dice = Random("meant")
    return [
        replace(row, outcome=dice.choice(("honoured", *OUTCOMES[: 2 if row.player == "owl" else 4])))
        for row in rows(*players, each=12)
    ]


@pytest.mark.usefixtures("statsmodels")
def test_outcomes_have_a_model_of_their_own_without_who_lacks_one() -> None:
    found = modelled(meant("cat", "fox", "owl"))
    assert found.lacking_outcome == (Lacking("player", "owl", 180, ("relented", "premeditated")),)
    *_, many = found.fitted
    assert (many.method, many.rows, many.games) == ("multinomial", 360, 15)
    assert [term.name for term in many.terms][:2] == ["changed_mind: Intercept", "changed_mind: player[T.fox]"]
    assert len(many.terms) == 9
    *_, section, about = shown(found)
    assert section.rows[1][0] == "turned: fox"
    assert any(note.endswith(": owl (180): relented, planned.") for note in about.notes)
    assert 'm$outcome <- relevel(m$outcome, ref = "honoured")' in r_script(found)


def test_few_of_one_outcome_make_no_model_of_outcomes() -> None:
    assert modelled(rows("fox", "owl")).why[-1] == "model.few_outcomes"


@pytest.mark.usefixtures("statsmodels")
def test_r_fits_the_rows_that_are_fitted_here() -> None:
    script = r_script(modelled(rows("fox", "owl", "saint")))
    assert 'd$modelled <- as.integer(d$modelled == "true")' in script
    assert "d <- droplevels(d[d$modelled == 1, ])" in script
