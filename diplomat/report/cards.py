"""A card for every promise: said, meant, did and believed side by side, with whoever says so."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from diplomat.core.audience import Seat
from diplomat.core.talk import EVERYONE
from diplomat.report.evidence import Case
from diplomat.report.parts import Battle, Deed, Meant
from diplomat.report.speech import Archive
from diplomat.report.timeline import Timeline, told
from diplomat.report.words import Wording

GROUPS = ("breach", "doubtful", "open", "kept", "threat", "void", "unjudged")
"""In this order on the page: what weighs most stands first."""
_MEANT_TO = {"premeditated": 0, "changed_mind": 1, "broken_undecided": 2, "broken_unknown": 3}
_SHOWN_MOVES = 12
_SHOWN_SAYINGS = 4


@dataclass(frozen=True, slots=True)
class Quote:
    """Words with their place."""

    n: int
    text: str
    public: bool
    hearers: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Stand:
    """What a sealed plan said of the promise at one moment."""

    n: int
    when: str
    intent: str
    label: str
    method: str


@dataclass(slots=True)
class Card:
    """One promise with its evidence."""

    id: str
    group: str
    case: Case
    debtor: Seat
    creditors: tuple[Seat, ...]
    goal: str
    given: list[str]
    fate: str
    style: str
    """Class of the fate."""
    rounds: str
    source: str
    said: list[Quote] = field(default_factory=list)
    said_more: int = 0
    said_notes: list[str] = field(default_factory=list)
    plan: Meant | None = None
    """The plan sealed with the first saying."""
    meant: list[Stand] = field(default_factory=list)
    orders: list[tuple[int, str]] = field(default_factory=list)
    """The moves that decided it."""
    instead: list[tuple[int, str]] = field(default_factory=list)
    """What its seat did in those rounds, where the promised deed is missing."""
    events: list[Battle] = field(default_factory=list)
    """What came of the moves."""
    did_notes: list[str] = field(default_factory=list)
    believed: list[tuple[Seat, str, str, int]] = field(default_factory=list)
    """Receiver, label, how it is known, event number or 0."""
    unknown: tuple[Seat, ...] = ()
    """Receivers of whom nothing shows what they made of it."""
    clause: list[str] = field(default_factory=list)
    conflicts: list[str] = field(default_factory=list)
    mutual: list[str] = field(default_factory=list)

    @property
    def outcome(self) -> str:
        """Meaning at the time against what became of it."""
        return self.case.verdict.outcome


def group_of(case: Case) -> str:
    """Where a promise stands on the page."""
    status, outcome = case.fate.status, case.verdict.outcome
    if case.breach:
        return "breach"
    if case.given.threat:
        return "threat"
    if status == "pending":
        return "open"
    if status == "kept":
        return "doubtful" if outcome == "relented" or case.given.conflicts_with else "kept"
    return "void" if status == "void" else "unjudged"


def weight(case: Case) -> tuple[int, int, int, float, int]:
    """Sorts by how much a case matters: planned breaches first, then the surer and the later ones."""
    place = GROUPS.index(group_of(case))
    meant = _MEANT_TO.get(case.verdict.outcome, 4)
    return place, int(case.fate.retaliatory), meant, -case.given.confidence, -case.given.made_n


def cards(archive: Archive, timeline: Timeline, wording: Wording) -> list[Card]:
    """All cards, the weightiest first."""
    cases = sorted(archive.evidence.cases, key=weight)
    ids = {case.given.pid: f"c{number}" for number, case in enumerate(cases, start=1)}
    return [_card(case, ids, archive, timeline, wording) for case in cases]


def _card(case: Case, ids: dict[str, str], archive: Archive, timeline: Timeline, wording: Wording) -> Card:
    given = case.given
    card = Card(
        id=ids[given.pid],
        group=group_of(case),
        case=case,
        debtor=Seat(given.debtor),
        creditors=tuple(Seat(seat) for seat in given.owed),
        goal=wording.say("card.no_goal") if given.goal is None else wording.goal(given.goal),
        given=[wording.goal(goal) for goal in given.antecedent],
        fate=wording.fate(case),
        style=wording.fate_class(case),
        rounds=wording.rounds(given.window_start, given.window_end),
        source=wording.source(given.source, given.confidence),
        conflicts=[ids[pid] for pid in given.conflicts_with if pid in ids],
        mutual=[ids[pid] for pid in given.mutual_of if pid in ids],
    )
    _said(card, archive, wording)
    _meant(card, archive, wording)
    _did(card, timeline, wording)
    _believed(card, wording)
    card.clause = list(_clause(case, wording))
    return card


def _said(card: Card, archive: Archive, wording: Wording) -> None:
    given = card.case.given
    for span in given.spans[:_SHOWN_SAYINGS]:
        _, message = archive.messages.get(span.message, (0, None))
        if message is not None:
            public = tuple(message.to) == (EVERYONE,)
            hearers = () if public else tuple(Seat(seat) for seat in message.to)
            card.said.append(Quote(span.n, archive.quoted(span.message, span.start, span.end), public, hearers))
    card.said_more = max(0, len(given.spans) - _SHOWN_SAYINGS)
    keys = [f"act_note.{given.act}"] if wording.labels.has(f"act_note.{given.act}") else []
    keys += ["card.hedged"] if given.certainty == "hedged" else []
    keys += ["card.implicit"] if given.explicitness == "implicit" else []
    card.said_notes = [wording.say(key) for key in keys]


def _meant(card: Card, archive: Archive, wording: Wording) -> None:
    """The plan at the saying, and later plans as far as they say something else."""
    last = ""
    for one in card.case.stated:
        if not card.meant or (one.intent not in (last, "no_evidence") and one.n):
            when = wording.say("card.at_saying") if not card.meant else wording.say("card.later", round=one.point)
            method = wording.say("card.torn") if one.torn else wording.say(f"method.{one.method}")
            card.meant.append(Stand(one.n, when, one.intent, wording.say(f"meant.{one.intent}"), method))
            last = one.intent
    if card.meant and (sealed := archive.plans.get(card.meant[0].n)) is not None:
        card.plan = archive.meant(card.meant[0].n, sealed.plan)


def _did(card: Card, timeline: Timeline, wording: Wording) -> None:
    fate, given = card.case.fate, card.case.given
    for token in fate.evidence_ids:
        if (deed := timeline.laid.get(token)) is not None:
            card.orders.append((deed.n, told(deed)))
        card.events += [battle for battle in timeline.fought.get(token, ()) if battle not in card.events]
    if not card.orders:  # a game whose deeds have no ids of their own
        card.orders = [(n, timeline.lines[n]) for n in fate.evidence if n in timeline.lines]
    missing = not (fate.evidence or fate.evidence_ids)
    if missing and card.style in ("broken", "idle"):
        card.instead = [(deed.n, told(deed)) for deed in _moves(card, timeline)][:_SHOWN_MOVES]
    notes = {
        "card.failed": fate.attempt_ok and fate.outcome_ok is False,
        "card.missing": missing and card.style in ("broken", "idle"),
        "card.clean": missing and card.style == "kept",
        "card.retaliatory": fate.retaliatory,
        "card.notice": fate.with_notice,
        "card.free": fate.binding is False,
        "card.pending": fate.status == "pending",
        "card.conflict": bool(card.conflicts),
    }
    card.did_notes = [wording.say(key, rounds=card.rounds) for key, holds in notes.items() if holds]
    if given.goal is None or fate.status in ("untestable", "untracked"):
        card.did_notes.append(wording.say("card.unjudged"))


def _moves(card: Card, timeline: Timeline) -> Iterator[Deed]:
    given = card.case.given
    for point in range(given.window_start, given.window_end + 1):
        yield from timeline.moves.get((point, card.debtor), ())


def _believed(card: Card, wording: Wording) -> None:
    blank = []
    for one in card.case.faith:
        if one.label == "none":
            blank.append(Seat(one.receiver))
        else:
            label, method = wording.say(f"believed.{one.label}"), wording.say(f"method.{one.method}")
            card.believed.append((Seat(one.receiver), label, method, one.n))
    card.unknown = tuple(blank)


def _clause(case: Case, wording: Wording) -> Iterator[str]:
    """The rule by which it was judged."""
    given, fate = case.given, case.fate
    if given.goal is None:
        return
    verb = given.goal.verb
    mode = getattr(wording.game.pledges, "mode", lambda _: None)(verb)
    yield wording.say("clause.verb", verb=verb, registry=fate.registry)
    if mode in ("by", "never", "keep"):
        yield wording.say(f"clause.{mode}", rounds=wording.rounds(given.window_start, given.window_end))
    if given.horizon_source != "stated":
        yield wording.say("clause.horizon")
        for name in ("status_next", "status_end"):
            status = getattr(fate, name)
            if status and status != fate.status:
                yield wording.say(f"clause.{name}", status=wording.say(f"fate.{status}"))
