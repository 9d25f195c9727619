"""Sources are blind to what came later and to everything private; what they find says who found it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from diplomat.core.errors import BadTranscript
from diplomat.core.pledges import Goal, Plan, Pledge
from diplomat.core.proceedings import MessageSent, NoteSealed
from diplomat.games.rokugan import events as ev
from diplomat.study.extract_declared import Declared
from diplomat.study.extract_rules import Rules
from diplomat.study.ledger import Fold, of
from diplomat.study.sources import Past, Said
from diplomat.study.vocabulary import vocabulary_of
from diplomat.transcript.reader import Transcript, read
from tests.study.kit import S1, S2, S3, Log, promise, spare, strike, words


class Spy:
    """A source that finds nothing and remembers all that it was shown."""

    name = "human:spy"

    def __init__(self) -> None:
        self.seen: list[tuple[MessageSent, Past]] = []

    def acts(self, message: MessageSent, past: Past) -> list[Said]:
        self.seen.append((message, past))
        return []


def test_a_source_sees_neither_plans_nor_notes_nor_what_comes_later() -> None:
    spy = Spy()
    log = Log(sources=[Declared(), spy])
    log.say(S1, "s2", promise(spare(S1, S2, 1, 1)), text="first", plan=Plan(keep={"s1>s2.1": "no"}, text="canary plan"))
    log.add(NoteSealed(S1, "r1", "canary note"))
    log.say(S2, "s1", text="second")
    log.end((S1, S2))
    log.say(S1, "s2", text="canary later")
    assert log.ledger.messages == 3
    early = repr(spy.seen[:2])
    assert "canary" not in early
    assert [one.text for one in spy.seen[1][1].said] == ["first"]


@pytest.mark.parametrize(
    ("sender", "to", "shared"), [(S1, "s2", ["to s2", "to all"]), (S1, "s3", ["to all"]), (S2, "all", ["to all"])]
)
def test_a_reader_may_see_earlier_messages_that_all_its_room_could_read(
    sender: Any, to: str, shared: list[str]
) -> None:
    spy = Spy()
    log = Log(sources=[spy])
    log.say(S1, "s2", text="to s2")
    log.say(S3, "all", text="to all")
    log.say(sender, to, text="now")
    assert log.ledger.messages == 3
    message, past = spy.seen[-1]
    assert [one.text for one in past.shared(message)] == shared


def test_a_plain_yes_answers_the_hearers_last_open_offer() -> None:
    log = Log()
    log.say(S1, "s2", text="I will not attack you this round if you do not attack me this round.")
    log.say(S2, "s1", text="Agreed.")
    rows = log.ledger.promises
    assert [(row.debtor, row.act, row.goal) for row in rows] == [
        (S1, "offer", spare(S1, S2, 1, 1)),
        (S2, "accept", spare(S2, S1, 1, 1)),
    ]
    assert {row.source for row in rows} == {"rule"}


def test_declared_and_read_words_are_one_promise_with_both_sources() -> None:
    vocabulary: Any = words()
    log = Log(sources=[Declared(), Rules(vocabulary, beside=True)])
    log.say(S1, "s2", promise(spare(S1, S2, 1, 1)), text="I will not attack you this round.")
    log.say(S1, "s3", promise(strike(S1, S2, 1, 1)), text="Nice weather.")
    rows = log.ledger.promises
    assert [[span.source for span in row.mentions] for row in rows] == [["declared", "rule"], ["declared"]]
    assert [row.confidence for row in rows] == [1.0, 1.0]


@pytest.mark.parametrize(
    "text",
    [
        "I was going to attack Crane this round.",
        "I could attack Crane this round.",
        "Lion said that Crab will not attack Crane.",
        "Will you attack Crane this round?",
        "If only I had not attacked Crane!",
        "Я бы напал на Журавля в этом раунде.",
        "Ты ведь не нападёшь на Журавля?",
    ],
)
def test_what_is_no_word_given_in_plain_talk_is_none(text: str) -> None:
    log = Log()
    log.say(S1, "s2", text=text)
    assert log.ledger.promises == ()


def test_public_words_are_read_for_everybody_once() -> None:
    log = Log()
    log.say(S1, "all", text="I will not attack Lion this round.")
    log.say(S1, "all", text="Lion, I will not attack you in the next round.")
    rows = log.ledger.promises
    assert [row.goal for row in rows if row.goal] == [spare(S1, S2, 1, 1), spare(S1, S2, 2, 2)]
    assert [row.creditors for row in rows] == [("*",), ("s2",)]


def test_a_goal_by_somebody_else_is_never_the_speakers() -> None:
    class Confused:
        name = "llm:confused@0"

        def acts(self, message: MessageSent, past: Past) -> list[Said]:
            return [Said("promise", (Goal("attack", S2, 1, 1, {"target": S3}),), end=len(message.text))]

    log = Log(sources=[Confused()])
    log.say(S1, "s2", text="Lion attacks Crane.")
    assert log.ledger.promises == ()
    assert [act.act for act in log.ledger.acts] == ["promise"]


@pytest.mark.parametrize("lines", [400, 800])
def test_an_unfinished_file_keeps_its_pending_promises(played: Transcript, tmp_path: Path, lines: int) -> None:
    path = tmp_path / "half.jsonl"
    rows = played.path.read_text(encoding="utf-8").splitlines(keepends=True)
    path.write_text("".join(rows[:lines]), encoding="utf-8")
    ledger = of(read(path))
    whole = played
    fold = Fold(whole.seats, vocabulary_of(whole.game), whole.settings)
    for line in whole.lines[: lines - 1]:
        fold.hear(line.n, line.event)
    assert ledger.promises == fold.promises()
    assert {one.status for one in ledger.resolutions} >= {"pending"}
    assert not ledger.finished
    assert {player.won for player in ledger.players} == {None}


def test_an_answer_to_nothing_is_kept_as_an_act_and_binds_nobody() -> None:
    log = Log()
    log.say(S1, "s2", Pledge("accept", ref="nothing"))
    assert [act.ref for act in log.ledger.acts] == ["nothing"]
    assert log.ledger.promises == ()


def test_a_log_of_another_map_is_refused_with_its_line_and_versions() -> None:
    log = Log()
    log.add(ev.TokensTurnedUp(1, (ev.TurnedUp("t", S1, "atlantis", "army-1"),)))
    with pytest.raises(BadTranscript, match=r"tiny\.jsonl, line .*atlantis.*rules version"):
        of(log.transcript)


# --- unstated rounds, spans


def test_rounds_that_were_not_named_are_a_default_with_two_other_readings() -> None:
    log = Log()
    log.say(S1, "s2", text="I will not attack you.")
    log.say(S1, "s3", text="I will not attack you in round 1.")
    log.end()
    log.end((S1, S2), (S1, S3))
    first, second = log.ledger.promises
    assert (first.horizon_source, second.horizon_source) == ("default", "stated")
    found = log.ledger.resolutions
    assert [(one.status, one.status_next, one.status_end) for one in found] == [
        ("kept", "broken", "broken"),
        ("kept", "", ""),
    ]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Hello! 🐉🏯\nI will not attack you this round. Bye.", "I will not attack you this round."),
        ("Здравствуй, Лев 🦁!\nЯ не нападу на тебя в этом раунде. Будь здоров.", "Я не нападу на тебя в этом раунде."),
        ("I will not attack you this round 🐉", "I will not attack you this round 🐉"),
    ],
)
def test_spans_count_code_points_of_any_script(text: str, words: str) -> None:
    log = Log()
    log.say(S1, "s2", text=text)
    row, _, verdict = log.one
    span = row.mentions[0]
    assert text[span.start : span.end] == verdict.said == words
    assert span.end - span.start == len(words)
    assert (row.source, row.goal) == ("rule", spare(S1, S2, 1, 1))
    assert row.confidence < 1
