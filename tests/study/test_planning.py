"""A pilot's figures for planning: promises per kind of player and game, and how alike those of one kind are."""

from __future__ import annotations

import pytest

from diplomat.study import planning
from diplomat.study.planning import pilot_of
from diplomat.study.stats.rates import Counted


def pilot(rows: list[Counted], monkeypatch: pytest.MonkeyPatch) -> planning.Pilot:
    monkeypatch.setattr(planning, "kept", lambda ledgers, by: rows)
    return pilot_of([], "profile")


def test_a_pilot_correlates_promises_of_one_kind_and_not_of_all(monkeypatch: pytest.MonkeyPatch) -> None:
    hits = {"honest": (9, 10, 9, 8), "liar": (1, 2, 1, 0)}
    rows = [
        Counted(f"g{at}", kind, count, 10, kind) for kind, counts in hits.items() for at, count in enumerate(counts)
    ]
    found = pilot(rows, monkeypatch)
    assert (found.icc, found.per_game, found.kinds) == (0, 10, 2)


def test_two_seats_of_one_kind_in_a_game_are_one_cluster_and_a_silent_kind_counts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rows = [
        Counted("g0", "s1", 2, 2, "fox"),
        Counted("g0", "s2", 2, 2, "fox"),
        Counted("g1", "s1", 0, 4, "fox"),
        Counted("g1", "s3", 0, 0, "owl"),
    ]
    found = pilot(rows, monkeypatch)
    assert found.icc == pytest.approx(1)
    assert found.per_game == pytest.approx(8 / 3)
