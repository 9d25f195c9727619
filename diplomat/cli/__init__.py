"""The command line: one small file per command, nothing heavy imported before a command runs."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command line and returns its exit code."""
    import os
    import sys

    from diplomat.cli.app import run
    from diplomat.cli.leaving import INTERRUPTED

    code = run(argv)
    if code == INTERRUPTED and argv is None:
        # Everything is closed by now; waiting for threads, or one Ctrl-C more, would spoil the exit code.
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError, ValueError):
                stream.flush()
        os._exit(code)
    return code
