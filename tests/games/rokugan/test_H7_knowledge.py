# ruff: noqa: N999 (the file is named after the chapter of the rules)
"""House H7: what is known to whom."""

from __future__ import annotations

import json

import pytest

from diplomat.core.audience import PUBLIC, SEALED, Seat, only
from diplomat.core.events import Event
from diplomat.core.proceedings import MessageSent, NoteSealed, SeedSealed
from diplomat.games.rokugan import events as ev
from diplomat.games.rokugan.content import objectives
from diplomat.games.rokugan.events import EVENTS
from diplomat.games.rokugan.knowledge import Known

from .kit import SIDE, A, B, C, Play, border, far_from, scene

TO_ITS_OWNER = (
    ev.ObjectiveDealt(A, "legacy"),
    ev.TokensDrawn(A, ("raid",)),
    ev.PreparationSealed(A, (), None),
    ev.TokenExchanged(A, "raid", "army-1"),
    ev.TokenChosen(A, "t1", "raid"),
    ev.TokenSeen(A, "t1", "raid"),
)
TO_NOBODY = (ev.PoolShuffled(A, ("raid",)),)
HIDDEN = {type(event) for event in (*TO_ITS_OWNER, *TO_NOBODY)}


def halfway(number: int = 3, phase: str = "place") -> Play:
    """A game of Scorpion, Dragon and Lion in the middle of placing."""
    play = Play("scorpion", "dragon", "lion", seed="halfway").until(phase, number)
    for _ in range(8):
        play.step()
    assert play.board.tokens
    return play


def test_H7_1_what_lies_open_is_the_same_for_all() -> None:
    play = halfway()
    for seat in (*play.seats, None):
        assert play.referee.known(seat).board == play.board


def test_H7_1_the_public_board_holds_all_that_the_rule_lists() -> None:
    play = halfway(5)
    state, known = play.referee.state, play.referee.known(None)
    assert known.board.control == state.board.control
    assert {(t.seat, t.place, t.blessings) for t in known.board.tokens.values()} == {
        (t.seat, t.place, t.blessings) for t in state.board.tokens.values()
    }
    assert known.board.hands == {seat: len(hand) for seat, hand in state.hands.items()}
    assert known.board.pools == {seat: len(pool) for seat, pool in state.pools.items()}
    assert sum(len(pile) for pile in known.board.discards.values()) > 0
    assert (known.board.scorched, known.board.peace) == (state.board.scorched, state.board.peace)
    assert (known.board.held, known.board.played) == (state.board.held, state.board.played)


@pytest.mark.parametrize("event", [kind for kind in EVENTS if kind not in HIDDEN])
def test_H7_1_every_other_event_is_public(event: type[Event]) -> None:
    blank = event.__new__(event)
    assert blank.audience() == PUBLIC


def test_H7_1_the_list_of_objectives_is_public_but_not_who_has_which() -> None:
    play = halfway()
    assert len(objectives()) == 11
    watcher = play.referee.known(None)
    assert watcher.objective is None
    assert watcher.board.objectives == {}


@pytest.mark.parametrize("event", TO_ITS_OWNER)
def test_H7_2_private_events_reach_their_seat_only(event: Event) -> None:
    assert event.audience() == only(A)


def test_H7_2_a_seat_knows_its_own_hand_tokens_and_objective() -> None:
    play = halfway()
    state = play.referee.state
    for seat in play.seats:
        known = play.referee.known(seat)
        assert known.hand == state.hands[seat]
        assert known.objective == state.objectives[seat]
        own = {token.id for token in play.board.tokens.values() if token.seat == seat}
        assert {token: known.faces[token] for token in own} == {token: state.faces[token] for token in own}


def test_H7_2_a_seat_knows_no_other_seats_tokens() -> None:
    play = halfway()
    for seat in (B, C):
        assert all(play.board.tokens[token].seat == seat for token in play.referee.known(seat).faces)
    seen = {event.id for event in play.of(ev.TokenSeen) if event.id in play.board.tokens}
    assert {t for t in play.referee.known(A).faces if play.board.tokens[t].seat != A} <= seen


def test_H7_2_scorpion_keeps_what_it_saw_to_itself() -> None:
    play = Play("scorpion", "dragon", seed="look").until("place")
    while not any(token.seat == B for token in play.board.tokens.values()) or play.referee.open()[0].seat != A:
        play.step()
    token = next(t.id for t in play.board.tokens.values() if t.seat == B)
    assert token not in play.referee.known(A).faces
    play.referee.submit(play.referee.open()[0], {"act": "look", "target": token})
    assert play.referee.known(A).faces[token] == play.referee.state.faces[token]
    assert token not in play.referee.known(None).faces


def test_H7_2_messages_and_notes_are_their_rooms() -> None:
    whisper = MessageSent("s1>s2.1", A, (str(B),), "psst")
    assert [seat for seat in (A, B, C, None) if whisper.audience().includes(seat)] == [A, B]
    assert NoteSealed(A, "r1.talk1.s1", "crush them").audience() == only(A)


def test_H7_2_a_watcher_knows_no_secret() -> None:
    known = halfway().referee.known(None)
    assert (known.hand, known.faces, known.objective, known.prepared) == ((), {}, None, None)


def test_H7_2_nothing_a_seat_may_not_see_reaches_its_share_of_the_log() -> None:
    play = Play("scorpion", "dragon", "lion", seed="share").finish()
    for seat in (*play.seats, None):
        assert all(event.audience().includes(seat) for event in play.referee.seen(seat))
        theirs = [event for event in play.log if event.audience().includes(seat)]
        assert list(play.referee.seen(seat)) == theirs


def test_H7_2_what_is_asked_depends_on_what_the_seat_knows_only() -> None:
    x, y = border()
    table = scene("scorpion", "crane", "crab").holds(A, x).holds(B, y).hand(A, "army-1", "raid", "bluff")
    one = table.lays(B, "army-4", y).lays(C, "raid", y)
    other = table.lays(B, "bluff", y).lays(C, "shinobi-3", y)
    assert one.menu(A).schema() == other.menu(A).schema()
    for where in (f"{x}>{y}", x, y, far_from(x)):
        assert one.refusal(A, "army-1", where) == other.refusal(A, "army-1", where)


@pytest.mark.parametrize("event", [*TO_NOBODY, SeedSealed("7")])
def test_H7_3_pools_and_dice_are_known_to_nobody(event: Event) -> None:
    assert event.audience() == SEALED
    assert not any(event.audience().includes(seat) for seat in (A, B, C, None))


def test_H7_3_no_seat_is_told_of_a_pools_order() -> None:
    play = Play("dragon", "crane", seed="no seat is told").finish()
    for seat in (*play.seats, None):
        assert not any(isinstance(event, (ev.PoolShuffled, SeedSealed)) for event in play.referee.seen(seat))


@pytest.mark.parametrize("seat", [A, B, None])
def test_H7_3_neither_the_seed_nor_a_pool_shows_in_what_is_known(seat: Seat | None) -> None:
    play = Play("dragon", "crane", seed="unguessable").until("prepare")
    known: Known = play.referee.known(seat)
    text = json.dumps(SIDE.view(known))
    assert "unguessable" not in text
    for pool in play.referee.state.pools.values():
        assert json.dumps(pool)[1:-1] not in text
