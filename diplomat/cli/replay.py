"""``diplomat replay``: a log told again, as one seat saw it or opened."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from diplomat.cli.options import Lang, Shown, Spoilers, examples


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command(
        short_help="Tell a game again, as somebody saw it.",
        epilog=examples("diplomat replay game.jsonl --as crab", "diplomat replay game.jsonl --as watcher --to 120"),
    )(replay)


def replay(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A transcript.")],
    *,
    seat: Annotated[
        str | None,
        typer.Option(
            "--as",
            metavar="SEAT|watcher",
            help="Whose view; a finished game is opened without it.",
            envvar="DIPLOMAT_AS",
            show_envvar=True,
        ),
    ] = None,
    to: Annotated[
        int | None,
        typer.Option(
            "--to",
            metavar="N",
            min=1,
            help="Stop after event N, as numbered here.",
            envvar="DIPLOMAT_TO",
            show_envvar=True,
        ),
    ] = None,
    lang: Lang = None,
    spoilers: Spoilers = False,
    display: Shown = "auto",
) -> None:
    """Tell a game again, event by event, as one seat or a watcher saw it, or with everything opened.

    Events are numbered as in the log, and behind each message stands its id. In a game that is not
    finished, --as numbers what that seat or watcher saw instead, because gaps would tell how much
    others wrote in private.
    """
    from diplomat.cli.replaying import Replaying

    Replaying(file, seat, lang, spoilers=spoilers, display=display).run(to)
