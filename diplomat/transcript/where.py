"""Where transcripts go when nobody names a file."""

from __future__ import annotations

import os
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from diplomat.core.errors import CannotWrite
from diplomat.transcript.logfile import in_the_way

VARIABLE = "DIPLOMAT_TRANSCRIPTS"


def transcripts(env: Mapping[str, str] | None = None) -> Path:
    """The folder of transcripts: ``$DIPLOMAT_TRANSCRIPTS``, else ``./transcripts`` if there is one, else the user's."""
    env = os.environ if env is None else env
    if named := env.get(VARIABLE):
        return Path(named)
    here = Path("transcripts")
    if here.is_dir():
        return here
    return Path(env.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "diplomat" / "transcripts"


def default_name(game: str, commitment: str, now: datetime | None = None) -> str:
    """A file name from the game, the time (UTC) and the seed's commitment; it never gives the seed away.

    >>> default_name("rokugan", "a1b2c3d4", datetime(2026, 11, 30, 6, 34, 12, tzinfo=UTC))
    'rokugan-20261130-063412-a1b2c3.jsonl'
    """
    return f"{game}-{(now or datetime.now(UTC)):%Y%m%d-%H%M%S}-{commitment[:6]}.jsonl"


def new_path(game: str, commitment: str, folder: Path | None = None, now: datetime | None = None) -> Path:
    """A path for a new transcript where no file lies yet, nor a reveal page beside it."""
    wanted = (folder or transcripts()) / default_name(game, commitment, now)
    path, number = wanted, 1
    while os.path.lexists(path) or os.path.lexists(path.with_suffix(".html")):
        number += 1
        path = wanted.with_stem(f"{wanted.stem}-{number}")
    return path


def check_free(path: Path, *, force: bool) -> None:
    """Refuses a path that cannot become a new file, before anything is played or written.

    CannotWrite for a folder in the way or a place that cannot be written, OutputExists for a file.
    """
    if path.is_dir():
        raise CannotWrite(f"{path} cannot be written: it is a folder; name a file, like {path / 'game.jsonl'}")
    if os.path.lexists(path) and not force:
        raise in_the_way(path)
    reason = unwritable(path if os.path.lexists(path) else path.parent)
    if reason is not None:
        raise CannotWrite(f"{path} cannot be written: {reason}; choose a place that can be")


def unwritable(path: Path) -> str | None:
    """Why nothing can be written to a file or into a folder (made on the way if need be); None if it can."""
    place = path
    while not os.path.lexists(place) and place != place.parent:
        place = place.parent
    if place != path and not place.is_dir():
        return f"{place} is not a folder"
    return None if os.access(place, os.W_OK) else f"no permission to write to {place}"
