"""Reads plain sentences into pledges."""
from __future__ import annotations
from collections.abc import Mapping
from diplomat.core.audience import Seat
from diplomat.core.pledges import Pledge
def hear(text: str, speaker: Seat, hearer: Seat, clans: Mapping[Seat, str], round_now: int, last_round: int) -> tuple[Pledge, ...]:
    return ()
