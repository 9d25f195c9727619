"""What came back to a model is told to it, with the limit and in its own language."""

from __future__ import annotations

import pytest

from diplomat.agents.llm.lines import Lines
from diplomat.core.audience import Seat
from diplomat.core.events import Event
from diplomat.core.menus import Problem
from diplomat.core.proceedings import NoteReturned, PlanReturned
from diplomat.games import find

S1 = Seat("s1")
FACTS = {"length": "2001", "limit": "2000"}


@pytest.mark.parametrize(
    ("event", "lang", "said"),
    [
        (PlanReturned(S1, "r", Problem("plan_too_long", FACTS)), "en", "The text of your plan was not kept: "),
        (PlanReturned(S1, "r", Problem("plan_too_long", FACTS)), "ru", "Текст вашего плана не сохранён: "),
        (NoteReturned(S1, "r", Problem("note_too_long", FACTS)), "en", "Your note was not kept: "),
        (NoteReturned(S1, "r", Problem("note_too_long", FACTS)), "ru", "Ваша заметка не сохранена: "),
    ],
)
def test_a_note_or_plan_that_came_back_is_told_with_its_limit(event: Event, lang: str, said: str) -> None:
    told = Lines(find("rokugan"), S1, lang).told(event, None)
    assert told is not None
    assert told.startswith(said)
    assert "2001" in told
    assert "2000" in told
    assert "plan_too_long" not in told
