"""Where the files of a game lie, as its header says it: seen from the folder of its log.

A log is shared and moved together with its files, so they are looked for from where it lies now.
What lies beside the log or below it is named without any other folder of the machine.
"""

from __future__ import annotations

import os
from pathlib import Path


def noted(file: Path | None, log: Path | None) -> str | None:
    """A file's place as seen from the folder of the log; its name alone where there is no log.

    >>> noted(Path("/games/said.jsonl"), Path("/games/a.jsonl"))
    'said.jsonl'
    >>> noted(Path("/home/ann/prices.toml"), Path("/home/ann/games/a.jsonl"))
    '../prices.toml'
    >>> noted(Path("/srv/prices.toml"), Path("/home/ann/a.jsonl"))
    '../../srv/prices.toml'
    """
    if file is None:
        return None
    if log is None:
        return file.name
    return Path(os.path.relpath(os.path.abspath(file), os.path.dirname(os.path.abspath(log)))).as_posix()


def found(text: str | None, log: Path) -> Path | None:
    """A noted file from where the log lies now; one that is not where it was, but beside the log, is that one.

    Folders are counted by their names first and then, where a link leads elsewhere, as they really lie.
    """
    if not text:
        return None
    folder = os.path.dirname(os.path.abspath(log))
    named = Path(os.path.normpath(os.path.join(folder, text)))
    places = (named, log.resolve().parent / text, Path(folder) / Path(text).name)
    return next((place for place in places if place.is_file()), named)
