"""Do coders agree: raw and specific agreement, Cohen's and Fleiss' kappa, Krippendorff's alpha, resampled by game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import isnan, nan
from typing import Literal

from diplomat.core.errors import UsageError
from diplomat.study.stats.bootstrap import REPS, Totals, cluster_bootstrap
from diplomat.study.stats.cautions import few_games
from diplomat.study.stats.intervals import Interval, ratio

Value = str | int | float | bool
Metric = Literal["nominal", "ordinal", "interval"]
Gate = Literal["publish", "tentative", "counts_only"]


@dataclass(frozen=True, slots=True)
class Coding:
    """One coder's value for one unit (a message, a span, a promise) of one game."""

    game: str
    unit: str
    coder: str
    value: Value


@dataclass(frozen=True, slots=True)
class PairKappa:
    """Two coders on the units that both coded."""

    first: str
    second: str
    units: int
    raw: float
    kappa: float


@dataclass(frozen=True, slots=True)
class AgreementRow:
    """Everything the handbook wants beside one coded field."""

    field: str
    units: int
    """Units coded at least once."""
    pairable: int
    """Units coded at least twice: only these can show agreement."""
    coders: int
    values: Mapping[str, int]
    """How often each value was given."""
    raw: float
    """Share of agreeing pairs of codings within units."""
    pairs: tuple[PairKappa, ...]
    fleiss: float
    """``nan`` unless every unit was coded equally often."""
    alpha: Interval
    specific: Mapping[str, float]
    """Agreement on each value by itself; kappa falls with prevalence, this does not."""
    gate: Gate


def cohen_kappa(pairs: Sequence[tuple[Value, Value]]) -> float:
    """``(p_o - p_e) / (1 - p_e)`` of two coders, chance from each one's own habits.

    Cohen (1960), Educational and Psychological Measurement 20:37-46.  ``nan`` for no pairs, or where both only ever
    use the same one value.

    >>> round(cohen_kappa([("y", "y")] * 20 + [("y", "n")] * 5 + [("n", "y")] * 10 + [("n", "n")] * 15), 3)
    0.4
    """
    count = len(pairs)
    first, second = Counter(one for one, _ in pairs), Counter(other for _, other in pairs)
    raw = ratio(sum(one == other for one, other in pairs), count)
    chance = ratio(sum(first[value] * second[value] for value in first), count * count)
    return ratio(raw - chance, 1 - chance)


def fleiss_kappa(counts: Sequence[Sequence[int]]) -> float:
    """Kappa for many coders: rows are units, columns values, cells how many coders chose the value.

    ``(P̄ - P_e) / (1 - P_e)`` with ``P_i = (Σ n_ij² - n) / (n(n-1))``, ``P_e = Σ p_j²``: Fleiss (1971), Psychological
    Bulletin 76:378-382.

    Raises:
        UsageError: units were coded by different numbers of coders, or by fewer than two.
    """
    sizes = {sum(row) for row in counts}
    if len(sizes) != 1 or min(sizes) < 2:
        raise UsageError(f"Fleiss' kappa wants every unit coded equally often, at least twice; found {sorted(sizes)}")
    (coders,) = sizes
    alike = sum((sum(cell * cell for cell in row) - coders) / (coders * (coders - 1)) for row in counts) / len(counts)
    shares = [sum(column) / (len(counts) * coders) for column in zip(*counts, strict=True)]
    chance = sum(part * part for part in shares)
    return ratio(alike - chance, 1 - chance)


def krippendorff_alpha(units: Iterable[Sequence[Value]], metric: Metric = "nominal") -> float:
    """``1 - D_o / D_e`` for any number of coders, with gaps.

    Each unit is the values it was given; units with fewer than two are of no use and skipped.  From the coincidences
    ``o_ck = Σ_u pairs(c, k) / (m_u - 1)``; ``δ²`` is 0/1 (nominal), ``(Σ_{g=c..k} n_g - (n_c + n_k)/2)²`` (ordinal) or
    ``(c - k)²`` (interval).  Krippendorff (2011), *Computing Krippendorff's Alpha-Reliability*; (2019), *Content
    Analysis*, ch. 12.  ``nan`` where there are no pairs, or only one value was ever given.
    """
    listed = [unit for unit in units if len(unit) > 1]
    values = _ordered({value for unit in listed for value in unit})
    total = [0.0] * len(values) ** 2
    for unit in listed:
        for at, part in _coincidences(unit, values):
            total[at] += part
    return alpha_of(total, values, metric)


def alpha_of(coincidences: Sequence[float], values: Sequence[Value], metric: Metric) -> float:
    """Alpha from a coincidence matrix, row by row; matrices of games add up, so games can be resampled."""
    size = len(values)
    often = [sum(coincidences[at * size : (at + 1) * size]) for at in range(size)]
    total = sum(often)
    seen = wanted = 0.0
    for one, other in combinations(range(size), 2):
        far = _distance(one, other, values, often, metric)
        seen += 2 * coincidences[one * size + other] * far
        wanted += 2 * often[one] * often[other] * far
    return 1 - (total - 1) * ratio(seen, wanted) if total > 1 else nan


def _distance(one: int, other: int, values: Sequence[Value], often: Sequence[float], metric: Metric) -> float:
    if metric == "nominal":
        return 1.0
    if metric == "ordinal":
        return (sum(often[one : other + 1]) - (often[one] + often[other]) / 2) ** 2
    low, high = values[one], values[other]
    if isinstance(low, str) or isinstance(high, str):
        raise UsageError(f"interval distances want numbers; {low!r} and {high!r} are words")
    return (low - high) ** 2


def _coincidences(unit: Sequence[Value], values: Sequence[Value]) -> list[tuple[int, float]]:
    place = {value: at for at, value in enumerate(values)}
    often = Counter(unit)
    weight = 1 / (len(unit) - 1)
    return [
        (place[one] * len(values) + place[other], weight * often[one] * (often[other] - (one == other)))
        for one in often
        for other in often
    ]


def _ordered(values: Iterable[Value]) -> list[Value]:
    """Values by size, words by their letters: the order that the ordinal distance goes by."""
    return sorted(values, key=lambda value: (isinstance(value, str), value))


def alpha_interval(
    codings: Iterable[Coding],
    metric: Metric = "nominal",
    *,
    order: Sequence[Value] | None = None,
    reps: int = REPS,
    seed: int | str = 0,
) -> Interval:
    """Krippendorff's alpha with the percentile interval of resampled games.

    Args:
        codings: all values of all coders.
        metric: how far apart two values are.
        order: the values from low to high, where their letters do not say it (``low``, ``middle``, ``high``).
        reps: resamples.
        seed: of the draws.

    Raises:
        UsageError: a value is not in the order given.
    """
    units: dict[tuple[str, str], list[Value]] = {}
    for coding in codings:
        units.setdefault((coding.game, coding.unit), []).append(coding.value)
    met = {value for unit in units.values() for value in unit}
    if order is not None and not met <= set(order):
        raise UsageError(f"values outside the order given: {', '.join(map(str, _ordered(met - set(order))))}")
    values = list(order) if order is not None else _ordered(met)
    games: dict[Hashable, list[float]] = {}
    pairable = 0
    for (game, _), unit in units.items():
        if len(unit) > 1:
            pairable += 1
            kept = games.setdefault(game, [0.0] * len(values) ** 2)
            for at, part in _coincidences(unit, values):
                kept[at] += part
    if not games:
        return Interval(nan, nan, nan, "bootstrap", 0, 0, cautions=few_games(0))
    totals: dict[Hashable, Totals] = {game: tuple(matrix) for game, matrix in games.items()}
    return cluster_bootstrap(totals, lambda sums: alpha_of(sums, values, metric), units=pairable, reps=reps, seed=seed)


def specific_agreement(units: Iterable[Sequence[Value]]) -> dict[str, float]:
    """Of all codings with a value, how often another coder of the same unit gave it too, value by value.

    Two coders: ``2a / (2a + b + c)``, Cicchetti & Feinstein (1990), Journal of Clinical Epidemiology 43:551-558; more
    coders: mean over pairs.
    """
    agreed: Counter[str] = Counter()
    given: Counter[str] = Counter()
    for unit in units:
        for one, other in combinations(unit, 2):
            given.update((str(one), str(other)))
            if one == other:
                agreed[str(one)] += 2
    return {value: agreed[value] / given[value] for value in sorted(given)}


def agreement(
    codings: Iterable[Coding],
    field: str = "",
    metric: Metric = "nominal",
    *,
    order: Sequence[Value] | None = None,
    reps: int = REPS,
    seed: int | str = 0,
) -> AgreementRow:
    """The whole agreement row of one coded field."""
    rows = list(codings)
    units: dict[tuple[str, str], dict[str, Value]] = {}
    for row in rows:
        coded = units.setdefault((row.game, row.unit), {})
        if row.coder in coded:
            raise UsageError(f"{row.coder} coded {row.unit} of {row.game} twice; keep one coding of each coder")
        coded[row.coder] = row.value
    several = [list(coded.values()) for coded in units.values() if len(coded) > 1]
    alpha = alpha_interval(rows, metric, order=order, reps=reps, seed=seed)
    both = [pair for unit in several for pair in combinations(unit, 2)]
    coders = sorted({row.coder for row in rows})
    return AgreementRow(
        field=field,
        units=len(units),
        pairable=len(several),
        coders=len(coders),
        values=dict(sorted(Counter(str(row.value) for row in rows).items())),
        raw=ratio(sum(one == other for one, other in both), len(both)),
        pairs=tuple(_pair(one, other, units.values()) for one, other in combinations(coders, 2)),
        fleiss=_fleiss([list(coded.values()) for coded in units.values()]),
        alpha=alpha,
        specific=specific_agreement(several),
        gate=gate(alpha.estimate),
    )


def gate(alpha: float) -> Gate:
    """What may be printed at that alpha: from 0.80 rates, from 0.667 tentative ones, below only counts.

    The two marks are Krippendorff's (2019, ch. 12); what follows from them is this package's choice.
    """
    if isnan(alpha) or alpha < 0.667:
        return "counts_only"
    return "publish" if alpha >= 0.8 else "tentative"


def _pair(one: str, other: str, units: Iterable[Mapping[str, Value]]) -> PairKappa:
    both = [(coded[one], coded[other]) for coded in units if one in coded and other in coded]
    return PairKappa(one, other, len(both), ratio(sum(a == b for a, b in both), len(both)), cohen_kappa(both))


def _fleiss(units: Sequence[Sequence[Value]]) -> float:
    if len({len(unit) for unit in units}) != 1 or len(units[0]) < 2:
        return nan
    values = _ordered({value for unit in units for value in unit})
    return fleiss_kappa([[list(unit).count(value) for value in values] for unit in units])
