"""Messages, plans and notes as lines for people, the same in every game.

All other events, the table's among them, are told by the game's own storyteller.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from diplomat.core import proceedings as table
from diplomat.core.events import Event
from diplomat.core.game import Game
from diplomat.core.pledges import Goal, Pledge
from diplomat.core.talk import EVERYONE
from diplomat.core.texts import Texts, load_texts

Role = Literal["heading", "board", "speech", "private", "pledge", "told", "notice", "sealed"]


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing to show: what it is, a lead that may be set off, and the words."""

    role: Role
    text: str
    lead: str = ""
    speaker: str | None = None
    id: str = ""
    """What a message is called by those that answer it."""


@dataclass(frozen=True)
class TableWords:
    """Puts what players wrote into words, with the names that are known at that moment."""

    game: Game[Any, Any]
    lang: str
    names: Mapping[str, str] = field(default_factory=dict)

    @property
    def labels(self) -> Texts:
        """The terminal's own catalogue."""
        return load_texts("diplomat.terminal", "texts", self.lang)

    def name(self, seat: str) -> str:
        """How a seat is shown."""
        return self.labels.say("say.all") if seat == EVERYONE else self.names.get(seat, seat)

    def listed(self, seats: Iterable[str]) -> str:
        """Several seats by name."""
        return ", ".join(self.name(seat) for seat in seats)

    def tell(self, event: Event) -> tuple[Entry, ...]:
        """The entries of a message, a plan, a note or the seed; none for anything else."""
        words = _WORDS.get(type(event))
        return () if words is None else tuple(words(self, event))

    def goals(self, goals: Iterable[Goal]) -> str:
        """Several goals in the game's words."""
        texts = self.game.texts(self.lang)
        return "; ".join(self.game.pledges.text(goal, texts, self.names) for goal in goals)

    def pledge(self, pledge: Pledge) -> str:
        """One speech act in words."""
        facts = {
            "act": self.labels.say(f"act.{pledge.act}"),
            "goals": self.goals(pledge.goals),
            "given": self.goals(pledge.given),
        }
        key = ("given" if pledge.given else "goals") if pledge.goals else ("asked" if pledge.given else "bare")
        text = self.labels.say(f"pledge.{key}", **facts)
        return text if pledge.ref is None else self.labels.say("pledge.ref", text=text, ref=pledge.ref)


def _message(words: TableWords, event: table.MessageSent) -> Iterable[Entry]:
    public = event.to == (EVERYONE,)
    key = "say.to" if public else "say.private"
    lead = words.labels.say(key, sender=words.name(event.sender), to=words.listed(event.to))
    yield Entry("speech" if public else "private", event.text, lead, event.sender, event.id)
    for pledge in event.pledges:
        yield Entry("pledge", words.pledge(pledge))


def _plan(words: TableWords, event: table.PlanSealed) -> Iterable[Entry]:
    parts = [words.goals(event.plan.goals)] if event.plan.goals else []
    parts += [words.labels.say(f"table.keep_{mind}", id=name) for name, mind in sorted(event.plan.keep.items())]
    parts += [event.plan.text] if event.plan.text else []
    if parts:
        yield Entry("sealed", "; ".join(parts), words.labels.say("table.plan", seat=words.name(event.seat)))


def _note(words: TableWords, event: table.NoteSealed) -> Iterable[Entry]:
    yield Entry("sealed", event.text, words.labels.say("table.note", seat=words.name(event.seat)))


def _seed(words: TableWords, event: table.SeedSealed | table.DiceChanged) -> Iterable[Entry]:
    yield Entry("sealed", words.labels.say("table.seed", seed=event.seed))


_WORDS: Mapping[type[Event], Callable[[TableWords, Any], Iterable[Entry]]] = {
    table.SeedSealed: _seed,
    table.DiceChanged: _seed,
    table.MessageSent: _message,
    table.PlanSealed: _plan,
    table.NoteSealed: _note,
}
