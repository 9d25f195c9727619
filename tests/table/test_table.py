"""The table: whatever one player does, the others play on and the log says what happened."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable, Generator, Mapping
from typing import Any

import pytest

from diplomat.agents.base import Agent
from diplomat.core.audience import PUBLIC, Seat, only
from diplomat.core.errors import RulesFault
from diplomat.core.events import Event
from diplomat.core.game import Decision, Reply
from diplomat.core.menus import Problem
from diplomat.core.pledges import Goal, Plan, Pledge
from diplomat.core.proceedings import (
    AnswerGiven,
    AnswerRefused,
    Defaulted,
    DefaultExplained,
    GameOpened,
    MessageReturned,
    MessageSent,
    NoteReturned,
    NoteSealed,
    PlanReturned,
    PlanSealed,
    PledgeReturned,
)
from diplomat.core.requests import Question
from diplomat.core.talk import Message
from diplomat.games import find
from diplomat.table.seating import seats_of
from diplomat.table.table import Table, finish, run
from diplomat.testing.agents import Chatty, Raising, Scripted, Sleeping, silent
from diplomat.testing.folding import played
from diplomat.testing.masquerade import game
from diplomat.testing.masquerade.events import SeatAnswered, SeatHushed
from diplomat.testing.walk import AnyReferee, seated

S1, S2, S3, S4 = SEATS = seats_of(4)


def table_of(first: Agent, **options: Any) -> AnyReferee:
    """A whole game in which one player is odd and three are silent."""
    agents: dict[Seat, Agent] = {seat: Scripted(silent) for seat in SEATS}
    return played(game, 4, options.pop("seed", "7"), {**agents, S1: first}, **options)


def of(referee: AnyReferee, *kinds: type[Event]) -> list[Any]:
    return [event for event in referee.log if isinstance(event, kinds)]


def _illegal(decision: Decision[Any]) -> Reply:
    return Reply({"no": "such"})


class _Forgotten:
    """An agent whose ``decide`` forgot to be a coroutine."""

    instant = True

    def decide(self, decision: Decision[Any]) -> Reply:
        return Reply(decision.question.default)


class _Cancelled:
    """An agent whose own work was cancelled."""

    def __init__(self, *, instant: bool = False) -> None:
        self.instant = instant

    async def decide(self, decision: Decision[Any]) -> Reply:
        raise asyncio.CancelledError


FAILING: Mapping[str, tuple[Callable[[], Any], str, str]] = {
    "raises": (lambda: Raising(RuntimeError("out of\nmoney")), "agent_failed", "RuntimeError: out of money"),
    "raises a timeout of its own": (lambda: Raising(TimeoutError("socket")), "agent_failed", "TimeoutError: socket"),
    "returns nothing": (lambda: Scripted(lambda _: None), "agent_failed", "NoneType instead of a reply"),
    "returns text": (lambda: Scripted(lambda _: "pass"), "agent_failed", "str instead of a reply"),
    "answers with an object": (lambda: Scripted(lambda _: Reply(object())), "agent_failed", "object cannot be"),
    "answers with no number": (lambda: Scripted(lambda _: Reply(float("nan"))), "agent_failed", "JSON"),
    "says no words": (lambda: Scripted(lambda _: Reply({}, say=(1,))), "agent_failed", "say.0"),  # type: ignore[arg-type]
    "is no coroutine": (_Forgotten, "agent_failed", "TypeError"),
    "is cancelled": (_Cancelled, "agent_failed", "CancelledError"),
    "is cancelled without waiting": (lambda: _Cancelled(instant=True), "agent_failed", "CancelledError"),
    "answers illegally": (lambda: Scripted(_illegal), "tries_used_up", "3 answers"),
}


@pytest.mark.parametrize("name", FAILING)
@pytest.mark.parametrize("deadline", [None, 60.0])
def test_a_failing_player_gets_the_default_and_the_others_play_on(name: str, deadline: float | None) -> None:
    make, code, why = FAILING[name]
    referee = table_of(make(), deadline=deadline)
    assert referee.outcome() is not None
    asked = [event.request for event in of(referee, AnswerGiven) if event.seat == S1]
    defaulted = of(referee, Defaulted)
    assert {event.seat for event in defaulted} == {S1}
    assert all(event.audience() == PUBLIC for event in defaulted)
    assert [event.request for event in defaulted] == asked
    for event in of(referee, DefaultExplained):
        assert event.audience() == only("s1")
        assert event.problem.code == code
        assert why in str(event.problem)
    assert len(of(referee, DefaultExplained)) == len(defaulted)


def test_the_default_is_what_is_applied() -> None:
    referee = table_of(Raising(RuntimeError()))
    given = {event.request: event.answer for event in of(referee, AnswerGiven) if event.seat == S1}
    defaults = {"talk.s1": {}, "orders.s1": {"act": "rest"}, "react.s1": {"act": "pass"}, "vote.s1": {"for": "nobody"}}
    assert {"talk.s1", "orders.s1"} <= given.keys()
    assert given.items() <= defaults.items()


def test_three_illegal_answers_are_three_tries_with_the_reason_each_time() -> None:
    agent = Scripted(_illegal)
    referee = table_of(agent)
    first = [decision for decision in agent.decisions if decision.request.id == "talk.s1"]
    assert [decision.problem and decision.problem.code for decision in first] == [None, "not_empty", "not_empty"]
    assert [len(decision.news) > 0 for decision in first] == [True, False, False]
    refused = [event for event in of(referee, AnswerRefused) if event.request == "talk.s1"]
    assert [event.answer for event in refused] == [{"no": "such"}] * 3
    assert all(event.audience() == only("s1") for event in refused)


def test_a_second_try_may_be_right() -> None:
    def learning(decision: Decision[Any]) -> Reply:
        return silent(decision) if decision.problem else Reply("nonsense")

    referee = table_of(Scripted(learning))
    assert not of(referee, Defaulted)
    assert len(of(referee, AnswerRefused)) == len({e.request for e in of(referee, AnswerRefused)}) > 0


def test_tries_can_be_set() -> None:
    agent = Scripted(_illegal)
    table_of(agent, tries=1)
    assert len({decision.request.id for decision in agent.decisions}) == len(agent.decisions)


def test_a_slow_player_is_defaulted_and_the_others_are_not() -> None:
    referee = table_of(Sleeping(), deadline=0.01)
    reasons = of(referee, DefaultExplained)
    assert {event.seat for event in reasons} == {S1}
    assert {event.problem.code for event in reasons} == {"out_of_time"}
    assert str(reasons[0].problem) == "no answer came within 0.01 s"
    assert len([e for e in of(referee, AnswerGiven) if e.seat == S2]) >= 3


def test_a_player_that_fails_late_is_not_called_slow() -> None:
    referee = table_of(Raising(TimeoutError("its own")), deadline=60.0)
    assert {event.problem.code for event in of(referee, DefaultExplained)} == {"agent_failed"}


def test_cancelling_the_table_is_not_taken_for_a_failing_player() -> None:
    async def cancelled() -> None:
        agents: dict[Seat, Agent] = {seat: Sleeping() for seat in SEATS}
        task = asyncio.create_task(Table(seated(game, 4, "7"), agents).play())
        await asyncio.sleep(0.01)
        task.cancel()
        await task

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(cancelled())


def test_questions_with_one_answer_are_not_asked_but_talk_is() -> None:
    agents = {seat: Scripted(silent) for seat in SEATS}
    referee = played(game, 4, "7", agents)
    by_character = {referee.state.characters[seat]: agent for seat, agent in agents.items()}
    asked = {name: [d.request.form for d in agent.decisions] for name, agent in by_character.items()}
    assert "react" not in asked["spy"] + asked["guard"]
    assert asked["herald"].count("react") == 1
    assert all(forms[0] == "talk" for forms in asked.values())
    assert not of(referee, Defaulted)


def test_no_news_is_lost_with_a_question_that_is_not_asked() -> None:
    agents = {seat: Scripted(silent) for seat in SEATS}
    referee = played(game, 4, "7", agents)
    for seat, agent in agents.items():
        news = [event for decision in agent.decisions for event in decision.news]
        assert news == list(referee.seen(seat))[: len(news)]
        assert len(news) > 5


def test_messages_arrive_with_the_next_question() -> None:
    def telling(decision: Decision[Any]) -> Reply:
        say = (Message(("s2",), "hello"),) if decision.request.form == "talk" else ()
        return Reply(silent(decision).answer, say)

    other = Scripted(silent)
    agents: dict[Seat, Agent] = {seat: Scripted(silent) for seat in SEATS}
    referee = played(game, 4, "7", {**agents, S1: Scripted(telling), S2: other})
    (message,) = of(referee, MessageSent)
    heard = [decision.request.id for decision in other.decisions if message in decision.news]
    assert heard == ["orders.s2"]
    assert other.decisions[1].known.talk == (message,)
    assert message not in referee.seen(S3)


def test_ids_and_counts_do_not_tell_outsiders_of_private_messages() -> None:
    def whispering(number: int) -> Callable[[Decision[Any]], Reply]:
        def reply(decision: Decision[Any]) -> Reply:
            secret = tuple(Message(("s2",), f"{n}") for n in range(number) if decision.request.form == "talk")
            aloud = (Message(("all",), "hi"),) if decision.request.form == "orders" else ()
            return Reply(decision.question.default, secret + aloud)

        return reply

    seen = [table_of(Scripted(whispering(number))).seen(S3) for number in (0, 2)]
    assert seen[0] == seen[1]
    assert any(isinstance(event, MessageSent) for event in seen[0])


def test_plan_and_note_are_sealed_with_the_ids_of_what_was_said() -> None:
    def planning(decision: Decision[Any]) -> Reply:
        say = (Message(("s2",), "hello"), Message(("s9",), "lost"))
        return Reply(decision.question.default, say, Plan(text="mean"), "note")

    referee = table_of(Scripted(planning))
    plan, note = of(referee, PlanSealed)[0], of(referee, NoteSealed)[0]
    assert plan == PlanSealed(S1, "talk.s1", Plan(text="mean"), ("s1>s2.1",))
    assert (note.text, note.audience(), plan.audience()) == ("note", only("s1"), only("s1"))
    kinds = [type(event) for event in referee.log if getattr(event, "sender", getattr(event, "seat", None)) == S1]
    start = kinds.index(MessageSent)
    wanted = [MessageSent, MessageReturned, PlanSealed, NoteSealed, AnswerGiven, SeatAnswered]
    assert kinds[start : start + 6] == wanted


def test_a_note_that_is_too_long_comes_back_and_costs_nothing_else() -> None:
    referee = table_of(Scripted(lambda d: Reply(d.question.default, note="x" * 2001)))
    back = of(referee, NoteReturned)[0]
    assert (back.problem.code, back.problem.facts) == ("note_too_long", {"length": "2001", "limit": "2000"})
    assert back.audience() == only("s1")
    assert not of(referee, NoteSealed, Defaulted)


def test_a_plan_that_is_too_long_comes_back_without_its_goals_and_costs_nothing_else() -> None:
    goals = (Goal("watch", S1, 1, 1),)
    for length, kept in ((2000, "x" * 2000), (2001, "")):
        referee = table_of(Scripted(_planning(Plan(goals, {"m": "no"}, "x" * length))))
        sealed, back = of(referee, PlanSealed)[0], of(referee, PlanReturned)
        assert (sealed.plan.goals, sealed.plan.keep, sealed.plan.text) == (goals, {"m": "no"}, kept)
        assert bool(back) == (length > 2000)
        for event in back:
            assert event.problem == Problem("plan_too_long", {"length": "2001", "limit": "2000"})
            assert event.audience() == only("s1")
        assert not of(referee, Defaulted)


def _planning(plan: Plan) -> Callable[[Decision[Any]], Reply]:
    return lambda decision: Reply(decision.question.default, plan=plan)


def _ringing(decision: Decision[Any]) -> Reply:
    """Rings the bell if it can, speaks at every question."""
    bell = "bell" in str(decision.question.menu.schema())
    answer = {"act": "bell"} if bell else decision.question.default
    return Reply(answer, (Message(("all",), f"at {decision.request.id}"),))


def _seed_with(character: str, seat: Seat, before: bool) -> str:
    """A seed that gives a seat the character, and the herald a seat behind (or before) it."""
    for number in range(500):
        referee = seated(game, 4, f"{number}")
        referee.begin()
        who = {name: s for s, name in referee.state.characters.items()}
        if who[character] == seat and (who["herald"] > seat) == before:
            return f"{number}"
    raise AssertionError("no such seed")


def test_a_question_that_another_answer_closed_gives_everything_back() -> None:
    seed = _seed_with("host", S1, before=True)
    referee = played(game, 4, seed, {seat: Scripted(_ringing) for seat in SEATS})
    herald = next(seat for seat, name in referee.state.characters.items() if name == "herald")
    late = [event for event in of(referee, AnswerRefused) if event.seat == herald]
    assert [(event.request, event.problem.code) for event in late] == [(f"react.{herald}", "stale")]
    back = [event for event in of(referee, MessageReturned) if event.sender == herald]
    assert [(event.text, event.problem.code) for event in back] == [(f"at react.{herald}", "stale")]
    assert f"react.{herald}" not in [event.request for event in of(referee, AnswerGiven)]
    assert not of(referee, Defaulted)


def _chatting(decision: Decision[Any]) -> Reply:
    """Like :func:`_ringing`, with more messages than are looked at."""
    rung = _ringing(decision)
    return Reply(rung.answer, rung.say * 30)


def test_of_a_late_flood_of_messages_all_are_accounted_for() -> None:
    seed = _seed_with("host", S1, before=True)
    referee = played(game, 4, seed, {seat: Scripted(_chatting) for seat in SEATS})
    herald = next(seat for seat, name in referee.state.characters.items() if name == "herald")
    late = f"at react.{herald}"
    back = [e.problem for e in of(referee, MessageReturned) if e.sender == herald and e.text == late]
    assert [problem.code for problem in back] == ["stale"] * 20 + ["messages_left_out"]
    assert back[-1].facts == {"limit": "20", "count": "10"}


def test_a_failing_player_behind_a_closed_question_is_not_defaulted() -> None:
    seed = _seed_with("host", S1, before=True)
    agents: dict[Seat, Agent] = {seat: Raising(RuntimeError()) for seat in SEATS}
    referee = played(game, 4, seed, {**agents, S1: Scripted(_ringing)})
    assert not [event for event in of(referee, Defaulted) if event.request.startswith("react")]


def test_words_count_as_they_were_allowed_when_the_question_was_asked() -> None:
    def hushing(decision: Decision[Any]) -> Reply:
        answer = decision.question.default
        if "hush" in str(decision.question.menu.schema()):
            target = "s4" if decision.request.seat != "s4" else "s3"
            answer = {"act": "hush", "target": target}
        return Reply(answer, (Message(("all",), f"at {decision.request.id}"),))

    agents = {seat: Scripted(hushing) for seat in SEATS}
    referee = played(game, 4, "7", agents)
    (hushed,) = of(referee, SeatHushed)
    spoken = [event.text for event in of(referee, MessageSent) if event.sender == hushed.seat]
    lost = [event.text for event in of(referee, MessageReturned) if event.sender == hushed.seat]
    assert f"at orders.{hushed.seat}" in spoken
    assert lost == [f"at vote.{hushed.seat}"]


def test_the_end_is_opened_to_everyone() -> None:
    referee = table_of(Scripted(silent))
    last = referee.log[-1]
    assert isinstance(last, GameOpened)
    assert last.audience() == PUBLIC
    outcome = referee.outcome()
    assert outcome is not None
    assert (last.winners, dict(last.scores)) == (outcome.winners, dict(outcome.scores))


def test_dice_of_a_player_are_its_own_and_do_not_give_away_the_seed() -> None:
    agents = {seat: Scripted(silent) for seat in SEATS}
    played(game, 4, "very secret", agents)
    seeds = {agent.decisions[0].dice.seed for agent in agents.values()}
    assert len(seeds) == 4
    assert not any("secret" in seed for seed in seeds)


def test_every_seat_needs_a_player() -> None:
    with pytest.raises(ValueError, match="no agent for s2, s3, s4"):
        Table(seated(game, 4, "7"), {S1: Chatty()})


def test_a_table_without_waiting_needs_no_event_loop() -> None:
    assert Table(seated(game, 4, "7"), {seat: Chatty() for seat in SEATS}).instant
    assert not Table(seated(game, 4, "7"), {seat: Chatty() for seat in SEATS}, deadline=1.0).instant
    assert not Table(seated(game, 4, "7"), {seat: Sleeping() for seat in SEATS}).instant


def test_work_that_waits_cannot_be_finished_without_an_event_loop() -> None:
    class Waiting:
        def __await__(self) -> Generator[None, None, None]:
            yield

    async def wait() -> None:
        await Waiting()

    with pytest.raises(RuntimeError, match="event loop"):
        finish(wait())


def test_a_default_that_is_not_legal_is_the_games_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    question = type(game.side).question

    def bad(self: Any, known: Any, request: Any) -> Question:
        return Question(request, question(self, known, request).menu, {"bad": 1})

    monkeypatch.setattr(type(game.side), "question", bad)
    with pytest.raises(RulesFault, match=r"default of talk\.s1 is not legal"):
        table_of(Raising(RuntimeError()))


def test_a_game_that_stops_asking_without_an_outcome_is_at_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    referee = seated(game, 4, "7")
    table = Table(referee, {seat: Chatty() for seat in SEATS})
    monkeypatch.setattr(referee, "open", lambda: ())
    with pytest.raises(RulesFault, match="without an outcome"):
        finish(table.play())


def test_a_whole_game_of_failing_players_ends() -> None:
    agents: dict[Seat, Agent] = {seat: Raising(RuntimeError()) for seat in seats_of(2)}
    referee = played(find("rokugan"), 2, "7", agents, settings={"rounds": 1})
    assert referee.outcome() is not None
    assert of(referee, Defaulted)


class _Mute(Exception):
    """An exception that has no words."""

    def __str__(self) -> str:
        raise RuntimeError("none")


class _Waiting:
    """An agent that says that it never waits, and does."""

    instant = True

    async def decide(self, _: Decision[Any]) -> Reply:
        await asyncio.sleep(0)
        raise AssertionError("nobody goes on with it")


class _Suicidal:
    """An agent that has the task cancelled in which it is asked."""

    instant = False

    async def decide(self, _: Decision[Any]) -> Reply:
        task = asyncio.current_task()
        assert task is not None
        task.cancel()
        await asyncio.sleep(1)
        raise AssertionError("cancelled before")


STOPPING: Mapping[str, tuple[Callable[[], Any], str]] = {
    "has no words": (lambda: Raising(_Mute()), "does not say why"),
    "exits": (lambda: Raising(SystemExit(3)), "SystemExit: 3"),
    "closes": (lambda: Raising(GeneratorExit()), "GeneratorExit"),
    "raises a group": (lambda: Raising(BaseExceptionGroup("two", [SystemExit(1)])), "BaseExceptionGroup: two"),
    "raises what it likes": (lambda: Raising(BaseException("own")), "BaseException: own"),
    "cancels its task": (_Suicidal, "CancelledError"),
}


@pytest.mark.parametrize("name", STOPPING)
@pytest.mark.parametrize("deadline", [None, 60.0])
def test_no_exception_of_a_player_stops_the_table(name: str, deadline: float | None) -> None:
    make, why = STOPPING[name]
    reasons = of(table_of(make(), deadline=deadline), DefaultExplained)
    assert {event.seat for event in reasons} == {S1}
    assert all(why in str(event.problem) for event in reasons)


def test_a_player_that_waits_against_its_word_is_defaulted() -> None:
    reasons = of(table_of(_Waiting()), DefaultExplained)
    assert {event.seat for event in reasons} == {S1}
    assert "said that it never does" in str(reasons[0].problem)


@pytest.mark.parametrize("deadline", [None, 60.0])
def test_an_interrupt_stops_the_program(deadline: float | None) -> None:
    with pytest.raises(KeyboardInterrupt):
        table_of(Raising(KeyboardInterrupt()), deadline=deadline)


class _Deaf:
    """An agent that never stops, whoever asks it to."""

    instant = False

    async def decide(self, _: Decision[Any]) -> Reply:
        while True:
            try:
                await asyncio.sleep(3600)
            except asyncio.CancelledError:
                continue


def test_the_deadline_binds_a_player_that_will_not_be_cancelled(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("diplomat.table.table.PARTING", 0.01)
    referee = table_of(_Deaf(), deadline=0.01)
    assert {event.problem.code for event in of(referee, DefaultExplained)} == {"out_of_time"}
    assert {event.seat for event in of(referee, Defaulted)} == {S1}
    gc.collect()
    assert not caplog.records


def _spoiling(thing: Any, seen: set[int]) -> None:
    """Empties every dict and list that can be reached."""
    if id(thing) in seen or isinstance(thing, (str, int, type)):
        return
    seen.add(id(thing))
    if isinstance(thing, (dict, list)):
        for inner in list(thing.values() if isinstance(thing, dict) else thing):
            _spoiling(inner, seen)
        thing.clear()
    elif isinstance(thing, (tuple, frozenset)):
        for inner in thing:
            _spoiling(inner, seen)
    elif hasattr(type(thing), "__dataclass_fields__"):
        for name in type(thing).__dataclass_fields__:
            _spoiling(getattr(thing, name), seen)


class _Spoiler:
    """An agent that empties everything it is given, then fails."""

    instant = True

    async def decide(self, decision: Decision[Any]) -> Reply:
        _spoiling((decision.question, decision.known, decision.news), set())
        raise RuntimeError("spoilt")


def test_nothing_that_a_player_does_to_what_it_was_given_matters() -> None:
    silently: dict[Seat, Agent] = {seat: Scripted(silent) for seat in seats_of(2)}
    logs = [
        played(find("rokugan"), 2, "7", {**silently, S1: first}, settings={"rounds": 1}).log
        for first in (Raising(RuntimeError("spoilt")), _Spoiler())
    ]
    assert logs[0] == logs[1]


def test_players_of_the_game_itself_are_handed_no_copies() -> None:
    class Trusted(Scripted):
        trusted = True

    ours, others = Trusted(silent), Scripted(silent)
    referee = seated(game, 4, "7")
    agents: dict[Seat, Agent] = {S1: ours, S2: others, S3: Scripted(silent), S4: Scripted(silent)}
    finish(Table(referee, agents).play())
    log = {id(event) for event in referee.log}
    assert {id(event) in log for decision in ours.decisions for event in decision.news} == {True}
    assert {id(event) in log for decision in others.decisions for event in decision.news} == {False}


def _flooding(decision: Decision[Any]) -> Reply:
    """Far too many messages, each with far too many promises."""
    if decision.request.form != "talk":
        return silent(decision)
    pledges = (Pledge("promise", (Goal("no such verb", decision.request.seat, 1, 1),)),) * 1000
    empty = (Message(("all",), ""),) * 19
    return Reply(silent(decision).answer, (*empty, *(Message(("all",), f"{n}", pledges) for n in range(1000))))


def test_what_one_reply_may_write_has_an_end() -> None:
    referee = table_of(Scripted(_flooding))
    back = of(referee, MessageReturned)
    assert [event.problem.code for event in back] == ["empty_message"] * 19 + ["messages_left_out"]
    assert (back[-1].text, back[-1].problem.facts, back[-1].audience()) == (
        "1",
        {"limit": "20", "count": "999"},
        only("s1"),
    )
    assert [event.text for event in of(referee, MessageSent)] == ["0"]
    pledges = of(referee, PledgeReturned)
    assert [event.problem.code for event in pledges] == ["bad_pledge"] * 12 + ["pledges_left_out"]
    assert pledges[-1].problem.facts == {"limit": "12", "count": "988"}
    assert not of(referee, Defaulted)


def test_a_second_ctrl_c_while_the_game_ends_is_a_ctrl_c_and_no_fault() -> None:
    """It may come after the game is over and before its event loop has noticed."""
    left: list[asyncio.Task[None]] = []

    def interrupted() -> None:
        raise KeyboardInterrupt

    async def game_that_ends() -> None:
        left.append(asyncio.create_task(asyncio.sleep(60)))
        asyncio.get_running_loop().call_soon(interrupted)

    with pytest.raises(KeyboardInterrupt):
        run(game_that_ends())
    assert left[0].cancelled()
