"""Finds the files that users may add to: personalities and prompts.

The user's own folder comes first (``$DIPLOMAT_HOME``, else ``~/.config/diplomat``), then the copy
that came with the package; in a checkout that is the folder at its top.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Literal

Kind = Literal["profiles", "prompts"]


def home() -> Path:
    """The user's own folder; it need not exist."""
    named = os.environ.get("DIPLOMAT_HOME")
    if named:
        return Path(named)
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "diplomat"


def packaged(kind: Kind) -> Path:
    """The folder that came with the package."""
    here = Path(__file__).parents[1]
    inside = here / "_data" / kind
    return inside if inside.is_dir() else here.parent / kind


def folders(kind: Kind) -> tuple[Path, ...]:
    """Where to look, first match wins."""
    return (home() / kind, packaged(kind))
