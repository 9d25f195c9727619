"""The board as a few lines of text for terminals: every province with the letter of its owner.

Made from what a viewer knows, like everything else that is shown; only the public board is used.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from diplomat.core.audience import Seat
from diplomat.core.events import Event
from diplomat.core.texts import Texts, load_texts
from diplomat.games.rokugan.atlas import Territory, atlas
from diplomat.games.rokugan.board import Board
from diplomat.games.rokugan.content import clans
from diplomat.games.rokugan.events import ObjectiveRevealed, RoundBegan
from diplomat.games.rokugan.knowledge import Known
from diplomat.games.rokugan.scoring import score

LABEL, CELL = 27, 17
"""Columns of a territory's name and of one province where all of them stand on one line."""
SCORED = ("flowers", "faceup", "territories", "objective", "provinces")


def _texts(lang: str) -> Texts:
    return load_texts("diplomat.games.rokugan", "boardlines", lang)


def _letter(board: Board, seat: Seat, lang: str) -> str:
    clan = board.clans.get(seat)
    return clans()[clan].texts[f"letter_{lang}"] if clan else seat


def _clan_name(board: Board, seat: Seat, lang: str) -> str:
    clan = board.clans.get(seat)
    return clans()[clan].texts[lang] if clan else seat


def _cell(board: Board, province: str, lang: str) -> str:
    """One province: name, owner, faceup tokens, peace or scorched earth."""
    held = board.control.get(province)
    if province in board.scorched:
        mark = "x"
    elif held is None:
        mark = "·"
    else:
        mark = _letter(board, held.owner, lang) + (f"+{held.faceup}" if held.faceup else "")
    peace = "*" if province in board.peace else ""
    return f"{getattr(atlas().provinces[province], lang)} {mark}{peace}"


def _rows(cells: Iterable[str], room: int, cell: int) -> list[str]:
    """Cells in columns, as many on a line as fit; a long one takes several columns."""
    rows: list[str] = []
    line = ""
    for text in cells:
        if line and len(line) + len(text) > room:
            rows.append(line.rstrip())
            line = ""
        line += text.ljust(cell * (len(text) // cell + 1))
    return [*rows, line.rstrip()] if line else rows


def _territory(board: Board, territory: Territory, lang: str, width: int) -> list[str]:
    name = getattr(territory, lang)
    cells = [_cell(board, province, lang) for province in territory.provinces]
    if width >= LABEL + 3 * CELL:
        row = _rows(cells, LABEL + len(cells) * 2 * CELL, CELL)[0]
        return [name.ljust(LABEL) + (row if LABEL + len(row) <= width else "  ".join(cells))]
    return [name, *(f"  {row}" for row in _rows(cells, width - 2, 12))]


def standings(board: Board) -> list[tuple[Seat, int]]:
    """Seats by the honor that everybody can count now, objectives left out (house H11.2)."""
    counted = [(seat, score(board, seat, None).total) for seat in board.seats if seat in board.clans]
    return sorted(counted, key=lambda row: -row[1])


def board_lines(known: Known, lang: str, width: int) -> list[str]:
    """Who controls what, and the honor that lies open; readable from 40 columns on."""
    board, texts = known.board, _texts(lang)
    lines: list[str] = []
    for territory in atlas().territories.values():
        lines += _territory(board, territory, lang, width)
    letters = [f"{_letter(board, seat, lang)} {_clan_name(board, seat, lang)}" for seat in board.clans]
    lines += _wrapped(letters, width, " · ")
    long = texts.say("board.key")
    lines.append(long if len(long) <= width else texts.say("board.key_short"))
    honor = [
        texts.say("board.standing", seat=_clan_name(board, seat, lang), honor=total) for seat, total in standings(board)
    ]
    lines += _wrapped(texts.say("board.standings", list="|".join(honor)).split("|"), width, " · ")
    return lines


def _wrapped(words: Iterable[str], width: int, between: str) -> list[str]:
    """Words joined on as few lines as they need."""
    lines: list[str] = []
    for word in words:
        if lines and len(lines[-1]) + len(between) + len(word) <= width:
            lines[-1] += between + word
        else:
            lines.append(word if not lines else f"  {word}")
    return lines


def chapter(event: Event, before: Known, lang: str) -> str | None:
    """The heading of a round or of the scoring, if the event opens one."""
    if isinstance(event, RoundBegan):
        return _texts(lang).say("chapter.round", round=event.round, rounds=before.board.rounds)
    if isinstance(event, ObjectiveRevealed) and not before.board.objectives:
        return _texts(lang).say("chapter.scoring")
    return None


def score_table(known: Known, lang: str) -> tuple[list[str], Mapping[str, list[str]]]:
    """What the honor of each seat is made of: headings, and a row of cells by seat."""
    texts = _texts(lang)
    headings = [texts.say(f"score.{part}") for part in SCORED]
    rows = {str(seat): [str(getattr(row, part)) for part in SCORED] for seat, row in known.board.scores.items()}
    return headings, rows
