"""Games are found by looking, in the package and among what is installed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from diplomat import games
from diplomat.core.errors import UnknownName
from diplomat.testing.masquerade import game as masquerade


class Entry:
    """What ``importlib.metadata`` gives for an installed game."""

    def __init__(self, game: Any) -> None:
        self._game = game

    def load(self) -> Any:
        return self._game


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Entry]]:
    """Entry points of the group of games."""
    entries: list[Entry] = []
    monkeypatch.setattr(games, "entry_points", lambda group: entries if group == "diplomat.games" else [])
    games.found.cache_clear()
    yield entries
    games.found.cache_clear()


def test_shipped_games_are_found() -> None:
    assert "rokugan" in games.found()
    assert games.find("rokugan").id == "rokugan"


def test_an_installed_game_is_found(installed: list[Entry]) -> None:
    installed.append(Entry(masquerade))
    assert games.find("masquerade") is masquerade
    assert list(games.found()) == sorted(games.found())


def test_an_installed_game_does_not_replace_a_shipped_one(installed: list[Entry]) -> None:
    installed.append(Entry(replace(masquerade, id="rokugan")))
    assert games.find("rokugan").seats == range(2, 6)


def test_an_unknown_game_is_answered_with_the_nearest() -> None:
    with pytest.raises(UnknownName, match=r"unknown game 'rokugen'\. Did you mean 'rokugan'"):
        games.find("rokugen")


def test_titles_and_texts() -> None:
    assert masquerade.title("ru") == "Маскарад"
    assert masquerade.title("de") == "Masquerade"
    assert masquerade.texts("ru").say("problem.stale").startswith("этот вопрос")
    assert masquerade.texts("en").say("problem.mask_gone", seat="s1") == "s1 is not at the ball any more"
