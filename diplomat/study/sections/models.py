"""Regressions: odds of breaking, or why there is no model."""

from __future__ import annotations

from collections.abc import Iterator
from math import isnan

from diplomat.core.texts import Texts
from diplomat.study.findings import Findings
from diplomat.study.modelling import Lacking, Modelled
from diplomat.study.screen import Section
from diplomat.study.sections.words import chance, columns, group
from diplomat.study.stats.regression import Fitted, odds

PLAYER = "player[T."
"""How the library begins the coefficient of a player's label."""


def models(found: Findings, say: Texts) -> Iterator[Section]:
    """Each model that was fitted, and why others were not."""
    one = found.models
    for at, fitted in enumerate(one.fitted):
        yield _model(fitted, group(_baseline(one, fitted), say), say, explained=at == 0)
    notes = [say.say(key) for key in one.why if key.startswith("model.")]
    notes += [key for key in one.why if not key.startswith("model.")]
    if one.constant and one.fitted:
        notes.append(say.say("model.constant", names=", ".join(one.constant)))
    for end, key in (("broken", "model.never"), ("kept", "model.always")):
        kinds = [_kind(kind, say) for kind in one.lacking if end in kind.missing]
        if kinds:
            notes.append(say.say(key, kinds=", ".join(kinds)))
    if any(fitted.method == "multinomial" for fitted in one.fitted) and one.lacking_outcome:
        kinds = [
            f"{_kind(kind, say)}: {', '.join(say.say(f'column.{end}') for end in kind.missing)}"
            for kind in one.lacking_outcome
        ]
        notes.append(say.say("model.lacking", kinds="; ".join(kinds)))
    if notes:
        yield Section(say.say("model.title_none" if not one.fitted else "model.title_notes"), notes=tuple(notes))


def _baseline(one: Modelled, fitted: Fitted) -> str:
    outcome = fitted.method == "multinomial"
    return min(row.player for row in one.rows if (row.outcome_modelled if outcome else row.modelled))


def _model(fitted: Fitted, baseline: str, say: Texts, *, explained: bool) -> Section:
    """One model; the libraries compare every label with the first by name."""
    rows = tuple(
        (
            _term(term.name, say),
            _odds(term.odds_ratio),
            f"{_odds(odds(term.low))}–{_odds(odds(term.high))}",
            "" if term.p_value is None else chance(term.p_value),
        )
        for term in fitted.terms
    )
    notes = [say.say("model.formula", formula=fitted.formula, rows=fitted.rows, games=fitted.games)]
    if any(PLAYER in term.name for term in fitted.terms):
        notes.append(say.say("model.baseline", name=baseline))
    if explained:
        notes.append(say.say("model.terms"))
    if fitted.correlation is not None:
        notes.append(say.say("model.correlation", value=f"{fitted.correlation:.3f}"))
    notes += [
        say.say("model.spread", group=say.say(f"model.group.{part.group}"), value=f"{part.deviation:.2f}")
        for part in fitted.spreads
    ]
    title = say.say(f"model.{fitted.method}")
    return Section(title, columns(say, "term", "odds", "bounds", "p"), rows, tuple(notes))


def _term(name: str, say: Texts) -> str:
    """A coefficient as it is printed; that of a player is called by the player's label, an outcome goes before it."""
    outcome, _, bare = name.rpartition(": ")
    player = bare.removeprefix(PLAYER)
    shown = bare if player == bare else group(player.removesuffix("]"), say)
    return f"{say.say(f'column.{outcome}')}: {shown}" if outcome else shown


def _kind(one: Lacking, say: Texts) -> str:
    name = group(one.value, say) if one.predictor == "player" else f"{one.predictor} = {one.value}"
    return f"{name} ({one.promises})"


def _odds(value: float) -> str:
    return "–" if isnan(value) else f"{value:.2f}" if value < 100 else ">100"
