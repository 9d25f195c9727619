"""Games and data sets in other forms: our logs for other programs, others' data sets as the same plain tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import isnan
from pathlib import Path
from typing import Any

from diplomat.core.errors import BadTranscript, UnknownName, UsageError
from diplomat.core.texts import Texts
from diplomat.study.columns import Table
from diplomat.study.counts import promises
from diplomat.study.datasets import peskov
from diplomat.study.datasets.cicero import read_cicero_folder
from diplomat.study.datasets.convokit import Corpus, corpus_of, write_convokit
from diplomat.study.datasets.ours import ledger_tables, message_rows
from diplomat.study.datasets.peskov import PeskovDialogue, read_peskov_folder, write_peskov
from diplomat.study.datasets.peskov_moves import read_moves
from diplomat.study.datasets.rows import LostRow, MessageRow, OrderRow
from diplomat.study.gather import GameRow, Gathered
from diplomat.study.report_files import FORMATS, export_tables
from diplomat.study.screen import Section
from diplomat.study.sections.cautions import FEW
from diplomat.study.sections.sides import SHOWN
from diplomat.study.stats.detection import DetectionReport, Judged, detection_report
from diplomat.study.stats.intervals import Interval
from diplomat.transcript.reader import read

CORPUS, PESKOV = "convokit", "peskov"
MOVES, TEST = "moves", "test"
TARGETS = (CORPUS, *FORMATS)
"""Forms that our own games can be written in."""
SETS = ("peskov", "cicero")


@dataclass(frozen=True, slots=True)
class Imported:
    """A data set as plain rows."""

    name: str
    messages: tuple[MessageRow, ...]
    phases: int
    """Decision points that its files hold."""
    orders: tuple[OrderRow, ...] = ()
    lost: tuple[LostRow, ...] = ()
    redacted: int = 0
    """Words that its publishers cut out."""
    receivers: tuple[tuple[str, DetectionReport], ...] = ()
    """Receivers against senders: of all messages (``""``) and of the split ``test``; empty if none was asked."""
    dialogues: tuple[PeskovDialogue, ...] = ()

    @property
    def games(self) -> int:
        """How many games the messages come from."""
        return len({row.game_id for row in self.messages})

    @property
    def speakers(self) -> int:
        """How many seats wrote, each game's counted apart."""
        return len({(row.game_id, row.sender) for row in self.messages})


def checked(name: str, known: Sequence[str], what: str, where: str) -> str:
    """The name if it is one of those; UnknownName with suggestions otherwise."""
    if name not in known:
        raise UnknownName(what, name, known, where=where)
    return name


def export(gathered: Gathered, target: str, folder: Path, *, lang: str = "en", overwrite: bool = False) -> list[Path]:
    """Messages and ledger of games for other programs; the paths written.

    Raises:
        UnknownName: there is no such form.
        OutputExists: a file is in the way and ``overwrite`` is not set.
    """
    checked(target, TARGETS, "form", "--to")
    rows = [row for one in gathered.games for row in message_rows(read(Path(one.row.file)), one.ledger.name)]
    if target == CORPUS:
        write_convokit(with_ledger(corpus_of(rows, _meta(gathered)), gathered), folder, overwrite=overwrite)
        return sorted(path for path in folder.iterdir() if path.is_file())
    tables = [
        Table("games", GameRow, [one.row for one in gathered.games]),
        Table("messages", MessageRow, rows),
        *ledger_tables(gathered.ledgers),
    ]
    return export_tables(tables, folder, target, lang=lang, overwrite=overwrite)


def _meta(gathered: Gathered) -> dict[str, Any]:
    rows = [one.row for one in gathered.games]
    return {
        "name": "diplomat",
        "games": {
            row.game: {"rules": row.rules, "edition": row.edition, "rules_version": row.rules_version} for row in rows
        },
    }


def with_ledger(corpus: Corpus, gathered: Gathered) -> Corpus:
    """The corpus with what was promised in each message, and what became of it, in its metadata."""
    made: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for ledger, promise, end, verdict in promises(gathered.ledgers):
        for span in promise.mentions:
            entry = {
                "pid": promise.pid,
                "act": promise.act,
                "goal": promise.goal_key,
                "start": span.start,
                "end": span.end,
                "source": span.source,
                "did": end.status,
                "reason": end.reason,
                "meant": verdict.meant,
                "believed": verdict.believed,
                "outcome": verdict.outcome,
            }
            made.setdefault((ledger.name, span.message), []).append(entry)
    said = []
    for one in corpus.utterances:
        game = str(corpus.conversations[one.conversation]["game_id"])
        message = one.id.removeprefix(f"{game}/")
        # A message that several read has the reader's seat behind its id.
        found = made.get((game, message)) or made.get((game, message.rpartition(">")[0])) or []
        said.append(replace(one, meta={**one.meta, "promises": found}))
    players = {f"{ledger.name}-{player.seat}": player for ledger in gathered.ledgers for player in ledger.players}
    speakers = {name: {**meta, **_player(players.get(name))} for name, meta in corpus.speakers.items()}
    return replace(corpus, utterances=tuple(said), speakers=speakers)


def _player(player: Any) -> dict[str, Any]:
    if player is None:
        return {}
    names = ("agent", "profile", "model", "lang", "role", "score", "won")
    return {name: getattr(player, name) for name in names}


def imported(name: str, folder: Path, *, reps: int = 2000, seed: str = "0") -> Imported:
    """A public data set in a folder.

    Raises:
        UnknownName: no such data set is known.
        BadTranscript: the folder does not hold it.
    """
    checked(name, SETS, "data set", "the command line")
    if not folder.is_dir():
        raise BadTranscript(f"there is no folder {folder}")
    if name == "cicero":
        return _cicero(folder)
    return _peskov(folder, reps, seed)


def _peskov(folder: Path, reps: int, seed: str) -> Imported:
    """The messages, and the orders where the data set's folder ``moves`` is in this one or beside it."""
    dialogues = read_peskov_folder(folder)
    rows = peskov.message_rows(dialogues)
    found = next((place for place in (folder / MOVES, folder.resolve().parent / MOVES) if place.is_dir()), None)
    moves = () if found is None else tuple(read_moves(found).values())
    parts = {"": rows, TEST: [row for row in rows if row.split == TEST]}
    return Imported(
        PESKOV,
        tuple(rows),
        len(moves) or len({(row.game_id, row.phase) for row in rows}),
        tuple(row for phase in moves for row in phase.rows()),
        receivers=tuple(
            (split, detection_report(_judged(part), reps=reps, seed=seed)) for split, part in parts.items() if part
        ),
        dialogues=dialogues,
    )


def _judged(rows: Sequence[MessageRow]) -> list[Judged]:
    return [
        Judged(row.game_id, row.intention == "lie", None if row.perception is None else row.perception == "lie")
        for row in rows
        if row.intention is not None
    ]


def _cicero(folder: Path) -> Imported:
    games = read_cicero_folder(folder)
    if not games:
        raise BadTranscript(f"{folder} holds no game_*.json of Cicero's published games")
    told = [game.orders() for game in games]
    return Imported(
        "cicero",
        tuple(row for game in games for row in game.messages()),
        sum(len(game.record["phases"]) for game in games),
        tuple(row for orders, _ in told for row in orders),
        tuple(row for _, lost in told for row in lost),
        sum(game.redacted() for game in games),
    )


def write_imported(
    found: Imported, target: str, folder: Path, *, lang: str = "en", overwrite: bool = False
) -> list[Path]:
    """A data set as tables or as a corpus; the paths written."""
    checked(target, (*TARGETS, PESKOV), "form", "--to")
    if target == CORPUS:
        write_convokit(corpus_of(found.messages, {"name": found.name}), folder, overwrite=overwrite)
        return sorted(path for path in folder.iterdir() if path.is_file())
    if target == PESKOV:
        if not found.dialogues:
            raise UsageError(f"{found.name} has no senders' marks, which the form {PESKOV} wants on every message")
        folder.mkdir(parents=True, exist_ok=True)
        paths = []
        for split in dict.fromkeys(one.split for one in found.dialogues):
            paths.append(folder / f"{split or 'dialogues'}.jsonl")
            write_peskov([one for one in found.dialogues if one.split == split], paths[-1])
        return paths
    tables = [
        Table("messages", MessageRow, found.messages),
        Table("orders", OrderRow, found.orders),
        Table("lost", LostRow, found.lost),
    ]
    return export_tables([table for table in tables if table.rows], folder, target, lang=lang, overwrite=overwrite)


def import_sections(found: Imported, say: Texts) -> list[Section]:
    """What a data set holds, and how its receivers did."""
    sent = [row.intention for row in found.messages if row.intention is not None]
    read_ = [row.perception for row in found.messages if row.perception is not None]
    notes = [
        say.say("import.size", speakers=found.speakers, phases=found.phases),
        say.say("import.marks", sent=len(sent), lies=sent.count("lie"), received=len(read_), doubts=read_.count("lie"))
        if sent
        else say.say("import.none"),
    ]
    if found.orders or found.lost:
        notes.append(say.say("import.orders", orders=len(found.orders), lost=len(found.lost)))
    elif found.name == PESKOV:
        notes.append(say.say("import.left", text=say.say("missing.moves")))
    if found.redacted:
        notes.append(say.say("import.redacted", words=found.redacted))
    notes.append(say.say("import.licence", text=say.say(f"licence.{found.name}")))
    title = say.say("import.title", name=found.name, games=found.games, messages=len(found.messages))
    return [Section(title, notes=tuple(notes)), *(_receivers(*part, say) for part in found.receivers)]


def left_out(found: Imported, target: str, say: Texts) -> list[str]:
    """What the data set holds and that form of it does not."""
    left = [] if target == PESKOV else [f"missing.{found.name}"]
    if found.orders and target in (CORPUS, PESKOV):
        left.append("missing.orders")
    return [say.say("import.left", text=say.say(key)) for key in left]


def _receivers(split: str, report: DetectionReport, say: Texts) -> Section:
    """Receivers beside the two lines that need no judgement."""
    rows = tuple(
        (
            say.say(f"judge.{judge}"),
            *(_figure(report.figure(measure, judge)) for measure in SHOWN),
        )
        for judge in dict.fromkeys(row.judge for row in report.rows)
    )
    columns = tuple(say.say(f"column.{key}") for key in ("judge", *SHOWN))
    title = say.say("import.receivers_of", split=split) if split else say.say("import.receivers")
    weak = [one for one in report.figure(SHOWN[0]).cautions if one.code == FEW]
    return Section(title, columns, rows, tuple(say.say("import.few", **one.facts) for one in weak))


def _figure(one: Interval) -> str:
    """An estimate with three decimals, as such figures are published, and its bounds."""
    if isnan(one.estimate):
        return "–"
    return f"{one.estimate:.3f}" + ("" if isnan(one.low) else f" ({one.low:.2f}–{one.high:.2f})")
