# ruff: noqa: N999 (the file is named after the chapter of the rules)
"""House H2.7 and H12: the map and the scripted players give the balance asked for.

The games of the published seed are played again, fewer of them, so the bounds are those of H12
widened by the sampling error of so many games (three standard errors).
"""

from __future__ import annotations

import math
from typing import Any

import pytest

from diplomat.arena.balance import run_balance
from diplomat.games.rokugan.content import objectives

GAMES = 120


@pytest.fixture(scope="module")
def report() -> dict[str, Any]:
    return run_balance("rokugan", games=GAMES, players=5, jobs=2).as_dict()


def _spread(share: float, count: int) -> float:
    return 3 * math.sqrt(share * (1 - share) / count)


@pytest.mark.long
@pytest.mark.parametrize("name", objectives())
def test_H12_each_objective_is_worth_about_the_same(report: dict[str, Any], name: str) -> None:
    row = next(row for row in report["objectives"] if row["objective"] == name)
    met, bonus = row["met"] / 100, row["bonus"]
    slack = _spread(met, row["dealt"])
    assert 3.15 / bonus - slack <= met <= 3.80 / bonus + slack


@pytest.mark.long
def test_H2_7_the_map_gives_every_clan_its_share(report: dict[str, Any]) -> None:
    for row in report["clans"]:
        slack = _spread(0.2, row["played"])
        assert 0.16 - slack <= row["wins"] / 100 <= 0.24 + slack, row


@pytest.mark.long
def test_H12_every_seat_wins_its_share(report: dict[str, Any]) -> None:
    for row in report["seats"]:
        slack = _spread(0.2, row["played"])
        assert 0.17 - slack <= row["wins"] / 100 <= 0.23 + slack, row


@pytest.mark.long
def test_H12_shared_victories_are_rare_and_objectives_decide(report: dict[str, Any]) -> None:
    ends = {row["measure"]: row["percent"] for row in report["ends"]}
    assert ends["shared"] <= 100 * (0.002 + _spread(0.002, GAMES))
    assert ends["decided"] >= 100 * (1 / 3 - _spread(1 / 3, GAMES))
    assert sum(row["dealt"] for row in report["objectives"]) == 5 * GAMES


def test_H12_figures_do_not_depend_on_the_number_of_processes() -> None:
    one, two = (run_balance("rokugan", games=6, players=3, jobs=jobs).as_dict() for jobs in (1, 2))
    assert one == two
