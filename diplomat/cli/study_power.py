"""``diplomat study power``: how many games are enough."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from diplomat.cli.options import AsJson, Force, Lang, checked_lang, examples, locale_lang
from diplomat.cli.study_options import Jobs, Out, StudySeed
from diplomat.cli.studying import games_in, note, show


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command(
        epilog=examples(
            "diplomat study power --first 0.1 --second 0.3",
            "diplomat study power logs/ --first 0.15 --second 0.2 --games 50 --games 100 --out plan",
        )
    )(power)


def power(
    pilot: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="[FILES]...", help="Games as a pilot: how many promises, and how alike those of one kind are."
        ),
    ] = None,
    *,
    first: Annotated[
        float,
        typer.Option(
            "--first",
            metavar="SHARE",
            help="Assumed share of broken promises of the one kind of player.",
            envvar="DIPLOMAT_POWER_FIRST",
            show_envvar=True,
        ),
    ],
    second: Annotated[
        float,
        typer.Option(
            "--second", metavar="SHARE", help="Of the other kind.", envvar="DIPLOMAT_POWER_SECOND", show_envvar=True
        ),
    ],
    per_game: Annotated[
        float | None,
        typer.Option(
            "--per-game",
            metavar="N",
            help="Binding promises of each kind per game; the pilot's, or 4.",
            envvar="DIPLOMAT_POWER_PER_GAME",
            show_envvar=True,
        ),
    ] = None,
    icc: Annotated[
        float | None,
        typer.Option(
            "--icc",
            metavar="R",
            help="Correlation of promises of one kind within a game; the pilot's, or 0.05.",
            envvar="DIPLOMAT_POWER_ICC",
            show_envvar=True,
        ),
    ] = None,
    games: Annotated[
        list[int] | None,
        typer.Option(
            "--games",
            metavar="N",
            min=2,
            help="A number of games to try; may be repeated.",
            envvar="DIPLOMAT_POWER_GAMES",
            show_envvar=True,
        ),
    ] = None,
    by: Annotated[
        str,
        typer.Option(
            "--by",
            metavar="profile|model|clan|seat|agent|lang",
            help="What the kinds of player in the pilot are.",
            envvar="DIPLOMAT_STUDY_BY",
            show_envvar=True,
        ),
    ] = "profile",
    wanted: Annotated[
        float,
        typer.Option(
            "--chance",
            metavar="SHARE",
            help="How likely the study should find the difference.",
            envvar="DIPLOMAT_POWER_CHANCE",
            show_envvar=True,
        ),
    ] = 0.8,
    out: Out = None,
    force: Force = False,
    seed: StudySeed = "0",
    jobs: Jobs = None,
    lang: Lang = None,
    json: AsJson = False,
) -> None:
    """Say how many games a comparison of two kinds of player needs, before it is played."""
    from dataclasses import asdict

    from diplomat.cli.playing import print_json
    from diplomat.study.counts import grouping, labelled
    from diplomat.study.planning import SIZES, pilot_of, plan_section, planned, write_plan
    from diplomat.study.sections.words import report_texts

    language = checked_lang(lang, locale_lang())
    say = report_texts(language)
    kinds = grouping(by)
    ledgers = labelled(games_in(pilot, jobs, False, "", language).ledgers, kinds) if pilot else []
    known = pilot_of(ledgers, kinds) if pilot else None
    found = planned(
        first, second, per_game=per_game, icc=icc, games=games or SIZES, wanted=wanted, pilot=known, seed=seed
    )
    if json:
        print_json(asdict(found))
    else:
        show([plan_section(found, say)])
    if out is not None:
        paths = write_plan(found, out, lang=language, overwrite=force)
        note(say.say("wrote.files", count=len(paths), folder=out))
