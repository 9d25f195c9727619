"""Files to ledgers: what is a game, what is left out and why, on several processes.

Nothing is left out in silence: every path that was given ends as a game or as a :class:`LeftOut` with a reason.  The
games come in the order of their paths, however many processes read them.
"""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from diplomat.core.errors import BadTranscript, DiplomatError, NewerFormat, UnknownName, UsageError
from diplomat.crew import crew
from diplomat.study.annotate.checking import Checked, Key, checked, marked
from diplomat.study.annotate.files import Sheet, is_annotations, read_sheet
from diplomat.study.annotate.rows import Annotation
from diplomat.study.annotate.units import Log
from diplomat.study.extract_sources import CODING, USUAL, Giver, resting_on, sources_of
from diplomat.study.ledger import Ledger, of
from diplomat.study.parcel import packed, unpacked
from diplomat.study.vocabulary import vocabulary_of
from diplomat.transcript.reader import Transcript, read

Progress = Callable[[int, int], None]
"""Called with how many files are done and how many there are."""
Why = Literal[
    "missing", "no_log", "calls", "unreadable", "newer", "rules", "changed", "unjudged", "twice", "other_game"
]
"""``missing``: no such file.  ``no_log``: no ``.jsonl``.  ``calls``: raw model calls beside a log.  ``unreadable``: no
transcript, or a damaged one.  ``newer``: of a later program.  ``rules``: of other rules than this program has.
``changed``: edited after it was written.  ``unjudged``: its deeds make no sense.  ``twice``: a game that is there
already.  ``other_game``: not the game that is studied."""
Hashes = Literal["whole", "broken", "none"]

LOG, CALLS = ".jsonl", ".calls.jsonl"
CHUNK = 5
"""Files given to a process at once."""
ALONE = 8
"""Up to this many files no process is worth its start."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """One path that was given and is not studied."""

    path: str
    why: Why
    text: str
    """What is wrong with it, in the words of the reader; empty where the reason says it all."""


@dataclass(frozen=True, slots=True)
class GameRow:
    """One game of the study."""

    game: str
    """Name of the game in every other table."""
    file: str
    rules: str
    """Which game is played."""
    edition: str
    rules_version: int
    format: int
    """Format of the log."""
    finished: bool
    """False: the game was in play when its log was read, so its open promises are pending."""
    points: int
    """Decision points that are over."""
    events: int
    messages: int
    players: int
    promises: int
    hashes: Hashes
    """Whether the log's hashes fit; older logs have none."""
    torn: bool
    """Whether its last line was cut short and left out."""
    parent: str
    """SHA-256 of the log that it was forked from, or empty; forks share their beginning."""
    sources: tuple[str, ...] = USUAL
    """Who can say that something was promised in it: ``people declared model rule``."""


@dataclass(frozen=True, slots=True)
class Studied:
    """One game that is studied."""

    ledger: Ledger
    row: GameRow
    same: tuple[str, ...] = ()
    """What only another copy of the same game has in common with it."""
    checked: Checked | None = None
    """What annotation files say about it; None if nothing."""
    codings: Mapping[Key, str] = field(default_factory=dict)
    """Rows of annotation files that name it, each with why it cannot be used; empty if it can."""


@dataclass(frozen=True, slots=True)
class Gathered:
    """All games of a study, and everything else that was given."""

    games: tuple[Studied, ...]
    left: tuple[LeftOut, ...]
    sheet: Sheet | None = None
    """What the annotation files among them hold; None if there were none."""
    asked: tuple[Giver, ...] = USUAL
    """From whom promises are taken."""

    @property
    def ledgers(self) -> list[Ledger]:
        """The ledgers, in the order of the games."""
        return [one.ledger for one in self.games]

    @property
    def in_play(self) -> int:
        """How many games are not over."""
        return sum(not one.row.finished for one in self.games)


@dataclass(frozen=True, slots=True)
class Plan:
    """How every game is read."""

    changed: bool = False
    """Whether logs whose hashes do not fit are studied all the same."""
    asked: tuple[Giver, ...] = USUAL
    """From whom promises are taken."""
    coder: str | None = None
    """Whose codings count where several people, or several models, coded."""
    codings: Mapping[str, tuple[Annotation, ...]] = field(default_factory=dict)
    """Rows of annotation files by the name of the log's file."""

    def only(self, paths: Iterable[Path]) -> Plan:
        """The plan with nothing that is about other files."""
        stems = {path.stem for path in paths}
        return replace(self, codings={stem: rows for stem, rows in self.codings.items() if stem in stems})


def gather(
    paths: Sequence[Path],
    *,
    jobs: int = 1,
    changed: bool = False,
    game: str = "",
    asked: tuple[Giver, ...] = USUAL,
    coder: str | None = None,
    progress: Progress | None = None,
) -> Gathered:
    """The ledgers of all transcripts in files and folders (folders are searched to any depth).

    Args:
        paths: transcripts and folders of them.
        jobs: processes.
        changed: whether logs whose hashes do not fit are studied all the same.
        game: which game is studied; the most frequent one if empty.
        asked: from whom promises are taken.
        coder: whose codings count where several people, or several models, coded the same game.
        progress: told after every few files.

    Raises:
        UsageError: nothing was given, or codings are asked for and no annotation file was.
        UnknownName: nobody of that name coded anything.
        DiplomatError: a process died.
    """
    if not paths:
        raise UsageError("name transcripts, or folders of them")
    logs, sheets, left = found_logs(paths)
    sheet = read_sheet(*sheets) if sheets else None
    plan = Plan(changed, asked, coder, _codings(sheet, asked, coder))
    taken: list[Studied] = []
    with unswept():
        for one in _judged(logs, jobs, plan, progress):
            if isinstance(one, LeftOut):
                left.append(one)
            else:
                taken.append(one)
    taken, others = _of_one_game(taken, game)
    taken, doubles = _once(taken)
    missed = sorted([*left, *others, *doubles], key=lambda one: one.path)
    return Gathered(tuple(_named(taken)), tuple(missed), sheet, asked)


def _codings(sheet: Sheet | None, asked: Sequence[Giver], coder: str | None) -> Mapping[str, tuple[Annotation, ...]]:
    wanted = [one for one in asked if one in CODING]
    if sheet is None:
        if wanted:
            raise UsageError(f"promises are to be taken from {' and '.join(wanted)}, and no annotation file was given")
        return {}
    if coder is not None and sheet.coders and coder not in sheet.coders:
        raise UnknownName("coder", coder, sheet.coders, where="--coder")
    by_game: dict[str, list[Annotation]] = {}
    for row in sheet.rows:
        by_game.setdefault(row.game, []).append(row)
    return {name: tuple(rows) for name, rows in by_game.items()}


def found_logs(paths: Iterable[Path]) -> tuple[list[Path], list[Path], list[LeftOut]]:
    """The files that may be transcripts, sorted, annotation files, and everything else that was given."""
    logs: list[Path] = []
    sheets: list[Path] = []
    left: list[LeftOut] = []
    for path in paths:
        inside = sorted(entry for entry in path.rglob("*") if entry.is_file()) if path.is_dir() else [path]
        for entry in inside:
            if not entry.is_file():
                left.append(LeftOut(str(entry), "missing", ""))
            elif entry.name.endswith(CALLS):
                left.append(LeftOut(str(entry), "calls", ""))
            elif entry.suffix != LOG:
                left.append(LeftOut(str(entry), "no_log", ""))
            elif is_annotations(entry):
                sheets.append(entry)
            else:
                logs.append(entry)
    by_place: dict[Path, Path] = {}
    for log in logs:
        first = by_place.setdefault(log.resolve(), log)
        if first is not log:
            left.append(LeftOut(str(log), "twice", str(first)))
    return sorted(by_place.values()), sorted(set(sheets)), left


def judged(path: Path, plan: Plan) -> Studied | LeftOut:
    """The game in one file, or why it is left out; no file makes this fail."""
    try:
        transcript = read(path)
        return _unfit(transcript, changed=plan.changed) or _studied(transcript, plan)
    except NewerFormat as fault:
        return LeftOut(str(path), "newer", str(fault))
    except BadTranscript as fault:
        return LeftOut(str(path), "unjudged" if "cannot be judged" in str(fault) else "unreadable", str(fault))
    except Exception as fault:  # noqa: BLE001 — one log must not end the study of a thousand; it is named
        return LeftOut(str(path), "unjudged", f"{path}: unexpected {type(fault).__name__}: {fault}")


def _unfit(transcript: Transcript, *, changed: bool) -> LeftOut | None:
    path, header, game = str(transcript.path), transcript.header, transcript.game
    if (header.edition, header.rules_version) != (game.edition, game.rules_version):
        return LeftOut(
            path,
            "rules",
            f"{path} is of {header.game} {header.edition}, rules version {header.rules_version}; this program has "
            f"{game.edition}, rules version {game.rules_version}, and its words may mean something else there",
        )
    chain = transcript.chain
    if chain is not None and chain.broken and not changed:
        return LeftOut(path, "changed", f"{path}, line {chain.broken}: {chain.why}")
    return None


def _studied(transcript: Transcript, plan: Plan) -> Studied:
    header, chain, vocabulary = transcript.header, transcript.chain, vocabulary_of(transcript.game)
    log, rows = Log(transcript), plan.codings.get(transcript.path.stem, ())
    found = marked(log, rows, plan.coder, plan.asked)
    ledger = of(transcript, sources_of(vocabulary, plan.asked, found.people, found.model))
    parent = header.parent
    row = GameRow(
        game=ledger.name,
        file=str(transcript.path),
        rules=ledger.game,
        edition=ledger.edition,
        rules_version=header.rules_version,
        format=transcript.format,
        finished=ledger.finished,
        points=ledger.points,
        events=ledger.events,
        messages=ledger.messages,
        players=len(ledger.players),
        promises=len(ledger.promises),
        hashes="none" if chain is None else "broken" if chain.broken else "whole",
        torn=transcript.torn,
        parent=parent.sha256 if parent is not None else "",
        sources=tuple(resting_on(vocabulary, plan.asked, found.people, found.model)),
    )
    fork = () if parent is None else (parent.sha256, str(parent.at), parent.change)
    same = (header.commitment, *fork) if header.commitment else ()
    return Studied(ledger, row, same, checked(log, found, ledger, plan.asked) if rows else None, found.why)


def _chunk(plan: Plan, paths: Sequence[Path]) -> list[Studied | LeftOut]:
    with unswept():
        return [judged(path, plan) for path in paths]


def _parcel(plan: Plan, paths: Sequence[Path]) -> bytes:
    return packed(_chunk(plan, paths))


def _judged(logs: Sequence[Path], jobs: int, plan: Plan, progress: Progress | None) -> Iterator[Studied | LeftOut]:
    chunks = [logs[at : at + CHUNK] for at in range(0, len(logs), CHUNK)]
    plans = [plan.only(chunk) for chunk in chunks]
    done = 0
    with crew(jobs) if jobs > 1 and len(logs) > ALONE else _no_pool() as pool:
        rows: Iterator[list[Studied | LeftOut]] = (
            map(_chunk, plans, chunks) if pool is None else map(unpacked, pool.map(_parcel, plans, chunks))
        )
        try:
            for chunk, found in zip(chunks, rows, strict=True):
                yield from found
                done += len(chunk)
                if progress:
                    progress(done, len(logs))
        except BrokenProcessPool:
            raise DiplomatError(
                f"a process that reads logs died after {done} of {len(logs)}, perhaps for want of memory; try --jobs 1"
            ) from None


@contextmanager
def _no_pool() -> Iterator[None]:
    yield None


@contextmanager
def unswept() -> Iterator[None]:
    """No search for cycles meanwhile: rows have none, and searching a growing pile takes a third of the time."""
    on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if on:
            gc.enable()


def _of_one_game(games: Sequence[Studied], wanted: str) -> tuple[list[Studied], list[LeftOut]]:
    """The games of the one game that is studied: promises of two vocabularies are not added up."""
    often = Counter(one.row.rules for one in games)
    chosen = wanted or (often.most_common(1)[0][0] if often else "")
    kept = [one for one in games if one.row.rules == chosen]
    others = [
        LeftOut(one.row.file, "other_game", f"{one.row.file} is a game of {one.row.rules}; {chosen} is studied")
        for one in games
        if one.row.rules != chosen
    ]
    return kept, others


def _once(games: Sequence[Studied]) -> tuple[list[Studied], list[LeftOut]]:
    """Each game once; of two copies the longer one stays."""
    best: dict[tuple[str, ...], Studied] = {}
    for one in games:
        key = one.same or (one.row.file,)
        other = best.get(key)
        if other is None or one.row.events > other.row.events:
            best[key] = one
    kept = {id(one) for one in best.values()}
    doubles = [
        LeftOut(one.row.file, "twice", best[one.same].row.file) for one in games if one.same and id(one) not in kept
    ]
    return [one for one in games if id(one) in kept], doubles


def _named(games: Sequence[Studied]) -> Iterator[Studied]:
    """Games under names of their own: two files called alike are told apart by their folders, or by their number."""
    stems = Counter(one.ledger.name for one in games)
    longer = Counter(_longer(one) for one in games)
    for number, one in enumerate(games, start=1):
        name = one.ledger.name
        if stems[name] > 1:
            name = _longer(one) if longer[_longer(one)] == 1 else f"{name}#{number}"
        yield (
            one
            if name == one.ledger.name
            else replace(
                one,
                ledger=replace(one.ledger, name=name),
                row=replace(one.row, game=name),
                checked=None if one.checked is None else one.checked.renamed(name),
            )
        )


def _longer(one: Studied) -> str:
    path = Path(one.row.file)
    return f"{path.parent.name}/{path.stem}"
