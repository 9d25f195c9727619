"""A short game of scripted players in each language, written once."""

from __future__ import annotations

from pathlib import Path

import pytest

from diplomat.session import play
from diplomat.study.annotate.units import Log
from diplomat.transcript.reader import read

PLAYERS = ("honest", "loyal", "backstabber")


@pytest.fixture(scope="session", params=["en", "ru"])
def game(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a finished game."""
    path = tmp_path_factory.mktemp("coded") / f"game-{request.param}.jsonl"
    chairs = {f"s{n}": f"scripted:{name}" for n, name in enumerate(PLAYERS, start=1)}
    settings = {"rounds": 2, "talk_waves": 1}
    play("rokugan", chairs, seed="annotate", lang=request.param, out=path, settings=settings)
    return path


@pytest.fixture(scope="session")
def log(game: Path) -> Log:
    """The game as it is coded."""
    return Log(read(game))


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Prompts, keys and files of whoever runs the tests stay out of them."""
    monkeypatch.setenv("DIPLOMAT_HOME", str(tmp_path / "home"))
    for name in ("DIPLOMAT_LANG", "DIPLOMAT_SERVER_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
