"""``diplomat annotate --agreement`` and ``--quality``: how far coders agree, and how well rules and models read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from diplomat.cli.annotating import annotate_texts, opened_logs, tell_refused
from diplomat.core.errors import BadTranscript, UsageError
from diplomat.terminal.safe import one_line

if TYPE_CHECKING:
    from diplomat.core.texts import Texts
    from diplomat.study.annotate.files import Sheet
    from diplomat.study.annotate.rows import Annotation
    from diplomat.study.annotate.units import Log, Unit
    from diplomat.study.stats.agreement import AgreementRow
    from diplomat.study.stats.intervals import Interval

    Choose = Callable[[Sequence[tuple[Unit, Annotation]], str | None], Mapping[str, Annotation]]

MAKE = "diplomat annotate GAME --coder NAME --out FILE makes them"
BLOCK = 4096
"""Bytes of a file that are looked at to see whether it is empty; a longer one is not."""


def parted(files: Sequence[Path]) -> tuple[tuple[Log, ...], list[Path]]:
    """Transcripts and annotation files apart; UsageError for an empty file, which is neither.

    Raises:
        UsageError: a file is empty.
        BadTranscript: a file cannot be read.
    """
    from diplomat.study.annotate.files import is_annotations

    for path in files:
        if _is_empty(path):
            raise UsageError(f"{path} is empty: it holds neither a game nor annotations; {MAKE}")
    sheets = [path for path in files if is_annotations(path)]
    return opened_logs(path for path in files if path not in sheets), sheets


def _is_empty(path: Path) -> bool:
    """Whether a file is there and holds nothing but blanks; BadTranscript if it cannot be read."""
    try:
        if not path.is_file():
            return False  # what reads it says what it is instead
        with path.open("rb") as file:
            block = file.read(BLOCK)
    except OSError as fault:
        raise BadTranscript(f"{path} cannot be read: {fault.strerror}") from fault
    return len(block) < BLOCK and not block.strip()


def _check_comparable(rows: Sequence[Annotation], sheet: Sheet, refused: Counter[str]) -> None:
    """UsageError if there is nothing to compare, with what there is instead."""
    if not rows:
        texts = annotate_texts("en")  # errors are in English
        why = [
            f"{texts.say(f'refused.{reason}')}: {count}" for reason, count in sorted((sheet.refused + refused).items())
        ]
        why += [f"begun and not finished: {len(sheet.begun)}"] if sheet.begun else []
        raise UsageError(f"these files hold no finished codings ({', '.join(why) or 'no rows'}); {MAKE}")
    coders = sorted({row.coder for row in rows})
    if len(coders) < 2:
        raise UsageError(
            f"all codings are by {coders[0]}, and agreement is between two coders at least; name files of others too"
        )
    twice = Counter(row.unit for row in rows)
    if max(twice.values()) < 2:
        raise UsageError(
            f"{', '.join(coders)} coded no message in common; give each the same games and the same --overlap"
        )


def print_agreement(files: Sequence[Path], lang: str) -> None:
    """How far the coders of annotation files agree."""
    from diplomat.study.annotate.agreement import agreement_table
    from diplomat.study.annotate.files import fit, read_sheet

    logs, paths = parted(files)
    if not paths:
        raise UsageError(f"none of these files holds annotations; {MAKE}")
    texts = annotate_texts(lang)
    sheet = read_sheet(*paths)
    rows, refused = sheet.rows, Counter[str]()
    if logs:
        fitted = fit(rows, logs)
        rows, refused = [row for _, row in fitted.rows], fitted.refused
    _check_comparable([row for row in rows if row.by != "adjudicated"], sheet, refused)
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
    _cautions(texts.say("table.alpha"), [row.alpha for row in table.rows], texts)
    typer.echo(texts.say("table.benchmarks"))
    if table.unblind:
        typer.echo(texts.say("table.unblind", count=table.unblind))
    tell_refused(sheet, refused, texts)


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
    texts = annotate_texts(lang)
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
    _cautions(texts.say("table.precision"), [row.precision for row in tables[0]], texts)
    typer.echo(texts.say("table.benchmarks"))
    tell_refused(sheet, fitted.refused, texts)


def _gold(
    logs: Sequence[Log], pairs: Sequence[tuple[Unit, Annotation]], coder: str | None, choose: Choose
) -> list[tuple[Unit, Annotation]]:
    """One coding by people of each message of each game."""
    found = []
    for log in logs:
        own = [pair for pair in pairs if pair[0].log is log]
        found += [(log.by_message[message], row) for message, row in choose(own, coder).items()]
    return found


def _cautions(what: str, intervals: Iterable[Interval], texts: Texts) -> None:
    """What makes the intervals of a table weak, each reason once."""
    found = {caution.code: caution for each in intervals for caution in reversed(each.cautions)}
    for code, caution in found.items():
        typer.echo(texts.say(f"table.weak_{code}", what=what, **caution.facts))


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
