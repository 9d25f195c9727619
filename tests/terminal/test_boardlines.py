"""Rokugan's board as text, at 80 and 40 columns."""

import re
from dataclasses import replace

import pytest
from rich.cells import cell_len

from diplomat.core.audience import Seat
from diplomat.games.rokugan.atlas import atlas
from diplomat.games.rokugan.board import Board, Control, new_board
from diplomat.games.rokugan.boardlines import board_lines, score_table, standings
from diplomat.games.rokugan.knowledge import Known
from diplomat.games.rokugan.settings import Settings

SEATS = tuple(Seat(f"s{n}") for n in range(1, 6))
CLANS = dict(zip(SEATS, ("crab", "crane", "scorpion", "unicorn", "phoenix"), strict=True))
FULL = replace(
    new_board(SEATS, 5, 2),
    clans=CLANS,
    control={p: Control(SEATS[n % 5], 1, 12) for n, p in enumerate(atlas().provinces)},
    peace=frozenset(atlas().provinces),
)


def text(board: Board, lang: str = "en", width: int = 80) -> list[str]:
    return board_lines(Known(None, board, Settings()), lang, width)


@pytest.mark.parametrize("lang", ["en", "ru"])
@pytest.mark.parametrize("width", [80, 60, 40])
def test_every_province_is_there_and_every_line_fits(lang: str, width: int) -> None:
    shown = text(FULL, lang, width)
    assert [line for line in shown if cell_len(line) > width] == []
    for province in atlas().provinces.values():
        assert any(re.search(rf"\b{re.escape(getattr(province, lang))} \w+\+12\*", line) for line in shown), province.id


def test_owner_faceup_peace_scorched_and_free() -> None:
    board = replace(
        new_board(SEATS, 5, 2),
        clans=CLANS,
        control={"hida": Control(SEATS[0], 1, 2), "kaiu": Control(SEATS[1])},
        peace=frozenset({"kaiu"}),
        scorched=frozenset({"doji"}),
    )
    rows = {line.split("  ")[0]: line for line in text(board)}
    assert re.search(r"Hida Cb\+2 +Kaiu Cn\* +Yasuki ·$", rows["Crab lands"])
    assert "Doji x" in rows["Crane lands"]


def test_a_territory_is_one_line_when_there_is_room_and_more_when_not() -> None:
    assert len(text(FULL, width=80)) < len(text(FULL, width=40))
    assert len([line for line in text(FULL, width=80) if "Cb+12*" in line]) <= len(atlas().territories)


@pytest.mark.parametrize("lang", ["en", "ru"])
@pytest.mark.parametrize(("width", "indent", "cell"), [(40, 2, 12), (80, 27, 17)])
def test_columns_stand_below_each_other_where_a_cell_is_long(lang: str, width: int, indent: int, cell: int) -> None:
    """Mirumoto at peace with its owner is just as wide as its column on a narrow terminal."""
    board = replace(
        new_board(SEATS, 5, 2),
        clans={SEATS[0]: "dragon"},
        control={"mirumoto": Control(SEATS[0])},
        peace=frozenset({"mirumoto"}),
    )
    lines = text(board, lang, width)
    for province in atlas().provinces.values():
        name = f"{getattr(province, lang)} "
        line = next(line for line in lines if name in line[indent:])
        assert (line.index(name, indent) - indent) % cell == 0, line


def test_standings_count_what_everybody_can_see() -> None:
    hida, kaiu = (atlas().provinces[province].flowers for province in ("hida", "kaiu"))
    ahead = 4  # faceup tokens; more than the flowers of any province
    board = replace(
        new_board(SEATS, 5, 2),
        clans=CLANS,
        control={"hida": Control(SEATS[0], 1, 1), "kaiu": Control(SEATS[1], 1, hida + ahead)},
    )
    first, second = kaiu + hida + ahead, hida + 1
    assert standings(board) == [(SEATS[1], first), (SEATS[0], second), *((seat, 0) for seat in SEATS[2:])]
    assert any(line.startswith(f"Honor without objectives: Crane {first} · Crab {second} · ") for line in text(board))


def test_score_table_is_empty_before_the_end() -> None:
    headings, rows = score_table(Known(None, FULL, Settings()), "en")
    assert len(headings) == 5
    assert rows == {}
