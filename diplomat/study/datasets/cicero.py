"""Redacted games of Cicero (Bakhtin et al. 2022): orders of all seven powers and the talk of those who consented.

Line breaks are coded ``~N~`` in the messages and some words are cut out as ``[1060245]``.  The plain rows undo the
line breaks; the game itself is kept as it came, so writing it back loses nothing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from diplomat.core.errors import BadTranscript
from diplomat.study.datasets.rows import LostRow, MessageRow, OrderRow

NAME = re.compile(r"game_(?P<game>\d+)_(?P<power>[A-Z]+)_(?P<consenting>[A-Z]+)")
PLACE = r"[A-Z]{3}(?:/[A-Z]{2})?"
ORDER = re.compile(
    rf"[AF] (?P<unit>{PLACE})"
    rf"(?: (?P<act>[-SCHRBD])(?: (?:[AF] )?(?P<first>{PLACE})(?: - (?P<second>{PLACE}))?)?)?"
    r"(?: VIA)?"
)
KINDS = {"-": "MOVE", "S": "SUPPORT", "C": "CONVOY", "H": "HOLD", "R": "RETREAT", "B": "BUILD", "D": "DISBAND"}
SEASONS = {"S": "Spring", "F": "Fall", "W": "Winter"}
REDACTED = re.compile(r"\[\d+\]")


@dataclass(frozen=True, slots=True)
class CiceroGame:
    """One game as its file holds it, with what the file's name adds."""

    game_id: str
    cicero: str
    """The power that Cicero played."""
    consenting: str
    """Initials of the powers whose talk is in the file."""
    record: dict[str, Any]

    def messages(self) -> Iterator[MessageRow]:
        """The talk as plain rows; nobody was asked for marks, so there are none."""
        number = 0
        for phase in self.record["phases"]:
            for said in phase["messages"]:
                yield MessageRow(
                    game_id=f"cicero/{self.game_id}",
                    msg_id=f"cicero/{self.game_id}/{number}",
                    phase=phase["name"],
                    number=number,
                    sender=said["sender"].lower(),
                    receiver=said["recipient"].lower(),
                    text=said["message"].replace("~N~", "\n"),
                    intention=None,
                    perception=None,
                )
                number += 1

    def orders(self) -> tuple[list[OrderRow], list[LostRow]]:
        """The orders as plain rows, and those that this reader has no row for."""
        rows: list[OrderRow] = []
        lost: list[LostRow] = []
        for phase in self.record["phases"]:
            for power, orders in phase["orders"].items():
                for text in orders or ():
                    row = order_row(text, f"cicero/{self.game_id}", phase["name"], power.lower())
                    if row is None:
                        lost.append(LostRow(f"cicero/{self.game_id}", f"{phase['name']} {power}", text))
                    else:
                        rows.append(row)
        return rows, lost

    def line(self) -> str:
        """The file's content, byte for byte."""
        return json.dumps(self.record, separators=(",", ":"))

    def redacted(self) -> int:
        """How many words were cut out of the messages that are there."""
        return sum(
            len(REDACTED.findall(said["message"])) for phase in self.record["phases"] for said in phase["messages"]
        )


def order_row(text: str, game_id: str, phase: str, seat: str) -> OrderRow | None:
    """An order in the usual notation (``A BUD S F TRI - VEN``) as a row; ``None`` if it is not in this notation.

    >>> order_row("A BUD S F TRI - VEN", "g", "S1901M", "austria").to
    'VEN'
    """
    if text == "WAIVE":
        return OrderRow(game_id, phase, seat, "", "OTHER", result="WAIVE")
    found = ORDER.fullmatch(text.strip())
    if found is None:
        return None
    kind = KINDS[found["act"]] if found["act"] else "HOLD"
    unit, first, second = (part.upper() if part else "" for part in (found["unit"], found["first"], found["second"]))
    if kind in ("SUPPORT", "CONVOY"):
        return OrderRow(game_id, phase, seat, unit, kind, to=second, source=first)
    return OrderRow(game_id, phase, seat, unit, kind, to=first)


def season_of(phase: str) -> str:
    """A phase's name as the season of :mod:`.peskov`'s rows.

    >>> season_of("S1901M")
    '1901-Spring'
    """
    return f"{phase[1:5]}-{SEASONS[phase[0]]}" if len(phase) == 6 and phase[0] in SEASONS else phase


def read_cicero(path: Path) -> CiceroGame:
    """One game's file.

    Raises:
        BadTranscript: its name or content is not of the data set's form.
    """
    named = NAME.fullmatch(path.stem)
    if named is None:
        raise BadTranscript(f"{path.name} is not named like game_433761_ENGLAND_AG.json")
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
    except json.JSONDecodeError as error:
        raise BadTranscript(f"{path.name} is no JSON: {error.msg}", error.lineno) from error
    wanted = {"name", "orders", "messages", "state"}
    if not isinstance(record, dict) or not isinstance(record.get("phases"), list):
        raise BadTranscript(f"{path.name}: an object with a list of phases is wanted")
    for number, phase in enumerate(record["phases"]):
        if not isinstance(phase, dict) or not wanted <= set(phase):
            raise BadTranscript(f"{path.name}, phase {number}: an object with {', '.join(sorted(wanted))} is wanted")
    return CiceroGame(named["game"], named["power"], named["consenting"], record)


def read_cicero_folder(folder: Path) -> tuple[CiceroGame, ...]:
    """All games of a folder, by number.

    Raises:
        BadTranscript: the folder holds none, or one of them cannot be read.
    """
    games = tuple(read_cicero(path) for path in sorted(folder.glob("game_*.json")))
    if not games:
        raise BadTranscript(f"{folder} holds no game_*.json; the folder `cicero_redacted_games` is wanted")
    return games
