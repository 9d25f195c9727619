"""What a seat remembers, folded from the events that it may see: a diary by chapters, words given, open offers.

Nothing is remembered that no event says, so a player that takes over a seat in the middle of a game
remembers the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from diplomat.agents.llm.lines import Lines
from diplomat.agents.llm.safe import quoted
from diplomat.core import proceedings as table
from diplomat.core.audience import Seat
from diplomat.core.events import Event
from diplomat.core.game import Game
from diplomat.core.pledges import Commitment
from diplomat.core.talk import EVERYONE

Kind = Literal["told", "outcome", "said", "note", "plan"]
REMARK = "◦"
"""Begins the lines of a note that the agent adds by itself; these are no memories."""
AWAITING = frozenset({"offer", "ask", "counter"})
ANSWERING = frozenset({"accept", "refuse", "counter"})
MOST_OFFERS = 8
UNTOLD: tuple[type[Event], ...] = (table.AnswerGiven, table.SeedSealed)


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the diary."""

    kind: Kind
    text: str


@dataclass(slots=True)
class Chapter:
    """One part of the game (a round, an hour) as the seat lived it."""

    number: int
    heading: str
    lines: list[Line] = field(default_factory=list)


class Memory:
    """The fold of one seat."""

    def __init__(self, game: Game[Any, Any], seat: Seat, settings: Any, seats: tuple[Seat, ...], lines: Lines) -> None:
        self._game, self._seat, self._lines = game, seat, lines
        self._known = game.side.unknown(settings, seats, seat)
        self._ledger = game.pledges.ledger(seats)
        self._offers: dict[str, table.MessageSent] = {}
        lines.meet(self._known)
        self.chapters = [Chapter(0, "")]
        self.fresh: list[Line] = []
        """Lines since the seat was last asked."""

    @property
    def chapter(self) -> Chapter:
        """The part of the game that is going on."""
        return self.chapters[-1]

    def hear(self, events: Iterable[Event]) -> None:
        """Takes permitted events in, in their order."""
        for event in events:
            self._hear(event)

    def _hear(self, event: Event) -> None:
        number = self._game.guide.opens_chapter(event)
        if number is not None:
            heading = self._game.guide.chapter(event, self._known, self._lines.lang)
            self.chapters.append(Chapter(number, heading or str(number)))
            self._thin()
        for line in self._told(event):
            self.chapter.lines.append(line)
            if line.kind not in ("note", "plan"):
                self.fresh.append(line)
        self._ledger.hear(event)
        self._known = self._game.side.learn(self._known, (event,))
        self._lines.meet(self._known)

    def _told(self, event: Event) -> Iterable[Line]:
        if isinstance(event, table.MessageSent):
            self._weigh(event)
            yield Line("said", self._lines.said(event))
        elif isinstance(event, table.NoteSealed):
            text = own_words(event.text)
            if text:
                yield Line("note", self._lines.texts.say("note", text=quoted(text)))
        elif isinstance(event, table.PlanSealed):
            if event.plan.text:
                yield Line("plan", self._lines.texts.say("plan", text=quoted(event.plan.text)))
        elif not isinstance(event, UNTOLD):
            told = self._lines.told(event, self._known)
            if told is not None:
                headline = self._game.guide.headline(event, self._known, self._lines.lang)
                yield Line("told" if headline is None else "outcome", told)

    def _weigh(self, event: table.MessageSent) -> None:
        """Which offers wait for an answer of this seat."""
        if event.sender == self._seat:
            for pledge in event.pledges:
                if pledge.act in ANSWERING and pledge.ref is not None:
                    self._offers.pop(pledge.ref, None)
        elif any(pledge.act in AWAITING for pledge in event.pledges):
            self._offers[event.id] = event

    def _thin(self) -> None:
        """Of chapters before the last one only what the diary will ever show is kept."""
        for chapter in self.chapters[:-2]:
            chapter.lines = [line for line in chapter.lines if line.kind in ("outcome", "note", "plan")]

    def promises(self, now: int) -> Sequence[Commitment]:
        """Words that stand, given or received, and those settled in this or the last chapter."""
        return [
            one
            for one in self._ledger.made
            if (one.debtor == self._seat or not one.creditors or self._seat in one.creditors)
            and (one.status == "pending" or one.settled >= now - 1)
        ]

    def offers(self, now: int) -> list[str]:
        """Offers to this seat that wait for its answer, as lines."""
        shown: list[str] = []
        for event in self._offers.values():
            waiting = [pledge for pledge in event.pledges if pledge.act in AWAITING]
            ends = [goal.last for pledge in waiting for goal in (*pledge.goals, *pledge.given)]
            alone = event.to != (EVERYONE,) and len(event.to) == 1
            closed = self._ledger.answered.get(event.id)
            if closed == "withdraw" or (closed is not None and alone) or (ends and max(ends) < now):
                continue
            shown.append(self._lines.offer(event, waiting))
        left_out = [self._lines.texts.say("left_out")] if len(shown) > MOST_OFFERS else []
        return [*left_out, *shown[-MOST_OFFERS:]]

    def take(self) -> list[str]:
        """The lines since the seat was last asked, which are old news from now on."""
        taken = [line.text for line in self.fresh]
        self.fresh.clear()
        return taken


def own_words(note: str) -> str:
    """A note without the lines that the agent added."""
    return "\n".join(row for row in note.splitlines() if not row.startswith(REMARK)).strip()
