"""How many games a study needs: from assumed shares, or from a few games as a pilot."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from diplomat.core.texts import Texts
from diplomat.study.columns import Table
from diplomat.study.counts import Grouping, kept
from diplomat.study.ledger import Ledger
from diplomat.study.plots import power_curve, save
from diplomat.study.screen import Section, figures
from diplomat.study.sections.words import percent
from diplomat.study.stats.power import (
    Plan,
    PowerRow,
    effective_units,
    games_needed,
    intraclass_within,
    simulated_power,
)

SIZES = (5, 10, 20, 40, 80, 160, 320)
"""Numbers of games that are simulated unless others are asked for."""
STUDIES = 400
ICC, PER_GAME = 0.05, 4.0
"""Assumed without a pilot: how alike promises of one kind within a game are, and how many there are."""


@dataclass(frozen=True, slots=True)
class Pilot:
    """What some games say about the size of a study."""

    games: int
    per_game: float
    """Binding promises that were kept or broken, per kind of player and game in which it sat."""
    icc: float
    """Correlation of promises of one kind within a game, differences between kinds left aside."""
    by: Grouping = "profile"
    """What the kinds of player are."""
    kinds: int = 1


@dataclass(frozen=True, slots=True)
class Planned:
    """A planned study with its power at several sizes."""

    plan: Plan
    wanted: float
    needed: int
    rows: tuple[PowerRow, ...]
    pilot: Pilot | None = None


def pilot_of(ledgers: Sequence[Ledger], by: Grouping) -> Pilot:
    """Promises per kind of player and game, and how alike they are.

    Args:
        ledgers: labelled, see :func:`diplomat.study.counts.labelled`.
        by: what the kinds of player are.

    Raises:
        UsageError: no kind has binding promises in two games, or none has two in one.
    """
    hits, units = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for row in kept(ledgers, by):
        hits[row.group, row.game] += row.hits
        units[row.group, row.game] += row.units
    kinds: dict[str, list[tuple[int, int]]] = {}
    for kind, game in units:
        kinds.setdefault(kind, []).append((hits[kind, game], units[kind, game]))
    return Pilot(len(ledgers), units.total() / max(1, len(units)), intraclass_within(kinds.values()), by, len(kinds))


def planned(
    first: float,
    second: float,
    *,
    per_game: float | None = None,
    icc: float | None = None,
    games: Sequence[int] = SIZES,
    wanted: float = 0.8,
    pilot: Pilot | None = None,
    studies: int = STUDIES,
    seed: str = "0",
) -> Planned:
    """A comparison of two kinds of player that sit in every game.

    Args:
        first: assumed share of broken promises of the one kind.
        second: of the other.
        per_game: binding promises of each kind per game; the pilot's, else 4.
        icc: correlation of promises of one kind within a game; the pilot's, else 0.05.
        games: sizes to simulate.
        wanted: chance to find the difference.
        pilot: see :func:`pilot_of`.
        studies: simulated at each size.
        seed: of the simulation.

    Raises:
        UsageError: shares are equal or outside 0 to 1, or nobody promises anything.
    """
    count = per_game if per_game is not None else pilot.per_game if pilot is not None else PER_GAME
    alike = icc if icc is not None else min(pilot.icc, 0.99) if pilot is not None else ICC
    plan = Plan(first, second, count, alike)
    needed = games_needed(plan, wanted)
    return Planned(plan, wanted, needed, simulated_power(plan, games, studies=studies, seed=seed), pilot)


def plan_section(found: Planned, say: Texts, *, studies: int = STUDIES) -> Section:
    """The plan as a table."""
    plan = found.plan
    rows = tuple(
        (
            str(row.games),
            percent(row.power),
            percent(1.96 * row.error),
            *figures((round(row.units_per_arm), round(row.effective_per_arm))),
        )
        for row in found.rows
    )
    each = round(10 * plan.per_game)
    facts = {"per_game": f"{plan.per_game:.1f}", "icc": f"{plan.icc:.2f}"}
    worth = effective_units(each, plan.per_game, plan.icc)
    notes = [say.say("power.note", each=each, worth=f"{worth:.0f}", **facts)]
    if found.pilot is not None:
        pilot = found.pilot
        notes.append(
            say.say(
                "power.pilot",
                games=pilot.games,
                kinds=pilot.kinds,
                by=say.say(f"by.{pilot.by}"),
                per_game=f"{pilot.per_game:.1f}",
                icc=f"{pilot.icc:.2f}",
            )
        )
    notes.append(say.say("power.needed", games=found.needed, power=percent(found.wanted)))
    notes.append(say.say("power.assumes", studies=studies))
    title = say.say("power.title", first=percent(plan.first), second=percent(plan.second))
    columns = tuple(say.say(f"power.{key}") for key in ("games", "chance", "error", "units", "worth"))
    return Section(title, columns, rows, tuple(notes))


def write_plan(found: Planned, folder: Path, *, lang: str, overwrite: bool) -> list[Path]:
    """The curve as PNG and SVG with its numbers."""
    numbers = [Table("power", PowerRow, found.rows)]
    return save(power_curve(found.rows, lang, wanted=found.wanted), folder / "power", numbers, overwrite=overwrite)
