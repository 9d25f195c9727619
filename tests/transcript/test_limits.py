"""A reply beyond every limit leaves a sound log, and nobody can add such returns by hand."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from diplomat.core.game import Decision, Reply
from diplomat.core.pledges import Goal, Pledge
from diplomat.core.talk import Message
from diplomat.testing.agents import Scripted, silent
from diplomat.testing.masquerade import game as masquerade
from diplomat.transcript.reader import read
from diplomat.transcript.verify import verify

from .conftest import Edit, written


def _flooding(decision: Decision[Any]) -> Reply:
    if decision.request.form != "talk":
        return silent(decision)
    pledges = (Pledge("promise", (Goal("no such verb", decision.request.seat, 1, 1),)),) * 30
    empty = (Message(("all",), ""),) * 19
    return Reply(silent(decision).answer, (*empty, *(Message(("all",), f"{n}", pledges) for n in range(30))))


@pytest.fixture
def flooded(tmp_path: Path) -> Path:
    return written(tmp_path / "flooded.jsonl", masquerade, lambda: Scripted(_flooding))


@pytest.mark.parametrize("code", [None, "too_many_messages", "too_many_pledges"])
def test_returns_beyond_the_limit_are_sound_once(
    code: str | None, flooded: Path, edited: Callable[[str, Edit], Path]
) -> None:
    def again(rows: list[dict[str, Any]]) -> None:
        for number, row in enumerate(rows):
            if code is not None and row.get("data", {}).get("problem", {}).get("code") == code:
                rows.insert(number, dict(row))
                return
        assert code is None

    text = flooded.read_text(encoding="utf-8")
    assert text.count("too_many_messages") == text.count("too_many_pledges") == 4
    verdict = verify(read(edited(text, again)))
    assert verdict.sound == (code is None), verdict.difference
