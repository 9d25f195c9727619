"""The figures of a report: which there are, what each is drawn from, and the numbers behind each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import isnan
from pathlib import Path
from typing import Any

from diplomat.core.texts import Texts
from diplomat.study.columns import Table
from diplomat.study.counts import FIELDS, Grouping, groups_of, promises
from diplomat.study.datasets import ours
from diplomat.study.findings import Findings
from diplomat.study.ledger import Ledger
from diplomat.study.plots import (
    Breach,
    Card,
    Figure,
    FlowRow,
    ForestRow,
    Span,
    TrustCell,
    alliance_timeline,
    captioned,
    forest,
    honesty_strength,
    incidence_curve,
    intent_flow,
    lag_matrix,
    promise_card,
    save,
    survival_curve,
    trust_matrix,
)
from diplomat.study.retold import Retold
from diplomat.study.rows import EVERYBODY, Intent
from diplomat.study.stats.cautions import FEW_GAMES
from diplomat.study.stats.dyads import HonestyRow, LagRow
from diplomat.study.stats.rates import RateRow
from diplomat.study.stats.survival import IncidenceRow, SurvivalRow
from diplomat.study.write import study_texts

MOST_GROUPS = 30
"""Beyond so many groups a figure of groups is not legible and is left out."""
TIMELINES, CARDS = 1, 3
"""Games with a timeline and promises with a card, the first ones in order."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """A figure that can be drawn."""

    name: str
    draw: Callable[[], Figure]
    numbers: tuple[Table, ...] = ()
    basis: str = ""
    """What it rests on, in words that stand in the figure itself."""
    weak: bool = False
    """Whether these words warn of too few games."""


def figures(
    ledgers: Sequence[Ledger], found: Findings, say: Texts, lang: str, files: Mapping[str, str]
) -> Iterator[Drawn]:
    """All figures for which there is something to show.

    Args:
        ledgers: labelled, see :func:`diplomat.study.counts.labelled`.
        found: of the same ledgers.
        say: the report's texts.
        lang: language of the labels.
        files: the log of each game, by the ledger's name.
    """
    games = len(ledgers)
    rules = ledgers[0].game if ledgers else ""
    key = "few" if games < FEW_GAMES else "all"
    words = study_texts(lang).say(f"plot.caption.{key}", games=games, rules=rules, wanted=FEW_GAMES)
    for one in _of_many(ledgers, found, say, lang):
        yield replace(one, basis=words, weak=games < FEW_GAMES)
    yield from _timelines(ledgers, lang, files)
    yield from _cards(ledgers, lang, files)


def _of_many(ledgers: Sequence[Ledger], found: Findings, say: Texts, lang: str) -> Iterator[Drawn]:
    """Figures of all games together."""
    yield from _forests(found, say, lang)
    if found.trust and len({cell.actor for cell in found.trust}) <= MOST_GROUPS:
        numbers = (Table("trust_cells", TrustCell, found.trust),)
        yield Drawn("trust", lambda: trust_matrix(found.trust, lang), numbers)
        meant = meant_cells(ledgers, found.by)
        if meant:
            yield Drawn(
                "trust_meant",
                lambda: trust_matrix(meant, lang, meant=True),
                (Table("meant_cells", TrustCell, meant),),
            )
    if any(row.promises for row in found.flow):
        yield Drawn("flow", lambda: intent_flow(found.flow, lang), (Table("flow_rows", FlowRow, found.flow),))
    if found.survival:
        everybody = {say.say("group.all"): found.survival}
        yield Drawn(
            "survival",
            lambda: survival_curve(everybody, lang),
            (Table("survival_rows", SurvivalRow, found.survival),),
        )
        numbers = (Table("incidence_rows", IncidenceRow, found.incidence),)
        yield Drawn("incidence", lambda: incidence_curve(found.incidence, lang), numbers)
    if any(row.units for row in found.tit_for_tat.rows):
        numbers = (Table("lag_rows", LagRow, found.tit_for_tat.rows),)
        yield Drawn("reciprocity", lambda: lag_matrix(found.tit_for_tat.rows, lang), numbers)
    shown = [row for row in found.honesty.agents if not isnan(row.honesty.estimate)]
    if shown and len(shown) <= MOST_GROUPS:
        numbers = (Table("honesty_rows", HonestyRow, shown),)
        yield Drawn("honesty_strength", lambda: honesty_strength(shown, lang), numbers)


def _forests(found: Findings, say: Texts, lang: str) -> Iterator[Drawn]:
    for measure, per in dict.fromkeys((row.measure, row.per) for row in found.rates):
        rows = [row for row in found.rates if (row.measure, row.per) == (measure, per) and row.units]
        if not rows or len(rows) > MOST_GROUPS or all(isnan(row.cluster_low) for row in rows):
            continue
        title = say.say(f"rate.{measure}_{per}")
        reference = rows[0].rate if not rows[0].group else None
        yield Drawn(
            f"{measure}_per_{per}",
            _forest([_line(row, say) for row in rows], lang, title, reference),
            (Table(f"{measure}_per_{per}", RateRow, rows),),
        )


def _forest(lines: list[ForestRow], lang: str, title: str, reference: float | None) -> Callable[[], Figure]:
    return lambda: forest(lines, lang, title=title, reference=reference)


def _line(row: RateRow, say: Texts) -> ForestRow:
    return ForestRow(
        label=row.group or say.say("group.all"),
        estimate=row.rate,
        low=row.cluster_low,
        high=row.cluster_high,
        units=row.units,
        games=row.games,
        narrow_low=row.wilson_low,
        narrow_high=row.wilson_high,
    )


def meant_cells(ledgers: Sequence[Ledger], by: Grouping) -> list[TrustCell]:
    """Promises meant sincerely, of those with a plan beside them, by who gave and who received them."""
    sums: dict[tuple[str, str], list[int]] = {}
    for ledger, promise, _, verdict in promises(ledgers):
        if verdict.meant == "no_evidence":
            continue
        names = groups_of(ledger, by)
        others = [seat for seat in names if seat != promise.debtor]
        for other in others if EVERYBODY in promise.creditors else promise.creditors:
            cell = sums.setdefault((names[promise.debtor], names[other]), [0, 0])
            cell[0] += verdict.meant == "sincere"
            cell[1] += 1
    return [TrustCell(actor, other, hits, units) for (actor, other), (hits, units) in sorted(sums.items())]


def _one_game(name: str, lang: str) -> str:
    return study_texts(lang).say("plot.caption.one", name=name)


def _timelines(ledgers: Sequence[Ledger], lang: str, files: Mapping[str, str]) -> Iterator[Drawn]:
    """Timelines name clans, or seats where the game has none: they are of one game."""
    for number, ledger in enumerate([one for one in ledgers if one.promises][:TIMELINES], start=1):
        spans, breaches = ours.timeline(ledger, FIELDS["clan"])
        numbers = (Table("spans", Span, spans), Table("breaches", Breach, breaches))
        role = Retold(ledger, files[ledger.name], lang).role
        shown = [replace(one, debtor=role(one.debtor), creditor=role(one.creditor)) for one in spans]
        bolts = [replace(one, first=role(one.first), second=role(one.second)) for one in breaches]
        yield Drawn(f"timeline_{number}", _timeline(shown, bolts, lang), numbers, _one_game(ledger.name, lang))


def _timeline(spans: list[Span], breaches: list[Breach], lang: str) -> Callable[[], Figure]:
    return lambda: alliance_timeline(spans, breaches, lang)


def _cards(ledgers: Sequence[Ledger], lang: str, files: Mapping[str, str]) -> Iterator[Drawn]:
    """The first promises of each kind that a reader should look at: planned breach, changed mind, honoured."""
    wanted = ("premeditated", "changed_mind", "honoured")
    met: dict[str, Card] = {}
    for ledger, promise, end, verdict in promises(ledgers):
        if verdict.outcome in wanted and verdict.outcome not in met and promise.goal is not None:
            names = groups_of(ledger, "clan")
            words = Retold(ledger, files[ledger.name], lang)
            intents = [row for row in ledger.intents if row.pid == promise.pid]
            plan = "; ".join(_planned(row, lang) for row in intents[:2])
            met[verdict.outcome] = Card(
                pid=f"{ledger.name} {promise.pid}",
                debtor=words.role(names[promise.debtor]),
                creditor=", ".join(words.role(names.get(seat, seat)) for seat in promise.creditors),
                t=promise.made_point,
                status=end.status,
                meant=verdict.meant,
                words=verdict.said,
                plan=plan,
                order=words.order(end),
                event=words.event(end),
                rule=f"{words.goal(promise, names)} [{end.registry}]",
            )
        if len(met) == len(wanted):
            break
    for name in wanted[:CARDS]:
        if name in met:
            card = met[name]
            numbers = (Table("card", Card, [card]),)
            yield Drawn(f"card_{name}", _card(card, lang), numbers, _one_game(card.pid.rpartition(" ")[0], lang))


def _planned(row: Intent, lang: str) -> str:
    """What one plan says of a promise."""
    texts = study_texts(lang)
    keep, bearing = texts.say(f"plot.card.keep.{row.keep or 'none'}"), texts.say(f"plot.card.bearing.{row.goals}")
    return texts.say("plot.card.plan_row", n=row.n, keep=keep, bearing=bearing)


def _card(card: Card, lang: str) -> Callable[[], Figure]:
    return lambda: promise_card(card, lang)


def draw_all(drawn: Sequence[Drawn], folder: Path, *, overwrite: bool, progress: Any = None) -> list[Path]:
    """Saves every figure as PNG and SVG, and its numbers as CSV in a folder of its name; the paths written."""
    paths: list[Path] = []
    for number, one in enumerate(drawn, start=1):
        figure = captioned(one.draw(), one.basis, warns=one.weak) if one.basis else one.draw()
        paths += save(figure, folder / one.name, one.numbers, overwrite=overwrite)
        if progress:
            progress(number, len(drawn))
    return paths
