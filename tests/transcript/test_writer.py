"""The writer: event by event, locked, never over another file unless told to."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from diplomat.core.audience import Seat
from diplomat.core.dice import commitment
from diplomat.core.errors import CannotWrite, DiplomatError, OutputExists
from diplomat.core.proceedings import Defaulted, NoteSealed
from diplomat.transcript.schema import Header, SeatEntry
from diplomat.transcript.writer import Writer, write_new

HEADER = Header(
    game="rokugan",
    edition="house",
    rules_version=1,
    seats=(SeatEntry(seat="s1", agent="random"), SeatEntry(seat="s2", agent="random")),
    package="0",
    commitment=commitment("7", "n"),
)
S1 = Seat("s1")


def _clock() -> str:
    return "now"


def _ending(line: str) -> str:
    return line[line.rindex(',"chain":') :]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "deep" / "er" / "game.jsonl"


@pytest.fixture
def writer(path: Path) -> Iterator[Writer]:
    made = Writer(path, HEADER, _clock)
    yield made
    made.close()


def test_every_event_is_on_disk_at_once(writer: Writer, path: Path) -> None:
    assert json.loads(path.read_text())["commitment"] == HEADER.commitment
    writer.hear(1, Defaulted(S1, "talk.s1"))
    writer.hear(2, NoteSealed(S1, "talk.s1", "заметка\n"), {"cost": 1})
    lines = path.read_text(encoding="utf-8").splitlines()
    assert [line[: -len(_ending(line))] for line in lines[1:]] == [
        '{"n":1,"kind":"defaulted","to":null,"data":{"seat":"s1","request":"talk.s1"},"at":"now","meta":{}',
        '{"n":2,"kind":"note_sealed","to":["s1"],"data":{"seat":"s1","request":"talk.s1","text":"заметка\\n"},'
        '"at":"now","meta":{"cost":1}',
    ]
    assert _ending(lines[2]) == f',"chain":"{writer.chain}"}}'
    assert writer.events == 2


def test_a_log_has_no_gaps(writer: Writer, path: Path) -> None:
    writer.hear(1, Defaulted(S1, "talk.s1"))
    for n in (0, 1, 3):
        with pytest.raises(ValueError, match=f"event {n} cannot follow event 1"):
            writer.hear(n, Defaulted(S1, "talk.s1"))
    assert len(path.read_text().splitlines()) == 2


def test_closing_writes_to_the_disk_once(writer: Writer, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[int] = []
    monkeypatch.setattr(os, "fsync", synced.append)
    writer.close()
    writer.close()
    assert len(synced) == 1


def test_what_opens_a_part_of_the_game_is_safe_from_a_power_cut(
    writer: Writer, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    safe: list[int] = []
    monkeypatch.setattr(os, "fsync", lambda _: safe.append(len(path.read_text().splitlines())))
    writer.hear(1, Defaulted(S1, "talk.s1"))
    writer.hear(2, Defaulted(S1, "talk.s1"), {"digest": "0" * 64})
    writer.hear(3, Defaulted(S1, "talk.s1"), {"usage": 1})
    assert safe == [3], "all lines up to the one with the digest"


def test_a_running_game_cannot_be_overwritten(writer: Writer, path: Path) -> None:
    for force in (False, True):
        with pytest.raises(OutputExists):
            Writer(path, HEADER, _clock, force=force)
    writer.hear(1, Defaulted(S1, "talk.s1"))
    assert len(path.read_text().splitlines()) == 2


def test_an_existing_file_is_kept_unless_told_otherwise(path: Path) -> None:
    path.parent.mkdir(parents=True)
    path.write_text("precious\n" * 1000)
    with pytest.raises(OutputExists, match="--force"):
        Writer(path, HEADER, _clock)
    assert path.read_text().startswith("precious")
    Writer(path, HEADER, _clock, force=True).close()
    assert len(path.read_text().splitlines()) == 1


def test_force_makes_a_new_file_too(path: Path) -> None:
    Writer(path, HEADER, _clock, force=True).close()
    assert path.is_file()


def _file_in_the_way(folder: Path) -> Path:
    (folder / "file").write_text("x")
    return folder / "file" / "game.jsonl"


@pytest.mark.parametrize(
    ("place", "force", "text"),
    [
        (_file_in_the_way, False, "is not a folder|Not a directory"),
        (lambda folder: folder, True, "Is a directory"),
        (lambda folder: folder / ("x" * 300), False, "File name too long"),
        (lambda _: Path("/proc/nothing/game.jsonl"), False, "No such file"),
        (lambda _: Path("/dev/full"), True, "cannot be"),
    ],
)
def test_a_place_that_cannot_be_written(tmp_path: Path, place: Callable[[Path], Path], force: bool, text: str) -> None:
    with pytest.raises(CannotWrite, match=text):
        Writer(place(tmp_path), HEADER, _clock, force=force)
    with pytest.raises((CannotWrite, OutputExists)):
        write_new(place(tmp_path), "text")


def test_a_disk_that_fails_at_the_end_is_reported(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: int) -> None:
        raise OSError(errno.EIO, "Input/output error")

    writer = Writer(path, HEADER, _clock)
    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(CannotWrite, match="cannot be finished: Input/output error"):
        writer.close()
    writer.close()


def test_what_is_no_json_is_an_error_and_not_dropped(writer: Writer, path: Path) -> None:
    with pytest.raises((TypeError, ValueError)):
        writer.hear(1, NoteSealed(S1, "talk.s1", "x"), {"cost": float("nan")})
    assert len(path.read_text().splitlines()) == 1


def test_write_new_writes_whole_files_only(tmp_path: Path) -> None:
    path = tmp_path / "new" / "page.html"
    write_new(path, "one")
    with pytest.raises(OutputExists, match="--force"):
        write_new(path, "two")
    assert path.read_text() == "one"
    write_new(path, "two", force=True)
    assert path.read_text() == "two"
    assert [entry.name for entry in path.parent.iterdir()] == ["page.html"]
    assert issubclass(OutputExists, DiplomatError)


def test_write_new_leaves_nothing_behind_when_it_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    drafts: list[str] = []

    def fail(self: Path, target: Path) -> None:
        drafts.append(self.name)
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "replace", fail)
    for _ in range(2):
        with pytest.raises(CannotWrite, match="No space left on device"):
            write_new(tmp_path / "page.html", "text")
    assert len(set(drafts)) == 2
    assert not list(tmp_path.iterdir())
