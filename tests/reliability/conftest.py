"""Surroundings that are nobody's, and the command line run inside the test."""

from __future__ import annotations

import contextlib
import io
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from diplomat.cli import main
from diplomat.llm import limiter


@dataclass(frozen=True)
class Ran:
    """What a command did."""

    code: int
    out: str
    err: str


Run = Callable[..., Ran]


@pytest.fixture(autouse=True)
def surroundings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No variable and no file of the person who runs the tests reaches the program."""
    for name in list(os.environ):
        if name.startswith(("DIPLOMAT_", "OPENAI_", "ANTHROPIC_")) or name in ("NO_COLOR", "CI", "FORCE_COLOR"):
            monkeypatch.delenv(name)
    for name in ("LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)
    for name, value in {"LANG": "C.UTF-8", "COLUMNS": "200", "OPENAI_API_KEY": "nobody's"}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("DIPLOMAT_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("DIPLOMAT_TRANSCRIPTS", str(tmp_path / "logs"))
    monkeypatch.setattr(limiter, "_limiters", {})
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def run() -> Run:
    """The command line with these words; works as often as one likes in one test."""

    def ran(*argv: str | Path) -> Ran:
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = main([str(arg) for arg in argv])
        return Ran(code, out.getvalue(), err.getvalue())

    return ran
