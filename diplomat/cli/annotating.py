"""What ``diplomat annotate`` does: the page for people, the model."""

from __future__ import annotations

import contextlib
import getpass
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from diplomat.core.errors import UsageError
from diplomat.terminal.safe import one_line

if TYPE_CHECKING:
    from diplomat.core.texts import Texts
    from diplomat.study.annotate.files import Sheet
    from diplomat.study.annotate.session import Session
    from diplomat.study.annotate.store import Store
    from diplomat.study.annotate.units import Log, Unit
    from diplomat.study.annotator import ModelAnnotator


def check_choices(agreement: bool, quality: bool, model: bool, adjudicate: bool, dry_run: bool) -> None:
    """UsageError if options contradict each other."""
    asked = [
        name
        for name, given in (
            ("--agreement", agreement),
            ("--quality", quality),
            ("--model", model),
            ("--adjudicate", adjudicate),
        )
        if given
    ]
    if len(asked) > 1:
        raise UsageError(f"{' and '.join(asked)} are different things to do; choose one")
    if dry_run and not model:
        raise UsageError("--dry-run says what a model would cost; name one with --model")


def opened_logs(files: Iterable[Path]) -> tuple[Log, ...]:
    """The transcripts."""
    from diplomat.cli.reading import opened
    from diplomat.study.annotate.units import logs_of

    return logs_of(opened(path) for path in files)


def annotate_texts(lang: str) -> Texts:
    """What the commands say."""
    from diplomat.core.texts import load_texts

    return load_texts("diplomat.study.annotate", "texts", lang)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def _note(text: str) -> None:
    sys.stderr.write(one_line(text) + "\n")


def tell_refused(sheet: Sheet, more: Counter[str], texts: Texts, *, err: bool = False) -> None:
    """Says how many codings were not used, by why."""
    for why, count in sorted((sheet.refused + more).items()):
        typer.echo(texts.say("table.refused", count=count, why=texts.say(f"refused.{why}")), err=err)
    if sheet.begun:
        typer.echo(texts.say("table.drafts", count=len(sheet.begun)), err=err)


# The page ---------------------------------------------------------------------------------------------


def by_person(
    units: Sequence[Unit],
    logs: Sequence[Log],
    target: Path,
    coder: str | None,
    adjudicate: Sequence[Path],
    port: int,
    lang: str,
) -> None:
    """Serves the page until it is interrupted."""
    from diplomat.study.annotate.server import check_installed, serve
    from diplomat.study.annotate.session import Session
    from diplomat.study.annotate.store import Store

    check_installed()
    name = _name(coder)
    if any(path.resolve() == target.resolve() for path in (*adjudicate, *(log.transcript.path for log in logs))):
        raise UsageError(f"{target} is one of the files to read; name another with --out")
    with Store(target) as store:
        if store.repaired:
            _note(f"warning: {target}: {store.repaired} bytes of a row that was cut short were taken out")
        session = (
            _adjudicating(units, logs, store, name, adjudicate, lang)
            if adjudicate
            else Session(units, store, name, lang, _now)
        )
        total = len(session.units)
        _note(f"{name}: {session.done} of {total} messages done; every change is kept in {target}")
        _note("open this address in a browser; Ctrl-C ends")
        with contextlib.suppress(KeyboardInterrupt):  # the way to end a session; what was coded is on the disk
            serve(session, port, typer.echo)
        _note(f"{name}: {session.done} of {total} messages done, in {target}; the same command goes on from here")


def _name(coder: str | None) -> str:
    try:
        name = (coder if coder is not None else getpass.getuser()).strip()
    except (OSError, KeyError):
        name = ""
    if not name or not name.isprintable() or len(name) > 60 or name.startswith("llm:"):
        raise UsageError(f"{name!r} cannot be the name of a coder; give one of up to 60 letters with --coder")
    return name


def _adjudicating(
    units: Sequence[Unit], logs: Sequence[Log], store: Store, name: str, paths: Sequence[Path], lang: str
) -> Session:
    """A session over the messages on which two coders differ; those on which they agree are written at once."""
    from diplomat.study.annotate.files import fit, read_sheet
    from diplomat.study.annotate.session import Session, adjudication, everything

    sheet = read_sheet(*paths)
    fitted = fit([row for row in sheet.rows if row.by != "adjudicated"], logs)
    tell_refused(sheet, fitted.refused, annotate_texts(lang), err=True)
    differing, agreed = adjudication(units, fitted.rows)
    there = {row.unit for row in everything(store) if row.coder == name}
    store.write_all([replace(row, coder=name, at=_now()) for row in agreed if row.unit not in there])
    _note(f"the coders agree on {len(agreed)} messages and differ on {len(differing)}")
    two = {number: both for number, (_, both) in enumerate(differing)}
    return Session([unit for unit, _ in differing], store, name, lang, _now, two=two, adjudicates=True)


# The model --------------------------------------------------------------------------------------------


def by_model(
    units: Sequence[Unit],
    models: Sequence[str],
    target: Path,
    *,
    cache: Path | None,
    budget: float | None,
    dry_run: bool,
    lang: str,
) -> None:
    """Lets one model or two code, and writes a new annotation file."""
    from diplomat.llm.names import parse
    from diplomat.llm.prices import Prices
    from diplomat.study.annotate.store import Store, check_new
    from diplomat.study.annotator import ModelAnnotator

    endpoints = [parse(name) for name in models]
    games = {unit.log.game.id: unit.log.game for unit in units}
    made = {
        name: ModelAnnotator(game, endpoints, lang=lang, folder=cache or target.parent) for name, game in games.items()
    }
    by_game = {name: [unit for unit in units if unit.log.game.id == name] for name in games}
    if dry_run:
        for name, annotator in made.items():
            bill = annotator.expected(by_game[name], Prices.load())
            cost = (
                "not known" if bill.cost is None or bill.most is None else f"{bill.cost:.4f}, at most {bill.most:.4f}"
            )
            typer.echo(f"{name}: {bill.calls} calls, {bill.input} input and {bill.output} output tokens, USD {cost}")
        return
    check_new(target)
    for name, annotator in made.items():
        _ask(annotator, by_game[name], budget)
    # Made only now: who breaks off, or runs out of budget, gives the same command again, and pays for nothing twice.
    with Store(target, fresh=True) as store:
        for name, annotator in made.items():
            store.write_all(annotator.annotations(by_game[name], _now()))
            _note(_counted(annotator))
    typer.echo(one_line(str(target)))


def _ask(annotator: ModelAnnotator, units: Sequence[Unit], budget: float | None) -> None:
    import asyncio

    from diplomat.llm.budget import Budget
    from diplomat.llm.desk import Desk
    from diplomat.session.models import Models, served

    Models(budget=budget).check(annotator.endpoints)

    async def work() -> None:
        with served(annotator.endpoints, running=True) as places:
            async with Desk(places.values(), budget=Budget(budget)) as desk:
                await annotator.read(units, desk, progress=_progress, places=lambda one: places[one])
                _note(f"USD {desk.spent:.4f}")

    asyncio.run(work())


def _progress(done: int, total: int) -> None:
    if done == total or done % max(total // 20, 1) == 0:
        _note(f"{done} of {total} messages")


def _counted(annotator: ModelAnnotator) -> str:
    counts = {**annotator.counts, **{f"fault_{kind}": count for kind, count in annotator.faults.items()}}
    return f"{annotator.name}: " + ", ".join(f"{name} {count}" for name, count in sorted(counts.items()) if count)
