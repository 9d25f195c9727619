"""The parley delivers words exactly, or returns them whole; it never widens a message."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from diplomat.core.audience import Seat, only
from diplomat.core.events import Event
from diplomat.core.menus import Problem
from diplomat.core.pledges import Goal, Pledge
from diplomat.core.proceedings import MessageReturned, MessageSent, PledgeReturned
from diplomat.core.talk import CLOSED, Message, TalkWindow
from diplomat.core.texts import LANGUAGES, core_texts
from diplomat.table.parley import Parley
from diplomat.table.surplus import messages_left_out, pledges_left_out
from diplomat.testing.masquerade.side import MasqueradePledges

S1, S2, S3 = SEATS = (Seat("s1"), Seat("s2"), Seat("s3"))
WINDOW = TalkWindow((S2, S3), messages=2, length=20)
GOOD = Pledge("promise", (Goal("spare", S1, 1, 1, {"target": "s2"}),))
BAD = Pledge("promise", (Goal("spare", S2, 1, 1, {"target": "s2"}),))


def said(parley: Parley, sender: Seat, *messages: Message, window: TalkWindow = WINDOW) -> list[Event]:
    """The events, heard by the parley as the table has it."""
    events: list[Event] = []
    for event in parley.carry(sender, messages, window):
        parley.hear(event)
        events.append(event)
    return events


@pytest.fixture
def parley() -> Parley:
    return Parley(MasqueradePledges(), SEATS)


def test_a_message_goes_to_its_room(parley: Parley) -> None:
    (event,) = said(parley, S1, Message(("s3", "s2", "s3"), "  hi\n\nthere "))
    assert event == MessageSent("s1>s2+s3.1", S1, ("s3", "s2"), "hi\n\nthere")
    assert event.audience() == only("s1", "s2", "s3")


@pytest.mark.parametrize(
    ("to", "text", "code"),
    [
        (("s22",), "hi", "unknown_recipient"),
        (("s2", "s22"), "hi", "unknown_recipient"),
        (("all", "s2"), "hi", "everyone_and_some"),
        (("s1",), "hi", "to_oneself"),
        ((), "hi", "no_recipient"),
        (("s2",), "", "empty_message"),
        (("s2",), "\x1b\u202e", "empty_message"),
        (("s2",), "x" * 21, "message_too_long"),
    ],
)
def test_what_cannot_be_delivered_comes_back_whole_and_to_the_sender_only(
    parley: Parley, to: Sequence[str], text: str, code: str
) -> None:
    (event,) = said(parley, S1, Message(tuple(to), text))
    assert isinstance(event, MessageReturned)
    assert (event.sender, event.to, event.problem.code) == (S1, tuple(to), code)
    assert event.text == ("" if code == "empty_message" else text)
    assert event.audience() == only("s1")


def test_returned_messages_use_up_no_allowance(parley: Parley) -> None:
    events = said(parley, S1, *(Message((to,), f"to {to}") for to in ("s9", "s2", "s8", "s3", "s2")))
    assert [type(event).__name__ for event in events] == [
        "MessageReturned",
        "MessageSent",
        "MessageReturned",
        "MessageSent",
        "MessageReturned",
    ]
    assert isinstance(events[-1], MessageReturned)
    assert events[-1].problem.code == "too_many_messages"
    assert events[-1].text == "to s2"


def test_a_closed_window_returns_everything(parley: Parley) -> None:
    (event,) = said(parley, S1, Message(("all",), "hi"), window=CLOSED)
    assert isinstance(event, MessageReturned)
    assert event.problem.code == "talk_closed"


def test_ids_count_only_the_senders_messages_in_the_room(parley: Parley) -> None:
    private = TalkWindow((S1, S3), messages=9)
    before = said(parley, S1, Message(("s3",), "one"))
    said(parley, S2, *(Message(("s1",), f"secret {n}") for n in range(5)), window=private)
    after = said(parley, S1, Message(("s3",), "two"), Message(("all",), "three"))
    assert [e.id for e in (*before, *after) if isinstance(e, MessageSent)] == ["s1>s3.1", "s1>s3.2", "s1>all.1"]


def test_a_bad_pledge_goes_back_and_does_not_cost_the_message(parley: Parley) -> None:
    sent, back = said(parley, S1, Message(("s2",), "hi", (BAD, GOOD)))
    assert isinstance(sent, MessageSent)
    assert isinstance(back, PledgeReturned)
    assert sent.pledges == (GOOD,)
    assert (back.message, back.pledge, back.audience()) == (sent.id, BAD, only("s1"))


@pytest.mark.parametrize(("sender", "code"), [(S2, None), (S1, None), (S3, "unknown_ref")])
def test_a_pledge_can_answer_only_what_its_speaker_has_read(parley: Parley, sender: Seat, code: str | None) -> None:
    said(parley, S1, Message(("s2",), "will you?"))
    window = TalkWindow(tuple(seat for seat in SEATS if seat != sender))
    events = said(parley, sender, Message(("all",), "so be it", (Pledge("accept", ref="s1>s2.1"),)), window=window)
    returned = [e.problem.code for e in events if isinstance(e, PledgeReturned)]
    assert returned == ([] if code is None else [code])


def test_a_pledge_about_a_message_that_nobody_wrote(parley: Parley) -> None:
    events = said(parley, S1, Message(("s2",), "yes", (Pledge("accept", ref="s9>s1.1"),)))
    assert isinstance(events[1], PledgeReturned)
    assert events[1].problem.code == "unknown_ref"


def test_heard_knows_who_sent_what(parley: Parley) -> None:
    said(parley, S1, Message(("s2",), "hi"))
    assert parley.heard("s1>s2.1", S1)
    assert not parley.heard("s1>s2.1", S2)
    assert not parley.heard("s1>s2.2", S1)


@pytest.mark.parametrize(("count", "left_out"), [(20, None), (21, "1"), (25, "5"), (100_000, "99980")])
def test_what_is_too_many_for_one_reply_goes_back_once_with_its_number(
    parley: Parley, count: int, left_out: str | None
) -> None:
    window = replace(WINDOW, messages=30)
    events = said(parley, S1, *(Message(("s2",), f"{n}") for n in range(1, count + 1)), window=window)
    assert [event.text for event in events[:20] if isinstance(event, MessageSent)] == [f"{n}" for n in range(1, 21)]
    facts = {"limit": "20", "count": left_out or ""}
    assert events[20:] == (
        [] if left_out is None else [MessageReturned(S1, ("s2",), "21", Problem("messages_left_out", facts))]
    )


@pytest.mark.parametrize(("count", "left_out"), [(12, None), (13, "1"), (25, "13"), (100_000, "99988")])
def test_what_is_too_many_for_one_message_goes_back_once_with_its_number(
    parley: Parley, count: int, left_out: str | None
) -> None:
    sent, *back = said(parley, S1, Message(("s2",), "hi", (GOOD,) * count))
    assert isinstance(sent, MessageSent)
    assert sent.pledges == (GOOD,) * 12
    facts = {"limit": "12", "count": left_out or ""}
    assert back == ([] if left_out is None else [PledgeReturned(S1, sent.id, GOOD, Problem("pledges_left_out", facts))])


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("problem", [messages_left_out(99_980), pledges_left_out(99_980)])
def test_the_sender_reads_the_limit_and_how_many_were_left_out(lang: str, problem: Problem) -> None:
    text = core_texts(lang).say(f"problem.{problem.code}", **problem.facts)
    assert problem.facts["limit"] in text
    assert "99980" in text
    assert "{" not in text
