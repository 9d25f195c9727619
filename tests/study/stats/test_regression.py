"""Regressions: known odds come out, nothing missing is dropped, the same model is written for R."""

from __future__ import annotations

import sys
from math import exp, isnan
from random import Random
from typing import Any

import pytest

from diplomat.core.errors import UsageError
from diplomat.study.stats.regression import NotFitted, gee, mixed_logit, multinomial, odds


@pytest.fixture
def rows() -> list[dict[str, Any]]:
    pytest.importorskip("statsmodels", reason="statsmodels of the extra `study` is not installed")
    dice = Random("rows")
    made = []
    for game in range(30):
        mood = dice.gauss(0, 0.8)
        for _ in range(20):
            lie, loud = dice.random() < 0.3, dice.random() < 0.5
            chance = 1 / (1 + exp(-(-1 + 1.5 * lie + mood)))
            made.append({"game": f"g{game}", "broken": dice.random() < chance, "lie": lie, "loud": loud})
    return made


def test_gee_finds_the_effect_that_is_there_and_not_the_other(rows: list[dict[str, Any]]) -> None:
    found = gee(rows, "broken", ["lie", "loud"])
    lie, loud = found.term("lie"), found.term("loud")
    assert lie.low > 0.5
    assert lie.p_value is not None
    assert lie.p_value < 0.001
    assert loud.low < 0 < loud.high
    assert lie.odds_ratio == pytest.approx(exp(lie.estimate))
    assert found.correlation is not None
    assert 0 < found.correlation < 0.4
    assert (found.rows, found.games, found.formula) == (600, 30, "broken ~ lie + loud")
    assert "geeglm(broken ~ lie + loud, id = game, family = binomial" in found.r_code


def test_a_two_by_two_table_gives_its_own_odds_ratio() -> None:
    pytest.importorskip("statsmodels", reason="statsmodels of the extra `study` is not installed")
    cells = {(True, True): 30, (True, False): 10, (False, True): 20, (False, False): 40}
    table = [
        {"game": f"g{at}", "lie": lie, "broken": broken}
        for (lie, broken), count in cells.items()
        for at in range(count)
    ]
    found = gee(table, "broken", ["lie"], working="independence")
    assert found.term("lie").odds_ratio == pytest.approx(30 * 40 / (10 * 20), rel=1e-6)
    assert found.correlation is None


def test_mixed_logit_says_that_it_is_approximate_and_how_far_games_differ(rows: list[dict[str, Any]]) -> None:
    found = mixed_logit(rows, "broken", ["lie"])
    assert found.term("lie").estimate == pytest.approx(1.5, abs=0.5)
    (spread,) = found.spreads
    assert spread.group == "game"
    assert 0.3 < spread.deviation < 1.5
    assert [caution.code for caution in found.cautions] == ["variational"]
    assert "glmer(broken ~ lie + (1 | game), family = binomial" in found.r_code


@pytest.mark.parametrize("working", ["exchangeable", "independence"])
def test_a_model_whose_odds_are_not_finite_is_not_shown(rows: list[dict[str, Any]], working: Any) -> None:
    separated = [{**row, "broken": row["broken"] and not row["lie"]} for row in rows]
    with pytest.raises(NotFitted) as refused:
        gee(separated, "broken", ["lie", "loud"], working=working)
    assert refused.value.method == "gee"


def test_a_multinomial_of_a_table_gives_its_own_odds_and_of_two_levels_the_errors_of_the_gee(
    rows: list[dict[str, Any]],
) -> None:
    cells = {(True, "a"): 30, (True, "b"): 10, (True, "c"): 15, (False, "a"): 20, (False, "b"): 40, (False, "c"): 25}
    table = [{"game": f"g{at}", "lie": lie, "end": end} for (lie, end), count in cells.items() for at in range(count)]
    found = multinomial(table, "end", ["lie"], ["a", "b", "c"])
    assert found.term("b: lie").odds_ratio == pytest.approx(10 * 20 / (30 * 40), rel=1e-4)
    assert found.term("c: lie").odds_ratio == pytest.approx(15 * 20 / (30 * 25), rel=1e-4)
    told = [{**row, "end": "broken" if row["broken"] else "kept"} for row in rows]
    two = multinomial(told, "end", ["lie", "loud"], ["kept", "broken"]).term("broken: lie")
    one = gee(rows, "broken", ["lie", "loud"], working="independence").term("lie")
    assert (two.estimate, two.error) == pytest.approx((one.estimate, one.error), rel=0.05)
    assert two.p_value == pytest.approx(one.p_value, abs=0.01)


def test_a_multinomial_whose_odds_are_not_finite_is_not_shown(rows: list[dict[str, Any]]) -> None:
    ends = [{**row, "end": ("a", "b", "c")[at % 3] if row["lie"] else "ab"[at % 2]} for at, row in enumerate(rows)]
    with pytest.raises(NotFitted):
        multinomial(ends, "end", ["lie"], ["a", "b", "c"])


def test_odds_beyond_numbers_are_missing_and_never_infinite() -> None:
    assert odds(0) == 1
    assert isnan(odds(float("nan")))
    assert isnan(odds(1e6))


def test_a_row_with_a_gap_is_refused_not_dropped(rows: list[dict[str, Any]]) -> None:
    with pytest.raises(UsageError, match="row 1 has nothing in lie"):
        gee([rows[0], {**rows[1], "lie": None}], "broken", ["lie"])
    with pytest.raises(UsageError, match="no rows"):
        gee([], "broken", ["lie"])


def test_an_unknown_term_names_the_known_ones(rows: list[dict[str, Any]]) -> None:
    with pytest.raises(UsageError, match="Intercept, lie"):
        gee(rows, "broken", ["lie"]).term("truth")


def test_without_the_extra_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(UsageError, match=r"pip install 'diplomat\[study\]'"):
        gee([{"game": "g", "broken": 1}], "broken", [])
