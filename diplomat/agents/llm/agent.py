"""A seat played by a language model, whatever the game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

from diplomat.agents.llm.asks import Asks
from diplomat.agents.llm.failures import NO_ANSWER, Failure, Unusable
from diplomat.agents.llm.lines import Lines
from diplomat.agents.llm.memory import Memory
from diplomat.agents.llm.parse import Grammar, Reading, read, understood, written
from diplomat.agents.llm.prompt import Level, Prompter, Sheet
from diplomat.agents.llm.readings import Aliases, Names, folded
from diplomat.agents.llm.remarks import Remarks
from diplomat.agents.llm.safe import line
from diplomat.agents.llm.shape import Schema, Vocabulary, declared, exact_reply, joined, loose, loose_reply
from diplomat.agents.llm.steps import Revisions, Route, route
from diplomat.agents.llm.talk import Asking, Exchange, next_level, room_left, size
from diplomat.agents.llm.templates import Templates
from diplomat.agents.profile import Profile
from diplomat.core.audience import Seat
from diplomat.core.errors import NoAnswer
from diplomat.core.game import Decision, Game, Reply
from diplomat.core.menus import Answer, Problem
from diplomat.core.proceedings import MessageSent
from diplomat.llm.base import Call, Completion, ProviderFault

Pace = Literal["step", "plan"]
MAX_OUTPUT, MAX_OUTPUT_COMPACT = 4096, 400
CONTEXT, CONTEXT_COMPACT = 60_000, 2048
MOST_OUTPUT = 4
"""A reply that was cut off or empty may be this many times as long in the end."""


ECHOED = frozenset({Failure.UNPARSABLE, Failure.ILLEGAL, Failure.AMBIGUOUS})
"""Failures after which the model sees its reply again."""


class LlmAgent:
    """Asks a model through a desk; at most three calls to a question, then the table takes the default."""

    instant = False
    trusted = True
    """It changes nothing that it is handed, so the table need not copy."""

    def __init__(
        self,
        game: Game[Any, Any],
        seat: Seat,
        settings: Any,
        seats: tuple[Seat, ...],
        profile: Profile,
        lang: str,
        endpoint: Any,
        desk: Asks,
        *,
        pace: Pace = "step",
        level: Literal["full", "compact"] = "full",
        exact: bool | None = None,
        max_output: int | None = None,
        context: int | None = None,
    ) -> None:
        """``exact``: the server is held to the menu itself (default: at the compact level); sizes are in tokens."""
        compact = level == "compact"
        self._game, self._seat, self._pace = game, seat, pace
        self._endpoint, self._desk = endpoint, desk
        self._level: Level = level
        self._exact = compact if exact is None else exact
        self._max_output = max_output or (MAX_OUTPUT_COMPACT if compact else MAX_OUTPUT)
        self._context = context or (CONTEXT_COMPACT if compact else CONTEXT)
        self._lines = Lines(game, seat, lang)
        self._memory = Memory(game, seat, settings, seats, self._lines)
        self._prompter = Prompter(
            game, seat, seats, profile, lang, self._lines, self._memory, self._exact, Templates(lang)
        )
        self._words = Vocabulary(tuple(game.pledges.verbs), game.guide.pledge_fields(), seats)
        self._remarks = Remarks(self._lines.texts)
        self._declared = Names()
        self._shape = declared(game.guide.answer_fields())
        self._past: list[Exchange] = []
        self._chapter = self._memory.chapter
        self._asking: Asking | None = None
        self._route: Route | None = None
        self._english = game.texts("en")
        self._revisions = Revisions()

    async def decide(self, decision: Decision[Any]) -> Reply:
        """The reply to one question; NoAnswer with the failure's name when no call is left."""
        asking = self._asking
        if decision.problem is None or asking is None or asking.request != decision.request.id:
            self._memory.hear(decision.news)
            step = self._planned(decision)
            if step is not None:
                return step
            asking = self._begin(decision)
        return await self._ask(decision, asking)

    # What a plan already answers.

    def _planned(self, decision: Decision[Any]) -> Reply | None:
        """The next step of the plan that was given, unless there is none or news speak for asking again."""
        plan, request = self._route, decision.request
        if plan is None or not plan.fits(request.form, self._memory.chapter.number):
            return None
        if not plan.steps:
            self._revisions.count(plan)
            return None
        if any(self._concerns(event, decision) for event in decision.news) and self._revisions.allowed(plan):
            self._revisions.count(plan)
            return None
        menu = decision.question.menu
        schema = menu.schema()
        step = plan.take(lambda answer: understood(answer, menu, schema, self._aliases_of(decision)))
        if step is None:
            self._revisions.count(plan)
            return None
        self._remarks.step(step, plan.request)
        return Reply(step.answer, note=self._remarks.note(None, decision.window.note_length))

    def _aliases_of(self, decision: Decision[Any]) -> Callable[[], Aliases]:
        """The game's declared names, folded only when an answer is not on the menu as it stands."""
        return lambda: self._declared.fold(self._game.guide.aliases(decision.known, self._lines.lang))

    def _concerns(self, event: Any, decision: Decision[Any]) -> bool:
        if isinstance(event, MessageSent):
            # Words alone can wait for the next turn to talk; a formal offer or threat may change the plan.
            return event.sender != self._seat and self._seat in event.to and bool(event.pledges)
        return self._game.guide.concerns(event, decision.known)

    # Putting the question.

    def _begin(self, decision: Decision[Any]) -> Asking:
        """A new question; one that was left without an answer is closed first."""
        if self._asking is not None:
            self._past.append(Exchange(self._asking.text, self._lines.texts.say("default_taken")))
        if self._memory.chapter is not self._chapter:
            self._chapter = self._memory.chapter
            self._past.clear()
        # One key for all questions of a game, so that the form of the reply stays the same in every prompt.
        key = "answers" if self._pace == "plan" else "answer"
        sheet = self._prompter.sheet(decision, key, brief=self._level == "compact")
        asking = Asking(decision.request.id, sheet, "", self._remarks.unread(), self._max_output)
        self._asking = asking
        asking.text = self._text(decision, asking, self._memory.take())
        return asking

    def _text(self, decision: Decision[Any], asking: Asking, news: Sequence[str] | None) -> str:
        """The question in words: a continuation while it fits, else a new beginning, if need be a shorter one."""
        if self._level == "compact":
            return self._compact_text(decision, asking)
        system = self._prompter.system(self._level, asking.sheet.key)
        if self._past and news is not None:
            text = asking.text = self._prompter.question(decision, asking.sheet, news, asking.faults)
            if size(system, asking.turns(self._past)) + self._max_output <= self._context:
                return text
        self._past.clear()
        text = self._prompter.question(decision, asking.sheet, (), asking.faults)
        room = room_left(self._limit, self._max_output, system, text)
        if room > 0:
            text = f"{self._prompter.opening(decision, self._level, room)}\n\n{text}"
            if room_left(self._context, self._max_output, system, text) >= 0:
                return text
        self._level = next_level(self._level) or "compact"
        return self._text(decision, asking, None)

    @property
    def _limit(self) -> int:
        """Tokens that a new beginning may have: half of the context stays free for the chapter to come."""
        return self._context * 3 // 4 if self._level == "full" else self._context // 2

    def _compact_text(self, decision: Decision[Any], asking: Asking) -> str:
        self._past.clear()
        asking.sheet = self._prompter.sheet(decision, asking.sheet.key, brief=True)
        return self._prompter.compact(decision, asking.sheet, asking.faults)

    def _schema(self, decision: Decision[Any], sheet: Sheet) -> Schema:
        """Of the reply; the loose one is one for all questions and only ever grows, so that it soon stays the same.

        Servers put it before the prompt, so where it changes no part of the prompt is in their cache.
        """
        brief = self._level == "compact"
        if self._exact:
            return exact_reply(sheet.schema, sheet.key, sheet.steps, self._words, decision.window, brief=brief)
        now = loose(sheet.schema)
        self._shape = now if self._shape is None else joined(self._shape, now)
        return loose_reply(self._shape, sheet.key, self._words, brief=brief)

    # Asking until something comes of it.

    async def _ask(self, decision: Decision[Any], asking: Asking) -> Reply:
        last = Problem("provider_fault", {"why": "no call was made"})
        while not asking.spent:
            asking.calls += 1
            try:
                completion = await self._completion(decision, asking)
                return self._reply(decision, asking, completion)
            except Unusable as fault:
                last = self._named(fault, asking)
                self._again(decision, asking, fault)
                if fault.answer is NO_ANSWER:
                    continue
                if asking.spent:
                    raise NoAnswer(last, ((fault.answer, fault.problem or last),)) from None
                return Reply(fault.answer)
        raise NoAnswer(last)

    async def _completion(self, decision: Decision[Any], asking: Asking) -> Completion:
        call = Call(
            id=f"{self._seat}/{asking.request}#{asking.calls}",
            seat=self._seat,
            purpose=decision.request.form,
            system=self._prompter.system(self._level, asking.sheet.key),
            turns=asking.turns(self._past),
            schema=self._schema(decision, asking.sheet),
            max_output=asking.max_output,
        )
        try:
            return await self._desk.ask(self._endpoint, call)
        except ProviderFault as fault:
            if fault.kind == "too_long":
                raise Unusable(Failure.TOO_LONG) from None
            if fault.kind == "timeout":
                raise Unusable(Failure.TIMEOUT) from None
            why = {"why": line(str(fault))[:300]}
            raise NoAnswer(Problem("provider_fault", why)) from None

    def _reply(self, decision: Decision[Any], asking: Asking, completion: Completion) -> Reply:
        """A completion as a reply whose answer is legal; Unusable holds the completion as it shall be seen again."""
        if asking is not self._asking:
            raise NoAnswer(Problem("stale"))  # the table has long gone on without it
        sheet, menu = asking.sheet, decision.question.menu
        try:
            reading = read(completion, self._grammar(decision, sheet))
        except Unusable as fault:
            fault.echo = completion.text
            raise
        try:
            answer = understood(reading.answers[0], menu, sheet.schema, self._aliases_of(decision))
        except Unusable as fault:
            fault.echo = written(reading, reading.answers, sheet.key)
            raise
        return self._done(decision, asking, reading, answer)

    def _grammar(self, decision: Decision[Any], sheet: Sheet) -> Grammar:
        silent = decision.request.kind == "talk" and decision.question.menu.single() is not None
        return Grammar(self._seat, sheet.key, self._names(), silent_answer=silent)

    def _names(self) -> dict[str, Seat]:
        """Shown names of seats that mean one seat only."""
        shown = [folded(name) for name in self._lines.names.values()]
        return {folded(n): Seat(s) for s, n in self._lines.names.items() if shown.count(folded(n)) == 1}

    def _done(self, decision: Decision[Any], asking: Asking, reading: Reading, answer: Answer) -> Reply:
        """The reply is good: it stays in the conversation, and the rest of a plan is kept for later."""
        answers = (answer, *reading.answers[1:])
        self._asking = None
        if self._level != "compact":
            self._past.append(Exchange(asking.text, written(reading, answers, asking.sheet.key)))
        if asking.sheet.steps > 1:
            request = decision.request
            self._route = route(request.form, self._memory.chapter.number, request.id, answers)
            self._route.steps.pop(1, None)
        self._remarks.failed(asking.failures)
        self._remarks.faults(reading.faults)
        note = self._remarks.note(reading.note, decision.window.note_length)
        return Reply(answer, reading.say, reading.plan, note)

    # After a reply that was of no use.

    def _named(self, fault: Unusable, asking: Asking) -> Problem:
        """Why the table takes the default, should this have been the last try."""
        facts = {"tries": str(asking.calls)}
        if fault.problem is not None:
            facts["why"] = line(self._english.say(f"problem.{fault.problem.code}", **fault.problem.facts))[:400]
            facts["candidates"] = fault.problem.facts.get("candidates", "")
        return Problem(str(fault.failure), facts)

    def _again(self, decision: Decision[Any], asking: Asking, fault: Unusable) -> None:
        """Makes the next call another one: shorter, with more room to answer, or with a second question."""
        asking.failures.append(fault.failure)
        if fault.failure is Failure.TOO_LONG:
            self._shorten(decision, asking, fault)
            return
        if fault.failure in (Failure.TRUNCATED, Failure.EMPTY):
            asking.max_output = min(2 * asking.max_output, MOST_OUTPUT * self._max_output, self._most_output(asking))
        why = "" if fault.problem is None else self._lines.why(fault.problem)
        shown = bool(fault.echo.strip()) and fault.failure in ECHOED and self._level != "compact"
        second = self._prompter.retry(fault.failure, why, asking.sheet, again=shown)
        if shown:
            asking.answered(fault.echo, second)
        else:
            asking.unanswered(second)

    def _shorten(self, decision: Decision[Any], asking: Asking, fault: Unusable) -> None:
        """Goes on to the next level at which there is less to read; what did not fit is not sent again."""
        before = self._prompter.system(self._level, asking.sheet.key), asking.turns(self._past)
        asking.restart()
        while (shorter := next_level(self._level)) is not None:
            self._level = shorter
            asking.text = self._text(decision, asking, None)
            system, turns = self._prompter.system(self._level, asking.sheet.key), asking.turns(self._past)
            if size(system, turns) < size(*before):
                return
        raise NoAnswer(self._named(fault, asking))

    def _most_output(self, asking: Asking) -> int:
        """What the context leaves for a reply."""
        system = self._prompter.system(self._level, asking.sheet.key)
        return max(self._max_output, self._context - size(system, asking.turns(self._past)))
