"""``diplomat reveal``: which page comes out of which log, and what is said on the way."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from diplomat.cli import main
from diplomat.llm.calls import CallsFile
from diplomat.session.models import calls_path
from diplomat.transcript.reader import Transcript


@pytest.fixture
def log(talked: Transcript, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("LANG", "REVEAL_OUT", "REVEAL_PUBLIC", "REVEAL_HIDE", "REVEAL_CONSENT"):
        monkeypatch.delenv(f"DIPLOMAT_{name}", raising=False)
    return Path(shutil.copy(talked.path, tmp_path / "game.jsonl"))


def cut(log: Path) -> Path:
    """The first two thirds of the log, as if the game were still going on."""
    rows = log.read_text(encoding="utf-8").splitlines(keepends=True)
    log.write_text("".join(rows[: len(rows) * 2 // 3]), encoding="utf-8")
    return log


def test_a_game_in_play_gives_a_watchers_page_and_says_so(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["reveal", str(cut(log))]) == 0
    page = log.with_suffix(".html").read_text(encoding="utf-8")
    assert "--spoilers" in capsys.readouterr().err
    assert "still going on" in page
    assert "Canary note" not in page
    assert "Only you: let us leave each other alone" not in page


def test_spoilers_open_a_game_in_play(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["reveal", str(cut(log)), "--spoilers"]) == 0
    page = log.with_suffix(".html").read_text(encoding="utf-8")
    assert capsys.readouterr().err == ""
    assert "Canary note" in page
    assert "Only you: let us leave each other alone" in page


def test_a_public_page_lies_beside_the_other_one(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["reveal", str(log)]) == 0
    assert main(["reveal", str(log), "--public", "--hide", "canary"]) == 0
    assert capsys.readouterr().out.splitlines() == [str(log.with_suffix(".html")), str(log.with_suffix(".public.html"))]
    page = log.with_suffix(".public.html").read_text(encoding="utf-8")
    assert "canary" not in page.lower()
    assert "What was left out" in page
    assert "backstabber" not in page.lower()


def test_names_are_hidden_on_public_pages_only(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["reveal", str(log), "--hide", "Ann"]) != 0
    assert "--public" in capsys.readouterr().err
    assert not log.with_suffix(".html").exists()


def test_who_consents_is_told_by_seat_and_on_public_pages_only(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = log.read_text(encoding="utf-8").splitlines(keepends=True)
    log.write_text(rows[0].replace('"agent":"scripted"', '"agent":"web"', 1) + "".join(rows[1:]), encoding="utf-8")
    page = log.with_suffix(".public.html")
    assert main(["reveal", str(log), "--public"]) == 0
    assert "no consent to publish" in page.read_text(encoding="utf-8")
    assert main(["reveal", str(log), "--public", "--consent", "s1", "--force"]) == 0
    assert "no consent to publish" not in page.read_text(encoding="utf-8")
    capsys.readouterr()
    assert main(["reveal", str(log), "--consent", "s1"]) != 0
    assert "--public" in capsys.readouterr().err
    assert main(["reveal", str(log), "--public", "--consent", "s9", "--force"]) != 0
    assert "unknown seat 's9' in --consent" in capsys.readouterr().err


def test_a_name_of_one_letter_is_refused(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["reveal", str(log), "--public", "--hide", "A"]) != 0
    assert "single letters" in capsys.readouterr().err


def test_the_bill_is_read_from_the_calls_beside_the_log(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    CallsFile(calls_path(log)).close()
    assert main(["reveal", str(log)]) == 0
    assert capsys.readouterr().err == ""
    calls_path(log).write_text("no calls\n", encoding="utf-8")
    assert main(["reveal", str(log), "--force"]) == 0
    assert "no bill" in capsys.readouterr().err
