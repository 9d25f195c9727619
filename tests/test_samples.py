"""The sample games in ``transcripts/samples`` stay readable and true to the rules."""

from __future__ import annotations

from pathlib import Path

import pytest

from diplomat.core.proceedings import MessageSent, PlanSealed
from diplomat.transcript.reader import read
from diplomat.transcript.verify import verify

SAMPLES = sorted((Path(__file__).parents[1] / "transcripts" / "samples").glob("*.jsonl"))


def test_there_is_a_sample_in_each_language() -> None:
    assert {read(path).header.lang for path in SAMPLES} == {"en", "ru"}


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_a_sample_verifies(path: Path) -> None:
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
