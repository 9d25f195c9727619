"""Regressions: odds of breaking, or why there is no model."""

from __future__ import annotations

from collections.abc import Iterator
from math import exp

from diplomat.core.texts import Texts
from diplomat.study.findings import Findings
from diplomat.study.screen import Section
from diplomat.study.sections.words import chance, columns
from diplomat.study.stats.regression import Fitted


def models(found: Findings, say: Texts) -> Iterator[Section]:
    """Each model that was fitted, and why others were not."""
    one = found.models
    for fitted in one.fitted:
        yield _model(fitted, min(row.player for row in one.rows), say)
    notes = [say.say(key) for key in one.why if key.startswith("model.")]
    notes += [key for key in one.why if not key.startswith("model.")]
    if one.constant and one.fitted:
        notes.append(say.say("model.constant", names=", ".join(one.constant)))
    if notes:
        yield Section(say.say("model.title_none" if not one.fitted else "model.title_notes"), notes=tuple(notes))


def _model(fitted: Fitted, baseline: str, say: Texts) -> Section:
    """One model; the libraries compare every label with the first by name."""
    rows = tuple(
        (
            term.name.replace("player[T.", "").replace("]", ""),
            _odds(term.odds_ratio),
            f"{_odds(_exp(term.low))}–{_odds(_exp(term.high))}",
            "" if term.p_value is None else chance(term.p_value),
        )
        for term in fitted.terms
    )
    notes = [say.say("model.formula", formula=fitted.formula, rows=fitted.rows, games=fitted.games)]
    if any(term.name.startswith("player[") for term in fitted.terms):
        notes.append(say.say("model.baseline", name=baseline))
    if fitted.correlation is not None:
        notes.append(say.say("model.correlation", value=f"{fitted.correlation:.3f}"))
    notes += [say.say("model.spread", group=part.group, value=f"{part.deviation:.2f}") for part in fitted.spreads]
    title = say.say(f"model.{fitted.method}")
    return Section(title, columns(say, "term", "odds", "bounds", "p"), rows, tuple(notes))


def _exp(value: float) -> float:
    return exp(min(value, 700.0))


def _odds(value: float) -> str:
    return f"{value:.2f}" if value < 100 else ">100"
