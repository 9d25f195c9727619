"""Examples of what keeps, breaks and makes impossible each verb: tiny logs of one round, as data.

Seat ``s1`` makes the promise.  It holds one province, ``s2`` the next, ``s3`` one behind that, all in one territory;
a province abroad is nobody's.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from functools import cache
from itertools import product

from diplomat.core.audience import Seat
from diplomat.core.events import Event
from diplomat.core.pledges import Goal
from diplomat.games.rokugan import events as ev
from diplomat.games.rokugan.atlas import atlas
from diplomat.games.rokugan.content import kind

SEATS = (Seat("s1"), Seat("s2"), Seat("s3"))
_CLANS = ("crab", "lion", "crane")
_STRIKE = "{own}>{next}"
_IDLE = ("bluff", _STRIKE)
"""A bluff: no deed at all."""


@dataclass(frozen=True, slots=True)
class Lands:
    """Four provinces as the examples need them, wherever the map has such."""

    own: str
    next: str
    """Borders on the own one, in the same territory."""
    behind: str
    """Borders on the next one but not on the own one, in the same territory."""
    abroad: str
    """In another territory."""
    own_territory: str
    abroad_territory: str


@cache
def lands() -> Lands:
    """The first such provinces in the order of the map; ValueError if the map has none."""
    provinces = atlas().provinces
    for own in provinces.values():
        for next_, behind in product(own.neighbours, provinces):
            home = {provinces[name].territory for name in (own.id, next_, behind)}
            apart = behind != own.id and behind not in own.neighbours and behind in provinces[next_].neighbours
            if apart and len(home) == 1:
                abroad = next(one for one in provinces.values() if one.territory != own.territory)
                return Lands(own.id, next_, behind, abroad.id, own.territory, abroad.territory)
    raise ValueError("the map has no three provinces of one territory in a row")


def holders() -> Mapping[str, Seat]:
    """Who holds what in every example."""
    where = lands()
    return dict(zip((where.own, where.next, where.behind), SEATS, strict=True))


@dataclass(frozen=True, slots=True)
class Example:
    """A goal of ``s1`` in round 1, what happens there, and what that makes of the goal."""

    goal: Goal
    fate: str
    """``kept``, ``broken`` or ``void`` (it could not be done); for a goal to leave something undone that could
    not have been done anyway, ``vacuous``."""
    events: tuple[Event, ...]
    seats: tuple[Seat, ...] = SEATS


_TABLE: tuple[tuple[str, Mapping[str, str], tuple[str, str], tuple[str, str], str], ...] = (
    # verb, arguments, token and place that do it, that do not, a hand with which it cannot be done
    ("not_attack", {"target": "s2"}, ("army-3", _STRIKE), _IDLE, "diplomacy"),
    ("not_attack", {"target": "s2"}, ("shinobi-3", "{next}"), ("raid", "{next}"), "raid"),
    ("attack", {"target": "s2"}, ("army-3", _STRIKE), _IDLE, "diplomacy"),
    ("attack", {"province": "{behind}"}, ("shinobi-3", "{behind}"), ("army-3", _STRIKE), "army-3"),
    (
        "attack",
        {"target": "s2", "province": "{next}"},
        ("army-3", _STRIKE),
        ("shinobi-3", "{behind}"),
        "blessing-2",
    ),
    ("not_raid", {"target": "s2"}, ("raid", "{next}"), ("army-3", _STRIKE), "army-3"),
    ("raid", {"province": "{next}"}, ("raid", "{next}"), ("army-3", _STRIKE), "army-3"),
    ("stay_out", {"province": "{next}"}, ("raid", "{next}"), ("shinobi-3", "{behind}"), "diplomacy"),
    (
        "stay_out",
        {"territory": "{abroad_territory}"},
        ("shinobi-3", "{abroad}"),
        ("army-3", _STRIKE),
        "diplomacy",
    ),
    (
        "share_territory",
        {"territory": "{own_territory}", "target": "s2"},
        ("army-3", _STRIKE),
        ("shinobi-3", "{behind}"),
        "diplomacy",
    ),
    ("defend", {"province": "{own}"}, ("army-3", "{next}>{own}"), ("army-3", _STRIKE), "diplomacy"),
    ("make_peace", {"province": "{own}"}, ("diplomacy", "{own}"), _IDLE, "army-3"),
)


def examples(never: frozenset[str]) -> Iterator[Example]:
    """Three examples for each row: the deed, another deed, and a hand that allows neither.

    ``never`` are the verbs that speak of leaving something undone.
    """
    for verb, args, deed_as_written, other_as_written, hand in _TABLE:
        goal = Goal(verb, SEATS[0], 1, 1, {name: _placed(value) for name, value in args.items()})
        deed, other = ((face, _placed(place)) for face, place in (deed_as_written, other_as_written))
        does, does_not, cannot = ("broken", "kept", "vacuous") if verb in never else ("kept", "broken", "void")
        both = (deed[0], other[0])
        yield Example(goal, does, tuple(_round(both, deed)))
        yield Example(goal, does_not, tuple(_round(both, other)))
        yield Example(goal, cannot, tuple(_round((hand,), None)))


def _placed(text: str) -> str:
    """A place or territory of the table, as the map has it."""
    return text.format_map({field.name: getattr(lands(), field.name) for field in fields(Lands)})


def _round(hand: tuple[str, ...], token: tuple[str, str] | None) -> Iterator[Event]:
    """A log of one round: s1 draws a hand and lays at most one token."""
    for seat, clan in zip(SEATS, _CLANS, strict=True):
        yield ev.ClanTaken(seat, clan)
    for province, seat in holders().items():
        yield ev.ControlPlaced(seat, province)
    yield ev.RoundBegan(1, SEATS[0])
    yield ev.TokensDrawn(SEATS[0], hand)
    yield ev.PlacementBegan(1)
    tokens = () if token is None else (ev.TurnedUp("t1", SEATS[0], token[1], token[0]),)
    yield ev.TokensTurnedUp(1, tokens)
    if token is not None and kind(token[0]) == "raid":
        yield ev.ProvinceScorched(token[1], (SEATS[0],), holders().get(token[1]), ("t1",))
    if token is not None and kind(token[0]) == "diplomacy":
        yield ev.PeaceMade(token[1], SEATS[0], ("t1",))
    yield ev.MapCleared(1)
