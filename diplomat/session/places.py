"""Where the files of a game lie, as its header says it: seen from its log, without the folders of the machine.

A log is shared and moved together with its files, so they are looked for from where it lies now.
"""

from __future__ import annotations

import os
from pathlib import Path


def noted(file: Path | None, log: Path | None) -> str | None:
    """A file's place as seen from the folder of the log; its name alone if they share nothing but the root.

    >>> noted(Path("/games/said.jsonl"), Path("/games/a.jsonl"))
    'said.jsonl'
    >>> noted(Path("/home/ann/prices.toml"), Path("/home/ann/games/a.jsonl"))
    '../prices.toml'
    >>> noted(Path("/home/ann/prices.toml"), Path("/srv/a.jsonl"))
    'prices.toml'
    """
    if file is None:
        return None
    place = os.path.abspath(file)
    folder = os.path.dirname(os.path.abspath(log)) if log is not None else os.path.sep
    try:
        shared = os.path.commonpath([place, folder])
    except ValueError:  # on two drives
        return file.name
    if shared == os.path.dirname(shared):
        return file.name
    return Path(os.path.relpath(place, folder)).as_posix()


def found(text: str | None, log: Path) -> Path | None:
    """A noted file from where the log lies now; one that is not where it was, but beside the log, is that one."""
    if not text:
        return None
    folder = log.parent
    place, beside = folder / text, folder / Path(text).name
    return beside if not place.exists() and beside.exists() else place
