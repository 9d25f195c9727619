"""``diplomat annotate --agreement`` and ``--quality``: how far coders agree, and how well rules and models read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from diplomat.cli.annotating import annotate_texts, opened_logs, tell_refused
from diplomat.core.errors import BadTranscript, UnknownName, UsageError

if TYPE_CHECKING:
    from diplomat.core.texts import Texts
    from diplomat.study.annotate.files import Sheet
    from diplomat.study.annotate.rows import Annotation
    from diplomat.study.annotate.units import Log
    from diplomat.study.stats.agreement import AgreementRow
    from diplomat.study.stats.intervals import Interval

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
        raise UsageError(f"these files hold no finished codings ({_why_none(sheet, refused)}); {MAKE}")
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


def _why_none(sheet: Sheet, refused: Counter[str]) -> str:
    """Why no coding can be used."""
    texts = annotate_texts("en")  # errors are in English
    why = [f"{texts.say(f'refused.{reason}')}: {count}" for reason, count in sorted((sheet.refused + refused).items())]
    why += [f"begun and not finished: {len(sheet.begun)}"] if sheet.begun else []
    return ", ".join(why) or "no rows"


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
    notes = [texts.say("table.gate")]
    for row in table.rows:
        if len(row.specific) > 1 and row.field in ("commitment", "promise"):
            listed = ", ".join(
                f"{texts.say(f'value.{value}')} {_figure(share)}" for value, share in row.specific.items()
            )
            notes.append(f"{texts.say('table.specific')}, {texts.say(f'field.{row.field}')}: {listed}")
    for one in table.spans:
        facts = {"f1": _figure(one.spans.token_f1), "exact": _figure(one.spans.exact)}
        facts |= {"overlapping": _figure(one.spans.overlapping), "spans": str(one.spans.spans)}
        pair = texts.say("table.spans_pair", first=one.first, second=one.second, **facts)
        notes.append(f"{texts.say('table.spans')}: {pair}")
    notes += _cautions("alpha", {texts.say(f"field.{row.field}"): row.alpha for row in table.rows}, texts)
    notes.append(texts.say("table.benchmarks"))
    if table.unblind:
        notes.append(texts.say("table.unblind", count=table.unblind))
    title = texts.say("table.agreement")
    _show(title, head, [_agreement_cells(row, texts) for row in table.rows], notes, texts)
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
    from diplomat.study.annotate.checking import ALL, checked, key_of, marked, quality_tables
    from diplomat.study.annotate.files import read_sheet
    from diplomat.study.ledger import of

    logs, paths = parted(files)
    if not logs or not paths:
        raise UsageError("quality wants transcripts and annotation files of people; name both")
    texts = annotate_texts(lang)
    sheet = read_sheet(*paths)
    if coder is not None and coder not in sheet.coders:
        raise UnknownName("coder", coder, sheet.coders, where="--coder")
    by_log = [(log, marked(log, [row for row in sheet.rows if row.game == log.name], coder)) for log in logs]
    reasons = {key: why for _, found in by_log for key, why in found.why.items()}
    refused = Counter(why for row in sheet.rows if (why := reasons.get(key_of(row), "other_transcript")))
    unsettled = sorted({row.coder for row in sheet.rows if reasons.get(key_of(row)) == "unsettled"})
    if unsettled:
        raise UsageError(
            f"these messages were coded by {', '.join(unsettled)}; say whose codings to use, or adjudicate"
        )
    games = [checked(log, found, of(log.transcript)) for log, found in by_log]
    if not any(game.texts for game in games):
        why = _why_none(sheet, refused)
        raise UsageError(
            f"no message of these games was coded by people ({why}); diplomat annotate GAME makes annotations"
        )
    tables = [table for table in quality_tables(games) if table[0].source != ALL]
    head = ["act", "messages", "found", "people", "both", "precision", "recall", "f1"]
    for table in tables:
        rows = [
            [
                _act(row.act, texts),
                str(row.messages),
                str(row.found),
                str(row.people),
                str(row.both),
                *(f"{_figure(each.estimate)} {_bounds(each)}" for each in (row.precision, row.recall, row.f1)),
            ]
            for row in table
        ]
        spans = table[0].spans
        facts = {"f1": _figure(spans.token_f1), "exact": _figure(spans.exact), "spans": str(spans.spans)}
        facts |= {
            "overlapping": _figure(spans.overlapping),
            "first": table[0].source,
            "second": texts.say("table.people"),
        }
        notes = [f"{texts.say('table.spans')}: {texts.say('table.spans_pair', **facts)}"]
        notes += _cautions("precision", {_act(row.act, texts): row.precision for row in table}, texts)
        _show(table[0].source, head, rows, notes, texts)
    typer.echo(texts.say("table.benchmarks"))
    tell_refused(sheet, refused, texts)


def _act(act: str, texts: Texts) -> str:
    return texts.say(f"field.{act}" if act in ("commitment", "broken") else f"act.{act}")


def _cautions(figure: str, intervals: Mapping[str, Interval], texts: Texts) -> Iterator[str]:
    """What makes the intervals of a table weak, each reason once, with the rows that it concerns unless all are."""
    concerned: dict[tuple[str, tuple[tuple[str, object], ...]], list[str]] = {}
    for row, interval in intervals.items():
        for caution in interval.cautions:
            concerned.setdefault((caution.code, tuple(caution.facts.items())), []).append(row)
    for (code, facts), rows in concerned.items():
        named = "" if len(rows) == len(intervals) else f" ({', '.join(rows)})"
        yield texts.say(f"table.weak_{code}", what=texts.say(f"table.{figure}") + named, **dict(facts))


def _figure(value: float) -> str:
    return "-" if isnan(value) else f"{value:.2f}"


def _bounds(interval: Interval) -> str:
    return "-" if isnan(interval.low) or isnan(interval.high) else f"[{interval.low:.2f}, {interval.high:.2f}]"


def _show(title: str, head: Sequence[str], rows: Sequence[Sequence[str]], notes: Sequence[str], texts: Texts) -> None:
    """One table on stdout, as columns where they fit, else a paragraph per row."""
    from diplomat.cli.studying import show
    from diplomat.study.screen import Section

    columns = tuple(texts.say(f"table.{name}") for name in head)
    show([Section(title, columns, tuple(tuple(row) for row in rows), tuple(notes))])
