"""Regressions on clustered yes/no rows through statsmodels, each with its formula, and the same for R as text."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp
from typing import Any, Literal

from diplomat.core.errors import UsageError
from diplomat.study.extra import library
from diplomat.study.stats.cautions import Caution, few_games
from diplomat.study.stats.intervals import critical

Rows = Sequence[Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Term:
    """One coefficient on the log-odds scale."""

    name: str
    estimate: float
    error: float
    low: float
    high: float
    odds_ratio: float
    p_value: float | None
    """``None`` where the method gives none (variational posterior)."""


@dataclass(frozen=True, slots=True)
class Spread:
    """Standard deviation of one group of random intercepts, on the log-odds scale."""

    group: str
    deviation: float


@dataclass(frozen=True, slots=True)
class Fitted:
    """A fitted model with all that is needed to fit it again elsewhere."""

    method: Literal["gee", "mixed_vb"]
    formula: str
    """As statsmodels was given it."""
    r_code: str
    """The same model for R."""
    rows: int
    games: int
    terms: tuple[Term, ...]
    spreads: tuple[Spread, ...] = ()
    correlation: float | None = None
    """Working correlation within a game (GEE, exchangeable)."""
    cautions: tuple[Caution, ...] = ()

    def term(self, name: str) -> Term:
        """One coefficient by name.

        Raises:
            UsageError: the model has no such term.
        """
        for term in self.terms:
            if term.name == name:
                return term
        raise UsageError(f"the model has no term {name!r}; it has {', '.join(term.name for term in self.terms)}")


def gee(
    rows: Rows,
    outcome: str,
    predictors: Sequence[str],
    *,
    game: str = "game",
    working: Literal["exchangeable", "independence"] = "exchangeable",
    level: float = 0.95,
) -> Fitted:
    """Logit by generalised estimating equations with games as clusters, and robust standard errors.

    Liang & Zeger (1986), Biometrika 73:13-22.  With ``working="independence"`` this is a plain logit with
    cluster-robust errors.  Rows with a missing value are not dropped in silence: they are refused.

    Raises:
        UsageError: a column is missing or empty somewhere, or statsmodels is not installed.
    """
    table = _table(rows, [outcome, *predictors, game])
    formula = _formula(outcome, predictors)
    models, families, structures = (
        library("statsmodels.formula.api"),
        library("statsmodels.genmod.families"),
        library("statsmodels.genmod.cov_struct"),
    )
    chosen = structures.Exchangeable() if working == "exchangeable" else structures.Independence()
    model = models.gee(formula, groups=game, data=table, family=families.Binomial(), cov_struct=chosen)
    result, noted = _fit(model.fit)
    z = critical(level)
    terms = tuple(
        _term(str(name), float(result.params[name]), float(result.bse[name]), z, float(result.pvalues[name]))
        for name in result.params.index
    )
    games = len({row[game] for row in rows})
    alike = float(chosen.dep_params) if working == "exchangeable" else None
    r_code = (
        f'library(geepack)\nfit <- geeglm({formula}, id = {game}, family = binomial, corstr = "{working}",\n'
        f"              data = d[order(d${game}), ])\nsummary(fit)\n"
    )
    return Fitted("gee", formula, r_code, len(rows), games, terms, (), alike, few_games(games) + noted)


def mixed_logit(
    rows: Rows, outcome: str, predictors: Sequence[str], *, groups: Sequence[str] = ("game",), level: float = 0.95
) -> Fitted:
    """Logit with a random intercept per member of each group (game, agent, pair), by variational Bayes.

    The posterior is approximated by independent normals (Blei, Kucukelbir & McAuliffe 2017, JASA 112:859-877), which
    makes its intervals too narrow rather than too wide; a caution says so.  ``r_code`` fits the model by maximum
    likelihood (Bates et al. 2015, Journal of Statistical Software 67(1)) or fully Bayesian (brms).

    Raises:
        UsageError: a column is missing or empty somewhere, or statsmodels is not installed.
    """
    table = _table(rows, [outcome, *predictors, *groups])
    formula = _formula(outcome, predictors)
    model_class = library("statsmodels.genmod.bayes_mixed_glm").BinomialBayesMixedGLM
    intercepts = {group: f"0 + C({group})" for group in groups}
    model = model_class.from_formula(formula, intercepts, table)
    result, noted = _fit(model.fit_vb)
    z = critical(level)
    terms = tuple(
        _term(name, float(mean), float(error), z, None)
        for name, mean, error in zip(model.exog_names, result.fe_mean, result.fe_sd, strict=True)
    )
    spreads = tuple(Spread(str(name), exp(float(mean))) for name, mean in zip(groups, result.vcp_mean, strict=True))
    random = " + ".join(f"(1 | {group})" for group in groups)
    r_code = (
        f"library(lme4)\nfit <- glmer({formula} + {random}, family = binomial, data = d)\nsummary(fit)\n"
        f"# library(brms); brm({formula} + {random}, family = bernoulli(), data = d)\n"
    )
    games = len({row[groups[0]] for row in rows})
    cautions = (Caution("variational"), *few_games(games), *noted)
    return Fitted("mixed_vb", formula, r_code, len(rows), games, terms, spreads, None, cautions)


def _formula(outcome: str, predictors: Sequence[str]) -> str:
    return f"{outcome} ~ {' + '.join(predictors) or '1'}"


def _table(rows: Rows, columns: Sequence[str]) -> Any:
    """The rows as the table that statsmodels reads; yes/no becomes 1/0 so that terms keep their names."""
    if not rows:
        raise UsageError("there are no rows to fit a model to")
    for number, row in enumerate(rows):
        empty = [column for column in columns if row.get(column) is None]
        if empty:
            raise UsageError(f"row {number} has nothing in {', '.join(empty)}; leave it out or fill it, and say which")
    data = {column: [_plain(row[column]) for row in rows] for column in columns}
    return library("pandas").DataFrame(data)


def _plain(value: Any) -> Any:
    return int(value) if isinstance(value, bool) else value


def _term(name: str, estimate: float, error: float, z: float, p_value: float | None) -> Term:
    low, high = estimate - z * error, estimate + z * error
    return Term(name, estimate, error, low, high, _exp(estimate), p_value)


def _exp(value: float) -> float:
    return exp(value) if value < 700 else float("inf")


def _fit(fit: Any) -> tuple[Any, tuple[Caution, ...]]:
    """Fits, and turns what the library warns of into cautions beside the figures."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = fit()
    said = dict.fromkeys(str(warning.message) for warning in caught)
    return result, tuple(Caution("library_warns", {"text": text}) for text in said)
