"""The log as chapters: who said, meant, did and suffered what, in order."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from markupsafe import Markup

from diplomat.core import proceedings as table
from diplomat.core.audience import Seat
from diplomat.core.events import Event, kind_of
from diplomat.core.talk import clean
from diplomat.report.battles import arithmetic, is_battle, sources
from diplomat.report.evidence import Case
from diplomat.report.lens import Lenses
from diplomat.report.parts import Battle, Chapter, Deed, Entry, Picture, Sealed, Section, Speech, Trouble
from diplomat.report.speech import Archive
from diplomat.report.words import Wording
from diplomat.transcript.reader import Transcript
from diplomat.transcript.schema import Line

XMLNS = ' xmlns="http://www.w3.org/2000/svg"'
BOARD_WIDTH = 60
"""Columns of the map's text twin."""


class Timeline:
    """Reads a log once, from its first event to its last, and writes chapters."""

    def __init__(self, transcript: Transcript, wording: Wording, archive: Archive) -> None:
        self._game = transcript.game
        self._wording = wording
        self._archive = archive
        self._lenses = Lenses(transcript)
        self.chapters = [Chapter(0, wording.say("chapter.before"), [Section("", key="setup")])]
        self._sealed: dict[str, Sealed] = {}
        """Notes and plans by request, until the decision they belong to leaves a line."""
        self._request: str = ""
        self.laid: dict[str, Deed] = {}
        """The line that tells of a token, by the token's id."""
        self.moves: dict[tuple[int, Seat], list[Deed]] = {}
        """The lines of a seat's tokens, by chapter and seat."""
        self.fought: dict[str, list[Battle]] = {}
        """The battles that a token took part in, by the token's id."""
        self.lines: dict[int, str] = {}
        """What the lines of the game's own events say."""
        self._starts: list[tuple[int, int]] = [(0, 0)]
        """Where chapters begin: event and number."""
        self.shown: set[int] = set()
        """Events that have a line of their own."""
        self._names: dict[str, str] = {}
        """Faces of tokens and the like, by id, for the parts of battles."""
        for line in transcript.lines:
            self._take(line)
        self._close()
        self._explain()

    def _take(self, line: Line) -> None:
        event = line.event
        self._open(line.n, event)
        self._remember(event)
        kind: type[Event] = type(event)
        step = _TABLE.get(kind)
        if step is not None:
            step(self, line.n, event)
        elif kind not in table.PROCEEDINGS:
            self._happened(line.n, event)
        self._lenses.take(event)
        if self._wording.guide.pictured(event):
            self._draw(kind_of(type(event)))

    def number(self, n: int) -> int:
        """The chapter that an event stands in."""
        return max(start for start in self._starts if start[0] <= n)[1]

    def _open(self, n: int, event: Event) -> None:
        """Begins a chapter or a section where the game says that one begins."""
        guide = self._wording.guide
        number = guide.opens_chapter(event)
        if number is not None:
            self._close()
            self._starts.append((n, number))
            self.chapters.append(Chapter(number, self._wording.say("chapter.round", number=number)))
        section = guide.section(event)
        if section is not None or not self.chapters[-1].sections:
            self._flush()
            title = self._wording.word("section", section) if section else ""
            self.chapters[-1].sections.append(Section(title, key=section or ""))

    def _close(self) -> None:
        self._flush()
        self._part()
        self._draw("chapter" if self.chapters[-1].number else "setup")

    def _draw(self, kind: str) -> None:
        chapter, known = self.chapters[-1], self._lenses.known(None)
        name = f"map{chapter.number}-{len(chapter.pictures) + 1}"
        svg = self._game.side.svg(known, self._wording.lang).replace(XMLNS, "")
        box = re.match(r'<svg [^>]*?viewBox="\S+ \S+ (\d[\d.]*) (\d[\d.]*)"', svg)
        width, height = box.groups() if box else ("100", "100")
        svg = svg.replace("<svg ", f'<svg id="{name}" ', 1)
        lines = tuple(clean(line) for line in self._wording.guide.board_lines(known, self._wording.lang, BOARD_WIDTH))
        caption = self._wording.word("picture", kind)
        picture = Picture(name, caption, Markup(svg), (width, height), lines)  # noqa: S704 — a game escapes its drawing
        chapter.pictures.append(picture)

    def _part(self) -> None:
        """Gives what happened before anybody spoke a part of its own, and folds the long parts."""
        sections = self.chapters[-1].sections
        for place, section in enumerate(sections):
            if section.key == "talk" and section.entries:
                spoken = (number for number, entry in enumerate(section.entries) if not isinstance(entry, Deed))
                first = next(spoken, len(section.entries))
                title = self._wording.word("section", "draw")
                sections.insert(place, Section(title, section.entries[:first], key="draw"))
                section.entries = section.entries[first:]
                break
        for section in sections:
            fold = self._wording.guide.word("fold", section.key, self._wording.lang)
            moves = sum(isinstance(entry, Deed) and not entry.secret for entry in section.entries)
            section.fold = (fold or "").replace("{count}", str(moves))

    def _explain(self) -> None:
        """Puts the lines that broke them beneath broken promises."""
        entries = (e for chapter in self.chapters for section in chapter.sections for e in section.entries)
        for entry in entries:
            for promise in entry.promises if isinstance(entry, Speech) else ():
                for word in (*promise.goals, *promise.given):
                    word.deeds = [
                        (self.laid[token].n, told(self.laid[token])) for token in word.tokens if token in self.laid
                    ]
        for chapter in self.chapters:
            chapter.counts = _counts(chapter, self._wording)

    def _add(self, entry: Entry) -> None:
        self.shown.add(entry.n)
        self.shown.update(n for n, _ in getattr(entry, "notes", ()))
        self.chapters[-1].sections[-1].entries.append(entry)

    def _last(self) -> Entry | None:
        entries = self.chapters[-1].sections[-1].entries
        return entries[-1] if entries else None

    def _flush(self, keep: str = "") -> None:
        """Shows notes and plans whose decision left no line of its own."""
        for request in [name for name in self._sealed if name != keep]:
            self._add(self._sealed.pop(request))

    def _remember(self, event: Event) -> None:
        for item in (event, *getattr(event, "tokens", ())):
            name, face = getattr(item, "id", None), getattr(item, "face", None)
            if isinstance(name, str) and isinstance(face, str):
                extra = [self._wording.word("face", blessing) for blessing in getattr(item, "blessings", ())]
                self._names[name] = " + ".join([self._wording.word("face", face), *extra])

    def said(self, n: int, event: table.MessageSent) -> None:
        """A message; of several with one plan only the first shows it in full."""
        self._flush()
        speech = self._archive.speech(n, event)
        last = self._last()
        if isinstance(last, Speech) and last.meant and speech.meant:
            speech.repeated = last.sender == speech.sender and last.meant.key == speech.meant.key
            speech.lone = bool(speech.to) and not last.to
        self._add(speech)

    def planned(self, n: int, event: table.PlanSealed) -> None:
        """A plan that went with no message waits for its decision."""
        if not event.messages:
            self._waiting(n, event.seat, event.request).meant = self._archive.meant(n, event.plan)

    def noted(self, n: int, event: table.NoteSealed) -> None:
        """A note waits for its decision."""
        self._waiting(n, event.seat, event.request).notes.append((n, clean(event.text)))

    def _waiting(self, n: int, seat: Seat, request: str) -> Sealed:
        if request not in self._sealed:
            self._flush()
        return self._sealed.setdefault(request, Sealed(n, seat))

    def answered(self, n: int, event: table.AnswerGiven) -> None:
        """What follows in the log follows from this answer."""
        del n
        self._flush(event.request)
        self._request = event.request

    def troubled(self, n: int, event: Any) -> None:
        """Something that the table could not use."""
        self._flush()
        seat = getattr(event, "seat", None) or event.sender
        kind: type[Event] = type(event)
        detail = clean(getattr(event, "text", ""))
        problem = getattr(event, "problem", None)
        why = self._wording.why(problem) if problem is not None else ""
        text = self._wording.say(f"trouble.{kind_of(kind)}", why=why)
        last = self._last()
        if isinstance(event, table.DefaultExplained) and isinstance(last, Trouble) and last.seat == seat:
            last.text += f"; {text}"
        else:
            self._add(Trouble(n, seat, text, detail))

    def _happened(self, n: int, event: Event) -> None:
        """An event of the game: a line, a completed line, or a battle."""
        guide, watcher = self._wording.guide, self._lenses.known(None)
        audience = event.audience()
        found = guide.headline(event, watcher, self._wording.lang)
        headline = None if found is None else self._wording.sentence(*found)
        if headline is not None and getattr(event, "winner", True) is not None:
            self.chapters[-1].headlines.append((n, headline))
        if guide.is_quiet(event) or audience.seats == frozenset():
            return
        owner = None if audience.seats is None else min(audience.seats)
        seen = watcher if owner is None else self._lenses.known(owner)
        text = clean(self._game.story.tell(event, seen, self._wording.lang) or "")
        if not text:
            return
        self.lines[n] = text
        if is_battle(event):
            battle = arithmetic(n, event, text, ending=headline, names=self._names, wording=self._wording)
            for source in sources(event):
                self.fought.setdefault(source, []).append(battle)
            self._add(battle)
            return
        if owner is not None and self._completes(event, text):
            return
        seat = _doer(event)
        deed = Deed(n, seat, text, secret=owner is not None)
        name = getattr(event, "id", None)
        if isinstance(name, str) and self.laid.setdefault(name, deed) is deed and seat is not None:
            self.moves.setdefault((self.chapters[-1].number, seat), []).append(deed)
        sealed = self._sealed.get(self._request)
        if sealed is not None and sealed.seat == seat:
            deed.notes, deed.meant = sealed.notes, sealed.meant
            del self._sealed[self._request]
        self._add(deed)

    def _completes(self, event: Event, text: str) -> bool:
        """A secret about the thing that the line before tells of joins that line."""
        last = self._last()
        if not isinstance(last, Deed) or last.secret or last.hidden:
            return False
        if hasattr(event, "id") and last.seat == _doer(event):
            last.hidden = text.strip("(). ")
            return True
        return False


def _doer(event: Any) -> Seat | None:
    """Whose line an event is: the seat it names, the first of several."""
    who = getattr(event, "seat", None) or getattr(event, "by", None)
    if isinstance(who, tuple):
        who = who[0] if who else None
    return Seat(who) if isinstance(who, str) else None


_TABLE: Mapping[type[Event], Callable[[Timeline, int, Any], None]] = {
    table.MessageSent: Timeline.said,
    table.PlanSealed: Timeline.planned,
    table.NoteSealed: Timeline.noted,
    table.AnswerGiven: Timeline.answered,
    table.Defaulted: Timeline.troubled,
    table.DefaultExplained: Timeline.troubled,
    table.AnswerRefused: Timeline.troubled,
    table.MessageReturned: Timeline.troubled,
    table.PledgeReturned: Timeline.troubled,
    table.PlanReturned: Timeline.troubled,
    table.NoteReturned: Timeline.troubled,
}


def broken(chapters: list[Chapter], archive: Archive, wording: Wording) -> None:
    """Adds each broken promise to the headlines of the round in which it was broken."""
    for case in archive.evidence.breaches:
        told = breach_line(case, wording)
        for chapter in chapters:
            if chapter.number == case.fate.t_final:
                marked = Markup('<em class="broke">{}</em>').format(told)
                chapter.headlines.append((case.given.said_n, marked))


def breach_line(case: Case, wording: Wording) -> Markup:
    """A broken promise as a sentence."""
    creditors = tuple(Seat(seat) for seat in case.given.owed)
    key = "headline.broke" if creditors else "headline.broke_all"
    goal = "" if case.given.goal is None else wording.goal(case.given.goal)
    facts = {"seat": (Seat(case.given.debtor),), "seats": creditors, "goal": goal}
    return wording.sentence(wording.labels.entries[key], facts)


def told(deed: Deed) -> str:
    """A move with the face of its token."""
    return ": ".join(filter(None, (deed.text.rstrip("."), deed.hidden)))


def _counts(chapter: Chapter, wording: Wording) -> list[str]:
    """How much of what is inside a chapter."""
    entries = [entry for section in chapter.sections for entry in section.entries]
    speeches = [entry for entry in entries if isinstance(entry, Speech)]
    counts = {
        "messages": len(speeches),
        "private": sum(bool(speech.to) for speech in speeches),
        "battles": sum(isinstance(entry, Battle) for entry in entries),
        "moves": sum(isinstance(entry, Deed) and not entry.secret for entry in entries),
    }
    return [wording.say(f"count.{name}", count=count) for name, count in counts.items() if count]
