"""A torn end is cut off and kept; anything else that is wrong is refused, and nothing is touched."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from diplomat.core.errors import BadTranscript, CannotWrite
from diplomat.transcript.logfile import LogFile
from diplomat.transcript.reader import read
from diplomat.transcript.repair import Torn, repair
from diplomat.transcript.verify import verify


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "game.jsonl"


def _beside(path: Path) -> list[str]:
    return sorted(entry.name for entry in path.parent.iterdir())


def test_a_file_cut_at_any_byte_of_its_last_three_lines_is_repaired_with_the_bytes_kept(
    path: Path, quiet_text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.fsync", lambda _: None)  # a thousand waits for the disk show nothing more
    raw = quiet_text.encode()
    rows = raw.splitlines(keepends=True)
    kept = path.with_name("game.jsonl.torn")
    for cut in range(len(raw) - sum(map(len, rows[-3:])), len(raw) + 1):
        path.write_bytes(raw[:cut])
        events = raw.count(b"\n", 0, cut) - 1
        torn = repair(path)
        if torn is None:
            assert path.read_bytes() == raw[:cut]
            assert raw[cut - 1 : cut] == b"\n"
            assert not kept.exists()
        else:
            assert torn == Torn(path, kept, kept.stat().st_size, events)
            assert path.read_bytes() + kept.read_bytes() == raw[:cut]
            assert f"moved to {kept}, and the game goes on after event {events}" in str(torn)
            kept.unlink()
    assert verify(read(path)).finished


@pytest.mark.parametrize("tail", [b"\0" * 4096, b"\xff\xfe", b'{"n":', "\u043f".encode()[:1]])
def test_whatever_a_crash_of_the_machine_leaves_behind_the_last_line_is_cut_off(
    tail: bytes, path: Path, quiet_text: str
) -> None:
    whole = b"".join(quiet_text.encode().splitlines(keepends=True)[:9])
    path.write_bytes(whole + tail)
    torn = repair(path)
    assert torn is not None
    assert (torn.kept.read_bytes(), path.read_bytes()) == (tail, whole)


def test_what_was_kept_before_is_not_overwritten(path: Path, quiet_text: str) -> None:
    whole = b"".join(quiet_text.encode().splitlines(keepends=True)[:9])
    for tail in (b"one", b"two", b"three"):
        path.write_bytes(whole + tail)
        repair(path)
    names = ["game.jsonl", "game.jsonl.torn", "game.jsonl.torn-2", "game.jsonl.torn-3"]
    assert _beside(path) == names
    assert [path.with_name(name).read_bytes() for name in names[1:]] == [b"one", b"two", b"three"]


def _edited(raw: bytes) -> bytes:
    return raw.replace(b'"package":"0"', b'"package":"1"')


def _broken(raw: bytes) -> bytes:
    rows = raw.splitlines(keepends=True)
    return b"".join([*rows[:4], b"{\n", *rows[5:]])


def _zeroed(raw: bytes) -> bytes:
    """A line in the middle of which a page of the disk was lost."""
    rows = raw.splitlines(keepends=True)
    return b"".join([*rows[:4], rows[4][:20] + b"\0" * 20 + rows[4][40:], *rows[5:]])


@pytest.mark.parametrize(
    ("damage", "line", "why"),
    [
        (_edited, 1, "its hash does not fit"),
        (_broken, 5, "not JSON"),
        (_zeroed, 5, "not JSON"),
        (lambda raw: raw[:30], 1, "has no line end"),
        (lambda raw: b"", 1, "is empty"),
    ],
)
def test_other_damage_is_refused_with_its_line_and_nothing_is_touched(
    damage: Callable[[bytes], bytes], line: int, why: str, path: Path, quiet_text: str
) -> None:
    path.write_bytes(damage(quiet_text.encode() + b"torn"))
    before = path.read_bytes(), path.stat().st_mtime_ns
    with pytest.raises(BadTranscript, match=why) as caught:
        repair(path)
    assert caught.value.line == line
    assert (path.read_bytes(), path.stat().st_mtime_ns) == before
    assert _beside(path) == ["game.jsonl"]


def test_a_log_that_a_game_writes_to_is_left_alone(path: Path, quiet_text: str) -> None:
    path.write_bytes(quiet_text.encode() + b"torn")
    log = LogFile.existing(path)
    with pytest.raises(CannotWrite, match="is being written by another running game; wait for its end"):
        repair(path)
    log.release()
    assert repair(path) is not None


def test_nothing_is_cut_off_if_it_cannot_be_kept(path: Path, quiet_text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    raw = quiet_text.encode() + b"torn"
    path.write_bytes(raw)
    with monkeypatch.context() as patch:
        patch.setattr("os.fsync", full)
        with pytest.raises(CannotWrite, match=r"cannot be kept in .*: No space left on device; nothing was cut off"):
            repair(path)
    assert path.read_bytes() == raw
    assert _beside(path) == ["game.jsonl"]


def test_a_file_that_is_not_there(path: Path) -> None:
    with pytest.raises(CannotWrite, match="cannot be continued: No such file"):
        repair(path)
    assert not path.exists()
