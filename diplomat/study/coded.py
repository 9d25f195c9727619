"""Annotation files beside a study: how well messages were read, how far coders agree, and the rate by their word."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from diplomat.study import counts
from diplomat.study.annotate.agreement import Agreement, agreement_table
from diplomat.study.annotate.files import Sheet, fit, read_sheet
from diplomat.study.annotate.people import People, gold
from diplomat.study.annotate.quality import Quality, of_ledgers, quality_table
from diplomat.study.annotate.rows import Annotation
from diplomat.study.annotate.units import Log, Unit, logs_of
from diplomat.study.counts import Grouping
from diplomat.study.gather import Gathered
from diplomat.study.ledger import Ledger, of
from diplomat.study.stats.rates import RateRow, rate
from diplomat.transcript.reader import read

ALL = "all"
"""Everything the ledger rests on, declared or read."""


@dataclass(frozen=True, slots=True)
class RefusedRow:
    """Rows of annotation files that could not be used."""

    reason: str
    """``torn unreadable newer_format other_codebook other_transcript missing_message other_words bad_span bad_goal``,
    or ``draft``: the coding was not finished."""
    rows: int


@dataclass(frozen=True, slots=True)
class Coded:
    """What annotation files say about a study."""

    games: int
    """Games of which messages were coded."""
    messages: int
    quality: tuple[Quality, ...]
    """Each source, and all together, against people."""
    agreement: Agreement | None
    """None if one coder did it all."""
    refused: tuple[RefusedRow, ...]
    kept_here: RateRow | None
    """Promises kept in these games, as the study has it."""
    kept_people: RateRow | None
    """The same with nothing but what people found; games that were coded in part give part of their promises."""


def coded(
    gathered: Gathered, paths: Sequence[Path], by: Grouping, *, coder: str | None = None, reps: int, seed: str
) -> Coded:
    """The files against the games of a study.

    Raises:
        BadTranscript: a file cannot be read.
        UnknownName, UsageError: it is not clear whose codings count, or two games are called the same.
    """
    sheet = read_sheet(*paths)
    named = {row.game for row in sheet.rows}
    files = [Path(one.row.file) for one in gathered.games if Path(one.row.file).stem in named]
    logs = logs_of(read(path) for path in files)
    fitted = fit(sheet.rows, logs)
    people = [pair for log in logs for pair in _gold(fitted.rows, log, coder)]
    refused = _refused(sheet, fitted.refused)
    if not people:
        return Coded(0, 0, (), None, refused, None, None)
    touched = {unit.log.name for unit, _ in people}
    inside = [
        replace(one.ledger, name=Path(one.row.file).stem)
        for one in gathered.games
        if Path(one.row.file).stem in touched
    ]
    sources = sorted({act.source for ledger in inside for act in ledger.acts})
    tables = [quality_table(of_ledgers(inside, name), people, name, reps=reps, seed=seed) for name in sources]
    tables.append(quality_table(of_ledgers(inside, ""), people, ALL, reps=reps, seed=seed))
    texts = {unit.key: unit.message.text for unit, _ in fitted.rows}
    several = len({row.coder for _, row in fitted.rows if row.by != "adjudicated"}) > 1
    theirs = [of(log.transcript, (People(log.transcript, *paths, coder=coder),)) for log in logs if log.name in touched]
    return Coded(
        games=len(touched),
        messages=len(people),
        quality=tuple(row for table in tables for row in table),
        agreement=agreement_table([row for _, row in fitted.rows], texts, reps=reps, seed=seed) if several else None,
        refused=refused,
        kept_here=_kept(inside, by, reps, seed),
        kept_people=_kept(theirs, by, reps, seed),
    )


def _gold(rows: Sequence[tuple[Unit, Annotation]], log: Log, coder: str | None) -> list[tuple[Unit, Annotation]]:
    """One coding per message of one game."""
    mine = [(unit, row) for unit, row in rows if unit.log is log]
    chosen = gold(mine, coder)
    return [(unit, row) for unit, row in mine if chosen.get(row.message) is row]


def _refused(sheet: Sheet, others: Counter[str]) -> tuple[RefusedRow, ...]:
    found = sheet.refused + others + Counter({"draft": len(sheet.begun)})
    return tuple(RefusedRow(reason, rows) for reason, rows in sorted(found.items()))


def _kept(ledgers: Sequence[Ledger], by: Grouping, reps: int, seed: str) -> RateRow:
    return rate(counts.kept(ledgers, by), "kept", "promise", reps=reps, seed=seed)
