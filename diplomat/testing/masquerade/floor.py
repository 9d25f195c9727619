"""What everybody at the masquerade can see, as a fold over public events."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from diplomat.core.audience import Seat
from diplomat.core.events import Event
from diplomat.testing.masquerade import events as ev

NOBODY = "nobody"


class Settings(BaseModel):
    """Settings of a masquerade."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    messages: int = Field(default=2, ge=0, le=10, description="messages per answer")
    message_length: int = Field(default=200, ge=20, le=5000, description="characters per message")


@dataclass(frozen=True, slots=True)
class Floor:
    """The dance floor."""

    seats: tuple[Seat, ...]
    phase: str = "deal"
    answered: frozenset[Seat] = frozenset()
    out: frozenset[Seat] = frozenset()
    hushed: frozenset[Seat] = frozenset()
    shown: Mapping[Seat, str] = field(default_factory=dict)
    """Characters that everybody knows."""
    winners: tuple[Seat, ...] = ()

    def present(self) -> tuple[Seat, ...]:
        """The seats that are not out, in table order."""
        return tuple(seat for seat in self.seats if seat not in self.out)

    def waiting(self) -> tuple[Seat, ...]:
        """The present seats that have not answered in this phase."""
        return tuple(seat for seat in self.present() if seat not in self.answered)


_STEPS: Mapping[type[Event], Callable[[Floor, Any], Floor]] = {
    ev.PhaseBegan: lambda f, e: replace(f, phase=e.phase, answered=frozenset()),
    ev.SeatAnswered: lambda f, e: replace(f, answered=f.answered | {e.seat}),
    ev.SeatPoisoned: lambda f, e: replace(f, out=f.out | {e.seat}),
    ev.SeatHushed: lambda f, e: replace(f, hushed=f.hushed | {e.seat}, shown={**f.shown, e.by: "herald"}),
    ev.BellRung: lambda f, e: replace(f, shown={**f.shown, e.by: "host"}),
    ev.CharacterShown: lambda f, e: replace(f, shown={**f.shown, e.seat: e.character}),
    ev.BallEnded: lambda f, e: replace(f, phase="over", winners=e.winners),
}


def evolve(floor: Floor, event: Event) -> Floor:
    """The floor after an event."""
    step = _STEPS.get(type(event))
    return floor if step is None else step(floor, event)
