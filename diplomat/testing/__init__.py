"""The contract of a game, as checks that its author can run: ``check_game(game)``.

Every check is a plain function ``(game, seats, seed)`` that raises AssertionError with the reason.
Two fields of a game steer them: ``reveals`` names event classes by which the rules themselves
open a secret, ``brief`` gives the settings of the golden play-through.
:mod:`diplomat.testing.masquerade` is a small game that passes, :mod:`diplomat.testing.agents` has
players that talk, dawdle and fail.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from diplomat.core.game import Game
from diplomat.testing.canary import check_canary
from diplomat.testing.endings import check_defaults_are_enough, check_random_games_end
from diplomat.testing.folding import (
    check_answers_give_the_log,
    check_arrival_does_not_matter,
    check_learning_is_a_fold,
    check_log_is_the_state,
)
from diplomat.testing.menus import check_menus
from diplomat.testing.resample import check_resample
from diplomat.testing.stale import check_stale_answers
from diplomat.testing.views import check_views
from diplomat.testing.writing import check_event_classes, check_events_round_trip

Check = Callable[[Game[Any, Any], int, str], None]

CHECKS: Mapping[str, Check] = {
    check.__name__.removeprefix("check_"): check
    for check in (
        check_random_games_end,
        check_defaults_are_enough,
        check_log_is_the_state,
        check_learning_is_a_fold,
        check_answers_give_the_log,
        check_arrival_does_not_matter,
        check_event_classes,
        check_events_round_trip,
        check_menus,
        check_stale_answers,
        check_views,
        check_resample,
        check_canary,
    )
}
"""Every check by name; golden play-throughs are in :mod:`diplomat.testing.golden`."""


def check_game(game: Game[Any, Any], seed: str = "contract") -> None:
    """All checks at the smallest and at the usual table."""
    for check in CHECKS.values():
        for seats in sorted({game.seats[0], game.default_seats}):
            check(game, seats, seed)


__all__ = ["CHECKS", "Check", "check_game"]
