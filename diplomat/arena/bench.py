"""How quickly a game is played, on one core: printed, never asserted in a test."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from diplomat.arena.balance import sheet_tables
from diplomat.arena.many import Task
from diplomat.core.sheet import Sheet
from diplomat.core.texts import load_texts
from diplomat.games import find
from diplomat.table.seating import RANDOM, seats_of

if TYPE_CHECKING:
    from rich.table import Table

SECONDS = 5.0
"""How long each kind of game is played for."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How quickly one kind of game went."""

    what: str
    games: int
    decisions: int
    events: int
    seconds: float


@dataclass(frozen=True, slots=True)
class BenchReport:
    """All figures of one benchmark."""

    game: str
    players: int
    paces: tuple[Pace, ...]
    commands: dict[str, float]
    """Whole commands, from start to end, in seconds of the clock on the wall."""

    def as_dict(self) -> dict[str, Any]:
        """The figures as JSON data; rates are per second of one core."""
        return {
            "game": self.game,
            "players": self.players,
            "commands": {name: round(seconds, 3) for name, seconds in self.commands.items()},
            **{
                pace.what: {
                    "games": pace.games,
                    "seconds": round(pace.seconds, 3),
                    "games_per_second": round(pace.games / pace.seconds, 2),
                    "decisions_per_second": round(pace.decisions / pace.seconds),
                    "events_per_second": round(pace.events / pace.seconds),
                }
                for pace in self.paces
            },
        }

    def tables(self, lang: str) -> list[Table]:
        """The figures as a table to print."""
        rows = tuple(
            (
                f"bench.{pace.what}",
                pace.games,
                round(pace.games / pace.seconds, 1),
                round(pace.decisions / pace.seconds),
                round(pace.events / pace.seconds),
            )
            for pace in self.paces
        )
        columns = ("bench.kind", "bench.games", "bench.games_s", "bench.decisions_s", "bench.events_s")
        title = Sheet("bench.title", columns, rows, {"game": self.game, "players": self.players})
        commands = tuple((f"diplomat {name}", round(seconds, 2)) for name, seconds in self.commands.items())
        whole = Sheet("bench.whole", ("bench.command", "bench.seconds"), commands)
        return sheet_tables((title, whole), _name, lang)


def _name(key: str, lang: str) -> str:
    return load_texts("diplomat.arena", "texts", lang).say(key)


def run_bench(game: str, *, players: int | None = None, seconds: float = SECONDS) -> BenchReport:
    """Plays random and scripted games for so many seconds each, and runs whole commands."""
    chosen = find(game)
    size = players if players is not None else chosen.default_seats
    everybody_random = {str(seat): RANDOM for seat in seats_of(size)}
    paces = (
        _pace("random", lambda n: Task(game, f"bench/{n}", everybody_random, size, chosen.quiet), seconds),
        _pace("scripted", lambda n: Task(game, f"bench/{n}", {}, size, chosen.quiet), seconds),
        _pace("talking", lambda n: Task(game, f"bench/{n}", {}, size), seconds),
    )
    return BenchReport(game, size, paces, _commands(game, size))


def _pace(what: str, task: Callable[[int], Task], seconds: float) -> Pace:
    """Games of one kind, each with every seat's and a watcher's view folded to the end."""
    task(0).play()  # the first game loads data files
    games = decisions = events = 0
    began = time.process_time()
    while (spent := time.process_time() - began) < seconds:
        referee = task(games + 1).play()
        for seat in (*referee.seats, None):
            referee.known(seat)
        games += 1
        decisions += referee.answers
        events += len(referee.log)
    return Pace(what, games, decisions, events, spent)


def _commands(game: str, size: int) -> dict[str, float]:
    """How long whole commands take: help, a game with talk, its page and its check."""
    with tempfile.TemporaryDirectory() as folder:
        log = str(Path(folder) / "game.jsonl")
        table = (game, "--seats", str(size), "--seed", "bench", "--display", "none", "--no-reveal", "--out", log)
        return {
            "--help": min(_run("--help") for _ in range(5)),
            "play": _run("play", *table),
            "reveal": _run("reveal", log),
            "verify": _run("verify", log),
        }


def _run(*words: str) -> float:
    began = time.perf_counter()
    subprocess.run([sys.executable, "-m", "diplomat", *words], check=True, capture_output=True)  # noqa: S603 — this very Python
    return time.perf_counter() - began
