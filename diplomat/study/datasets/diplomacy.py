"""A small vocabulary of Diplomacy promises for imported logs, which the resolver judges by the seasons' orders.

A promise here is of the *order* level: what counts is what was ordered, not whether it succeeded.  The verbs are those
of the pilot on Peskov's games.  Without a map and the rules nothing is known of what else could have been ordered, so
nothing is called impossible.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from diplomat.core.audience import PUBLIC, Audience, Seat
from diplomat.core.events import Event
from diplomat.core.pledges import Goal
from diplomat.study.datasets.rows import OrderRow
from diplomat.study.vocabulary import Mode

RESULTS = {"SUCCEEDS": True, "FAILS": False}


@dataclass(frozen=True, slots=True)
class SeasonPlayed(Event):
    """The orders of one season, and who owns which supply centre when they are read; in any case of letters."""

    orders: tuple[OrderRow, ...]
    owners: Mapping[str, str] = field(default_factory=dict)

    def audience(self) -> Audience:
        """All orders are read out."""
        return PUBLIC


@dataclass(frozen=True, slots=True)
class Hit:
    """An order that a goal speaks of."""

    point: int
    n: int
    ids: tuple[str, ...]
    """Where its unit stood."""
    success: bool | None


@dataclass(frozen=True, slots=True)
class Verb:
    """How a verb is judged, and the orders of its seat that it speaks of."""

    mode: Mode
    match: Callable[[OrderRow, Mapping[str, str], SeasonPlayed], bool]


def province(code: str) -> str:
    """A province without coast and case: ``Stp``, ``STP/NC`` and ``stp`` are one.

    >>> province("Stp/sc")
    'STP'
    """
    return code.upper().partition("/")[0]


def _goes(order: OrderRow, place: str) -> bool:
    return order.kind == "MOVE" and province(order.to) == province(place)


def _supports(order: OrderRow, args: Mapping[str, str], _: SeasonPlayed) -> bool:
    return order.kind == "SUPPORT" and province(args["place"]) in (province(order.to), province(order.source))


def _stays(order: OrderRow, args: Mapping[str, str], _: SeasonPlayed) -> bool:
    return order.kind in ("HOLD", "SUPPORT", "CONVOY") and province(order.unit) == province(args["place"])


def _attacks(order: OrderRow, args: Mapping[str, str], season: SeasonPlayed) -> bool:
    other = args["target"].lower()
    theirs = {province(place) for place, seat in season.owners.items() if seat.lower() == other}
    theirs |= {province(row.unit) for row in season.orders if row.seat.lower() == other}
    return order.kind == "MOVE" and province(order.to) in theirs


VERBS: Mapping[str, Verb] = {
    "order": Verb("by", lambda o, args, _: _goes(o, args["place"]) and province(o.unit) == province(args["unit"])),
    "move": Verb("by", lambda order, args, _: _goes(order, args["place"])),
    "not_move": Verb("never", lambda order, args, _: _goes(order, args["place"])),
    "support": Verb("by", _supports),
    "hold": Verb("by", _stays),
    "not_attack": Verb("never", _attacks),
}
"""``order`` this unit to there; ``move`` or ``not_move`` any unit there; ``support`` a unit that stands there or goes
there; ``hold`` there; ``not_attack`` no move into a centre or a unit of the other."""


@dataclass(slots=True)
class Chronicle:
    """See :class:`diplomat.study.vocabulary.Chronicle`; a decision point is a season with orders, from 1."""

    now: int = 1
    committed: int = 0
    closed: int = 0
    last: int = 0
    """The last season read so far."""
    over: bool = False
    roles: dict[Seat, str] = field(default_factory=dict)
    spoken: dict[tuple[Seat, int], int] = field(default_factory=dict)
    """Empty: such logs show messages only, not chances to write."""
    _seasons: list[tuple[SeasonPlayed, int]] = field(default_factory=list)

    def hear(self, n: int, event: Event) -> None:
        """Takes one season in."""
        if isinstance(event, SeasonPlayed):
            self._seasons.append((event, n))
            self.committed = self.closed = self.last = len(self._seasons)
            self.now = self.closed + 1

    def hits(self, goal: Goal) -> list[Hit]:
        """The orders that the goal speaks of."""
        match = VERBS[goal.verb].match
        return [
            Hit(point, n, (province(order.unit),), RESULTS.get(order.result))
            for point, (season, n) in enumerate(self._seasons, start=1)
            if goal.first <= point <= goal.last
            for order in season.orders
            if order.seat.lower() == goal.by.lower() and match(order, goal.args, season)
        ]

    def can(self, goal: Goal, point: int) -> bool | None:
        """Not known without the map."""
        return None

    def out(self, seat: Seat) -> int:
        """Nobody leaves: who has no units orders nothing."""
        return 0

    def contradicts(self, one: Goal, other: Goal) -> bool:
        """Going there and not going there; one unit to two places."""
        if one.by != other.by or one.last < other.first or other.last < one.first:
            return False
        verbs, same = {one.verb, other.verb}, _place(one) == _place(other)
        if verbs == {"order"}:
            return not same and province(one.args["unit"]) == province(other.args["unit"])
        return same and verbs in ({"not_move", "move"}, {"not_move", "order"})

    def serves(self, planned: Goal, promised: Goal) -> bool:
        """Whether doing the one does the other."""
        return VERBS[promised.verb].mode == "by" and (planned.verb, planned.args) == (promised.verb, promised.args)

    def chances(self, seat: Seat, other: Seat, point: int) -> tuple[str, ...] | None:
        """Not known without the map."""
        return None

    def between(self, seat: Seat, other: Seat, point: int) -> tuple[str, ...]:
        """Whether a seat attacked another."""
        return ("attack",) if self.hits(Goal("not_attack", seat, point, point, {"target": other})) else ()


def _place(goal: Goal) -> str:
    return province(goal.args.get("place", ""))


@dataclass(frozen=True, slots=True)
class Example:
    """See :class:`diplomat.study.vocabulary.Example`."""

    goal: Goal
    fate: str
    events: tuple[Event, ...]
    seats: tuple[Seat, ...]


class Words:
    """See :class:`diplomat.study.vocabulary.Vocabulary`."""

    version = "diplomacy-orders/1"
    verbs = tuple(VERBS)

    def mode(self, verb: str) -> Mode | None:
        """How a verb is judged."""
        return VERBS[verb].mode if verb in VERBS else None

    def chronicle(self, seats: tuple[Seat, ...], settings: Any) -> Chronicle:
        """A fresh record of orders."""
        return Chronicle()

    def examples(self) -> tuple[Example, ...]:
        """What keeps and breaks each verb, in one season of five powers."""
        seats = tuple(map(Seat, ("italy", "russia", "austria", "england", "germany")))
        return tuple(
            Example(Goal(verb, Seat(by), 1, 1, dict(pair.split("=") for pair in args.split())), fate, (_SEASON,), seats)
            for by, verb, args, fate in _EXAMPLES
        )


_SEASON = SeasonPlayed(
    (
        OrderRow("", "", "italy", "VEN", "MOVE", "TYR"),
        OrderRow("", "", "italy", "ROM", "SUPPORT", "TYR", "VEN"),
        OrderRow("", "", "italy", "NAP", "HOLD"),
        OrderRow("", "", "russia", "STP/SC", "MOVE", "BOT"),
        OrderRow("", "", "austria", "TYR", "HOLD"),
    ),
    {"Vie": "Austria", "Nwy": "England"},
)
_EXAMPLES = (
    ("italy", "order", "unit=VEN place=TYR", "kept"),
    ("italy", "order", "unit=ROM place=TYR", "broken"),
    ("russia", "order", "unit=Stp place=bot", "kept"),
    ("italy", "move", "place=Tyr", "kept"),
    ("italy", "move", "place=Pie", "broken"),
    ("germany", "move", "place=Tyr", "broken"),
    ("italy", "not_move", "place=Pie", "kept"),
    ("italy", "not_move", "place=Tyr", "broken"),
    ("italy", "support", "place=Ven", "kept"),
    ("italy", "support", "place=Tyr", "kept"),
    ("italy", "support", "place=Rom", "broken"),
    ("italy", "hold", "place=Nap", "kept"),
    ("italy", "hold", "place=Rom", "kept"),
    ("italy", "hold", "place=Ven", "broken"),
    ("italy", "not_attack", "target=austria", "broken"),
    ("italy", "not_attack", "target=england", "kept"),
    ("germany", "not_attack", "target=austria", "kept"),
)
