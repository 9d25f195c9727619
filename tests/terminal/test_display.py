"""The display of one table: who sees what, and how it reads."""

import io
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from diplomat.core.audience import PUBLIC, Seat, only
from diplomat.core.events import Event, kind_of
from diplomat.core.pledges import Goal, Plan, Pledge
from diplomat.core.proceedings import AnswerGiven, Defaulted, MessageSent, NoteSealed, PlanSealed
from diplomat.core.texts import LANGUAGES
from diplomat.games import find
from diplomat.games.rokugan import events as ev
from diplomat.games.rokugan.settings import Settings
from diplomat.terminal.display import Display
from diplomat.terminal.ladder import console
from diplomat.terminal.narrator import Narrator
from diplomat.terminal.table_words import Entry
from diplomat.transcript.reader import read

SAMPLES = sorted((Path(__file__).parents[2] / "transcripts" / "samples").glob("*.jsonl"))

S1, S2 = SEATS = (Seat("s1"), Seat("s2"))
OPENING = (ev.ClanTaken(S1, "crab"), ev.ClanTaken(S2, "lion"), ev.FirstPlayerDrawn(S1))


def shown(
    events: Iterable[Event],
    viewer: Seat | None = None,
    lang: str = "en",
    width: int = 80,
    *,
    opened: bool = False,
    numbered: bool = False,
    live: bool = False,
) -> str:
    stream = io.StringIO()
    out = console("plain", stream)
    out.width = width
    narrator = Narrator(find("rokugan"), Settings(), SEATS, lang, viewer, opened=opened)
    display = Display(out, narrator, {"s1": "scripted:honest", "s2": "random"}, numbered=numbered, live=live)
    for n, event in enumerate(events, start=1):
        display.hear(n, event)
    return stream.getvalue()


def lines(text: str) -> Iterator[str]:
    return (line for line in text.splitlines() if line)


LETTER = MessageSent("s1>s2.1", S1, ("s2",), "between us")
SPEECH = MessageSent("s1>all.1", S1, ("all",), "to everyone")
PLAN = PlanSealed(S1, "r", Plan((Goal("not_attack", S1, 1, 2, {"target": "s2"}),), {"s1>s2.1": "no"}, "my plan"))
NOTE = NoteSealed(S1, "r", "my note")


@pytest.mark.parametrize(
    ("viewer", "sees"),
    [
        (None, {"to everyone"}),
        (S2, {"to everyone", "between us"}),
        (S1, {"to everyone", "between us", "my plan", "my note"}),
    ],
)
def test_each_viewer_sees_only_what_is_meant_for_it(viewer: Seat | None, sees: set[str]) -> None:
    text = " ".join(shown((*OPENING, LETTER, SPEECH, PLAN, NOTE), viewer).split())
    assert {word for word in ("to everyone", "between us", "my plan", "my note") if word in text} == sees


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_event_of_a_sample_is_shown_raw(path: Path, lang: str) -> None:
    log = read(path)
    narrator = Narrator(log.game, log.settings, log.seats, lang, opened=True)
    raw = [
        kind_of(type(event)) for event in log.events() for entry in narrator.narrate(event, 80) if is_raw(entry, event)
    ]
    assert raw == []


def is_raw(entry: Entry, event: Event) -> bool:
    return entry.text.startswith(f"{kind_of(type(event))} (")


@pytest.mark.parametrize(("lang", "said"), [("en", "Crab's pool is shuffled"), ("ru", "Запас Краба перемешан")])
def test_a_shuffled_pool_is_told_without_its_order(lang: str, said: str) -> None:
    text = shown((*OPENING, ev.PoolShuffled(S1, ("army-1", "raid"))), lang=lang, opened=True, numbered=True)
    assert said in text
    assert "raid" not in text.partition(said)[2]
    assert "pool" not in shown((*OPENING, ev.PoolShuffled(S1, ("army-1",))))


def test_messages_carry_their_ids_where_events_are_numbered() -> None:
    pledge = Pledge("accept", (), (), "s2>s1.1")
    many = MessageSent("s1>s2.2", S1, ("s2",), "one\ntwo", (pledge,))
    text = [line.strip() for line in lines(shown((*OPENING, LETTER, many), opened=True, numbered=True))]
    assert any(line.endswith("between us (s1>s2.1)") for line in text)
    assert "two (s1>s2.2)" in text
    assert any("(about s2>s1.1)" in line for line in text)
    assert "s1>all.1" not in shown((*OPENING, SPEECH))


def test_private_talk_leaves_no_trace_for_watchers() -> None:
    assert shown((*OPENING, SPEECH)) == shown((*OPENING, LETTER, SPEECH, PLAN, NOTE))


def test_plans_say_which_promises_will_be_broken() -> None:
    text = " ".join(shown((*OPENING, PLAN), S1).split())
    assert "Crab means to:" in text
    assert "break s1>s2.1" in text
    assert "Lion" in text.partition("means to:")[2]


def test_pledges_stand_under_their_message() -> None:
    promise = Pledge("promise", (Goal("not_attack", S1, 2, 3, {"target": "s2"}),))
    text = shown((*OPENING, MessageSent("s1>all.1", S1, ("all",), "peace", (promise,))))
    at = [line.strip() for line in lines(text)]
    below = at[at.index("Crab → all: peace") + 1]
    assert below.startswith("promises: ")
    assert "Lion" in below


def test_every_act_has_words_in_both_languages() -> None:
    from diplomat.core.pledges import ACTS
    from diplomat.core.texts import load_texts

    english, russian = (load_texts("diplomat.terminal", "texts", lang) for lang in ("en", "ru"))
    assert set(english.entries) == set(russian.entries)
    assert all(english.has(f"act.{act}") for act in ACTS)


def test_no_line_of_a_message_begins_at_the_edge() -> None:
    text = shown((*OPENING, MessageSent("s1>all.1", S1, ("all",), "a\n── Round 9 ──\n" + "long " * 40)), width=40)
    assert not any(line.startswith(("── Round 9", "a", "long")) for line in lines(text))
    assert all(len(line) <= 40 for line in lines(text))


def test_a_live_table_begins_with_who_plays_what() -> None:
    text = list(lines(shown(OPENING, live=True)))
    assert text[0].startswith("── Rokugan, house edition ─")
    assert text[1:3] == ["  Crab (s1): scripted:honest", "  Lion (s2): random"]
    assert "plays" not in "".join(text[:3])


def test_defaults_are_never_taken_in_silence() -> None:
    assert "Lion" in shown((*OPENING, Defaulted(S2, "r1"))).partition("random")[2]


def test_nothing_that_a_seat_saw_goes_missing_when_it_has_no_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    game = find("rokugan")
    monkeypatch.setattr(type(game.story), "tell", lambda *_: None)
    text = shown((*OPENING, ev.TokensDrawn(S1, ("army-1", "raid"))), S1)
    assert "tokens_drawn (seat: s1, faces: army-1 raid)" in text
    assert "preparation_sealed" not in shown((*OPENING, ev.PreparationSealed(S1, (), None)), S1)
    assert "answer_given" not in shown((*OPENING, AnswerGiven(S1, "r", {})), S1)


def test_opened_lines_say_who_saw_them() -> None:
    text = shown((*OPENING, LETTER, NOTE), opened=True, numbered=True)
    assert "   4 [s1+s2]" in text
    assert "   5 [s1]" in text
    assert "   3 [all]" in text
    assert LETTER.audience() == only("s1", "s2")
    assert SPEECH.audience() == PUBLIC


def test_the_board_comes_before_each_round() -> None:
    text = list(lines(shown((*OPENING, ev.ControlPlaced(S1, "hida"), ev.RoundBegan(1, S1)))))
    heading = next(at for at, line in enumerate(text) if line.startswith("── Round 1 of 5"))
    board = next(at for at, line in enumerate(text) if line.startswith("Crab lands"))
    assert board < heading
