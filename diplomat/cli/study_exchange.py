"""``diplomat study export`` and ``import``: other forms of games, and public data sets."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from diplomat.cli.options import Force, Lang, checked_lang, examples, locale_lang
from diplomat.cli.study_options import Changed, Files, Jobs, Out, Rules, StudySeed
from diplomat.cli.studying import games_in, note, show, tell_left


def register(app: typer.Typer) -> None:
    """Adds both commands."""
    app.command(
        epilog=examples(
            "diplomat study export logs/ --to convokit --out corpus",
            "diplomat study export logs/ --to csv --out tables",
        )
    )(export)
    app.command(
        "import",
        epilog=examples(
            "diplomat study import peskov 2020_acl_diplomacy/data",
            "diplomat study import cicero cicero_redacted_games --to convokit --out corpus",
        ),
    )(import_set)


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
    from diplomat.study.report_files import check_free
    from diplomat.study.sections.words import report_texts

    language = checked_lang(lang, locale_lang())
    checked(to, TARGETS, "form", "--to")
    check_free(out, overwrite=force)
    gathered = games_in(files, jobs, changed, game, language)
    paths = exported(gathered, to, out, lang=language, overwrite=force)
    say = report_texts(language)
    tell_left(gathered, language)
    note(say.say("wrote.files", count=len(paths), folder=out))


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
    from diplomat.study.exchange import PESKOV, TARGETS, checked, import_sections, imported, left_out, write_imported
    from diplomat.study.report_files import check_free
    from diplomat.study.sections.words import report_texts

    language = checked_lang(lang, locale_lang())
    say = report_texts(language)
    checked(to, (*TARGETS, PESKOV), "form", "--to")
    if out is not None:
        check_free(out, overwrite=force)
    found = imported(name, folder, seed=seed)
    show(import_sections(found, say))
    if out is not None:
        paths = write_imported(found, to, out, lang=language, overwrite=force)
        for line in left_out(found, to, say):
            note(line)
        note(say.say("wrote.files", count=len(paths), folder=out))
