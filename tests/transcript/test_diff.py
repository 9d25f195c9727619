"""Two logs side by side: the first event that is not the same, the set-up, and both results."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from diplomat.cli import diff as command
from diplomat.core.proceedings import GameOpened
from diplomat.transcript.diff import diff
from diplomat.transcript.reader import read

from .conftest import rows_of, saved

Row = dict[str, Any]


@pytest.fixture
def rows(quiet_text: str) -> list[Row]:
    return rows_of(quiet_text)


@pytest.fixture
def a(tmp_path: Path, rows: list[Row]) -> Path:
    return saved(tmp_path / "a.jsonl", rows)


@pytest.fixture
def b(tmp_path: Path) -> Path:
    return tmp_path / "b.jsonl"


def test_times_and_hashes_make_no_difference(a: Path, b: Path, rows: list[Row]) -> None:
    rows[0] |= {"started": "later", "commitment": "0" * 64}
    rows[5] |= {"at": "later", "meta": {"x": 1}}
    found = diff(read(a), read(saved(b, rows)))
    assert (found.same, found.header, found.parting) == (True, (), None)
    last = read(a).lines[-1].event
    assert isinstance(last, GameOpened)
    assert found.a == found.b
    assert (found.a.events, found.a.finished) == (len(rows) - 1, True)
    assert (found.a.winners, found.a.scores) == (last.winners, last.scores)


def test_the_first_other_event_is_named_with_both_values(a: Path, b: Path, rows: list[Row]) -> None:
    seat = rows[5]["data"]["seat"]
    character = rows[5]["data"]["character"]
    rows[5]["data"]["character"] = "nobody"
    rows[9]["to"] = ["s1", "s2", "s3"]
    found = diff(read(a), read(saved(b, rows))).parting
    assert found is not None
    assert (found.n, found.public) == (5, False)
    assert found.why == f'character_dealt.character is "{character}", not "nobody"'
    assert found.a is not None
    assert found.b is not None
    assert (found.a["data"]["character"], found.b["data"]) == (character, {"seat": seat, "character": "nobody"})


def test_a_log_that_stops_earlier_parts_there(a: Path, b: Path, rows: list[Row]) -> None:
    for first, second, which in ((a, b, "second"), (b, a, "first")):
        saved(b, rows[:9])
        found = diff(read(first), read(second))
        assert found.parting is not None
        assert found.parting.n == 9
        assert found.parting.why.startswith(f"the {which} log ends before it; the other goes on with ")
        assert (found.parting.a is None, found.parting.b is None) == (which == "first", which == "second")
        short = found.a if which == "first" else found.b
        assert (short.events, short.finished, short.winners, short.scores) == (8, False, (), None)


def test_the_set_up_is_compared_value_by_value(a: Path, b: Path, rows: list[Row]) -> None:
    rows[0]["options"] = {"pace": "slow"}
    rows[0]["seats"][1] |= {"agent": "human", "model": "m"}
    rows[0]["settings"]["messages"] = 3
    assert diff(read(a), read(saved(b, rows))).header == (
        "settings.messages is 2 in the first, 3 in the second",
        'seats.2.agent is "test" in the first, "human" in the second',
        'seats.2.model is absent in the first, "m" in the second',
        'options.pace is absent in the first, "slow" in the second',
    )


def _run(*argv: object) -> tuple[int, str]:
    app = typer.Typer()
    command.register(app)
    ran = CliRunner().invoke(app, [str(part) for part in argv])
    return ran.exit_code, ran.output


def test_the_command_tells_it_in_words_and_as_data(a: Path, b: Path, rows: list[Row]) -> None:
    code, out = _run(a, saved(b, rows))
    assert (code, out.splitlines()[0]) == (0, f"the same {len(rows) - 1} events")
    rows[5]["data"]["character"] = "nobody"
    code, out = _run(a, saved(b, rows))
    assert code == 1
    lines = out.splitlines()
    assert lines[0].startswith("part at event 5 (line 6): character_dealt.character is ")
    assert f"{a}: {len(rows) - 1} events, won by " in lines[1]
    assert "s1 " in lines[1]
    code, out = _run(a, b, "--json")
    data = json.loads(out)
    assert (code, data["same"], data["parting"]["n"], data["parting"]["b"]["kind"]) == (1, False, 5, "character_dealt")
    assert data["a"]["scores"].keys() == {"s1", "s2", "s3", "s4"}


def test_an_unfinished_game_keeps_its_secrets(a: Path, b: Path, rows: list[Row]) -> None:
    rows[5]["data"]["character"] = "nobody"
    saved(b, rows[:9])
    code, out = _run(a, b)
    assert (code, out.splitlines()[0]) == (1, "part at event 5 (line 6), which is secret until the game is over")
    assert f"{b}: 8 events, not finished" in out
    parting = json.loads(_run(a, b, "--json")[1])["parting"]
    assert parting == {"n": 5, "line": 6, "public": False}
    assert "nobody" in _run(a, b, "--spoilers")[1]
    assert "nobody" in _run(a, b, "--spoilers", "--json")[1]
