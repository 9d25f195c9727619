"""``diplomat study``: saved games as tables, figures and tests; how many games are enough; other forms of them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from diplomat.cli.options import AsJson, Force, Lang, checked_lang, examples, locale_lang

if TYPE_CHECKING:
    from collections.abc import Sequence

    from diplomat.study.gather import Gathered
    from diplomat.study.screen import Section

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

Files = Annotated[
    list[Path],
    typer.Argument(metavar="FILES...", help="Transcripts, folders of them, and annotation files, in any order."),
]
Jobs = Annotated[
    int | None,
    typer.Option(
        "--jobs",
        metavar="J",
        min=1,
        help="Processes; as many as there are processors if not given.",
        envvar="DIPLOMAT_JOBS",
        show_envvar=True,
    ),
]
StudySeed = Annotated[
    str,
    typer.Option(
        "--seed", metavar="N", help="Seed of resamples and deals.", envvar="DIPLOMAT_STUDY_SEED", show_envvar=True
    ),
]
Out = Annotated[
    Path | None,
    typer.Option(
        "--out",
        metavar="FOLDER",
        help="Where tables, figures and models are written.",
        envvar="DIPLOMAT_STUDY_OUT",
        show_envvar=True,
    ),
]
Changed = Annotated[
    bool,
    typer.Option(
        "--changed",
        help="Study logs too that were changed after they were written.",
        envvar="DIPLOMAT_STUDY_CHANGED",
        show_envvar=True,
    ),
]
Rules = Annotated[
    str,
    typer.Option(
        "--game",
        metavar="GAME",
        help="Which game is studied; the most frequent one if not given.",
        envvar="DIPLOMAT_STUDY_GAME",
        show_envvar=True,
    ),
]


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
    coder: Annotated[
        str | None,
        typer.Option(
            "--coder",
            metavar="NAME",
            help="Whose codings count where several people coded.",
            envvar="DIPLOMAT_STUDY_CODER",
            show_envvar=True,
        ),
    ] = None,
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
    from diplomat.study.findings import find, usual_resamples
    from diplomat.study.report_files import check_free, report_json, write_study
    from diplomat.study.sections import report_texts, sections

    language = checked_lang(lang, locale_lang())
    grouping = counts.grouping(by)
    if out is not None:
        check_free(out, overwrite=force)
    gathered = _gathered(files, jobs, changed, game, language)
    reps = usual_resamples(len(gathered.games)) if resamples is None else resamples
    ledgers = counts.labelled(gathered.ledgers, grouping)
    found = find(
        ledgers,
        grouping,
        resamples=reps,
        seed=seed,
        models=models,
        jobs=_processes(jobs),
        progress=_progress("figures"),
    )
    told = coded(gathered, gathered.sheets, grouping, coder=coder, reps=reps, seed=seed) if gathered.sheets else None
    if out is not None:
        written = write_study(
            gathered, found, told, out, lang=language, overwrite=force, progress=_progress("drawings")
        )
        say = report_texts(language)
        _note(say.say("wrote.files", count=len(written.paths), folder=out))
        for what, why in written.without:
            _note(say.say("wrote.without", what=say.say(f"wrote.{what}"), why=why))
    if json:
        typer.echo(_ascii(report_json(gathered, found, told)), nl=False)
    else:
        _show(sections(gathered, found, told, language))


@app.command(
    epilog=examples(
        "diplomat study power --first 0.1 --second 0.3",
        "diplomat study power logs/ --first 0.15 --second 0.2 --games 50 --games 100 --out plan",
    )
)
def power(
    pilot: Annotated[
        list[Path] | None,
        typer.Argument(metavar="[FILES]...", help="Games as a pilot: how many promises, and how alike within a seat."),
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
    from diplomat.study.planning import SIZES, pilot_of, plan_section, planned, write_plan
    from diplomat.study.sections import report_texts

    language = checked_lang(lang, locale_lang())
    say = report_texts(language)
    known = pilot_of(_gathered(pilot, jobs, False, "", language).ledgers) if pilot else None
    found = planned(
        first, second, per_game=per_game, icc=icc, games=games or SIZES, wanted=wanted, pilot=known, seed=seed
    )
    if json:
        print_json(asdict(found))
    else:
        _show([plan_section(found, say)])
    if out is not None:
        paths = write_plan(found, out, lang=language, overwrite=force)
        _note(say.say("wrote.files", count=len(paths), folder=out))


@app.command(
    epilog=examples(
        "diplomat study export logs/ --to convokit --out corpus",
        "diplomat study export logs/ --to csv --out tables",
    )
)
def export(
    files: Files,
    *,
    to: Annotated[
        str,
        typer.Option(
            "--to",
            metavar="convokit|csv|jsonl|parquet",
            help="The form to write.",
            envvar="DIPLOMAT_STUDY_TO",
            show_envvar=True,
        ),
    ],
    out: Annotated[
        Path,
        typer.Option("--out", metavar="FOLDER", help="Where to.", envvar="DIPLOMAT_STUDY_OUT", show_envvar=True),
    ],
    force: Force = False,
    game: Rules = "",
    changed: Changed = False,
    jobs: Jobs = None,
    lang: Lang = None,
) -> None:
    """Write messages and the ledger of promises of saved games for other programs."""
    from diplomat.study.exchange import TARGETS, checked
    from diplomat.study.exchange import export as exported
    from diplomat.study.sections import report_texts

    language = checked_lang(lang, locale_lang())
    checked(to, TARGETS, "form", "--to")
    gathered = _gathered(files, jobs, changed, game, language)
    paths = exported(gathered, to, out, lang=language, overwrite=force)
    say = report_texts(language)
    _tell_left(gathered, language)
    _note(say.say("wrote.files", count=len(paths), folder=out))


@app.command(
    "import",
    epilog=examples(
        "diplomat study import peskov 2020_acl_diplomacy/data",
        "diplomat study import cicero cicero_redacted_games --to convokit --out corpus",
    ),
)
def import_set(
    name: Annotated[str, typer.Argument(metavar="peskov|cicero", help="The data set.")],
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Where its files are.")],
    to: Annotated[
        str,
        typer.Option(
            "--to",
            metavar="convokit|csv|jsonl|parquet|peskov",
            help="The form to write.",
            envvar="DIPLOMAT_STUDY_TO",
            show_envvar=True,
        ),
    ] = "csv",
    out: Out = None,
    force: Force = False,
    seed: StudySeed = "0",
    lang: Lang = None,
) -> None:
    """Read a public data set of negotiations, say what it holds, and write it in another form."""
    from diplomat.study.exchange import PESKOV, TARGETS, checked, import_sections, imported, write_imported
    from diplomat.study.sections import report_texts

    language = checked_lang(lang, locale_lang())
    say = report_texts(language)
    checked(to, (*TARGETS, PESKOV), "form", "--to")
    found = imported(name, folder, seed=seed)
    _show(import_sections(found, say))
    if out is not None:
        paths = write_imported(found, to, out, lang=language, overwrite=force)
        _note(say.say("wrote.files", count=len(paths), folder=out))


def _processes(jobs: int | None) -> int:
    import os

    return jobs if jobs is not None else os.cpu_count() or 1


def _progress(label: str) -> Any:
    import sys

    from diplomat.terminal.progress import Progress

    return Progress(sys.stderr, label)


def _gathered(files: Sequence[Path], jobs: int | None, changed: bool, game: str, lang: str) -> Gathered:
    """The games; UsageError if not one of the files can be studied."""
    from diplomat.core.errors import UsageError
    from diplomat.study.gather import gather

    gathered = gather(files, jobs=_processes(jobs), changed=changed, game=game, progress=_progress("games"))
    if not gathered.games:
        _tell_left(gathered, lang)
        raise UsageError("none of these files is a game that can be studied")
    return gathered


def _tell_left(gathered: Gathered, lang: str) -> None:
    """Says on stderr what was left out."""
    from diplomat.study.sections import left_out, report_texts

    for line in left_out(gathered, report_texts(lang)):
        _note(line)


def _show(parts: Sequence[Section]) -> None:
    import sys

    from diplomat.study.screen import show
    from diplomat.terminal.ladder import console, level

    show(console(level("auto", sys.stdout), sys.stdout), parts)


def _note(text: str) -> None:
    import sys

    from diplomat.terminal.safe import one_line

    indent = " " * (len(text) - len(text.lstrip()))
    sys.stderr.write(f"{indent}{one_line(text)}\n")


def _ascii(text: str) -> str:
    """A JSON document in which nothing steers a terminal."""
    import json

    return json.dumps(json.loads(text), indent=2) + "\n"
