"""Puts prompts together: what is the same for all, who the seat is, what happened, the question.

From one question to the next a prompt only grows at its end, until a new chapter begins: then it
starts again from the diary and the present view.  Nothing here looks at a clock or at chance.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from diplomat.agents.llm.diary import FULL, SHORT, Page, diary, last_said, newest
from diplomat.agents.llm.failures import Failure
from diplomat.agents.llm.legal import legal_lines, menu_block
from diplomat.agents.llm.lines import Lines
from diplomat.agents.llm.memory import Memory
from diplomat.agents.llm.safe import barred, clipped, line, tokens
from diplomat.agents.llm.shape import recipients
from diplomat.agents.llm.steps import MOST_STEPS
from diplomat.agents.llm.templates import Templates, page
from diplomat.agents.profile import Profile
from diplomat.core.audience import Seat
from diplomat.core.game import Decision, Game
from diplomat.llm.base import Part

Level = Literal["full", "short", "compact"]
LEVELS: tuple[Level, ...] = ("full", "short", "compact")
"""How much is told; a prompt that does not fit goes one level on."""

COMPACT_LINES, COMPACT_PROMISES, COMPACT_LEGAL = 160, 400, 1000
"""Room at the compact level: tokens for news and for promises, characters for what is legal; where the server is not
held to the menu, four times as many."""
COMPACT_MENU, COMPACT_STEPS = 2500, 6
"""Characters of a menu block, and steps of a plan, at the compact level."""
LEAST_DIARY = 200


@dataclass(frozen=True, slots=True)
class Sheet:
    """One question as it is put to the model."""

    key: str
    """``answer`` or ``answers``."""
    schema: Mapping[str, Any]
    """The exact schema of one answer."""
    menu: str
    """The block of the menu; empty where the server is held to the schema."""
    fields: tuple[str, ...]
    """Fields of the reply."""
    steps: int
    """How many answers one reply may list."""


@dataclass(slots=True)
class Prompter:
    """Writes the prompts of one seat."""

    game: Game[Any, Any]
    seat: Seat
    seats: tuple[Seat, ...]
    profile: Profile
    lang: str
    lines: Lines
    memory: Memory
    exact: bool
    templates: Templates
    _systems: dict[tuple[Level, str], tuple[Part, ...]] = field(default_factory=dict)

    def system(self, level: Level, key: str) -> tuple[Part, ...]:
        """Rules and way of answering, the same for all seats; then who this seat is."""
        made = self._systems.get((level, "" if level != "compact" else key))
        if made is None:
            made = self._compact_system(key) if level == "compact" else self._full_system()
            self._systems[level, "" if level != "compact" else key] = made
        return made

    def _full_system(self) -> tuple[Part, ...]:
        rules = _rules(self.game, self.lang, self.templates)
        return Part(rules), Part(self.templates.render("seat", seat=self.seat, seats=self.seats, **self._character()))

    def _compact_system(self, key: str) -> tuple[Part, ...]:
        package = self.game.package
        rules = page(package, "rules.brief", self.lang) or clipped(page(package, "rules", self.lang), 1600)
        first = self.templates.render("brief", title=self.game.title(self.lang), rules=rules, key=key)
        return Part(first), Part(self.templates.render("brief_seat", seat=self.seat, **self._character()))

    def _character(self) -> dict[str, str]:
        spoken = {"name": self.profile.name, "summary": self.profile.summary, "prose": self.profile.prose}
        return {key: text.say(self.lang) for key, text in spoken.items()}

    def sheet(self, decision: Decision[Any], key: str, *, brief: bool) -> Sheet:
        """The legal answers of a question, ready to be shown."""
        schema = decision.question.menu.schema()
        request = decision.request
        planned = key == "answers" and request.kind == "act" and not self.game.guide.once(request.form)
        steps = 1 if not planned else COMPACT_STEPS if brief else MOST_STEPS
        menu = "" if self.exact else menu_block(schema, decision.window, key, steps)
        if brief and len(menu) > COMPACT_MENU:
            menu = ""
        fields = ("plan", key, "say", "note") if not brief else (key, "say", "note")
        return Sheet(key, schema, menu, fields, steps)

    def question(self, decision: Decision[Any], sheet: Sheet, news: Sequence[str], faults: Sequence[str]) -> str:
        """What happened, the promises that stand, and the question."""
        now = self._now(decision)
        return self.templates.render(
            "question",
            news=news,
            faults=faults,
            promises=[self.lines.word(one) for one in self.memory.promises(now)],
            offers=self.memory.offers(now),
            request=line(decision.request.id),
            key=sheet.key,
            steps=sheet.steps,
            menu=sheet.menu,
            legal="" if sheet.menu else legal_lines(sheet.schema, 4 * COMPACT_LEGAL),
            messages=decision.window.messages,
            length=decision.window.length,
            **self._table(decision),
        )

    def opening(self, decision: Decision[Any], level: Level, room: int) -> str:
        """The beginning of a chapter's prompt: the diary, the view, what has happened in it so far."""
        *past, present = self.memory.chapters
        moving = self.game.guide.changing(decision.known, self.lang)
        view = barred(self.game.side.text(decision.known, self.lang) if moving is None else moving)
        room -= tokens(view)
        texts = [each.text for each in present.lines if each.kind != "plan"]
        shown = newest(texts, max(room - LEAST_DIARY, room // 2), self.lines.texts.say("left_out"))
        room -= sum(tokens(text) for text in shown)
        measure = FULL if level == "full" else SHORT
        said = newest(last_said(past, measure), room // 2, self.lines.texts.say("left_out"))
        room -= sum(tokens(text) for text in said)
        pages: list[Page] = diary(past, measure, room)
        heading = line(present.heading)
        return self.templates.render("opening", pages=pages, said=said, heading=heading, view=view, lines=shown)

    def compact(self, decision: Decision[Any], sheet: Sheet, faults: Sequence[str]) -> str:
        """Everything that a small reader gets, in one turn."""
        view = self.game.guide.brief(decision.known, self.lang)
        if view is None:
            view = clipped(self.game.side.text(decision.known, self.lang), 1600)
        texts = [each.text for each in self.memory.chapter.lines if each.kind == "said"] + list(faults)
        now = self._now(decision)
        words = [self.lines.word(one) for one in self.memory.promises(now) if one.status == "pending"]
        return self.templates.render(
            "compact",
            view=barred(view),
            lines=newest([clipped(text, 240) for text in texts], COMPACT_LINES, "…"),
            promises=newest([*words, *self.memory.offers(now)], COMPACT_PROMISES, self.lines.texts.say("left_out")),
            key=sheet.key,
            steps=sheet.steps,
            menu=sheet.menu,
            legal="" if sheet.menu else legal_lines(sheet.schema, COMPACT_LEGAL * (1 if self.exact else 4)),
            fields=sheet.fields,
            **self._table(decision),
        )

    def retry(self, failure: Failure, why: str, sheet: Sheet, *, again: bool) -> str:
        """The second question; ``again`` repeats what is legal, for a turn of its own."""
        return self.templates.render(
            "retry",
            failure=str(failure),
            why=why,
            menu=sheet.menu if again else "",
            legal=legal_lines(sheet.schema, COMPACT_LEGAL) if again and not sheet.menu else "",
            fields=sheet.fields,
        )

    def _now(self, decision: Decision[Any]) -> int:
        rounds = decision.window.rounds
        return self.memory.chapter.number if rounds is None else rounds[0]

    def _table(self, decision: Decision[Any]) -> dict[str, Any]:
        """Who sits here, whom the seat may write to, and what it is asked."""
        you = self.lines.texts.say("you")
        ask = self.game.side.ask(decision.known, decision.request, self.lang)
        return {
            "table": [self.lines.full(s) + (f" — {you}" if s == self.seat else "") for s in self.seats],
            "to": [self.lines.full(name) for name in recipients(decision.window)],
            "ask": line(ask),
        }


_RULES: dict[tuple[str, ...], str] = {}
"""Rules as they stand in prompts, once for all seats of all tables."""


def _rules(game: Game[Any, Any], lang: str, templates: Templates) -> str:
    name = (game.package, game.id, lang, *map(str, templates.places))
    if name not in _RULES:
        _RULES[name] = templates.render(
            "rules",
            title=game.title(lang),
            rules=page(game.package, "rules", lang),
            promises=page(game.package, "promises", lang),
            answers=page(game.package, "answers", lang),
            verbs=game.pledges.verbs,
            fields=game.guide.pledge_fields(),
            landscape=barred(game.guide.landscape(lang) or ""),
        )
    return _RULES[name]
