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
    assert err.count("\n") == 1
    assert err.startswith("diplomat: interrupted; the log is whole up to event ")
    assert str(out) in err
    text = out.read_text(encoding="utf-8")
    assert text.endswith("\n")
    rows = [json.loads(row) for row in text.splitlines()]
    assert f"event {rows[-1]['n']}:" in err
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


def test_a_game_whose_reader_left_is_played_to_its_end(tmp_path: Path) -> None:
    out = tmp_path / "a.jsonl"
    process = subprocess.Popen(
        [sys.executable, "-c", SLOW, "--out", str(out), "--set", "rounds=1", "--no-reveal"],
        env=env(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert complaints_after_one_line(process) == ""
    assert process.wait(timeout=30) == 0
    assert json.loads(out.read_text(encoding="utf-8").splitlines()[-1])["kind"] == "game_opened"


def on_a_terminal(argv: Sequence[str | Path], **more: str) -> str:
    """What a command writes when stdout is a terminal."""
    master, slave = pty.openpty()
    process = subprocess.Popen(command(*argv), env=env(**more), stdin=slave, stdout=slave, stderr=slave)
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
    argv: list[str | Path] = ["replay", log, "--as", "watcher", "--to", "20"]
    assert "\x1b[1m" in on_a_terminal(argv, TERM="xterm-256color")
    for more in ({"TERM": "xterm", "NO_COLOR": "1"}, {"TERM": "dumb"}, {"TERM": "xterm", "CI": "true"}):
        assert "\x1b" not in on_a_terminal(argv, **more)
    assert on_a_terminal([*argv, "--display", "none"], TERM="xterm") == ""


def test_hostile_text_is_harmless_in_colour_too(log: Path) -> None:
    shown = on_a_terminal(["replay", log], TERM="xterm-256color")
    assert "\x1b[" in shown
    assert "[bold]x[/b]" in shown
    for raw in ("\x1b]", "\x07", "\u202e"):
        assert raw not in shown
