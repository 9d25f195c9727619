"""A game that is killed anywhere comes out as if nothing had happened; one that does not is noticed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from diplomat.table.table import finish
from diplomat.testing import killing
from diplomat.testing.killing import at_random, every_event, main


@pytest.mark.long
def test_a_game_killed_behind_each_of_its_events(tmp_path: Path) -> None:
    fates = every_event(tmp_path)
    assert fates.differing == []
    assert fates.kills == fates.games > 100


@pytest.mark.long
def test_games_with_language_models_killed_twenty_times(tmp_path: Path) -> None:
    fates = at_random(tmp_path, kills=20)
    assert fates.differing == []
    assert fates.kills == 20
    assert len(fates.places) >= 5, "the game gets on between the kills"


def test_a_log_that_lost_an_event_or_its_chain_is_called_by_its_name(tmp_path: Path) -> None:
    session = killing._small("judged")
    path = tmp_path / "game.jsonl"
    finish(session.play(path))
    wanted = killing.compared(path)
    rows = path.read_bytes().splitlines(keepends=True)
    fates = killing.Fates()
    killing._judge(path, wanted, fates)
    assert fates.differing == []
    path.write_bytes(b"".join(rows[:20] + rows[21:]))
    killing._judge(path, wanted, fates)
    path.write_bytes(b"".join(rows[:-1]))
    killing._judge(path, wanted, fates)
    path.write_bytes(b"".join(rows).replace(b'"at":"2', b'"at":"3', 1))
    killing._judge(path, wanted, fates)
    assert fates.differing == [
        "game.jsonl: event 20",
        f"game.jsonl: event {len(wanted)}",
        "game.jsonl: not sound",
    ]


@pytest.mark.parametrize(("differing", "code"), [([], 0), (["a.jsonl: event 3"], 1)])
def test_the_command_fails_if_one_game_differs(
    differing: list[str], code: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fates(folder: Path, **_: Any) -> killing.Fates:
        return killing.Fates(games=1, kills=1, differing=differing)

    monkeypatch.setattr(killing, "every_event", fates)
    assert main(["--every-event"]) == code
    assert json.loads(capsys.readouterr().out)["differing"] == differing
