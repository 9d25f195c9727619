"""What each seat said aloud beside what it wrote for itself, round by round."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from diplomat.core.audience import Seat
from diplomat.report.parts import Chapter, Deed, Entry, Meant, Sealed, Speech


@dataclass(slots=True)
class Spread:
    """One round of one seat: two columns."""

    title: str
    said: list[Speech] = field(default_factory=list)
    notes: list[tuple[int, str]] = field(default_factory=list)
    plans: list[Meant] = field(default_factory=list)


@dataclass(slots=True)
class Diary:
    """One seat over the whole game."""

    seat: Seat
    spreads: list[Spread] = field(default_factory=list)

    @property
    def sizes(self) -> tuple[int, int]:
        """Messages, and notes with plans."""
        said = sum(len(spread.said) for spread in self.spreads)
        return said, sum(len(spread.notes) + len(spread.plans) for spread in self.spreads)


def diaries(chapters: Sequence[Chapter], seats: tuple[Seat, ...]) -> list[Diary]:
    """A diary per seat, rounds without a word left out; equal plans stand once."""
    return [Diary(seat, list(_spreads(chapters, seat))) for seat in seats]


def _spreads(chapters: Sequence[Chapter], seat: Seat) -> Iterator[Spread]:
    for chapter in chapters:
        spread = Spread(chapter.title)
        for section in chapter.sections:
            for entry in section.entries:
                _take(spread, entry, seat)
        if spread.said or spread.notes or spread.plans:
            yield spread


def _take(spread: Spread, entry: Entry, seat: Seat) -> None:
    if isinstance(entry, Speech):
        if entry.sender != seat:
            return
        spread.said.append(entry)
    elif isinstance(entry, (Deed, Sealed)) and entry.seat == seat:
        spread.notes += entry.notes
    else:
        return
    if entry.meant is not None and entry.meant.key not in {plan.key for plan in spread.plans}:
        spread.plans.append(entry.meant)
