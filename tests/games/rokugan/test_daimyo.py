"""How a scripted diplomat acts on words, and what it says over many games."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import permutations
from typing import Any

import pytest

from diplomat.agents.profile import find as find_profile
from diplomat.arena.many import Task
from diplomat.core.audience import Seat
from diplomat.core.dice import Dice
from diplomat.core.events import Event
from diplomat.core.game import Decision
from diplomat.core.pledges import Goal, Pledge
from diplomat.core.proceedings import (
    AnswerRefused,
    Defaulted,
    MessageReturned,
    MessageSent,
    PlanSealed,
    PledgeReturned,
)
from diplomat.core.requests import Request
from diplomat.core.talk import CLOSED, EVERYONE, Message, TalkWindow
from diplomat.games.rokugan.bots.answers import answers
from diplomat.games.rokugan.bots.attack import attacks
from diplomat.games.rokugan.bots.character import character
from diplomat.games.rokugan.bots.daimyo import Daimyo, weighed
from diplomat.games.rokugan.bots.intent import Intent
from diplomat.games.rokugan.bots.listening import waiting
from diplomat.games.rokugan.bots.mind import Mind
from diplomat.games.rokugan.bots.openings import Openings
from diplomat.games.rokugan.bots.outlook import Outlook
from diplomat.games.rokugan.bots.sayings import Saying, peace
from diplomat.games.rokugan.bots.voice import Voice
from diplomat.games.rokugan.commitments import Commitments
from diplomat.games.rokugan.events import MapCleared, RoundBegan
from diplomat.games.rokugan.places import place

from .kit import MAP, SIDE, A, B, C, Scene, near, plain, scene
from .test_mind import leaves_alone, said, strikes


def triangle() -> tuple[str, str, str]:
    """A plain province and two neighbours that touch each other, the first of them rich, neither a capital."""
    lands = MAP.provinces
    return next(
        (home, one, two)
        for home in filter(plain, lands)
        for one, two in permutations(lands[home].neighbours, 2)
        if near(one, two) and lands[one].flowers > 1 and not (lands[one].capital or lands[two].capital)
    )


HOME, ONE, TWO = triangle()
"""A province of A's with two neighbours: one of B's and one of C's."""
HAND = ("army-1", "army-2", "army-5", "bluff")


def table() -> Scene:
    return scene("crane", "lion", "crab").holds(A, HOME).holds(B, ONE).holds(C, TWO).hand(A, *HAND)


def outlook(profile: str, *events: Event, at: Scene | None = None) -> Outlook:
    """What a seat of that profile makes of the table after these events of round 1."""
    known = (at or table()).known(A)
    mind = Mind(A, character(find_profile(profile)))
    mind.learn(known, (RoundBegan(1, A), *events))
    return Outlook(known, mind)


def best_against(seen: Outlook, target: str) -> float:
    return max(move.utility for move in attacks(seen) if move.target == target)


def sayings(seen: Outlook) -> dict[str, Saying]:
    return {saying.act: saying for saying in Openings(seen, Intent(seen, weighed(seen))).all()}


PROMISE = said(A, [B], "…", leaves_alone(A, B, 1, 2))


@pytest.mark.parametrize(("profile", "strikes_still"), [("honest", False), ("loyal", False), ("backstabber", True)])
def test_a_promise_forbids_a_rich_attack_to_the_honest_only(profile: str, strikes_still: bool) -> None:
    free, bound = outlook(profile), outlook(profile, PROMISE)
    assert best_against(free, ONE) > 1
    assert (best_against(bound, ONE) > 0) == strikes_still
    assert best_against(bound, TWO) == best_against(free, TWO)


def test_an_attack_that_is_owed_is_laid_first_by_the_honest() -> None:
    for target in (ONE, TWO):
        goal = Goal("attack", A, 1, 1, {"province": target})
        owed = said(A, [B], "…", Pledge("promise", (goal,)))
        bot, known = Daimyo(A, find_profile("honest")), table().known(A)
        request = Request("q", A, "act", "place")
        news = (RoundBegan(1, A), owed)
        reply = bot.decide(Decision(SIDE.question(known, request), CLOSED, known, news, Dice("owed")))
        assert isinstance(reply.answer, dict)
        assert place(str(reply.answer["place"])).target == target


@pytest.mark.parametrize(("profile", "takes_back"), [("honest", True), ("backstabber", False)])
def test_a_word_is_taken_back_before_it_is_broken(profile: str, takes_back: bool) -> None:
    elsewhere = [province for province in MAP.provinces if province not in (HOME, ONE)]
    lone = scene("crane", "lion", "crab").holds(A, HOME).holds(B, ONE, faceup=4).hand(A, *HAND).peace(*elsewhere)
    found = sayings(outlook(profile, PROMISE, at=lone)).get("withdraw")
    assert (found is not None) == takes_back
    if found is not None:
        assert found.to == (B,)
        assert found.pledges == (Pledge("withdraw", ref=PROMISE.id),)


def test_a_partner_that_brings_no_more_than_others_is_kept() -> None:
    assert "withdraw" not in sayings(outlook("loyal", PROMISE))


def test_a_withdrawn_word_binds_no_more() -> None:
    back = said(A, [B], "…", Pledge("withdraw", ref=PROMISE.id), ordinal=2)
    assert best_against(outlook("honest", PROMISE, back), ONE) == best_against(outlook("honest"), ONE)


@pytest.mark.parametrize(
    ("victim", "where", "expected"),
    [(A, HOME, {"accuse", "accuse_public", "gossip_broken"}), (C, TWO, {"gossip_broken"})],
)
def test_a_breach_of_a_promise_to_all_is_thrown_back(victim: Seat, where: str, expected: set[str]) -> None:
    broken = said(B, [EVERYONE], "…", leaves_alone(B, victim))
    placed = table().phase("talk", 2)
    events = (broken, strikes(B, f"{ONE}>{where}"), MapCleared(1), RoundBegan(2, A))
    mind = Mind(A, character(find_profile("honest")))
    mind.words.owners.update({HOME: A, ONE: B, TWO: C})
    known = placed.known(A)
    mind.learn(known, (RoundBegan(1, A), *events))
    found = sayings(Outlook(known, mind))
    assert found.keys() & {"accuse", "accuse_public", "gossip_broken"} == expected


@pytest.mark.parametrize(
    ("profile", "attacked", "expected"),
    [("turtle", False, {"accept"}), ("backstabber", True, {"accept"}), ("avenger", True, {"refuse_war"})],
)
def test_an_offer_of_peace_is_answered_by_character(profile: str, attacked: bool, expected: set[str]) -> None:
    offer = said(B, [A], "…", peace(B, A, 1, 2))
    seen = outlook(profile, offer, at=table().hand(A, "bluff") if profile == "turtle" else table())
    if attacked:
        seen.mind.grudge[B] = 2.0
    intent = Intent(seen, weighed(seen))
    assert {saying.act for saying in answers(seen, intent, waiting(seen.mind.words, A))} == expected


@pytest.mark.parametrize(
    ("to", "asked", "waits"),
    [([A], A, True), ([A, C], A, True), ([EVERYONE], A, True), ([EVERYONE], C, False), ([C], C, False)],
)
def test_an_offer_waits_for_each_seat_that_it_asks(to: list[str], asked: Seat, waits: bool) -> None:
    offer = said(B, to, "…", peace(B, asked, 1, 2))
    refusal = said(C, [B], "…", Pledge("refuse", ref=offer.id))
    words = outlook("honest", offer, refusal).mind.words
    assert [one.message for one in waiting(words, A)] == [offer.id] * waits


# --- many games ----------------------------------------------------------------------------------

GAMES = 25
SAID = {
    *("greet", "offer_peace", "offer_swap", "offer_strike", "offer_division", "counter_peace"),
    *("accept", "accept_strike", "refuse_trust", "refuse_interest", "refuse_war"),
    *("warn", "threaten", "accuse", "accuse_public", "thank", "gossip_offer", "gossip_pact", "gossip_broken"),
    *("call_leader", "promise_defend", "promise_stay_out", "promise_peace", "promise_not_raid"),
    *("withdraw", "excuse", "taunt", "lament", "boast", "ask_help", "condolence", "farewell"),
}
"""Every kind of saying."""


@dataclass
class Season:
    """What was said and done in many games of the default table."""

    acts: Counter[str] = field(default_factory=Counter)
    events: Counter[type[Event]] = field(default_factory=Counter)
    words: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Promises by profile and how they ended."""
    meant: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    """The same by profile, what the last sealed plan said and how they ended."""
    public: list[int] = field(default_factory=list)
    """Lines to all, round by round."""
    repeated: int = 0
    struck: list[bool] = field(default_factory=list)
    """Of each offer to strike together, whether it was against the leader."""

    def kept(self, *profiles: str) -> float:
        """The share of promises kept, of those kept or broken."""
        kept, broken = (sum(self.words[name, status] for name in profiles) for status in ("kept", "broken"))
        return kept / (kept + broken)

    def play(self, seed: str) -> None:
        task = Task("rokugan", seed, {}, 5)
        profiles = {chair.seat: chair.profile.id for chair in task.session().chairs if chair.profile is not None}
        last: dict[Seat, str] = {}
        keep: dict[tuple[Seat, str], str] = {}
        referee = task.play()
        ledger = Commitments(referee.seats)
        for event in referee.log:
            ledger.hear(event)
            self.events[type(event)] += 1
            match event:
                case RoundBegan():
                    self.public.append(0)
                case MessageSent():
                    self.public[-1] += event.to == (EVERYONE,)
                    self.repeated += last.get(event.sender) == event.text
                    last[event.sender] = event.text
                case PlanSealed():
                    keep |= {(event.seat, name): meant for name, meant in event.plan.keep.items()}
        for one in ledger.made:
            name = profiles[one.debtor]
            self.words[name, one.status] += 1
            self.meant[name, keep.get((one.debtor, one.message), "none"), one.status] += 1


@pytest.fixture(scope="module")
def season() -> Season:
    found = Season()
    spoken = Voice.messages

    def messages(voice: Voice, said: list[Saying], window: TalkWindow, die: Any) -> list[tuple[str, Saying, Message]]:
        worded = spoken(voice, said, window, die)
        for _, saying, _ in worded:
            found.acts[saying.act] += 1
            if saying.act == "offer_strike":
                (goal,) = saying.promised
                found.struck.append(goal.args["target"] == voice._outlook.leader)
        return worded

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Voice, "messages", messages)
        for number in range(GAMES):
            found.play(f"season-{number}")
    return found


@pytest.mark.long
class TestSeason:
    def test_nothing_is_ever_sent_back(self, season: Season) -> None:
        for kind in (Defaulted, AnswerRefused, MessageReturned, PledgeReturned):
            assert season.events[kind] == 0, kind

    def test_everything_that_can_be_said_is_said(self, season: Season) -> None:
        assert SAID - season.acts.keys() == set()

    def test_formal_words_are_common(self, season: Season) -> None:
        assert sum(count for act, count in season.acts.items() if act.startswith("promise_")) >= 3 * GAMES
        assert season.acts["withdraw"] >= GAMES // 3

    def test_the_table_hears_public_words_in_every_round(self, season: Season) -> None:
        assert sum(season.public) >= 2.5 * len(season.public)
        later = [count for number, count in enumerate(season.public) if number % 5]
        assert sum(count >= 2 for count in later) >= 0.9 * len(later)

    def test_nobody_says_the_same_twice_in_a_row(self, season: Season) -> None:
        assert season.repeated == 0

    def test_joint_strikes_are_offered_against_the_leader_only(self, season: Season) -> None:
        assert season.struck
        assert all(season.struck)

    def test_words_are_kept_by_character(self, season: Season) -> None:
        assert season.kept("honest") >= 0.95
        assert season.kept("backstabber") <= 0.6
        rates = [season.kept(*names) for names in (("honest", "loyal"), ("opportunist",), ("schemer",))]
        rates.append(season.kept("backstabber"))
        assert rates == sorted(set(rates), reverse=True)

    @pytest.mark.parametrize("profile", ["honest", "loyal"])
    def test_the_sealed_plan_of_the_honest_comes_true(self, season: Season, profile: str) -> None:
        judged = {
            (meant, status): count
            for (name, meant, status), count in season.meant.items()
            if name == profile and meant != "none" and status in ("kept", "broken")
        }
        agree = judged.get(("yes", "kept"), 0) + judged.get(("no", "broken"), 0)
        assert agree >= 0.95 * sum(judged.values())
