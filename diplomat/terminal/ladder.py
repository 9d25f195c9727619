"""The display steps down by itself: colour, then plain lines, then nothing."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import IO, Literal, cast

from rich.console import Console

from diplomat.core.errors import UnknownName

Level = Literal["rich", "plain", "none"]
DISPLAYS = ("auto", "rich", "plain", "none")
LEAST_WIDTH = 24
"""Lines are never made narrower than this, whatever the terminal says."""


class Pipe(Console):
    """A console that lets a closed pipe be an error of its own instead of ending the program."""

    def on_broken_pipe(self) -> None:
        """The reader went away (``| head``)."""
        raise BrokenPipeError


def level(asked: str, stream: IO[str] | None, env: Mapping[str, str] | None = None) -> Level:
    """What can be shown on a stream, nothing on a closed one (None); ``auto`` looks at it, a wish is obeyed."""
    if asked not in DISPLAYS:
        raise UnknownName("display", asked, DISPLAYS)
    if stream is None:
        return "none"
    if asked != "auto":
        return cast("Level", asked)
    env = os.environ if env is None else env
    dull = env.get("NO_COLOR") or env.get("CI") or env.get("TERM", "") in ("", "dumb")
    return "rich" if stream.isatty() and not dull else "plain"


def console(shown: Level, stream: IO[str]) -> Console:
    """A console on a stream: never markup, never emoji codes, never highlighting of its own."""
    coloured = shown == "rich"
    made = Pipe(
        file=stream,
        color_system="auto" if coloured else None,
        force_terminal=coloured,
        no_color=not coloured,
        markup=False,
        highlight=False,
        emoji=False,
        quiet=shown == "none",
    )
    made.width = max(made.width, LEAST_WIDTH)
    return made
