"""``diplomat fork``: a saved game played on from any event with one thing changed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from diplomat.cli.options import AsJson, Force, Shown, examples


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command(
        short_help="Play a saved game on from one of its events, with one thing changed.",
        epilog=examples(
            "diplomat fork game.jsonl --at 240 --seat crane=scripted:honest -o kinder.jsonl",
            "diplomat fork game.jsonl --drop-message 's1>s2.3' -o unsaid.jsonl",
        ),
    )(fork)


def fork(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A transcript.")],
    *,
    at: Annotated[
        int | None,
        typer.Option(
            "--at", metavar="N", help="The last event both games share.", envvar="DIPLOMAT_FORK_AT", show_envvar=True
        ),
    ] = None,
    seat: Annotated[
        list[str] | None,
        typer.Option(
            "--seat",
            metavar="SEAT=AGENT[:PROFILE]",
            help="Somebody else takes over a seat or a role; may be repeated.",
            envvar="DIPLOMAT_FORK_SEAT",
            show_envvar=True,
        ),
    ] = None,
    drop: Annotated[
        str | None,
        typer.Option(
            "--drop-message",
            metavar="ID",
            help="This message is never sent; the games part there. diplomat replay shows the id behind each message.",
            envvar="DIPLOMAT_FORK_DROP",
            show_envvar=True,
        ),
    ] = None,
    seed: Annotated[
        str | None,
        typer.Option(
            "--seed", metavar="N", help="Other dice from there on.", envvar="DIPLOMAT_FORK_SEED", show_envvar=True
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("-o", "--out", metavar="NEW", help="Write the log here.", envvar="DIPLOMAT_OUT", show_envvar=True),
    ] = None,
    force: Force = False,
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
    """Play a saved game on from one of its events, with one thing changed: a player, the dice, or a message unsaid.

    Without a change the same game comes out again. The header of the new log names its parent and the change.
    """
    from diplomat.cli.playing import Playing
    from diplomat.cli.tablefile import seat_wishes
    from diplomat.session.forking import forked

    session = forked(file, at, seats=seat_wishes(seat or []), seed=seed, drop=drop)
    Playing(session, out, force=force, display=display, reveal=reveal, as_json=json).run()
