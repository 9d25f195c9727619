"""The games in ``transcripts`` stay readable and true to the rules."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from diplomat.core.proceedings import AnswerGiven, Defaulted, MessageSent, PlanSealed
from diplomat.session.models import calls_path
from diplomat.transcript.reader import read
from diplomat.transcript.verify import verify

TRANSCRIPTS = Path(__file__).parents[1] / "transcripts"
SAMPLES = sorted((TRANSCRIPTS / "samples").glob("*.jsonl"))
OF_A_MODEL = TRANSCRIPTS / "local" / "smollm2-en.jsonl"


def test_there_is_a_sample_in_each_language() -> None:
    assert {read(path).header.lang for path in SAMPLES} == {"en", "ru"}


@pytest.mark.parametrize("path", [*SAMPLES, OF_A_MODEL], ids=lambda path: path.stem)
def test_a_saved_game_verifies(path: Path) -> None:
    verdict = verify(read(path))
    assert verdict.sound, verdict.difference
    assert verdict.finished


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_every_message_has_the_plan_it_was_sent_with(path: Path) -> None:
    events = list(read(path).events())
    sent = [event.id for event in events if isinstance(event, MessageSent)]
    planned = [name for event in events if isinstance(event, PlanSealed) for name in event.messages]
    assert sent == planned
    assert len(sent) > 50


def test_the_game_of_a_small_model_was_played_by_itself_and_its_calls_lie_beside_it() -> None:
    transcript = read(OF_A_MODEL)
    answered = [event for event in transcript.events() if isinstance(event, AnswerGiven)]
    assert not [event for event in transcript.events() if isinstance(event, Defaulted)]
    assert {entry.agent for entry in transcript.header.seats} == {"local"}
    rows = [json.loads(row) for row in calls_path(OF_A_MODEL).read_text(encoding="utf-8").splitlines()]
    asked = {row["id"].rpartition("#")[0] for row in rows if row["kind"] == "call"}
    assert asked <= {f"{event.seat}/{event.request}" for event in answered}
    assert len(asked) > 50
