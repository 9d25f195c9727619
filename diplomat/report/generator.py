"""The mark by which a page of this program is known again."""

from __future__ import annotations

from pathlib import Path

GENERATOR = "diplomat, reveal page"
_HEAD = 4096


def is_page(path: Path) -> bool:
    """Whether a file is a reveal page of this program, so that a newer one may take its place."""
    try:
        with path.open("rb") as file:
            return f'content="{GENERATOR}"'.encode() in file.read(_HEAD)
    except OSError:
        return False
