"""Help pages: quick, with examples and environment variables."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import pytest
import typer.main

import diplomat
from diplomat.cli.app import app

if TYPE_CHECKING:
    from .conftest import Run


class Parameter(Protocol):
    """What is asked of an option or argument; where typer keeps the class differs between its versions."""

    opts: list[str]

    @property
    def name(self) -> str | None: ...

    @property
    def envvar(self) -> str | Sequence[str] | None: ...

    @property
    def param_type_name(self) -> str: ...


class Command(Protocol):
    """What is asked of a command or group of commands."""

    help: str | None
    epilog: str | None

    @property
    def params(self) -> Sequence[Parameter]: ...


def pages(command: Command | None = None, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Command]]:
    """Every command with its path, groups too."""
    command = command or typer.main.get_command(app)
    yield path, command
    for name, below in getattr(command, "commands", {}).items():
        yield from pages(below, (*path, name))


PAGES = dict(pages())


@pytest.mark.parametrize("path", PAGES, ids=lambda path: " ".join(path) or "diplomat")
@pytest.mark.parametrize("flag", ["-h", "--help"])
def test_every_page_has_a_sentence_and_two_examples(run: Run, path: tuple[str, ...], flag: str) -> None:
    ran = run(*path, flag)
    assert (ran.code, ran.err) == (0, "")
    _, _, examples = ran.out.partition("Examples:\n")
    lines = [line.strip() for line in examples.splitlines() if line.strip()]
    assert len(lines) >= 2
    assert all("diplomat" in line for line in lines)
    sentence = (PAGES[path].help or "").split("\n\n")[0].strip()
    assert sentence.endswith(".")


TYPED = ("spoilers", "force")
"""What opens secrets or destroys files is never inherited from the surroundings."""


@pytest.mark.parametrize("path", PAGES, ids=lambda path: " ".join(path) or "diplomat")
def test_every_option_has_a_variable_that_help_shows(run: Run, path: tuple[str, ...]) -> None:
    text = " ".join(run(*path, "--help").out.split())
    for option in PAGES[path].params:
        if option.param_type_name != "option" or getattr(option, "hidden", False) or option.name in ("help", "version"):
            continue
        if option.name in TYPED or (path, option.name) == (("resume",), "record"):
            assert option.envvar is None
            assert "has to be typed each time" in text
            continue
        assert str(option.envvar).startswith("DIPLOMAT_"), option.name
        assert f"env var: {option.envvar}" in text


def test_examples_use_real_options() -> None:
    """An example may be of a command below its page's own."""
    for command in PAGES.values():
        for line in (command.epilog or "").splitlines():
            words = line.replace("$(", " ").replace(')"', " ").split("|")[0].split()
            if "diplomat" not in words:
                continue
            words = words[words.index("diplomat") + 1 :]
            path = max((p for p in PAGES if tuple(words[: len(p)]) == p), key=len)
            known = {name for option in PAGES[path].params for name in option.opts}
            assert {word for word in words if word.startswith("--")} <= known, line


def test_version(run: Run) -> None:
    assert run("--version").out == f"diplomat {diplomat.__version__}\n"


def test_nothing_asked_shows_the_help_and_is_wrong_usage(run: Run) -> None:
    ran = run()
    assert ran.code == 2
    assert "Usage: diplomat" in ran.err


def test_help_imports_nothing_heavy() -> None:
    script = (
        "import sys; from diplomat.cli import main; code = main(['--help']);"
        "heavy = ('pydantic', 'rich', 'jinja2', 'openai', 'anthropic', 'diplomat.games', 'diplomat.session');"
        "print([name for name in heavy if name in sys.modules], code, file=sys.stderr)"
    )
    env = {**os.environ, "PYTHONPATH": str(Path(diplomat.__file__).parents[1])}
    ran = subprocess.run([sys.executable, "-c", script], env=env, capture_output=True, text=True, check=True)
    assert ran.stderr.strip() == "[] 0"
