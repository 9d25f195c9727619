"""Every event can be written down, read back, and says who may see it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from diplomat.core.audience import Audience
from diplomat.core.events import Event, kind_of
from diplomat.core.proceedings import PROCEEDINGS
from diplomat.table.seating import seats_of
from diplomat.testing.agents import Chatty
from diplomat.testing.folding import played
from diplomat.testing.walk import AnyGame, begun, play_out
from diplomat.transcript.codec import classes, decode, encode


def check_event_classes(game: AnyGame, _seats: int = 0, _seed: str = "") -> None:
    """Listed classes are frozen slotted dataclasses whose kinds occur once; `Event` itself asks for an audience."""
    kinds = [kind_of(cls) for cls in (*PROCEEDINGS, *game.events)]
    twice = sorted({kind for kind in kinds if kinds.count(kind) > 1})
    assert not twice, f"{game.id}: these kinds of event occur twice: {', '.join(twice)}"
    for cls in game.events:
        name = cls.__name__
        made: Any = vars(cls).get("__dataclass_params__")
        assert made is not None, f"{name} is no dataclass"
        assert made.frozen, f"{name} can be changed after it happened: it is not frozen"
        assert not any("__dict__" in vars(base) for base in cls.__mro__), f"{name} is not slotted"


def check_events_round_trip(game: AnyGame, seats: int, seed: str) -> None:
    """Every event of games with and without talk is listed and comes back from JSON as it was."""
    check_log(game, play_out(begun(game, seats, seed)).log, seats)
    check_log(game, played(game, seats, seed, {seat: Chatty() for seat in seats_of(seats)}).log, seats)


def check_log(game: AnyGame, log: Iterable[Event], seats: int) -> None:
    """One log: listed classes, audiences of this table, and nothing lost in writing."""
    known = classes(game)
    table = set(seats_of(seats))
    for number, event in enumerate(log, start=1):
        kind = kind_of(type(event))
        assert known.get(kind) is type(event), f"event {number}: {type(event).__name__} is not listed in game.events"
        audience = event.audience()
        assert isinstance(audience, Audience), f"event {number}: {kind} does not say who may see it"
        assert audience.seats is None or audience.seats <= table, f"event {number}: {kind} is meant for strangers"
        record = encode(event)
        back = json.loads(json.dumps(record, ensure_ascii=False, allow_nan=False))
        assert back == record, f"event {number}: {kind} is not what JSON makes of it: {record}"
        read = decode(game, kind, back["data"])
        assert read == event, f"event {number}: {event} is read as {read}"
        assert read.audience() == audience, f"event {number}: {kind} is read with another audience"
