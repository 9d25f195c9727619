"""Games are found by looking, in the package and among what is installed."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from diplomat import games
from diplomat.cli import main
from diplomat.core.errors import UnknownName
from diplomat.testing.masquerade import game as masquerade


class Entry:
    """What ``importlib.metadata`` gives for an installed game."""

    value = "elsewhere:game"

    def __init__(self, game: Any, name: str = "masquerade") -> None:
        self._game, self.name = game, name

    def load(self) -> Any:
        if isinstance(self._game, BaseException):
            raise self._game
        return self._game


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Entry]]:
    """Entry points of the group of games."""
    entries: list[Entry] = []
    monkeypatch.setattr(games, "entry_points", lambda group: entries if group == "diplomat.games" else [])
    games._looked.cache_clear()
    yield entries
    games._looked.cache_clear()


def test_shipped_games_are_found() -> None:
    assert "rokugan" in games.found()
    assert games.find("rokugan").id == "rokugan"


def test_everything_shipped_can_be_used() -> None:
    assert games.unusable() == ()


def test_an_installed_game_is_found(installed: list[Entry]) -> None:
    installed.append(Entry(masquerade))
    assert games.find("masquerade") is masquerade
    assert list(games.found()) == sorted(games.found())


def test_an_installed_game_does_not_replace_a_shipped_one(installed: list[Entry]) -> None:
    installed.append(Entry(replace(masquerade, id="rokugan")))
    assert games.find("rokugan").seats == range(2, 6)
    (fault,) = games.unusable()
    assert str(fault) == ("the game masquerade (elsewhere:game) cannot be used: its id rokugan is that of another game")


@pytest.mark.parametrize(
    ("broken", "why"),
    [
        (ModuleNotFoundError("no module\nnamed 'x'"), "ModuleNotFoundError: no module named 'x'"),
        (AttributeError("game"), "AttributeError: game"),
        (SystemExit(3), "SystemExit: 3"),
        (None, "it is NoneType, not a Game"),
        ("a game", "it is str, not a Game"),
        (type(masquerade), "it is type, not a Game"),
    ],
)
def test_one_broken_game_takes_no_other_with_it(installed: list[Entry], broken: Any, why: str) -> None:
    installed += [Entry(broken, "chess"), Entry(masquerade)]
    assert list(games.found()) == ["masquerade", "rokugan"]
    assert [str(fault) for fault in games.unusable()] == [f"the game chess (elsewhere:game) cannot be used: {why}"]


def test_a_broken_folder_of_the_package_is_left_out_too(
    installed: list[Entry], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "shared.py").write_text("", encoding="utf-8")
    (tmp_path / "unripe.py").write_text("import no_such_module_anywhere\n", encoding="utf-8")
    monkeypatch.setattr(games, "__path__", [*games.__path__, str(tmp_path)])
    assert "rokugan" in games.found()
    (fault,) = games.unusable()
    assert (fault.name, fault.where) == ("unripe", "diplomat.games.unripe")
    assert "no_such_module_anywhere" in fault.why
    del sys.modules["diplomat.games.shared"]


def test_an_interrupt_while_games_are_loaded_is_no_broken_game(installed: list[Entry]) -> None:
    installed.append(Entry(KeyboardInterrupt()))
    with pytest.raises(KeyboardInterrupt):
        games.found()


def test_what_was_found_cannot_be_changed_for_others() -> None:
    games.found().clear()
    assert "rokugan" in games.found()


def test_an_unknown_game_is_answered_with_what_is_broken(installed: list[Entry]) -> None:
    installed.append(Entry(ImportError("gone"), "chess"))
    with pytest.raises(UnknownName) as caught:
        games.find("chess")
    assert str(caught.value) == (
        "unknown game 'chess'. Known: rokugan; the game chess (elsewhere:game) cannot be used: ImportError: gone"
    )
    assert caught.value.known == ("rokugan",)


def test_a_broken_game_is_named_by_the_commands_that_list_games(
    installed: list[Entry], capsys: pytest.CaptureFixture[str]
) -> None:
    installed.append(Entry(ImportError("gone\x1b[2J"), "chess"))
    said = "the game chess (elsewhere:game) cannot be used: ImportError: gone[2J\n"
    for argv in (["games"], ["games", "--json"]):
        assert main(argv) == 0
        out, err = capsys.readouterr()
        assert "rokugan" in out
        assert err == f"diplomat: warning: {said}"
    assert main(["doctor"]) == 1
    assert f"BAD game: {said}" in capsys.readouterr().out
    assert main(["play", "chess"]) == 2
    assert capsys.readouterr().err.endswith(f"; {said}")


def test_an_unknown_game_is_answered_with_the_nearest() -> None:
    with pytest.raises(UnknownName, match=r"unknown game 'rokugen'\. Did you mean 'rokugan'"):
        games.find("rokugen")


def test_titles_and_texts() -> None:
    assert masquerade.title("ru") == "Маскарад"
    assert masquerade.title("de") == "Masquerade"
    assert masquerade.texts("ru").say("problem.stale").startswith("этот вопрос")
    assert masquerade.texts("en").say("problem.mask_gone", seat="s1") == "s1 is not at the ball any more"
