"""A table of talkers, its log, and the command line run inside the test."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import pytest

from diplomat.agents.profile import Profile
from diplomat.cli import main
from diplomat.core.audience import Seat
from diplomat.core.game import Decision, Reply
from diplomat.core.pledges import Plan
from diplomat.core.talk import Message
from diplomat.games import find
from diplomat.games.rokugan.knowledge import Known
from diplomat.session import play
from diplomat.transcript.reader import Transcript

HOSTILE = "hi \x1b]52;c;aGk=\x07 [bold]x[/b] [/nonsense] \u202eabc\nRound 9"
"""OSC 52, rich markup, a direction override and a line that imitates a heading."""


class Talker:
    """Plays by chance and says things to all, to one neighbour and to itself."""

    def __init__(self, seat: Seat, profile: Profile, lang: str) -> None:
        self.seat = seat

    def decide(self, decision: Decision[Known]) -> Reply:
        answer = decision.question.menu.sample(decision.die("answer"))
        if decision.request.kind != "talk":
            return Reply(answer)
        other = decision.window.reach[0]
        say = (Message(("all",), f"{HOSTILE} from-{self.seat}"), Message((other,), f"secret-{self.seat}-{other}"))
        return Reply(answer, say, Plan(text=f"plan-{self.seat}"), f"note-{self.seat}")


@dataclass(frozen=True)
class Ran:
    code: int
    out: str
    err: str

    @property
    def complaint(self) -> str:
        """The one line on stderr; a test fails if there are more, or anything on stdout."""
        assert self.out == ""
        assert self.err.count("\n") == 1, self.err
        assert self.err.startswith("diplomat: ")
        return self.err


class Run(Protocol):
    """The command line with these words; paths may be given as they are."""

    def __call__(self, *argv: str | Path) -> Ran: ...


@pytest.fixture(autouse=True)
def clean_surroundings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No variable of the person who runs the tests reaches the program."""
    for name in list(os.environ):
        if name.startswith("DIPLOMAT_") or name in ("NO_COLOR", "CI", "FORCE_COLOR", "LC_ALL", "LC_MESSAGES"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("LANG", "C.UTF-8")
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("DIPLOMAT_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("DIPLOMAT_TRANSCRIPTS", str(tmp_path / "logs"))
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def ran(*argv: str | Path) -> Ran:
        capsys.readouterr()
        code = main([str(arg) for arg in argv])
        out, err = capsys.readouterr()
        return Ran(code, out, err)

    return ran


@pytest.fixture(scope="session", autouse=True)
def talkers() -> Iterator[None]:
    """Seats the talker under its own name, so that the real bots stay what they are."""
    bots = find("rokugan").bots
    assert isinstance(bots, dict)
    bots["talker"] = Talker
    yield
    del bots["talker"]


@pytest.fixture(scope="session")
def finished_text(tmp_path_factory: pytest.TempPathFactory, talkers: None) -> str:
    """A finished game of three talkers in one round."""
    path = tmp_path_factory.mktemp("game") / "game.jsonl"
    seats = {"crab": "talker:honest", "lion": "talker:honest", "crane": "talker:honest"}
    play("rokugan", seats, seed=3, settings={"rounds": 1, "talk_waves": 1}, out=path)
    return path.read_text(encoding="utf-8")


@pytest.fixture
def log(tmp_path: Path, finished_text: str) -> Path:
    """A finished log."""
    path = tmp_path / "game.jsonl"
    path.write_text(finished_text, encoding="utf-8")
    return path


@pytest.fixture
def unfinished(tmp_path: Path, finished_text: str) -> Path:
    """A log that stops after the talk, before the game is over."""
    path = tmp_path / "open.jsonl"
    rows = finished_text.splitlines(keepends=True)
    path.write_text("".join(rows[: len(rows) // 2]), encoding="utf-8")
    return path


@pytest.fixture
def page(monkeypatch: pytest.MonkeyPatch) -> None:
    """A reveal page that is only its heading: the real one has tests of its own."""

    def heading(transcript: Transcript, lang: str, **_: object) -> str:
        return f"<h1>{lang} {len(transcript.lines)}</h1>"

    monkeypatch.setattr("diplomat.report.reveal.reveal_page", heading)
