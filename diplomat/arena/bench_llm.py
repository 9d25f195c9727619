"""What the harness adds to the time and the tokens of language models, against a loopback server.

Printed, never asserted in a test.  The server runs in a process of its own, so that its work is not
counted as ours; it answers after a fixed delay.
"""

from __future__ import annotations

import asyncio
import gc
import json
import os
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from diplomat.arena.balance import sheet_tables
from diplomat.arena.naive import NaiveShare
from diplomat.arena.parts import Parts
from diplomat.core.sheet import Sheet
from diplomat.core.texts import load_texts
from diplomat.llm.known import Known
from diplomat.llm.totals import whole
from diplomat.session import Session, prepare
from diplomat.session.models import Models

if TYPE_CHECKING:
    from rich.table import Table

PLAYERS = 5
PACES = ("step", "plan")
TABLES = 64
"""Tables played at once in one process."""
MEGABYTE = 1024 * 1024
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class WaitReport:
    """One table at a fixed delay."""

    pace: str
    waves: int
    """Waves of questions that waited for a model."""
    seconds: float
    critical: float
    """Waves times the delay."""


@dataclass(frozen=True, slots=True)
class ManyReport:
    """Many tables at once."""

    tables: int
    seconds: float
    one: float
    """Seconds of one table alone."""
    megabytes: float
    """Growth of memory, per table."""


@dataclass(frozen=True, slots=True)
class TokenReport:
    """Calls and tokens of one game; tokens as the server counts them."""

    pace: str
    calls: int
    decisions: int
    total: int
    cached: int
    prefix: float
    """Share of the input that lay in a prefix already sent."""
    naive: int
    """What a client that sends everything anew would send."""

    @property
    def fresh(self) -> int:
        """Tokens that no earlier prompt began with."""
        return round(self.total * (1 - self.prefix))


@dataclass(frozen=True, slots=True)
class CpuReport:
    """Processor time per decision, in milliseconds."""

    decisions: int
    whole: float
    parts: dict[str, float]


@dataclass(frozen=True, slots=True)
class LlmReport:
    """All figures."""

    waits: tuple[WaitReport, ...]
    many: ManyReport
    cpu: CpuReport
    tokens: tuple[TokenReport, ...]

    def as_dict(self) -> dict[str, Any]:
        """The figures as JSON data: seconds, milliseconds of processor time, tokens."""
        return {
            "waits": [
                {"pace": w.pace, "waves": w.waves, "seconds": w.seconds, "ratio": w.seconds / w.critical}
                for w in self.waits
            ],
            "many": {
                "tables": self.many.tables,
                "seconds": self.many.seconds,
                "one": self.many.one,
                "ratio": self.many.seconds / self.many.one,
                "megabytes_per_table": self.many.megabytes,
            },
            "cpu_ms": {"decisions": self.cpu.decisions, "whole": self.cpu.whole, **self.cpu.parts},
            "tokens": [
                {
                    "pace": t.pace,
                    "calls": t.calls,
                    "decisions": t.decisions,
                    "total": t.total,
                    "cached": t.cached,
                    "fresh": t.fresh,
                    "prefix_share": t.prefix,
                    "naive": t.naive,
                    "fresh_of_naive": t.fresh / t.naive,
                }
                for t in self.tokens
            ],
        }

    def tables(self, lang: str) -> list[Table]:
        """The figures as tables to print."""
        waits = Sheet(
            "llm.waits",
            ("llm.pace", "llm.waves", "llm.seconds", "llm.critical", "llm.ratio"),
            tuple(
                (w.pace, w.waves, round(w.seconds, 2), round(w.critical, 2), round(w.seconds / w.critical, 3))
                for w in self.waits
            ),
        )
        many = Sheet(
            "llm.many",
            ("llm.tables", "llm.seconds", "llm.one", "llm.ratio", "llm.megabytes"),
            (
                (
                    self.many.tables,
                    round(self.many.seconds, 1),
                    round(self.many.one, 1),
                    round(self.many.seconds / self.many.one, 2),
                    round(self.many.megabytes, 2),
                ),
            ),
        )
        cpu = Sheet(
            "llm.cpu",
            ("llm.part", "llm.ms"),
            (
                ("llm.whole", round(self.cpu.whole, 2)),
                *((f"llm.{name}", round(value, 2)) for name, value in self.cpu.parts.items()),
            ),
        )
        tokens = Sheet(
            "llm.tokens",
            ("llm.pace", "llm.calls", "llm.total", "llm.cached", "llm.fresh", "llm.prefix", "llm.naive", "llm.share"),
            tuple(
                (t.pace, t.calls, t.total, t.cached, t.fresh, round(100 * t.prefix, 1), t.naive,
                 round(100 * t.fresh / t.naive, 1))
                for t in self.tokens
            ),
        )  # fmt: skip
        return sheet_tables((waits, many, cpu, tokens), _name, lang)


def _name(key: str, lang: str) -> str:
    return load_texts("diplomat.arena", "texts", lang).say(key)


def run_llm_bench(game: str = "rokugan", *, progress: Progress | None = None, tables: int = TABLES) -> LlmReport:
    """Plays against a loopback server of its own; takes some minutes, most of them waiting."""
    tell = progress or (lambda _done, _of: None)
    tell(0, 6)
    with _server(0.0) as url:
        cpu = _cpu(game, url)
        tell(1, 6)
        tokens = tuple(_tokens(game, url, pace) for pace in PACES)
        tell(2, 6)
    waits = []
    for number, pace in enumerate(PACES):
        with _server(1.0) as url:
            waits.append(_wait(game, url, pace, 1.0))
        tell(3 + number, 6)
    with _server(2.0) as url:
        many = _many(game, url, tables)
    tell(6, 6)
    return LlmReport(tuple(waits), many, cpu, tokens)


def _session(game: str, url: str, pace: str, seed: str) -> Session:
    return prepare(
        game,
        players=PLAYERS,
        seed=seed,
        everyone=f"{url}/v1#fake",
        settings={"talk_waves": 1},
        models=Models(pace=pace, desk={"known": Known(on_disk=False)}),
    )


@contextmanager
def _server(delay: float) -> Iterator[str]:
    """A loopback server in a process of its own."""
    command = [sys.executable, "-m", "diplomat.testing.loopback", "--port", "0", "--delay", str(delay)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:  # noqa: S603 — this very Python
        try:
            assert process.stdout is not None
            yield process.stdout.readline().split()[-1].rstrip("/").removesuffix("/v1")
        finally:
            process.terminate()


def _stats(url: str) -> dict[str, Any]:
    with urllib.request.urlopen(f"{url}/stats", timeout=10) as answer:  # noqa: S310 — loopback, started above
        stats: dict[str, Any] = json.load(answer)
    return stats


def _wait(game: str, url: str, pace: str, delay: float) -> WaitReport:
    asyncio.run(_warm(game, url))
    with Parts() as parts:
        began = time.perf_counter()
        asyncio.run(_session(game, url, pace, "bench/wait").play())
        seconds = time.perf_counter() - began
    return WaitReport(pace, parts.waves, seconds, parts.waves * delay)


async def _warm(game: str, url: str) -> None:
    """Loads what the first call loads: SDK, templates, data files."""
    session = prepare(
        game, players=2, seed="warm", everyone=f"{url}/v1#fake", settings={"talk_waves": 0, "rounds": 1},
        models=Models(pace="plan", desk={"known": Known(on_disk=False)}),
    )  # fmt: skip
    await session.play()


def _cpu(game: str, url: str) -> CpuReport:
    asyncio.run(_warm(game, url))
    with Parts() as parts:
        began = time.process_time()
        asyncio.run(_session(game, url, "step", "bench/cpu").play())
        spent = time.process_time() - began
    per = 1000 / max(1, parts.decisions)
    named = {name: value * per for name, value in parts.spent.items()}
    return CpuReport(parts.decisions, spent * per, {**named, "sdk": spent * per - sum(named.values())})


def _tokens(game: str, url: str, pace: str) -> TokenReport:
    before = _stats(url)
    session = _session(game, url, pace, "bench/tokens")
    with NaiveShare(session) as naive:
        result = asyncio.run(session.play())
    after, sums = _stats(url), whole(result.bill)
    return TokenReport(
        pace=pace,
        calls=sums.calls,
        decisions=naive.decisions,
        total=after["input"] - before["input"],
        cached=after["cached"] - before["cached"],
        prefix=sums.prefix_share or 0.0,
        naive=naive.tokens,
    )


def _many(game: str, url: str, tables: int) -> ManyReport:
    asyncio.run(_warm(game, url))
    began = time.perf_counter()
    asyncio.run(_session(game, url, "plan", "bench/many/0").play())
    one = time.perf_counter() - began
    gc.collect()
    before = _memory()
    began = time.perf_counter()
    most = asyncio.run(_together([_session(game, url, "plan", f"bench/many/{n}") for n in range(tables)]))
    seconds = time.perf_counter() - began
    return ManyReport(tables, seconds, one, (most - before) / MEGABYTE / tables)


async def _together(sessions: Sequence[Session]) -> int:
    """Plays all at once; the most memory that was in use, in bytes."""
    most = _memory()

    async def watch() -> None:
        nonlocal most
        while True:
            most = max(most, _memory())
            await asyncio.sleep(0.5)

    watching = asyncio.create_task(watch())
    try:
        await asyncio.gather(*(session.play() for session in sessions))
    finally:
        watching.cancel()
    return max(most, _memory())


def _memory() -> int:
    """Memory of this process in bytes, as the operating system counts it."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
