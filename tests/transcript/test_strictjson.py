"""A line is read quickly only where nothing could be lost; every other line is read as slowly and strictly as ever."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from diplomat.transcript import strictjson
from diplomat.transcript.strictjson import parsed

ROWS = [
    {"n": 1, "kind": "message_sent", "to": None, "data": {"text": 'He said "a": 1, \\ and Ёго 😀\n', "of": [1.5, -2]}},
    {"n": 20, "to": ["s1"], "data": {"deep": {"er": [{"a": None}, {"b": True}]}}, "meta": {"cost": 0.0125}},
]
PIECES = (
    *("NaN", "-Infinity", "1e999", '"n":5,', '"n":1,"n":1,', " ", "\\", '"', "{", "}", "-0", "0.10", "1E5", "\\u0041"),
    *("\\ud800", "\x7f", ":", ",", "\t", "é", '\\":', "12345678901234567890123"),
)


def _outcome(row: str | bytes) -> str:
    try:
        return repr(parsed(row))
    except ValueError as fault:
        return f"refused: {fault}"


def test_bytes_and_text_are_read_alike_however_a_line_is_spoilt() -> None:
    dice = random.Random(7)
    taken = 0
    for _ in range(6000):
        row = json.dumps(dice.choice(ROWS), ensure_ascii=False, separators=(",", ":"))
        for _ in range(dice.randrange(3)):
            at = dice.randrange(len(row))
            row = row[:at] + dice.choice(PIECES) + row[at + dice.choice((0, 1)) :]
        got = _outcome(row.encode("utf-8", "surrogatepass"))
        assert got == _outcome(row), row
        taken += not got.startswith("refused")
    assert 1000 < taken < 5000


@pytest.mark.parametrize("row", ROWS)
def test_a_line_as_the_program_writes_it_is_read_quickly(row: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strictjson, "_SLOWLY", None)
    assert parsed(json.dumps(row, ensure_ascii=False, separators=(",", ":")).encode()) == row


@pytest.mark.parametrize(
    ("row", "says"),
    [
        (b'{"a":1,"a":1}', "stands twice"),
        (b'{"a":{"b":1,"b":2}}', "stands twice"),
        (b'{"a":NaN}', "NaN is no number"),
        (b'{"a":Infinity}', "Infinity is no number"),
        (b'{"a":1e999}', "1e999 is too large"),
    ],
)
def test_nothing_hides_in_bytes(row: bytes, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        parsed(row)
