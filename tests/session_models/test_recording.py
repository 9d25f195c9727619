"""A recorded game comes out again bit for bit, with no server and no net; a forecast is of the right size."""

from __future__ import annotations

import json
import socket
from pathlib import Path
from typing import NoReturn

import pytest

from diplomat.testing.loopback import Loopback
from tests.session_models.kit import QUIET, Run, events

GAME = ("play", "--seats", "3", "--set", "rounds=1", "--seed", "7", *QUIET)


def refused(*args: object) -> NoReturn:
    """Stands for connecting to anybody."""
    raise AssertionError(f"a connection to {args[1:]} was tried")


@pytest.mark.parametrize("pace", ["step", "plan"])
def test_a_recorded_game_is_the_same_without_its_server(
    pace: str, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Loopback(faults=0.3, seed=3, retry_after=0.0, models=("fake",)) as server:
        game = (*GAME, "--all", f"{server.openai_url}#fake", "--pace", pace, "--json")
        first = run(*game, "--record", "said.jsonl", "--out", "a.jsonl")
    assert first.code == 0, first.err
    monkeypatch.setattr(socket.socket, "connect", refused)
    monkeypatch.setattr(socket.socket, "connect_ex", refused)
    again = run(*game, "--replay", "said.jsonl", "--out", "b.jsonl")
    assert again.code == 0, again.err
    assert events(tmp_path / "a.jsonl") == events(tmp_path / "b.jsonl")
    assert json.loads(first.out)["bill"] == json.loads(again.out)["bill"]
    assert not list(tmp_path.glob("*.calls.jsonl"))


@pytest.mark.parametrize(
    ("options", "code", "said"),
    [
        (("--replay", "none.jsonl"), 2, "there is no recording none.jsonl"),
        (("--replay", "said.jsonl", "--record", "said.jsonl"), 2, "cannot be played from and recorded to at once"),
        (("--replay", "said.jsonl", "--seed", "8"), 1, "said.jsonl"),
        (("--replay", "a.jsonl"), 1, "a.jsonl"),
        (("--record", "said.jsonl"), 1, "said.jsonl exists already"),
    ],
)
def test_a_recording_that_does_not_fit_is_refused(
    options: tuple[str, ...], code: int, said: str, run: Run, server: Loopback, tmp_path: Path
) -> None:
    game = ("play", "--seats", "2", "--all", f"{server.openai_url}#fake", "--set", "rounds=1", "--seed", "7", *QUIET)
    assert run(*game, "--record", "said.jsonl", "--out", "a.jsonl").code == 0
    before, asked = (tmp_path / "said.jsonl").read_bytes(), len(server.calls)
    ran = run(*game, *options, "--out", "b.jsonl")
    assert (ran.code, ran.out) == (code, ""), ran.err
    assert said in ran.err
    assert not ran.err.startswith("diplomat: unexpected ")
    assert (tmp_path / "said.jsonl").read_bytes() == before
    assert len(server.calls) == asked


@pytest.mark.parametrize("pace", ["step", "plan"])
def test_a_forecast_sends_nothing_and_is_of_the_size_of_the_game(
    pace: str, run: Run, server: Loopback, tmp_path: Path
) -> None:
    game = (*GAME, "--all", f"{server.openai_url}#fake", "--pace", pace, "--json")
    foreseen = run(*game, "--dry-run")
    assert (foreseen.code, foreseen.err, server.calls) == (0, "", [])
    assert sorted(path.name for path in tmp_path.iterdir()) == []
    expected = json.loads(foreseen.out)["together"]
    bill = json.loads(run(*game, "--out", "a.jsonl").out)["bill"]
    played = {key: sum(row[key] for row in bill) for key in ("calls", "fresh", "cached")}
    assert 0.5 < expected["calls"] / played["calls"] < 2
    read = expected["fresh"] + expected["cached"], played["fresh"] + played["cached"]
    assert 0.5 < read[0] / read[1] < 2


def test_a_forecast_needs_a_model_at_the_table(run: Run) -> None:
    ran = run("play", "--dry-run")
    assert (ran.code, ran.out) == (2, "")
    assert "no seat is played by a language model" in ran.err
