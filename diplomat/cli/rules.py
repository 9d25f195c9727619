"""``diplomat rules``: the rules that a game brings with it."""

from __future__ import annotations

from typing import Annotated

import typer

from diplomat.cli.options import Lang, Shown, checked_lang, examples, locale_lang


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command(
        short_help="Print the rules of a game.",
        epilog=examples("diplomat rules rokugan", "diplomat rules rokugan --lang ru | less"),
    )(rules)


def rules(
    game: Annotated[str, typer.Argument(metavar="GAME", help="The game.")],
    lang: Lang = None,
    display: Shown = "auto",
) -> None:
    """Print a game's rules: set in type on a terminal, as Markdown into a pipe."""
    import sys
    from importlib.resources import files

    from diplomat.core.errors import DiplomatError
    from diplomat.games import find
    from diplomat.terminal.ladder import console, level

    language = checked_lang(lang, locale_lang())
    shown = level(display, sys.stdout)
    chosen = find(game)
    source = files(chosen.package).joinpath(f"rules.{language}.md")
    if not source.is_file():
        raise DiplomatError(f"{chosen.id} brings no rules in the language {language!r}")
    text = source.read_text(encoding="utf-8")
    if shown == "rich":
        from rich.markdown import Markdown

        console(shown, sys.stdout).print(Markdown(text, hyperlinks=False))
    elif shown == "plain":
        typer.echo(text.rstrip())
