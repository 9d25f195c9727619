"""A game that was broken off is continued from its log: what was played is compared, what is new appended."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from diplomat.agents.base import Agent
from diplomat.core.errors import BadTranscript, CannotWrite, DiplomatError, Diverged, UsageError
from diplomat.core.game import Decision, Reply
from diplomat.core.talk import Message
from diplomat.games import find
from diplomat.testing.agents import Chatty, Scripted, silent
from diplomat.testing.masquerade import game as masquerade
from diplomat.testing.walk import AnyGame, seated
from diplomat.transcript.reader import read
from diplomat.transcript.resume import Resumed, resume
from diplomat.transcript.verify import verify
from diplomat.transcript.writer import Writer

from .conftest import AT, header_of, played, rows_of, saved

LATER = "2026-12-01T00:00:00.000+00:00"


class Stop(Exception):
    """The power goes."""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "game.jsonl"


def _quiet() -> Agent:
    return Scripted(silent)


def _continued(
    path: Path, game: AnyGame = masquerade, make: Callable[[], Agent] = _quiet, seats: int = 4, **settings: Any
) -> Resumed:
    """Plays the game of a log again and on to its end."""
    log = resume(path, lambda: LATER)
    try:
        played(seated(game, seats, "7", settings), make, log.hear)
    finally:
        log.close()
    return log


def _compared(path: Path) -> list[tuple[Any, ...]]:
    rows = rows_of(path.read_text(encoding="utf-8"))[1:]
    return [(row["n"], row["kind"], row["to"], row["data"]) for row in rows]


def _state(path: Path) -> tuple[bytes, int, int, list[str]]:
    """All that must not change: bytes, time and inode of the file, and what lies beside it."""
    stat = path.stat()
    return path.read_bytes(), stat.st_mtime_ns, stat.st_ino, sorted(entry.name for entry in path.parent.iterdir())


@pytest.fixture
def half(path: Path, quiet_text: str) -> Path:
    """A log that stops in the middle."""
    rows = quiet_text.splitlines(keepends=True)
    path.write_text("".join(rows[: len(rows) // 2]), encoding="utf-8")
    return path


def test_a_game_stopped_after_any_event_ends_as_if_it_had_never_stopped(
    path: Path, quiet_text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.fsync", lambda _: None)  # the disk itself is not what is tried here
    rows = quiet_text.splitlines(keepends=True)
    whole = [tuple(json.loads(row)[key] for key in ("n", "kind", "to", "data")) for row in rows[1:]]
    for events in range(1, len(rows) - 1):
        path.write_text("".join(rows[: events + 1]), encoding="utf-8")
        log = _continued(path)
        assert (log.written, log.events, log.caught_up) == (events, len(whole), True)
        assert _compared(path) == whole
        assert path.read_text(encoding="utf-8").startswith("".join(rows[: events + 1]))
        verdict = verify(read(path))
        assert (verdict.sound, verdict.finished, verdict.chain) == (True, True, log.chain)
        assert read(path).lines[-1].at == LATER


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_a_game_of_rokugan_with_talk_is_continued(share: float, path: Path, rokugan_text: str) -> None:
    rows = rokugan_text.splitlines(keepends=True)
    path.write_text("".join(rows[: int(len(rows) * share)]) + '{"n":', encoding="utf-8")
    log = _continued(path, find("rokugan"), Chatty, seats=2, rounds=1)
    assert _compared(path) == [
        tuple(row[key] for key in ("n", "kind", "to", "data")) for row in rows_of(rokugan_text)[1:]
    ]
    assert log.repaired is not None
    assert verify(read(path)).sound


def test_a_continued_game_can_be_continued_again(path: Path, quiet_text: str) -> None:
    rows = quiet_text.splitlines(keepends=True)
    path.write_text("".join(rows[:5]), encoding="utf-8")
    for stop in (9, 15, 16):
        log = resume(path, lambda: LATER)

        def hear(n: int, *rest: Any, log: Resumed = log, stop: int = stop) -> None:
            log.hear(n, *rest)
            if n == stop:
                raise Stop

        with pytest.raises(Stop):
            played(seated(masquerade, 4, "7", {}), _quiet, hear)
        log.close()
        assert len(read(path).lines) == stop
        assert verify(read(path)).sound
    _continued(path)
    assert verify(read(path)).finished
    assert len(read(path).lines) == len(rows) - 1


def _talking(decision: Decision[Any]) -> Reply:
    """Plays on as before, but says one thing more."""
    reply = silent(decision)
    return Reply(reply.answer, (Message(("s1",) if decision.request.seat != "s1" else ("s2",), "hidden words"),))


def test_another_game_is_found_at_its_first_other_event_and_nothing_changes(half: Path) -> None:
    before = _state(half)
    with pytest.raises(Diverged, match="played again, the game differs at event") as caught:
        _continued(half, make=lambda: Scripted(_talking))
    fault = caught.value
    line = read(half).lines[fault.n - 1]
    assert fault.line == fault.n + 1 == line.number
    assert f"line {fault.line}: " in str(fault)
    assert str(fault).endswith(f"{line.written['kind']} differs; nothing was written")
    assert "message_sent" in fault.difference
    assert _state(half) == before


def test_the_error_says_nothing_that_is_secret(half: Path) -> None:
    log = resume(half, lambda: LATER)
    with pytest.raises(Diverged) as caught:
        played(seated(masquerade, 4, "other", {}), _quiet, log.hear)
    log.close()
    assert (caught.value.n, caught.value.difference) == (1, 'seed_sealed.seed is "other", not "7"')
    assert "seed_sealed differs" in str(caught.value)
    assert "other" not in str(caught.value)


def test_after_a_difference_nothing_is_taken_any_more(half: Path) -> None:
    log = resume(half, lambda: LATER)
    events = list(read(half).events())
    log.hear(1, events[0])
    with pytest.raises(Diverged):
        log.hear(2, events[0])
    for _ in range(2):
        with pytest.raises(Diverged):
            log.hear(2, events[1])
    log.close()


def test_events_must_come_in_order(half: Path) -> None:
    log = resume(half, lambda: LATER)
    event = next(iter(read(half).events()))
    with pytest.raises(ValueError, match="event 2 cannot follow event 0"):
        log.hear(2, event)
    log.close()


@pytest.mark.parametrize("torn", [b"", b'{"n":99'])
def test_nothing_changes_until_the_first_new_event(torn: bytes, half: Path) -> None:
    half.write_bytes(half.read_bytes() + torn)
    before = _state(half)
    written = list(read(half).events())
    log = resume(half, lambda: LATER)
    for n, event in enumerate(written, start=1):
        log.hear(n, event)
    assert log.caught_up
    assert log.repaired is None
    assert _state(half) == before
    log.close()
    assert _state(half) == before


def test_a_torn_end_is_kept_beside_the_log_once_all_before_it_is_matched(half: Path) -> None:
    whole = half.read_bytes()
    half.write_bytes(whole + b'{"n":99')
    log = _continued(half)
    assert log.repaired is not None
    assert log.repaired.kept.read_bytes() == b'{"n":99'
    assert half.read_bytes().startswith(whole)
    assert verify(read(half)).finished


def _finished(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")


def _first_format(path: Path, text: str) -> None:
    rows = rows_of(text)
    bare = [{key: value for key, value in row.items() if key != "chain"} for row in rows[:9]]
    bare[0]["format"] = 1
    path.write_text("".join(json.dumps(row) + "\n" for row in bare), encoding="utf-8")


def _edited(path: Path, text: str) -> None:
    path.write_text("".join(text.splitlines(keepends=True)[:9]).replace('"at":"2026', '"at":"2025', 1))


def _header_only(path: Path, text: str) -> None:
    path.write_text(text.splitlines(keepends=True)[0] + '{"n":1,"kind":"seed_s')


def _other_rules(path: Path, text: str) -> None:
    rows = rows_of(text)[:9]
    rows[0]["rules_version"] = 9
    saved(path, rows)


@pytest.mark.parametrize(
    ("make", "kind", "why"),
    [
        (_finished, UsageError, "this game is finished; there is nothing to continue"),
        (_first_format, BadTranscript, "format 1 has no hashes; it can be read, but not repaired or continued"),
        (_edited, BadTranscript, "line 2: the line was changed after it was written"),
        (_header_only, BadTranscript, "not even its seed; begin it anew"),
        (_other_rules, Diverged, "played by rules version 9, this program has 1; it can be continued only by"),
        (lambda path, _: path.write_text(""), BadTranscript, "is empty"),
        (lambda path, _: path.write_bytes(b"\xff" * 50 + b"\n"), BadTranscript, "line 1: not UTF-8"),
    ],
)
def test_what_cannot_be_continued_is_left_as_it_is(
    make: Callable[[Path, str], None], kind: type[DiplomatError], why: str, path: Path, quiet_text: str
) -> None:
    make(path, quiet_text)
    before = _state(path)
    with pytest.raises(kind, match=why):
        resume(path, lambda: LATER)
    assert _state(path) == before
    path.unlink()


def test_a_game_that_is_set_up_otherwise_is_refused(half: Path) -> None:
    before = _state(half)
    right = header_of(masquerade, read(half).seats, {}, "7")
    resume(half, lambda: LATER, right).close()
    for field, value in {
        "settings": {"messages": 1},
        "commitment": "0" * 64,
        "lang": "ru",
        "seats": right.seats[:3],
    }.items():
        with pytest.raises(Diverged, match=f"differs at the header: {field} is .*; nothing was written") as caught:
            resume(half, lambda: LATER, right.model_copy(update={field: value}))
        assert (caught.value.n, caught.value.line) == (0, 1)
    assert _state(half) == before
    resume(half, lambda: LATER).close()


HOLD = """
import sys, time
from pathlib import Path
from diplomat.testing.masquerade import game
import diplomat.games
diplomat.games.found = lambda: {game.id: game}
from diplomat.transcript.resume import resume
log = resume(Path(sys.argv[1]), lambda: "now")
print("open", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def holding(half: Path) -> Iterator[subprocess.Popen[str]]:
    """Another process that has the log open to continue it."""
    argv = [sys.executable, "-c", HOLD, str(half)]
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "open\n"
        yield process
        process.kill()


def test_a_second_process_is_told_that_the_log_is_in_use(half: Path, holding: subprocess.Popen[str]) -> None:
    before = _state(half)
    with pytest.raises(CannotWrite, match="is being written by another running game; wait for its end"):
        resume(half, lambda: LATER)
    assert _state(half) == before
    holding.kill()
    holding.wait()
    resume(half, lambda: LATER).close()


def test_a_log_that_is_still_being_written_cannot_be_continued(path: Path) -> None:
    writer = Writer(path, header_of(masquerade, seated(masquerade, 4, "7", {}).seats, {}, "7"), lambda: AT)
    with pytest.raises(CannotWrite, match="is being written by another running game"):
        resume(path, lambda: LATER)
    writer.close()


def test_what_is_no_file_cannot_be_continued(path: Path) -> None:
    with pytest.raises(CannotWrite, match="cannot be continued: No such file"):
        resume(path, lambda: LATER)
    with pytest.raises(CannotWrite, match="cannot be continued: Is a directory"):
        resume(path.parent, lambda: LATER)


KILLED = """
import os, signal, sys
from pathlib import Path
from diplomat.session import prepare
from diplomat.table.table import finish
def hear(referee, n, event):
    if n == int(sys.argv[2]):
        os.kill(os.getpid(), signal.SIGKILL)
session = prepare("rokugan", {"s1": "scripted:honest", "s2": "scripted:gossip"}, seed=7, settings={"rounds": 1})
finish(session.play(Path(sys.argv[1]), hear=hear))
"""


@pytest.mark.parametrize("event", [1, 20, 60])
def test_a_killed_game_leaves_a_whole_log_that_can_be_continued(event: int, path: Path) -> None:
    from diplomat.session import prepare
    from diplomat.table.table import finish

    ran = subprocess.run([sys.executable, "-c", KILLED, str(path), f"{event}"], check=False)
    assert ran.returncode == -signal.SIGKILL
    log = read(path)
    assert (len(log.lines), log.torn, verify(log).sound) == (event, False, True)
    seats = {"s1": "scripted:honest", "s2": "scripted:gossip"}
    table = prepare("rokugan", seats, seed=7, settings={"rounds": 1}).table()
    resumed = resume(path, lambda: LATER)
    table.referee.listen(resumed.hear)
    finish(table.play())
    resumed.close()
    assert verify(read(path)).finished
    assert resumed.events == len(table.referee.log) > event
