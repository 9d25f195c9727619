"""Real processes: interrupts, closed pipes, terminals."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import diplomat

if TYPE_CHECKING:
    from .conftest import Run

ROOT = str(Path(diplomat.__file__).parents[1])
SLOW = """
import sys, time
from diplomat.cli import main
from diplomat.core.game import Reply
from diplomat.games import find

class Slow:
    def __init__(self, seat, profile, lang): pass
    def decide(self, decision):
        time.sleep(0.02)
        return Reply(decision.question.menu.sample(decision.die("answer")))

find("rokugan").bots["slow"] = Slow
sys.exit(main(["play", "--seat", "s1=slow", "--seat", "s2=slow", "--seats", "2", *sys.argv[1:]]))
"""


def env(**more: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": ROOT, "PYTHONUNBUFFERED": "1", **more}


def command(*argv: str | Path) -> list[str]:
    return [sys.executable, "-m", "diplomat", *[str(arg) for arg in argv]]


POOR = {"PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii", "LC_ALL": "C"}


@pytest.mark.parametrize(("lang", "warned"), [("ru", 1), ("en", 0)])
@pytest.mark.parametrize("display", ["plain", "rich"])
def test_a_terminal_without_cyrillic_is_told_so_once_and_lines_step_down(
    display: str, lang: str, warned: int, tmp_path: Path, run: Run
) -> None:
    words = ("play", "--lang", lang, "--display", display, "--seats", "2", "--set", "rounds=1", "--seed", "7")
    ran = subprocess.run(
        command(*words, "--delay", "0", "--no-reveal", "--out", tmp_path / "a.jsonl"),
        env=env(**POOR),
        capture_output=True,
        check=True,
    )
    out, err = ran.stdout.decode("ascii"), ran.stderr.decode("ascii")
    assert (out + err).count("ascii cannot show Cyrillic letters") == err.count("LC_ALL=C.UTF-8") == warned
    whole = run(*words, "--delay", "0", "--no-reveal", "--out", tmp_path / "b.jsonl")
    asked = (whole.out + whole.err).count("?")
    lost = (out + err).replace("come out as ?", "").count("?") - asked
    assert (lost > 0) == bool(warned)
    assert "-- " in err
    assert "---" in err


@pytest.mark.parametrize("display", ["none", "plain"])
def test_an_interrupt_leaves_a_whole_log_and_says_where(tmp_path: Path, display: str, run: Run) -> None:
    out = tmp_path / "a.jsonl"
    process = subprocess.Popen(
        [sys.executable, "-c", SLOW, "--out", str(out), "--display", display, "--no-reveal"],
        env=env(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    until = time.monotonic() + 20
    while time.monotonic() < until and not (out.exists() and out.read_text(encoding="utf-8").count("\n") > 40):
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=20)
    assert process.returncode == 130
    *told, said, how = err.splitlines()
    assert bool(told) == (display == "plain")
    assert said.startswith("diplomat: interrupted; the log is whole up to event ")
    assert how == f"diplomat: go on with: diplomat resume {out}"
    assert str(out) in said
    text = out.read_text(encoding="utf-8")
    assert text.endswith("\n")
    rows = [json.loads(row) for row in text.splitlines()]
    assert f"event {rows[-1]['n']}:" in said
    verified = run("verify", out)
    assert verified.code == 0
    assert "not finished" in verified.out
    assert verified.err == ""


def complaints_after_one_line(process: subprocess.Popen[str]) -> str:
    """Reads one line of stdout and goes away; what the process then says on stderr until it ends."""
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    with process.stderr as err:
        return err.read()


@pytest.mark.parametrize("argv", [["replay"], ["replay", "--as", "watcher"]], ids=" ".join)
def test_a_closed_pipe_ends_quietly(log: Path, argv: list[str]) -> None:
    process = subprocess.Popen(
        command(*argv, log), env=env(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert complaints_after_one_line(process) == ""
    assert process.wait(timeout=20) == 0


QUICK = ("--seats", "2", "--seat", "s1=random", "--seat", "s2=random", "--set", "rounds=1", "--no-reveal")


@pytest.mark.parametrize("left", ["stdout", "stderr"])
def test_a_game_whose_reader_left_is_played_to_its_end(tmp_path: Path, left: str) -> None:
    out = tmp_path / "a.jsonl"
    process = subprocess.Popen(
        [sys.executable, "-c", SLOW, "--out", str(out), "--set", "rounds=1", "--no-reveal"],
        env=env(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    gone, kept = (process.stdout, process.stderr) if left == "stdout" else (process.stderr, process.stdout)
    if left == "stderr":
        gone.readline()
    gone.close()
    with kept:
        said = kept.read()
    assert process.wait(timeout=30) == 0
    assert json.loads(out.read_text(encoding="utf-8").splitlines()[-1])["kind"] == "game_opened"
    if left == "stderr":
        assert said.startswith("Result\n")
        assert f"Transcript: {out}" in said
    else:
        assert "── Round 1 of 1" in said
        assert "diplomat: " not in said


@pytest.mark.parametrize("redirected", ["2>&-", "2>/dev/full", "2>/dev/null"])
def test_a_game_that_cannot_be_told_still_gives_its_result(tmp_path: Path, redirected: str) -> None:
    words = command("play", *QUICK, "--out", tmp_path / "a.jsonl")
    ran = subprocess.run(
        ["sh", "-c", f'exec "$@" {redirected}', "sh", *words], env=env(), capture_output=True, text=True, check=False
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.startswith("Result\n")


def test_a_redirected_result_leaves_the_game_on_the_terminal(tmp_path: Path) -> None:
    """The display looks at where the game is told: colour there, none in the file."""
    result = tmp_path / "result.txt"
    words = command("play", *QUICK, "--delay", "0", "--out", tmp_path / "a.jsonl")
    shown = on_a_terminal(["sh", "-c", f'exec "$@" >{result}', "sh", *words], TERM="xterm-256color")
    assert "── Round 1 of 1" in shown
    assert "\x1b[1m" in shown
    assert "Transcript:" not in shown
    text = result.read_text(encoding="utf-8")
    assert text.startswith("Result\n")
    assert "\x1b" not in text


def test_a_redirected_game_leaves_the_result_on_the_terminal(tmp_path: Path) -> None:
    told = tmp_path / "story.txt"
    words = command("play", *QUICK, "--delay", "0", "--out", tmp_path / "a.jsonl")
    shown = on_a_terminal(["sh", "-c", f'exec "$@" 2>{told}', "sh", *words], TERM="xterm-256color")
    assert "Round 1 of 1" not in shown
    assert "\x1b[1m" in shown
    assert "Transcript:" in shown
    story = told.read_text(encoding="utf-8")
    assert "── Round 1 of 1" in story
    assert "\x1b" not in story


def test_on_one_terminal_the_result_follows_the_game(tmp_path: Path) -> None:
    words = command("play", *QUICK, "--delay", "0", "--out", tmp_path / "a.jsonl")
    lines = on_a_terminal(words, TERM="dumb").split("\r\n")
    result = lines.index("Result")
    assert lines[result - 1] == ""
    assert lines[result - 2].endswith(".")
    assert any(line.startswith("── Round 1 of 1") for line in lines[:result])
    assert any(line.startswith("Transcript:") for line in lines[result:])


def on_a_terminal(words: Sequence[str], **more: str) -> str:
    """What a program writes to a terminal on which all its streams lie."""
    master, slave = pty.openpty()
    process = subprocess.Popen(words, env=env(**more), stdin=slave, stdout=slave, stderr=slave)
    os.close(slave)
    chunks = []
    while True:
        try:
            chunk = os.read(master, 65536)
        except OSError:
            break
        if not chunk:
            break
        chunks.append(chunk)
    os.close(master)
    assert process.wait(timeout=20) == 0
    return b"".join(chunks).decode("utf-8")


def test_colour_on_a_terminal_and_none_where_it_is_unwanted(log: Path) -> None:
    argv = command("replay", log, "--as", "watcher", "--to", "20")
    assert "\x1b[1m" in on_a_terminal(argv, TERM="xterm-256color")
    for more in ({"NO_COLOR": "1"}, {"TERM": "dumb"}, {"CI": "true"}):
        assert "\x1b" not in on_a_terminal(argv, **{"TERM": "xterm", **more})
    assert on_a_terminal([*argv, "--display", "none"], TERM="xterm") == ""


def test_hostile_text_is_harmless_in_colour_too(log: Path) -> None:
    shown = on_a_terminal(command("replay", log), TERM="xterm-256color")
    assert "\x1b[" in shown
    assert "[bold]x[/b]" in shown
    for raw in ("\x1b]", "\x07", "\u202e"):
        assert raw not in shown


@pytest.mark.parametrize("whom", ["itself", "with its processes"])
def test_an_interrupted_command_of_several_processes_ends_at_once_and_says_so(whom: str) -> None:
    """A terminal's Ctrl-C reaches the processes that share the work as well."""
    process = subprocess.Popen(
        [sys.executable, "-m", "diplomat", "balance", "rokugan", "--games", "5000", "--jobs", "2"],
        env=env(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert process.stderr is not None
    first = process.stderr.readline()
    if whom == "itself":
        process.send_signal(signal.SIGINT)
    else:
        os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert (process.returncode, out) == (130, "")
    assert "/5000" in first
    assert err.splitlines()[-1] == "diplomat: interrupted"
    assert "Traceback" not in err
    with pytest.raises(ProcessLookupError):
        _wait_for_nobody(process.pid)


def _wait_for_nobody(group: int) -> None:
    """Looks for a process of the group until there is none: ProcessLookupError."""
    until = time.monotonic() + 10
    while time.monotonic() < until:
        os.killpg(group, 0)
        time.sleep(0.05)
