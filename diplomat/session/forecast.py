"""What a game with language models would take, found by playing it with scripted players in their place.

The prompts are the real ones; the replies are those of the scripted players, put into words as long
as theirs.  Nothing is sent anywhere.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from diplomat.agents.base import Agent
from diplomat.agents.llm import LlmAgent
from diplomat.agents.llm.parse import Reading, written
from diplomat.core.audience import Seat
from diplomat.core.events import Event
from diplomat.core.game import Bot, Decision, Reply
from diplomat.core.proceedings import MessageSent
from diplomat.llm.base import Call, Completion, Usage
from diplomat.llm.blocks import Prefixes, pieces_of
from diplomat.llm.names import Endpoint
from diplomat.llm.prices import Price, Prices
from diplomat.llm.pricing import most_tokens
from diplomat.llm.totals import Tally
from diplomat.session.session import Session
from diplomat.table.seating import SCRIPTED, Chair
from diplomat.table.table import finish

CHARACTERS = {"en": 4.0, "ru": 2.5}
"""Characters of a token, roughly, by the language of a prompt."""


@dataclass(frozen=True)
class Forecast:
    """What a game would take."""

    bill: tuple[Tally, ...]
    most: Decimal | None
    """USD if every call took all that it may; None if a price is not known."""


class _Paper:
    """Stands where the desk would: takes every prompt, and gives what the scripted player said."""

    def __init__(self, prices: Prices, lang: str) -> None:
        self.reply = Reply({})
        self.most: Decimal | None = Decimal(0)
        self._prices, self._lang = prices, lang
        self._prefixes = Prefixes()
        self._tallies: dict[tuple[str, str], Tally] = {}

    @property
    def bill(self) -> tuple[Tally, ...]:
        return tuple(self._tallies[key] for key in sorted(self._tallies))

    async def ask(self, endpoint: Endpoint, call: Call) -> Completion:
        """Counts the call."""
        said = Reading((self.reply.answer,), self.reply.say, self.reply.plan, self.reply.note, ())
        text = written(said, said.answers, "answers" if "answers" in call.schema["properties"] else "answer")
        before, sent = self._prefixes.measure(endpoint.name, pieces_of(call))
        tokens = CHARACTERS[self._lang]
        usage = Usage(fresh=int((sent - before) / tokens), cached=int(before / tokens), output=int(len(text) / tokens))
        price = self._prices.of(endpoint)
        tally = self._tallies.setdefault((call.seat, call.purpose), Tally(call.seat, call.purpose))
        tally.calls += 1
        tally.done += 1
        tally.fresh += usage.fresh
        tally.cached += usage.cached
        tally.output += usage.output
        tally.sent_before += before
        tally.sent += sent
        tally.cost = None if tally.cost is None or price is None else tally.cost + price.cost(usage)
        self.most = _plus(self.most, price, call)
        return Completion(text=text, usage=usage)


def _plus(most: Decimal | None, price: Price | None, call: Call) -> Decimal | None:
    return None if most is None or price is None else most + price.most(most_tokens(call), call.max_output)


class _Foreseen:
    """A scripted player whose questions are also put to a model that is not there."""

    instant = True
    trusted = True

    def __init__(self, bot: Bot[Any], model: LlmAgent, paper: _Paper, concerns: Callable[[Event, Any], bool]) -> None:
        self._bot, self._model, self._paper, self._concerns = bot, model, paper, concerns
        self._held: list[Event] = []

    async def decide(self, decision: Decision[Any]) -> Reply:
        """The scripted player's reply, after the prompt for it was counted."""
        reply = self._bot.decide(decision)
        self._held.extend(decision.news)
        if decision.problem is None and not self._planned(decision):
            self._paper.reply = reply
            news, self._held = tuple(self._held), []
            await self._model.decide(replace(decision, news=news))
        return reply

    def _planned(self, decision: Decision[Any]) -> bool:
        """Whether a plan given before answers the question."""
        return False


class _Planning(_Foreseen):
    """One that plans ahead: it is asked again only when something has happened to it."""

    def __init__(self, *args: Any, chapter: Callable[[Event], int | None], seat: Seat) -> None:
        super().__init__(*args)
        self._chapter, self._seat = chapter, seat
        self._asked: set[str] = set()
        self._revised: set[str] = set()

    def _planned(self, decision: Decision[Any]) -> bool:
        form = decision.request.form
        for event in decision.news:
            if self._chapter(event) is not None:
                self._asked.clear()
                self._revised.clear()
        if decision.request.kind == "talk" or form not in self._asked:
            self._asked.add(form)
            return False
        if form in self._revised or not any(self._matters(event, decision.known) for event in decision.news):
            return True
        self._revised.add(form)
        return False

    def _matters(self, event: Event, known: Any) -> bool:
        if isinstance(event, MessageSent):
            return self._seat in event.to and event.sender != self._seat
        return self._concerns(event, known)


def forecast(session: Session) -> Forecast:
    """Calls, tokens and cost of a game by the plan of its session, with the same seed."""
    papers = _Paper(Prices.load(session.models.prices), session.lang)

    def model(chair: Chair) -> Agent:
        assert chair.endpoint is not None
        assert chair.profile is not None
        guide, bot = session.game.guide, session.game.bots[SCRIPTED](chair.seat, chair.profile, chair.lang)
        asked = LlmAgent(
            session.game,
            chair.seat,
            session.settings,
            session.seats,
            chair.profile,
            chair.lang,
            chair.endpoint,
            papers,
            pace="plan" if session.models.pace == "plan" else "step",
            level="compact" if chair.endpoint.kind == "local" else "full",
        )
        if session.models.pace == "plan":
            return _Planning(bot, asked, papers, guide.concerns, chapter=guide.opens_chapter, seat=chair.seat)
        return _Foreseen(bot, asked, papers, guide.concerns)

    finish(replace(session, deadline=None).table(model).play())
    return Forecast(papers.bill, papers.most)
