"""Nothing is left behind by a game, however many are played; what is left behind is noticed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from diplomat.testing import soak as module
from diplomat.testing.soak import main, soak
from diplomat.transcript.reader import read

BRIEF: dict[str, Any] = {"players": 2, "settings": {"rounds": 1, "talk_waves": 0}}


def test_few_games_leave_nothing(tmp_path: Path) -> None:
    wear = soak(tmp_path, 4, settled_at=2, **BRIEF)
    assert wear.faults == []
    assert (wear.games, len(wear.memory), len(wear.files)) == (4, 4, 4)
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_stays_open_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept: list[Any] = []

    def forgetful(path: Path) -> Any:
        kept.append(path.open("rb"))
        return read(path)

    monkeypatch.setattr(module, "read", forgetful)
    try:
        wear = soak(tmp_path, 2, settled_at=1, **BRIEF)
    finally:
        for file in kept:
            file.close()
    assert wear.faults == ["1 files open after game 1"]


def test_memory_that_is_kept_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept: list[bytearray] = []

    def forgetful(path: Path) -> Any:
        kept.append(bytearray(b"x") * (12 << 20))
        return read(path)

    monkeypatch.setattr(module, "read", forgetful)
    wear = soak(tmp_path, 4, settled_at=2, **BRIEF)
    assert len(wear.faults) == 1
    assert "MB after game 2" in wear.faults[0]


def test_a_log_without_its_end_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:

    def short(path: Path) -> Any:
        path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-1]))
        return read(path)

    monkeypatch.setattr(module, "read", short)
    assert "does not hold all of its" in soak(tmp_path, 1, settled_at=1, **BRIEF).faults[0]


def test_the_command_says_it_as_json(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    quick = soak
    monkeypatch.setattr(module, "soak", lambda folder, games, *, seed, show: quick(folder, games, seed=seed, **BRIEF))
    assert main(["--games", "1"]) == 0
    assert json.loads(capsys.readouterr().out)["files_left_open"] == 0


@pytest.mark.long
def test_thirty_full_games_in_one_process(tmp_path: Path) -> None:
    wear = soak(tmp_path, 30, settled_at=15)
    assert wear.faults == []
    assert wear.messages > 30 * 50
