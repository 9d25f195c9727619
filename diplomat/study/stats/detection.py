"""How well somebody tells lies from truth: receivers, annotators or programs against the speaker's own mark.

A *hit* is a lie that was doubted.  Messages whose receiver pressed nothing are left out and counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from diplomat.study.stats.bootstrap import REPS, cluster_bootstraps, totals_by
from diplomat.study.stats.intervals import NORMAL, Interval, ratio


@dataclass(frozen=True, slots=True)
class Judged:
    """One message: was it a lie, and did the judge take it for one (``None``: no judgement)."""

    game: str
    lie: bool
    doubted: bool | None


@dataclass(frozen=True, slots=True)
class Confusion:
    """Lies and truths by what they were taken for."""

    caught: float = 0
    """Lies doubted (true positives)."""
    doubted: float = 0
    """Truths doubted (false positives)."""
    missed: float = 0
    """Lies believed (false negatives)."""
    believed: float = 0
    """Truths believed (true negatives)."""

    @property
    def total(self) -> float:
        """All judged messages."""
        return self.caught + self.doubted + self.missed + self.believed

    @property
    def accuracy(self) -> float:
        """Share judged rightly; says little where lies are rare."""
        return ratio(self.caught + self.believed, self.total)

    @property
    def precision(self) -> float:
        """Share of lies among the doubted."""
        return ratio(self.caught, self.caught + self.doubted)

    @property
    def recall(self) -> float:
        """Share of lies that were doubted."""
        return ratio(self.caught, self.caught + self.missed)

    @property
    def lie_f1(self) -> float:
        """``2TP / (2TP + FP + FN)`` for lies (van Rijsbergen 1979); 0 where lies were neither told nor doubted."""
        return f1(self.caught, self.doubted, self.missed)

    @property
    def macro_f1(self) -> float:
        """The mean of the F1 of lies and the F1 of truths, each by its own count."""
        return (self.lie_f1 + f1(self.believed, self.missed, self.doubted)) / 2

    @property
    def kappa(self) -> float:
        """Cohen's kappa of mark and judgement; here it measures detection, not reliability."""
        chance = ratio(
            (self.caught + self.missed) * (self.caught + self.doubted)
            + (self.doubted + self.believed) * (self.missed + self.believed),
            self.total**2,
        )
        return ratio(self.accuracy - chance, 1 - chance)

    @property
    def d_prime(self) -> float:
        """Sensitivity ``z(hit rate) - z(false-alarm rate)`` (Green & Swets 1966), with :meth:`corrected` rates."""
        hits, alarms = self.corrected()
        return NORMAL.inv_cdf(hits) - NORMAL.inv_cdf(alarms)

    @property
    def criterion(self) -> float:
        """Bias ``-(z(hit rate) + z(false-alarm rate)) / 2``: above 0 the judge believes more than it doubts."""
        hits, alarms = self.corrected()
        return -(NORMAL.inv_cdf(hits) + NORMAL.inv_cdf(alarms)) / 2

    def corrected(self) -> tuple[float, float]:
        """Hit and false-alarm rate with the log-linear correction ``(x + 0.5) / (n + 1)``.

        It keeps rates of 0 and 1 finite: Hautus (1995), Behavior Research Methods 27:46-51.
        """
        lies, truths = self.caught + self.missed, self.doubted + self.believed
        return (self.caught + 0.5) / (lies + 1), (self.doubted + 0.5) / (truths + 1)


def f1(right: float, wrongly: float, missed: float) -> float:
    """``2TP / (2TP + FP + FN)``; 0 where nothing was there to find and nothing was found."""
    return 2 * right / (2 * right + wrongly + missed) if right or wrongly or missed else 0.0


def confusion(rows: Iterable[Judged]) -> tuple[Confusion, int]:
    """The counts of the judged messages, and how many had no judgement."""
    cells = [0, 0, 0, 0]
    silent = 0
    for row in rows:
        if row.doubted is None:
            silent += 1
        else:
            cells[_cell(row)] += 1
    return Confusion(*cells), silent


MEASURES: dict[str, Callable[[Confusion], float]] = {
    "macro_f1": lambda counts: counts.macro_f1,
    "lie_f1": lambda counts: counts.lie_f1,
    "kappa": lambda counts: counts.kappa,
    "precision": lambda counts: counts.precision,
    "recall": lambda counts: counts.recall,
    "accuracy": lambda counts: counts.accuracy,
    "d_prime": lambda counts: counts.d_prime,
    "criterion": lambda counts: counts.criterion,
}
"""The figures of a detection report, in its order."""


@dataclass(frozen=True, slots=True)
class DetectionRow:
    """One figure of one judge: the judge itself, or a line drawn beside it."""

    judge: str
    """``judge``, ``always_lie``, ``always_truth``."""
    measure: str
    interval: Interval


@dataclass(frozen=True, slots=True)
class DetectionReport:
    """A judge's figures with the two lines that need no judgement at all."""

    counts: Confusion
    unlabelled: int
    """Messages without a judgement: left out of the judge's figures, not of the lines drawn beside them."""
    rows: tuple[DetectionRow, ...]

    def figure(self, measure: str, judge: str = "judge") -> Interval:
        """One figure of the report."""
        return next(row.interval for row in self.rows if (row.judge, row.measure) == (judge, measure))


def detection_report(rows: Iterable[Judged], *, reps: int = REPS, seed: int | str = 0) -> DetectionReport:
    """Macro-F1, lie-F1, kappa and the rest with game-clustered intervals, beside *always lie* and *always truth*.

    The lines are of all messages, judged or not, since they need no judgement.
    """
    every = list(rows)
    counts, silent = confusion(every)
    judged = [row for row in every if row.doubted is not None]
    judges = {
        "judge": judged,
        "always_lie": [Judged(row.game, row.lie, True) for row in every],
        "always_truth": [Judged(row.game, row.lie, False) for row in every],
    }
    found: list[DetectionRow] = []
    for judge, seen in judges.items():
        totals = totals_by(seen, lambda row: row.game, _one_cell)
        figures = {measure: _of_counts(figure) for measure, figure in MEASURES.items()}
        intervals = cluster_bootstraps(totals, figures, units=len(seen), reps=reps, seed=seed)
        found += [DetectionRow(judge, measure, interval) for measure, interval in intervals.items()]
    return DetectionReport(counts, silent, tuple(found))


def _of_counts(figure: Callable[[Confusion], float]) -> Callable[[Sequence[float]], float]:
    return lambda sums: figure(Confusion(*sums))


def _cell(row: Judged) -> int:
    return (0 if row.lie else 1) if row.doubted else (2 if row.lie else 3)


def _one_cell(row: Judged) -> Sequence[float]:
    at = _cell(row)
    return tuple(1.0 if at == place else 0.0 for place in range(4))
