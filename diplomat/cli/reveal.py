"""``diplomat reveal``: the page that lays a game open."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from diplomat.cli.options import Force, Lang, Spoilers, checked_lang, examples

if TYPE_CHECKING:
    from diplomat.transcript.reader import Transcript


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command(
        short_help="Write a page that lays a game open.",
        epilog=examples(
            "diplomat reveal game.jsonl",
            "diplomat reveal game.jsonl -o pages/game.html --lang ru",
            "diplomat reveal game.jsonl --public --consent s1 --hide Ann -o game.public.html",
        ),
    )(reveal)


def reveal(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A transcript.")],
    out: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--out",
            metavar="FILE.html",
            help="Where to write; next to the transcript if not given.",
            envvar="DIPLOMAT_REVEAL_OUT",
            show_envvar=True,
        ),
    ] = None,
    public: Annotated[
        bool,
        typer.Option(
            "--public",
            help="Make a page fit to publish: words without consent left out, names replaced.",
            envvar="DIPLOMAT_REVEAL_PUBLIC",
            show_envvar=True,
        ),
    ] = False,
    hide: Annotated[
        list[str] | None,
        typer.Option(
            "--hide",
            metavar="NAME",
            help="A name to replace in all texts, with --public; may be repeated.",
            envvar="DIPLOMAT_REVEAL_HIDE",
            show_envvar=True,
        ),
    ] = None,
    consent: Annotated[
        list[str] | None,
        typer.Option(
            "--consent",
            metavar="SEAT",
            help="A seat whose player agreed to be quoted, with --public; may be repeated.",
            envvar="DIPLOMAT_REVEAL_CONSENT",
            show_envvar=True,
        ),
    ] = None,
    force: Force = False,
    lang: Lang = None,
    spoilers: Spoilers = False,
) -> None:
    """Write one HTML page that lays a game open: who promised what, what was meant, done and believed.

    Of a game that is not over it shows what a watcher has seen, unless --spoilers is given.
    """
    from diplomat.cli.reading import is_sound, loose, opened, warn
    from diplomat.core.errors import DiplomatError, UnknownName, UsageError
    from diplomat.terminal.safe import one_line
    from diplomat.transcript.where import check_free
    from diplomat.transcript.writer import write_new

    transcript = opened(file)
    language = checked_lang(lang, transcript.header.lang)
    if hide and not public:
        raise UsageError("--hide replaces names on a page made for the public; add --public")
    if short := [name for name in hide or () if len(name.strip()) < 2]:
        raise UsageError(f"--hide {short[0]!r} would replace single letters everywhere; give a name of two or more")
    if consent and not public:
        raise UsageError("--consent quotes people on a page made for the public; add --public")
    if consent:
        from diplomat.report.public import refused
    for seat in consent or ():
        if seat not in transcript.seats:
            raise UnknownName("seat", seat, transcript.seats, where="--consent")
        if any(refused(transcript.header, entry) for entry in transcript.header.seats if entry.seat == seat):
            raise UsageError(f"{file} says that the player of {seat} does not agree to be quoted; leave {seat} out")
    target = out if out is not None else file.with_suffix(".public.html" if public else ".html")
    if target.resolve() == file.resolve():
        raise DiplomatError(
            f"{file} is the log itself; name another file for the page, like {file.with_suffix('.html')}"
        )
    check_free(target, force=force)
    watching = not transcript.finished and not spoilers
    if watching:
        warn(f"{file} is not finished; the page shows what a watcher has seen, and --spoilers opens the rest")
    try:
        page = page_of(
            transcript,
            language,
            bill=() if public else bill_of_log(transcript),
            public=public,
            hide=hide or (),
            consent=consent or (),
            watching=watching,
        )
    except Exception as fault:
        if is_sound(transcript):
            raise
        raise loose(transcript, fault) from fault
    write_new(target, page, force=force)
    typer.echo(one_line(str(target)))


def page_of(
    transcript: Transcript,
    lang: str,
    *,
    bill: Sequence[Mapping[str, Any]] = (),
    public: bool = False,
    hide: Sequence[str] = (),
    consent: Sequence[str] = (),
    watching: bool = False,
) -> str:
    """The page of a transcript with the ledger of its promises.

    ``public``: rewritten before anything else.  ``watching``: cut down to what a watcher has seen.
    """
    from diplomat.report.public import in_play, publish
    from diplomat.report.reveal import reveal_page
    from diplomat.study.ledger import of

    removed = None
    if watching:
        transcript = in_play(transcript)
    if public:
        transcript, removed = publish(transcript, lang, hide=hide, consent=consent)
    shown = () if watching else bill  # how much a seat wrote in private is nothing for watchers
    return reveal_page(transcript, lang, ledger=of(transcript), bill=shown, removed=removed, watching=watching)


def bill_of_log(transcript: Transcript) -> list[dict[str, Any]]:
    """The sums of a game's calls file; none without one, and a warning for one that cannot be read."""
    from diplomat.cli.reading import warn
    from diplomat.core.errors import BadTranscript
    from diplomat.llm.calls import Calls
    from diplomat.llm.totals import tallies
    from diplomat.session.models import recorded

    try:
        path = recorded(transcript)
        if not path.is_file():
            return []
        calls = Calls.load(path)
    except (BadTranscript, OSError) as fault:
        warn(f"the page has no bill: {fault}")
        return []
    return [tally.as_dict() for tally in tallies((*calls.forgotten, *calls.entries.values()))]
