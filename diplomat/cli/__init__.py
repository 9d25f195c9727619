"""The command line: one small file per command, nothing heavy imported before a command runs."""

from __future__ import annotations

from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command line and returns its exit code."""
    from diplomat.cli.app import run

    return run(argv)
