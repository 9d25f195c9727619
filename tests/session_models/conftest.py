"""A model server on this machine, the command line run inside the test, and surroundings that are nobody's."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from diplomat.cli import main
from diplomat.llm import limiter
from diplomat.testing.loopback import Loopback
from tests.session_models.kit import SECRETS, Ran, Run


@pytest.fixture(autouse=True)
def surroundings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No variable and no file of the person who runs the tests reaches the program."""
    for name in list(os.environ):
        if name.startswith(("DIPLOMAT_", "OPENAI_", "ANTHROPIC_")) or name in ("NO_COLOR", "CI", "FORCE_COLOR"):
            monkeypatch.delenv(name)
    for name in ("LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "C.UTF-8")
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("DIPLOMAT_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("DIPLOMAT_TRANSCRIPTS", str(tmp_path / "logs"))
    monkeypatch.setattr(limiter, "_limiters", {})
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def server() -> Iterator[Loopback]:
    """It lists the model ``fake``, so that nothing but the game's own calls reaches it."""
    with Loopback(retry_after=0.0, models=("fake", "other")) as loopback:
        yield loopback


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def ran(*argv: str | Path) -> Ran:
        capsys.readouterr()
        code = main([str(arg) for arg in argv])
        out, err = capsys.readouterr()
        return Ran(code, out, err)

    return ran


@pytest.fixture
def keys(monkeypatch: pytest.MonkeyPatch, server: Loopback) -> None:
    """Both providers' keys and addresses; the addresses lead to the server."""
    for name, value in SECRETS.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("OPENAI_BASE_URL", server.openai_url)
    monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
