"""``diplomat study``: saved games as tables, figures and tests; other commands of the study hang on it."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from diplomat.cli import study_exchange, study_power
from diplomat.cli.options import AsJson, Force, Lang, checked_lang, examples, locale_lang
from diplomat.cli.study_options import Changed, Coder, Files, Jobs, Out, Rules, Sources, StudySeed
from diplomat.cli.studying import ascii_json, games_in, note, processes, progress, show

GAMES = "games"
"""The command that is meant when none is named."""


class StudyGroup(TyperGroup):
    """Takes files without the name of a command: ``diplomat study FILES`` is ``diplomat study games FILES``."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Puts the usual command before anything that is none."""
        if args and args[0] not in self.commands and args[0] not in ctx.help_option_names:
            args = [GAMES, *args]
        return super().parse_args(ctx, args)


app = typer.Typer(
    cls=StudyGroup,
    help="Count and compare what was promised, meant, done and believed in saved games.\n\n"
    "Files without a command are studied, as by 'diplomat study games'.",
    no_args_is_help=True,
    rich_markup_mode=None,
    epilog=examples(
        "diplomat study logs/",
        "diplomat study games logs/ --by profile --out study",
        "diplomat study power --first 0.1 --second 0.3",
    ),
)


@app.callback()
def _top() -> None:
    """Count and compare what was promised, meant, done and believed in saved games.

    Files without a command are studied, as by 'diplomat study games'.
    """


@app.command(
    GAMES,
    epilog=examples(
        "diplomat study games logs/",
        "diplomat study games logs/*.jsonl --by clan --out study",
        "diplomat study games logs/ anna.jsonl --coder anna --json",
        "diplomat study games logs/ gold.jsonl --sources people,declared,rule",
    ),
)
def study_games(
    files: Files,
    by: Annotated[
        str,
        typer.Option(
            "--by",
            metavar="profile|model|clan|seat|agent|lang",
            help="What players are grouped by.",
            envvar="DIPLOMAT_STUDY_BY",
            show_envvar=True,
        ),
    ] = "profile",
    out: Out = None,
    force: Force = False,
    resamples: Annotated[
        int | None,
        typer.Option(
            "--resamples",
            metavar="N",
            min=50,
            help="Resamples of games for each interval; 400 to 2000 by the number of games if not given.",
            envvar="DIPLOMAT_STUDY_RESAMPLES",
            show_envvar=True,
        ),
    ] = None,
    seed: StudySeed = "0",
    sources: Sources = "declared,rule",
    coder: Coder = None,
    game: Rules = "",
    changed: Changed = False,
    models: Annotated[
        bool,
        typer.Option("--models/--no-models", help="Fit regressions.", envvar="DIPLOMAT_STUDY_MODELS", show_envvar=True),
    ] = True,
    jobs: Jobs = None,
    lang: Lang = None,
    json: AsJson = False,
) -> None:
    """Count promises, what was meant, done and believed, and compare the players of many games.

    Every rate comes with two intervals: for promises taken as independent, and with whole games resampled. Files that
    cannot be studied are named and counted, and the others are studied. The same files and seed give the same figures.
    """
    from diplomat.study import counts
    from diplomat.study.coded import coded
    from diplomat.study.extract_sources import givers
    from diplomat.study.findings import find, usual_resamples
    from diplomat.study.report_files import check_free, report_json, write_study
    from diplomat.study.sections import sections
    from diplomat.study.sections.evidence import refused
    from diplomat.study.sections.words import report_texts

    language = checked_lang(lang, locale_lang())
    grouping = counts.grouping(by)
    asked = givers(sources)
    if out is not None:
        check_free(out, overwrite=force)
    gathered = games_in(files, jobs, changed, game, language, asked=asked, coder=coder)
    reps = usual_resamples(len(gathered.games)) if resamples is None else resamples
    ledgers = counts.labelled(gathered.ledgers, grouping)
    found = find(
        ledgers,
        grouping,
        resamples=reps,
        seed=seed,
        models=models,
        jobs=processes(jobs),
        progress=progress("figures"),
    )
    told = coded(gathered, reps=reps, seed=seed)
    for line in refused(told, report_texts(language)) if told is not None else ():
        note(line)
    if out is not None:
        written = write_study(gathered, found, told, out, lang=language, overwrite=force, progress=progress("drawings"))
        say = report_texts(language)
        note(say.say("wrote.files", count=len(written.paths), folder=out))
        for what, why in written.without:
            note(say.say("wrote.without", what=say.say(f"wrote.{what}"), why=why))
    if json:
        typer.echo(ascii_json(report_json(gathered, found, told)), nl=False)
    else:
        show(sections(gathered, found, told, language))


study_power.register(app)
study_exchange.register(app)
