"""The chain of hashes: whatever byte of a log is changed, the change is found and its line named."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from diplomat.core.errors import BadTranscript
from diplomat.session import play
from diplomat.transcript.chain import LENGTH, chained, follow, link
from diplomat.transcript.reader import parse, read
from diplomat.transcript.verify import verify

from .conftest import saved
from .test_verify import FREE
from .test_verify import _found as _told

Edit = Callable[[list[bytes]], None]


def _found(raw: bytes) -> int | None:
    """The line at which a log is not what was written, or not whole; None if nothing is wrong with it."""
    try:
        log = parse(Path("x.jsonl"), raw)
    except BadTranscript as fault:
        return fault.line
    assert log.chain is not None
    if log.chain.broken:
        return log.chain.broken
    return None if log.finished and not log.torn else len(log.lines) + 2


def _line_of(raw: bytes, at: int) -> int:
    return raw.count(b"\n", 0, at) + 1


def test_the_hash_is_what_the_format_says() -> None:
    row, made = chained("ab" * 16, b'{"n":1}')
    assert made == hashlib.sha256(b"ab" * 16 + b'{"n":1').hexdigest()[:32] == link("ab" * 16, b'{"n":1')
    assert row == b'{"n":1,"chain":"' + made.encode() + b'"}'
    assert json.loads(row) == {"n": 1, "chain": made}
    assert LENGTH == 32


def test_an_untouched_log_has_an_unbroken_chain(rich_text: str) -> None:
    rows = rich_text.encode().splitlines()
    chain = follow(rows)
    assert (chain.broken, len(chain.links)) == (0, len(rows))
    assert chain.last == json.loads(rows[-1])["chain"]
    assert _found(rich_text.encode()) is None


def test_every_flipped_bit_is_found_and_its_line_named(quiet_text: str) -> None:
    rows = quiet_text.encode().splitlines(keepends=True)
    assert sum(map(len, rows)) >= 2000
    chance = random.Random(5)
    for number, row in enumerate(rows, start=1):
        before = [line[:-1] for line in rows[: number - 1]]
        for at in range(len(row)):
            flipped = bytearray(row)
            flipped[at] ^= 1 << chance.randrange(8)
            if number > 1 and 0x0A not in (row[at], flipped[at]):  # a hash only looks back; no need to read it all
                assert follow([*before, bytes(flipped[:-1])]).broken == number, (row, at)
            else:
                raw = b"".join((*rows[: number - 1], flipped, *rows[number:]))
                assert _found(raw) == number, (row, at)


def test_flipped_bits_anywhere_are_found_in_whole_files(rokugan_text: str) -> None:
    raw = rokugan_text.encode()
    chance = random.Random(6)
    for at in chance.sample(range(len(raw)), 150):
        flipped = bytearray(raw)
        flipped[at] ^= 1 << chance.randrange(8)
        assert _found(bytes(flipped)) == _line_of(raw, at), (at, raw[at], flipped[at])


def _replaced(number: int, old: bytes, new: bytes) -> Edit:
    def change(rows: list[bytes]) -> None:
        assert old in rows[number - 1], rows[number - 1]
        rows[number - 1] = rows[number - 1].replace(old, new, 1)

    return change


def _swapped(rows: list[bytes]) -> None:
    rows[9], rows[10] = rows[10], rows[9]


def _renumbered(rows: list[bytes]) -> None:
    """A line taken out, and those behind it numbered anew."""
    del rows[9]
    for number in range(9, len(rows)):
        rows[number] = rows[number].replace(b'{"n":%d,' % (number + 1), b'{"n":%d,' % number)


def _as_written_by_others(rows: list[bytes]) -> None:
    rows[9] = json.dumps(json.loads(rows[9])).encode()


EDITS: dict[str, tuple[Edit, int, str]] = {
    "time": (_replaced(7, b'"at":"2026', b'"at":"2025'), 7, "its hash does not fit"),
    "nonce": (_replaced(2, b'"nonce":"nonce"', b'"nonce":"nonsense"'), 2, "its hash does not fit"),
    "more meta": (_replaced(7, b'"meta":{}', b'"meta":{"x":1}'), 7, "its hash does not fit"),
    "another field": (_replaced(7, b'{"n":6', b'{"x":1,"n":6'), 7, "its hash does not fit"),
    "a space": (_replaced(7, b'"n":6', b'"n": 6'), 7, "its hash does not fit"),
    "another way to write a sign": (_replaced(7, b'"kind":"c', b'"kind":"\\u0063'), 7, "its hash does not fit"),
    "start": (_replaced(1, b'"started":""', b'"started":"now"'), 1, "its hash does not fit"),
    "package": (_replaced(1, b'"package":"0"', b'"package":"1"'), 1, "its hash does not fit"),
    "a player": (_replaced(1, b'"agent":"test"', b'"agent":"human"'), 1, "its hash does not fit"),
    "a hash": (_replaced(7, b'"chain":"', b'"chain":"0'), 7, "it ends without its hash"),
    "capital digits": (lambda rows: rows.__setitem__(6, rows[6][:-34] + rows[6][-34:].upper()), 7, "ends without"),
    "no hash": (lambda rows: rows.__setitem__(6, rows[6][:-44] + b"}"), 7, "ends without its hash"),
    "a space behind the hash": (lambda rows: rows.__setitem__(6, rows[6] + b" "), 7, "ends without its hash"),
    "a line end of Windows": (lambda rows: rows.__setitem__(6, rows[6] + b"\r"), 7, "ends without its hash"),
    "written by another program": (_as_written_by_others, 10, "ends without its hash"),
    "a line less": (lambda rows: rows.__delitem__(9), 10, "event 10 stands where 9"),
    "a line less, numbered anew": (_renumbered, 10, "its hash does not fit"),
    "a line twice": (lambda rows: rows.insert(9, rows[9]), 11, "event 9 stands where 10"),
    "two lines swapped": (_swapped, 10, "event 10 stands where 9"),
}


@pytest.mark.parametrize("name", EDITS)
def test_an_edit_is_found_and_its_line_named(name: str, quiet_text: str, tmp_path: Path) -> None:
    change, line, why = EDITS[name]
    rows = quiet_text.encode().splitlines()
    change(rows)
    path = tmp_path / "edited.jsonl"
    path.write_bytes(b"\n".join(rows) + b"\n")
    found = _told(path)
    assert found is not None
    assert (found[0], why in found[1]) == (line, True), found


@pytest.mark.parametrize(("kind", "field"), sorted(FREE))
def test_what_follows_from_nothing_is_found_too(
    kind: str, field: str, rich_text: str, rokugan_text: str, tmp_path: Path
) -> None:
    text = next(text for text in (rich_text, rokugan_text) if f'"kind":"{kind}"' in text)
    rows = [json.loads(row) for row in text.splitlines()]
    at = next(number for number, row in enumerate(rows) if row.get("kind") == kind)
    rows[at]["data"][field] = {"message_returned.to": ["s1"], "plan_sealed.messages": []}.get(
        f"{kind}.{field}", _changed(rows[at]["data"][field])
    )
    path = tmp_path / "edited.jsonl"
    path.write_text("".join(f"{_dumped(row)}\n" for row in rows), encoding="utf-8")
    found = verify(read(path)).difference
    assert found is not None
    assert (found.line, "its hash does not fit" in found.why) == (at + 1, True), found


def _changed(value: Any) -> Any:
    """The value with its first text made longer."""
    if isinstance(value, str):
        return f"{value}x"
    if isinstance(value, dict):
        key = next((key for key, entry in value.items() if entry), next(iter(value)))
        return {**value, key: _changed(value[key])}
    return [*(_changed(entry) for entry in value[:1]), *value[1:]] if value else value


def _dumped(row: dict[str, Any]) -> str:
    return json.dumps(row, ensure_ascii=False, separators=(",", ":"))


def test_an_edit_that_the_rules_forbid_too_has_both_reasons(rokugan_text: str, tmp_path: Path) -> None:
    rows = rokugan_text.encode().splitlines()
    at = next(number for number, row in enumerate(rows) if b'"kind":"clan_taken"' in row)
    clan = json.loads(rows[at])["data"]["clan"]
    other = "lion" if clan != "lion" else "crab"
    rows[at] = rows[at].replace(f'"clan":"{clan}"'.encode(), f'"clan":"{other}"'.encode())
    path = tmp_path / "edited.jsonl"
    path.write_bytes(b"\n".join(rows) + b"\n")
    found = verify(read(path)).difference
    assert found is not None
    assert found.line == at + 1
    assert found.why.startswith("the line was changed after it was written: its hash does not fit; clan_taken.clan is")


def test_an_edit_is_named_before_what_it_breaks_later(quiet_text: str) -> None:
    rows = quiet_text.encode().splitlines()
    _replaced(7, b'"at":"2026', b'"at":"2025')(rows)
    rows[11] = b"{"
    with pytest.raises(BadTranscript, match=r"line 7: .*its hash does not fit; .*line 12: not JSON") as caught:
        parse(Path("x.jsonl"), b"\n".join(rows) + b"\n")
    assert caught.value.line == 7


def test_the_end_cut_off_a_finished_game_leaves_it_unfinished(quiet_text: str, tmp_path: Path) -> None:
    rows = quiet_text.encode().splitlines(keepends=True)
    path = tmp_path / "cut.jsonl"
    path.write_bytes(b"".join(rows[:-1]))
    verdict = verify(read(path))
    assert (verdict.sound, verdict.finished) == (True, False)
    kept = json.loads(rows[-1])["chain"]
    found = verify(read(path), kept).difference
    assert found is not None
    assert "it is another log or cut short" in found.why


def test_bytes_behind_the_end_of_a_game_are_found(quiet_text: str, tmp_path: Path) -> None:
    path = tmp_path / "more.jsonl"
    path.write_bytes(quiet_text.encode() + b"x")
    count = quiet_text.count("\n")
    found = verify(read(path)).difference
    assert found is not None
    assert (found.n, found.line, found.why) == (count, count + 1, "something stands behind the end of the game")


def test_the_last_hash_kept_elsewhere_shows_a_log_whose_hashes_were_made_anew(quiet_text: str, tmp_path: Path) -> None:
    rows = [json.loads(row) for row in quiet_text.splitlines()]
    kept = rows[-1]["chain"]
    same = saved(tmp_path / "same.jsonl", rows)
    assert same.read_text(encoding="utf-8") == quiet_text
    assert verify(read(same), kept).sound
    rows[0]["started"] = "long ago"
    forged = read(saved(tmp_path / "forged.jsonl", rows))
    assert verify(forged).sound
    found = verify(forged, kept).difference
    assert found is not None
    assert (found.line, f"not {kept}" in found.why) == (len(rows), True)


def test_an_earlier_hash_names_the_event_behind_which_the_log_goes_on(quiet_text: str, quiet: Path) -> None:
    kept = json.loads(quiet_text.splitlines()[6])["chain"]
    found = verify(read(quiet), kept).difference
    assert found is not None
    assert (found.n, found.line) == (7, 8)
    assert "is that of event 6, and the log goes on" in found.why


@pytest.fixture
def quiet(tmp_path: Path, quiet_text: str) -> Path:
    path = tmp_path / "quiet.jsonl"
    path.write_text(quiet_text, encoding="utf-8")
    return path


def test_the_result_of_a_game_carries_the_last_hash_of_its_log(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    result = play("rokugan", {"s1": "random", "s2": "random"}, seed=7, settings={"rounds": 1}, out=path)
    assert result.chain is not None
    assert verify(read(path), result.chain).sound
    assert play("rokugan", {"s1": "random", "s2": "random"}, seed=7, settings={"rounds": 1}).chain is None
