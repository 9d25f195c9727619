"""Words that last: Freireich's published curve, competing ends by hand and against statsmodels."""

from __future__ import annotations

from math import isnan
from random import Random
from typing import Any

import pytest

from diplomat.core.errors import UsageError
from diplomat.study.stats.survival import End, Lifetime, incidence, kaplan_meier, median_time

# Freireich et al. (1963), weeks in remission under 6-MP; negative: censored.
REMISSION = (6, 6, 6, -6, 7, -9, 10, -10, -11, 13, 16, -17, -19, -20, 22, 23, -25, -32, -32, -34, -35)
PATIENTS = [Lifetime(abs(week), "event" if week > 0 else "censored") for week in REMISSION]


def test_kaplan_meier_of_the_published_trial() -> None:
    rows = {row.time: row for row in kaplan_meier(PATIENTS)}
    wanted = {6: 0.857, 7: 0.807, 10: 0.753, 13: 0.690, 16: 0.627, 22: 0.538, 23: 0.448}
    assert {time: round(rows[time].survival, 3) for time in wanted} == wanted
    assert median_time(list(rows.values())) == 23
    assert rows[6].at_risk == 21
    # Bounds as R's survfit(conf.type = "log-log") prints them.
    assert (rows[6].low, rows[6].high) == pytest.approx((0.620, 0.952), abs=0.001)
    assert (rows[23].low, rows[23].high) == pytest.approx((0.188, 0.680), abs=0.001)


def test_a_curve_that_stays_above_half_has_no_median() -> None:
    assert isnan(median_time(kaplan_meier([Lifetime(1), Lifetime(2, "censored"), Lifetime(2, "censored")])))


def test_competing_ends_by_hand() -> None:
    rows = incidence([Lifetime(1), Lifetime(1, "competing"), Lifetime(2), Lifetime(3, "censored")])
    assert [(row.time, row.event, row.competing, row.free) for row in rows] == [
        (1, 0.25, 0.25, 0.5),
        (2, 0.5, 0.25, 0.25),
        (3, 0.5, 0.25, 0.25),
    ]


def lives() -> list[Lifetime]:
    dice = Random("lives")
    ends: list[End] = ["event", "event", "competing", "censored"]
    return [Lifetime(dice.randint(1, 12), dice.choice(ends)) for _ in range(150)]


def test_all_ends_add_up_to_everything() -> None:
    for row in incidence(lives()):
        assert row.event + row.competing + row.free == pytest.approx(1)
        assert row.event_low <= row.event <= row.event_high


def test_taking_void_as_merely_unseen_overstates_breaking() -> None:
    assert 1 - kaplan_meier(lives())[-1].survival > incidence(lives())[-1].event


def test_without_competing_ends_incidence_is_the_curve_upside_down() -> None:
    for curve, upside in zip(kaplan_meier(PATIENTS), incidence(PATIENTS), strict=True):
        assert upside.event == pytest.approx(1 - curve.survival)


def test_incidence_agrees_with_statsmodels() -> None:
    duration: Any = pytest.importorskip(
        "statsmodels.duration.survfunc", reason="statsmodels of the extra `study` is not installed"
    )
    status = {"censored": 0, "event": 1, "competing": 2}
    found = duration.CumIncidenceRight([life.time for life in lives()], [status[life.end] for life in lives()])
    ours = {row.time: row for row in incidence(lives())}
    for time, event, error in zip(found.times, found.cinc[0], found.cinc_se[0], strict=True):
        assert ours[float(time)].event == pytest.approx(float(event))
        row = ours[float(time)]
        assert (row.event_high - row.event_low) / (2 * 1.96) == pytest.approx(float(error), rel=0.25, abs=0.005)


def test_time_does_not_run_backwards() -> None:
    with pytest.raises(UsageError, match="0 or more"):
        kaplan_meier([Lifetime(-1)])
    assert kaplan_meier([]) == ()
