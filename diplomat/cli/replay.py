"""``diplomat replay``: a log told again, as one seat saw it or opened."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from diplomat.cli.options import Lang, Shown, Spoilers, checked_lang, examples

if TYPE_CHECKING:
    from diplomat.core.audience import Seat
    from diplomat.terminal.narrator import Narrator
    from diplomat.transcript.reader import Transcript


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command(epilog=examples("diplomat replay game.jsonl --as crab", "diplomat replay game.jsonl --as watcher --to 120"))(
        replay
    )


def replay(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A transcript.")],
    seat: Annotated[
        str | None,
        typer.Option(
            "--as",
            metavar="SEAT|watcher",
            help="Whose view; a finished game is opened without it.",
            envvar="DIPLOMAT_AS",
            show_envvar=True,
        ),
    ] = None,
    to: Annotated[
        int | None,
        typer.Option("--to", metavar="N", min=1, help="Stop after event N.", envvar="DIPLOMAT_TO", show_envvar=True),
    ] = None,
    lang: Lang = None,
    spoilers: Spoilers = False,
    display: Shown = "auto",
) -> None:
    """Tell a game again, event by event, as one seat or a watcher saw it, or with everything opened."""
    import sys

    from diplomat.cli.reading import finished, opened
    from diplomat.core.errors import UsageError
    from diplomat.terminal.display import Display
    from diplomat.terminal.ladder import console, level
    from diplomat.terminal.narrator import Narrator
    from diplomat.transcript.replay import WATCHER

    shown = level(display, sys.stdout)
    transcript = opened(file)
    language = checked_lang(lang, transcript.header.lang)
    free = spoilers or finished(transcript)
    if not free and seat not in (None, WATCHER):
        raise UsageError(f"{file} is not finished, so only --as watcher is open; add --spoilers to see more")
    viewer = _viewer(transcript, seat)
    everything = free and seat is None
    narrator = Narrator(
        transcript.game, transcript.settings, transcript.seats, language, viewer, opened=everything
    )
    players = {e.seat: e.agent if e.profile is None else f"{e.agent}:{e.profile}" for e in transcript.header.seats}
    told = Display(console(shown, sys.stdout), narrator, players, numbered=True)
    _head(told, transcript, narrator, to)
    _tell(told, transcript, to)
    told.closing()
    if not free and seat is None:
        told.remark("replay.unfinished")


def _viewer(transcript: Transcript, name: str | None) -> Seat | None:
    """The seat asked for, by seat or by role, whatever the language."""
    from diplomat.core.errors import BadTranscript, UnknownName
    from diplomat.transcript.replay import viewer

    if name is None:
        return None
    try:
        return viewer(transcript, name)
    except UnknownName:
        raise
    except Exception as fault:
        raise BadTranscript(f"{transcript.path}: its events do not follow from each other ({type(fault).__name__})") from None


def _head(told: object, transcript: Transcript, narrator: Narrator, to: int | None) -> None:
    """What is told, and how much of it."""
    from diplomat.terminal.display import Display

    assert isinstance(told, Display)
    labels = narrator.words.labels
    if narrator.opened:
        title = labels.say("replay.opened")
    elif narrator.viewer is None:
        title = labels.say("replay.watcher")
    else:
        title = labels.say("replay.seat", seat=told.shown_at_end(transcript))
    if to is not None:
        title += f", {labels.say('replay.until', n=to)}"
    told.heading(f"{transcript.game.title(narrator.lang)} · {title}")


def _tell(told: object, transcript: Transcript, to: int | None) -> None:
    from diplomat.core.errors import BadTranscript
    from diplomat.terminal.display import Display

    assert isinstance(told, Display)
    for line in transcript.lines[:to]:
        try:
            told.hear(line.n, line.event)
        except BrokenPipeError:
            raise
        except Exception as fault:
            raise BadTranscript(
                f"{transcript.path}, line {line.number}: does not follow from what came before "
                f"({type(fault).__name__}); diplomat verify says more",
                line.number,
            ) from None
