# ruff: noqa: N999 (the file is named after the chapter of the rules)
"""House H13: talk."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from diplomat.core.audience import Seat
from diplomat.core.events import Event
from diplomat.core.game import Decision, Reply
from diplomat.core.pledges import Goal, Plan, Pledge
from diplomat.core.proceedings import (
    AnswerGiven,
    GameOpened,
    MessageReturned,
    MessageSent,
    NoteSealed,
    PlanSealed,
    SeedSealed,
)
from diplomat.core.talk import Message
from diplomat.games.rokugan import game
from diplomat.games.rokugan.events import RoundBegan, TalkTurnTaken, TokensTurnedUp, TurnedUp
from diplomat.games.rokugan.knowledge import Known
from diplomat.games.rokugan.rules import State
from diplomat.games.rokugan.settings import Settings
from diplomat.table.referee import Referee
from diplomat.table.table import Table, finish

from .kit import SIDE, A, B, C, Play

Words = Callable[[Decision[Known]], tuple[Message, ...]]
CLANS = {"s1": "dragon", "s2": "crane", "s3": "crab"}
"""Dragon always has a choice in preparation; a question with one legal answer is not asked."""


def silence(decision: Decision[Known]) -> tuple[Message, ...]:
    """Says nothing."""
    return ()


def at(form: str, *messages: Message, number: int = 0) -> Words:
    """Says these words at the first question of that kind in that round."""
    said: list[str] = []

    def say(decision: Decision[Known]) -> tuple[Message, ...]:
        if said or decision.request.form != form or decision.known.board.round < number:
            return ()
        said.append(decision.request.id)
        return messages

    return say


class Speaker:
    """Moves by chance, says what it is told to, and remembers what it was shown."""

    instant = True

    def __init__(self, words: Words = silence, note: str | None = None, plan: Plan | None = None) -> None:
        self.words, self.note, self.plan = words, note, plan
        self.decisions: list[Decision[Known]] = []

    async def decide(self, decision: Decision[Known]) -> Reply:
        self.decisions.append(decision)
        answer = decision.question.menu.sample(decision.die("answer"))
        return Reply(answer, self.words(decision), self.plan, self.note)

    def heard(self, form: str) -> list[tuple[str, ...]]:
        """The texts it knew of at each question of that kind."""
        asked = [decision for decision in self.decisions if decision.request.form == form]
        return [tuple(message.text for message in decision.known.talk) for decision in asked]


def played(speakers: Mapping[Seat, Speaker], **settings: int) -> Referee[State, Known]:
    """A whole game of Dragon, Crane and Crab with these speakers; who is not named is silent."""
    chosen = Settings.model_validate({"rounds": 1, "clans": CLANS, **settings})
    referee: Referee[State, Known] = Referee(game, chosen, (A, B, C), "talk")
    table = Table(referee, {seat: speakers.get(seat, Speaker()) for seat in (A, B, C)})
    finish(table.play())
    return referee


def sent(events: tuple[Event, ...] | list[Event]) -> list[MessageSent]:
    """The messages among the events."""
    return [event for event in events if isinstance(event, MessageSent)]


HELLO = Message(("all",), "hello, everybody")
PSST = Message((str(B),), "let us divide the Crab lands")


# --- H13.1 -------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["settle", "talk", "prepare", "place"])
def test_H13_1_talk_is_free_at_any_time_of_the_game(form: str) -> None:
    play = Play("lion", "crane", "crab", talk_waves=1).until(form)
    for request in play.referee.open():
        window = SIDE.talk(play.referee.known(request.seat), request)
        assert set(window.reach) == {A, B, C} - {request.seat}
        assert window.public
        assert window.messages > 0


@pytest.mark.parametrize("form", ["settle", "talk", "prepare", "place"])
def test_H13_1_to_the_whole_table(form: str) -> None:
    referee = played({A: Speaker(at(form, HELLO))})
    for seat in (A, B, C, None):
        assert [message.text for message in sent(referee.seen(seat))] == [HELLO.text]


@pytest.mark.parametrize("form", ["settle", "talk", "prepare", "place"])
def test_H13_1_or_privately_to_one_player(form: str) -> None:
    referee = played({A: Speaker(at(form, PSST))})
    for seat in (A, B):
        assert [message.text for message in sent(referee.seen(seat))] == [PSST.text]
    for outsider in (C, None):
        assert sent(referee.seen(outsider)) == []


def test_H13_1_a_third_player_never_learns_of_it() -> None:
    whispers = {
        A: Speaker(lambda _: (PSST,), note="Crane believes me"),
        B: Speaker(lambda _: (Message((str(A),), "agreed"),)),
    }
    silent, whispering = played({}, rounds=2), played(whispers, rounds=2)
    assert len(sent(whispering.log)) > 20
    for outsider in (C, None):
        assert whispering.seen(outsider) == silent.seen(outsider)
        assert whispering.known(outsider) == silent.known(outsider)


def test_H13_1_agents_hear_what_a_person_in_their_place_would_hear() -> None:
    speakers = {A: Speaker(at("talk", HELLO, PSST)), B: Speaker(), C: Speaker()}
    played(speakers, talk_waves=2)
    assert speakers[B].heard("talk")[1] == (HELLO.text, PSST.text)
    assert speakers[C].heard("talk")[1] == (HELLO.text,)
    for seat in (A, B):
        assert all(heard == (HELLO.text, PSST.text) for heard in speakers[seat].heard("place"))
    assert all(heard == (HELLO.text,) for heard in speakers[C].heard("place"))


def test_H13_1_they_answer() -> None:
    def reply(decision: Decision[Known]) -> tuple[Message, ...]:
        known = decision.known.talk
        return (Message((known[-1].sender,), "agreed"),) if len(known) == 1 else ()

    referee = played({A: Speaker(at("talk", PSST)), B: Speaker(reply)})
    assert [(m.sender, m.to, m.text) for m in sent(referee.seen(A))] == [(A, (B,), PSST.text), (B, (A,), "agreed")]
    assert sent(referee.seen(C)) == []


def test_H13_1_they_may_speak_first_at_the_start_of_every_round() -> None:
    play = Play("lion", "crane", "crab", talk_waves=1)
    for number in (1, 2, 3, 4, 5):
        play.until("talk", number)
        assert {request.seat for request in play.referee.open()} == {A, B, C}
        last = play.of(RoundBegan)[-1]
        later = [event for event in play.log[play.log.index(last) :] if isinstance(event, AnswerGiven)]
        assert (last.round, later) == (number, []), "before anything else is asked in the round"
        for _ in range(3):
            play.step()
        assert {request.form for request in play.referee.open()} == {"prepare"}


@pytest.mark.parametrize("waves", [0, 1, 2, 3])
def test_H13_1_so_many_turns_to_talk_as_are_set(waves: int) -> None:
    turns = Play("lion", "crane", talk_waves=waves).finish().of(TalkTurnTaken)
    assert len(turns) == 5 * 2 * waves


def test_H13_1_agreements_can_be_weighed_when_they_move() -> None:
    peace = Goal("not_attack", A, 1, 1, {"target": str(B)})
    word = Message((str(B),), "I shall not attack you", (Pledge("promise", (peace,)),))
    crane = Speaker()
    played({A: Speaker(at("talk", word)), B: crane})
    placing = [decision for decision in crane.decisions if decision.request.form == "place"]
    assert placing
    for decision in placing:
        assert [pledge.goals for message in decision.known.talk for pledge in message.pledges] == [(peace,)]


@pytest.mark.parametrize(
    ("message", "why"),
    [
        (Message(("s7",), "psst"), "unknown_recipient"),
        (Message(("Crane",), "psst"), "unknown_recipient"),
        (Message((str(A),), "psst"), "to_oneself"),
        (Message((), "psst"), "no_recipient"),
        (Message(("all", str(B)), "psst"), "everyone_and_some"),
        (Message((str(B),), "  \n"), "empty_message"),
        (Message((str(B),), "x" * 601), "message_too_long"),
    ],
)
def test_H13_1_what_cannot_be_delivered_goes_back_and_is_never_widened(message: Message, why: str) -> None:
    referee = played({A: Speaker(at("talk", message))})
    (returned,) = (event for event in referee.log if isinstance(event, MessageReturned))
    assert (returned.problem.code, returned.sender) == (why, A)
    assert [seat for seat in (A, B, C, None) if returned.audience().includes(seat)] == [A]
    assert sent(referee.log) == []


def test_H13_1_in_measured_amounts() -> None:
    referee = played({A: Speaker(at("talk", *[PSST] * 5))}, messages=3)
    assert len(sent(referee.log)) == 3
    back = [event.problem.code for event in referee.log if isinstance(event, MessageReturned)]
    assert back == ["too_many_messages"] * 2


def test_H13_1_a_table_may_play_without_talk() -> None:
    referee = played({A: Speaker(at("place", HELLO))}, talk_waves=0)
    assert [event.problem.code for event in referee.log if isinstance(event, MessageReturned)] == ["talk_closed"]
    assert sent(referee.log) == []


# --- H13.2 -------------------------------------------------------------------------------------


def test_H13_2_no_promise_is_checked_and_no_breach_punished() -> None:
    peace = tuple(Goal("not_attack", A, 1, 5, {"target": str(seat)}) for seat in (B, C))
    promise = Message(("all",), "I attack nobody", (Pledge("promise", peace),))
    silent = played({}, rounds=5)
    promising = played({A: Speaker(lambda _: (promise,))}, rounds=5)
    assert sent(promising.log)[0].pledges == promise.pledges
    rest = [event for event in promising.log if not isinstance(event, MessageSent)]
    assert rest == [event for event in silent.log if not isinstance(event, MessageSent)]
    assert promising.outcome() == silent.outcome()
    assert any(attack.seat == A for attack in attacks(promising)), "the promise was broken"


def attacks(referee: Referee[State, Known]) -> list[TurnedUp]:
    """All fighters turned up on borders and coasts."""
    turned = [event for event in referee.log if isinstance(event, TokensTurnedUp)]
    return [token for event in turned for token in event.tokens if ">" in token.place and token.face != "bluff"]


def test_H13_2_the_menu_is_the_same_whatever_was_promised() -> None:
    peace = Goal("not_attack", A, 1, 1, {"target": str(B)})
    promise = Message(("all",), "I do not attack Crane", (Pledge("promise", (peace,)),))
    bound, free = Speaker(at("talk", promise)), Speaker()
    played({A: bound})
    played({A: free})
    menus = [[decision.question.menu.schema() for decision in one.decisions] for one in (bound, free)]
    assert menus[0] == menus[1]


# --- H13.3 -------------------------------------------------------------------------------------


def test_H13_3_after_the_game_the_whole_log_is_opened() -> None:
    referee = played({A: Speaker(at("talk", PSST))})
    opened = referee.log[-1]
    assert isinstance(opened, GameOpened)
    assert all(opened.audience().includes(seat) for seat in (A, B, C, None))
    outcome = referee.outcome()
    assert outcome is not None
    assert (opened.winners, opened.scores) == (outcome.winners, outcome.scores)
    assert [event for event in referee.log if isinstance(event, GameOpened)] == [opened]


def test_H13_3_private_messages_plans_notes_and_the_seed_included() -> None:
    plan = Plan(text="take Doji first")
    heard: list[Event] = []
    chosen = Settings.model_validate({"rounds": 1, "clans": CLANS})
    referee: Referee[State, Known] = Referee(game, chosen, (A, B, C), "talk")
    referee.listen(lambda _, event: heard.append(event))
    liar = Speaker(at("talk", PSST), note="Crane believes me", plan=plan)
    finish(Table(referee, {A: liar, B: Speaker(), C: Speaker()}).play())
    assert heard == referee.log
    assert PSST.text in [message.text for message in sent(heard)]
    assert "Crane believes me" in [event.text for event in heard if isinstance(event, NoteSealed)]
    assert plan in [event.plan for event in heard if isinstance(event, PlanSealed)]
    assert [event.seed for event in heard if isinstance(event, SeedSealed)] == ["talk"]


def test_H13_3_nothing_of_it_is_open_before_the_end() -> None:
    liar = Speaker(at("talk", PSST), note="Crane believes me", plan=Plan(text="take Doji first"))
    referee = played({A: liar})
    private = [event for event in referee.log if isinstance(event, (NoteSealed, PlanSealed, SeedSealed))]
    assert private
    for outsider in (B, C, None):
        assert not set(map(id, private)) & set(map(id, referee.seen(outsider)))
