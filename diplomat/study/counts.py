"""Counts of a study that no statistic is needed for: the four columns by group, sources, claims, and plain rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from diplomat.core.errors import UnknownName
from diplomat.study.datasets.ours import By
from diplomat.study.ledger import Ledger
from diplomat.study.rows import Player, Promise, Resolution, Verdict
from diplomat.study.stats.detection import Judged
from diplomat.study.stats.dyads import Played
from diplomat.study.stats.rates import Counted

Grouping = Literal["profile", "model", "clan", "seat", "agent", "lang"]
"""What a person asks for; ``clan`` is the role of the game."""
FIELDS: dict[Grouping, By] = {
    "profile": "profile",
    "model": "model",
    "clan": "role",
    "seat": "seat",
    "agent": "agent",
    "lang": "lang",
}
_Test = Callable[[Resolution, Verdict], bool]
STATED = ("sincere", "insincere", "undecided")
"""Meanings that a plan gives; the fourth is that there was none."""


def grouping(name: str) -> Grouping:
    """The grouping of that name; UnknownName with suggestions if there is no such."""
    for known in FIELDS:
        if name == known:
            return known
    raise UnknownName("grouping", name, FIELDS, where="--by")


def labelled(ledgers: Iterable[Ledger], by: Grouping) -> list[Ledger]:
    """The ledgers with a label for every seat: a player without a profile or model is called by its agent."""
    if by not in ("profile", "model"):
        return list(ledgers)
    return [replace(ledger, players=tuple(_called(player, by) for player in ledger.players)) for ledger in ledgers]


def _called(player: Player, by: Grouping) -> Player:
    if by == "profile":
        return player if player.profile else replace(player, profile=player.agent)
    return player if player.model else replace(player, model=player.agent)


@dataclass(frozen=True, slots=True)
class FourRow:
    """Said, did, meant and believed of one group: counts of promises, threats left out."""

    group: str
    said: int
    """Promises that were made."""
    kept: int
    broken: int
    void: int
    pending: int
    untestable: int
    """With those outside the game's vocabulary."""
    binding: int
    """Kept or broken, and both were possible."""
    sincere: int
    """The private plan at that moment said that it will be kept."""
    insincere: int
    undecided: int
    no_evidence: int
    """There was no plan."""
    believed: int
    doubted: int
    unseen: int
    """Nothing shows what its receivers made of it."""


@dataclass(frozen=True, slots=True)
class OutcomeRow:
    """What was meant against what was done, by group."""

    group: str
    honoured: int
    """Meant and kept."""
    changed_mind: int
    """Meant and broken."""
    relented: int
    """Meant to be broken, and kept."""
    premeditated: int
    """Meant to be broken, and broken."""
    undecided: int
    """Judged, but the plan had not decided."""
    unknown: int
    """Judged, but there was no plan."""
    moot: int
    """Void or not testable."""
    open: int
    with_notice: int
    """Broken after it had openly been taken back; contained in the columns before."""
    retaliatory: int
    """Broken after the other side had broken its own; contained in the columns before."""


@dataclass(frozen=True, slots=True)
class WindowRow:
    """Promises kept of one group under three readings of words that named no rounds; other words are as they are."""

    group: str
    words: int
    """Judged promises to leave something that named no rounds, so that they hold for one decision point."""
    kept: int
    """Of all judged promises, as everywhere else."""
    judged: int
    kept_next: int
    """Had these words held for one decision point longer."""
    judged_next: int
    """Kept or broken then; the others are void or still open."""
    kept_end: int
    """Had they held to the end of the game."""
    judged_end: int


@dataclass(frozen=True, slots=True)
class ConflictRow:
    """Playing both sides: promises of one group to different seats that could not all be kept."""

    group: str
    conflicting: int
    kept: int
    """Of them, kept; binding only."""
    broken: int
    """Of them, broken; binding only."""


@dataclass(frozen=True, slots=True)
class SourceRow:
    """Who says that something was promised, and how sure."""

    source: str
    promises: int
    confidence: float
    """Mean, 0 to 1."""
    testable: int
    judged: int
    """Kept or broken, binding only."""
    kept: int
    threats: int


@dataclass(frozen=True, slots=True)
class ClaimRow:
    """What was asserted as true, by group."""

    group: str
    claims: int
    true: int
    false_known: int
    """False, and the speaker could see that it was."""
    false_unknown: int
    """False, and the speaker could not see it, or nobody can tell."""
    unverifiable: int


Row = tuple[Ledger, Promise, Resolution, Verdict]


def promises(ledgers: Iterable[Ledger]) -> Iterator[Row]:
    """Every promise with its end and its verdict, threats left out."""
    for ledger in ledgers:
        for promise, end, verdict in zip(ledger.promises, ledger.resolutions, ledger.verdicts, strict=True):
            if promise.act != "threat":
                yield ledger, promise, end, verdict


def groups_of(ledger: Ledger, by: Grouping) -> dict[str, str]:
    """Each seat's label, its seat if it has none."""
    return {player.seat: str(getattr(player, FIELDS[by])) or player.seat for player in ledger.players}


def judged(end: Resolution) -> bool:
    """Whether it counts in rates: kept or broken, and both were possible as far as the log shows."""
    return end.status in ("kept", "broken") and end.binding is not False


def four_columns(ledgers: Sequence[Ledger], by: Grouping) -> tuple[FourRow, ...]:
    """The four columns by group, in the order of their names, and everybody together under the empty name."""
    counts: dict[str, Counter[str]] = {name: Counter() for name in all_groups(ledgers, by)}
    labels = {ledger.name: groups_of(ledger, by) for ledger in ledgers}
    for ledger, promise, end, verdict in promises(ledgers):
        status = "untestable" if end.status == "untracked" else end.status
        faith = verdict.believed if verdict.believed != "none" else "unseen"
        found = ("said", status, verdict.meant, faith, *(("binding",) if judged(end) else ()))
        for name in (labels[ledger.name][promise.debtor], ""):
            counts[name].update(found)
    names = ("said", "kept", "broken", "void", "pending", "untestable", "binding", *STATED, "no_evidence")
    return tuple(
        FourRow(name, *(found[key] for key in (*names, "believed", "doubted", "unseen")))
        for name, found in sorted(counts.items())
    )


def outcome_rows(ledgers: Sequence[Ledger], by: Grouping) -> tuple[OutcomeRow, ...]:
    """Meaning against deed by group, and everybody together under the empty name."""
    counts: dict[str, Counter[str]] = {name: Counter() for name in all_groups(ledgers, by)}
    labels = {ledger.name: groups_of(ledger, by) for ledger in ledgers}
    for ledger, promise, end, verdict in promises(ledgers):
        kind = verdict.outcome.removeprefix("kept_").removeprefix("broken_")
        for name in (labels[ledger.name][promise.debtor], ""):
            counts[name][kind] += 1
            counts[name]["with_notice"] += end.with_notice
            counts[name]["retaliatory"] += end.retaliatory
    keys = ("honoured", "changed_mind", "relented", "premeditated", "undecided", "unknown", "moot", "open")
    return tuple(
        OutcomeRow(name, *(found[key] for key in (*keys, "with_notice", "retaliatory")))
        for name, found in sorted(counts.items())
    )


def window_rows(ledgers: Sequence[Ledger], by: Grouping) -> tuple[WindowRow, ...]:
    """Sensitivity of kept rates to the default window, by group; empty if every word named its rounds."""
    counts: dict[str, Counter[str]] = {name: Counter() for name in all_groups(ledgers, by)}
    labels = {ledger.name: groups_of(ledger, by) for ledger in ledgers}
    for ledger, promise, end, _ in promises(ledgers):
        if not judged(end):
            continue
        longer = {"": end.status, "_next": end.status_next or end.status, "_end": end.status_end or end.status}
        found = [f"kept{reading}" for reading, status in longer.items() if status == "kept"]
        found += [f"judged{reading}" for reading, status in longer.items() if status in ("kept", "broken")]
        found += ["words"] if end.status_next else []
        for name in (labels[ledger.name][promise.debtor], ""):
            counts[name].update(found)
    keys = ("words", "kept", "judged", "kept_next", "judged_next", "kept_end", "judged_end")
    rows = (WindowRow(name, *(found[key] for key in keys)) for name, found in sorted(counts.items()))
    return tuple(rows) if counts[""]["words"] else ()


def conflict_rows(ledgers: Sequence[Ledger], by: Grouping) -> tuple[ConflictRow, ...]:
    """Promises that conflict with one to somebody else, by group; empty if there are none."""
    counts: dict[str, Counter[str]] = {name: Counter() for name in all_groups(ledgers, by)}
    labels = {ledger.name: groups_of(ledger, by) for ledger in ledgers}
    for ledger, promise, end, _ in promises(ledgers):
        if promise.conflicts_with:
            for name in (labels[ledger.name][promise.debtor], ""):
                counts[name].update(("conflicting", *((end.status,) if judged(end) else ())))
    keys = ("conflicting", "kept", "broken")
    rows = (ConflictRow(name, *(found[key] for key in keys)) for name, found in sorted(counts.items()))
    return tuple(rows) if counts[""]["conflicting"] else ()


def source_rows(ledgers: Iterable[Ledger]) -> tuple[SourceRow, ...]:
    """Promises by who says that they were made."""
    found: dict[str, list[tuple[Promise, Resolution]]] = {}
    for ledger in ledgers:
        for promise, end in zip(ledger.promises, ledger.resolutions, strict=True):
            found.setdefault(promise.source, []).append((promise, end))
    return tuple(
        SourceRow(
            source=name,
            promises=sum(promise.act != "threat" for promise, _ in rows),
            confidence=sum(promise.confidence for promise, _ in rows) / len(rows),
            testable=sum(promise.goal is not None for promise, _ in rows if promise.act != "threat"),
            judged=sum(judged(end) for promise, end in rows if promise.act != "threat"),
            kept=sum(judged(end) and end.status == "kept" for promise, end in rows if promise.act != "threat"),
            threats=sum(promise.act == "threat" for promise, _ in rows),
        )
        for name, rows in sorted(found.items())
    )


def claim_rows(ledgers: Sequence[Ledger], by: Grouping) -> tuple[ClaimRow, ...]:
    """Claims by group; empty if nothing was claimed."""
    counts: dict[str, Counter[str]] = {}
    for ledger in ledgers:
        labels = groups_of(ledger, by)
        for claim in ledger.claims:
            knew = "known" if claim.speaker_knew == "yes" else "unknown"
            key = f"false_{knew}" if claim.truth == "false" else claim.truth
            for name in (labels[claim.speaker], ""):
                counts.setdefault(name, Counter()).update(("claims", key))
    keys = ("claims", "true", "false_known", "false_unknown", "unverifiable")
    return tuple(ClaimRow(name, *(found[key] for key in keys)) for name, found in sorted(counts.items()))


def insincere(ledgers: Iterable[Ledger], by: Grouping) -> list[Counted]:
    """Promises meant to be broken, of those with a plan beside them, seat by seat."""
    return _seat_by_seat(
        ledgers,
        by,
        lambda _, verdict: verdict.meant in STATED,
        lambda _, verdict: verdict.meant == "insincere",
    )


def kept(ledgers: Iterable[Ledger], by: Grouping) -> list[Counted]:
    """Promises kept, of those that were binding and ended kept or broken, seat by seat."""
    return _seat_by_seat(ledgers, by, lambda end, _: judged(end), lambda end, _: end.status == "kept")


def played(ledgers: Iterable[Ledger], by: Grouping) -> tuple[list[Played], int]:
    """Seats with the promises they kept (as in :func:`kept`) and their score; how many have none and are left out."""
    rows: list[Played] = []
    unscored = 0
    for ledger in ledgers:
        scores = {player.seat: player.score for player in ledger.players}
        for row in kept([ledger], by):
            score = scores[row.seat]
            if score is None:
                unscored += 1
            else:
                rows.append(Played(row.game, row.seat, row.group, row.hits, row.units, score))
    return rows, unscored


def doubted(ledgers: Iterable[Ledger], by: Grouping) -> list[Counted]:
    """Promises that their receivers doubted, of those of which that is known, by the seat that promised."""
    return _seat_by_seat(
        ledgers,
        by,
        lambda _, verdict: verdict.believed != "none",
        lambda _, verdict: verdict.believed == "doubted",
    )


def told_apart(ledgers: Iterable[Ledger]) -> list[Judged]:
    """Promises with a plan beside them as a test of their receivers: insincere ones are to be doubted."""
    return [
        Judged(
            ledger.name,
            verdict.meant == "insincere",
            None if verdict.believed == "none" else verdict.believed == "doubted",
        )
        for ledger, _, _, verdict in promises(ledgers)
        if verdict.meant in STATED
    ]


def all_groups(ledgers: Iterable[Ledger], by: Grouping) -> list[str]:
    """All labels, and the empty one for everybody."""
    return sorted({"", *(label for ledger in ledgers for label in groups_of(ledger, by).values())})


def _seat_by_seat(ledgers: Iterable[Ledger], by: Grouping, counts: _Test, hits: _Test) -> list[Counted]:
    rows: list[Counted] = []
    for ledger in ledgers:
        made: dict[str, list[int]] = {player.seat: [0, 0] for player in ledger.players}
        for _, promise, end, verdict in promises([ledger]):
            if counts(end, verdict):
                made[promise.debtor][0] += hits(end, verdict)
                made[promise.debtor][1] += 1
        labels = groups_of(ledger, by)
        rows += [Counted(ledger.name, seat, hit, units, labels[seat]) for seat, (hit, units) in made.items()]
    return rows
