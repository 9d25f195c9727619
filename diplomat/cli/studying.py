"""What the commands of ``diplomat study`` share: reading the games, progress, and what is shown and noted."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from diplomat.study.extract_sources import Giver
    from diplomat.study.gather import Gathered
    from diplomat.study.screen import Section


def processes(jobs: int | None) -> int:
    """How many processes: as asked, else as many as there are processors."""
    import os

    return jobs if jobs is not None else os.cpu_count() or 1


def progress(label: str) -> Any:
    """What tells on stderr how far the work has come."""
    import sys

    from diplomat.terminal.progress import Progress

    return Progress(sys.stderr, label)


def games_in(
    files: Sequence[Path],
    jobs: int | None,
    changed: bool,
    game: str,
    lang: str,
    *,
    asked: tuple[Giver, ...] | None = None,
    coder: str | None = None,
) -> Gathered:
    """The games; UsageError if not one of the files can be studied.

    ``asked`` and ``coder``: see :func:`diplomat.study.gather.gather`.
    """
    from diplomat.core.errors import UsageError
    from diplomat.study.extract_sources import USUAL
    from diplomat.study.gather import gather

    gathered = gather(
        files,
        jobs=processes(jobs),
        changed=changed,
        game=game,
        asked=asked or USUAL,
        coder=coder,
        progress=progress("games"),
    )
    if not gathered.games:
        tell_left(gathered, lang)
        raise UsageError("none of these files is a game that can be studied")
    return gathered


def tell_left(gathered: Gathered, lang: str) -> None:
    """Says on stderr what was left out."""
    from diplomat.study.sections.games import left_out
    from diplomat.study.sections.words import report_texts

    for line in left_out(gathered, report_texts(lang)):
        note(line)


def show(parts: Sequence[Section]) -> None:
    """Prints sections on stdout, as wide as the terminal is."""
    import sys

    from diplomat.study.screen import show as shown
    from diplomat.terminal.ladder import console, level

    shown(console(level("auto", sys.stdout), sys.stdout), parts)


def note(text: str) -> None:
    """One line on stderr."""
    import sys

    from diplomat.terminal.safe import one_line

    indent = " " * (len(text) - len(text.lstrip()))
    sys.stderr.write(f"{indent}{one_line(text)}\n")


def ascii_json(text: str) -> str:
    """A JSON document in which nothing steers a terminal."""
    import json

    return json.dumps(json.loads(text), indent=2) + "\n"
