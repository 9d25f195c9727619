"""Takes model servers away from running games: none may be lost, and none may wait for a seat that is dead.

``python -m diplomat.testing.outages`` plays with the real SDKs against a server on this machine that is
stopped and started again, through four mishaps: an outage that ends, one that does not, one seat
whose server is dead for good, and an answer that does not come within the deadline.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import io
import json
import os
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from diplomat.core.errors import Unreachable
from diplomat.core.proceedings import AnswerGiven, Defaulted, DefaultExplained, MessageSent
from diplomat.llm.calls import Calls
from diplomat.llm.retry import Policy
from diplomat.session import Session, prepare
from diplomat.session.models import Models, calls_path
from diplomat.session.resume import resume_session
from diplomat.testing.killing import compared
from diplomat.testing.loopback import Loopback
from diplomat.testing.loopback.desk import Call
from diplomat.transcript.reader import Transcript, read
from diplomat.transcript.verify import verify

QUICK = Policy(attempts=3, total=5.0, first=0.1, most=0.4)
"""One eighth or so of the usual waits."""
SHORT = {"rounds": 1, "talk_waves": 1}
OUTAGE = 3.0
"""Seconds without a server in the middle of a game."""
DEADLINE = 6.0
"""Seconds for each answer: long enough for a good one on a busy machine."""
Finding = dict[str, Any]


class Line:
    """A server that can be taken away and given back at the same address; each has forgotten the one before."""

    def __init__(self) -> None:
        self._server = Loopback(seed=1, retry_after=0.0, models=("fake", "slow")).start()
        self.url = self._server.openai_url
        self.calls: list[Call] = []
        self.server: Loopback | None = self._server

    def down(self) -> None:
        """Takes it away."""
        self.calls += self._server.calls
        self._server.stop()
        self.server = None

    def up(self) -> Loopback:
        """Gives it back."""
        self._server = self.server = Loopback(port=self._server.port, seed=1, retry_after=0.0, models=("fake", "slow"))
        return self._server.start()

    def __enter__(self) -> Line:
        return self

    def __exit__(self, *_: object) -> None:
        if self.server is not None:
            self.down()


def _table(url: str, patience: float, **changes: Any) -> Session:
    asked: dict[str, Any] = {"players": 3, "seed": "outage", "everyone": f"{url}#fake", "settings": SHORT}
    models = Models(patience=patience, desk={"policy": QUICK})
    return prepare("rokugan", **(asked | changes), models=models)


def _at_event(number: int, do: Callable[[], None]) -> Callable[[Any, int, Any], None]:
    """Listens to a game, and does something behind an event."""

    def hear(_referee: Any, n: int, _event: Any) -> None:
        if n == number:
            do()

    return hear


def _at_length(path: Path, events: int, do: Callable[[], None]) -> threading.Thread:
    """Watches a log from outside, and does something once it holds so many events."""

    def watch() -> None:
        while not path.exists() or path.read_bytes().count(b"\n") <= events:
            time.sleep(0.002)
        do()

    thread = threading.Thread(target=watch)
    thread.start()
    return thread


def _played(session: Session, path: Path) -> tuple[str, str]:
    """Plays as the command does: why the game stopped, and what was said then."""
    from diplomat.cli.playing import Playing

    told = io.StringIO()
    try:
        with contextlib.redirect_stdout(told), contextlib.redirect_stderr(told):
            Playing(session, path, force=False, display="none", reveal=False, as_json=False).run()
    except Unreachable as fault:
        return str(fault), told.getvalue()
    return "", told.getvalue()


def _middle(folder: Path, line: Line) -> tuple[list[dict[str, Any]], int]:
    """The unbroken game, and an event in the middle of its talk."""
    whole = folder / "whole.jsonl"
    if not whole.exists():
        asyncio.run(_table(line.url, 60.0).play(whole))
    said = [row.n for row in read(whole).lines if isinstance(row.event, AnswerGiven)]
    return compared(whole), said[len(said) // 2]


def _end(path: Path, wanted: Sequence[Mapping[str, Any]]) -> Finding:
    return {"equal": compared(path) == list(wanted), "sound": verify(read(path)).sound}


def outage_that_ends(folder: Path) -> Finding:
    """No model answers for some seconds: the game waits with growing pauses, takes no default and goes on."""
    path = folder / "ends.jsonl"
    with Line() as line:
        wanted, at = _middle(folder, line)
        line.down()
        line.up()
        back = threading.Timer(OUTAGE, line.up)

        def cut_off() -> None:
            line.down()
            back.start()

        began = time.monotonic()
        asyncio.run(_table(line.url, 60.0).play(path, hear=_at_event(at, cut_off)))
        back.join()
        seconds = time.monotonic() - began
    entries = Calls.load(calls_path(path)).entries.values()
    attempts = [attempt for entry in entries for attempt in entry.attempts]
    found = _end(path, wanted) | {
        "outage": OUTAGE,
        "attempts_in_vain": len(attempts),
        "waited_between_them": round(sum(attempt.waited for attempt in attempts), 1),
        "defaults": len(_defaults(read(path))),
        "seconds": round(seconds, 1),
    }
    # Three seats that wait at least half of the first pause between attempts.
    most = 3 * (OUTAGE / (QUICK.first / 2) + 1)
    good = found["equal"] and found["sound"] and not found["defaults"] and 0 < len(attempts) <= most
    return found | {"good": good}


def outage_that_lasts(folder: Path) -> Finding:
    """No model answers for longer than the game's patience: it stops, resumable, as often as it has to."""
    path = folder / "lasts.jsonl"
    with Line() as line:
        wanted, at = _middle(folder, line)
        line.down()
        line.up()
        watching = _at_length(path, at, line.down)
        stopped, told = _played(_table(line.url, 1.0), path)
        watching.join()
        log, before = read(path), path.read_bytes()
        kept = len(log.lines)
        found: Finding = {"stopped": stopped, "kept": kept, "of": len(wanted)}
        found["whole"] = not log.torn and at <= kept and compared(path) == wanted[:kept] and verify(log).sound
        found["says_how_to_go_on"] = f"diplomat resume {path}" in told
        found["resumed_too_early"], _ = _command("resume", path)
        found["untouched"] = path.read_bytes() == before
        found["defaults"] = len(_defaults(log))
        line.up()
        found["resumed"], _ = _command("resume", path)
    found |= _end(path, wanted)
    good = bool(stopped) and found["whole"] and found["resumed_too_early"] == 1 and found["says_how_to_go_on"]
    return found | {
        "good": good and found["resumed"] == 0 and found["equal"] and found["sound"] and not found["defaults"]
    }


def one_dead_seat(folder: Path) -> Finding:
    """One seat's server is dead from the start: its defaults are public, and the others are asked on without it."""
    path, alive = folder / "dead.jsonl", folder / "alive.jsonl"
    times: dict[str, tuple[float, float]] = {}
    with Line() as line, socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))  # bound and not listening: every connection is refused
        dead = f"http://127.0.0.1:{closed.getsockname()[1]}/v1#fake"
        games: tuple[tuple[str, Path, dict[str, str]], ...] = (("alive", alive, {}), ("dead", path, {"s2": dead}))
        for name, out, seats in games:
            since, began = len(_calls(line)), time.monotonic()
            asyncio.run(_table(line.url, 60.0, seats=seats).play(out))
            called = sorted((call.began, call.ended or call.began) for call in _calls(line)[since:])
            gaps = [later[0] - max(one[1] for one in called[: n + 1]) for n, later in enumerate(called[1:])]
            times[name] = time.monotonic() - began, max(0.0, *gaps)
    log = read(path)
    defaulted = [str(event.seat) for event in _defaults(log)]
    why = {event.problem.code for event in log.events() if isinstance(event, DefaultExplained)}
    asked = {entry.seat for entry in Calls.load(calls_path(path)).entries.values() if entry.status == "done"}
    found = {
        "defaults_of_the_dead": defaulted.count("s2"),
        "defaults_of_others": len(defaulted) - defaulted.count("s2"),
        "public": all(event.audience().seats is None for event in _defaults(log)),
        "why": sorted(why),
        "others_answered": sorted(asked),
        "seconds": {name: round(seconds, 1) for name, (seconds, _) in times.items()},
        "longest_wait_of_others": {name: round(gap, 1) for name, (_, gap) in times.items()},
        "sound": verify(log).sound,
    }
    good = found["sound"] and found["public"] and set(defaulted) == {"s2"} and asked == {"s1", "s3"}
    # All attempts of one call and what comes with them; after that the dead server is left alone.
    return found | {"good": good and times["dead"][1] < times["alive"][1] + QUICK.total}


def late_answer(folder: Path) -> Finding:
    """An answer that misses the deadline is a default, whatever comes later, also when the game is played again."""
    path, again = folder / "late.jsonl", folder / "again.jsonl"
    with Line() as line:
        assert line.server is not None
        line.server.script("ok", "hang", only='"slow"')
        session = _table(line.url, 60.0, seats={"s2": f"{line.url}#slow"}, deadline=DEADLINE)
        asyncio.run(session.play(path))
        hung_up = [call.gone for call in line.server.calls if call.fault == "hang"]
        log = read(path)
        place = next((row.n for row in log.lines if isinstance(row.event, Defaulted)), 0)
        request = next((row.event.request for row in log.lines if isinstance(row.event, Defaulted)), "")
        _cut(path, again, place + 3)
        line.down()
        line.up()
        asyncio.run(resume_session(again).play(again, going_on=True))
    expired = [entry for entry in Calls.load(calls_path(again)).entries.values() if entry.status == "expired"]
    spoke = [row.n for row in log.lines if isinstance(row.event, MessageSent) and place < row.n < place + 3]
    found = _end(again, compared(path)) | {
        "deadline": DEADLINE,
        "defaulted": request,
        "why": [event.problem.code for event in log.events() if isinstance(event, DefaultExplained)],
        "hung_up": hung_up,
        "expired_calls": [entry.id for entry in expired],
    }
    good = found["equal"] and found["sound"] and found["why"] == ["out_of_time"] and hung_up == [True] and not spoke
    return found | {"good": good and [f"s2/{request}#1"] == found["expired_calls"]}


def _calls(line: Line) -> list[Call]:
    return [*line.calls, *(line.server.calls if line.server is not None else [])]


def _defaults(log: Transcript) -> list[Defaulted]:
    return [event for event in log.events() if isinstance(event, Defaulted)]


def _cut(log: Path, copy: Path, events: int) -> None:
    """The log as it was behind an event, beside all calls of the game."""
    copy.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[: events + 1]))
    calls_path(copy).write_bytes(calls_path(log).read_bytes())


def _command(name: str, path: Path) -> tuple[int, str]:
    """Exit code of a command on a log, and what it said."""
    from diplomat.cli import main as command

    text = io.StringIO()
    with contextlib.redirect_stdout(text), contextlib.redirect_stderr(text):
        code = command([name, str(path), "--display", "none", "--no-reveal"])
    return code, text.getvalue()


MISHAPS: Mapping[str, Callable[[Path], Finding]] = {
    mishap.__name__: mishap for mishap in (outage_that_ends, outage_that_lasts, one_dead_seat, late_answer)
}
"""All mishaps by name."""


def main(argv: Sequence[str] | None = None) -> int:
    """The command; exit code 1 if a game did not come through as it should."""
    parser = argparse.ArgumentParser(prog="python -m diplomat.testing.outages", description=__doc__)
    parser.add_argument("--only", choices=sorted(MISHAPS), help="one of the mishaps")
    asked = parser.parse_args(argv)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["DIPLOMAT_HOME"] = folder  # what is found out about this server is nobody's business
        results = {name: mishap(Path(folder)) for name, mishap in MISHAPS.items() if asked.only in (None, name)}
    sys.stdout.write(json.dumps(results) + "\n")
    return 0 if all(result["good"] for result in results.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
