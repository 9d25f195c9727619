"""Safe text, the ladder and the progress line."""

import io

import pytest

from diplomat.core.errors import UnknownName
from diplomat.terminal.ladder import Level, console, level
from diplomat.terminal.progress import Progress
from diplomat.terminal.safe import one_line, safe

HOSTILE = [
    "\x1b[2J",
    "\x1b]52;c;aGk=\x07",
    "\x9b31m",
    "\u202eabc",
    "\u2066x",
    "\ufeff",
    "\r",
    "\x00",
    "\ud800",
    "\U000e0041",
]


class Stream(io.StringIO):
    def __init__(self, terminal: bool) -> None:
        super().__init__()
        self._terminal = terminal

    def isatty(self) -> bool:
        return self._terminal


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
def test_nothing_hostile_survives(text: str) -> None:
    stream = Stream(terminal=True)
    console("rich", stream).print(safe(f"a{text}b"))
    written = stream.getvalue()
    assert written.startswith("a")
    assert not any(ord(c) < 32 and c != "\n" for c in written)
    assert not any(c in written for c in "\x9b\u202e\u2066\ufeff\ud800\U000e0041")


@pytest.mark.parametrize("text", ["[bold]x[/b]", "[/]", "[link=http://x]y[/link]", ":smile:", "[TODO]"])
def test_markup_and_emoji_codes_are_text(text: str) -> None:
    stream = Stream(terminal=False)
    shown = console("plain", stream)
    shown.print(safe(text))
    shown.print(one_line(text))
    assert stream.getvalue() == f"{text}\n{text}\n"


@pytest.mark.parametrize(
    ("asked", "terminal", "env", "expected"),
    [
        ("auto", True, {"TERM": "xterm"}, "rich"),
        ("auto", False, {"TERM": "xterm"}, "plain"),
        ("auto", True, {"TERM": "dumb"}, "plain"),
        ("auto", True, {}, "plain"),
        ("auto", True, {"TERM": "xterm", "NO_COLOR": "1"}, "plain"),
        ("auto", True, {"TERM": "xterm", "NO_COLOR": ""}, "rich"),
        ("auto", True, {"TERM": "xterm", "CI": "true"}, "plain"),
        ("rich", False, {"NO_COLOR": "1"}, "rich"),
        ("plain", True, {"TERM": "xterm"}, "plain"),
        ("none", True, {"TERM": "xterm"}, "none"),
    ],
)
def test_the_display_steps_down_by_itself(asked: str, terminal: bool, env: dict[str, str], expected: str) -> None:
    assert level(asked, Stream(terminal), env) == expected


def test_unknown_display() -> None:
    with pytest.raises(UnknownName, match="Did you mean 'plain'"):
        level("plane", Stream(True), {})


def test_none_prints_nothing_and_plain_no_escapes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    written: dict[Level, str] = {"none": "", "plain": "x\n"}
    for shown, expected in written.items():
        stream = Stream(terminal=True)
        console(shown, stream).print(safe("x", "bold red"))
        assert stream.getvalue() == expected


@pytest.mark.parametrize("columns", ["0", "3", "nonsense"])
def test_a_width_that_makes_no_sense_does_no_harm(monkeypatch: pytest.MonkeyPatch, columns: str) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    assert console("plain", Stream(terminal=False)).width >= 24


def test_progress_redraws_on_a_terminal_only() -> None:
    for terminal, lines in ((True, 1), (False, 11)):
        stream = Stream(terminal)
        progress = Progress(stream, "games")
        for done in range(1001):
            progress(done, 1000)
        assert stream.getvalue().count("\n") == lines
        assert stream.getvalue().endswith("games: 1000/1000\n")
