"""What pure code may import, and how little ``import diplomat`` loads."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import diplomat

PACKAGE = Path(diplomat.__file__).parent
IMPURE = {
    "aiohttp", "anthropic", "asyncio", "concurrent", "datetime", "http", "httpx", "jinja2", "multiprocessing", "openai",
    "os", "requests", "rich", "secrets", "select", "selectors", "socket", "socketserver", "ssl", "starlette",
    "subprocess", "tenacity", "threading", "time", "typer", "urllib", "uuid", "uvicorn", "websockets",
}  # fmt: skip
"""Clocks, networks, event loops, processes, unseeded chance and terminals."""
ABOVE = {
    "agents", "arena", "cli", "llm", "report", "session", "study", "table", "terminal", "testing", "transcript", "web",
}  # fmt: skip


def _imports(path: Path) -> Iterator[tuple[int, str]]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: imports are written out in full"
            yield node.lineno, str(node.module)
            yield from ((node.lineno, f"{node.module}.{alias.name}") for alias in node.names)


def _files(*folders: str) -> list[Path]:
    return sorted(path for folder in folders for path in (PACKAGE / folder).rglob("*.py"))


@pytest.mark.parametrize("path", _files("core", "games"), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_pure_code_knows_no_clock_and_no_network(path: Path) -> None:
    for line, name in _imports(path):
        parts = name.split(".")
        assert parts[0] not in IMPURE, f"{path}:{line} imports {name}"
        if parts[0] == "diplomat" and len(parts) > 1:
            assert parts[1] not in ABOVE, f"{path}:{line} imports {name}"
            assert parts[1] != "games" or "games" in path.parts, f"{path}:{line}: the core imports a game"


@pytest.mark.parametrize("path", _files("core"), ids=lambda path: path.name)
def test_the_core_is_standard_library_only(path: Path) -> None:
    allowed = sys.stdlib_module_names | {"diplomat"}
    strangers = [name for _, name in _imports(path) if name.split(".")[0] not in allowed]
    assert not strangers


@pytest.mark.parametrize("path", _files("core", "games"), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_pure_code_throws_no_dice_of_its_own(path: Path) -> None:
    if path.name == "dice.py":
        return
    names = {name for _, name in _imports(path)}
    assert not names & {"random", "secrets"}


def test_importing_the_package_loads_next_to_nothing() -> None:
    code = "import sys, diplomat; print(*sorted({name.split('.')[0] for name in sys.modules}))"
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=PACKAGE.parent, timeout=60
    )
    loaded = set(run.stdout.split())
    assert not loaded & {"pydantic", "typer", "rich", "jinja2", "asyncio", "openai", "anthropic", "diplomat.session"}
