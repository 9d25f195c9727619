"""The memory of a scripted diplomat: a fold over the news, and what it makes of words kept and broken."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import astuple, replace
from typing import Any

import pytest

from diplomat.agents.profile import find as find_profile
from diplomat.agents.scripted import ScriptedAgent
from diplomat.core.audience import Seat
from diplomat.core.events import Event
from diplomat.core.game import Decision, Reply
from diplomat.core.pledges import Goal, Pledge
from diplomat.core.proceedings import MessageSent
from diplomat.core.talk import message_id
from diplomat.games.rokugan import game
from diplomat.games.rokugan.bots.character import Character, character
from diplomat.games.rokugan.bots.daimyo import Daimyo
from diplomat.games.rokugan.bots.mind import Mind
from diplomat.games.rokugan.commitments import Commitment
from diplomat.games.rokugan.events import ClanTaken, ControlPlaced, MapCleared, RoundBegan, TokensTurnedUp
from diplomat.games.rokugan.knowledge import Known
from diplomat.games.rokugan.settings import Settings
from diplomat.table.referee import Referee
from diplomat.table.table import Table, finish

from .kit import SEATS, A, B, C, border, scene, shown

HOME, NEAR = border()
CLANS = ("lion", "crane", "crab")
SETUP = (
    *(ClanTaken(seat, clan) for seat, clan in zip(SEATS, CLANS, strict=False)),
    ControlPlaced(A, HOME),
    ControlPlaced(B, NEAR),
)


def said(sender: Seat, to: Sequence[str], text: str = "…", *pledges: Pledge, ordinal: int = 1) -> MessageSent:
    return MessageSent(message_id(sender, to, ordinal), sender, tuple(to), text, pledges)


def leaves_alone(debtor: Seat, target: Seat, first: int = 1, last: int = 1) -> Pledge:
    return Pledge("promise", (Goal("not_attack", debtor, first, last, {"target": target}),))


def strikes(seat: Seat, where: str, number: int = 1) -> TokensTurnedUp:
    return TokensTurnedUp(number, (shown("army-2", seat, where),))


def quiet(number: int = 1) -> TokensTurnedUp:
    return TokensTurnedUp(number, ())


def mind(*events: Event, **traits: Any) -> Mind:
    """A's memory of these events after the setup."""
    made = Mind(A, Character(**traits))
    made.learn(scene(*CLANS).known(A), (*SETUP, *events))
    return made


def memory(of: Mind) -> dict[str, Any]:
    """Everything that later judgements rest on."""
    return {
        "made": [astuple(one) for one in of.words.made],
        "offers": of.words.offers,
        "answered": of.words.answered,
        "grudge": of.grudge,
        "trust": {seat: of.trust(seat) for seat in of.words.seats},
        "clans": of.clans,
    }


# --- one memory, however the news comes ----------------------------------------------------------


class PlainTalker:
    """Plays and words its messages like a daimyo, but attaches no pledge to any of them."""

    def __init__(self, bot: Daimyo) -> None:
        self.bot = bot

    def decide(self, decision: Decision[Known]) -> Reply:
        reply = self.bot.decide(decision)
        return replace(reply, say=tuple(replace(message, pledges=()) for message in reply.say))


class Listener:
    """A daimyo that keeps the news it was given."""

    def __init__(self, bot: Daimyo) -> None:
        self.bot = bot
        self.news: list[tuple[Event, ...]] = []
        self.known: Known | None = None

    def decide(self, decision: Decision[Known]) -> Reply:
        self.news.append(decision.news)
        self.known = decision.known
        return self.bot.decide(decision)


@pytest.mark.parametrize("seed", ["fold-1", "fold-2", "fold-3"])
def test_a_mind_fed_all_at_once_equals_one_fed_piecemeal(seed: str) -> None:
    names = ("loyal", "gossip", "opportunist", "honest")
    bots = [Daimyo(seat, find_profile(name)) for seat, name in zip(SEATS[:4], names, strict=True)]
    listener = Listener(bots[0])
    seated = {A: ScriptedAgent(listener), **{bot.seat: ScriptedAgent(PlainTalker(bot)) for bot in bots[1:]}}
    referee: Referee[Any, Known] = Referee(game, Settings(), SEATS[:4], seed)
    finish(Table(referee, seated).play())
    assert listener.known is not None
    everything = [event for news in listener.news for event in news]
    at_once, one_by_one = Mind(A, bots[0].character), Mind(A, bots[0].character)
    at_once.learn(listener.known, everything)
    for event in everything:
        one_by_one.learn(listener.known, (event,))
    piecemeal = memory(bots[0].mind)
    assert memory(at_once) == piecemeal == memory(one_by_one)
    assert any(one.debtor != A for one in bots[0].mind.words.made), "plain words were understood"


def test_a_late_message_speaks_of_the_round_in_which_it_was_written() -> None:
    word = said(B, [A], "I won't attack you this round.")
    late = mind(RoundBegan(1, A), word, quiet(), MapCleared(1), RoundBegan(2, A))
    (one,) = late.words.made
    assert (one.goal.first, one.goal.last, one.made, one.status) == (1, 1, 1, "kept")


@pytest.mark.parametrize(("number", "agreed"), [(1, True), (2, False)])
def test_a_plain_yes_answers_only_an_offer_of_its_own_round(number: int, agreed: bool) -> None:
    mine, yours = Goal("not_attack", A, 1, 3, {"target": B}), Goal("not_attack", B, 1, 3, {"target": A})
    offer = said(A, [B], "…", Pledge("offer", (mine,), (yours,)))
    events: list[Event] = [RoundBegan(1, A), offer]
    if number == 2:
        events += [quiet(), MapCleared(1), RoundBegan(2, A)]
    found = mind(*events, said(B, [A], "I accept.")).words
    assert bool(found.made) == agreed
    assert (offer.id in found.answered) == agreed


def test_who_plainly_takes_its_word_back_owes_no_more() -> None:
    word, back = said(B, [A], "I won't attack you this round."), said(B, [A], "I take back my promise.", ordinal=2)
    assert [one.status for one in mind(RoundBegan(1, A), word, back).words.made] == ["withdrawn"]


# --- wrongs and trust ----------------------------------------------------------------------------

PROMISE = said(B, [A], "…", leaves_alone(B, A))
PUBLIC = said(B, ["all"], "…", leaves_alone(B, A))
OF_ANOTHER = said(B, ["all"], "…", leaves_alone(B, C))
PRIVATE_OF_ANOTHER = said(B, [C], "…", leaves_alone(B, C))
HIT, MISS = strikes(B, f"{NEAR}>{HOME}"), quiet()


def round_of(*events: Event) -> tuple[Event, ...]:
    return (RoundBegan(1, A), *events, MapCleared(1))


def test_trust_falls_after_a_breach_and_rises_after_a_kept_word() -> None:
    first = mind(RoundBegan(1, A)).trust(B)
    kept = mind(*round_of(PROMISE, MISS)).trust(B)
    broken = mind(*round_of(PROMISE, HIT)).trust(B)
    assert broken < first < kept


@pytest.mark.parametrize(
    ("events", "wrong"),
    [
        ((MISS,), 0.0),
        ((HIT,), 1.0),
        ((PROMISE, HIT), 3.0),
        ((PROMISE, MISS), 0.0),
        ((PUBLIC, HIT), 3.0),
    ],
    ids=["peace", "attack", "breach", "kept", "public breach"],
)
def test_a_grudge_grows_by_an_attack_and_more_by_a_breach(events: Iterable[Event], wrong: float) -> None:
    assert mind(*round_of(*events)).grudge.get(B, 0.0) == wrong


def test_a_promise_to_all_is_owed_to_everybody_but_its_giver() -> None:
    struck = scene(*CLANS).holds(C, HOME).board
    assert struck.owner(HOME) == C
    taken = ControlPlaced(C, HOME)  # now the blow falls on C
    assert mind(taken, *round_of(OF_ANOTHER, HIT)).grudge == {B: 2.0}
    own = said(A, ["all"], "…", leaves_alone(A, B))
    broke = mind(*round_of(own, strikes(A, f"{HOME}>{NEAR}")))
    assert [one.status for one in broke.words.made] == ["broken"]
    assert broke.grudge == {}


@pytest.mark.parametrize(("forgiveness", "left"), [(0.0, 1.0), (0.5, 0.75), (1.0, 0.5)])
def test_a_grudge_fades_with_forgiveness(forgiveness: float, left: float) -> None:
    after = mind(*round_of(HIT), RoundBegan(2, A), forgiveness=forgiveness)
    assert after.grudge[B] == pytest.approx(left)


def test_the_price_of_a_word_grows_with_honesty() -> None:
    word = Commitment("m", A, (B,), Goal("not_attack", A, 1, 1, {"target": B}), 1)
    prices = [mind(honesty=honesty).price(word) for honesty in (0.1, 0.3, 0.5, 0.7, 0.9, 1.0)]
    assert prices == sorted(set(prices))
    to_all = replace(word, creditors=())
    assert mind(honesty=1.0).price(to_all) > 10 * mind(honesty=0.3).price(to_all)


def test_the_character_of_a_profile_is_its_traits() -> None:
    assert character(find_profile("honest")).honesty > 0.9 > 0.1 > character(find_profile("backstabber")).honesty
