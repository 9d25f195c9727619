"""What a log and its calls file say, and games that do not wait long."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from diplomat.llm.base import Timeouts
from diplomat.llm.retry import Policy
from diplomat.session import Session, prepare
from diplomat.session.models import Models, calls_path
from diplomat.transcript.reader import read
from diplomat.transcript.verify import verify

SECRETS = {"OPENAI_API_KEY": "sk-proj-0penaiSecretKey42", "ANTHROPIC_API_KEY": "anthropicSecretKey42"}
QUIET = ("--display", "none", "--no-reveal")
SHORT = {"rounds": 1, "talk_waves": 1}
"""Settings of a game with few questions."""
QUICK = Policy(attempts=2, total=2.0, first=0.01, most=0.02)


@dataclass(frozen=True)
class Ran:
    code: int
    out: str
    err: str


class Run(Protocol):
    """The command line with these words; paths may be given as they are."""

    def __call__(self, *argv: str | Path) -> Ran: ...


def hasty(
    model: str, *, players: int = 2, seats: dict[str, str] | None = None, silence: float = 20.0, **settings: Any
) -> Session:
    """A game of one model, with hardly a wait between attempts; ``silence``: seconds that a server may be quiet."""
    return prepare(
        "rokugan",
        seats or {},
        players=players,
        seed="7",
        settings=SHORT | settings,
        everyone=model,
        models=Models(
            patience=0.5, desk={"policy": QUICK, "timeouts": Timeouts(connect=5.0, idle=silence, total=2 * silence)}
        ),
    )


def events(log: Path) -> list[str]:
    """What must be the same when a game is played again: events with their audience and data."""
    rows = [json.loads(row) for row in log.read_text(encoding="utf-8").splitlines()[1:]]
    return [json.dumps([row["n"], row["kind"], row["to"], row["data"]], ensure_ascii=False) for row in rows]


def calls(log: Path) -> list[dict[str, Any]]:
    """The calls of a game, without the texts they refer to."""
    rows = [json.loads(row) for row in calls_path(log).read_text(encoding="utf-8").splitlines()]
    return [row for row in rows if row["kind"] == "call"]


def cut(log: Path, copy: Path, lines: int) -> Path:
    """The beginning of a log with all of its calls, as a game that was broken off leaves them."""
    copy.write_text("".join(log.read_text(encoding="utf-8").splitlines(keepends=True)[:lines]), encoding="utf-8")
    if calls_path(log).exists():
        calls_path(copy).write_bytes(calls_path(log).read_bytes())
    return copy


@dataclass(frozen=True)
class Audit:
    """A log that was checked by the rules, held against its calls."""

    finished: bool
    answered: dict[str, Any]
    """What each question was answered with, by the player or as its default."""
    defaulted: set[str]
    codes: Counter[str]
    asked: set[str]
    """Questions that a model was called for, as ``SEAT/REQUEST``."""


def audited(log: Path) -> Audit:
    """Everything that was played is legal, and every default is explained."""
    transcript = read(log)
    checked = verify(transcript)
    assert checked.sound, checked.difference
    rows = [line.written for line in transcript.lines]

    def questions(kind: str) -> list[str]:
        return [f"{row['data']['seat']}/{row['data']['request']}" for row in rows if row["kind"] == kind]

    answers = [row["data"] for row in rows if row["kind"] == "answer_given"]
    explained = [row["data"]["problem"]["code"] for row in rows if row["kind"] == "default_explained"]
    assert sorted(questions("default_explained")) == sorted(questions("defaulted"))
    return Audit(
        checked.finished,
        {f"{given['seat']}/{given['request']}": given["answer"] for given in answers},
        set(questions("defaulted")),
        Counter(explained),
        {call["id"].rpartition("#")[0] for call in calls(log)},
    )
