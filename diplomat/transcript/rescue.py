"""A log whose file was moved or removed while the game ran: where it is now, or where it was saved."""

from __future__ import annotations

import contextlib
import os
import shutil
from pathlib import Path


def leads_to(path: Path, descriptor: int) -> bool:
    """Whether a path still leads to an open file."""
    try:
        return os.path.samestat(path.stat(), os.fstat(descriptor))
    except OSError:
        return False


def rescued(path: Path, descriptor: int, size: int) -> str:
    """Saves a log that no path leads to any more, and says what became of it.

    A file that was only moved is whole where it is.  One that was removed exists as long as it is
    open; it is written anew under its own name, or under a name that is free.
    """
    gone = f"the log {path} was moved or removed while the game ran"
    if os.fstat(descriptor).st_nlink:
        return f"{gone}; it is whole wherever it was moved to"
    for place in (path, path.with_name(f"{path.name}.saved"), Path.cwd() / f"{path.name}.saved"):
        with contextlib.suppress(OSError):
            place.parent.mkdir(parents=True, exist_ok=True)
            _copied(descriptor, size, place)
            return f"{gone}; it was saved to {place}"
    return f"{gone}, and it could not be saved anywhere"


def _copied(descriptor: int, size: int, place: Path) -> None:
    """Writes the first ``size`` bytes of an open file to a new one, or nothing at all."""
    with place.open("xb") as copy:
        try:
            with os.fdopen(os.dup(descriptor), "rb") as source:
                source.seek(0)
                shutil.copyfileobj(source, copy)
            copy.truncate(size)
            copy.flush()
            os.fsync(copy.fileno())
        except OSError:
            place.unlink()
            raise
