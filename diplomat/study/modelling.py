"""The promises of a study as rows of a regression, and the two models of them, with what was left out and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from diplomat.core.errors import UsageError
from diplomat.study.counts import Grouping, groups_of, judged, promises
from diplomat.study.ledger import Ledger
from diplomat.study.rows import EVERYBODY
from diplomat.study.stats.regression import Fitted, gee, mixed_logit

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


@dataclass(frozen=True, slots=True)
class Modelled:
    """Both models of a study, or why there is none."""

    rows: tuple[ModelRow, ...]
    fitted: tuple[Fitted, ...] = ()
    constant: tuple[str, ...] = ()
    """Predictors that are the same in all rows and so left out."""
    why: tuple[str, ...] = ()
    """Keys of the reasons for which a model is missing (``model.few_rows`` …), or messages of the library."""


def model_rows(ledgers: Sequence[Ledger], by: Grouping) -> tuple[ModelRow, ...]:
    """Binding promises that were kept or broken, as rows."""
    labels = {ledger.name: groups_of(ledger, by) for ledger in ledgers}
    rows: list[ModelRow] = []
    for ledger, promise, end, _ in promises(ledgers):
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
            )
        )
    return tuple(rows)


PREDICTORS = ("player", "point", "conditional", "public", "do", "agreed")


def modelled(rows: Sequence[ModelRow]) -> Modelled:
    """GEE with games as clusters, and a mixed logit with an intercept per game where that is quick enough."""
    told = tuple(rows)
    broken = sum(row.broken for row in told)
    if len(told) < LEAST_ROWS or len({row.game for row in told}) < LEAST_GAMES:
        return Modelled(told, why=("model.few_rows",))
    data: list[Mapping[str, Any]] = [asdict(row) for row in told]
    varying = [name for name in PREDICTORS if len({row[name] for row in data}) > 1]
    constant = tuple(name for name in PREDICTORS if name not in varying)
    terms = len(varying) + max(0, len({row.player for row in told}) - 2)
    if min(broken, len(told) - broken) < FEW_OF_ONE_KIND * max(1, terms):
        return Modelled(told, constant=constant, why=("model.few_breaches",))
    fitted: list[Fitted] = []
    why: list[str] = []
    try:
        fitted.append(gee(data, "broken", varying))
        if len(told) * len({row.game for row in told}) <= MOST_MIXED:
            fitted.append(mixed_logit(data, "broken", varying))
        else:
            why.append("model.too_long")
    except UsageError as fault:
        why.append(str(fault))
    except (ValueError, ArithmeticError, RuntimeError) as fault:  # what the libraries raise on a singular table
        why.append(f"{type(fault).__name__}: {fault}")
    return Modelled(told, tuple(fitted), constant, tuple(why))


YES_NO = ("broken", "conditional", "public", "do", "agreed")


def r_script(found: Modelled) -> str:
    """The models for R, reading the table beside it; R also fits the intercepts of seats and pairs."""
    lines = ['d <- read.csv("tables/model_rows.csv", stringsAsFactors = TRUE)']
    lines += [f'd${name} <- as.integer(d${name} == "true")' for name in YES_NO]
    lines += ["", *(model.r_code for model in found.fitted)]
    if found.fitted:
        full = f"{found.fitted[0].formula} + (1 | game) + (1 | seat) + (1 | pair)"
        lines += [
            "library(lme4)",
            f"full <- glmer({full}, family = binomial, data = d)",
            "summary(full)",
            f"# library(brms); brm({full}, family = bernoulli(), data = d)",
        ]
    return "\n".join(lines) + "\n"
