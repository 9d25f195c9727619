"""``diplomat profiles``: the personalities that can sit in a seat."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from diplomat.cli.options import AsJson, Lang, checked_lang, examples, locale_lang

app = typer.Typer(
    help="List, show and check personalities.",
    rich_markup_mode=None,
    epilog=examples("diplomat profiles", "diplomat profiles show honest"),
)


@app.callback(invoke_without_command=True)
def _top(context: typer.Context) -> None:
    """List, show and check personalities."""
    if context.invoked_subcommand is None:
        list_profiles()


@app.command("list", epilog=examples("diplomat profiles list", "diplomat profiles list --json"))
def list_profiles(lang: Lang = None, json: AsJson = False) -> None:
    """List every personality with one sentence about it."""
    import sys

    from diplomat.agents.profile import load, paths
    from diplomat.cli.playing import print_json
    from diplomat.terminal.ladder import console, level
    from diplomat.terminal.safe import safe

    language = checked_lang(lang, locale_lang())
    found = [(load(path), path) for path in paths().values()]
    if json:
        print_json(
            [
                {"id": p.id, "name": p.name.say(language), "summary": p.summary.say(language), "file": str(path)}
                for p, path in found
            ]
        )
        return
    out = console(level("auto", sys.stdout), sys.stdout)
    for profile, _ in found:
        line = safe(f"{profile.id:<13} ", "bold")
        line.append_text(safe(f"{profile.name.say(language)}. {profile.summary.say(language)}"))
        out.print(line, soft_wrap=not sys.stdout.isatty())


@app.command(epilog=examples("diplomat profiles show honest", "diplomat profiles show ./my-profile.toml --lang ru"))
def show(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A personality, or a TOML file.")],
    lang: Lang = None,
    json: AsJson = False,
) -> None:
    """Show one personality: its numbers and its prose."""
    import sys

    from diplomat.agents.profile import find
    from diplomat.cli.playing import print_json
    from diplomat.terminal.ladder import console, level
    from diplomat.terminal.safe import safe

    language = checked_lang(lang, locale_lang())
    profile = find(name)
    if json:
        print_json(profile.model_dump(mode="json"))
        return
    out = console(level("auto", sys.stdout), sys.stdout)
    out.print(safe(f"{profile.name.say(language)} ({profile.id}, {profile.tone})", "bold"))
    out.print(safe(profile.summary.say(language)))
    out.print()
    for trait, share in profile.traits.model_dump().items():
        out.print(safe(f"{trait:<12} {share:4.2f} {'█' * round(share * 20)}"))
    out.print()
    out.print(safe(profile.prose.say(language)))


@app.command(epilog=examples("diplomat profiles check", "diplomat profiles check my-profile.toml other.toml"))
def check(
    files: Annotated[
        list[Path] | None,
        typer.Argument(metavar="[FILES]...", help="Profile files; all that are found if none is given."),
    ] = None,
) -> None:
    """Check personality files and say of each what is wrong with it."""
    import sys

    from diplomat.agents.profile import load, paths
    from diplomat.core.errors import BadProfile
    from diplomat.terminal.safe import one_line

    bad = 0
    for path in files or paths().values():
        try:
            profile = load(path)
        except BadProfile as fault:
            bad += 1
            sys.stderr.write(f"diplomat: {one_line(str(fault))}\n")
        else:
            typer.echo(one_line(f"{path}: good ({profile.id})"))
    if bad:
        raise typer.Exit(1)
