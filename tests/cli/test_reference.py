"""The written reference of the command line is the one that the commands give, wherever it is made."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import pytest
import typer

import diplomat
from diplomat.cli.options import examples
from diplomat.cli.reference import TARGET, main, reference

SURROUNDINGS: Mapping[str, Mapping[str, str]] = {
    "narrow terminal": {"COLUMNS": "40", "TERM": "xterm"},
    "Russian locale": {"LANG": "ru_RU.UTF-8", "LC_ALL": "ru_RU.UTF-8"},
    "no locale and ASCII streams": {"LC_ALL": "C", "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"},
    "options by variable": {"DIPLOMAT_LANG": "ru", "DIPLOMAT_SEED": "7", "DIPLOMAT_DISPLAY": "none", "NO_COLOR": "1"},
}


def test_written_reference_is_fresh() -> None:
    written = TARGET.read_text(encoding="utf-8") if TARGET.is_file() else ""
    assert written == reference(), "docs/cli.md is stale; write it with: python -m diplomat.cli.reference --write"


@pytest.mark.parametrize("surroundings", SURROUNDINGS.values(), ids=list(SURROUNDINGS))
def test_surroundings_do_not_matter(surroundings: Mapping[str, str]) -> None:
    root = str(Path(diplomat.__file__).parents[1])
    command = [sys.executable, "-m", "diplomat.cli.reference"]
    env = {**os.environ, "PYTHONPATH": root, **surroundings}
    ran = subprocess.run(command, env=env, capture_output=True, check=True)
    assert (ran.stdout.decode("utf-8"), ran.stderr) == (reference(), b"")


def test_write_puts_it_into_its_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "cli.md"
    monkeypatch.setattr("diplomat.cli.reference.TARGET", target)
    assert main(["--write"]) == 0
    assert target.read_bytes() == reference().encode()


def test_every_part_of_a_command_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    app = typer.Typer(epilog=examples("diplomat greet you"))
    app.callback()(lambda: None)

    @app.command(epilog=examples("diplomat greet you", "diplomat greet you --often 3"))
    def greet(
        whom: Annotated[str, typer.Argument(metavar="WHOM", help="Somebody.")],
        often: Annotated[int, typer.Option("-n", "--often", metavar="N", help="How often.", envvar="X_OFTEN")] = 2,
        kindly: Annotated[bool, typer.Option("--kindly/--coldly", help="In what way.", envvar="X_KINDLY")] = True,
        title: Annotated[list[str] | None, typer.Option("--title", metavar="T", help="A title.")] = None,
    ) -> None:
        """Greet
        somebody."""

    @app.command(hidden=True)
    def whisper() -> None:
        """Say nothing."""

    monkeypatch.setattr("diplomat.cli.app.app", app)
    page = reference()
    assert "- `greet`: Greet somebody.\n" in page
    assert "\n## `diplomat greet`\n\n    diplomat greet [OPTIONS] WHOM\n\nGreet somebody.\n" in page
    assert "- `WHOM`: Somebody.\n" in page
    assert "- `-n, --often N`: How often. Default: `2`. Variable: `X_OFTEN`.\n" in page
    assert "- `--kindly / --coldly`: In what way. Default: `--kindly`. Variable: `X_KINDLY`.\n" in page
    assert "- `--title T`: A title. Repeatable.\n" in page
    assert "Examples:\n\n    diplomat greet you\n    diplomat greet you --often 3\n" in page
    assert "whisper" not in page
