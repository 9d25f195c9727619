"""``diplomat reveal``: the page that opens a finished game."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from diplomat.cli.options import Force, Lang, Spoilers, checked_lang, examples


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command(
        short_help="Write a page that lays a game open.",
        epilog=examples("diplomat reveal game.jsonl", "diplomat reveal game.jsonl -o pages/game.html --lang ru"),
    )(reveal)


def reveal(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A transcript.")],
    out: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--out",
            metavar="FILE.html",
            help="Where to write; next to the transcript if not given.",
            envvar="DIPLOMAT_REVEAL_OUT",
            show_envvar=True,
        ),
    ] = None,
    force: Force = False,
    lang: Lang = None,
    spoilers: Spoilers = False,
) -> None:
    """Write one HTML page that lays a finished game open: letters, plans, promises and battles."""
    from diplomat.cli.reading import is_sound, loose, opened
    from diplomat.core.errors import DiplomatError
    from diplomat.terminal.safe import one_line
    from diplomat.transcript.where import check_free
    from diplomat.transcript.writer import write_new

    transcript = opened(file)
    language = checked_lang(lang, transcript.header.lang)
    if not transcript.finished and not spoilers:
        raise DiplomatError(
            f"{file} is not finished, and the page would open its secrets; add --spoilers to do it all the same"
        )
    target = out if out is not None else file.with_suffix(".html")
    if target.resolve() == file.resolve():
        raise DiplomatError(
            f"{file} is the log itself; name another file for the page, like {file.with_suffix('.html')}"
        )
    check_free(target, force=force)
    from diplomat.report.reveal import reveal_page

    try:
        page = reveal_page(transcript, language)
    except Exception as fault:
        if is_sound(transcript):
            raise
        raise loose(transcript, fault) from fault
    write_new(target, page, force=force)
    typer.echo(one_line(str(target)))
