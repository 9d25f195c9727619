"""What a scripted diplomat may want to say: a speech act with its facts and its formal pledges."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from diplomat.core.audience import Seat
from diplomat.core.pledges import Goal, Pledge

LAND = ("province", "territory")


@dataclass(frozen=True, slots=True)
class Saying:
    """One message to be: ``act`` names its phrases, ``weight`` how much it wants to be said."""

    act: str
    to: tuple[str, ...]
    weight: float
    facts: Mapping[str, str] = field(default_factory=dict)
    """Seats as clan ids, places as ids; see :func:`speech.naming`."""
    pledges: tuple[Pledge, ...] = ()

    @property
    def promised(self) -> tuple[Goal, ...]:
        """The goals that the speaker gives its word for, if only on condition."""
        return tuple(g for p in self.pledges if p.act in ("promise", "offer", "counter") for g in p.goals)


def peace(me: Seat, you: Seat, first: int, last: int, ref: str | None = None) -> Pledge:
    """I do not attack you if you do not attack me."""
    mine = Goal("not_attack", me, first, last, {"target": you})
    yours = Goal("not_attack", you, first, last, {"target": me})
    return Pledge("offer" if ref is None else "counter", (mine,), (yours,), ref)


def swap(me: Seat, you: Seat, mine: str, theirs: str, first: int, last: int) -> Pledge:
    """I stay out of that province of yours if you stay out of this one of mine."""
    return Pledge(
        "offer",
        (Goal("stay_out", me, first, last, {"province": theirs}),),
        (Goal("stay_out", you, first, last, {"province": mine}),),
    )


def strike(me: Seat, you: Seat, third: Seat, province: str, first: int, last: int) -> Pledge:
    """We both attack a third; I go at that province."""
    return Pledge(
        "offer",
        (Goal("attack", me, first, last, {"target": third, "province": province}),),
        (Goal("attack", you, first, last, {"target": third}),),
    )


def division(me: Seat, you: Seat, territory: str, first: int, last: int) -> Pledge:
    """Neither touches the other's provinces in a territory."""
    return Pledge(
        "offer",
        (Goal("share_territory", me, first, last, {"territory": territory, "target": you}),),
        (Goal("share_territory", you, first, last, {"territory": territory, "target": me}),),
    )


def threat(me: Seat, you: Seat, theirs: str, first: int, last: int) -> Pledge:
    """If you attack me I attack that province of yours."""
    return Pledge(
        "threat",
        (Goal("attack", me, first, last, {"target": you, "province": theirs}),),
        (Goal("attack", you, first, last, {"target": me}),),
    )


def promise(verb: str, me: Seat, first: int, last: int, **args: str) -> Pledge:
    """A plain promise."""
    return Pledge("promise", (Goal(verb, me, first, last, args),))


def ask(you: Seat, third: Seat, province: str, first: int, last: int) -> Pledge:
    """Will you attack a third there?"""
    return Pledge("ask", given=(Goal("attack", you, first, last, {"target": third, "province": province}),))
