"""Puts what a seat may know into lines: events, words, promises; in the second person for the seat itself."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from diplomat.agents.llm.safe import clipped, line, quoted
from diplomat.core import proceedings as table
from diplomat.core.audience import Seat
from diplomat.core.events import Event
from diplomat.core.game import Game
from diplomat.core.menus import Problem
from diplomat.core.plain import canonical
from diplomat.core.pledges import Commitment, Goal, Pledge
from diplomat.core.talk import EVERYONE
from diplomat.core.texts import load_texts

LONGEST_ANSWER = 200


class Lines:
    """The lines of one seat in one language."""

    def __init__(self, game: Game[Any, Any], seat: Seat, lang: str) -> None:
        self._game, self._seat, self.lang = game, seat, lang
        self.texts = load_texts("diplomat.agents.llm", "texts", lang)
        self._theirs = game.texts(lang)
        self.names: Mapping[str, str] = {}
        """How seats are shown now."""
        self._shown: Mapping[str, str] = {}

    def meet(self, known: Any) -> None:
        """Learns the names by which the seats go now."""
        shown = self._game.story.names(known, self.lang)
        if shown != self._shown:
            self._shown = dict(shown)
            self.names = {seat: line(name) for seat, name in shown.items()}

    def who(self, seat: str) -> str:
        """A seat by name and id; the seat itself is *you*."""
        if seat == self._seat:
            return self.texts.say("you")
        if seat == EVERYONE:
            return self.texts.say("everyone")
        return self.full(seat)

    def full(self, seat: str) -> str:
        """A seat by name and id, the seat itself too."""
        name = self.names.get(seat, seat)
        return line(seat) if name == seat else self.texts.say("name", name=name, seat=seat)

    def everyone(self, seats: Iterable[str]) -> str:
        """Several seats as those to whom something goes."""
        return ", ".join(self.texts.say("to_you") if seat == self._seat else self.who(seat) for seat in seats)

    def why(self, problem: Problem) -> str:
        """A problem in words."""
        return line(self._theirs.say(f"problem.{problem.code}", **problem.facts)).rstrip(".")

    def goal(self, goal: Goal) -> str:
        """A goal in the game's words."""
        return line(self._game.pledges.text(goal, self._theirs, self.names))

    def pledge(self, pledge: Pledge) -> str:
        """One speech act."""
        goals, given = ("; ".join(map(self.goal, each)) for each in (pledge.goals, pledge.given))
        key = "pledge_given" if goals and given else "pledge" if goals else "pledge_ask" if given else "pledge_bare"
        told = self.texts.say(key, act=self.texts.say(f"act.{pledge.act}"), goals=goals, given=given)
        return told if pledge.ref is None else self.texts.say("pledge_ref", pledge=told, ref=line(pledge.ref))

    def said(self, event: table.MessageSent) -> str:
        """A message as data: id, sender, audience, and its words as a JSON string."""
        pledges = "; ".join(self.pledge(pledge) for pledge in event.pledges)
        return self.texts.say(
            "said",
            id=event.id,
            sender=self.who(event.sender),
            to=self.everyone(event.to),
            text=quoted(event.text),
            pledges=self.texts.say("pledges", pledges=pledges) if pledges else "",
        )

    def told(self, event: Event, before: Any) -> str | None:
        """Any other event; what concerns the seat's own replies is told in the second person."""
        mine = self._mine(event)
        if mine is not None:
            return mine
        told = self._game.story.tell(event, before, self.lang)
        return None if not told else line(told)

    def _mine(self, event: Event) -> str | None:
        say = self.texts.say
        match event:
            case table.MessageReturned():
                to = ", ".join(line(name) for name in event.to) or "—"
                return say("mine_returned", to=clipped(to, 80), why=self.why(event.problem), text=quoted(event.text))
            case table.PledgeReturned():
                return say("pledge_back", id=event.message, why=self.why(event.problem))
            case table.PlanReturned():
                return say("plan_back", why=self.why(event.problem))
            case table.NoteReturned():
                return say("note_back", why=self.why(event.problem))
            case table.AnswerRefused():
                answer = clipped(quoted(canonical(event.answer)), LONGEST_ANSWER)
                return say("answer_back", why=self.why(event.problem), answer=answer)
            case table.Defaulted():
                key = "defaulted_me" if event.seat == self._seat else "defaulted"
                return say(key, seat=self.who(event.seat), request=event.request)
            case table.DefaultExplained():
                return say("explained", why=self.why(event.problem))
        return None

    def word(self, one: Commitment) -> str:
        """A word given, with what became of it as far as the seat can know."""
        key = "word_by_me" if one.debtor == self._seat else "word_to_me"
        to = self.everyone(one.creditors or (EVERYONE,))
        status = self.texts.say(f"status.{one.status}")
        return self.texts.say(
            key, by=self.who(one.debtor), to=to, id=one.message, goal=self.goal(one.goal), status=status
        )

    def offer(self, event: table.MessageSent, pledges: Sequence[Pledge]) -> str:
        """An offer that waits for an answer."""
        shown = "; ".join(self.pledge(pledge) for pledge in pledges)
        return self.texts.say(
            "offer", id=event.id, sender=self.who(event.sender), to=self.everyone(event.to), pledges=shown
        )
