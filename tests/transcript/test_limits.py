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

CODES = ("messages_left_out", "pledges_left_out")


def _flooding(decision: Decision[Any]) -> Reply:
    if decision.request.form != "talk":
        return silent(decision)
    pledges = (Pledge("promise", (Goal("no such verb", decision.request.seat, 1, 1),)),) * 30
    empty = (Message(("all",), ""),) * 19
    return Reply(silent(decision).answer, (*empty, *(Message(("all",), f"{n}", pledges) for n in range(30))))


@pytest.fixture
def flooded(tmp_path: Path) -> Path:
    return written(tmp_path / "flooded.jsonl", masquerade, lambda: Scripted(_flooding))


@pytest.mark.parametrize("code", [None, *CODES])
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
    assert [text.count(left_out) for left_out in CODES] == [4, 4]
    verdict = verify(read(edited(text, again)))
    assert verdict.sound == (code is None), verdict.difference


def _row(rows: list[dict[str, Any]], code: str) -> dict[str, Any]:
    """The first return with that code."""
    return next(row for row in rows[1:] if row["data"].get("problem", {}).get("code") == code)


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize(
    ("facts", "sound"),
    [
        ({}, True),
        ({"count": "0"}, False),
        ({"count": "-3"}, False),
        ({"count": "03"}, False),
        ({"count": "٣"}, False),
        ({"count": "many"}, False),
        ({"count": ""}, False),
        ({"count": "9" * 5000}, False),
        ({"limit": "21"}, False),
        ({"more": "1"}, False),
    ],
)
def test_a_count_of_what_was_left_out_is_a_number_above_0_and_nothing_else(
    code: str, facts: dict[str, str], sound: bool, flooded: Path, edited: Callable[[str, Edit], Path]
) -> None:
    def changed(rows: list[dict[str, Any]]) -> None:
        _row(rows, code)["data"]["problem"]["facts"].update(facts)

    assert verify(read(edited(flooded.read_text(encoding="utf-8"), changed))).sound == sound


def _uncounted(row: dict[str, Any]) -> None:
    del row["data"]["problem"]["facts"]["count"]


def _excused(row: dict[str, Any]) -> None:
    row["data"]["problem"] = {"code": "empty_message", "facts": {}}


def _opened(row: dict[str, Any]) -> None:
    row["to"] = None


def _anothers(row: dict[str, Any]) -> None:
    row["data"]["sender"], row["to"] = "s2", ["s2"]


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("change", [_uncounted, _excused, _opened, _anothers])
def test_what_was_left_out_cannot_be_hidden_or_laid_to_another(
    code: str, change: Callable[[dict[str, Any]], None], flooded: Path, edited: Callable[[str, Edit], Path]
) -> None:
    def changed(rows: list[dict[str, Any]]) -> None:
        change(_row(rows, code))

    assert not verify(read(edited(flooded.read_text(encoding="utf-8"), changed))).sound


@pytest.mark.parametrize(("kind", "code"), [("message_returned", CODES[0]), ("pledge_returned", CODES[1])])
def test_nothing_is_left_out_before_the_limit(
    kind: str, code: str, flooded: Path, edited: Callable[[str, Edit], Path]
) -> None:
    def early(rows: list[dict[str, Any]]) -> None:
        first = next(row for row in rows[1:] if row["kind"] == kind)
        first["data"]["problem"] = _row(rows, code)["data"]["problem"]

    assert not verify(read(edited(flooded.read_text(encoding="utf-8"), early))).sound


def test_a_message_beyond_the_limit_cannot_be_made_one_that_was_sent(
    flooded: Path, edited: Callable[[str, Edit], Path]
) -> None:
    def sent(rows: list[dict[str, Any]]) -> None:
        row = _row(rows, CODES[0])
        said = next(other for other in rows[1:] if other["kind"] == "message_sent")
        name = said["data"]["id"].rpartition(".")[0] + ".2"
        row.update(kind="message_sent", to=None)
        row["data"] = {**said["data"], "id": name, "text": row["data"]["text"], "pledges": []}

    assert not verify(read(edited(flooded.read_text(encoding="utf-8"), sent))).sound
