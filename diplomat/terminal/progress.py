"""Progress of long work on stderr: one line that counts on a terminal, a line now and then elsewhere."""

from __future__ import annotations

from typing import IO

STEPS = 10
"""Lines that a piped progress takes at most."""


class Progress:
    """Call it with what is done and the total."""

    def __init__(self, stream: IO[str], label: str) -> None:
        self._stream, self._label = stream, label
        self._live = stream.isatty()
        self._said = -1

    def __call__(self, done: int, total: int) -> None:
        """Shows how far the work is."""
        step = done * STEPS // total if total else STEPS
        if self._live:
            end = "\n" if done >= total else ""
            self._stream.write(f"\r{self._label}: {done}/{total}{end}")
        elif step != self._said:
            self._stream.write(f"{self._label}: {done}/{total}\n")
        self._said = step
        self._stream.flush()
