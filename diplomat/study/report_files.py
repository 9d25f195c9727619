"""A study on disk: tables as CSV, Parquet and JSON Lines, figures, models for R, and all figures as one JSON file."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, fields, is_dataclass
from math import isfinite
from pathlib import Path
from typing import Any

from diplomat.core.errors import CannotWrite, OutputExists, UsageError
from diplomat.study.annotate.quality import Quality
from diplomat.study.coded import Coded, RefusedRow
from diplomat.study.columns import Table
from diplomat.study.counts import ClaimRow, ConflictRow, FourRow, OutcomeRow, SourceRow, WindowRow, labelled
from diplomat.study.datasets.ours import ledger_tables
from diplomat.study.figures import draw_all, figures
from diplomat.study.findings import Findings, TestRow
from diplomat.study.gather import GameRow, Gathered, LeftOut, Progress
from diplomat.study.modelling import ModelRow, r_script
from diplomat.study.neighbours import NeighbourRow
from diplomat.study.plots.flow import FlowRow
from diplomat.study.plots.matrix import TrustCell
from diplomat.study.sections.words import report_texts
from diplomat.study.stats.agreement import AgreementRow
from diplomat.study.stats.detection import DetectionRow
from diplomat.study.stats.dyads import HonestyRow, LagRow
from diplomat.study.stats.rates import RateRow, StatusRow
from diplomat.study.stats.regression import Term
from diplomat.study.stats.survival import IncidenceRow, SurvivalRow
from diplomat.study.write import write_csv, write_jsonl, write_parquet

FORMATS = ("csv", "jsonl", "parquet")


@dataclass(frozen=True, slots=True)
class ModelTerm:
    """One coefficient of one model of a study."""

    model: str
    formula: str
    term: Term


@dataclass(frozen=True, slots=True)
class Written:
    """What was written, and what could not be, with the reason."""

    folder: Path
    paths: tuple[Path, ...]
    without: tuple[tuple[str, str], ...] = ()
    """Kind of file (``figures``, ``parquet``) and why there is none."""


def study_tables(gathered: Gathered, found: Findings, coded: Coded | None) -> list[Table]:
    """The tables of a study: those of the ledger, and those of its figures."""
    terms = [ModelTerm(model.method, model.formula, term) for model in found.models.fitted for term in model.terms]
    tables = [
        Table("games", GameRow, [one.row for one in gathered.games]),
        Table("left_out", LeftOut, gathered.left),
        *ledger_tables(gathered.ledgers),
        Table("four_columns", FourRow, found.four),
        Table("outcomes", OutcomeRow, found.outcomes),
        Table("statuses", StatusRow, found.statuses),
        Table("windows", WindowRow, found.windows),
        Table("conflicts", ConflictRow, found.conflicts),
        Table("sources", SourceRow, found.sources),
        Table("claim_counts", ClaimRow, found.claims),
        Table("rates", RateRow, found.rates),
        Table("tests", TestRow, found.tests),
        Table("neighbours", NeighbourRow, found.neighbours),
        Table("trust", TrustCell, found.trust),
        Table("flow", FlowRow, found.flow),
        Table("survival", SurvivalRow, found.survival),
        Table("incidence", IncidenceRow, found.incidence),
        Table("tit_for_tat", LagRow, found.tit_for_tat.rows),
        Table("honesty", HonestyRow, found.honesty.agents),
        Table("receivers", DetectionRow, found.receivers.rows),
        Table("model_rows", ModelRow, found.models.rows),
        Table("model_terms", ModelTerm, terms),
    ]
    if coded is not None:
        tables.append(Table("quality", Quality, coded.quality))
        tables.append(Table("refused_codings", RefusedRow, coded.refused))
        if coded.agreement is not None:
            tables.append(Table("agreement", AgreementRow, coded.agreement.rows))
    return tables


def write_study(
    gathered: Gathered,
    found: Findings,
    coded: Coded | None,
    folder: Path,
    *,
    lang: str = "en",
    overwrite: bool = False,
    progress: Progress | None = None,
) -> Written:
    """Writes everything; what needs a library that is not there is left out and told.

    Raises:
        OutputExists: a file is in the way and ``overwrite`` is not set.
        CannotWrite: the folder does not take files.
    """
    check_free(folder, overwrite=overwrite)
    tables = study_tables(gathered, found, coded)
    paths = write_csv(tables, folder / "tables", lang=lang, overwrite=overwrite)
    paths += write_jsonl(tables, folder / "jsonl", overwrite=overwrite)
    without: list[tuple[str, str]] = []
    try:
        paths += write_parquet(tables, folder / "parquet", overwrite=overwrite)
    except UsageError as fault:
        without.append(("parquet", str(fault)))
    for name, text in (("models.R", r_script(found.models)), ("report.json", report_json(gathered, found, coded))):
        (folder / name).write_text(text, encoding="utf-8")
        paths.append(folder / name)
    try:
        ledgers = labelled(gathered.ledgers, found.by)
        drawn = list(
            figures(ledgers, found, report_texts(lang), lang, {one.ledger.name: one.row.file for one in gathered.games})
        )
        paths += draw_all(drawn, folder / "figures", overwrite=overwrite, progress=progress)
    except UsageError as fault:
        without.append(("figures", str(fault)))
    return Written(folder, tuple(paths), tuple(without))


def check_free(folder: Path, *, overwrite: bool) -> None:
    """Before anything is computed: OutputExists if the folder holds something, CannotWrite if it cannot be one."""
    if folder.exists() and not folder.is_dir():
        raise CannotWrite(f"{folder} is a file; name a folder")
    if folder.is_dir() and any(folder.iterdir()) and not overwrite:
        raise OutputExists(f"{folder} already holds files; name another folder, or write over them with --force")


def report_data(gathered: Gathered, found: Findings, coded: Coded | None) -> dict[str, Any]:
    """The figures of a report as JSON data; the rows of regressions and of the ledger are in the tables only."""
    data: dict[str, Any] = {
        "games": [_plain(one.row) for one in gathered.games],
        "left_out": [_plain(one) for one in gathered.left],
    }
    data |= {entry.name: _plain(getattr(found, entry.name)) for entry in fields(found) if entry.name != "models"}
    data["models"] = {
        "fitted": _plain(found.models.fitted),
        "rows": len(found.models.rows),
        "constant": list(found.models.constant),
        "lacking": _plain(found.models.lacking),
        "lacking_outcome": _plain(found.models.lacking_outcome),
        "why": list(found.models.why),
    }
    data["coded"] = None if coded is None else _plain(coded)
    return data


def report_json(gathered: Gathered, found: Findings, coded: Coded | None) -> str:
    """The same as text."""
    data = report_data(gathered, found, coded)
    return json.dumps(data, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def _plain(value: Any) -> Any:
    """Rows as JSON data; a figure that is not defined is ``null``."""
    if is_dataclass(value) and not isinstance(value, type):
        return {entry.name: _plain(getattr(value, entry.name)) for entry in fields(value)}
    if isinstance(value, dict):
        return {str(key): _plain(entry) for key, entry in value.items()}
    if isinstance(value, (tuple, list)):
        return [_plain(entry) for entry in value]
    if isinstance(value, float) and not isfinite(value):
        return None
    return value


def export_tables(
    tables: Sequence[Table], folder: Path, form: str, *, lang: str = "en", overwrite: bool = False
) -> list[Path]:
    """Tables in one of :data:`FORMATS`."""
    if form == "csv":
        return write_csv(tables, folder, lang=lang, overwrite=overwrite)
    if form == "jsonl":
        return write_jsonl(tables, folder, overwrite=overwrite)
    return write_parquet(tables, folder, overwrite=overwrite)
