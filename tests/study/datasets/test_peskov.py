"""Peskov et al. 2020: counts as published, nothing lost there and back, damage named with its line."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from diplomat.core.errors import BadTranscript
from diplomat.study.datasets.peskov import (
    SPLITS,
    PeskovDialogue,
    from_rows,
    message_rows,
    peskov_line,
    read_peskov,
    read_peskov_folder,
    write_peskov,
)
from diplomat.study.datasets.peskov_moves import PeskovPhase, read_moves, read_phase

LINE: dict[str, Any] = {
    "messages": ["Hi!\nПривет \U0001f600", "No."],
    "sender_labels": [True, False],
    "receiver_labels": [False, "NOANNOTATION"],
    "speakers": ["italy", "germany"],
    "receivers": ["germany", "italy"],
    "absolute_message_index": [3, 9],
    "relative_message_index": [0, 1],
    "seasons": ["Spring", "Spring"],
    "years": ["1901", "1901"],
    "game_score": ["3", "3"],
    "game_score_delta": ["0", "0"],
    "players": ["italy", "germany"],
    "game_id": 1,
}


def one(tmp_path: Path, line: str) -> tuple[PeskovDialogue, ...]:
    path = tmp_path / "test.jsonl"
    path.write_text(line + "\n", encoding="utf-8")
    return read_peskov(path)


def test_published_counts(peskov: tuple[PeskovDialogue, ...]) -> None:
    rows = message_rows(peskov)
    assert len(rows) == 17_289
    assert sum(row.intention == "lie" for row in rows) == 887
    assert sum(row.perception is None for row in rows) == 1_506
    assert len({(row.game_id, row.sender) for row in rows}) == 83
    quadrants = Counter(row.quadrant for row in rows)
    assert (quadrants["straightforward"], quadrants["deceived"]) == (14_314, 691)
    assert (quadrants["cassandra"], quadrants["caught"]) == (667, 111)
    splits = Counter(row.split for row in rows)
    assert dict(splits) == {"train": 13_132, "validation": 1_416, "test": 2_741}


def test_every_line_comes_back_byte_for_byte(
    peskov: tuple[PeskovDialogue, ...], peskov_folder: Path, tmp_path: Path
) -> None:
    for split in SPLITS:
        written = tmp_path / f"{split}.jsonl"
        write_peskov([dialogue for dialogue in peskov if dialogue.split == split], written)
        assert written.read_bytes() == (peskov_folder / f"{split}.jsonl").read_bytes()
    assert read_peskov_folder(tmp_path) == peskov


def test_plain_rows_keep_what_the_form_can_say(peskov: tuple[PeskovDialogue, ...]) -> None:
    rows = message_rows(peskov)
    numbers = {f"peskov/{number}": number for number in range(1, 13)}
    again = message_rows(from_rows(rows, numbers))
    assert {replace(row, split="") for row in rows} == set(again)


def test_moves_hold_342_seasons_and_come_back_equal(
    peskov_moves: Mapping[tuple[int, str, str], PeskovPhase], peskov_folder: Path
) -> None:
    assert len(peskov_moves) == 342
    kinds = Counter(row.kind for phase in peskov_moves.values() for row in phase.rows())
    assert kinds == {"MOVE": 4041, "SUPPORT": 2029, "HOLD": 1091, "BUILD": 441, "DISBAND": 155, "CONVOY": 138}
    for (game, year, season), phase in peskov_moves.items():
        path = peskov_folder / "moves" / f"DiplomacyGame{game}_{year}_{season.lower()}.json"
        assert phase.as_json() == json.loads(path.read_text(encoding="utf-8"))


def test_words_of_all_scripts_and_unknown_fields_survive(tmp_path: Path) -> None:
    line = json.dumps({**LINE, "collected": "2020"})
    (dialogue,) = one(tmp_path, line)
    assert dialogue.messages[0].text == "Hi!\nПривет \U0001f600"
    assert dialogue.extra == {"collected": "2020"}
    assert peskov_line(dialogue) == line


def test_an_unlabelled_receiver_is_neither_believing_nor_doubting(tmp_path: Path) -> None:
    (dialogue,) = one(tmp_path, json.dumps(LINE))
    first, second = dialogue.rows()
    assert (first.intention, first.perception, first.quadrant) == ("truth", "lie", "cassandra")
    assert (second.intention, second.perception, second.quadrant) == ("lie", None, None)


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        ({"messages": ["only one"]}, "different lengths"),
        ({"sender_labels": ["true", False]}, "labels are 'true'"),
        ({"receiver_labels": [None, True]}, "None"),
        ({"players": ["italy"]}, "two players"),
        ({"years": ...}, "lacks years"),
    ],
)
def test_damage_is_named_with_its_line(damage: dict[str, Any], said: str, tmp_path: Path) -> None:
    found = {name: value for name, value in {**LINE, **damage}.items() if value is not ...}
    with pytest.raises(BadTranscript, match=said) as caught:
        one(tmp_path, json.dumps(LINE) + "\n" + json.dumps(found))
    assert caught.value.line == 2


def test_a_line_that_is_no_json_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadTranscript, match=r"test\.jsonl, line 1 is no JSON"):
        one(tmp_path, "{")


def test_an_empty_folder_says_what_is_wanted(tmp_path: Path) -> None:
    with pytest.raises(BadTranscript, match=r"train\.jsonl"):
        read_peskov_folder(tmp_path)
    with pytest.raises(BadTranscript, match="moves"):
        read_moves(tmp_path)


def test_a_move_file_of_another_name_or_form_is_refused(tmp_path: Path) -> None:
    (tmp_path / "game.json").write_text("{}")
    (tmp_path / "DiplomacyGame1_1901_spring.json").write_text("[]")
    with pytest.raises(BadTranscript, match="not named like"):
        read_phase(tmp_path / "game.json")
    with pytest.raises(BadTranscript, match="sc, orders and territories"):
        read_phase(tmp_path / "DiplomacyGame1_1901_spring.json")


def test_a_message_without_the_senders_mark_cannot_be_told_in_this_form(tmp_path: Path) -> None:
    (dialogue,) = one(tmp_path, json.dumps(LINE))
    row = replace(next(dialogue.rows()), intention=None)
    with pytest.raises(BadTranscript, match="no mark of its sender"):
        from_rows([row], {"peskov/1": 1})
