"""Messages of *It Takes Two to Lie* (Peskov et al. 2020): read and written so that every line comes back byte for byte.

One line is the talk of two seats in one game.  ``sender_labels`` say whether the sender meant it (``true`` = truthful),
``receiver_labels`` whether the receiver believed it; a receiver who pressed nothing is ``"NOANNOTATION"``.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from diplomat.core.errors import BadTranscript
from diplomat.study.datasets.rows import Mark, MessageRow

UNMARKED = "NOANNOTATION"
SPLITS = ("train", "validation", "test")

COLUMNS: Mapping[str, str] = {
    "messages": "text",
    "sender_labels": "truthful",
    "receiver_labels": "believed",
    "speakers": "sender",
    "receivers": "receiver",
    "absolute_message_index": "number",
    "relative_message_index": "place",
    "seasons": "season",
    "years": "year",
    "game_score": "score",
    "game_score_delta": "lead",
}
"""The file's parallel lists, in the file's order, and what one entry is called here."""


@dataclass(frozen=True, slots=True)
class PeskovMessage:
    """One message as the file holds it; scores and years stay the text that they are there."""

    text: str
    truthful: bool
    believed: bool | None
    sender: str
    receiver: str
    number: int
    """Place among all messages of the game."""
    place: int
    """Place within this dialogue."""
    season: str
    year: str
    score: str
    """Supply centres of the sender."""
    lead: str
    """Supply centres of the sender less those of the receiver."""


@dataclass(frozen=True, slots=True)
class PeskovDialogue:
    """All messages between two seats of one game: one line of the file."""

    game_id: int
    players: tuple[str, str]
    messages: tuple[PeskovMessage, ...]
    split: str = ""
    extra: Mapping[str, Any] = field(default_factory=dict)
    """Fields this reader does not know, kept and written back behind the known ones."""

    def rows(self) -> Iterator[MessageRow]:
        """The messages as plain rows; ids are ``peskov/GAME/NUMBER``."""
        for message in self.messages:
            yield MessageRow(
                game_id=f"peskov/{self.game_id}",
                msg_id=f"peskov/{self.game_id}/{message.number}",
                phase=f"{message.year}-{message.season.capitalize()}",
                number=message.number,
                sender=message.sender,
                receiver=message.receiver,
                text=message.text,
                intention=mark(message.truthful),
                perception=mark(message.believed),
                split=self.split,
            )


def mark(truth: bool | None) -> Mark | None:
    """A label of the file as this package's word."""
    return None if truth is None else ("truth" if truth else "lie")


def read_peskov(path: Path, split: str = "") -> tuple[PeskovDialogue, ...]:
    """The dialogues of one file; the split is the file's name unless another is given.

    Raises:
        BadTranscript: a line is no JSON object, lacks a field, or its lists differ in length.
    """
    named = split or (path.stem if path.stem in SPLITS else "")
    with path.open(encoding="utf-8", newline="\n") as lines:
        return tuple(
            _dialogue(line, number, named, path.name) for number, line in enumerate(lines, start=1) if line.strip()
        )


def read_peskov_folder(folder: Path) -> tuple[PeskovDialogue, ...]:
    """Train, validation and test of a folder, in this order.

    Raises:
        BadTranscript: one of the three files is missing or cannot be read.
    """
    missing = [f"{split}.jsonl" for split in SPLITS if not (folder / f"{split}.jsonl").is_file()]
    if missing:
        raise BadTranscript(f"{folder} has no {', '.join(missing)}; the folder `data` of the data set is wanted")
    return tuple(dialogue for split in SPLITS for dialogue in read_peskov(folder / f"{split}.jsonl"))


def peskov_line(dialogue: PeskovDialogue) -> str:
    """One dialogue as the file has it, without the line's end."""
    lists: dict[str, Any] = {
        column: [
            _label(getattr(message, name)) if name == "believed" else getattr(message, name)
            for message in dialogue.messages
        ]
        for column, name in COLUMNS.items()
    }
    return json.dumps({**lists, "players": list(dialogue.players), "game_id": dialogue.game_id, **dialogue.extra})


def write_peskov(dialogues: Iterable[PeskovDialogue], path: Path) -> None:
    """Writes dialogues in the data set's own form, one per line."""
    with path.open("w", encoding="utf-8", newline="\n") as out:
        out.writelines(peskov_line(dialogue) + "\n" for dialogue in dialogues)


def message_rows(dialogues: Iterable[PeskovDialogue]) -> list[MessageRow]:
    """All messages of all dialogues as plain rows."""
    return [row for dialogue in dialogues for row in dialogue.rows()]


def from_rows(rows: Iterable[MessageRow], game_number: Mapping[str, int]) -> tuple[PeskovDialogue, ...]:
    """Plain rows in the data set's form, so that its programs can read games of another table.

    Scores are ``"0"``: the form demands them and plain rows have none.  Rows without the sender's mark cannot be told
    in this form, since it has no word for them.

    Raises:
        BadTranscript: a row has no sender's mark, or its game no number.
    """
    kept: dict[tuple[str, tuple[str, str]], list[PeskovMessage]] = {}
    for row in sorted(rows, key=lambda row: (row.game_id, row.number)):
        if row.intention is None:
            raise BadTranscript(f"{row.msg_id} has no mark of its sender; this form wants one on every message")
        if row.game_id not in game_number:
            raise BadTranscript(f"{row.msg_id}: the game {row.game_id} has been given no number")
        low, high = sorted((row.sender, row.receiver))
        pair = kept.setdefault((row.game_id, (low, high)), [])
        year, _, season = row.phase.partition("-")
        believed = None if row.perception is None else row.perception == "truth"
        pair.append(
            PeskovMessage(
                row.text,
                row.intention == "truth",
                believed,
                row.sender,
                row.receiver,
                row.number,
                len(pair),
                season,
                year,
                "0",
                "0",
            )
        )
    return tuple(PeskovDialogue(game_number[game], pair, tuple(messages)) for (game, pair), messages in kept.items())


def _label(believed: bool | None) -> bool | str:
    return UNMARKED if believed is None else believed


def _dialogue(line: str, number: int, split: str, where: str) -> PeskovDialogue:
    try:
        found = json.loads(line)
    except json.JSONDecodeError as error:
        raise BadTranscript(f"{where}, line {number} is no JSON: {error.msg}", number) from error
    if not isinstance(found, dict):
        raise BadTranscript(f"{where}, line {number} is no JSON object but {type(found).__name__}", number)
    missing = [name for name in (*COLUMNS, "players", "game_id") if name not in found]
    if missing:
        raise BadTranscript(f"{where}, line {number} lacks {', '.join(missing)}", number)
    lengths = {len(found[name]) for name in COLUMNS}
    if len(lengths) != 1:
        raise BadTranscript(f"{where}, line {number}: its lists have different lengths {sorted(lengths)}", number)
    if len(found["players"]) != 2:
        raise BadTranscript(f"{where}, line {number}: a dialogue has two players, not {len(found['players'])}", number)
    messages = tuple(
        _message(dict(zip(COLUMNS.values(), entries, strict=True)), number, where)
        for entries in zip(*(found[name] for name in COLUMNS), strict=True)
    )
    extra = {name: value for name, value in found.items() if name not in {*COLUMNS, "players", "game_id"}}
    return PeskovDialogue(found["game_id"], (found["players"][0], found["players"][1]), messages, split, extra)


def _message(fields: dict[str, Any], number: int, where: str) -> PeskovMessage:
    believed = fields["believed"]
    if not isinstance(fields["truthful"], bool) or not (isinstance(believed, bool) or believed == UNMARKED):
        raise BadTranscript(
            f"{where}, line {number}: labels are {fields['truthful']!r} and {believed!r};"
            f" true, false and (receiver only) {UNMARKED!r} are known",
            number,
        )
    return PeskovMessage(**{**fields, "believed": None if believed == UNMARKED else believed})
