"""The reader: what it reads is what was written; what is damaged is named with its line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from diplomat.core.errors import BadTranscript, NewerFormat
from diplomat.transcript.codec import classes, decode, encode
from diplomat.transcript.reader import read
from diplomat.transcript.schema import FORMAT


def test_a_log_is_read_as_it_was_written(rich: Path) -> None:
    transcript = read(rich)
    assert not transcript.torn
    assert transcript.seats == ("s1", "s2", "s3", "s4")
    assert transcript.settings.messages == 2
    rows = [json.loads(line) for line in rich.read_text(encoding="utf-8").splitlines()[1:]]
    for row, line in zip(rows, transcript.lines, strict=True):
        assert encode(line.event) == {key: row[key] for key in ("kind", "to", "data")}
        assert (line.n, line.number, line.at) == (row["n"], row["n"] + 1, row["at"])
        assert line.audience == line.event.audience()
    assert transcript.lines[0].meta == {"nonce": "nonce"}
    assert list(transcript.events(3)) == [line.event for line in transcript.lines[:3]]
    assert len(list(transcript.events())) == len(transcript.lines)


def test_a_torn_last_line_is_left_out_at_whatever_byte_it_was_torn(rokugan: Path) -> None:
    raw = rokugan.read_bytes()
    whole = len(read(rokugan).lines)
    last = raw.rstrip(b"\n").rpartition(b"\n")[2]
    for cut in range(1, len(last) + 2):
        rokugan.write_bytes(raw[:-cut])
        transcript = read(rokugan)
        assert len(transcript.lines) == whole - 1
        assert transcript.torn == (cut <= len(last))


def _line(number: int, change: Callable[[dict[str, object]], object]) -> Callable[[list[bytes]], None]:
    def edit(lines: list[bytes]) -> None:
        row = json.loads(lines[number - 1])
        change(row)
        lines[number - 1] = json.dumps(row, ensure_ascii=False).encode()

    return edit


def _raw(number: int, text: bytes) -> Callable[[list[bytes]], None]:
    return lambda lines: lines.__setitem__(number - 1, text)


def _setting(row: dict[str, object]) -> None:
    row["settings"] = {"messages": "many"}


def _twice(lines: list[bytes]) -> None:
    lines[4] = lines[4].replace(b'"kind":', b'"n":4,"kind":', 1)


SEATS = [{"seat": f"s{n}", "agent": "x"} for n in range(1, 18)]

DAMAGES: dict[str, tuple[Callable[[list[bytes]], None], int, str]] = {
    "header is no JSON": (_raw(1, b"{"), 1, "not JSON"),
    "header is a list": (_raw(1, b"[]"), 1, "not a JSON object"),
    "header lacks a field": (_line(1, lambda r: r.pop("commitment")), 1, "commitment: Field required"),
    "header is ill-typed": (_line(1, lambda r: r.update(rules_version="x")), 1, "rules_version"),
    "unknown game": (_line(1, lambda r: r.update(game="masquerad")), 1, "Did you mean 'masquerade'"),
    "bad settings": (_line(1, _setting), 1, "settings.messages"),
    "too many seats": (_line(1, lambda r: r.update(seats=SEATS)), 1, "no table with the seats s1, s2"),
    "no seats": (_line(1, lambda r: r.update(seats=[])), 1, "the seats none"),
    "a seat twice": (_line(1, lambda r: r.update(seats=SEATS[:3] + SEATS[:1])), 1, "s3, s1"),
    "line is no JSON": (_raw(5, b'{"n":4,'), 5, "not JSON"),
    "line is empty": (_raw(5, b""), 5, "not JSON"),
    "line is a number": (_raw(5, b"4"), 5, "not a JSON object"),
    "line is no UTF-8": (_raw(5, b'{"n":4,"kind":"\xff"}'), 5, "not UTF-8"),
    "line is nested too deep": (_raw(5, b"[" * 100_000), 5, "not JSON"),
    "not a number of JSON": (_raw(5, b'{"n":4,"data":{"x":NaN}}'), 5, "NaN is no number"),
    "too large a number": (_raw(5, b'{"n":4,"data":{"x":1e999}}'), 5, "1e999 is too large"),
    "a field twice": (_twice, 5, "'n' stands twice"),
    "wrong n": (_line(5, lambda r: r.update(n=5)), 5, "event 5 stands where 4 should"),
    "n is text": (_line(5, lambda r: r.update(n="4")), 5, "event '4' stands where 4"),
    "n is a fraction": (_line(5, lambda r: r.update(n=4.0)), 5, "event 4.0 stands where 4"),
    "n is missing": (_line(5, lambda r: r.pop("n")), 5, "event None stands where 4"),
    "a line is missing": (lambda lines: lines.__delitem__(4), 5, "event 5 stands where 4"),
    "a line stands twice": (lambda lines: lines.insert(4, lines[4]), 6, "event 4 stands where 5"),
    "to is text": (_line(5, lambda r: r.update(to="s1")), 5, "'to' is neither"),
    "to holds numbers": (_line(5, lambda r: r.update(to=[1])), 5, "'to' is neither"),
    "data is a list": (_line(5, lambda r: r.update(data=[])), 5, "'data' or 'meta'"),
    "meta is text": (_line(5, lambda r: r.update(meta="x")), 5, "'data' or 'meta'"),
    "unknown kind": (_line(5, lambda r: r.update(kind="character_deal")), 5, "Did you mean 'character_dealt'"),
    "no kind": (_line(5, lambda r: r.pop("kind")), 5, "unknown event 'None'"),
    "a field is missing": (_line(5, lambda r: r.update(data={"seat": "s3"})), 5, "character_dealt.character"),
    "a field is ill-typed": (_line(5, lambda r: r.update(data={"seat": "s3", "character": 1})), 5, "valid string"),
}


@pytest.mark.parametrize("name", DAMAGES)
def test_damage_is_named_with_its_line(name: str, rich: Path) -> None:
    damage, number, text = DAMAGES[name]
    lines = rich.read_bytes().splitlines()
    damage(lines)
    rich.write_bytes(b"\n".join(lines) + b"\n")
    with pytest.raises(BadTranscript, match=f"rich.jsonl, line {number}: .*{text}") as caught:
        read(rich)
    assert caught.value.line == number


def test_a_newer_format_is_refused_with_advice(rich: Path) -> None:
    text = rich.read_text(encoding="utf-8").replace(f'"format":{FORMAT}', f'"format":{FORMAT + 1}', 1)
    rich.write_text(text, encoding="utf-8")
    with pytest.raises(NewerFormat, match="use a newer diplomat"):
        read(rich)


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"", "is empty"),
        (b"\n", "is empty"),
        (b'{"format":1', "has no line end"),
        (b"\x00\x01\x02\x03", "is no text, but 4 bytes without a line end"),
        (b"\xff\xfe\xfd", "is no text, but 3 bytes without a line end"),
    ],
)
def test_a_file_without_a_whole_line_is_called_what_it_is(content: bytes, what: str, tmp_path: Path) -> None:
    path = tmp_path / "empty.jsonl"
    path.write_bytes(content)
    with pytest.raises(BadTranscript, match=what) as caught:
        read(path)
    assert caught.value.line == 1


def test_a_header_alone_is_a_game_that_has_not_begun(rich: Path) -> None:
    rich.write_bytes(rich.read_bytes().splitlines(keepends=True)[0])
    assert read(rich).lines == ()


def test_no_file_and_no_readable_file(tmp_path: Path) -> None:
    with pytest.raises(BadTranscript, match="there is no file"):
        read(tmp_path / "none.jsonl")
    with pytest.raises(BadTranscript, match="cannot be read: Is a directory"):
        read(tmp_path)


def test_kinds_of_a_log(rich: Path) -> None:
    game = read(rich).game
    assert {"message_sent", "order_sealed"} <= classes(game).keys()
    assert decode(game, "seed_sealed", {"seed": "7"}).audience().listed() == []
