"""``diplomat play``: a whole game at this terminal."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from diplomat.cli.options import AsJson, Force, Lang, Seed, Shown, checked_lang, examples, locale_lang

if TYPE_CHECKING:
    from diplomat.session import Session


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command(
        short_help="Play a whole game and watch it.",
        epilog=examples(
            "diplomat play",
            "diplomat play rokugan --seat crab=scripted:honest --seat lion=random --seed 7 --out game.jsonl",
        ),
    )(play)


def play(
    game: Annotated[str | None, typer.Argument(metavar="GAME", help="The game; rokugan if not given.")] = None,
    *,
    seats: Annotated[
        int | None,
        typer.Option("--seats", metavar="N", help="How many players.", envvar="DIPLOMAT_SEATS", show_envvar=True),
    ] = None,
    seat: Annotated[
        list[str] | None,
        typer.Option(
            "--seat",
            metavar="SEAT=AGENT[:PROFILE]",
            help="Who fills a seat or a role; may be repeated. Other seats get scripted players.",
            envvar="DIPLOMAT_SEAT",
            show_envvar=True,
        ),
    ] = None,
    table: Annotated[
        Path | None,
        typer.Option(
            "--table",
            metavar="FILE.toml",
            help="Read the table from a file.",
            envvar="DIPLOMAT_TABLE",
            show_envvar=True,
        ),
    ] = None,
    seed: Seed = None,
    lang: Lang = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FILE", help="Write the log here.", envvar="DIPLOMAT_OUT", show_envvar=True),
    ] = None,
    force: Force = False,
    display: Shown = "auto",
    delay: Annotated[
        float | None,
        typer.Option(
            "--delay",
            metavar="SECONDS",
            min=0.0,
            max=60.0,
            help="Wait after each line; 0.012 on a terminal, 0 elsewhere.",
            envvar="DIPLOMAT_DELAY",
            show_envvar=True,
        ),
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set", metavar="KEY=VALUE", help="A setting of the game.", envvar="DIPLOMAT_SET", show_envvar=True
        ),
    ] = None,
    deadline: Annotated[
        float | None,
        typer.Option(
            "--deadline",
            metavar="SECONDS",
            help="Time for each answer, after which the default is taken; no limit if not given.",
            envvar="DIPLOMAT_DEADLINE",
            show_envvar=True,
        ),
    ] = None,
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
    """Play a whole game and watch it; with no arguments, five personalities play Rokugan.

    Everything goes to stdout; with --json only the result does, and the game is told on stderr.
    """
    from diplomat.cli.playing import Playing

    session = _session(
        game=game,
        seats=seats,
        seat=seat or [],
        table=table,
        seed=seed,
        lang=lang,
        settings=settings or [],
        deadline=deadline,
    )
    Playing(session, out, force=force, display=display, reveal=reveal, as_json=json, delay=delay).run()


def _session(
    *,
    game: str | None,
    seats: int | None,
    seat: list[str],
    table: Path | None,
    seed: str | None,
    lang: str | None,
    settings: list[str],
    deadline: float | None,
) -> Session:
    """The table of a file with the options over it, checked."""
    from diplomat.cli.tablefile import TableFile, joined, read_table, seat_wishes, setting_entries
    from diplomat.session import prepare

    asked = read_table(table) if table is not None else TableFile()
    raw: dict[str, Any] = joined(asked.settings, setting_entries(settings))
    return prepare(
        game or asked.game or "rokugan",
        {**asked.seats, **seat_wishes(seat)},
        players=seats if seats is not None else asked.players,
        seed=seed if seed is not None else asked.seed,
        lang=checked_lang(lang or asked.lang, locale_lang()),
        settings=raw,
        deadline=deadline,
    )
