"""Kills a game again and again, and goes on with it each time: the log must come out as if nothing had happened.

``python -m diplomat.testing.killing --kills 200`` does it to full games with language models, at
random instants; ``--every-event`` to a small game, once behind each of its events.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from diplomat.llm.known import Known
from diplomat.session import prepare
from diplomat.session.models import Models
from diplomat.session.resume import resume_session
from diplomat.session.session import Session
from diplomat.table.table import finish
from diplomat.testing.loopback import Loopback
from diplomat.transcript.reader import read
from diplomat.transcript.verify import verify

COMPARED = ("n", "kind", "to", "data")
SETTLED = 0
"""Exit code of a child that played to the end."""
LONGEST_LIFE = 0.8
"""Seconds until a kill, from the start of a life or from the first thing that is written in it."""
MOST_LIVES = 400
"""A game that needs more of them does not get on."""


@dataclass
class Fates:
    """What became of the games."""

    games: int = 0
    kills: int = 0
    torn: int = 0
    """Logs that were found with half a line at their end."""
    places: set[tuple[int, int]] = field(default_factory=set)
    """Game, and how many lines its log had when it was killed."""
    differing: list[str] = field(default_factory=list)
    """Games that did not come out as if nothing had happened, with the first event that differs."""
    seconds: float = 0.0

    def as_dict(self) -> dict[str, Any]:
        """As JSON data."""
        return {
            "games": self.games,
            "kills": self.kills,
            "torn": self.torn,
            "places": len(self.places),
            "differing": self.differing,
            "seconds": round(self.seconds, 1),
        }


def compared(path: Path) -> list[dict[str, Any]]:
    """The compared part of a log's events, whole lines only."""
    rows = path.read_bytes().split(b"\n")[1:-1]
    return [{key: json.loads(row)[key] for key in COMPARED} for row in rows]


def every_event(folder: Path, *, seed: str = "kill", fates: Fates | None = None) -> Fates:
    """A small game of scripted players, killed behind each of its events."""
    found = fates or Fates()
    began = time.monotonic()
    session = _small(seed)
    whole = folder / "whole.jsonl"
    finish(session.play(whole))
    wanted = compared(whole)
    for n in range(1, len(wanted) + 1):
        path = folder / f"killed-{n}.jsonl"
        _life(partial(_play_to, session, path, n))
        found.kills += 1
        _finish(path, wanted, found)
        path.unlink()
    found.games += len(wanted)
    found.seconds += time.monotonic() - began
    return found


def at_random(folder: Path, *, kills: int, seed: int = 0, fates: Fates | None = None, port: int = 0) -> Fates:
    """Full games of five language models that talk, killed at random instants until so many kills are done."""
    found = fates or Fates()
    began, chance, number = time.monotonic(), random.Random(seed), 0
    while found.kills < kills:
        number += 1
        with Loopback(port=port, faults=0.05, seed=number) as server:
            port = server.port
            session = _talking(server.openai_url, f"kill/{seed}/{number}")
            whole = folder / f"whole-{number}.jsonl"
            asyncio.run(session.play(whole))
        wanted = compared(whole)
        path = folder / f"killed-{number}.jsonl"
        work: Callable[[], Any] = partial(_begin, session, path)
        for _ in range(MOST_LIVES):
            after = chance.uniform(0.02, LONGEST_LIFE) if found.kills < kills else None
            # Half of the lives end anywhere, while the game is read again too; the others get a little further.
            growing = path if chance.random() < 0.5 else None
            # A server that has never seen a prompt gives the same reply to it as the first one did.
            with Loopback(port=port, faults=0.05, seed=number):
                ended = _life(work, after, growing)
            if ended:
                break
            found.kills += 1
            found.places.add((number, _lines(path)))
            if _lines(path) < 2:
                path.unlink(missing_ok=True)
                _calls(path).unlink(missing_ok=True)
                continue
            work = partial(_go_on, path)
            found.torn += not path.read_bytes().endswith(b"\n")
            if read(path).finished:
                break  # killed between its last event and its last breath
        else:
            found.differing.append(f"{path.name}: not at its end after {MOST_LIVES} lives")
        _judge(path, wanted, found)
        found.games += 1
    found.seconds += time.monotonic() - began
    return found


def _calls(path: Path) -> Path:
    from diplomat.session.models import calls_path

    return calls_path(path)


def _small(seed: str) -> Session:
    return prepare("rokugan", 2, seed=seed, settings={"rounds": 1})


def _talking(url: str, seed: str) -> Session:
    return prepare(
        "rokugan",
        players=5,
        seed=seed,
        everyone=f"{url}#fake",
        settings={"rounds": 3},
        models=Models(pace="plan", desk={"known": Known(on_disk=False)}),
    )


def _play_to(session: Session, path: Path, last: int) -> None:
    """Plays and dies behind an event."""

    def hear(_referee: Any, n: int, _event: Any) -> None:
        if n == last:
            os.kill(os.getpid(), signal.SIGKILL)

    finish(session.play(path, hear=hear))


def _begin(session: Session, path: Path) -> None:
    asyncio.run(session.play(path))


def _go_on(path: Path) -> None:
    asyncio.run(resume_session(path).play(path, going_on=True))


def _lines(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else 0


def _life(work: Callable[[], Any], after: float | None = None, growing: Path | None = None) -> bool:
    """Runs it in a process of its own, killed after so many seconds; whether it came to its end.

    ``growing``: the seconds count from when this log gets its next line.
    """
    before = _lines(growing) if growing is not None else 0
    sys.stdout.flush()
    sys.stderr.flush()
    child = os.fork()
    if child == 0:
        code = 1
        try:
            work()
            code = SETTLED
        except BaseException as fault:  # noqa: BLE001 — the child says what it was and is gone
            sys.stderr.write(f"{type(fault).__name__}: {fault}\n")
            sys.stderr.flush()
        finally:
            os._exit(code)
    if after is not None:
        while growing is not None and _lines(growing) == before and not _is_over(child):
            time.sleep(0.01)
        time.sleep(after)
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    if os.WIFEXITED(status) and os.WEXITSTATUS(status) != SETTLED:
        raise RuntimeError(f"the game ended with exit code {os.WEXITSTATUS(status)}")
    return os.WIFEXITED(status)


def _is_over(child: int) -> bool:
    """Whether a child has ended; it is still to be waited for."""
    return os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def _finish(path: Path, wanted: Sequence[dict[str, Any]], found: Fates) -> None:
    found.torn += not path.read_bytes().endswith(b"\n")
    if not read(path).finished:
        finish(resume_session(path).play(path, going_on=True))
    _judge(path, wanted, found)


def _judge(path: Path, wanted: Sequence[dict[str, Any]], found: Fates) -> None:
    got = compared(path)
    if got != wanted:
        part = next((n for n, (one, two) in enumerate(zip(got, wanted, strict=False), 1) if one != two), None)
        found.differing.append(f"{path.name}: event {part or min(len(got), len(wanted)) + 1}")
    elif not verify(read(path)).sound:
        found.differing.append(f"{path.name}: not sound")


def main(argv: Sequence[str] | None = None) -> int:
    """The command; exit code 1 if a game did not come out as if nothing had happened."""
    parser = argparse.ArgumentParser(prog="python -m diplomat.testing.killing", description=__doc__)
    parser.add_argument("--kills", type=int, default=200, help="at random instants of full games")
    parser.add_argument("--every-event", action="store_true", help="a small game, once behind each event")
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args(argv)
    with tempfile.TemporaryDirectory() as folder:
        if asked.every_event:
            fates = every_event(Path(folder))
        else:
            fates = at_random(Path(folder), kills=asked.kills, seed=asked.seed)
    sys.stdout.write(json.dumps(fates.as_dict()) + "\n")
    return 1 if fates.differing else 0


if __name__ == "__main__":
    sys.exit(main())
