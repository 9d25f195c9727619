"""How well an extractor does against adjudicated gold: precision, recall and F1 of each label, and benchmarks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from diplomat.study.stats.bootstrap import REPS, Statistic, cluster_bootstraps, totals_by
from diplomat.study.stats.detection import f1
from diplomat.study.stats.intervals import Interval, ratio


@dataclass(frozen=True, slots=True)
class Compared:
    """One unit: what it is, and what the extractor took it for (an act, a verdict, ``none``)."""

    game: str
    gold: str
    found: str


@dataclass(frozen=True, slots=True)
class ExtractionRow:
    """One label's figures with games resampled."""

    label: str
    gold: int
    """Units that are it."""
    found: int
    """Units that were taken for it."""
    right: int
    precision: Interval
    recall: Interval
    f1: Interval


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A published figure to print beside ours."""

    what: str
    figure: str
    value: float
    source: str


BENCHMARKS = (
    Benchmark("requests, three coders of e-mail", "kappa", 0.78, "Lampert et al. 2007"),
    Benchmark("commitments, three coders of e-mail", "kappa", 0.54, "Lampert et al. 2007"),
    Benchmark("broken commitments, parser on Diplomacy", "precision", 0.51, "Wongkamjan et al. 2024"),
    Benchmark("broken commitments, parser on Diplomacy", "recall", 0.71, "Wongkamjan et al. 2024"),
    Benchmark("broken promises, rules on Diplomacy, strict", "precision", 0.31, "pilot on Peskov et al. 2020"),
    Benchmark("broken promises, rules on Diplomacy, lenient", "precision", 0.53, "pilot on Peskov et al. 2020"),
)
"""What others reached; the pilot's hand check is of one person who was not blind."""


def extraction_report(
    rows: Iterable[Compared], labels: Sequence[str] = (), *, reps: int = REPS, seed: int | str = 0
) -> tuple[ExtractionRow, ...]:
    """Precision ``TP / (TP + FP)``, recall ``TP / (TP + FN)`` and F1 of each label (van Rijsbergen 1979, ch. 7).

    Args:
        rows: units of the gold sample, each once.
        labels: those to report, in this order; all that occur, by name, if empty.
        reps: resamples of games.
        seed: of the draws.
    """
    units = list(rows)
    named = labels or sorted({label for row in units for label in (row.gold, row.found)})
    return tuple(_row(label, units, reps, seed) for label in named)


def _row(label: str, units: Sequence[Compared], reps: int, seed: int | str) -> ExtractionRow:
    totals = totals_by(
        units,
        lambda row: row.game,
        lambda row: (row.gold == label == row.found, row.found == label, row.gold == label),
    )
    figures: dict[str, Statistic] = {
        "precision": lambda sums: ratio(sums[0], sums[1]),
        "recall": lambda sums: ratio(sums[0], sums[2]),
        "f1": lambda sums: f1(sums[0], sums[1] - sums[0], sums[2] - sums[0]),
    }
    found = cluster_bootstraps(totals, figures, units=len(units), reps=reps, seed=seed)
    right, taken, gold = (int(sum(column)) for column in zip(*totals.values(), strict=True)) if totals else (0, 0, 0)
    return ExtractionRow(label, gold, taken, right, found["precision"], found["recall"], found["f1"])
