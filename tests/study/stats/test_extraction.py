"""Extractors against gold: each label's own figures, and nothing to find is not a perfect score."""

from __future__ import annotations

from math import isnan

import pytest

from diplomat.study.stats.extraction import Compared, extraction_report

UNITS = [
    *[Compared(f"g{at}", "promise", "promise") for at in range(6)],
    *[Compared(f"g{at}", "none", "promise") for at in range(2)],
    *[Compared(f"g{at}", "promise", "none") for at in range(4)],
    *[Compared(f"g{at}", "none", "none") for at in range(8)],
]


def test_each_label_has_its_own_figures() -> None:
    none, promise = extraction_report(UNITS, reps=50)
    assert (promise.label, promise.gold, promise.found, promise.right) == ("promise", 10, 8, 6)
    assert promise.precision.estimate == pytest.approx(6 / 8)
    assert promise.recall.estimate == pytest.approx(6 / 10)
    assert promise.f1.estimate == pytest.approx(12 / 18)
    assert none.right == 8


def test_a_label_that_was_never_found_has_no_precision() -> None:
    (row,) = extraction_report(UNITS, ["threat"], reps=5)
    assert isnan(row.precision.estimate)
    assert (row.gold, row.found, row.f1.estimate) == (0, 0, 0)
    assert isnan(extraction_report([], ["threat"], reps=5)[0].recall.estimate)
