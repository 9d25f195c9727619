"""``diplomat diff``: where two games part, and how each ended."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from diplomat.cli.options import AsJson, Spoilers, examples

if TYPE_CHECKING:
    from diplomat.transcript.diff import Diff, Ending


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command(
        short_help="Show where two games part.",
        epilog=examples("diplomat diff a.jsonl b.jsonl", "diplomat diff a.jsonl b.jsonl --json"),
    )(diff)


def diff(
    a: Annotated[Path, typer.Argument(metavar="A", help="A transcript.")],
    b: Annotated[Path, typer.Argument(metavar="B", help="Another transcript.")],
    spoilers: Spoilers = False,
    json: AsJson = False,
) -> None:
    """Name the first event that is not the same in two logs, and both results; exit code 1 if there is one."""
    from diplomat.cli.playing import print_json
    from diplomat.cli.reading import opened
    from diplomat.terminal.safe import one_line
    from diplomat.transcript.diff import diff as compare

    logs = opened(a), opened(b)
    found = compare(*logs)
    shown = spoilers or all(log.finished for log in logs)
    if json:
        print_json(_as_data(found, shown=shown))
    else:
        for line in _told(found, a, b, shown=shown):
            typer.echo(one_line(line))
    if not found.same:
        raise typer.Exit(1)


def _told(found: Diff, a: Path, b: Path, *, shown: bool) -> list[str]:
    """The findings as lines; what is secret in an unfinished game stays out unless ``shown``."""
    lines = [f"header: {line}" for line in found.header]
    parting = found.parting
    if parting is None:
        lines.append(f"the same {found.a.events} events")
    elif shown or parting.public:
        lines.append(f"part at event {parting.n} (line {parting.n + 1}): {parting.why}")
    else:
        lines.append(f"part at event {parting.n} (line {parting.n + 1}), which is secret until the game is over")
    return [*lines, f"{a}: {_ended(found.a)}", f"{b}: {_ended(found.b)}"]


def _ended(ending: Ending) -> str:
    if ending.scores is None:
        return f"{ending.events} events, not finished"
    scores = ", ".join(f"{seat} {score}" for seat, score in ending.scores.items())
    return f"{ending.events} events, won by {', '.join(ending.winners) or 'nobody'}; {scores}"


def _as_data(found: Diff, *, shown: bool) -> dict[str, Any]:
    parting = found.parting
    told: dict[str, Any] | None = None
    if parting is not None:
        told = {"n": parting.n, "line": parting.n + 1, "public": parting.public}
        if shown or parting.public:
            told |= {"why": parting.why, "a": parting.a, "b": parting.b}
    endings = {
        name: {
            "events": ending.events,
            "finished": ending.finished,
            "winners": list(ending.winners),
            "scores": None if ending.scores is None else dict(ending.scores),
        }
        for name, ending in (("a", found.a), ("b", found.b))
    }
    return {"same": found.same, "header": list(found.header), "parting": told, **endings}
