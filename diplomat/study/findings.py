"""All figures of a study from its ledgers, each computed by itself, so that several processes share the work.

Every figure is a function of plain rows and a seed: the same whatever the number of processes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from diplomat.crew import crew
from diplomat.study import counts
from diplomat.study.counts import FIELDS, ClaimRow, ConflictRow, FourRow, Grouping, OutcomeRow, SourceRow, WindowRow
from diplomat.study.datasets import ours
from diplomat.study.gather import Progress, unswept
from diplomat.study.ledger import Ledger
from diplomat.study.modelling import Modelled, model_rows, modelled
from diplomat.study.neighbours import NeighbourRow, neighbours
from diplomat.study.plots.flow import FlowRow
from diplomat.study.plots.matrix import TrustCell
from diplomat.study.stats.detection import DetectionReport, detection_report
from diplomat.study.stats.dyads import (
    HonestyStrength,
    Reciprocity,
    TitForTat,
    honesty_against_strength,
    reciprocity,
    tit_for_tat,
)
from diplomat.study.stats.multiplicity import holm
from diplomat.study.stats.permutation import Assigned, Permuted, permutation_test
from diplomat.study.stats.rates import Counted, Denominator, RateRow, StatusRow, rate, rates_by_group, status_table
from diplomat.study.stats.survival import IncidenceRow, SurvivalRow, incidence, kaplan_meier

MOST, LEAST, DRAWN = 2000, 400, 400_000
"""Resamples at most and at least, and about how many games they draw together."""
TESTED = ("kept", "insincere", "promised")
"""Measures that are tested, the first of them primary; they are one family for the correction."""


@dataclass(frozen=True, slots=True)
class TestRow:
    """Whether the label makes a difference to one measure, by dealing the labels anew within each game."""

    measure: str
    labels: int
    games: int
    p_value: float
    p_holm: float
    """Corrected for testing several measures."""
    deals: int
    exact: bool
    """Whether all deals were looked at."""


@dataclass(frozen=True, slots=True)
class Findings:
    """Everything that a study found."""

    by: Grouping
    seed: str
    resamples: int
    four: tuple[FourRow, ...]
    outcomes: tuple[OutcomeRow, ...]
    statuses: tuple[StatusRow, ...]
    windows: tuple[WindowRow, ...]
    conflicts: tuple[ConflictRow, ...]
    sources: tuple[SourceRow, ...]
    claims: tuple[ClaimRow, ...]
    rates: tuple[RateRow, ...]
    tests: tuple[TestRow, ...]
    permuted: tuple[Permuted, ...]
    """The tests in full, in the same order."""
    neighbours: tuple[NeighbourRow, ...]
    flow: tuple[FlowRow, ...]
    trust: tuple[TrustCell, ...]
    survival: tuple[SurvivalRow, ...]
    incidence: tuple[IncidenceRow, ...]
    untested: int
    """Promises that could not be tested, so that they have no lifetime."""
    reciprocity: Reciprocity
    tit_for_tat: TitForTat
    honesty: HonestyStrength
    unscored: int
    """Seats without a score, because their game is not over."""
    receivers: DetectionReport
    models: Modelled


def usual_resamples(games: int) -> int:
    """How many resamples of so many games: fewer where there are many, since time is games times resamples.

    >>> [usual_resamples(games) for games in (20, 200, 400, 1000)]
    [2000, 2000, 1000, 400]
    """
    return max(LEAST, min(MOST, DRAWN // max(1, games)))


def measures(ledgers: Sequence[Ledger], by: Grouping) -> dict[str, tuple[Denominator, list[Counted]]]:
    """What is measured: per what, and the counts seat by seat."""
    field = FIELDS[by]
    return {
        "kept": ("promise", counts.kept(ledgers, by)),
        "insincere": ("promise", counts.insincere(ledgers, by)),
        "doubted": ("promise", counts.doubted(ledgers, by)),
        "broken": ("message", ours.per_message(ledgers, field)),
        "promised": ("opportunity", ours.per_opportunity(ledgers, field, "promised")),
        "silent": ("opportunity", ours.per_opportunity(ledgers, field, "silent")),
    }


def find(
    ledgers: Sequence[Ledger],
    by: Grouping,
    *,
    resamples: int | None = None,
    seed: str = "0",
    models: bool = True,
    jobs: int = 1,
    progress: Progress | None = None,
) -> Findings:
    """All figures.

    Args:
        ledgers: labelled, see :func:`counts.labelled`.
        by: what players are grouped by.
        resamples: of games, for every interval (:func:`usual_resamples` if not given); the permutation tests take
            twice as many deals.
        seed: of all draws.
        models: whether regressions are fitted.
        jobs: processes.
        progress: told after every figure.
    """
    field = FIELDS[by]
    reps = usual_resamples(len(ledgers)) if resamples is None else resamples
    measured = measures(ledgers, by)
    lives, untested = ours.lifetimes(ledgers)
    seats, unscored = counts.played(ledgers, by)
    rows = model_rows(ledgers, by)
    work: dict[str, Callable[[], Any]] = {
        "models": partial(modelled, rows) if models else partial(Modelled, rows, why=("model.not_asked",)),
        "honesty": partial(honesty_against_strength, seats, reps=reps, seed=seed),
        "reciprocity": partial(reciprocity, ours.directed(ledgers), reps=reps, seed=seed),
        "tit_for_tat": partial(tit_for_tat, ours.moves(ledgers), reps=reps, seed=seed),
        "receivers": partial(detection_report, counts.told_apart(ledgers), reps=reps, seed=seed),
    }
    for name, (per, counted) in measured.items():
        work[f"rate {name}"] = partial(_rates, name, per, counted, reps, seed)
    for name in TESTED:
        work[f"test {name}"] = partial(_test, measured[name][1], 2 * reps - 1, seed)
    work["neighbours"] = partial(neighbours, measured["kept"][1], 2 * reps - 1, seed)
    done = _worked(work, jobs, progress)
    tests = {name: done[f"test {name}"] for name in TESTED if done[f"test {name}"] is not None}
    return Findings(
        by=by,
        seed=seed,
        resamples=reps,
        four=counts.four_columns(ledgers, by),
        outcomes=counts.outcome_rows(ledgers, by),
        statuses=status_table(ours.outcomes(ledgers, field)),
        windows=counts.window_rows(ledgers, by),
        conflicts=counts.conflict_rows(ledgers, by),
        sources=counts.source_rows(ledgers),
        claims=counts.claim_rows(ledgers, by),
        rates=tuple(row for name in measured for row in done[f"rate {name}"]),
        tests=tuple(_test_rows(tests)),
        permuted=tuple(tests.values()),
        neighbours=done["neighbours"],
        flow=tuple(ours.flow_rows(ledgers)),
        trust=tuple(ours.trust_cells(ledgers, field)),
        survival=kaplan_meier(lives),
        incidence=incidence(lives),
        untested=untested,
        reciprocity=done["reciprocity"],
        tit_for_tat=done["tit_for_tat"],
        honesty=done["honesty"],
        unscored=unscored,
        receivers=done["receivers"],
        models=done["models"],
    )


def _rates(measure: str, per: Denominator, counted: Sequence[Counted], reps: int, seed: str) -> tuple[RateRow, ...]:
    """One rate for everybody together, then one per group."""
    groups = {row.group for row in counted}
    every = rate(counted, measure, per, reps=reps, seed=seed)
    return (every, *(rates_by_group(counted, measure, per, reps=reps, seed=seed) if len(groups) > 1 else ()))


def _test(counted: Sequence[Counted], deals: int, seed: str) -> Permuted | None:
    """None where there is nothing to compare."""
    if len({row.group for row in counted}) < 2:
        return None
    dealt = [Assigned(row.game, row.group, row.hits, row.units) for row in counted]
    return permutation_test(dealt, reps=deals, seed=seed)


def _test_rows(tests: dict[str, Permuted]) -> Iterator[TestRow]:
    corrected = holm({name: test.p_value for name, test in tests.items()})
    for name, test in tests.items():
        yield TestRow(name, len(test.labels), test.blocks, test.p_value, corrected[name], test.deals, test.exact)


def _call(task: Callable[[], Any]) -> Any:
    return task()


def _worked(work: dict[str, Callable[[], Any]], jobs: int, progress: Progress | None) -> dict[str, Any]:
    done: dict[str, Any] = {}
    with unswept():
        if jobs <= 1:
            results: Iterator[Any] = map(_call, work.values())
            done = _collected(work, results, progress)
        else:
            with crew(jobs) as pool:
                done = _collected(work, pool.map(_call, work.values()), progress)
    return done


def _collected(work: dict[str, Any], results: Iterator[Any], progress: Progress | None) -> dict[str, Any]:
    done: dict[str, Any] = {}
    for name, result in zip(work, results, strict=True):
        done[name] = result
        if progress:
            progress(len(done), len(work))
    return done
