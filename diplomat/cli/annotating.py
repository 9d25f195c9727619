"""What ``diplomat annotate`` does: the page, the model, the two tables."""

from __future__ import annotations

import contextlib
import getpass
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from diplomat.core.errors import UsageError
from diplomat.terminal.safe import one_line

if TYPE_CHECKING:
    from diplomat.core.texts import Texts
    from diplomat.study.annotate.files import Sheet
    from diplomat.study.annotate.rows import Annotation
    from diplomat.study.annotate.session import Session
    from diplomat.study.annotate.store import Store
    from diplomat.study.annotate.units import Log, Unit
    from diplomat.study.annotator import ModelAnnotator
    from diplomat.study.stats.agreement import AgreementRow
    from diplomat.study.stats.intervals import Interval

    Choose = Callable[[Sequence[tuple[Unit, Annotation]], str | None], Mapping[str, Annotation]]


def check_choices(agreement: bool, quality: bool, model: bool, adjudicate: bool, dry_run: bool) -> None:
    """UsageError if options contradict each other."""
    asked = [
        name
        for name, given in (
            ("--agreement", agreement),
            ("--quality", quality),
            ("--model", model),
            ("--adjudicate", adjudicate),
        )
        if given
    ]
    if len(asked) > 1:
        raise UsageError(f"{' and '.join(asked)} are different things to do; choose one")
    if dry_run and not model:
        raise UsageError("--dry-run says what a model would cost; name one with --model")


def opened_logs(files: Iterable[Path]) -> tuple[Log, ...]:
    """The transcripts."""
    from diplomat.cli.reading import opened
    from diplomat.study.annotate.units import logs_of

    return logs_of(opened(path) for path in files)


def parted(files: Sequence[Path]) -> tuple[tuple[Log, ...], list[Path]]:
    """Transcripts and annotation files apart."""
    from diplomat.study.annotate.files import is_annotations

    sheets = [path for path in files if is_annotations(path)]
    return opened_logs(path for path in files if path not in sheets), sheets


def _texts(lang: str) -> Texts:
    from diplomat.core.texts import load_texts

    return load_texts("diplomat.study.annotate", "texts", lang)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def _note(text: str) -> None:
    sys.stderr.write(one_line(text) + "\n")


# The page ---------------------------------------------------------------------------------------------


def by_person(
    units: Sequence[Unit],
    logs: Sequence[Log],
    target: Path,
    coder: str | None,
    adjudicate: Sequence[Path],
    port: int,
    lang: str,
) -> None:
    """Serves the page until it is interrupted."""
    from diplomat.study.annotate.server import check_installed, serve
    from diplomat.study.annotate.session import Session
    from diplomat.study.annotate.store import Store

    check_installed()
    name = _name(coder)
    if any(path.resolve() == target.resolve() for path in (*adjudicate, *(log.transcript.path for log in logs))):
        raise UsageError(f"{target} is one of the files to read; name another with --out")
    with Store(target) as store:
        if store.repaired:
            _note(f"warning: {target}: {store.repaired} bytes of a row that was cut short were taken out")
        session = (
            _adjudicating(units, logs, store, name, adjudicate, lang)
            if adjudicate
            else Session(units, store, name, lang, _now)
        )
        total = len(session.units)
        _note(f"{name}: {session.done} of {total} messages done; every change is kept in {target}")
        _note("open this address in a browser; Ctrl-C ends")
        with contextlib.suppress(KeyboardInterrupt):  # the way to end a session; what was coded is on the disk
            serve(session, port, typer.echo)
        _note(f"{name}: {session.done} of {total} messages done, in {target}; the same command goes on from here")


def _name(coder: str | None) -> str:
    try:
        name = (coder if coder is not None else getpass.getuser()).strip()
    except (OSError, KeyError):
        name = ""
    if not name or not name.isprintable() or len(name) > 60 or name.startswith("llm:"):
        raise UsageError(f"{name!r} cannot be the name of a coder; give one of up to 60 letters with --coder")
    return name


def _adjudicating(
    units: Sequence[Unit], logs: Sequence[Log], store: Store, name: str, paths: Sequence[Path], lang: str
) -> Session:
    """A session over the messages on which two coders differ; those on which they agree are written at once."""
    from diplomat.study.annotate.files import fit, read_sheet
    from diplomat.study.annotate.session import Session, adjudication, everything

    sheet = read_sheet(*paths)
    fitted = fit([row for row in sheet.rows if row.by != "adjudicated"], logs)
    _tell_refused(sheet, fitted.refused, _texts(lang), err=True)
    differing, agreed = adjudication(units, fitted.rows)
    there = {row.unit for row in everything(store) if row.coder == name}
    store.write_all([replace(row, coder=name, at=_now()) for row in agreed if row.unit not in there])
    _note(f"the coders agree on {len(agreed)} messages and differ on {len(differing)}")
    two = {number: both for number, (_, both) in enumerate(differing)}
    return Session([unit for unit, _ in differing], store, name, lang, _now, two=two, adjudicates=True)


# The model --------------------------------------------------------------------------------------------


def by_model(
    units: Sequence[Unit],
    models: Sequence[str],
    target: Path,
    *,
    cache: Path | None,
    budget: float | None,
    dry_run: bool,
    lang: str,
) -> None:
    """Lets one model or two code, and writes a new annotation file."""
    from diplomat.llm.names import parse
    from diplomat.llm.prices import Prices
    from diplomat.study.annotate.store import Store
    from diplomat.study.annotator import ModelAnnotator

    endpoints = [parse(name) for name in models]
    games = {unit.log.game.id: unit.log.game for unit in units}
    made = {
        name: ModelAnnotator(game, endpoints, lang=lang, folder=cache or target.parent) for name, game in games.items()
    }
    by_game = {name: [unit for unit in units if unit.log.game.id == name] for name in games}
    if dry_run:
        for name, annotator in made.items():
            bill = annotator.expected(by_game[name], Prices.load())
            cost = (
                "not known" if bill.cost is None or bill.most is None else f"{bill.cost:.4f}, at most {bill.most:.4f}"
            )
            typer.echo(f"{name}: {bill.calls} calls, {bill.input} input and {bill.output} output tokens, USD {cost}")
        return
    with Store(target, fresh=True) as store:
        for name, annotator in made.items():
            _ask(annotator, by_game[name], budget)
            store.write_all(annotator.annotations(by_game[name], _now()))
            _note(_counted(annotator))
    typer.echo(one_line(str(target)))


def _ask(annotator: ModelAnnotator, units: Sequence[Unit], budget: float | None) -> None:
    import asyncio

    from diplomat.llm.budget import Budget
    from diplomat.llm.desk import Desk
    from diplomat.session.models import Models, served

    Models(budget=budget).check(annotator.endpoints)

    async def work() -> None:
        with served(annotator.endpoints, running=True) as places:
            async with Desk(places.values(), budget=Budget(budget)) as desk:
                await annotator.read(units, desk, progress=_progress, places=lambda one: places[one])
                _note(f"USD {desk.spent:.4f}")

    asyncio.run(work())


def _progress(done: int, total: int) -> None:
    if done == total or done % max(total // 20, 1) == 0:
        _note(f"{done} of {total} messages")


def _counted(annotator: ModelAnnotator) -> str:
    counts = {**annotator.counts, **{f"fault_{kind}": count for kind, count in annotator.faults.items()}}
    return f"{annotator.name}: " + ", ".join(f"{name} {count}" for name, count in sorted(counts.items()) if count)


# The tables -------------------------------------------------------------------------------------------


def print_agreement(files: Sequence[Path], lang: str) -> None:
    """How far the coders of annotation files agree."""
    from diplomat.study.annotate.agreement import agreement_table
    from diplomat.study.annotate.files import fit, read_sheet

    logs, paths = parted(files)
    texts = _texts(lang)
    sheet = read_sheet(*paths)
    rows, refused = sheet.rows, Counter[str]()
    if logs:
        fitted = fit(rows, logs)
        rows, refused = [row for _, row in fitted.rows], fitted.refused
    if not paths:
        raise UsageError("none of these files holds annotations; diplomat annotate GAME --out FILE makes one")
    words = {unit.key: unit.message.text for log in logs for unit in log.units}
    table = agreement_table(rows, words)
    head = ["field", "units", "pairable", "coders", "raw", "cohen", "fleiss", "alpha", "interval", "may"]
    _print_table([texts.say(f"table.{name}") for name in head], [_agreement_cells(row, texts) for row in table.rows])
    for row in table.rows:
        if len(row.specific) > 1 and row.field in ("commitment", "promise"):
            listed = ", ".join(
                f"{texts.say(f'value.{value}')} {_figure(share)}" for value, share in row.specific.items()
            )
            typer.echo(f"{texts.say('table.specific')}, {texts.say(f'field.{row.field}')}: {listed}")
    for one in table.spans:
        facts = {"f1": _figure(one.spans.token_f1), "exact": _figure(one.spans.exact)}
        facts |= {"overlapping": _figure(one.spans.overlapping), "spans": str(one.spans.spans)}
        pair = texts.say("table.spans_pair", first=one.first, second=one.second, **facts)
        typer.echo(one_line(f"{texts.say('table.spans')}: {pair}"))
    _cautions([row.alpha for row in table.rows], lang)
    typer.echo(texts.say("table.benchmarks"))
    if table.unblind:
        typer.echo(texts.say("table.unblind", count=table.unblind))
    _tell_refused(sheet, refused, texts)


def _agreement_cells(row: AgreementRow, texts: Texts) -> list[str]:
    kappas = " ".join(_figure(pair.kappa) for pair in row.pairs)
    return [
        texts.say(f"field.{row.field}"),
        str(row.units),
        str(row.pairable),
        str(row.coders),
        _figure(row.raw),
        kappas or "-",
        _figure(row.fleiss),
        _figure(row.alpha.estimate),
        _bounds(row.alpha),
        texts.say(f"table.{row.gate}"),
    ]


def print_quality(files: Sequence[Path], coder: str | None, lang: str) -> None:
    """How well rules and models find what people found."""
    from diplomat.study.annotate.files import fit, read_sheet
    from diplomat.study.annotate.people import gold
    from diplomat.study.annotate.quality import of_codings, of_ledgers, quality_table
    from diplomat.study.ledger import of

    logs, paths = parted(files)
    if not logs or not paths:
        raise UsageError("quality wants transcripts and annotation files of people; name both")
    texts = _texts(lang)
    sheet = read_sheet(*paths)
    fitted = fit(sheet.rows, logs)
    people = _gold(logs, [pair for pair in fitted.rows if pair[1].by != "llm"], coder, gold)
    if not people:
        raise UsageError("no message of these games was coded by people; diplomat annotate GAME makes annotations")
    ledgers = [of(log.transcript) for log in logs]
    tables = [quality_table(of_ledgers(ledgers, name), people, name) for name in ("declared", "rule")]
    machines = sorted({row.coder for _, row in fitted.rows if row.by == "llm"})
    for name in machines:
        own = [pair for pair in fitted.rows if pair[1].coder == name]
        tables.append(quality_table(of_codings(own), people, name))
    head = ["messages", "act", "found", "people", "both", "precision", "recall", "f1"]
    for table in tables:
        typer.echo(one_line(table[0].source))
        rows = [
            [
                str(row.messages),
                texts.say("field.commitment") if row.act == "commitment" else texts.say(f"act.{row.act}"),
                str(row.found),
                str(row.people),
                str(row.both),
                *(f"{_figure(each.estimate)} {_bounds(each)}" for each in (row.precision, row.recall, row.f1)),
            ]
            for row in table
        ]
        _print_table([texts.say(f"table.{name}") for name in head], rows)
        spans = table[0].spans
        facts = {"f1": _figure(spans.token_f1), "exact": _figure(spans.exact), "spans": str(spans.spans)}
        facts |= {
            "overlapping": _figure(spans.overlapping),
            "first": table[0].source,
            "second": texts.say("table.people"),
        }
        typer.echo(one_line(f"{texts.say('table.spans')}: {texts.say('table.spans_pair', **facts)}"))
    _cautions([row.precision for row in tables[0]], lang)
    typer.echo(texts.say("table.benchmarks"))
    _tell_refused(sheet, fitted.refused, texts)


def _gold(
    logs: Sequence[Log], pairs: Sequence[tuple[Unit, Annotation]], coder: str | None, choose: Choose
) -> list[tuple[Unit, Annotation]]:
    """One coding by people of each message of each game."""
    found = []
    for log in logs:
        own = [pair for pair in pairs if pair[0].log is log]
        found += [(log.by_message[message], row) for message, row in choose(own, coder).items()]
    return found


def _tell_refused(sheet: Sheet, more: Counter[str], texts: Texts, *, err: bool = False) -> None:
    for why, count in sorted((sheet.refused + more).items()):
        typer.echo(texts.say("table.refused", count=count, why=texts.say(f"refused.{why}")), err=err)
    if sheet.begun:
        typer.echo(texts.say("table.drafts", count=len(sheet.begun)), err=err)


def _cautions(intervals: Iterable[Interval], lang: str) -> None:
    from diplomat.study.write import study_texts

    said = [caution.say(study_texts(lang)) for each in intervals for caution in each.cautions]
    for text in list(dict.fromkeys(said))[:1]:
        typer.echo(text)


def _figure(value: float) -> str:
    return "-" if isnan(value) else f"{value:.2f}"


def _bounds(interval: Interval) -> str:
    return "-" if isnan(interval.low) or isnan(interval.high) else f"[{interval.low:.2f}, {interval.high:.2f}]"


def _print_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Plain columns: the first word stays readable in a pipe and in any terminal."""
    widths = [max(len(line[at]) for line in (head, *rows)) for at in range(len(head))]
    for line in (head, *rows):
        cells = [cell.ljust(width) for cell, width in zip(line, widths, strict=True)]
        typer.echo("  ".join(cells).rstrip())
