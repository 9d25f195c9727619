"""Resume, fork and Ctrl-C of games with models: nothing is sent twice, nothing is overwritten unasked."""

from __future__ import annotations

import fcntl
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from diplomat.session.models import calls_path
from diplomat.testing.loopback import Loopback
from tests.session_models.kit import QUIET, Run, calls, cut, events

SHORT = ("--seats", "2", "--set", "rounds=1", "--seed", "7")


@pytest.fixture
def whole(run: Run, server: Loopback, tmp_path: Path) -> Path:
    """A finished game of two models."""
    path = tmp_path / "whole.jsonl"
    ran = run("play", *SHORT, "--all", f"{server.openai_url}#fake", *QUIET, "--out", path)
    assert ran.code == 0, ran.err
    server.calls.clear()
    return path


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_a_resumed_game_is_the_unbroken_one_and_asks_nothing_twice(
    share: float, run: Run, whole: Path, server: Loopback, tmp_path: Path
) -> None:
    lines = whole.read_text(encoding="utf-8").count("\n")
    log = cut(whole, tmp_path / "a.jsonl", max(3, int(lines * share)))
    ran = run("resume", log, "--display", "none", "--reveal", "--json") if share == 0.5 else run("resume", log, *QUIET)
    assert ran.code == 0, ran.err
    assert events(log) == events(whole)
    assert server.calls == []
    assert run("verify", log).code == 0
    again = run("resume", log, *QUIET)
    assert (again.code, again.out) == (2, "")
    assert "this game is finished; there is nothing to continue" in again.err


def test_a_resumed_game_counts_its_earlier_calls(run: Run, whole: Path, tmp_path: Path) -> None:
    log = cut(whole, tmp_path / "a.jsonl", 40)
    bill = json.loads(run("resume", log, *QUIET, "--json").out)["bill"]
    assert sum(row["calls"] for row in bill) == len(calls(whole))


def test_resume_refuses_what_is_no_such_game_and_touches_nothing(
    run: Run, whole: Path, server: Loopback, tmp_path: Path
) -> None:
    log = cut(whole, tmp_path / "a.jsonl", 60)
    good = log.read_text(encoding="utf-8")
    rows = good.splitlines(keepends=True)
    header = json.loads(rows[0])
    other = json.dumps(header | {"rules_version": 99}) + "\n"
    newer = json.dumps(header | {"format": 99}) + "\n"
    edited = [*rows[:30], rows[30].replace('"n":30', '"n":30 '), *rows[31:]]
    cases = {
        "edited": ("".join(edited), 1),
        "other rules": (other + "".join(rows[1:]), 1),
        "newer": (newer + "".join(rows[1:]), 1),
        "only a header": (rows[0], 1),
        "empty": ("", 1),
        "no log": ("hello\n", 1),
        "a gap": ("".join(rows[:20] + rows[21:]), 1),
    }
    for name, (text, code) in cases.items():
        log.write_text(text, encoding="utf-8")
        ran = run("resume", log, *QUIET)
        assert (ran.code, ran.out) == (code, ""), (name, ran.err)
        assert "a.jsonl" in ran.err, (name, ran.err)
        assert not ran.err.startswith("diplomat: unexpected "), name
        assert log.read_text(encoding="utf-8") == text, name
    ran = run("resume", "none.jsonl", *QUIET)
    assert ran.code in {1, 2}
    assert "none.jsonl" in ran.err
    assert server.calls == []


def test_resume_with_another_player_says_that_this_is_a_fork(run: Run, whole: Path, tmp_path: Path) -> None:
    log = cut(whole, tmp_path / "a.jsonl", 60)
    before = log.read_bytes()
    ran = run("resume", log, "--seat", "s1=random", *QUIET)
    assert (ran.code, ran.out) == (2, "")
    assert f"diplomat fork {log} --at N --seat s1=random -o NEW" in ran.err
    assert log.read_bytes() == before
    assert "--seat" not in run("resume", "--help").out


def test_a_fork_of_an_unfinished_game_suggests_no_private_message(run: Run, whole: Path, tmp_path: Path) -> None:
    log = cut(whole, tmp_path / "a.jsonl", 80)
    sent = [json.loads(row)[3]["id"] for row in events(log) if '"message_sent"' in row]
    private = next(name for name in sent if ">all." not in name)
    ran = run("fork", log, "--drop-message", f"{private}9", "-o", "b.jsonl", *QUIET)
    assert ran.code == 2
    told = set(re.findall(r"s\d+>[\w+]+\.\d+", ran.err)) - {f"{private}9"}
    assert {name for name in told if ">all." not in name} == set()
    assert "--spoilers shows the id" in ran.err


def test_resume_refuses_a_log_that_another_game_writes(run: Run, whole: Path, tmp_path: Path) -> None:
    log = cut(whole, tmp_path / "a.jsonl", 60)
    with log.open("r+b") as held:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        ran = run("resume", log, *QUIET)
    assert (ran.code, ran.out) == (1, "")
    assert "another" in ran.err


def test_resume_at_an_absent_server_leaves_the_log_as_it_is(run: Run, tmp_path: Path) -> None:
    with Loopback(models=("fake",)) as server:
        game = ("play", *SHORT, "--all", f"{server.openai_url}#fake", *QUIET, "--out", "whole.jsonl")
        assert run(*game).code == 0
    log = cut(tmp_path / "whole.jsonl", tmp_path / "a.jsonl", 60)
    before = log.read_bytes()
    ran = run("resume", log, *QUIET)
    assert (ran.code, ran.out) == (1, "")
    assert "cannot be reached" in ran.err
    assert log.read_bytes() == before


def test_a_profile_from_a_file_is_asked_for_and_must_be_the_old_one(run: Run, server: Loopback, tmp_path: Path) -> None:
    source = Path(__file__).parents[2] / "profiles" / "honest.toml"
    text = source.read_text(encoding="utf-8").replace('"honest"', '"mine"', 1)
    (tmp_path / "mine.toml").write_text(text, encoding="utf-8")
    game = ("play", *SHORT, "--seat", f"s1={server.openai_url}#fake:mine.toml", *QUIET, "--out", "whole.jsonl")
    assert run(*game).code == 0
    log = cut(tmp_path / "whole.jsonl", tmp_path / "a.jsonl", 60)
    absent = run("resume", log, *QUIET)
    assert (absent.code, absent.out) == (2, "")
    place = Path(absent.err.partition("put it at ")[2].partition(",")[0])
    assert place.name == "mine.toml"
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text.replace("You are an honest broker.", "You are a broker."), encoding="utf-8")
    changed = run("resume", log, *QUIET)
    assert (changed.code, changed.out) == (1, "")
    assert "was changed since the game began; put back the old one" in changed.err
    place.write_text(text, encoding="utf-8")
    assert run("resume", log, *QUIET).code == 0
    assert events(log) == events(tmp_path / "whole.jsonl")


def test_a_fork_takes_its_parents_calls_and_sends_only_new_ones(
    run: Run, whole: Path, server: Loopback, tmp_path: Path
) -> None:
    at = json.loads(whole.read_text(encoding="utf-8").splitlines()[60])["n"]
    same = run("fork", whole, "--at", str(at), "-o", "same.jsonl", *QUIET)
    assert same.code == 0, same.err
    shared = {call["id"] for call in calls(whole)} & {call["id"] for call in calls(tmp_path / "same.jsonl")}
    assert events(tmp_path / "same.jsonl")[:at] == events(whole)[:at]
    assert 0 < len(server.calls) < len(shared)

    server.calls.clear()
    ran = run("fork", whole, "--at", str(at), "--seat", "s2=scripted:honest", "-o", "kinder.jsonl", *QUIET)
    assert ran.code == 0, ran.err
    assert events(tmp_path / "kinder.jsonl")[:at] == events(whole)[:at]
    old = {call["id"] for call in calls(whole)}
    assert {call.body["model"] for call in server.calls} == {"fake"}
    assert len(server.calls) < len(old)
    for name in ("same.jsonl", "kinder.jsonl"):
        assert run("verify", name).code == 0
    told = run("diff", whole, "kinder.jsonl")
    assert told.code == 1
    assert "part at event " in told.out


@pytest.mark.parametrize("way", ["--record", "--replay"])
def test_a_game_with_a_recording_elsewhere_is_forked_and_resumed_from_it(
    way: str, run: Run, server: Loopback, tmp_path: Path
) -> None:
    game = ("play", *SHORT, "--all", f"{server.openai_url}#fake", *QUIET)
    assert run(*game, "--record", "said.jsonl", "--out", "whole.jsonl").code == 0
    if way == "--replay":
        (tmp_path / "whole.jsonl").unlink()
        assert run(*game, "--replay", "said.jsonl", "--out", "whole.jsonl").code == 0
    server.calls.clear()
    said, whole = (tmp_path / "said.jsonl").read_bytes(), tmp_path / "whole.jsonl"
    ran = run("fork", whole, "--at", "60", "-o", "b.jsonl", *QUIET, "--force")
    assert ran.code == 0, ran.err
    assert 0 < len(server.calls) < sum(b'"kind":"call"' in row for row in said.splitlines())
    assert (tmp_path / "said.jsonl").read_bytes() == said
    assert not (tmp_path / "whole.calls.jsonl").exists()

    server.calls.clear()
    log = cut(whole, tmp_path / "a.jsonl", 60)
    assert run("resume", log, *QUIET).code == 0
    assert events(log) == events(whole)
    assert server.calls == []


def test_a_fork_can_leave_a_message_unsaid_or_take_other_dice(run: Run, whole: Path, tmp_path: Path) -> None:
    sent = [json.loads(row) for row in events(whole)]
    n, message = next((row[0], row[3]["id"]) for row in sent if row[1] == "message_sent")
    ran = run("fork", whole, "--drop-message", message, "-o", "unsaid.jsonl", *QUIET)
    assert ran.code == 0, ran.err
    assert events(tmp_path / "unsaid.jsonl")[: n - 1] == events(whole)[: n - 1]
    assert message not in {json.loads(row)[3].get("id") for row in events(tmp_path / "unsaid.jsonl")[: n + 1]}
    assert run("fork", whole, "--at", "20", "--seed", "other", "-o", "dice.jsonl", *QUIET, "--json").code == 0
    assert run("verify", "dice.jsonl").code == 0


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--at", "0"), "choose from 1 to "),
        (("--at", "99999"), "choose from 1 to "),
        ((), "--at N, from 1 to "),
        (("--drop-message", "s1>s9.1"), "unknown message 's1>s9.1'"),
        (("--drop-message", "s1>all.99"), "the nearest: s1>all."),
        (("--drop-message", "0"), "an id looks like s"),
        (("--drop-message", "s1>s9.1"), "whole.jsonl shows the id behind each message"),
        (("--at", "9", "--seat", "s9=random"), "unknown seat 's9'"),
        (("--at", "9", "--seat", "watcher=random"), "unknown seat 'watcher'. Known: s1, s2, "),
        (("--at", "9", "--seat", "s1=rundom"), "Did you mean 'random'"),
        (("--at", "9", "--seat", "s1=openai:x"), "OPENAI_API_KEY"),
        (("--at", "9", "--seat", "s1"), "write SEAT=AGENT[:PROFILE]"),
    ],
)
def test_a_fork_that_cannot_be_is_refused_before_anything_is_written(
    options: tuple[str, ...], said: str, run: Run, whole: Path, server: Loopback, tmp_path: Path
) -> None:
    before = sorted(tmp_path.iterdir())
    ran = run("fork", whole, *options, "-o", "b.jsonl", *QUIET)
    assert (ran.code, ran.out) == (2, ""), ran.err
    assert said in ran.err
    assert ran.err.count(">") < 8
    assert "watcher" not in ran.err.partition("Known:")[2]
    assert sorted(tmp_path.iterdir()) == before
    assert server.calls == []


@pytest.mark.parametrize("taken", ["b.jsonl", "b.calls.jsonl", "whole.jsonl"])
def test_a_fork_overwrites_nothing_unasked(taken: str, run: Run, whole: Path, server: Loopback, tmp_path: Path) -> None:
    out = "whole.jsonl" if taken == "whole.jsonl" else "b.jsonl"
    if out == "b.jsonl":
        (tmp_path / taken).write_text("mine\n", encoding="utf-8")
    before = {path: path.read_bytes() for path in tmp_path.glob("*.jsonl")}
    ran = run("fork", whole, "--at", "9", "-o", out, *QUIET)
    assert (ran.code, ran.out) == (1, ""), ran.err
    assert taken in ran.err
    assert {path: path.read_bytes() for path in tmp_path.glob("*.jsonl")} == before
    if out == "b.jsonl":
        assert run("fork", whole, "--at", "9", "-o", out, *QUIET, "--force").code == 0


def test_a_log_that_was_changed_is_not_played_on(run: Run, whole: Path, server: Loopback, tmp_path: Path) -> None:
    lines = whole.read_bytes().splitlines(keepends=True)
    number = next(at for at, line in enumerate(lines) if b'"note_sealed"' in line)
    lines[number] = lines[number].replace(b'"text":"', b'"text":"never ', 1)
    edited = tmp_path / "edited.jsonl"
    edited.write_bytes(b"".join(lines))
    before = sorted(tmp_path.iterdir())
    ran = run("fork", edited, "--at", "9", "-o", "b.jsonl", *QUIET)
    assert (ran.code, ran.out) == (1, "")
    assert f"line {number + 1}: the line was changed after it was written" in ran.err
    assert sorted(tmp_path.iterdir()) == before


def test_resume_takes_the_place_of_an_older_page_and_of_no_other_file(run: Run, whole: Path, tmp_path: Path) -> None:
    log = cut(whole, tmp_path / "a.jsonl", 40)
    page = tmp_path / "a.html"
    page.write_text("my notes", encoding="utf-8")
    kept = log.read_bytes()
    ran = run("resume", log, "--display", "none", "--reveal")
    assert (ran.code, ran.out) == (1, "")
    assert "a.html lies where the reveal page goes and is none" in ran.err
    assert (page.read_text(encoding="utf-8"), log.read_bytes()) == ("my notes", kept)
    page.unlink()
    assert run("reveal", log, "-o", page, "--lang", "en").code == 0
    older = page.read_bytes()
    assert run("resume", log, "--display", "none", "--reveal").code == 0
    assert page.read_bytes() != older


def test_two_logs_that_are_equal_are_said_to_be_so(run: Run, whole: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.jsonl"
    copy.write_bytes(whole.read_bytes())
    told = run("diff", whole, copy)
    assert (told.code, told.err) == (0, "")
    assert "the same " in told.out
    assert json.loads(run("diff", whole, copy, "--json").out)["same"] is True
    assert run("diff", whole, "none.jsonl").code in {1, 2}


@pytest.mark.parametrize("times", [1, 2])
def test_ctrl_c_leaves_a_whole_log_that_goes_on_as_if_nothing_had_been(times: int, run: Run, tmp_path: Path) -> None:
    with Loopback(models=("fake",)) as server:
        url, port = server.openai_url, server.port
        game = ("play", *SHORT, "--all", f"{url}#fake", *QUIET)
        assert run(*game, "--out", "whole.jsonl").code == 0
    with Loopback(models=("fake",), port=port, delay=0.2) as server:
        log = tmp_path / "a.jsonl"
        words = [sys.executable, "-m", "diplomat", *game, "--out", str(log)]
        child = subprocess.Popen(words, stderr=subprocess.PIPE, text=True, env=os.environ.copy(), cwd=tmp_path)
        end = time.monotonic() + 60
        while len(server.calls) < 6 and time.monotonic() < end:
            time.sleep(0.02)
        for _ in range(times):
            child.send_signal(signal.SIGINT)
            time.sleep(0.01)
        _, err = child.communicate(timeout=60)
    assert child.returncode == 130, err
    assert "interrupted; the log is whole up to event " in err or times == 2
    assert f"go on with: diplomat resume {log}" in err or times == 2
    assert "Traceback" not in err
    assert run("verify", log).code == 0
    with Loopback(models=("fake",), port=port):
        assert run("resume", log, *QUIET).code == 0
    assert events(log) == events(tmp_path / "whole.jsonl")
    assert calls_path(log).exists()
