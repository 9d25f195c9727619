"""Where a user's own files about models lie."""

from __future__ import annotations

import os
from pathlib import Path


def state_file(name: str) -> Path:
    """A file that the program keeps for itself: ``$DIPLOMAT_HOME``, else ``~/.local/state/diplomat``."""
    return _folder("XDG_STATE_HOME", ".local/state") / name


def config_file(name: str) -> Path:
    """A file that the user writes: ``$DIPLOMAT_HOME``, else ``~/.config/diplomat``."""
    return _folder("XDG_CONFIG_HOME", ".config") / name


def _folder(variable: str, usual: str) -> Path:
    named = os.environ.get("DIPLOMAT_HOME")
    if named:
        return Path(named)
    return Path(os.environ.get(variable) or Path.home() / usual) / "diplomat"
