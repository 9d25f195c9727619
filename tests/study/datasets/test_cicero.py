"""Cicero's redacted games: all read, no order lost, nothing changed by writing back."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from diplomat.core.errors import BadTranscript
from diplomat.study.datasets.cicero import CiceroGame, order_row, read_cicero, read_cicero_folder, season_of


def test_counts_as_in_the_note(cicero: tuple[CiceroGame, ...]) -> None:
    said = [(game, row) for game in cicero for row in game.messages()]
    assert (len(cicero), sum(len(game.record["phases"]) for game in cicero), len(said)) == (40, 1_484, 5_924)
    assert sum(row.sender == game.cicero.lower() for game, row in said) == 2_430
    assert not any("~N~" in row.text for _, row in said)


def test_no_order_is_lost(cicero: tuple[CiceroGame, ...]) -> None:
    for game in cicero:
        rows, lost = game.orders()
        assert lost == []
        written = sum(len(orders or ()) for phase in game.record["phases"] for orders in phase["orders"].values())
        assert len(rows) == written


def test_every_game_comes_back_byte_for_byte(cicero: tuple[CiceroGame, ...], cicero_folder: Path) -> None:
    files = sorted(cicero_folder.glob("game_*.json"))
    for game, path in zip(cicero, files, strict=True):
        assert game.line().encode() == path.read_bytes()


@pytest.mark.parametrize(
    ("text", "kind", "unit", "to", "source"),
    [
        ("A BUD - SER", "MOVE", "BUD", "SER", ""),
        ("F STP/SC - BOT", "MOVE", "STP/SC", "BOT", ""),
        ("A LON - BEL VIA", "MOVE", "LON", "BEL", ""),
        ("A VEN H", "HOLD", "VEN", "", ""),
        ("A BUD S F TRI - VEN", "SUPPORT", "BUD", "VEN", "TRI"),
        ("A BUD S A VIE", "SUPPORT", "BUD", "", "VIE"),
        ("F NTH C A LON - BEL", "CONVOY", "NTH", "BEL", "LON"),
        ("A SER R ALB", "RETREAT", "SER", "ALB", ""),
        ("F LON B", "BUILD", "LON", "", ""),
        ("A WAR D", "DISBAND", "WAR", "", ""),
    ],
)
def test_orders_are_read_in_the_usual_notation(text: str, kind: str, unit: str, to: str, source: str) -> None:
    row = order_row(text, "g", "S1901M", "austria")
    assert row is not None
    assert (row.kind, row.unit, row.to, row.source) == (kind, unit, to, source)


def test_an_order_in_no_known_notation_is_kept_as_lost() -> None:
    game = CiceroGame("1", "ITALY", "AF", {"phases": [{"name": "S1901M", "orders": {"ITALY": ["A VEN ?"]}}]})
    rows, lost = game.orders()
    assert (rows, Counter(entry.what for entry in lost)) == ([], Counter({"A VEN ?": 1}))


def test_seasons_are_spelled_as_in_the_other_data_set() -> None:
    assert [season_of(name) for name in ("S1901M", "F1902R", "COMPLETED")] == ["1901-Spring", "1902-Fall", "COMPLETED"]


def test_files_of_another_name_or_form_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadTranscript, match=r"game_\*\.json"):
        read_cicero_folder(tmp_path)
    (tmp_path / "other.json").write_text("{}")
    with pytest.raises(BadTranscript, match="not named like"):
        read_cicero(tmp_path / "other.json")
    damaged = tmp_path / "game_1_ITALY_AF.json"
    damaged.write_text('{"phases": [{"name": "S1901M"}]}')
    with pytest.raises(BadTranscript, match="phase 0"):
        read_cicero(damaged)
