"""``diplomat doctor``: what works here and what does not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from diplomat.cli.options import AsJson, examples, locale_lang

if TYPE_CHECKING:
    from diplomat.llm.names import Endpoint

KEYS = ("ANTHROPIC_API_KEY", "OPENAI_API_KEY", "DIPLOMAT_SERVER_KEY")
"""Only whether they are set is ever said."""
ADDRESSES = ("ANTHROPIC_BASE_URL", "OPENAI_BASE_URL")
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing looked at; ``good=False`` stands in the way of playing, None is only told."""

    what: str
    found: str
    good: bool | None = True


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command(
        short_help="Check this installation.",
        epilog=examples("diplomat doctor", "diplomat doctor --model http://127.0.0.1:8080/v1#qwen3"),
    )(doctor)


def doctor(
    model: Annotated[
        str | None,
        typer.Option(
            "--model",
            metavar="NAME",
            help="Also ask this model for some tiny replies.",
            envvar="DIPLOMAT_MODEL",
            show_envvar=True,
        ),
    ] = None,
    json: AsJson = False,
) -> None:
    """Check this installation: versions, folders, games, terminal, language models and keys (never their values)."""
    from diplomat.cli.playing import print_json
    from diplomat.llm.names import parse
    from diplomat.terminal.safe import one_line

    asked = None if model is None else parse(model)
    found = list(findings())
    if asked is not None:
        found.extend(_model(asked))
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
    from diplomat.llm.keys import masked

    yield Finding("diplomat", diplomat.__version__)
    yield Finding("python", platform.python_version())
    yield _folder()
    yield from _profiles()
    yield from _games()
    yield Finding("language", f"{locale_lang()} (from the locale)")
    yield _terminal(os.environ)
    yield from _optional()
    yield from _models()
    for key in KEYS:
        yield Finding(key, "set" if os.environ.get(key) else "not set", None)
    for address in ADDRESSES:
        if os.environ.get(address):
            yield Finding(address, masked(os.environ[address]), None)


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


def _models() -> Iterator[Finding]:
    """What is known about language models without asking any."""
    from diplomat.core.errors import UsageError
    from diplomat.llm.home import config_file
    from diplomat.llm.known import Known
    from diplomat.llm.local import missing
    from diplomat.llm.prices import Prices, as_of

    yield Finding("local model", missing() or "installed", None)
    try:
        priced, own = len(Prices.load().listed()), config_file("prices.toml")
        yours = f"yours in {own}" if own.is_file() else f"yours may stand in {own}"
        yield Finding("prices", f"of {priced} models, as of {as_of()}; {yours}")
    except UsageError as fault:
        yield Finding("prices", str(fault), False)
    known = Known().listed()
    forms = ", ".join(f"{name} {mode}" for name, mode in known) or "none yet; diplomat models check NAME finds out"
    yield Finding("JSON forms remembered", forms, None)


def _model(endpoint: Endpoint) -> Iterator[Finding]:
    """What one endpoint says for itself."""
    import asyncio

    from diplomat.core.errors import DiplomatError
    from diplomat.llm.known import Known
    from diplomat.llm.prices import Prices
    from diplomat.llm.probe import probe
    from diplomat.session.models import served

    name = endpoint.name
    try:
        with served((endpoint,), running=True) as places:
            found = asyncio.run(probe(places[endpoint], known=Known()))
        price = Prices.load().of(endpoint)
    except DiplomatError as fault:
        yield Finding(name, str(fault), False)
        return
    yield Finding(name, "reachable" if found.reachable else found.fault or "not reachable", found.reachable)
    if not found.reachable:
        return
    if found.listed is False:
        yield Finding(name, "the server does not list this model", None)
    forms = ", ".join(f"{mode} {held}" for mode, held in found.modes.items())
    best = f"best: {found.best}" if found.best else found.fault or "it holds to none"
    yield Finding("JSON forms", f"{forms}; {best}", found.best is not None)
    known = "not known; a budget needs one (--prices FILE)" if price is None else "free" if price.free else "known"
    yield Finding("price", known, None)
