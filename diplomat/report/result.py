"""How the game ended: the table of scores with their parts, from whatever the game's last events say."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from diplomat.core.audience import Seat
from diplomat.core.proceedings import GameOpened
from diplomat.report.parts import Result, Score
from diplomat.report.words import Wording
from diplomat.transcript.reader import Transcript

TOTAL = "total"


def result_of(transcript: Transcript, wording: Wording) -> Result:
    """The result; ``finished`` is false for a log that stops before the end."""
    opened = next((line.event for line in reversed(transcript.lines) if isinstance(line.event, GameOpened)), None)
    if opened is None:
        return Result(finished=False, winners=(), columns=[], scores=[])
    events = {event.seat: event for event in transcript.events() if hasattr(event, TOTAL) and hasattr(event, "seat")}
    columns = _columns(events)
    remarks = _remarks(transcript, wording)
    scores = [
        Score(
            seat=seat,
            won=seat in opened.winners,
            total=opened.scores[seat],
            parts=[str(getattr(events.get(seat), name, "")) for name in columns],
            remark=remarks.get(seat, ""),
        )
        for seat in sorted(transcript.seats, key=lambda seat: -opened.scores[seat])
    ]
    return Result(True, tuple(opened.winners), [wording.word("score", name) for name in columns], scores)


def _columns(events: dict[Any, Any]) -> list[str]:
    """Whole numbers that the score events carry beside their total."""
    for event in events.values():
        names = [field.name for field in fields(event)]
        return [name for name in names if name != TOTAL and isinstance(getattr(event, name), int)]
    return []


def _remarks(transcript: Transcript, wording: Wording) -> dict[Seat, str]:
    """Secret objectives that were opened at the end."""
    found: dict[Seat, str] = {}
    for event in transcript.events():
        objective, met = getattr(event, "objective", None), getattr(event, "met", None)
        if isinstance(objective, str) and isinstance(met, bool):
            ending = wording.say("result.met" if met else "result.missed")
            found[event.seat] = f"{wording.word('objective', objective)} — {ending}"  # type: ignore[attr-defined]
    return found
