"""How language models are called in a game: pace, money, recordings."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

from diplomat.core.errors import OutputExists, UnknownName, UsageError
from diplomat.core.proceedings import (
    AnswerGiven,
    AnswerRefused,
    Defaulted,
    DefaultExplained,
    MessageReturned,
    MessageSent,
    NoteReturned,
    NoteSealed,
    PlanReturned,
    PlanSealed,
    PledgeReturned,
)
from diplomat.llm.answers import Settled
from diplomat.llm.base import Call, Completion
from diplomat.llm.names import Endpoint
from diplomat.llm.totals import Tally
from diplomat.session.kept import kept_options
from diplomat.session.places import found, noted
from diplomat.table.seating import Chair
from diplomat.transcript.reader import Transcript

if TYPE_CHECKING:
    from diplomat.agents.llm.asks import Asks
    from diplomat.llm.desk import Desk

Pace = Literal["step", "plan"]
PACES: tuple[str, ...] = get_args(Pace)


@dataclass(frozen=True)
class Models:
    """How models are called; all of it stands in the header, so that a resumed game does the same."""

    pace: str = "step"
    """``step`` asks before every move, ``plan`` asks for several at once."""
    budget: float | None = None
    """USD that one game may cost, None for no limit."""
    prices: Path | None = None
    """The user's own price table."""
    record: Path | None = None
    """Where calls are written down; None: beside the transcript."""
    replay: Path | None = None
    """A calls file that answers instead of any server."""
    patience: float = 120.0
    """Seconds without any answer from any model until the game stops, resumable."""
    constrained: bool = True
    """Whether servers are asked to hold replies to a schema; off: models see the menu and answer freely."""
    sending: bool = True
    """Whether anything will be sent; off for a forecast, which needs no key and no local model."""
    desk: Mapping[str, Any] = field(default_factory=dict)
    """Further options of the desk, for tests and benchmarks."""

    def check(self, endpoints: tuple[Endpoint, ...]) -> None:
        """Everything that can be wrong before the first call: UsageError says what would be right."""
        if self.pace not in PACES:
            raise UnknownName("pace", self.pace, PACES)
        if self.replay is not None:
            if not self.replay.is_file():
                raise UsageError(f"there is no recording {self.replay}; --replay takes a file that --record wrote")
            if self.record is not None and self.record == self.replay:
                raise UsageError(f"{self.replay} cannot be played from and recorded to at once; name two files")
            return
        from diplomat.llm.budget import Budget
        from diplomat.llm.keys import key_of
        from diplomat.llm.prices import Prices
        from diplomat.llm.pricing import Costs

        for endpoint in endpoints if self.sending else ():
            if endpoint.kind == "local":
                from diplomat.llm.local import missing

                if (why := missing()) is not None:
                    raise UsageError(why)
            else:
                key_of(endpoint)
        Costs(endpoints, Prices.load(self.prices), Budget(self.budget))

    def options(self, log: Path | None = None) -> dict[str, Any]:
        """What of it stands in the header of a transcript; files are named as seen from the ``log``."""
        return {
            "pace": self.pace,
            "budget": self.budget,
            "patience": self.patience,
            "constrained": self.constrained,
            "record": noted(self.record, log),
            "replay": noted(self.replay, log),
            "prices": noted(self.prices, log),
        }


class Unbound:
    """A desk whose calls ask no server to hold the reply to a schema."""

    def __init__(self, desk: Asks) -> None:
        self._desk = desk

    async def ask(self, endpoint: Endpoint, call: Call) -> Completion:
        """The desk's answer to the same call, made freely."""
        return await self._desk.ask(endpoint, replace(call, constrained=False))


@contextmanager
def served(endpoints: tuple[Endpoint, ...], *, running: bool) -> Iterator[Mapping[Endpoint, Endpoint]]:
    """Every endpoint with its address: the local model is started first, and stopped in the end."""
    local = [endpoint for endpoint in endpoints if endpoint.kind == "local" and endpoint.base_url is None]
    if not (local and running):
        yield {endpoint: endpoint for endpoint in endpoints}
        return
    from diplomat.llm.local import LocalServer

    with LocalServer() as server:
        yield {endpoint: endpoint.at(server.url) if endpoint in local else endpoint for endpoint in endpoints}


def calls_path(transcript: Path) -> Path:
    """Where the calls of a game lie: beside its transcript.

    >>> calls_path(Path("games/a.jsonl")).name
    'a.calls.jsonl'
    """
    return transcript.with_name(f"{transcript.name.removesuffix('.jsonl')}.calls.jsonl")


_OF_A_REPLY = (
    AnswerRefused,
    MessageSent,
    MessageReturned,
    PledgeReturned,
    PlanSealed,
    PlanReturned,
    NoteSealed,
    NoteReturned,
)
"""What of a reply stands in a log before its answer."""


def settled(transcript: Transcript, to: int | None = None, also: str | None = None) -> Settled:
    """The questions that a log has done with: all others are asked anew, failures in between forgotten.

    A reply of which some event lies within the first ``to`` belongs to them as a whole, and so does the
    question ``also`` (``SEAT/REQUEST``).
    """
    answered, expired, begun = {also} if also else set(), set(), set()
    for n, event in enumerate(transcript.events(), start=1):
        within = to is None or n <= to
        seat = getattr(event, "seat", getattr(event, "sender", None))
        if isinstance(event, _OF_A_REPLY) and within:
            begun.add(seat)
        if isinstance(event, Defaulted) and within:
            # Why it was taken stands in the next line, if that was still written.
            answered.add(f"{event.seat}/{event.request}")
            expired.add(f"{event.seat}/{event.request}")
        elif isinstance(event, DefaultExplained) and event.problem.code != "out_of_time":
            expired.discard(f"{event.seat}/{event.request}")
        elif isinstance(event, AnswerGiven) and (within or seat in begun):
            answered.add(f"{event.seat}/{event.request}")
            begun.discard(seat)
    return Settled(frozenset(answered), frozenset(expired))


def recorded(transcript: Transcript) -> Path:
    """Where the calls of a saved game stand: where it was told to record, else beside it."""
    options = kept_options(transcript)
    named = options.get("record") or options.get("replay")
    return found(named, transcript.path) or calls_path(transcript.path)


def take_calls(parent: Transcript, out: Path, done: Settled, *, force: bool) -> None:
    """Copies a parent's recorded calls beside a fork: those of the questions that both have in common."""
    source, target = recorded(parent), calls_path(out)
    if not source.exists():
        return
    if target.exists() and not force:
        raise OutputExists(f"{target} exists already; choose another name, or overwrite it with --force")
    with source.open("rb") as lines, target.open("wb") as copy:
        for line in lines:
            data = json.loads(line) if line.endswith(b"\n") else {}
            if data.get("kind") != "call" or data["id"].rpartition("#")[0] in done.answered:
                copy.write(line if data else b"")


def bill_of(desk: Desk, chairs: Iterable[Chair]) -> tuple[Tally, ...]:
    """What each model's seat was asked and what it cost; a seat that was never asked stands there with no calls."""
    sums = desk.totals()
    asked = {tally.seat for tally in sums}
    silent = [Tally(chair.seat, "") for chair in chairs if chair.endpoint is not None and chair.seat not in asked]
    return tuple(sorted((*sums, *silent), key=lambda tally: (tally.seat, tally.purpose)))


def desk_for(
    models: Models,
    endpoints: tuple[Endpoint, ...],
    out: Path | None,
    seed: str,
    *,
    force: bool = False,
    done: Settled | None = None,
) -> Desk:
    """The desk through which all calls of one game go; ``done``: what a game that goes on has behind it."""
    from diplomat.llm.budget import Budget
    from diplomat.llm.desk import Desk
    from diplomat.llm.prices import Prices

    record = models.record or (calls_path(out) if out is not None else None)
    return Desk(
        endpoints,
        prices=Prices.load(models.prices),
        budget=Budget(models.budget),
        record=record,
        replay=models.replay,
        seed=f"{seed}/waits",
        patience=models.patience,
        force=force,
        resume=done is not None,
        settled=done,
        **models.desk,
    )
