"""The seat's side of the masquerade, its promises and its teller."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from diplomat.core.audience import Seat
from diplomat.core.events import Event, kind_of
from diplomat.core.menus import Answer, Branch, Choice, Form, Menu, Nothing, Problem
from diplomat.core.plain import plain
from diplomat.core.pledges import Goal, NoLedger
from diplomat.core.proceedings import MessageSent
from diplomat.core.requests import Question, Request
from diplomat.core.talk import CLOSED, TalkWindow
from diplomat.core.texts import Texts, core_texts, load_texts
from diplomat.testing.masquerade import events as ev
from diplomat.testing.masquerade.floor import NOBODY, Floor, Settings, evolve

PACKAGE = "diplomat.testing.masquerade"
NIGHT = {"spy": "poison", "guard": "guard"}
REPLIES = {"herald": "hush", "host": "bell"}


@dataclass(frozen=True, slots=True)
class Known:
    """What one seat knows; a watcher has no seat and no character."""

    seat: Seat | None
    floor: Floor
    settings: Settings
    character: str | None = None
    own: tuple[Event, ...] = ()
    """Own order and vote, and what was seen at night."""
    talk: tuple[MessageSent, ...] = ()


class MasqueradeSide:
    """See :class:`diplomat.core.game.SeatSide`."""

    def unknown(self, settings: Settings, seats: tuple[Seat, ...], seat: Seat | None) -> Known:
        """What is known before the first event."""
        return Known(seat, Floor(seats), settings)

    def learn(self, known: Known, events: Iterable[Event]) -> Known:
        """What is known after more permitted events."""
        for event in events:
            match event:
                case ev.CharacterDealt():
                    known = replace(known, character=event.character)
                case ev.OrderSealed() | ev.VisitSeen() | ev.VoteSealed():
                    known = replace(known, own=(*known.own, event))
                case MessageSent():
                    known = replace(known, talk=(*known.talk, event))
                case _:
                    known = replace(known, floor=evolve(known.floor, event))
        return known

    def question(self, known: Known, request: Request) -> Question:
        """The same menu for all, and a line more for some characters."""
        menu, default = self._menu(known, request.form)
        return Question(request, menu, default)

    def _menu(self, known: Known, form: str) -> tuple[Menu, Answer]:
        others = [seat for seat in known.floor.present() if seat != known.seat]
        at = Form({"target": Choice(others)})
        acts: dict[str, Form | Branch] = {}
        if form == "talk":
            return Nothing(), {}
        if form == "vote":
            refusals = {str(seat): Problem("mask_gone", {"seat": seat}) for seat in known.floor.out}
            return Form({"for": Choice([NOBODY, *others], refusals)}), {"for": NOBODY}
        if form == "orders":
            acts = {"rest": Form({}), "watch": at}
            if (special := NIGHT.get(str(known.character))) is not None:
                acts[special] = at
            return Branch("act", acts), {"act": "rest"}
        acts = {"pass": Form({})}
        if known.character == "herald":
            acts["hush"] = at
        if known.character == "host":
            acts["bell"] = Form({})
        return Branch("act", acts), {"act": "pass"}

    def talk(self, known: Known, request: Request | None) -> TalkWindow:
        """All who are present may write to each other; a hushed seat writes to nobody."""
        floor, seat = known.floor, known.seat
        if seat is None or seat in floor.hushed or seat in floor.out or floor.phase in ("deal", "over"):
            return CLOSED
        reach = tuple(other for other in floor.present() if other != seat)
        return TalkWindow(reach, messages=known.settings.messages, length=known.settings.message_length)

    def view(self, known: Known) -> dict[str, Any]:
        """What is known as plain data."""
        data: dict[str, Any] = plain(known.floor)
        own = [{"kind": kind_of(type(event)), **plain(event)} for event in known.own]
        return {**data, "seat": known.seat, "character": known.character, "own": own, "talk": plain(known.talk)}

    def text(self, known: Known, lang: str) -> str:
        """What is known as words."""
        texts = load_texts(PACKAGE, "texts", lang)
        lines = [texts.say("view.phase", phase=known.floor.phase, present=", ".join(known.floor.present()))]
        if known.character is not None:
            lines.append(texts.say("view.you", seat=known.seat, character=texts.say(f"character.{known.character}")))
        lines += [
            texts.say("view.saw", target=event.target, visitors=", ".join(event.visitors) or "—")
            for event in known.own
            if isinstance(event, ev.VisitSeen)
        ]
        lines += [f"{said.sender}: {said.text}" for said in known.talk]
        return "\n".join(lines)

    def svg(self, known: Known, lang: str) -> str:
        """A dot for everybody who is present."""
        dots = "".join(f'<circle cx="{20 * n}" cy="10" r="8"/>' for n, _ in enumerate(known.floor.present(), 1))
        return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 340 20">{dots}</svg>'

    def ask(self, known: Known, request: Request, lang: str) -> str:
        """The question in words."""
        return load_texts(PACKAGE, "texts", lang).say(f"ask.{request.form}")


class MasqueradePledges:
    """Two promises about the vote."""

    verbs: tuple[str, ...] = ("vote_for", "spare")

    def problem(self, goal: Goal, seats: tuple[Seat, ...]) -> Problem | None:
        """Why a goal makes no sense, or None."""
        if goal.verb not in self.verbs:
            return Problem("bad_pledge", {"why": goal.verb[:40]})
        if set(goal.args) != {"target"} or goal.args["target"] not in seats:
            return Problem("bad_pledge", {"why": f"{goal.verb}: target"})
        return None

    def text(self, goal: Goal, texts: Texts, names: Mapping[str, str]) -> str:
        """The goal in words."""
        by, target = names.get(goal.by, goal.by), names.get(goal.args["target"], goal.args["target"])
        return texts.say(f"goal.{goal.verb}", by=by, target=target)

    def ledger(self, seats: tuple[Seat, ...]) -> NoLedger:
        """Nobody keeps account at a ball."""
        return NoLedger()


class MasqueradeStory:
    """See :class:`diplomat.core.game.Storyteller`."""

    def names(self, board: Known, lang: str) -> Mapping[str, str]:
        """Everybody is masked."""
        texts = load_texts(PACKAGE, "texts", lang)
        return {str(seat): texts.say("view.mask", number=n) for n, seat in enumerate(board.floor.seats, 1)}

    def tell(self, event: Event, before: Known, lang: str) -> str | None:
        """One event as a sentence."""
        texts = core_texts(lang).joined(load_texts(PACKAGE, "texts", lang))
        key = f"event.{kind_of(type(event))}"
        return texts.say(key, **plain(event)) if texts.has(key) else None
