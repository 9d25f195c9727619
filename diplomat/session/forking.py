"""Sets up a game that leaves a saved one at some event."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from diplomat.core.audience import Seat
from diplomat.core.errors import BadTranscript
from diplomat.session.fork import changed_chairs, fork_of
from diplomat.session.resume import session_of
from diplomat.session.session import Session
from diplomat.table.seating import Chair, chairs
from diplomat.transcript.reader import Transcript, read
from diplomat.transcript.replay import seat_named


def forked(
    path: Path,
    at: int | None = None,
    *,
    seats: Mapping[str, str] | None = None,
    seed: str | None = None,
    drop: str | None = None,
) -> Session:
    """The session of a game that is played on from event ``at`` of a log with one thing changed.

    ``seats`` maps seats or roles to ``AGENT[:PROFILE]``; ``drop`` is the id of a message that is not
    sent.  UsageError and UnknownName say what does not fit, BadTranscript that the log was changed after the game.
    """
    parent = read(path)
    if parent.chain is not None and parent.chain.broken:
        line = parent.chain.broken
        raise BadTranscript(f"{path}, line {line}: {parent.chain.why}; only a whole log can be played on", line)
    session = session_of(parent)
    now, before = changed_chairs(session.chairs, _newcomers(parent, session, seats or {}))
    fork = fork_of(parent, at, before=before, seed=seed, drop=drop)
    # Its calls are a file of its own: the parent's, wherever it lies, is only read.
    models = replace(session.models, record=None, replay=None)
    session = replace(session, chairs=now, fork=fork, parent=parent, models=models)
    session.models.check(session.endpoints)
    return session


def _newcomers(parent: Transcript, session: Session, wishes: Mapping[str, str]) -> dict[Seat, Chair]:
    """Who takes over which seat."""
    placed: dict[Seat, str] = {}
    for name, wish in wishes.items():
        placed[seat_named(parent, name)] = wish
    seated = chairs(session.game, session.seats, placed, session.lang, session.seed)
    return {chair.seat: chair for chair in seated if chair.seat in placed}
