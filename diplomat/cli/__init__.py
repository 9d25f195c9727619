"""The command line: one small file per command, nothing heavy imported before a command runs."""

from __future__ import annotations

from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command line and returns its exit code."""
    import signal

    from diplomat.cli.app import INTERRUPTED, run

    code = run(argv)
    if code == INTERRUPTED and argv is None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # it stops already; once more would spoil its exit code
    return code
