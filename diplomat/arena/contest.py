"""How strong the scripted players are, and how true to their characters.

With Wilson intervals (95 %): games won against random players, two at a table and one against all
the others; and per profile the games won and the promises kept in games with talk.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from diplomat.agents import profile as profiles
from diplomat.arena.balance import sheet_tables, sheets_as_dict
from diplomat.arena.many import Progress, Task, play_many
from diplomat.core.sheet import Sheet
from diplomat.core.texts import load_texts
from diplomat.games import find
from diplomat.table.referee import Referee
from diplomat.table.seating import RANDOM, SCRIPTED, seats_of

if TYPE_CHECKING:
    from rich.table import Table


def wilson(hits: float, count: int, z: float = 1.96) -> tuple[float, float]:
    """The Wilson interval of a share (Wilson 1927), as fractions; (0, 1) for no observations.

    >>> [round(bound, 3) for bound in wilson(8, 10)]
    [0.49, 0.943]
    """
    if count == 0:
        return (0.0, 1.0)
    share = hits / count
    middle = share + z * z / (2 * count)
    spread = z * math.sqrt(share * (1 - share) / count + z * z / (4 * count * count))
    return ((middle - spread) / (1 + z * z / count), (middle + spread) / (1 + z * z / count))


@dataclass(frozen=True, slots=True)
class Ended:
    """What is kept of one game."""

    shares: Mapping[str, float]
    """Each seat's share of the victory."""
    words: Mapping[str, Mapping[str, int]]
    """How each seat's promises ended, by status."""


def _ended(referee: Referee[Any, Any]) -> Ended:
    outcome = referee.outcome()
    assert outcome is not None
    ledger = referee.game.pledges.ledger(referee.seats)
    for event in referee.log:
        ledger.hear(event)
    words: dict[str, Mapping[str, int]] = {
        seat: Counter(one.status for one in ledger.made if one.debtor == seat) for seat in referee.seats
    }
    shares: dict[str, float] = {seat: (seat in outcome.winners) / len(outcome.winners) for seat in referee.seats}
    return Ended(shares, words)


def against_random(
    game: str, players: int, games: int, jobs: int, progress: Progress | None = None
) -> tuple[float, int]:
    """Games won by one scripted player against random ones, the seat going round; and games played."""
    seats = seats_of(players)
    tasks: list[Task] = []
    ours: list[str] = []
    for number in range(games):
        mine = seats[number % players]
        ours.append(mine)
        filled = {str(seat): SCRIPTED if seat == mine else RANDOM for seat in seats}
        tasks.append(Task(game, f"contest/{players}/{number}", filled, players, find(game).quiet))
    won = sum(end.shares[mine] for mine, end in zip(ours, play_many(tasks, _ended, jobs, progress), strict=True))
    return won, games


def characters(game: str, games: int, jobs: int, progress: Progress | None = None) -> Sheet:
    """Per profile: games, games won, promises that came to an end and those kept."""
    size = find(game).default_seats
    tasks = [Task(game, f"characters/{number}", {}, size) for number in range(games)]
    played: dict[str, int] = dict.fromkeys(profiles.paths(), 0)
    won: dict[str, float] = dict.fromkeys(profiles.paths(), 0.0)
    words: dict[str, Counter[str]] = {name: Counter() for name in profiles.paths()}
    for task, end in zip(tasks, play_many(tasks, _ended, jobs, progress), strict=True):
        for chair in task.session().chairs:
            if chair.profile is None:
                continue
            played[chair.profile.id] += 1
            won[chair.profile.id] += end.shares[chair.seat]
            words[chair.profile.id].update(end.words[chair.seat])
    rows = tuple(
        (
            name,
            played[name],
            *_percent(won[name], played[name]),
            words[name]["kept"] + words[name]["broken"],
            *_percent(words[name]["kept"], words[name]["kept"] + words[name]["broken"]),
        )
        for name in sorted(words, key=lambda name: -_share(words[name]))
    )
    columns = ("profile", "played", "won", "won_interval", "promises", "kept", "kept_interval")
    return Sheet("contest.characters", tuple(f"contest.{column}" for column in columns), rows, {"games": games})


def _share(words: Mapping[str, int]) -> float:
    judged = words.get("kept", 0) + words.get("broken", 0)
    return words.get("kept", 0) / judged if judged else 0.0


def _percent(hits: float, count: int) -> tuple[float, str]:
    low, high = wilson(hits, count)
    return (round(100 * hits / count, 1) if count else 0.0, f"{100 * low:.1f}–{100 * high:.1f}")


def strength(game: str, games: int, jobs: int, progress: Progress | None = None) -> Sheet:
    """One scripted player against random ones, at the smallest and at the largest table."""
    sizes = find(game).seats
    rows = []
    for players in dict.fromkeys((sizes[0], sizes[-1])):
        won, played = against_random(game, players, games, jobs, progress)
        rows.append((str(players), played, *_percent(won, played)))
    columns = ("contest.players", "contest.played", "contest.won", "contest.won_interval")
    return Sheet("contest.strength", columns, tuple(rows), {"games": games})


@dataclass(frozen=True, slots=True)
class ContestReport:
    """Both tables."""

    game: str
    games: int
    sheets: tuple[Sheet, ...]

    def as_dict(self) -> dict[str, Any]:
        """The figures as JSON data."""
        return {"game": self.game, "games": self.games, **sheets_as_dict(self.sheets)}

    def tables(self, lang: str) -> list[Table]:
        """The figures as tables to print."""
        return sheet_tables(self.sheets, lambda key, lang: load_texts("diplomat.arena", "texts", lang).say(key), lang)


def run_contest(game: str, *, games: int = 200, jobs: int = 1, progress: Progress | None = None) -> ContestReport:
    """Plays ``games`` games of each kind and counts; the figures do not depend on ``jobs``."""
    return ContestReport(game, games, (strength(game, games, jobs, progress), characters(game, games, jobs, progress)))
