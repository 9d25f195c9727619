# ruff: noqa: N999 (the file is named after the chapter of the rules)
"""House H1: who sits at the table and who wins."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from diplomat.core.errors import UsageError
from diplomat.games.rokugan import game
from diplomat.games.rokugan.content import clans
from diplomat.games.rokugan.events import ClanTaken, GameWon, RoundBegan, SeatScored
from diplomat.games.rokugan.scoring import final
from diplomat.games.rokugan.settings import Settings
from diplomat.table.seating import table_size

from .kit import CLANS, SEATS, A, B, C, Play, capital, scene


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_H1_1_two_to_five_players_play_five_rounds(seats: int) -> None:
    play = Play(seats=seats, seed=f"table of {seats}").finish()
    assert [event.round for event in play.of(RoundBegan)] == [1, 2, 3, 4, 5]
    assert len(play.of(SeatScored)) == seats


@pytest.mark.parametrize("seats", [0, 1, 6, 7])
def test_H1_1_no_other_number_of_players(seats: int) -> None:
    assert list(game.seats) == [2, 3, 4, 5]
    with pytest.raises(UsageError):
        table_size(game, seats, {})


def test_H1_1_five_rounds_unless_set_otherwise() -> None:
    assert Settings().rounds == 5


def test_H1_1_seven_clans() -> None:
    assert set(clans()) == set(CLANS) == {"crab", "crane", "dragon", "lion", "phoenix", "scorpion", "unicorn"}


@pytest.mark.parametrize("seats", [2, 5])
def test_H1_1_one_clan_each(seats: int) -> None:
    for seed in "abcdef":
        taken = [event.clan for event in Play(seats=seats, seed=seed).of(ClanTaken)]
        assert len(taken) == len(set(taken)) == seats
        assert set(taken) <= set(CLANS)


def test_H1_1_clans_nobody_plays_are_neutral_land() -> None:
    play = Play("lion", "crane").until("settle")
    for clan in {*CLANS} - {"lion", "crane"}:
        assert play.board.owner(capital(clan)) is None
    question = play.referee.question(play.referee.open()[0])
    assert question.menu.problem({"province": capital("crab")}) is None


def test_H1_2_settings_give_a_seat_its_clan() -> None:
    play = Play("scorpion", "crab", "unicorn")
    assert play.board.clans == {A: "scorpion", B: "crab", C: "unicorn"}


def test_H1_2_other_seats_get_theirs_from_the_dice() -> None:
    drawn = []
    for seed in range(30):
        play = Play(seats=3, seed=str(seed))
        drawn.append(tuple(play.board.clans[seat] for seat in SEATS[:3]))
    assert {clan for row in drawn for clan in row} == set(CLANS)
    again = Play(seats=3, seed="7").board.clans
    assert tuple(again[seat] for seat in SEATS[:3]) == drawn[7]


def test_H1_2_the_dice_leave_wished_clans_alone() -> None:
    for seed in "abcdefghij":
        settings = Settings(clans={"s2": "lion", "s4": "crab"})
        board = game.rules.initial(settings, SEATS)
        events = list(game.rules.start(board, Play(seats=2, seed=seed).referee.dice))
        taken = {event.seat: event.clan for event in events if isinstance(event, ClanTaken)}
        assert (taken[SEATS[1]], taken[SEATS[3]], len(set(taken.values()))) == ("lion", "crab", 5)


@pytest.mark.parametrize(("wishes", "why"), [({"s1": "lion", "s2": "lion"}, "already"), ({"s1": "mantis"}, "no clan")])
def test_H1_2_one_clan_each_in_the_settings_too(wishes: dict[str, str], why: str) -> None:
    with pytest.raises(ValidationError, match=why):
        Settings(clans=wishes)


def test_H1_3_most_honor_wins() -> None:
    board = scene("lion", "crane", "crab").holds(A, capital("lion")).holds(B, capital("crane"), faceup=4).board
    events = list(final(board, {A: "gaze", B: "gaze", C: "gaze"}))
    assert [event.winners for event in events if isinstance(event, GameWon)] == [(B,)]


def test_H1_3_the_winner_is_named_after_round_5() -> None:
    play = Play(seats=4, seed="end").finish()
    (won,) = play.of(GameWon)
    assert play.board.round == 5
    totals = {event.seat: event.total for event in play.of(SeatScored)}
    assert {totals[seat] for seat in won.winners} == {max(totals.values())}
    outcome = play.referee.outcome()
    assert outcome is not None
    assert (outcome.winners, outcome.scores) == (won.winners, totals)
