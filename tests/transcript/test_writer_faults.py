"""Whatever happens to the disk, the log is whole up to the last event, and it is said where it is."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from diplomat.core.audience import Seat
from diplomat.core.errors import CannotWrite, OutputExists
from diplomat.core.proceedings import NoteSealed
from diplomat.transcript.chain import follow
from diplomat.transcript.reader import read
from diplomat.transcript.repair import repair
from diplomat.transcript.resume import resume
from diplomat.transcript.verify import verify
from diplomat.transcript.writer import Writer

from .test_writer import HEADER

NOTE = NoteSealed(Seat("s1"), "talk.s1", "заметка")
Write = Callable[[int, memoryview, int], int]


def _clock() -> str:
    return "now"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "deep" / "game.jsonl"


def _full_after(room: int) -> Write:
    """A disk on which that many bytes more find room; what does not fit is written in part, as real disks do."""
    real, left = os.pwrite, [room]

    def write(descriptor: int, data: memoryview, at: int) -> int:
        if left[0] <= 0:
            raise OSError(errno.ENOSPC, "No space left on device")
        sent = real(descriptor, data[: left[0]], at)
        left[0] -= sent
        return sent

    return write


def test_a_disk_that_is_full_at_any_byte_of_a_line_leaves_whole_lines(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    writer = Writer(path, HEADER, _clock)
    writer.hear(1, NOTE)
    whole = path.read_bytes()
    length = len(whole.splitlines(keepends=True)[1])
    for room in range(length):
        with monkeypatch.context() as patch:
            patch.setattr(os, "pwrite", _full_after(room))
            with pytest.raises(CannotWrite, match="No space left on device; it is whole so far"):
                writer.hear(2, NOTE)
        assert path.read_bytes() == whole
    writer.hear(2, NOTE)  # somebody made room
    writer.close()
    rows = path.read_bytes().splitlines()
    assert (len(rows), follow(rows).broken) == (3, 0)


def test_a_line_that_cannot_be_taken_back_is_called_torn(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: int) -> None:
        raise OSError(errno.EIO, "Input/output error")

    writer = Writer(path, HEADER, _clock)
    with monkeypatch.context() as patch:
        patch.setattr(os, "pwrite", _full_after(5))
        patch.setattr(os, "ftruncate", fail)
        with pytest.raises(CannotWrite, match="its last line is torn, the lines before it are whole"):
            writer.hear(1, NOTE)
    writer.close()
    assert read(path).torn


def test_a_new_log_whose_header_finds_no_room_leaves_no_file_in_the_way(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(os, "pwrite", _full_after(5))
        with pytest.raises(CannotWrite, match="No space left"):
            Writer(path, HEADER, _clock)
    assert not path.exists()
    Writer(path, HEADER, _clock).close()


PLAY = """
import resource, sys
from pathlib import Path
from diplomat.core.errors import CannotWrite
from diplomat.session import play
sys.dont_write_bytecode = True  # the limit would cut compiled modules short as well
resource.setrlimit(resource.RLIMIT_FSIZE, (9000, 9000))
try:
    play("rokugan", {"s1": "random", "s2": "random"}, seed=7, out=Path(sys.argv[1]))
except CannotWrite as fault:
    print(fault)
"""


def test_a_real_limit_of_the_system_stops_the_game_with_a_whole_log(path: Path) -> None:
    ran = subprocess.run([sys.executable, "-c", PLAY, str(path)], capture_output=True, text=True, check=True)
    assert "cannot be continued: File too large; it is whole so far" in ran.stdout
    log = read(path)
    assert 8000 < path.stat().st_size <= 9000
    assert not log.torn
    assert verify(log).sound


@pytest.mark.parametrize("number", [errno.EROFS, errno.EACCES, errno.EPERM, errno.ENOSPC])
def test_a_folder_in_which_nothing_can_be_made(number: int, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> int:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "open", fail)
    with pytest.raises(CannotWrite, match=f"cannot be written: {os.strerror(number)}; choose a place"):
        Writer(path, HEADER, _clock)


def test_a_place_without_locks_is_refused(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: int) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    Writer(path, HEADER, _clock).close()
    before = path.read_bytes()
    monkeypatch.setattr("fcntl.flock", fail)
    with pytest.raises(CannotWrite, match="No locks available; choose a place that can be"):
        Writer(path, HEADER, _clock, force=True)
    with pytest.raises(CannotWrite, match="cannot be locked: No locks available; copy it to a place where it can"):
        resume(path, _clock)
    assert path.read_bytes() == before


def test_a_log_that_cannot_be_read_cannot_be_continued(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: int) -> int:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    Writer(path, HEADER, _clock).close()
    with monkeypatch.context() as patch:
        patch.setattr(os, "dup", fail)
        with pytest.raises(CannotWrite, match="cannot be continued: Input/output error"):
            resume(path, _clock)


def test_a_torn_end_that_cannot_be_cut_off_is_said(
    path: Path, monkeypatch: pytest.MonkeyPatch, quiet_text: str
) -> None:
    def fail(*_: int) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    path.parent.mkdir()
    path.write_text(f"{quiet_text}torn", encoding="utf-8")
    monkeypatch.setattr(os, "ftruncate", fail)
    with pytest.raises(CannotWrite, match=r"the torn end of .* cannot be cut off: Input/output error"):
        repair(path)
    assert path.read_text(encoding="utf-8") == f"{quiet_text}torn"


def _folder_removed(path: Path) -> Path:
    shutil.rmtree(path.parent)
    return path


def _file_removed(path: Path) -> Path:
    path.unlink()
    return path


def _file_replaced(path: Path) -> Path:
    path.unlink()
    path.write_text("another\n")
    return path.with_name("game.jsonl.saved")


def _file_moved(path: Path) -> Path:
    return path.rename(path.with_name("moved.jsonl"))


@pytest.mark.parametrize(
    ("mishap", "said"),
    [
        (_folder_removed, r"it was saved to \S+/deep/game.jsonl$"),
        (_file_removed, r"it was saved to \S+/deep/game.jsonl$"),
        (_file_replaced, r"it was saved to \S+/deep/game.jsonl.saved$"),
        (_file_moved, "it is whole wherever it was moved to$"),
    ],
)
def test_a_log_whose_file_goes_away_is_kept_and_it_is_said_where(
    mishap: Callable[[Path], Path], said: str, path: Path
) -> None:
    writer = Writer(path, HEADER, _clock)
    writer.hear(1, NOTE)
    place = mishap(path)
    writer.hear(2, NOTE)
    with pytest.raises(CannotWrite, match=said):
        writer.close()
    rows = place.read_bytes().splitlines()
    assert (len(rows), follow(rows).broken) == (3, 0)


def test_a_log_that_cannot_be_saved_anywhere_is_called_lost(
    path: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.chdir(tmp_path)
    writer = Writer(path, HEADER, _clock)
    path.unlink()
    real = os.fsync
    monkeypatch.setattr(
        os, "fsync", lambda descriptor: real(descriptor) if os.fstat(descriptor).st_nlink == 0 else full(0)
    )
    with pytest.raises(CannotWrite, match="could not be saved anywhere"):
        writer.close()
    assert not [entry for entry in tmp_path.rglob("*") if entry.is_file()]


def test_a_log_is_let_go_after_every_fault(path: Path) -> None:
    writer = Writer(path, HEADER, _clock)
    path.unlink()
    with pytest.raises(CannotWrite):
        writer.close()
    writer.close()
    with pytest.raises(ValueError, match="is closed"):
        writer.hear(1, NOTE)
    with pytest.raises(OutputExists):
        Writer(path, HEADER, _clock)
    Writer(path, HEADER, _clock, force=True).close()
