"""A game that was broken off, set up again from its log."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from diplomat.agents import profile as profiles
from diplomat.agents.profile import Profile
from diplomat.agents.shelf import folders
from diplomat.core.audience import Seat
from diplomat.core.errors import BadTranscript, Diverged, UsageError
from diplomat.core.proceedings import SeedSealed
from diplomat.llm.names import is_model_name, parse
from diplomat.session.fork import Fork, Silenced
from diplomat.session.kept import kept_options
from diplomat.session.models import Models
from diplomat.session.places import found
from diplomat.session.session import Session
from diplomat.table.seating import RANDOM, Chair
from diplomat.transcript.reader import Transcript, read
from diplomat.transcript.schema import SeatEntry


def resume_session(
    path: Path, *, prices: Path | None = None, budget: float | None = None, record: Path | None = None
) -> Session:
    """The session of an unfinished log, to be played with ``going_on``.

    ``budget`` replaces the limit of the whole game, what was spent before included.  ``prices`` and
    ``record`` say where these files are now, if not where the log expects them.  Errors:
    UsageError for a finished game or an agent that cannot be seated again, BadTranscript for a log
    that cannot be read, Diverged for a profile that was changed since.
    """
    transcript = read(path)
    if transcript.finished:
        raise UsageError(f"{path}: this game is finished; there is nothing to continue")
    session = session_of(transcript, prices=prices, budget=budget, record=record)
    _look_for_files(session, path)
    session.models.check(session.endpoints)
    return session


def _look_for_files(session: Session, path: Path) -> None:
    """Without calls that were recorded elsewhere, all would be made and paid anew; without prices, what holds?"""
    needed = {"record": session.models.record, "prices": session.models.prices}
    for name, file in needed.items() if session.endpoints else ():
        if file is not None and not file.exists():
            what = "calls of this game were recorded" if name == "record" else "prices of this game stand"
            raise UsageError(
                f"{path}: the {what} in {file.name}, which is not there ({file}); "
                f"put it beside the log, or say where it is: --{name} FILE"
            )


def session_of(
    transcript: Transcript, *, prices: Path | None = None, budget: float | None = None, record: Path | None = None
) -> Session:
    """The very same table again: players, settings, seed, and how models were called."""
    header = transcript.header
    if not transcript.lines or not isinstance(transcript.lines[0].event, SeedSealed):
        raise BadTranscript(f"{transcript.path}: not even the seed was written; begin the game anew", 2)
    options = kept_options(transcript)
    usual = Models()
    return Session(
        game=transcript.game,
        settings=transcript.settings,
        chairs=tuple(_chair(transcript, entry) for entry in header.seats),
        seed=transcript.lines[0].event.seed,
        lang=header.lang,
        deadline=options.get("deadline"),
        models=Models(
            pace=options.get("pace", usual.pace),
            budget=budget if budget is not None else options.get("budget"),
            prices=prices or found(options.get("prices"), transcript.path),
            patience=options.get("patience", usual.patience),
            constrained=options.get("constrained", usual.constrained),
            record=record or found(options.get("record"), transcript.path),
            replay=found(options.get("replay"), transcript.path),
        ),
        fork=_fork(transcript),
        nonce=str(transcript.lines[0].meta.get("nonce", "")),
    )


def _fork(transcript: Transcript) -> Fork | None:
    """The fork that the log was begun as, set up from its header and its sealed seed."""
    parent, options = transcript.header.parent, transcript.header.options.get("fork")
    if parent is None or not isinstance(options, dict):
        return None
    stored: Any = options
    sealed: Any = transcript.lines[0].meta
    then, silence = sealed.get("then") or {}, sealed.get("silence")
    return Fork(
        at=parent.at,
        parent_sha256=parent.sha256,
        before=tuple(_chair(transcript, SeatEntry.model_validate(entry)) for entry in stored["before"]),
        seed=then.get("seed"),
        nonce=str(then.get("nonce", "")),
        silence=None if silence is None else Silenced(**silence),
    )


def _chair(transcript: Transcript, entry: SeatEntry) -> Chair:
    profile = _profile(transcript, entry) if entry.profile is not None else None
    if is_model_name(entry.agent):
        return Chair(Seat(entry.seat), entry.agent, profile, entry.lang, parse(entry.agent))
    if entry.agent not in (RANDOM, *transcript.game.bots):
        raise UsageError(
            f"{transcript.path}: seat {entry.seat} was played by {entry.agent!r}, which cannot be seated from here"
        )
    return Chair(Seat(entry.seat), entry.agent, profile, entry.lang)


def _profile(transcript: Transcript, entry: SeatEntry) -> Profile:
    assert entry.profile is not None
    if entry.profile not in profiles.paths():
        raise UsageError(
            f"{transcript.path}: the profile {entry.profile!r} of seat {entry.seat} came from a file; "
            f"put it at {folders('profiles')[0] / entry.profile}.toml, then go on"
        )
    profile = profiles.find(entry.profile)
    if entry.profile_sha256 is not None and profile.sha256() != entry.profile_sha256:
        raise Diverged(
            f"{transcript.path}: the profile {entry.profile!r} was changed since the game began; put back the old one",
            0,
            f"profile {entry.profile}",
        )
    return profile
