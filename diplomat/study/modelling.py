"""The promises of a study as rows of a regression, and the models of them, with what was left out and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Any

from diplomat.core.errors import UsageError
from diplomat.study.counts import Grouping, groups_of, judged, promises
from diplomat.study.ledger import Ledger
from diplomat.study.rows import EVERYBODY
from diplomat.study.stats.regression import Fitted, NotFitted, gee, mixed_logit, multinomial

LEAST_ROWS, LEAST_GAMES = 30, 5
"""Below this a model says nothing that the table does not."""
FEW_OF_ONE_KIND = 5
"""Fewer broken (or kept) promises than this per coefficient, and the model only follows noise."""
MOST_MIXED = 200_000
"""Rows times games up to which the mixed model is fitted here: it takes minutes beyond, and R has the same formula."""


@dataclass(frozen=True, slots=True)
class ModelRow:
    """One promise as a row of a regression: kept or broken, and both were possible."""

    game: str
    pid: str
    broken: bool
    player: str
    """The label of who promised."""
    point: int
    """Decision point from which it binds."""
    conditional: bool
    public: bool
    """Given to everybody."""
    do: bool
    """To do something; else to leave it."""
    agreed: bool
    """Part of an agreement: an accepted offer, or an acceptance."""
    pair: str
    """Game and both seats, in their order; for public words the seat alone."""
    seat: str
    """Game and seat."""
    outcome: str
    modelled: bool = True
    """Whether the models of breaking are fitted to it; not where all promises of its kind ended alike."""
    outcome_modelled: bool = True
    """Whether the model of outcomes is; not where its kind lacks an outcome, or no plan says what was meant."""


@dataclass(frozen=True, slots=True)
class Lacking:
    """A kind of promise that never came to some end, so that its odds are not finite."""

    predictor: str
    value: str
    """The player, or ``true``, ``false``."""
    promises: int
    missing: tuple[str, ...]
    """The ends to which none of them came."""


@dataclass(frozen=True, slots=True)
class Modelled:
    """The models of a study, or why there is none."""

    rows: tuple[ModelRow, ...]
    fitted: tuple[Fitted, ...] = ()
    constant: tuple[str, ...] = ()
    """Predictors that are the same in all rows and so left out."""
    lacking: tuple[Lacking, ...] = ()
    """Kinds that the models of breaking leave out, in the order in which they were found."""
    lacking_outcome: tuple[Lacking, ...] = ()
    """Kinds that the model of outcomes leaves out."""
    why: tuple[str, ...] = ()
    """Keys of the reasons for which a model is missing (``model.few_rows`` …), or messages of the library."""


def model_rows(ledgers: Sequence[Ledger], by: Grouping) -> tuple[ModelRow, ...]:
    """Binding promises that were kept or broken, as rows."""
    labels = {ledger.name: groups_of(ledger, by) for ledger in ledgers}
    rows: list[ModelRow] = []
    for ledger, promise, end, verdict in promises(ledgers):
        if not judged(end):
            continue
        others = () if EVERYBODY in promise.creditors else promise.creditors
        rows.append(
            ModelRow(
                game=ledger.name,
                pid=promise.pid,
                broken=end.status == "broken",
                player=labels[ledger.name][promise.debtor],
                point=promise.made_point,
                conditional=promise.conditional,
                public=promise.audience == "public",
                do=promise.polarity == "do",
                agreed=promise.act in ("offer", "counter", "accept"),
                pair=f"{ledger.name}/{'-'.join(sorted((promise.debtor, *others)))}",
                seat=f"{ledger.name}/{promise.debtor}",
                outcome=verdict.outcome,
            )
        )
    return tuple(rows)


PREDICTORS = ("player", "point", "conditional", "public", "do", "agreed")
KINDS = ("player", "conditional", "public", "do", "agreed")
"""Predictors whose values are kinds of promise."""
ENDS = ("kept", "broken")
OUTCOME_PREDICTORS = ("player", "point")
"""Of the four outcomes, each predictor has three coefficients; more predictors soon separate the rare ones."""
OUTCOMES = ("honoured", "changed_mind", "relented", "premeditated")
"""Outcomes of promises with a stated plan; the multinomial compares the others with the first."""


def modelled(rows: Sequence[ModelRow]) -> Modelled:
    """The models of keeping and breaking, and the one of what was meant and done.

    GEE with games as clusters, a mixed logit with an intercept per game where that is quick enough, and a multinomial
    logit.  Kinds of promise that lack an end are left out by name (see :func:`lacking`).
    """
    told = tuple(rows)
    if len(told) < LEAST_ROWS or len({row.game for row in told}) < LEAST_GAMES:
        return Modelled(told, why=("model.few_rows",))
    without = tuple(lacking(told, KINDS, end_of, ENDS))
    planned = [row for row in told if row.outcome in OUTCOMES]
    without_outcome = tuple(lacking(planned, ("player",), outcome_of, OUTCOMES))
    told = tuple(
        replace(
            row,
            modelled=not any(_is_of(row, kind) for kind in without),
            outcome_modelled=row.outcome in OUTCOMES and not any(_is_of(row, kind) for kind in without_outcome),
        )
        for row in told
    )
    ends = _Data.of([row for row in told if row.modelled], PREDICTORS, end_of, ENDS)
    meant = _Data.of([row for row in told if row.outcome_modelled], OUTCOME_PREDICTORS, outcome_of, OUTCOMES)
    fitted: list[Fitted] = []
    why: dict[str, None] = {}
    for model in (gee, mixed_logit):
        if ends.too_few:
            why[ends.too_few] = None
        elif model is mixed_logit and len(ends.rows) * ends.games > MOST_MIXED:
            why["model.too_long"] = None
        else:
            _fit(partial(model, ends.rows, "broken", ends.varying), fitted, why)
    if meant.too_few:
        why[meant.too_few.replace("breaches", "outcomes")] = None
    else:
        _fit(partial(multinomial, meant.rows, "outcome", meant.varying, OUTCOMES), fitted, why)
    return Modelled(told, tuple(fitted), ends.constant, without, without_outcome, tuple(why))


@dataclass(frozen=True, slots=True)
class _Data:
    """The rows of one model."""

    rows: list[Mapping[str, Any]]
    games: int
    varying: list[str]
    """Predictors that are not the same in all rows."""
    too_few: str
    """Why they carry no model, or empty."""

    @property
    def constant(self) -> tuple[str, ...]:
        return tuple(name for name in PREDICTORS if name not in self.varying)

    @staticmethod
    def of(
        rows: Sequence[ModelRow], predictors: Sequence[str], end: Callable[[ModelRow], str], ends: Sequence[str]
    ) -> _Data:
        data: list[Mapping[str, Any]] = [asdict(row) for row in rows]
        games = len({row.game for row in rows})
        varying = [name for name in predictors if len({row[name] for row in data}) > 1]
        terms = len(varying) + max(0, len({row.player for row in rows}) - 2)
        counts = Counter(map(end, rows))
        rare = min(counts[name] for name in ends) < FEW_OF_ONE_KIND * max(1, terms)
        few = len(rows) < LEAST_ROWS or games < LEAST_GAMES
        return _Data(data, games, varying, "model.few_breaches" if rare or few else "")


def _fit(fit: Callable[[], Fitted], fitted: list[Fitted], why: dict[str, None]) -> None:
    """Adds the model, or why there is none."""
    try:
        fitted.append(fit())
    except NotFitted as fault:
        why[f"model.not_fitted.{fault.method}"] = None
    except UsageError as fault:
        why[str(fault)] = None
    except (ValueError, ArithmeticError, RuntimeError) as fault:  # what the libraries raise on a singular table
        why[f"{type(fault).__name__}: {fault}"] = None


def end_of(row: ModelRow) -> str:
    """``kept`` or ``broken``."""
    return "broken" if row.broken else "kept"


def outcome_of(row: ModelRow) -> str:
    """What was meant and done."""
    return row.outcome


def lacking(
    rows: Sequence[ModelRow], kinds: Sequence[str], end: Callable[[ModelRow], str], ends: Sequence[str]
) -> Iterator[Lacking]:
    """Kinds of promise that never came to one of the ends, until every kind that is left came to all.

    They separate the ends: the likelihood has no greatest value (Albert & Anderson 1984, Biometrika 71:1-10).  Where
    kinds all ended alike their promises say nothing about the other coefficients, so the rest is fitted without them,
    as Stata's ``logit`` does.
    """
    left = list(rows)
    while {end(row) for row in left} == set(ends) and (found := next(_lacking(left, kinds, end, ends), None)):
        yield found
        left = [row for row in left if not _is_of(row, found)]


def _lacking(
    rows: Sequence[ModelRow], kinds: Sequence[str], end: Callable[[ModelRow], str], ends: Sequence[str]
) -> Iterator[Lacking]:
    for name in kinds:
        met: dict[str, list[str]] = {}
        for row in rows:
            met.setdefault(_value(row, name), []).append(end(row))
        if len(met) > 1:  # a predictor that does not vary is no coefficient
            for value, found in sorted(met.items()):
                missing = tuple(one for one in ends if one not in found)
                if missing:
                    yield Lacking(name, value, len(found), missing)


def _value(row: ModelRow, predictor: str) -> str:
    value = getattr(row, predictor)
    return str(value).lower() if isinstance(value, bool) else str(value)


def _is_of(row: ModelRow, kind: Lacking) -> bool:
    return _value(row, kind.predictor) == kind.value


YES_NO = ("modelled", "outcome_modelled", "broken", "conditional", "public", "do", "agreed")


def r_script(found: Modelled) -> str:
    """The models for R, reading the table beside it; R also fits the intercepts of seats and pairs."""
    lines = ['d <- read.csv("tables/model_rows.csv", stringsAsFactors = TRUE)']
    lines += [f'd${name} <- as.integer(d${name} == "true")' for name in YES_NO]
    lines += ["m <- droplevels(d[d$outcome_modelled == 1, ])", "d <- droplevels(d[d$modelled == 1, ])"]
    lines += ["", *(model.r_code for model in found.fitted)]
    if found.fitted and found.fitted[0].method != "multinomial":
        full = f"{found.fitted[0].formula} + (1 | game) + (1 | seat) + (1 | pair)"
        lines += [
            "library(lme4)",
            f"full <- glmer({full}, family = binomial, data = d)",
            "summary(full)",
            f"# library(brms); brm({full}, family = bernoulli(), data = d)",
        ]
    return "\n".join(lines) + "\n"
