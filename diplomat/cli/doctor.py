"""``diplomat doctor``: what works here and what does not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass

import typer

from diplomat.cli.options import AsJson, examples, locale_lang

KEYS = ("ANTHROPIC_API_KEY", "OPENAI_API_KEY", "OPENROUTER_API_KEY", "GEMINI_API_KEY", "MISTRAL_API_KEY")
"""Only whether they are set is ever said."""
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing looked at; ``good=False`` stands in the way of playing, None is only told."""

    what: str
    found: str
    good: bool | None = True


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command(short_help="Check this installation.", epilog=examples("diplomat doctor", "diplomat doctor --json"))(
        doctor
    )


def doctor(json: AsJson = False) -> None:
    """Check this installation: versions, folders, profiles, games, terminal and keys (never their values)."""
    from diplomat.cli.playing import print_json
    from diplomat.terminal.safe import one_line

    found = list(findings())
    if json:
        print_json([asdict(finding) for finding in found])
    else:
        for finding in found:
            mark = {True: "ok ", False: "BAD", None: "-  "}[finding.good]
            typer.echo(one_line(f"{mark} {finding.what}: {finding.found}"))
    if any(finding.good is False for finding in found):
        raise typer.Exit(1)


def findings() -> Iterator[Finding]:
    """Everything that is looked at, in the order shown."""
    import os
    import platform

    import diplomat

    yield Finding("diplomat", diplomat.__version__)
    yield Finding("python", platform.python_version())
    yield _folder()
    yield from _profiles()
    yield from _games()
    yield Finding("language", f"{locale_lang()} (from the locale)")
    yield _terminal(os.environ)
    yield from _optional()
    for key in KEYS:
        yield Finding(key, "set" if os.environ.get(key) else "not set", None)


def _folder() -> Finding:
    from diplomat.transcript.where import transcripts, unwritable

    folder = transcripts()
    reason = unwritable(folder)
    state = "writable" if folder.is_dir() else "will be made"
    return Finding("transcripts", f"{folder} ({state if reason is None else reason})", reason is None)


def _profiles() -> Iterator[Finding]:
    from diplomat.agents.profile import load, paths
    from diplomat.core.errors import BadProfile

    good: list[str] = []
    for path in paths().values():
        try:
            good.append(load(path).id)
        except BadProfile as fault:
            yield Finding("profile", str(fault), False)
    yield Finding("profiles", f"{len(good)} ({', '.join(good)})", bool(good))


def _games() -> Iterator[Finding]:
    from diplomat.games import found, unusable

    games = found()
    for fault in unusable():
        yield Finding("game", str(fault), False)
    yield Finding("games", ", ".join(games) or "none", bool(games))


def _terminal(env: Mapping[str, str]) -> Finding:
    import shutil
    import sys

    from diplomat.terminal.ladder import level

    width = shutil.get_terminal_size().columns
    kind = env.get("TERM") or "TERM is not set"
    return Finding(
        "terminal", f"display {level('auto', sys.stdout)}, {width} columns, {kind}, {sys.stdout.encoding}", None
    )


def _optional() -> Iterator[Finding]:
    import shutil
    from importlib.util import find_spec

    browser = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    yield Finding("chromium", browser or "not found (only tests of the page need it)", None)
    for module in ("anthropic", "openai"):
        state = "installed" if find_spec(module) else "not installed (only games with its models need it)"
        yield Finding(f"package {module}", state, None)
