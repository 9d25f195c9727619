"""Battles with their arithmetic: any event with a defence and attacks made of summands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from markupsafe import Markup

from diplomat.core.events import Event
from diplomat.report.parts import Battle, Side
from diplomat.report.words import Wording


def is_battle(event: Event) -> bool:
    """Whether the event has sides with totals and parts."""
    return all(hasattr(event, name) for name in ("province", "defence", "attacks", "winner"))


def sources(event: Any) -> list[str]:
    """The ids of everything that added to a battle."""
    return [str(part.source) for side in (event.defence, *event.attacks) for part in side.parts]


def arithmetic(
    n: int, event: Any, told: str, *, ending: Markup | None, names: Mapping[str, str], wording: Wording
) -> Battle:
    """A battle ready for the page; ``names`` says what lay under a token's id."""

    def side(total: Any, *, won: bool) -> Side:
        parts = [(names.get(p.source) or wording.word("source", p.source), int(p.amount)) for p in total.parts]
        return Side(total.seat, parts, int(total.amount), won)

    sides = [side(event.defence, won=event.winner is None)]
    sides += [side(attack, won=attack.seat == event.winner) for attack in event.attacks]
    title = wording.say("battle.title", place=wording.word("province", event.province))
    return Battle(n, title, told, sides, ending)
