"""Older formats are read as they are; what they lack is said plainly."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from diplomat.core.errors import BadTranscript
from diplomat.transcript.migrate import STEPS, migrated
from diplomat.transcript.reader import read
from diplomat.transcript.schema import FORMAT, Header, Parent
from diplomat.transcript.verify import verify

from .conftest import rows_of, saved
from .test_writer import HEADER

Row = dict[str, Any]


def first_format(text: str) -> list[Row]:
    """A log as format 1 had it."""
    rows = [{key: value for key, value in row.items() if key != "chain"} for row in rows_of(text)]
    header = {key: value for key, value in rows[0].items() if key not in ("options", "parent")}
    header["seats"] = [{key: value for key, value in seat.items() if key != "model"} for seat in header["seats"]]
    return [{**header, "format": 1}, *rows[1:]]


def _plain(path: Path, rows: list[Row]) -> Path:
    text = "".join(json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n" for row in rows)
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture
def old(tmp_path: Path, rich_text: str) -> Path:
    return _plain(tmp_path / "old.jsonl", first_format(rich_text))


def test_a_log_of_format_1_is_read_and_verified_without_a_chain(old: Path, rich: Path) -> None:
    log, new = read(old), read(rich)
    assert (log.format, log.header.format, log.chain) == (1, FORMAT, None)
    assert log.header == new.header
    assert list(log.events()) == list(new.events())
    verdict = verify(log)
    assert (verdict.sound, verdict.finished, verdict.chain) == (True, True, None)


def test_format_1_cannot_be_held_against_a_hash(old: Path) -> None:
    found = verify(read(old), "0" * 32).difference
    assert found is not None
    assert (found.line, "format 1 has no hash to compare with" in found.why) == (1, True)


def test_the_rules_still_show_an_edit_of_format_1(tmp_path: Path, rich_text: str) -> None:
    rows = first_format(rich_text)
    rows[3]["to"] = ["s1", "s2"]
    found = verify(read(_plain(tmp_path / "edited.jsonl", rows))).difference
    assert found is not None
    assert found.line == 4


def test_a_new_log_cannot_pass_for_an_old_one(tmp_path: Path, rich_text: str) -> None:
    path = tmp_path / "game.jsonl"
    path.write_text(rich_text.replace('{"format":2', '{"format":1', 1), encoding="utf-8")
    with pytest.raises(BadTranscript, match="line 1: format 1 has no hashes, and yet the header carries one"):
        read(path)


@pytest.mark.parametrize("version", [0, -1, 1.0, True, "2", None, [2]])
def test_a_format_is_a_number(version: object, tmp_path: Path, rich_text: str) -> None:
    rows = rows_of(rich_text)
    rows[0]["format"] = version
    with pytest.raises(BadTranscript, match=r"line 1: not a transcript header \(format: .* is no number of a format"):
        read(saved(tmp_path / "game.jsonl", rows))


def test_there_is_a_step_from_every_older_format_to_the_next() -> None:
    assert sorted(STEPS) == list(range(1, FORMAT))
    for number, step in STEPS.items():
        assert step({"format": number})["format"] == number + 1
    assert migrated({"format": FORMAT, "x": 1}) == {"format": FORMAT, "x": 1}


def test_options_parent_and_model_are_kept(tmp_path: Path, rich_text: str) -> None:
    rows = rows_of(rich_text)
    options = {"pace": "quick", "deadline": 2.5, "models": {"s1": {"name": "m", "temperature": 1}}, "prices": None}
    parent: Row = {"sha256": "ab" * 32, "at": 40, "change": "s1 is honest"}
    rows[0] |= {"options": options, "parent": parent}
    rows[0]["seats"][0]["model"] = "m"
    header = read(saved(tmp_path / "game.jsonl", rows)).header
    assert (header.options, header.parent, header.seats[0].model) == (options, Parent(**parent), "m")
    assert (HEADER.options, HEADER.parent, HEADER.seats[0].model) == ({}, None, None)
    assert Header.model_validate_json(header.model_dump_json()) == header


@pytest.mark.parametrize(
    ("fields", "where"),
    [
        ({"options": []}, "options"),
        ({"options": None}, "options"),
        ({"parent": "x"}, "parent"),
        ({"parent": {"sha256": "ab" * 31, "at": 1}}, "parent.sha256"),
        ({"parent": {"sha256": "AB" * 32, "at": 1}}, "parent.sha256"),
        ({"parent": {"sha256": "ab" * 32}}, "parent.at"),
        ({"parent": {"sha256": "ab" * 32, "at": -1}}, "parent.at"),
        ({"parent": {"sha256": "ab" * 32, "at": 1.5}}, "parent.at"),
        ({"rules_version": "1"}, "rules_version"),
        ({"rules_version": True}, "rules_version"),
        ({"lang": 1}, "lang"),
        ({"settings": []}, "settings"),
        ({"seats": {}}, "seats"),
        ({"seats": [{"seat": "s1", "agent": "x", "model": 1}]}, "seats.0.model"),
    ],
)
def test_a_field_of_the_wrong_type_is_named(fields: Row, where: str, tmp_path: Path, rich_text: str) -> None:
    rows = rows_of(rich_text)
    rows[0] |= fields
    with pytest.raises(BadTranscript, match=rf"line 1: not a transcript header \({where}: "):
        read(saved(tmp_path / "game.jsonl", rows))


def test_what_is_no_json_cannot_become_an_option() -> None:
    with pytest.raises(ValidationError):
        Header(**{**HEADER.model_dump(), "options": {"path": Path("x")}})
