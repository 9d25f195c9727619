"""``diplomat resume``: a game that was broken off goes on."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import typer

from diplomat.cli.options import AsJson, Shown, examples


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command(
        short_help="Go on with a game that was broken off.",
        epilog=examples("diplomat resume game.jsonl", "diplomat resume game.jsonl --budget 5"),
    )(resume)


def resume(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The transcript of an unfinished game.")],
    *,
    budget: Annotated[
        float | None,
        typer.Option(
            "--budget",
            metavar="USD",
            help="A new limit for the whole game, what was spent before included.",
            envvar="DIPLOMAT_BUDGET",
            show_envvar=True,
        ),
    ] = None,
    prices: Annotated[
        Path | None,
        typer.Option(
            "--prices", metavar="FILE", help="Your own price table.", envvar="DIPLOMAT_PRICES", show_envvar=True
        ),
    ] = None,
    record: Annotated[
        Path | None,
        typer.Option(
            "--record",
            metavar="FILE",
            help="Where the recorded calls are now, if not where the game left them; has to be typed each time.",
        ),
    ] = None,
    seat: Annotated[list[str] | None, typer.Option("--seat", hidden=True)] = None,
    display: Shown = "auto",
    reveal: Annotated[
        bool,
        typer.Option(
            "--reveal/--no-reveal",
            help="Write the reveal page next to the log.",
            envvar="DIPLOMAT_REVEAL",
            show_envvar=True,
        ),
    ] = True,
    json: AsJson = False,
) -> None:
    """Go on with a game that was broken off, with the same players, from the very event where it stopped.

    What was played is played again from the log and the recorded calls and compared; nothing is sent twice.
    """
    from diplomat.cli.playing import Playing
    from diplomat.core.errors import UsageError

    if seat:
        raise UsageError(
            "a game goes on with the players that it has, and --seat cannot change them; to let others take over, "
            f"fork it: diplomat fork {shlex.quote(str(file))} --at N --seat {shlex.quote(seat[0])} -o NEW"
        )
    from diplomat.session.resume import resume_session

    session = resume_session(file, prices=prices, budget=budget, record=record)
    Playing(session, file, force=False, display=display, reveal=reveal, as_json=json, going_on=True).run()
