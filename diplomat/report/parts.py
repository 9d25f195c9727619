"""What the page is made of, ready for the template: every string is plain text and is escaped there."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from markupsafe import Markup

from diplomat.core.audience import Seat


@dataclass(frozen=True, slots=True)
class Player:
    """Who sat where."""

    seat: Seat
    style: str
    """Name of its class in the style sheet; never made from the log."""
    letter: str
    colour: str
    ink: str
    name: str
    agent: str
    profile: str
    summary: str
    model: str


@dataclass(slots=True)
class Word:
    """A goal that a message speaks of, and what became of it."""

    goal: str
    fate: str
    """``kept``, ``broken`` … or nothing."""
    label: str = ""
    """The same in words; empty: the template has the word."""
    pid: str = ""
    """The promise that was made with it, if it has a card."""
    tokens: tuple[str, ...] = ()
    """Ids of what broke it."""
    deeds: list[tuple[int, str]] = field(default_factory=list)
    """The same as event numbers and lines, as far as they have lines."""


@dataclass(slots=True)
class Promise:
    """One formal statement of a message or plan, as lines of words."""

    act: str
    goals: list[Word]
    given: list[Word] = field(default_factory=list)
    ref: tuple[str, int] | None = None
    """The message that it answers: how it is called, and its event number."""
    read: str = ""
    """Who found it in the words, and how sure; empty: the speaker declared it."""


@dataclass(slots=True)
class Meant:
    """A sealed plan."""

    n: int
    goals: list[str]
    keep: list[tuple[str, int, str]]
    """How the message is called, its event number, and ``yes``, ``no`` or ``unsure``."""
    text: str

    @property
    def key(self) -> tuple[str, ...]:
        """The same for plans that say the same."""
        return (self.text, *self.goals, *(f"{name} {answer}" for name, _, answer in self.keep))


@dataclass(slots=True)
class Speech:
    """A message with what its speaker privately meant."""

    shape: ClassVar[str] = "speech"
    n: int
    id: str
    sender: Seat
    to: tuple[Seat, ...]
    """Empty: to everyone."""
    text: str
    promises: list[Promise]
    meant: Meant | None = None
    repeated: bool = False
    """Whether the message before it was sent with the same plan."""
    lone: bool = False
    """Whether that message before it was public and this one is not."""

    @property
    def broken(self) -> bool:
        """Whether a promise in it was broken."""
        return any(word.fate == "broken" for promise in self.promises for word in (*promise.goals, *promise.given))


@dataclass(slots=True)
class Deed:
    """One thing that happened, told in a sentence, with what was hidden about it at the time."""

    shape: ClassVar[str] = "deed"
    n: int
    seat: Seat | None
    text: str
    hidden: str = ""
    secret: bool = False
    """Whether nobody else knew of it at all."""
    notes: list[tuple[int, str]] = field(default_factory=list)
    meant: Meant | None = None


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a battle."""

    seat: Seat | None
    parts: list[tuple[str, int]]
    amount: int
    won: bool


@dataclass(slots=True)
class Battle:
    """A battle with its arithmetic."""

    shape: ClassVar[str] = "battle"
    n: int
    title: str
    told: str
    sides: list[Side]
    ending: Markup | None = None


@dataclass(slots=True)
class Sealed:
    """A note or plan of a decision that left no line of its own."""

    shape: ClassVar[str] = "sealed"
    n: int
    seat: Seat
    notes: list[tuple[int, str]] = field(default_factory=list)
    meant: Meant | None = None


@dataclass(slots=True)
class Trouble:
    """An answer or message that the table could not use, or a default that it took."""

    shape: ClassVar[str] = "trouble"
    n: int
    seat: Seat
    text: str
    detail: str = ""


Entry = Speech | Deed | Battle | Sealed | Trouble


@dataclass(slots=True)
class Section:
    """A part of a chapter."""

    title: str
    entries: list[Entry] = field(default_factory=list)
    key: str = ""
    fold: str = ""
    """What is inside, for a part that is closed at first; empty for one that is open."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture with its caption."""

    id: str
    """Its id on the page."""
    caption: str
    svg: Markup
    box: tuple[str, str]
    """Width and height."""
    lines: tuple[str, ...]
    """The same as a compact text."""


@dataclass(slots=True)
class Chapter:
    """A round, or what a game has in its place; number 0 is what came before the first."""

    number: int
    title: str
    sections: list[Section] = field(default_factory=list)
    pictures: list[Picture] = field(default_factory=list)
    headlines: list[tuple[int, Markup]] = field(default_factory=list)
    counts: list[str] = field(default_factory=list)
    """What is inside, for the closed chapter."""


@dataclass(frozen=True, slots=True)
class Score:
    """One row of the result."""

    seat: Seat
    won: bool
    total: int
    parts: list[str]
    remark: str


@dataclass(frozen=True, slots=True)
class Result:
    """How the game ended."""

    finished: bool
    winners: tuple[Seat, ...]
    columns: list[str]
    scores: list[Score]
