"""``diplomat verify``: whether a log is what its game gives."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from diplomat.cli.options import AsJson, examples

if TYPE_CHECKING:
    from diplomat.transcript.reader import Transcript
    from diplomat.transcript.verify import Verdict


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command(
        short_help="Check that a log is what its game gives.",
        epilog=examples("diplomat verify game.jsonl", "diplomat verify game.jsonl --json"),
    )(verify)


def verify(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A transcript.")],
    chain: Annotated[
        str | None,
        typer.Option(
            "--chain",
            metavar="HASH",
            help="The last hash of the log as it was kept elsewhere.",
            envvar="DIPLOMAT_CHAIN",
            show_envvar=True,
        ),
    ] = None,
    json: AsJson = False,
) -> None:
    """Check a log's hashes, play it again from its seed and answers, and name the first event that differs."""
    from diplomat.cli.playing import print_json
    from diplomat.cli.reading import opened
    from diplomat.terminal.safe import one_line

    kept = None if chain is None else _hash(chain)
    transcript = opened(file, judged=True)
    verdict = _checked(transcript, kept)
    found = verdict.difference
    if json:
        differs = None if found is None else {"n": found.n, "line": found.line, "why": found.why}
        print_json(
            {
                "sound": verdict.sound,
                "events": verdict.events,
                "finished": verdict.finished,
                "format": transcript.format,
                "chain": verdict.chain,
                "difference": differs,
            }
        )
    elif found is not None:
        typer.echo(one_line(f"{file}: differs at {found}"))
    else:
        for line in _told(verdict, transcript.format):
            typer.echo(one_line(f"{file}: {line}"))
    if found is not None:
        raise typer.Exit(1)


def _hash(text: str) -> str:
    """A hash as it stands in a log; UsageError for anything else."""
    from diplomat.core.errors import UsageError
    from diplomat.transcript.chain import LENGTH

    asked = text.strip().lower()
    if re.fullmatch(f"[0-9a-f]{{{LENGTH}}}", asked) is None:
        raise UsageError(f"--chain takes {LENGTH} hexadecimal digits as diplomat verify shows them, not {text!r}")
    return asked


def _checked(transcript: Transcript, chain: str | None) -> Verdict:
    from diplomat.core.errors import BadTranscript
    from diplomat.transcript.verify import verify as check

    try:
        return check(transcript, chain)
    except Exception as fault:
        raise BadTranscript(
            f"{transcript.path}: the game cannot be played from this log ({type(fault).__name__}: {fault})"
        ) from fault


def _told(verdict: Verdict, version: int) -> list[str]:
    state = "finished" if verdict.finished else "not finished; whole so far"
    said = [f"sound, {verdict.events} events, {state}"]
    if verdict.chain is None:
        said.append(f"format {version} has no hashes: nothing shows whether words, plans and notes were changed")
    else:
        said.append(f"chain {verdict.chain}")
    return said
