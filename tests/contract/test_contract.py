"""Every game that is found, and the tiny one, keeps the contract."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from diplomat.games import found
from diplomat.testing import CHECKS, check_game
from diplomat.testing.golden import FOLDER, check_golden, main
from diplomat.testing.masquerade import game as masquerade
from diplomat.testing.walk import AnyGame

GAMES: tuple[AnyGame, ...] = (*found().values(), masquerade)
TABLES = [(game, seats) for game in GAMES for seats in sorted({game.seats[0], game.default_seats})]


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize(("game", "seats"), TABLES, ids=[f"{game.id}-{seats}" for game, seats in TABLES])
def test_game_keeps_the_contract(game: AnyGame, seats: int, check: str) -> None:
    CHECKS[check](game, seats, "contract")


@pytest.mark.parametrize("check", ["random_games_end", "log_is_the_state", "canary"])
def test_every_table_size_keeps_the_contract(check: str) -> None:
    for game in GAMES:
        for seats in game.seats if len(game.seats) < 8 else (5, 9):
            if seats not in (game.seats[0], game.default_seats):
                CHECKS[check](game, seats, "sizes")


@pytest.mark.parametrize("game", GAMES, ids=[game.id for game in GAMES])
def test_golden_playthrough(game: AnyGame, pytestconfig: pytest.Config) -> None:
    check_golden(game, pytestconfig.rootpath / FOLDER)


def test_missing_golden_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="--write"):
        check_golden(masquerade, tmp_path)


def test_golden_command_writes_and_compares(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "golden"
    assert main([], folder) == 1
    assert main(["--write"], folder) == 0
    assert sorted(path.name for path in folder.iterdir()) == sorted(f"{g.id}_{g.seats[0]}p.txt" for g in GAMES)
    assert main([], folder) == 0
    path = folder / "masquerade_4p.txt"
    path.write_text(path.read_text().replace("order_sealed: its seat", "order_sealed: everyone"))
    capsys.readouterr()
    assert main([], folder) == 1
    assert "-   order_sealed: everyone" in capsys.readouterr().out


def test_authors_can_run_all_checks_at_once() -> None:
    check_game(replace(masquerade, default_seats=5), "authors")
