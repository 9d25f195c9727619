"""Plays many games one after the other in one process: nothing may be left behind by any of them.

``python -m diplomat.testing.soak --games 1000`` plays full games of five scripted players that talk,
each written to a log, checked and thrown away.  After the first hundred, memory may not have grown by
more than 20 MB, and no file may be open that was not open before the first game.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from diplomat.core.proceedings import MessageSent
from diplomat.session import prepare
from diplomat.table.table import finish
from diplomat.transcript.reader import read

SETTLING = 100
"""Games after which everything that is loaded once has been loaded."""
MOST_GROWTH = 20.0
"""Megabytes that the process may grow by after that."""
MEGABYTE = 1 << 20
PROCESS = Path("/proc/self")


@dataclass
class Wear:
    """What the games left behind."""

    games: int = 0
    events: int = 0
    messages: int = 0
    settled_at: int = SETTLING
    memory: list[float] = field(default_factory=list)
    """Megabytes of the process after each game, garbage collected."""
    objects: list[int] = field(default_factory=list)
    """Python objects alive after each game."""
    files: list[int] = field(default_factory=list)
    """Open files after each game."""
    open_before: int = 0
    faults: list[str] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def growth(self) -> float:
        """Megabytes between the first settled game and the largest after it; 0 if there were too few games."""
        later = self.memory[self.settled_at - 1 :]
        return max(later) - later[0] if later else 0.0

    def judge(self) -> None:
        """Names what was left behind."""
        if self.growth > MOST_GROWTH:
            self.faults.append(f"memory grew by {self.growth:.1f} MB after game {self.settled_at}")
        left = [number for number, count in enumerate(self.files, 1) if count > self.open_before]
        if left:
            self.faults.append(f"{self.files[left[0] - 1] - self.open_before} files open after game {left[0]}")

    def as_dict(self) -> dict[str, Any]:
        """As JSON data."""
        settled = self.settled_at <= len(self.memory)
        return {
            "games": self.games,
            "events": self.events,
            "messages": self.messages,
            "memory_mb": {
                "after_first": round(self.memory[0], 1),
                f"after_{self.settled_at}": round(self.memory[self.settled_at - 1], 1) if settled else None,
                "at_end": round(self.memory[-1], 1),
                "grew": round(self.growth, 1),
            },
            "objects": {"after_first": self.objects[0], "at_end": self.objects[-1]},
            "files_left_open": max(self.files) - self.open_before,
            "faults": self.faults,
            "seconds": round(self.seconds, 1),
        }


def soak(
    folder: Path,
    games: int,
    *,
    seed: str = "soak",
    settled_at: int = SETTLING,
    players: int = 5,
    settings: Mapping[str, Any] | None = None,
    show: bool = False,
) -> Wear:
    """Plays so many games in this process and says what they left behind."""
    wear = Wear(settled_at=settled_at)
    began = time.monotonic()
    wear.open_before = _open_files()
    for number in range(1, games + 1):
        path = folder / "game.jsonl"
        _play(path, f"{seed}/{number}", players, settings, wear)
        path.unlink()
        gc.collect()
        wear.memory.append(_megabytes())
        wear.objects.append(len(gc.get_objects()))
        wear.files.append(_open_files())
        if show and number % 50 == 0:
            sys.stderr.write(f"{number} games, {wear.memory[-1]:.1f} MB, {time.monotonic() - began:.0f} s\n")
    wear.seconds = time.monotonic() - began
    wear.judge()
    return wear


def _play(path: Path, seed: str, players: int, settings: Mapping[str, Any] | None, wear: Wear) -> None:
    session = prepare("rokugan", players=players, seed=seed, settings=settings)
    result = finish(session.play(path))
    log = read(path)
    wear.games += 1
    wear.events += result.events
    wear.messages += sum(isinstance(line.event, MessageSent) for line in log.lines)
    if not log.finished or len(log.lines) != result.events:
        wear.faults.append(f"the log of game {seed} does not hold all of its {result.events} events")


def _megabytes() -> float:
    pages = int((PROCESS / "statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / MEGABYTE


def _open_files() -> int:
    """Files, sockets and pipes that this process holds open, the folder that is being listed included."""
    return len(os.listdir(PROCESS / "fd"))


def main(argv: Sequence[str] | None = None) -> int:
    """The command; exit code 1 if something was left behind."""
    parser = argparse.ArgumentParser(prog="python -m diplomat.testing.soak", description=__doc__)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seed", default="soak")
    asked = parser.parse_args(argv)
    with tempfile.TemporaryDirectory() as folder:
        wear = soak(Path(folder), asked.games, seed=asked.seed, show=True)
    sys.stdout.write(json.dumps(wear.as_dict()) + "\n")
    return 1 if wear.faults else 0


if __name__ == "__main__":
    sys.exit(main())
