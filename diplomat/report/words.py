"""Words of the page: labels, seats in sentences, problems, promises."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from markupsafe import Markup, escape

from diplomat.core.audience import Seat
from diplomat.core.guide import Guide
from diplomat.core.menus import Problem
from diplomat.core.pledges import Goal
from diplomat.core.talk import clean
from diplomat.core.texts import LANGUAGES, Texts, load_texts
from diplomat.report.evidence import Case
from diplomat.report.parts import Player
from diplomat.transcript.reader import Transcript
from diplomat.transcript.schema import SeatEntry


class Wording:
    """The page's words in one language, and the seats as they are shown."""

    def __init__(self, transcript: Transcript, lang: str, known: Any) -> None:
        self.lang = lang if lang in LANGUAGES else "en"
        self.game = transcript.game
        self.guide: Guide = transcript.game.guide
        self.labels: Texts = load_texts("diplomat.report", "texts", self.lang)
        self.texts: Texts = transcript.game.texts(self.lang)
        self.names: Mapping[str, str] = {
            seat: clean(name) for seat, name in transcript.game.story.names(known, self.lang).items()
        }
        self.players = {
            Seat(entry.seat): self._player(f"p{number}", entry, known)
            for number, entry in enumerate(transcript.header.seats, start=1)
        }

    def _player(self, style: str, entry: SeatEntry, known: Any) -> Player:
        seat = Seat(entry.seat)
        letter, colour = self.guide.badge(known, seat, self.lang)
        if not re.fullmatch(r"#[0-9A-Fa-f]{6}", colour):
            colour = "#555555"
        name, summary = _profile(entry.profile, self.lang)
        shown, agent, model = self.names.get(seat, seat), clean(entry.agent), clean(entry.model or "")
        return Player(seat, style, clean(letter), colour, _ink(colour), shown, agent, name, summary, model)

    def style(self, seat: Seat | None) -> str:
        """The class of a seat in the style sheet."""
        return self.players[seat].style if seat is not None and seat in self.players else ""

    def say(self, key: str, **facts: object) -> str:
        """A label of the page."""
        return self.labels.say(key, **facts)

    def word(self, field: str, value: str) -> str:
        """What the game calls a value; the value itself, made readable, if it has no word."""
        return self.guide.word(field, value, self.lang) or value.replace("_", " ")

    def chip(self, seat: Seat | None) -> Markup:
        """A seat as letter, colour and name."""
        if seat is None or seat not in self.players:
            return Markup('<span class="chip nobody">{}</span>').format(self.say("nobody"))
        player = self.players[seat]
        return Markup('<span class="chip {0}"><b>{1}</b>{2}</span>').format(player.style, player.letter, player.name)

    def chips(self, seats: tuple[Seat, ...]) -> Markup:
        """Several seats."""
        return Markup(", ").join(self.chip(seat) for seat in seats)

    def sentence(self, template: str, facts: Mapping[str, Any]) -> Markup:
        """A template filled: seats become chips, the rest is escaped."""
        filled = {key: self.chips(value) if isinstance(value, tuple) else escape(value) for key, value in facts.items()}
        return escape(template).format_map(filled)

    def goal(self, goal: Goal) -> str:
        """A goal in words."""
        return clean(self.game.pledges.text(goal, self.texts, self.names))

    def fate_class(self, case: Case) -> str:
        """The style of what became of a promise; carrying out a threat is no keeping of a word."""
        status = case.fate.status
        if case.given.threat and status in ("kept", "broken"):
            return "carried" if status == "kept" else "idle"
        return status

    def fate(self, case: Case) -> str:
        """What became of a promise, in a few words."""
        kind, reason = self.fate_class(case), case.fate.reason
        if kind == "broken" and case.fate.retaliatory:
            return self.say("fate.broken_after")
        if kind == "void" and self.labels.has(f"reason.{reason}"):
            return self.say("fate.void_because", why=self.say(f"reason.{reason}"))
        return self.say(f"fate.{kind}")

    def source(self, source: str, confidence: float) -> str:
        """Who says so, and how sure; what the speaker declared is sure."""
        kind, _, by = source.partition(":")
        label = self.say(f"source.{kind}", by=clean(by)) if self.labels.has(f"source.{kind}") else clean(source)
        return label if kind == "declared" else self.say("source.sure", source=label, share=f"{100 * confidence:.0f}")

    def rounds(self, first: int, last: int) -> str:
        """A span of rounds."""
        return self.say("span.one" if first == last else "span.many", first=first, last=last)

    def why(self, problem: Problem) -> str:
        """A problem in words."""
        return clean(self.texts.say(f"problem.{problem.code}", **problem.facts))


def _profile(name: str | None, lang: str) -> tuple[str, str]:
    """A personality's name and summary; only its id if this copy of the program has no such profile."""
    from diplomat.agents.profile import find
    from diplomat.core.errors import DiplomatError

    if name is None:
        return "", ""
    if name.endswith(".toml"):  # a log from elsewhere must not make us open files that it names
        return clean(name), ""
    try:
        profile = find(name)
    except DiplomatError:
        return clean(name), ""
    return clean(profile.name.say(lang)), clean(profile.summary.say(lang))


def _ink(colour: str) -> str:
    """Black or white on that colour (relative luminance)."""
    parts = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return "#000000" if 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.18 else "#FFFFFF"
