"""A fork with other dice is sound once, where its header says, with the seed that its header committed to."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from diplomat.core.audience import Seat
from diplomat.core.dice import commitment
from diplomat.games import find
from diplomat.table.table import Table, finish
from diplomat.testing.agents import Scripted, silent
from diplomat.testing.walk import seated
from diplomat.transcript.reader import read
from diplomat.transcript.schema import Parent
from diplomat.transcript.verify import verify
from diplomat.transcript.writer import Writer

from .conftest import AT, Edit, Row, header_of, meta_of

PARENT = Parent(sha256="ab" * 32, at=20, change="seed", commitment=commitment("9", "salt"))


@pytest.fixture
def fork(tmp_path: Path) -> str:
    """A round of Rokugan whose dice are others behind event 20."""
    referee = seated(find("rokugan"), 2, "7", {"rounds": 1})
    header = header_of(find("rokugan"), referee.seats, {"rounds": 1}, "7").model_copy(update={"parent": PARENT})
    path = tmp_path / "fork.jsonl"
    writer = Writer(path, header, lambda: AT)
    then = {"then": {"seed": "9", "nonce": "salt"}}
    referee.listen(lambda n, event: writer.hear(n, event, {**meta_of(referee, n, event), **(then if n == 1 else {})}))
    agents = {Seat(seat): Scripted(silent) for seat in referee.seats}
    finish(Table(referee, agents, other_dice=(PARENT.at, "9")).play())
    writer.close()
    return path.read_text(encoding="utf-8")


def _changed(rows: list[Row]) -> int:
    return next(at for at, row in enumerate(rows) if row.get("kind") == "dice_changed")


def _again(rows: list[Row]) -> None:
    rows.insert(_changed(rows) + 1, dict(rows[_changed(rows)]))


def _other_seed(rows: list[Row]) -> None:
    rows[_changed(rows)]["data"]["seed"] = "10"


def _later(rows: list[Row]) -> None:
    rows[0]["parent"]["at"] = len(rows)


def _orphan(rows: list[Row]) -> None:
    rows[0]["parent"] = None


def _no_commitment(rows: list[Row]) -> None:
    rows[0]["parent"]["commitment"] = None


def _no_nonce(rows: list[Row]) -> None:
    rows[1]["meta"]["then"] = "x"


def test_a_fork_with_other_dice_is_sound(fork: str, edited: Callable[[str, Edit], Path]) -> None:
    verdict = verify(read(edited(fork, lambda rows: None)))
    assert verdict.difference is None
    assert verdict.finished


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (_again, "the dice are changed a second time"),
        (_other_seed, "to ones that the header did not commit to"),
        (_later, "the dice are changed before event"),
        (_orphan, "to ones that the header did not commit to"),
        (_no_commitment, "to ones that the header did not commit to"),
        (_no_nonce, "to ones that the header did not commit to"),
    ],
)
def test_other_dice_that_nobody_committed_to_are_found(
    change: Edit, why: str, fork: str, edited: Callable[[str, Edit], Path]
) -> None:
    path = edited(fork, change)
    found = verify(read(path)).difference
    assert found is not None
    rows: list[Any] = [line.written["kind"] for line in read(path).lines]
    assert (rows[found.n - 1], why in found.why) == ("dice_changed", True), found
