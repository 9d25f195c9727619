"""How a command ends when it is interrupted."""

from __future__ import annotations

INTERRUPTED = 130
"""The exit code."""


class Interrupted(Exception):
    """A command was interrupted and has said what there is to say."""
