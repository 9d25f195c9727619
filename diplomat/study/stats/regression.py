"""Regressions on clustered yes/no rows through statsmodels, each with its formula, and the same for R as text."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp, isfinite, nan
from typing import Any, Literal

from diplomat.core.errors import DiplomatError, UsageError
from diplomat.study.extra import library
from diplomat.study.stats.cautions import Caution, few_games
from diplomat.study.stats.intervals import NORMAL, critical

Rows = Sequence[Mapping[str, Any]]
Method = Literal["gee", "mixed_vb", "multinomial"]
CERTAIN = 1e-8
"""A fitted chance nearer to 0 or 1 than this has run away: its odds are not finite."""


class NotFitted(DiplomatError):
    """A model has no estimates to show: the fit did not converge, or some odds are not finite."""

    def __init__(self, method: Method) -> None:
        super().__init__(f"the model {method} has no finite estimates")
        self.method: Method = method


@dataclass(frozen=True, slots=True)
class Term:
    """One coefficient on the log-odds scale."""

    name: str
    estimate: float
    error: float
    low: float
    high: float
    odds_ratio: float
    """``nan`` where it is too large for a number."""
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

    method: Method
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
        NotFitted: it did not converge, or a fitted chance is 0 or 1.
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
    result, noted = _fit("gee", model.fit)
    if not result.converged or not all(CERTAIN < chance < 1 - CERTAIN for chance in result.fittedvalues):
        raise NotFitted("gee")
    z = critical(level)
    terms = tuple(
        _term(str(name), float(result.params[name]), float(result.bse[name]), z, float(result.pvalues[name]))
        for name in result.params.index
    )
    _all_finite("gee", terms)
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
        NotFitted: it did not converge.
    """
    table = _table(rows, [outcome, *predictors, *groups])
    formula = _formula(outcome, predictors)
    model_class = library("statsmodels.genmod.bayes_mixed_glm").BinomialBayesMixedGLM
    intercepts = {group: f"0 + C({group})" for group in groups}
    model = model_class.from_formula(formula, intercepts, table)
    result, noted = _fit("mixed_vb", model.fit_vb)
    if not result.optim_retvals.success:
        raise NotFitted("mixed_vb")
    z = critical(level)
    terms = tuple(
        _term(name, float(mean), float(error), z, None)
        for name, mean, error in zip(model.exog_names, result.fe_mean, result.fe_sd, strict=True)
    )
    _all_finite("mixed_vb", terms)
    spreads = tuple(Spread(str(name), exp(float(mean))) for name, mean in zip(groups, result.vcp_mean, strict=True))
    random = " + ".join(f"(1 | {group})" for group in groups)
    r_code = (
        f"library(lme4)\nfit <- glmer({formula} + {random}, family = binomial, data = d)\nsummary(fit)\n"
        f"# library(brms); brm({formula} + {random}, family = bernoulli(), data = d)\n"
    )
    games = len({row[groups[0]] for row in rows})
    cautions = (Caution("variational"), *few_games(games), *noted)
    return Fitted("mixed_vb", formula, r_code, len(rows), games, terms, spreads, None, cautions)


def multinomial(
    rows: Rows,
    outcome: str,
    predictors: Sequence[str],
    levels: Sequence[str],
    *,
    game: str = "game",
    level: float = 0.95,
) -> Fitted:
    """Multinomial logit of each further level against the first, with errors clustered by game.

    McFadden (1974), in *Frontiers in Econometrics*, 105-142; errors by the sandwich of Liang & Zeger (1986).  Terms are
    called ``LEVEL: NAME``.

    Raises:
        UsageError: a column is missing or empty somewhere, or statsmodels is not installed.
        NotFitted: it did not converge, or a fitted chance is 0.
    """
    table = _table(rows, [outcome, *predictors, game])
    formula = _formula(outcome, predictors)
    table[outcome] = [levels.index(row[outcome]) for row in rows]
    names = {name: at for at, name in enumerate(sorted({row[game] for row in rows}))}
    clusters = {"groups": [names[row[game]] for row in rows]}
    model = library("statsmodels.formula.api").mnlogit(formula, table)
    result, noted = _fit("multinomial", lambda: model.fit(disp=0, cov_type="cluster", cov_kwds=clusters))
    if not result.mle_retvals["converged"] or not all(
        chance > CERTAIN for row in result.predict().tolist() for chance in row
    ):
        raise NotFitted("multinomial")
    z = critical(level)
    figures = zip(*(part.to_numpy().T.tolist() for part in (result.params, result.bse)), strict=True)
    terms = tuple(
        _term(f"{name}: {term}", estimate, error, z, 2 * NORMAL.cdf(-abs(estimate / error)))
        for name, column in zip(levels[1:], figures, strict=True)
        for term, estimate, error in zip(result.params.index, *column, strict=True)
    )
    _all_finite("multinomial", terms)
    r_code = (
        f'library(nnet)\nm${outcome} <- relevel(m${outcome}, ref = "{levels[0]}")\n'
        f"fit <- multinom({formula}, data = m)  # its errors are not clustered by game\nsummary(fit)\n"
    )
    return Fitted("multinomial", formula, r_code, len(rows), len(names), terms, (), None, few_games(len(names)) + noted)


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
    return Term(name, estimate, error, low, high, odds(estimate), p_value)


def odds(value: float) -> float:
    """``exp`` of log odds, ``nan`` where it is too large for a number."""
    return exp(value) if value < 700 else nan


def _all_finite(method: Method, terms: Sequence[Term]) -> None:
    if not all(isfinite(term.estimate) and isfinite(term.error) for term in terms):
        raise NotFitted(method)


def _fit(method: Method, fit: Any) -> tuple[Any, tuple[Caution, ...]]:
    """Fits, and turns what the library warns of into cautions beside the figures."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = fit()
    if result is None:  # what the library returns beside its warning if the estimates are singular
        raise NotFitted(method)
    said = dict.fromkeys(str(warning.message) for warning in caught)
    return result, tuple(Caution("library_warns", {"text": text}) for text in said)
