"""The state's digest stands beside the events that open a part of the game, and verify compares it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from diplomat.core.plain import digest
from diplomat.transcript.digests import NAME, is_marked, mixed
from diplomat.transcript.reader import read
from diplomat.transcript.verify import verify

from .conftest import rows_of, saved


def test_every_part_of_a_game_and_its_end_has_a_digest(rokugan: Path, rich: Path) -> None:
    log = read(rokugan)
    marked = [line.event for line in log.lines if NAME in line.meta]
    assert marked == [event for event in log.events() if is_marked(log.game, event)]
    kinds = [type(event).__name__ for event in marked]
    assert kinds == ["RoundBegan", "TalkWaveEnded", "PlacementBegan", "TokensTurnedUp", "GameOpened"]
    assert all(len(line.meta[NAME]) == 64 for line in log.lines if NAME in line.meta)
    assert [NAME in line.meta for line in read(rich).lines[-1:]] == [True]


@pytest.mark.parametrize("wrong", ["0" * 64, "", None, 1, []])
def test_another_digest_is_found(wrong: Any, rokugan_text: str, tmp_path: Path) -> None:
    rows = rows_of(rokugan_text)
    for at in [number for number, row in enumerate(rows) if NAME in row.get("meta", {})]:
        changed = [*rows[:at], {**rows[at], "meta": {NAME: wrong}}, *rows[at + 1 :]]
        found = verify(read(saved(tmp_path / "game.jsonl", changed))).difference
        assert found is not None
        assert (found.line, found.why.startswith("the state of the game has another digest")) == (at + 1, True)


def test_rules_that_keep_another_state_are_found_though_every_event_is_the_same(
    rich: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = read(rich)
    monkeypatch.setattr("diplomat.transcript.verify.digest", lambda state: "0" * 64)
    found = verify(log).difference
    assert found is not None
    assert found.n == next(line.n for line in log.lines if NAME in line.meta)


def test_nobody_can_try_out_states_without_the_nonce(rokugan: Path) -> None:
    log = read(rokugan)
    rules = log.game.rules
    state = rules.initial(log.settings, log.seats)
    for line in log.lines:
        state = rules.evolve(state, line.event)
        if NAME in line.meta:
            assert line.meta[NAME] == mixed("nonce", digest(state)) != mixed("", digest(state)) != digest(state)
