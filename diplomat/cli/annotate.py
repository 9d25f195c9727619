"""``diplomat annotate``: people and models code promises, and how far they agree."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from diplomat.cli.options import Lang, checked_lang, examples, locale_lang

if TYPE_CHECKING:
    from diplomat.study.annotate.units import Log, Unit

DEFAULT = Path("annotations.jsonl")


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command(
        short_help="Code promises in messages, by people or models.",
        epilog=examples(
            "diplomat annotate game.jsonl --coder anna --out anna.jsonl",
            "diplomat annotate game.jsonl --coder ivan --out ivan.jsonl --overlap 0.2",
            "diplomat annotate game.jsonl --adjudicate anna.jsonl --adjudicate ivan.jsonl --out gold.jsonl --coder eva",
            "diplomat annotate game.jsonl --model openai:gpt-4o-mini --budget 1 --out model.jsonl",
            "diplomat annotate --agreement game.jsonl anna.jsonl ivan.jsonl",
            "diplomat annotate --quality game.jsonl gold.jsonl model.jsonl",
        ),
    )(annotate)


def annotate(
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILES...", help="Transcripts; for the two tables also annotation files, in any order."),
    ],
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="FILE",
            help="The annotation file; one that is there is continued. annotations.jsonl if not given.",
            envvar="DIPLOMAT_ANNOTATE_OUT",
            show_envvar=True,
        ),
    ] = None,
    coder: Annotated[
        str | None,
        typer.Option(
            "--coder",
            metavar="NAME",
            help="Who codes; stands in every row. The name of the user if not given.",
            envvar="DIPLOMAT_ANNOTATE_CODER",
            show_envvar=True,
        ),
    ] = None,
    overlap: Annotated[
        float | None,
        typer.Option(
            "--overlap",
            metavar="SHARE",
            help="Code only this share of the messages: a sample that is the same for every coder.",
            envvar="DIPLOMAT_ANNOTATE_OVERLAP",
            show_envvar=True,
        ),
    ] = None,
    adjudicate: Annotated[
        list[Path] | None,
        typer.Option(
            "--adjudicate",
            metavar="FILE",
            help="Two files (or one with two coders): show where their coders differ, and settle it.",
            envvar="DIPLOMAT_ANNOTATE_ADJUDICATE",
            show_envvar=True,
        ),
    ] = None,
    port: Annotated[
        int,
        typer.Option(
            "--port",
            min=0,
            max=65535,
            metavar="N",
            help="Port of the page on this machine; 0 takes a free one.",
            envvar="DIPLOMAT_ANNOTATE_PORT",
            show_envvar=True,
        ),
    ] = 0,
    model: Annotated[
        list[str] | None,
        typer.Option(
            "--model",
            metavar="NAME",
            help="Let a model code instead of a person; two models give a reading each.",
            envvar="DIPLOMAT_ANNOTATE_MODEL",
            show_envvar=True,
        ),
    ] = None,
    budget: Annotated[
        float | None,
        typer.Option(
            "--budget",
            metavar="USD",
            help="The most that the model may cost.",
            envvar="DIPLOMAT_ANNOTATE_BUDGET",
            show_envvar=True,
        ),
    ] = None,
    cache: Annotated[
        Path | None,
        typer.Option(
            "--cache",
            metavar="FOLDER",
            help="Where the model's replies are kept; the folder of the annotation file if not given.",
            envvar="DIPLOMAT_ANNOTATE_CACHE",
            show_envvar=True,
        ),
    ] = None,
    dry_run: Annotated[
        bool,
        typer.Option(
            "--dry-run",
            help="Say what the model would cost, and ask nothing.",
            envvar="DIPLOMAT_ANNOTATE_DRY_RUN",
            show_envvar=True,
        ),
    ] = False,
    agreement: Annotated[
        bool,
        typer.Option(
            "--agreement",
            help="Print how far the coders of annotation files agree.",
            envvar="DIPLOMAT_ANNOTATE_AGREEMENT",
            show_envvar=True,
        ),
    ] = False,
    quality: Annotated[
        bool,
        typer.Option(
            "--quality",
            help="Print how well rules and models find what people found.",
            envvar="DIPLOMAT_ANNOTATE_QUALITY",
            show_envvar=True,
        ),
    ] = False,
    lang: Lang = None,
) -> None:
    """Code promises on a local page, one message at a time, with nothing of what came later.

    Every change is kept at once; the same command goes on where it was left. Other options let a model code, settle
    where two coders differ, and print how far coders agree.
    """
    from diplomat.cli import annotate_tables, annotating

    language = checked_lang(lang, locale_lang())
    annotating.check_choices(agreement, quality, bool(model), bool(adjudicate), dry_run)
    if agreement:
        return annotate_tables.print_agreement(files, language)
    if quality:
        return annotate_tables.print_quality(files, coder, language)
    logs = annotating.opened_logs(files)
    units = chosen(logs, overlap)
    target = out or DEFAULT
    if model:
        return annotating.by_model(units, model, target, cache=cache, budget=budget, dry_run=dry_run, lang=language)
    return annotating.by_person(units, logs, target, coder, adjudicate or [], port, language)


def chosen(logs: Sequence[Log], overlap: float | None) -> Sequence[Unit]:
    """All messages of the logs, or the sample that every coder gets."""
    from diplomat.study.annotate.units import sample

    units = [unit for log in logs for unit in log.units]
    return units if overlap is None else sample(units, overlap)
