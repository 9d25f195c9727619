"""``diplomat log path``: where transcripts go."""

from __future__ import annotations

import typer

from diplomat.cli.options import examples

app = typer.Typer(
    help="Where the logs of games are.",
    no_args_is_help=True,
    rich_markup_mode=None,
    epilog=examples("diplomat log path", 'ls "$(diplomat log path)"'),
)


@app.callback()
def _top() -> None:
    """Where the logs of games are."""


@app.command(epilog=examples("diplomat log path", 'ls -t "$(diplomat log path)" | head -1'))
def path() -> None:
    """Print the folder that transcripts go to when no file is named."""
    from diplomat.terminal.safe import one_line
    from diplomat.transcript.where import transcripts

    typer.echo(one_line(str(transcripts())))
