"""Whatever stands in a file or on the command line: one line says what is wrong, and nobody sees a traceback."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from diplomat.core.toml import DEEPEST, LONGEST, BadToml, parsed
from diplomat.transcript.chain import chained

from .conftest import Ran, Run

FUZZ = settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
ROOT = Path(__file__).parents[2]
PROFILE = (ROOT / "profiles" / "honest.toml").read_text(encoding="utf-8").replace('id = "honest"', 'id = "x"')
TABLE = """
game = "rokugan"
players = 3
seed = 7
lang = "en"
all = "scripted"
pace = "step"
budget = 1.5
deadline = 30.0
[seats]
crab = "scripted:honest"
[settings]
rounds = 1
[settings.clans]
s2 = "lion"
"""
PRICES = '["openai:gpt-4o-mini"]\ninput = 1.5\noutput = 2\ncached = 0.1\n'
NUMBER = "9" * 5000
NASTY = {
    "a list without bottom": "players = " + "[" * 4000,
    "lists in lists": "players = " + "[" * 900 + "]" * 900,
    "tables in tables": "a" + ".a" * 2000 + " = 1",
    "a number without end": f"players = {NUMBER}",
    "a number in hexadecimal without end": f"players = 0x{'f' * 9000}",
    "a price without end": f'["openai:gpt-4o-mini"]\ninput = 0x{"f" * 9000}\noutput = 1',
    "a price beyond all numbers": '["openai:gpt-4o-mini"]\ninput = 1e99999999999999999999\noutput = 1',
    "no number": '["openai:gpt-4o-mini"]\ninput = nan\noutput = inf',
    "a date": "players = 2026-01-01",
    "a zero byte": "players = 3\0",
    "a zero byte in a name": "prices = '\\u0000'\n[seats]\ns1 = \"scripted:\\u0000.toml\"",
    "a byte order mark": "\ufeffplayers = 3",
    "half of a pair": 'lang = "\\ud800"',
    "nothing": "",
    "no money": "budget = nan\nall = 'openai:gpt-4o-mini'",
    "no time": "deadline = -1.0",
    "a seat without a name": "[seats]\n'' = 'random'",
    "an escape": "[seats]\n\"\\u001b[2J\" = 'random'",
}


def complaint(ran: Ran) -> None:
    """Fine, or one line that says what is wrong."""
    if ran.code == 0:
        return
    assert ran.code in (1, 2), ran
    lines = ran.err.splitlines()
    assert len(lines) == 1, ran.err
    assert lines[0].startswith("diplomat: ")
    assert not lines[0].startswith("diplomat: unexpected ")
    assert "Traceback" not in ran.out + ran.err
    assert "\x1b" not in ran.err


def words(kind: str, path: Path) -> list[list[str | Path]]:
    """Commands that read such a file, and play nothing."""
    if kind == "profile":
        return [["profiles", "show", path], ["play", "--seat", f"s1=scripted:{path}", "--seats", "2", "--dry-run"]]
    if kind == "table":
        return [["play", "--table", path, "--dry-run"]]
    return [["play", "--all", "openai:none-such", "--seats", "2", "--budget", "1", "--prices", path, "--dry-run"]]


TEXTS = {"profile": PROFILE, "table": TABLE, "prices": PRICES}


def edited(text: str) -> st.SearchStrategy[bytes]:
    """A good text with some bytes taken out and others put in."""
    raw = text.encode()
    junk = st.binary(max_size=6) | st.sampled_from(
        [b"=", b"[", b"]]", b'"', b"\n", b"'''", b"{", b"1e400", b"0x", b"."]
    )
    return st.tuples(st.integers(0, len(raw)), st.integers(0, 30), junk).map(
        lambda made: raw[: made[0]] + made[2] + raw[made[0] + made[1] :]
    )


@pytest.mark.parametrize("kind", TEXTS)
@pytest.mark.parametrize("name", NASTY)
def test_a_nasty_file_is_refused_in_one_line(kind: str, name: str, run: Run, tmp_path: Path) -> None:
    path = tmp_path / "x.toml"
    path.write_text(NASTY[name], encoding="utf-8")
    for argv in words(kind, path):
        complaint(run(*argv))


@pytest.mark.parametrize("kind", TEXTS)
def test_a_good_file_is_read(kind: str, run: Run, tmp_path: Path) -> None:
    path = tmp_path / "x.toml"
    path.write_text(TEXTS[kind].replace("gpt-4o-mini", "none-such"), encoding="utf-8")
    said = [run(*argv).err for argv in words(kind, path)]
    assert not [text for text in said if str(path) in text]


@pytest.mark.parametrize("kind", TEXTS)
@FUZZ
@given(data=st.data())
def test_any_file_is_read_or_refused_in_one_line(kind: str, data: st.DataObject, run: Run, tmp_path: Path) -> None:
    path = tmp_path / "x.toml"
    path.write_bytes(data.draw(edited(TEXTS[kind]) | st.binary(max_size=60)))
    for argv in words(kind, path):
        complaint(run(*argv))


@FUZZ
@given(
    entry=st.text(st.characters(exclude_characters="\n"), max_size=30)
    | st.sampled_from(["rounds", "clans", "clans.s1", "talk_waves", "message_length"]).flatmap(
        lambda key: st.text(max_size=12).map(lambda value: f"{key}={value}")
    )
)
def test_any_setting_is_taken_or_refused_in_one_line(entry: str, run: Run) -> None:
    complaint(run("play", "--seats", "2", f"--set={entry}", "--dry-run"))


def test_settings_without_end_are_refused_in_one_line(run: Run) -> None:
    for entry in ("a" + ".a" * 3000 + "=1", f"rounds={NUMBER}", "clans=" + "x" * 100_000, "clans.s1.x=1"):
        ran = run("play", "--seats", "2", f"--set={entry}", "--dry-run")
        assert ran.code == 2
        complaint(ran)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("a = " + "[" * (DEEPEST + 2) + "]" * (DEEPEST + 2), f"more than {DEEPEST} levels"),
        (f"a = {'9' * (LONGEST + 1)}", f"more than {LONGEST} digits"),
        ("a = 0x" + "f" * 5000, f"more than {LONGEST} digits"),
        ("a = 1\nb = [1, 2\n=", "line 3"),
    ],
    ids=["levels", "digits", "hexadecimal", "syntax"],
)
def test_toml_that_nobody_would_write_is_refused_with_the_limit(text: str, says: str) -> None:
    with pytest.raises(BadToml, match=says):
        parsed(text)


def test_toml_within_the_limits_is_read() -> None:
    assert parsed("a = " + "[" * (DEEPEST - 1) + "]" * (DEEPEST - 1))
    assert parsed(f"a = {'9' * LONGEST}") == {"a": int("9" * LONGEST)}


CALL: dict[str, Any] = {
    "kind": "call",
    "id": "s1/setup.1#1",
    "seat": "s1",
    "purpose": "settle",
    "endpoint": "http://127.0.0.1:9/v1#m",
    "status": "done",
    "request": {
        "sha": "0",
        "system": [],
        "turns": [["user", "0"]],
        "schema": "0",
        "max_output": 1,
        "constrained": True,
    },
    "mode": "text",
    "text": "{}",
    "thinking": "",
    "finish": "stop",
    "usage": {"fresh": 1, "cached": 0, "stored": 0, "output": 1, "thinking": 0},
    "provider_id": "",
    "cost": None,
    "estimated": False,
    "latency": 0.1,
    "attempts": [],
    "prefix": [0, 1],
    "at": "",
}
CALLS = (
    "\n".join(map(json.dumps, [{"kind": "calls", "format": 1}, {"kind": "text", "sha": "0", "text": "x"}, CALL])) + "\n"
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=5,
)


@FUZZ
@given(data=st.data())
def test_any_calls_file_is_read_or_refused_in_one_line(data: st.DataObject, run: Run, tmp_path: Path) -> None:
    path, out = tmp_path / "said.jsonl", tmp_path / "out.jsonl"
    if data.draw(st.booleans()):
        path.write_bytes(data.draw(edited(CALLS)))
    else:
        row = json.loads(json.dumps(CALL))
        place = row if data.draw(st.booleans()) else data.draw(st.sampled_from([row["request"], row["usage"]]))
        place[data.draw(st.sampled_from(sorted(place)))] = data.draw(VALUES)
        path.write_text("\n".join([*CALLS.splitlines()[:2], json.dumps(row)]) + "\n", encoding="utf-8")
    out.unlink(missing_ok=True)
    quiet = ("--display", "none", "--no-reveal")
    ran = run("play", "--seats", "2", "--all", CALL["endpoint"], "--replay", path, "--out", out, "--seed", "7", *quiet)
    told = [line for line in ran.err.splitlines() if "go on with" not in line and "log is whole" not in line]
    complaint(Ran(ran.code, ran.out, "\n".join(line for line in told if "the log of what was played" not in line)))
    assert ran.code != 0, "no such file answers a whole game"


@pytest.fixture(scope="module")
def started(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """The beginning of a game."""
    from diplomat.session import play

    path = tmp_path_factory.mktemp("started") / "a.jsonl"
    play("rokugan", {"s1": "random", "s2": "random"}, seed=7, settings={"rounds": 1}, out=path)
    return [json.loads(row) for row in path.read_text(encoding="utf-8").splitlines()[:40]]


def _write(rows: list[dict[str, Any]], path: Path) -> None:
    """The rows with hashes made anew, as somebody with too much time would."""
    raw, before = b"", ""
    for row in rows:
        bare = {key: value for key, value in row.items() if key != "chain"}
        line, before = chained(before, json.dumps(bare, separators=(",", ":")).encode())
        raw += line + b"\n"
    path.write_bytes(raw)


def _option(key: str, rows: list[dict[str, Any]], value: Any) -> None:
    rows[0]["options"][key] = value


Edit = Callable[[list[dict[str, Any]], Any], None]
EDITS: dict[str, Edit] = {
    **{
        f"options.{key}": partial(_option, key)
        for key in ("deadline", "pace", "budget", "patience", "prices", "record", "replay", "fork")
    },
    "seed": lambda rows, value: rows[1]["data"].update(seed=value),
    "meta": lambda rows, value: rows[1].update(meta=value),
    "nonce": lambda rows, value: rows[1]["meta"].update(nonce=value),
    "agent": lambda rows, value: rows[0]["seats"][0].update(agent=value),
    "fork of a parent": lambda rows, value: (
        rows[0].update(parent={"sha256": "0" * 64, "at": 3, "change": "x", "commitment": None}),
        rows[0]["options"].update(fork=value),
    )[0],
}
BAD: tuple[Any, ...] = ("", "\0", -1, [], [None], {}, {"before": 3, "silence": None}, {"before": [], "silence": 3})


@pytest.mark.parametrize("place", EDITS)
def test_a_header_that_no_table_can_be_run_by_is_refused_in_one_line(
    place: str, started: list[dict[str, Any]], run: Run, tmp_path: Path
) -> None:
    for number, value in enumerate(BAD):
        rows = json.loads(json.dumps(started))
        EDITS[place](rows, value)
        path = tmp_path / f"{number}.jsonl"
        _write(rows, path)
        complaint(run("resume", path, "--display", "none", "--no-reveal"))
