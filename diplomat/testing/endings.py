"""Games end, and whatever nobody answers is answered by its default."""

from __future__ import annotations

from diplomat.testing.walk import AnswerOf, AnyGame, at_random, begun, by_default, mixed, play_out


def check_random_games_end(game: AnyGame, seats: int, seed: str) -> None:
    """A game of random answers ends with winners who sit at the table."""
    _ends(game, seats, seed, at_random)


def check_defaults_are_enough(game: AnyGame, seats: int, seed: str) -> None:
    """A game in which nobody ever answers ends as well, and so does one in which half is answered."""
    _ends(game, seats, seed, by_default)
    _ends(game, seats, seed, mixed)


def _ends(game: AnyGame, seats: int, seed: str, answer_of: AnswerOf) -> None:
    referee = begun(game, seats, seed)
    assert referee.open(), f"{game.id}: nobody is asked anything"
    play_out(referee, answer_of)
    outcome = referee.outcome()
    assert outcome is not None, f"{game.id}: nobody is asked, but there is no outcome"
    strangers = set(outcome.winners) - set(referee.seats)
    assert not strangers, f"{game.id}: winners who do not sit here: {', '.join(sorted(strangers))}"
    assert len(set(outcome.winners)) == len(outcome.winners), f"{game.id}: somebody wins twice: {outcome.winners}"
    assert set(outcome.scores) == set(referee.seats), f"{game.id}: scores are of {', '.join(sorted(outcome.scores))}"
