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
            "diplomat play --seats 3 --all anthropic:claude-haiku-4-5 --pace plan --budget 2",
            "diplomat play --seats 2 --all local",
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
    everyone: Annotated[
        str | None,
        typer.Option(
            "--all",
            metavar="AGENT",
            help="Who fills every seat not named: scripted, random, openai:MODEL, anthropic:MODEL, "
            "http://HOST:PORT/v1#MODEL or local.",
            envvar="DIPLOMAT_ALL",
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
    pace: Annotated[
        str | None,
        typer.Option(
            "--pace",
            metavar="step|plan",
            help="Ask models before every move, or for a whole plan of moves at once; step if not given.",
            envvar="DIPLOMAT_PACE",
            show_envvar=True,
        ),
    ] = None,
    budget: Annotated[
        float | None,
        typer.Option(
            "--budget",
            metavar="USD",
            help="What the game may cost; it stops before a call that could cost more, and can be resumed.",
            envvar="DIPLOMAT_BUDGET",
            show_envvar=True,
        ),
    ] = None,
    prices: Annotated[
        Path | None,
        typer.Option(
            "--prices",
            metavar="FILE",
            help="Your own price table; it goes before the one that comes along.",
            envvar="DIPLOMAT_PRICES",
            show_envvar=True,
        ),
    ] = None,
    dry_run: Annotated[
        bool,
        typer.Option(
            "--dry-run",
            help="Play nothing; forecast calls, tokens and cost.",
            envvar="DIPLOMAT_DRY_RUN",
            show_envvar=True,
        ),
    ] = False,
    free: Annotated[
        bool,
        typer.Option(
            "--free",
            help="Do not have servers hold replies to a form; models see what is legal and answer freely.",
            envvar="DIPLOMAT_FREE",
            show_envvar=True,
        ),
    ] = False,
    record: Annotated[
        Path | None,
        typer.Option(
            "--record",
            metavar="FILE",
            help="Write the calls of models here; beside the log if not given.",
            envvar="DIPLOMAT_RECORD",
            show_envvar=True,
        ),
    ] = None,
    replay: Annotated[
        Path | None,
        typer.Option(
            "--replay",
            metavar="FILE",
            help="Take every reply of a model from such a file; no server is asked.",
            envvar="DIPLOMAT_REPLAY",
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

    The game is told on stderr, its result goes to stdout: with "> result.txt" the game is still shown,
    with "2>/dev/null" only the result is. --display and its "auto" look at where the game is told.
    """
    from diplomat.cli.playing import Playing
    from diplomat.core.errors import UsageError

    asked_for = (("budget", budget), ("record", record), ("replay", replay))
    session = _session(
        game=game,
        seats=seats,
        seat=seat or [],
        table=table,
        seed=seed,
        lang=lang,
        settings=settings or [],
        deadline=deadline,
        everyone=everyone,
        calling={
            "pace": pace,
            "budget": budget,
            "prices": prices,
            "record": record,
            "replay": replay,
            **({"constrained": False} if free else {}),
            **({"sending": False} if dry_run else {}),
        },
    )
    if not session.endpoints and (unused := next((name for name, value in asked_for if value is not None), None)):
        raise UsageError(f"--{unused} is for language models, and none sits at this table; see --all and --seat")
    if dry_run:
        from diplomat.cli.foretelling import foretell

        foretell(session, as_json=json)
        return
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
    everyone: str | None,
    calling: dict[str, Any],
) -> Session:
    """The table of a file with the options over it, checked."""
    from diplomat.cli.tablefile import TableFile, joined, read_table, seat_wishes, setting_entries
    from diplomat.session import prepare
    from diplomat.session.models import Models

    asked = read_table(table) if table is not None else TableFile()
    given = {name: value for name, value in calling.items() if value is not None}
    raw: dict[str, Any] = joined(asked.settings, setting_entries(settings))
    return prepare(
        game or asked.game or "rokugan",
        {**asked.seats, **seat_wishes(seat)},
        players=seats if seats is not None else asked.players,
        seed=seed if seed is not None else asked.seed,
        lang=checked_lang(lang or asked.lang, locale_lang()),
        settings=raw,
        deadline=deadline if deadline is not None else asked.deadline,
        everyone=everyone or asked.all,
        models=Models(**{name: value for name, value in (asked.calling() | given).items() if value is not None}),
    )
