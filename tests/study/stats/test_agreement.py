"""Agreement of coders against published examples: Cohen, Fleiss 1971, Krippendorff 2011, with games resampled."""

from __future__ import annotations

from math import isnan
from random import Random

import pytest

from diplomat.core.errors import UsageError
from diplomat.study.stats.agreement import (
    Coding,
    Metric,
    agreement,
    alpha_interval,
    cohen_kappa,
    fleiss_kappa,
    gate,
    krippendorff_alpha,
    specific_agreement,
)
from diplomat.study.stats.spans import span_agreement

GAP = None
# Krippendorff (2011): four observers, twelve units, some not coded.
OBSERVERS = (
    (1, 2, 3, 3, 2, 1, 4, 1, 2, GAP, GAP, GAP),
    (1, 2, 3, 3, 2, 2, 4, 1, 2, 5, GAP, 3),
    (GAP, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, GAP),
    (1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, GAP),
)
UNITS = [[value for value in unit if value is not None] for unit in zip(*OBSERVERS, strict=True)]
# Fleiss' kappa: ten subjects, fourteen raters, five categories.
RATED = (
    (0, 0, 0, 0, 14), (0, 2, 6, 4, 2), (0, 0, 3, 5, 6), (0, 3, 9, 2, 0), (2, 2, 8, 1, 1),
    (7, 7, 0, 0, 0), (3, 2, 6, 3, 0), (2, 5, 3, 2, 2), (6, 5, 2, 1, 0), (0, 2, 2, 3, 7),
)  # fmt: skip


def table(both: int, first: int, second: int, none: int) -> list[tuple[str, str]]:
    return [("y", "y")] * both + [("y", "n")] * first + [("n", "y")] * second + [("n", "n")] * none


@pytest.mark.parametrize(
    ("cells", "kappa"), [((20, 5, 10, 15), 0.4), ((45, 15, 25, 15), 0.1304), ((25, 35, 5, 35), 0.2593)]
)
def test_cohens_kappa_of_the_textbook_tables(cells: tuple[int, int, int, int], kappa: float) -> None:
    assert cohen_kappa(table(*cells)) == pytest.approx(kappa, abs=0.00005)


def test_kappa_is_not_defined_where_only_one_value_is_used() -> None:
    assert isnan(cohen_kappa([("y", "y")] * 5))
    assert isnan(cohen_kappa([]))


def test_fleiss_kappa_of_the_worked_example() -> None:
    assert fleiss_kappa(RATED) == pytest.approx(0.210, abs=0.0005)


def test_fleiss_kappa_wants_every_unit_coded_equally_often() -> None:
    with pytest.raises(UsageError, match="equally often"):
        fleiss_kappa([(2, 0), (1, 0)])


@pytest.mark.parametrize(("metric", "alpha"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)])
def test_krippendorffs_alpha_of_his_example(metric: Metric, alpha: float) -> None:
    assert krippendorff_alpha(UNITS, metric) == pytest.approx(alpha, abs=0.0005)


def test_alpha_of_two_coders_and_yes_or_no_as_in_his_example_b() -> None:
    one = (0, 1, 0, 0, 0, 0, 0, 0, 1, 0)
    other = (1, 1, 1, 0, 0, 1, 0, 0, 0, 0)
    assert krippendorff_alpha(list(zip(one, other, strict=True))) == pytest.approx(0.095, abs=0.0005)


def test_alpha_is_one_for_agreement_and_not_defined_for_one_value() -> None:
    assert krippendorff_alpha([("a", "a"), ("b", "b")]) == 1.0
    assert isnan(krippendorff_alpha([("a", "a"), ("a", "a")]))
    assert isnan(krippendorff_alpha([("a",), ("b",)]))


def test_words_have_no_interval_distance() -> None:
    with pytest.raises(UsageError, match="want numbers"):
        krippendorff_alpha([("a", "b"), ("b", "b")], "interval")


def codings() -> list[Coding]:
    return [
        Coding(f"g{at % 11}", f"u{at}", f"c{coder}", value)
        for coder, row in enumerate(OBSERVERS)
        for at, value in enumerate(row)
        if value is not None
    ]


def test_alphas_interval_resamples_games_and_holds_the_estimate() -> None:
    found = alpha_interval(codings(), "ordinal", reps=500)
    assert found.estimate == pytest.approx(0.815, abs=0.0005)
    assert found.low < found.estimate < found.high
    assert (found.units, found.games) == (11, 11)
    assert found == alpha_interval(codings(), "ordinal", reps=500)


def test_words_in_order_have_ordinal_distances() -> None:
    words = {1: "none", 2: "low", 3: "middle", 4: "high", 5: "full"}
    named = [Coding(row.game, row.unit, row.coder, words[int(row.value)]) for row in codings()]
    found = alpha_interval(named, "ordinal", order=list(words.values()), reps=10)
    assert found.estimate == pytest.approx(0.815, abs=0.0005)
    with pytest.raises(UsageError, match="full"):
        alpha_interval(named, "ordinal", order=["none", "low", "middle", "high"])


def test_specific_agreement_does_not_fall_with_prevalence() -> None:
    found = specific_agreement(table(4, 1, 1, 94))
    assert found == {"n": pytest.approx(188 / 190), "y": pytest.approx(8 / 10)}


def test_the_whole_row_of_a_field() -> None:
    row = agreement(codings(), "strength", "ordinal", reps=50)
    assert (row.units, row.pairable, row.coders, len(row.pairs)) == (12, 11, 4, 6)
    assert isnan(row.fleiss)
    assert row.values == {"1": 9, "2": 13, "3": 11, "4": 5, "5": 3}
    assert row.gate == "publish"
    complete = [row for row in codings() if row.unit in {f"u{at}" for at in range(1, 9)}]
    assert agreement(complete, reps=5).fleiss == pytest.approx(
        fleiss_kappa([[list(UNITS[at]).count(value) for value in (1, 2, 3, 4)] for at in range(1, 9)])
    )


def test_one_coder_codes_a_unit_once() -> None:
    with pytest.raises(UsageError, match="twice"):
        agreement([Coding("g", "u", "c", 1), Coding("g", "u", "c", 2)])


@pytest.mark.parametrize(
    ("alpha", "said"),
    [(0.8, "publish"), (0.79, "tentative"), (0.667, "tentative"), (0.66, "counts_only"), (float("nan"), "counts_only")],
)
def test_the_gate_for_printing_rates(alpha: float, said: str) -> None:
    assert gate(alpha) == said


def test_random_coders_agree_by_chance_only() -> None:
    dice = Random("coders")
    units = [[dice.choice("ab") for _ in range(3)] for _ in range(3000)]
    assert abs(krippendorff_alpha(units)) < 0.03


def test_spans_agree_by_tokens_and_by_bounds() -> None:
    text = "Я не пойду на Перевал \U0001f600, if you stay."
    found = span_agreement([(text, [(2, 21)], [(0, 21)]), ("none here", [], [])])
    assert found.token_f1 == pytest.approx(2 * 4 / (2 * 4 + 1))
    assert (found.exact, found.overlapping, found.spans) == (0.0, 1.0, 1)
    assert span_agreement([(text, [(2, 21)], [(2, 21)])]).exact == 1.0
