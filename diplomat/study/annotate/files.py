"""Reads annotation files, fits their rows to logs, and says how many were refused and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from diplomat.core.errors import BadTranscript
from diplomat.study.annotate.rows import FORMAT, KIND, Annotation, from_data, text_hash
from diplomat.study.annotate.scheme import CODEBOOK, goals_problem
from diplomat.study.annotate.units import Log, Unit
from diplomat.study.vocabulary import vocabulary_of
from diplomat.transcript.strictjson import parsed


@dataclass
class Sheet:
    """The rows of annotation files that can be used, and how many cannot, by reason.

    Reasons: ``torn`` (a last line cut short), ``unreadable`` (not JSON, or not a coding), ``newer_format``,
    ``other_codebook``; against logs also ``other_transcript`` (none of these, or another version of one),
    ``changed_transcript`` (changed after it was written), ``missing_message``, ``other_words``, ``bad_span`` and
    ``bad_goal``.
    """

    rows: list[Annotation] = field(default_factory=list)
    refused: Counter[str] = field(default_factory=Counter)
    begun: list[Annotation] = field(default_factory=list)
    """Codings that were not finished; not used, and not refused."""
    whole: int = 0
    """Of a single file, bytes up to the end of its last whole line."""

    @property
    def coders(self) -> tuple[str, ...]:
        """Their names, sorted."""
        return tuple(sorted({row.coder for row in self.rows}))


def is_annotations(path: Path) -> bool:
    """Whether a file looks like annotations and not like a log: by its first line."""
    try:
        with path.open("rb") as file:
            first = file.readline()
        data = parsed(first)
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(data, dict) and data.get("kind") == KIND


def read_sheet(*paths: Path) -> Sheet:
    """The latest row of each coder on each message of these files; BadTranscript if a file cannot be read at all."""
    sheet = Sheet()
    latest: dict[tuple[str, str, tuple[str, str]], Annotation] = {}
    for path in paths:
        try:
            raw = path.read_bytes()
        except OSError as fault:
            raise BadTranscript(f"the annotations {path} cannot be read: {fault.strerror}") from fault
        head, _, tail = raw.rpartition(b"\n")
        sheet.whole = len(raw) - len(tail)
        sheet.refused["torn"] += bool(tail)
        for line in head.split(b"\n") if head else ():
            row = _row(line, sheet.refused)
            if row is not None:
                latest[row.coder, row.transcript, row.unit] = row
    sheet.rows = [row for row in latest.values() if row.state == "done"]
    sheet.begun = [row for row in latest.values() if row.state != "done"]
    sheet.refused = +sheet.refused
    return sheet


def _row(line: bytes, refused: Counter[str]) -> Annotation | None:
    try:
        data = parsed(line)
        if isinstance(data, dict) and isinstance(data.get("format"), int) and data["format"] > FORMAT:
            refused["newer_format"] += 1
            return None
        row = from_data(data)
    except (ValueError, RecursionError):
        refused["unreadable"] += 1
        return None
    if row.codebook != CODEBOOK:
        refused["other_codebook"] += 1
        return None
    return row


@dataclass
class Fitted:
    """Rows that fit a unit of some logs, and how many do not, by reason."""

    rows: list[tuple[Unit, Annotation]] = field(default_factory=list)
    refused: Counter[str] = field(default_factory=Counter)


def fit(rows: Iterable[Annotation], logs: Sequence[Log]) -> Fitted:
    """Puts each row to its message; what names a missing message or another version is refused, the rest is used."""
    fitted = Fitted()
    for row in rows:
        unit, why = placed(row, logs)
        if unit is None or why:
            fitted.refused[why] += 1
        else:
            fitted.rows.append((unit, row))
    return fitted


def placed(row: Annotation, logs: Sequence[Log]) -> tuple[Unit | None, str]:
    """The unit that a row codes, and what is wrong with the row, if anything is."""
    for log in logs:
        if not log.is_named(row.transcript, 0):
            continue
        unit = log.by_message.get(row.message)
        if unit is None:
            return None, "missing_message"
        if log.is_named(row.transcript, unit.past.n):
            return unit, _fault(row, unit)
    changed = any(log.changed and log.name == row.game for log in logs)
    return None, "changed_transcript" if changed else "other_transcript"


def _fault(row: Annotation, unit: Unit) -> str:
    text = unit.message.text
    if row.text != text_hash(text):
        return "other_words"
    for act in row.acts:
        if not 0 <= act.start < act.end <= len(text) or text[act.start : act.end] != act.words:
            return "bad_span"
        if goals_problem(act, unit.message.sender, unit.past, vocabulary_of(unit.log.game)):
            return "bad_goal"
    return ""
