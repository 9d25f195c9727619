"""What a game's calls add up to, per seat and purpose."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from diplomat.llm.entries import Entry


@dataclass(slots=True)
class Tally:
    """Sums over calls; tokens as the provider counted them."""

    seat: str
    purpose: str
    calls: int = 0
    done: int = 0
    failed: int = 0
    expired: int = 0
    retries: int = 0
    """Attempts that failed in passing."""
    fresh: int = 0
    cached: int = 0
    stored: int = 0
    output: int = 0
    thinking: int = 0
    cost: Decimal | None = Decimal(0)
    """USD; None if a call has no known price."""
    estimated: int = 0
    """Calls whose cost is only bounded, since nobody said what was used."""
    sent_before: int = 0
    """Characters of the prompts that an earlier prompt began with."""
    sent: int = 0
    """All characters of the prompts."""
    latencies: list[float] = field(default_factory=list)
    """Seconds of each call that was answered."""

    def add(self, entry: Entry) -> None:
        """Counts one call."""
        self.calls += 1
        setattr(self, entry.status, getattr(self, entry.status) + 1)
        self.retries += len(entry.attempts)
        self.estimated += entry.estimated
        self.cost = None if self.cost is None or entry.cost is None else self.cost + entry.cost
        self.sent_before += entry.prefix[0]
        self.sent += entry.prefix[1]
        if entry.completion is not None:
            usage = entry.completion.usage
            self.fresh += usage.fresh
            self.cached += usage.cached
            self.stored += usage.stored
            self.output += usage.output
            self.thinking += usage.thinking
            self.latencies.append(round(entry.latency, 4))

    def as_dict(self) -> dict[str, Any]:
        """The sums as JSON data; costs in USD, latencies in seconds."""
        return {
            "seat": self.seat,
            "purpose": self.purpose,
            **{name: getattr(self, name) for name in _SUMS},
            "cost": None if self.cost is None else float(self.cost),
            "latency_mean": self.latency_mean,
            "latency_p95": self.latency_p95,
            "prefix_share": self.prefix_share,
        }

    @property
    def input(self) -> int:
        """All input tokens."""
        return self.fresh + self.cached + self.stored

    @property
    def latency_mean(self) -> float | None:
        """Mean seconds of an answered call; None if there is none."""
        return sum(self.latencies) / len(self.latencies) if self.latencies else None

    @property
    def latency_p95(self) -> float | None:
        """Seconds within which 95 of 100 calls were answered."""
        ranked = sorted(self.latencies)
        return ranked[-(-len(ranked) * 95 // 100) - 1] if ranked else None

    @property
    def prefix_share(self) -> float | None:
        """Share of the prompts, by length, that an earlier prompt to the same model began with."""
        return self.sent_before / self.sent if self.sent else None


def tallies(entries: Iterable[Entry]) -> tuple[Tally, ...]:
    """One tally per seat and purpose, sorted; independent of the order of the calls."""
    found: dict[tuple[str, str], Tally] = {}
    for entry in sorted(entries, key=lambda entry: entry.id):
        key = (entry.seat, entry.purpose)
        found.setdefault(key, Tally(*key)).add(entry)
    return tuple(found[key] for key in sorted(found))


_SUMS = (
    "calls", "done", "failed", "expired", "retries", "fresh", "cached", "stored", "output", "thinking", "estimated",
    "sent_before", "sent",
)  # fmt: skip


def whole(parts: Iterable[Tally], seat: str = "", purpose: str = "") -> Tally:
    """All tallies added up."""
    total = Tally(seat, purpose)
    for part in parts:
        for name in _SUMS:
            setattr(total, name, getattr(total, name) + getattr(part, name))
        total.cost = None if total.cost is None or part.cost is None else total.cost + part.cost
        total.latencies.extend(part.latencies)
    return total
