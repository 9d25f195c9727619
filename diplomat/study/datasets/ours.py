"""Our own games as the plain rows of statistics, figures and writers: ledgers in, rows out.

Threats are left out of every rate (keeping one has the opposite moral sign).  A public word was given to each of the
others, so pairs count it once per hearer; everything else counts it once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Literal

from diplomat.core.proceedings import MessageSent
from diplomat.core.talk import EVERYONE
from diplomat.study.columns import Table
from diplomat.study.datasets.rows import MessageRow
from diplomat.study.plots.flow import FlowRow
from diplomat.study.plots.matrix import TrustCell
from diplomat.study.plots.timeline import Breach, Span
from diplomat.study.rows import (
    EVERYBODY,
    Claim,
    Intent,
    Opportunity,
    Perception,
    Player,
    Promise,
    Resolution,
    SpeechAct,
    Verdict,
)
from diplomat.study.stats.dyads import Directed, Move, Played
from diplomat.study.stats.permutation import Assigned
from diplomat.study.stats.rates import Counted, Outcome
from diplomat.study.stats.survival import End, Lifetime

if TYPE_CHECKING:
    from diplomat.study.ledger import Ledger
    from diplomat.transcript.reader import Transcript

By = Literal["seat", "agent", "profile", "model", "role", "lang"]
"""What players are grouped by."""

TABLES: dict[str, type] = {
    "players": Player,
    "acts": SpeechAct,
    "promises": Promise,
    "resolutions": Resolution,
    "intents": Intent,
    "perceptions": Perception,
    "verdicts": Verdict,
    "claims": Claim,
    "opportunities": Opportunity,
}
"""The ledger's tables with their row classes."""

JUDGED = ("kept", "broken")


def ledger_tables(ledgers: Sequence[Ledger]) -> list[Table]:
    """All tables of all games, ready to be written; the column ``game`` is the ledger's name."""
    return [
        Table(
            name,
            kind,
            [row for ledger in ledgers for row in getattr(ledger, name)],
            [ledger.name for ledger in ledgers for _ in getattr(ledger, name)],
        )
        for name, kind in TABLES.items()
    ]


def message_rows(transcript: Transcript, name: str = "") -> list[MessageRow]:
    """The messages of a game, one row per reader; nobody is asked for marks at our table, so there are none.

    A message that several read has the ids ``ID>READER``.
    """
    game = name or transcript.path.stem
    rows: list[MessageRow] = []
    number = 0
    for event in transcript.events():
        if not isinstance(event, MessageSent):
            continue
        readers = [seat for seat in transcript.seats if seat != event.sender and seat in event.to]
        if tuple(event.to) == (EVERYONE,):
            readers = [seat for seat in transcript.seats if seat != event.sender]
        for reader in readers:
            msg_id = f"{game}/{event.id}" + (f">{reader}" if len(readers) > 1 else "")
            rows.append(MessageRow(game, msg_id, "", number, event.sender, reader, event.text, None, None))
        number += 1
    return rows


def outcomes(ledgers: Iterable[Ledger], by: By = "agent") -> list[Outcome]:
    """How every promise ended, grouped by who made it."""
    return [
        Outcome(ledger.name, promise.debtor, end.status, end.reason, end.binding, groups[promise.debtor])
        for ledger in ledgers
        for groups in (_groups(ledger, by),)
        for promise, end in _promises(ledger)
    ]


def assigned(ledgers: Iterable[Ledger], by: By = "profile", hit: str = "broken") -> list[Assigned]:
    """Every seat with what it was dealt and how often its judged promises ended in ``hit``; blocks are games.

    Seats without a judged promise stay in, with nothing counted: they were dealt a label too.
    """
    rows: list[Assigned] = []
    for ledger in ledgers:
        groups = _groups(ledger, by)
        ends: Counter[tuple[str, str]] = Counter(
            (promise.debtor, end.status) for promise, end in _promises(ledger) if end.binding is not False
        )
        for seat, label in groups.items():
            units = sum(ends[seat, status] for status in JUDGED)
            rows.append(Assigned(ledger.name, label, ends[seat, hit], units))
    return rows


def per_message(ledgers: Iterable[Ledger], by: By = "agent", hit: str = "broken") -> list[Counted]:
    """Messages that gave a binding word which ended in ``hit``, of all messages written, seat by seat.

    Several such words in one message are one: the figure stays a share, with an interval of shares.
    """
    rows: list[Counted] = []
    for ledger in ledgers:
        groups = _groups(ledger, by)
        messages = {
            (promise.debtor, promise.mentions[0].message)
            for promise, end in _promises(ledger)
            if end.status == hit and end.binding is not False
        }
        ends = Counter(seat for seat, _ in messages)
        rows += [
            Counted(ledger.name, player.seat, ends[player.seat], player.messages, groups[player.seat])
            for player in ledger.players
        ]
    return rows


def per_opportunity(ledgers: Iterable[Ledger], by: By = "agent", deed: str = "promised") -> list[Counted]:
    """How often a seat that could speak to another at a decision point ``promised``, ``threatened``, was ``silent``."""
    rows: list[Counted] = []
    for ledger in ledgers:
        groups = _groups(ledger, by)
        could, did = Counter[str](), Counter[str]()
        for chance in ledger.opportunities:
            if chance.could_speak:
                could[chance.seat] += 1
                did[chance.seat] += bool(getattr(chance, deed))
        rows += [Counted(ledger.name, seat, did[seat], could[seat], label) for seat, label in groups.items()]
    return rows


def directed(ledgers: Iterable[Ledger], hit: str = "kept") -> list[Directed]:
    """Judged promises of each seat to each other."""
    rows: list[Directed] = []
    for ledger in ledgers:
        ends: Counter[tuple[str, str, bool]] = Counter()
        for promise, end in _promises(ledger):
            if end.status in JUDGED and end.binding is not False:
                for other in _hearers(promise, ledger):
                    ends[promise.debtor, other, end.status == hit] += 1
        pairs = dict.fromkeys((actor, other) for actor, other, _ in ends)
        rows += [
            Directed(ledger.name, *pair, ends[*pair, True], ends[*pair, True] + ends[*pair, False]) for pair in pairs
        ]
    return rows


def trust_cells(ledgers: Iterable[Ledger], by: By = "role") -> list[TrustCell]:
    """The trust matrix: judged promises of all games by who gave and who received them."""
    every = list(ledgers)
    groups = {ledger.name: _groups(ledger, by) for ledger in every}
    sums: dict[tuple[str, str], list[int]] = {}
    for row in directed(every):
        pair = sums.setdefault((groups[row.game][row.actor], groups[row.game][row.other]), [0, 0])
        pair[0] += row.hits
        pair[1] += row.units
    return [TrustCell(actor, other, hits, units) for (actor, other), (hits, units) in sums.items()]


def moves(ledgers: Iterable[Ledger]) -> list[Move]:
    """Keeping and breaking in time, for tit for tat; ``t`` is the decision point at which it was decided."""
    return [
        Move(ledger.name, end.t_final, promise.debtor, other, end.status == "broken")
        for ledger in ledgers
        for promise, end in _promises(ledger)
        if end.status in JUDGED and end.binding is not False
        for other in _hearers(promise, ledger)
    ]


def played(ledgers: Iterable[Ledger], by: By = "agent") -> tuple[list[Played], int]:
    """Seats with how they kept their word and what they scored, and how many seats have no score and are left out."""
    rows: list[Played] = []
    unscored = 0
    for ledger in ledgers:
        groups = _groups(ledger, by)
        ends: Counter[tuple[str, str]] = Counter((word.debtor, end.status) for word, end in _promises(ledger))
        for player in ledger.players:
            kept, broken = ends[player.seat, "kept"], ends[player.seat, "broken"]
            if player.score is None:
                unscored += 1
            else:
                label = groups[player.seat]
                rows.append(Played(ledger.name, player.seat, label, kept, kept + broken, player.score))
    return rows, unscored


def lifetimes(ledgers: Iterable[Ledger]) -> tuple[list[Lifetime], int]:
    """How long words held, in decision points, and how many promises could not be tested and are left out.

    Broken is the event, void competes, and a word kept to the end of its window or still open is censored there.
    """
    ends: dict[str, End] = {"broken": "event", "void": "competing", "kept": "censored", "pending": "censored"}
    rows: list[Lifetime] = []
    untested = 0
    for ledger in ledgers:
        for promise, end in _promises(ledger):
            if end.status not in ends:
                untested += 1
                continue
            until = end.t_final if end.status != "pending" else ledger.points
            rows.append(Lifetime(max(0, until - promise.made_point), ends[end.status], ledger.name))
    return rows, untested


def flow_rows(ledgers: Iterable[Ledger]) -> list[FlowRow]:
    """Promises by what was said, meant and done."""
    counts: Counter[tuple[str, str, str]] = Counter()
    for ledger in ledgers:
        for promise, verdict in zip(ledger.promises, ledger.verdicts, strict=True):
            if promise.act != "threat":
                counts[promise.act, verdict.meant, verdict.did] += 1
    return [FlowRow(*key, count) for key, count in sorted(counts.items())]


def model_rows(ledgers: Iterable[Ledger]) -> list[dict[str, str | int | bool]]:
    """Judged, binding promises with what a regression may explain them by.

    ``broken ~ profile + model + point + conditional + audience`` with ``game``, ``seat`` and ``dyad`` as groups; a
    promise to several stands once, with all of them in ``dyad``.  Where nobody looked whether it was binding it stays.
    """
    rows: list[dict[str, str | int | bool]] = []
    for ledger in ledgers:
        players = {player.seat: player for player in ledger.players}
        for promise, end in _promises(ledger):
            if end.status in JUDGED and end.binding is not False:
                by = players[promise.debtor]
                rows.append(
                    {
                        "game": ledger.name,
                        "seat": f"{ledger.name}/{promise.debtor}",
                        "dyad": f"{ledger.name}/{promise.debtor}>{'+'.join(promise.creditors)}",
                        "agent": by.agent,
                        "profile": by.profile or "none",
                        "model": by.model or "none",
                        "point": promise.made_point,
                        "conditional": promise.conditional,
                        "audience": promise.audience,
                        "broken": end.status == "broken",
                    }
                )
    return rows


def timeline(ledger: Ledger, by: By = "role") -> tuple[list[Span], list[Breach]]:
    """One game's promises and breaches for the alliance timeline.

    The wronged side is taken to know at once, as where deeds are shown when they are judged; for a game that hides
    them, replace ``known``.
    """
    named = _groups(ledger, by)
    spans: list[Span] = []
    breaches: list[Breach] = []
    for promise, end in _promises(ledger):
        until = end.t_final or ledger.points
        for other in _hearers(promise, ledger):
            debtor, creditor = named[promise.debtor], named[other]
            spans.append(Span(promise.pid, debtor, creditor, promise.made_point, until, end.status))
            if end.status == "broken":
                breaches.append(Breach(promise.pid, debtor, creditor, until, until))
    return spans, breaches


def _promises(ledger: Ledger) -> Iterator[tuple[Promise, Resolution]]:
    """Promises with their ends, without threats."""
    for promise, end in zip(ledger.promises, ledger.resolutions, strict=True):
        if promise.act != "threat":
            yield promise, end


def _groups(ledger: Ledger, by: By) -> dict[str, str]:
    """Each seat's label; a seat without one is called by its seat, so that nobody is lumped together unseen."""
    return {player.seat: str(getattr(player, by)) or player.seat for player in ledger.players}


def _hearers(promise: Promise, ledger: Ledger) -> list[str]:
    if EVERYBODY in promise.creditors:
        return [player.seat for player in ledger.players if player.seat != promise.debtor]
    return list(promise.creditors)
