"""Disks and servers that go away, each as a command of its own shows it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from diplomat.testing import disk, outages


@pytest.mark.long
@pytest.mark.parametrize("name", disk.MISHAPS)
def test_a_disk_that_fails_leaves_a_whole_log_and_exit_code_1(name: str, tmp_path: Path) -> None:
    found = disk.MISHAPS[name](tmp_path)
    assert found["good"], found


@pytest.mark.long
@pytest.mark.parametrize("name", outages.MISHAPS)
def test_no_game_is_lost_and_none_waits_for_a_dead_seat(name: str, tmp_path: Path) -> None:
    found = outages.MISHAPS[name](tmp_path)
    assert found["good"], found


@pytest.mark.parametrize("command", [disk, outages], ids=["disk", "outages"])
@pytest.mark.parametrize("good", [True, False])
def test_the_commands_fail_if_one_mishap_is_not_survived(
    command: Any, good: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(
        command, "MISHAPS", {"one": lambda folder: {"good": True}, "two": lambda folder: {"good": good}}
    )
    assert command.main([]) == (0 if good else 1)
    assert json.loads(capsys.readouterr().out) == {"one": {"good": True}, "two": {"good": good}}


def test_calls_that_cannot_be_written_stop_the_game_and_are_no_defaults(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import asyncio
    import os

    from diplomat.core.errors import CannotWrite, Suspended
    from diplomat.core.proceedings import Defaulted
    from diplomat.llm.calls import Calls, CallsFile
    from diplomat.session import prepare
    from diplomat.session.models import calls_path
    from diplomat.testing.loopback import Loopback
    from diplomat.transcript.reader import read

    path, written = tmp_path / "a.jsonl", [0]
    write = CallsFile._append

    def full(self: CallsFile, lines: bytes) -> None:
        written[0] += 1
        if written[0] < 6:
            write(self, lines)
            return
        with monkeypatch.context() as patch:  # a disk that takes a part of the line and no more
            real = self._file

            class Full:
                def __getattr__(self, name: str) -> Any:
                    return getattr(real, name)

                def write(self, data: bytes) -> int:
                    if len(data) < len(lines):
                        raise OSError(28, os.strerror(28))
                    return real.write(data[:7])

            patch.setattr(self, "_file", Full())
            write(self, lines)

    monkeypatch.setattr(CallsFile, "_append", full)
    with Loopback(models=("fake",)) as server:
        session = prepare("rokugan", players=2, seed="7", everyone=f"{server.openai_url}#fake", settings={"rounds": 1})
        with pytest.raises(Suspended, match="No space left on device") as stopped:
            asyncio.run(session.play(path))
    assert isinstance(stopped.value, CannotWrite)
    assert not [event for event in read(path).events() if isinstance(event, Defaulted)]
    calls = Calls.load(calls_path(path))
    assert (calls.torn, len(calls.entries)) == (0, 4)
