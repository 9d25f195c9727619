"""A folder of small games with talk, and the command line run inside the test."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import pytest

from diplomat.cli import main
from diplomat.cli import study as command
from diplomat.cli.app import app
from diplomat.session import play
from diplomat.study.gather import Gathered, gather

GAMES = 12
PAIRS = ("honest", "backstabber", "schemer", "loyal")


@dataclass(frozen=True)
class Ran:
    code: int
    out: str
    err: str


class Run(Protocol):
    def __call__(self, *argv: str | Path) -> Ran: ...


@pytest.fixture(autouse=True)
def clean_surroundings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No variable of the person who runs the tests reaches the program."""
    for name in list(os.environ):
        if name.startswith("DIPLOMAT_") or name in ("NO_COLOR", "CI", "FORCE_COLOR", "LC_ALL", "LC_MESSAGES"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("LANG", "C.UTF-8")
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.chdir(tmp_path)
    if "study" not in {group.name for group in app.registered_groups}:
        app.add_typer(command.app, name="study")


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def ran(*argv: str | Path) -> Ran:
        capsys.readouterr()
        code = main([str(arg) for arg in argv])
        out, err = capsys.readouterr()
        return Ran(code, out, err)

    return ran


@pytest.fixture(scope="session")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Twelve finished games of three scripted daimyo who talk, two rounds each."""
    folder = tmp_path_factory.mktemp("logs")
    for number in range(GAMES):
        seats = {f"s{at + 1}": f"scripted:{PAIRS[(number + at) % len(PAIRS)]}" for at in range(3)}
        settings = {"rounds": 2}
        out = folder / f"game-{number:02d}.jsonl"
        play("rokugan", seats, players=3, seed=f"study/{number}", settings=settings, out=out)
    return folder


@pytest.fixture(scope="session")
def gathered(logs: Path) -> Gathered:
    return gather([logs])


Spoil = Callable[[list[str]], list[str]]
"""Makes another file of the lines of a log."""


def header(change: dict[str, Any]) -> Spoil:
    """The log with another header, and no hashes to say so."""

    def spoil(lines: list[str]) -> list[str]:
        return [
            json.dumps({**plain(lines[0]), **change, "format": 1}),
            *(json.dumps(plain(line)) for line in lines[1:]),
        ]

    return spoil


def plain(line: str) -> dict[str, Any]:
    """A line without its hash."""
    return {name: value for name, value in json.loads(line).items() if name != "chain"}


def other_words(lines: list[str]) -> list[str]:
    """One message says something else than was written."""
    at = next(at for at, line in enumerate(lines) if '"message_sent"' in line)
    row = json.loads(lines[at])
    row["data"]["text"] += " I swear it."
    lines[at] = json.dumps(row)
    return lines
