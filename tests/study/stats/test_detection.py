"""Lies told from truth: the confusion table's figures, lines that need no judgement, signal detection, calibration."""

from __future__ import annotations

from math import isnan

import pytest

from diplomat.study.stats.detection import (
    Confusion,
    Judged,
    confusion,
    detection_report,
)

TEST_GAMES = Confusion(caught=42, doubted=123, missed=165, believed=2145)
"""The published table of receivers on the two test games."""


@pytest.mark.parametrize(
    ("figure", "value"),
    [
        (TEST_GAMES.macro_f1, 0.5814),
        (TEST_GAMES.lie_f1, 0.2258),
        (TEST_GAMES.accuracy, 0.8836),
        (TEST_GAMES.precision, 0.2545),
        (TEST_GAMES.recall, 0.2029),
        (TEST_GAMES.kappa, 0.1638),
    ],
)
def test_figures_of_the_published_table(figure: float, value: float) -> None:
    assert figure == pytest.approx(value, abs=0.0001)


def test_sensitivity_and_bias_of_a_textbook_table() -> None:
    # Large counts, so that the log-linear correction does not show: rates 0.84 and 0.16 are one z either side.
    even = Confusion(caught=84_134, missed=15_866, doubted=15_866, believed=84_134)
    assert even.d_prime == pytest.approx(2.0, abs=0.001)
    assert even.criterion == pytest.approx(0.0, abs=0.001)
    trusting = Confusion(caught=50_000, missed=50_000, doubted=2_275, believed=97_725)
    assert trusting.d_prime == pytest.approx(2.0, abs=0.001)
    assert trusting.criterion == pytest.approx(1.0, abs=0.001)


def test_perfect_judges_keep_a_finite_sensitivity() -> None:
    assert 0 < Confusion(caught=5, believed=5).d_prime < 10


def test_unlabelled_messages_are_left_out_and_counted() -> None:
    rows = [Judged("g", True, None), Judged("g", True, True), Judged("g", False, None)]
    assert confusion(rows) == (Confusion(caught=1), 2)


def test_the_lines_beside_the_judge_take_every_message() -> None:
    rows = [Judged(f"g{at}", at < 3, None if at % 2 else at < 2) for at in range(30)]
    report = detection_report(rows, reps=20)
    assert report.figure("lie_f1").units == 15
    assert report.figure("lie_f1", "always_lie").estimate == pytest.approx(2 * 3 / (2 * 3 + 27))
    assert report.figure("lie_f1", "always_truth").estimate == 0
    assert report.unlabelled == 15


def test_nobody_lies_and_nobody_doubts() -> None:
    assert Confusion(believed=9).lie_f1 == 0
    assert isnan(Confusion(believed=9).kappa)
    assert isnan(Confusion().accuracy)
