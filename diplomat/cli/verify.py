"""``diplomat verify``: whether a log is what its game gives."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from diplomat.cli.options import AsJson, examples


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command(
        short_help="Check that a log is what its game gives.",
        epilog=examples("diplomat verify game.jsonl", "diplomat verify game.jsonl --json"),
    )(verify)


def verify(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A transcript.")],
    json: AsJson = False,
) -> None:
    """Play a log again from its seed and answers, and name the first event that differs."""
    from diplomat.cli.playing import print_json
    from diplomat.cli.reading import opened
    from diplomat.core.errors import BadTranscript
    from diplomat.terminal.safe import one_line
    from diplomat.transcript.verify import verify as check

    transcript = opened(file)
    try:
        verdict = check(transcript)
    except Exception as fault:
        raise BadTranscript(
            f"{file}: the game cannot be played from this log ({type(fault).__name__}: {fault})"
        ) from fault
    found = verdict.difference
    if json:
        differs = None if found is None else {"n": found.n, "line": found.line, "why": found.why}
        print_json(
            {"sound": verdict.sound, "events": verdict.events, "finished": verdict.finished, "difference": differs}
        )
    elif found is not None:
        typer.echo(one_line(f"{file}: differs at {found}"))
    else:
        state = "finished" if verdict.finished else "not finished; whole so far"
        typer.echo(one_line(f"{file}: sound, {verdict.events} events, {state}"))
    if found is not None:
        raise typer.Exit(1)
