"""The ledger of promises: what keeps, breaks, frees or voids a word given; who gave it to whom, and for when."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pytest

from diplomat.core.audience import Seat
from diplomat.core.events import Event
from diplomat.core.game import Decision, Reply
from diplomat.core.pledges import Goal, Pledge
from diplomat.core.proceedings import MessageSent, PledgeReturned, SeedSealed
from diplomat.core.talk import Message
from diplomat.games.rokugan import events as ev
from diplomat.games.rokugan import game
from diplomat.games.rokugan.commitments import Commitment, Commitments
from diplomat.games.rokugan.knowledge import Known
from diplomat.games.rokugan.rules import State
from diplomat.games.rokugan.settings import Settings
from diplomat.games.rokugan.verbs import VERBS
from diplomat.table.referee import Referee
from diplomat.table.table import Table, finish
from diplomat.transcript.retrace import Retrace

S1, S2, S3 = SEATS = (Seat("s1"), Seat("s2"), Seat("s3"))
LANDS = {"hida": S1, "kaiu": S2, "yasuki": S3}
"""All in Crab; ``shinjo`` in Unicorn is nobody's."""
DEEDS = {
    "attack target": ("hida>kaiu", "army-2"),
    "attack another": ("kaiu>yasuki", "army-2"),
    "attack nobody": ("hida>shinjo", "army-2"),
    "sneak target": ("kaiu", "shinobi-3"),
    "defend own": ("kaiu>hida", "army-2"),
    "raid target": ("kaiu", "raid"),
    "raid another": ("yasuki", "raid"),
    "raid nobody": ("shinjo", "raid"),
    "raid own": ("hida", "raid"),
    "peace target": ("kaiu", "diplomacy"),
    "peace another": ("yasuki", "diplomacy"),
    "peace nobody": ("shinjo", "diplomacy"),
    "peace own": ("hida", "diplomacy"),
    "bluff target": ("hida>kaiu", "bluff"),
}
"""What s1 can do, with the place and the face of the token."""


def goal(verb: str, by: Seat, first: int, last: int, **args: str) -> Goal:
    return Goal(verb, by, first, last, args)


def peace(by: Seat, target: Seat, first: int, last: int) -> Goal:
    return goal("not_attack", by, first, last, target=target)


class Book:
    """A ledger with short words for what happens; all are in round 1 at first."""

    def __init__(self) -> None:
        self.words = Commitments(SEATS)
        self._tokens = 0
        for province, seat in LANDS.items():
            self.words.hear(ev.ControlPlaced(seat, province))
        self.words.hear(ev.RoundBegan(1, S1))

    def say(self, sender: Seat, to: str, *pledges: Pledge, name: str = "m") -> None:
        self.words.hear(MessageSent(name, sender, tuple(to.split()), "words", pledges))

    def placement(self) -> None:
        self.words.hear(ev.PlacementBegan(self.words.round))

    def end(self, *done: tuple[Seat, str, str]) -> None:
        """Placement, the tokens of the round, its end and the beginning of the next one."""
        now = self.words.round
        if self.words.placing < now:
            self.placement()
        turned = [ev.TurnedUp(f"t{now}.{n}", seat, place, face) for n, (seat, place, face) in enumerate(done)]
        self.words.hear(ev.TokensTurnedUp(now, tuple(turned)))
        self.words.hear(ev.MapCleared(now))
        self.words.hear(ev.RoundBegan(now + 1, S1))

    def until(self, number: int) -> None:
        while self.words.round < number:
            self.end()

    @property
    def one(self) -> Commitment:
        (found,) = self.words.made
        return found

    @property
    def fates(self) -> list[str]:
        return [one.status for one in self.words.made]


@pytest.fixture
def book() -> Book:
    return Book()


def hit(seat: Seat, target: Seat) -> tuple[Seat, str, str]:
    """An attack of a seat on the land of another."""
    land = {owner: province for province, owner in LANDS.items()}
    return seat, {"hida": "kaiu>hida", "kaiu": "hida>kaiu", "yasuki": "kaiu>yasuki"}[land[target]], "army-2"


# --- what each verb speaks of


MATCHING: list[tuple[str, dict[str, str], set[str]]] = [
    ("not_attack", {"target": "s2"}, {"attack target", "sneak target"}),
    ("attack", {"target": "s2"}, {"attack target", "sneak target"}),
    ("attack", {"province": "kaiu"}, {"attack target", "sneak target"}),
    ("attack", {"province": "shinjo"}, {"attack nobody"}),
    ("attack", {"target": "s3", "province": "yasuki"}, {"attack another"}),
    ("attack", {"target": "s2", "province": "yasuki"}, set()),
    ("attack", {"province": "hida"}, set()),
    ("not_raid", {"target": "s2"}, {"raid target"}),
    ("raid", {"province": "yasuki"}, {"raid another"}),
    ("raid", {"province": "shinjo"}, {"raid nobody"}),
    ("stay_out", {"province": "shinjo"}, {"attack nobody", "raid nobody"}),
    ("stay_out", {"province": "kaiu"}, {"attack target", "sneak target", "raid target"}),
    (
        "stay_out",
        {"territory": "crab"},
        {"attack target", "sneak target", "attack another", "raid target", "raid another", "raid own"},
    ),
    ("share_territory", {"territory": "crab", "target": "s2"}, {"attack target", "sneak target", "raid target"}),
    ("share_territory", {"territory": "unicorn", "target": "s2"}, set()),
    ("defend", {"province": "hida"}, {"defend own"}),
    ("defend", {"province": "kaiu"}, set()),
    ("make_peace", {"province": "hida"}, {"peace own"}),
    ("make_peace", {"province": "kaiu"}, {"peace target"}),
    ("make_peace", {"province": "shinjo"}, {"peace nobody"}),
]


@pytest.mark.parametrize(("verb", "args", "matching"), MATCHING)
@pytest.mark.parametrize("deed", DEEDS)
def test_each_verb_speaks_of_certain_deeds(verb: str, args: dict[str, str], matching: set[str], deed: str) -> None:
    book = Book()
    book.say(S1, "s2", Pledge("promise", (Goal(verb, S1, 1, 1, args),)))
    book.end((S1, *DEEDS[deed]))
    done = deed in matching
    assert book.one.status == ("kept" if done == (VERBS[verb].mode == "by") else "broken")
    forbidden = done and VERBS[verb].mode == "never"
    assert book.words.breaches(book.one) == (("t1.0",) if forbidden else ())


def test_every_verb_is_in_the_table_above() -> None:
    assert {verb for verb, _, _ in MATCHING} == set(VERBS)


def test_what_others_do_neither_keeps_nor_breaks_a_promise(book: Book) -> None:
    book.say(S1, "s2", Pledge("promise", (peace(S1, S2, 1, 1), goal("attack", S1, 1, 1, target="s3"))))
    book.end(hit(S3, S2), hit(S2, S3))
    assert book.fates == ["kept", "broken"]


# --- the rounds of a promise


@pytest.mark.parametrize(
    ("verb", "first", "last", "deed_in", "fates"),
    [
        ("not_attack", 2, 3, 0, ["pending", "pending", "kept", "kept"]),
        ("not_attack", 2, 3, 1, ["pending", "pending", "kept", "kept"]),
        ("not_attack", 2, 3, 2, ["pending", "broken", "broken", "broken"]),
        ("not_attack", 2, 3, 3, ["pending", "pending", "broken", "broken"]),
        ("not_attack", 2, 3, 4, ["pending", "pending", "kept", "kept"]),
        ("attack", 2, 3, 0, ["pending", "pending", "broken", "broken"]),
        ("attack", 2, 3, 1, ["pending", "pending", "broken", "broken"]),
        ("attack", 2, 3, 2, ["pending", "kept", "kept", "kept"]),
        ("attack", 2, 3, 3, ["pending", "pending", "kept", "kept"]),
        ("attack", 2, 3, 4, ["pending", "pending", "broken", "broken"]),
        ("not_attack", 5, 5, 4, ["pending", "pending", "pending", "pending"]),
        ("attack", 5, 5, 4, ["pending", "pending", "pending", "pending"]),
    ],
)
def test_a_promise_is_judged_in_its_rounds_only(
    book: Book, verb: str, first: int, last: int, deed_in: int, fates: list[str]
) -> None:
    book.say(S1, "s2", Pledge("promise", (goal(verb, S1, first, last, target="s2"),)))
    seen = []
    for number in range(1, 5):
        book.end(*([hit(S1, S2)] if number == deed_in else []))
        seen.append(book.one.status)
    assert seen == fates
    assert book.one.settled == (0 if seen[-1] == "pending" else 1 + [fate != "pending" for fate in fates].index(True))


@pytest.mark.parametrize(("verb", "fate"), [("not_attack", "kept"), ("attack", "broken")])
def test_deeds_before_the_word_was_given_do_not_count(book: Book, verb: str, fate: str) -> None:
    book.end(hit(S1, S2))
    book.say(S1, "s2", Pledge("promise", (goal(verb, S1, 1, 3, target="s2"),)))
    assert book.one.goal == goal(verb, S1, 2, 3, target="s2")
    book.until(4)
    assert book.one.status == fate


def test_deeds_before_an_offer_was_accepted_do_not_count(book: Book) -> None:
    book.say(S1, "s2", Pledge("offer", (peace(S1, S2, 1, 2),), (peace(S2, S1, 1, 2),)))
    book.end(hit(S1, S2))
    book.say(S2, "s1", Pledge("accept", ref="m"), name="yes")
    book.end()
    assert book.fates == ["kept", "kept"]


def test_a_promise_about_rounds_that_are_over_is_no_promise(book: Book) -> None:
    book.end()
    book.say(S1, "s2", Pledge("promise", (peace(S1, S2, 1, 1),)))
    book.end()
    assert book.words.made == []
    assert book.words.record(S1) == (0, 0)


# --- answers to offers

OFFER = Pledge("offer", (peace(S1, S2, 1, 2),), (peace(S2, S1, 1, 2),))


@pytest.mark.parametrize(
    ("answers", "answered", "made"),
    [
        (["accept"], "accept", 2),
        (["refuse"], "refuse", 0),
        (["counter"], "counter", 0),
        (["accept", "accept"], "accept", 2),
        (["refuse", "accept"], "refuse", 0),
        (["counter", "accept"], "counter", 0),
        (["accept", "refuse"], "accept", 2),
        (["accept", "counter"], "accept", 2),
    ],
)
def test_only_the_first_answer_counts(book: Book, answers: list[str], answered: str, made: int) -> None:
    book.say(S1, "s2", OFFER)
    for number, act in enumerate(answers):
        goals = (peace(S2, S1, 3, 3),) if act == "counter" else ()
        book.say(S2, "s1", Pledge(act, goals, ref="m"), name=f"a{number}")
    assert book.words.answered == {"m": answered}
    assert len(book.words.made) == made


@pytest.mark.parametrize(("round_", "made"), [(1, 2), (2, 2), (3, 0)])
@pytest.mark.parametrize("act", ["accept", "refuse", "counter"])
def test_an_answer_after_the_last_round_of_an_offer_comes_too_late(
    book: Book, round_: int, made: int, act: str
) -> None:
    book.say(S1, "s2", OFFER)
    book.until(round_)
    book.say(S2, "s1", Pledge(act, ref="m"), name="a")
    assert len(book.words.made) == (made if act == "accept" else 0)
    assert ("m" in book.words.answered) == (made > 0)


def test_the_last_round_of_an_offer_is_that_of_its_first_goal_to_end(book: Book) -> None:
    book.say(S1, "s2", Pledge("offer", (goal("attack", S1, 1, 1, target="s3"),), (peace(S2, S1, 1, 3),)))
    book.end()
    book.say(S2, "s1", Pledge("accept", ref="m"), name="a")
    assert book.words.made == []


@pytest.mark.parametrize("act", ["accept", "refuse", "counter"])
@pytest.mark.parametrize("sender", [S1, S3])
def test_only_those_asked_can_answer(book: Book, act: str, sender: Seat) -> None:
    book.say(S1, "s2", OFFER)
    book.say(sender, "all", Pledge(act, ref="m"), name="a")
    assert book.words.answered == {}
    assert book.words.made == []


def test_each_of_several_seats_answers_for_itself(book: Book) -> None:
    book.say(S1, "s2 s3", Pledge("offer", (goal("defend", S1, 1, 1, province="hida"),), (peace(S3, S1, 1, 1),)))
    book.say(S2, "s1", Pledge("refuse", ref="m"), name="no")
    book.say(S3, "s1", Pledge("accept", ref="m"), name="yes")
    assert [(one.debtor, one.creditors) for one in book.words.made] == [(S1, (S3,)), (S3, (S1,))]
    assert book.words.answered == {"m": "accept"}


def test_accepting_a_message_accepts_all_its_offers(book: Book) -> None:
    attack = goal("attack", S1, 1, 1, target="s3")
    book.say(S1, "s2", OFFER, Pledge("offer", (attack,), (goal("defend", S2, 1, 1, province="kaiu"),)))
    assert book.words.offers["m"].pledge.goals == (*OFFER.goals, attack)
    assert [one.verb for one in book.words.offers["m"].pledge.given] == ["not_attack", "defend"]
    book.say(S2, "s1", Pledge("accept", ref="m"), name="yes")
    assert [(one.debtor, one.goal.verb) for one in book.words.made] == [
        (S1, "not_attack"),
        (S2, "not_attack"),
        (S1, "attack"),
        (S2, "defend"),
    ]


@pytest.mark.parametrize(("to", "made"), [("s2", 0), ("s2 s3", 0), ("all", 0), ("s3", 2)])
def test_an_offer_taken_back_before_its_hearer_cannot_be_accepted(book: Book, to: str, made: int) -> None:
    book.say(S1, "s2", OFFER)
    book.say(S1, to, Pledge("withdraw", ref="m"), name="back")
    book.say(S2, "s1", Pledge("accept", ref="m"), name="yes")
    assert len(book.words.made) == made


# --- who freed whom


@pytest.mark.parametrize("ender", [S1, S2])
def test_an_agreement_that_one_side_takes_back_binds_neither(book: Book, ender: Seat) -> None:
    book.say(S1, "s2", OFFER)
    book.say(S2, "s1", Pledge("accept", ref="m"), name="yes")
    other = S2 if ender == S1 else S1
    book.say(ender, str(other), Pledge("withdraw", ref="m"), name="back")
    assert [one.status for one in book.words.made] == ["withdrawn", "withdrawn"]
    assert book.words.live(S1) == book.words.live(S2) == []


def test_an_agreement_taken_back_before_others_binds_both_still(book: Book) -> None:
    book.say(S1, "s2", OFFER)
    book.say(S2, "s1", Pledge("accept", ref="m"), name="yes")
    book.say(S1, "s3", Pledge("withdraw", ref="m"), name="back")
    assert [one.status for one in book.words.made] == ["pending", "pending"]


@pytest.mark.parametrize(
    ("s1_in", "s2_in", "fates"),
    [
        (0, 0, ["kept", "kept"]),
        (1, 0, ["broken", "kept"]),
        (1, 1, ["broken", "broken"]),
        (1, 2, ["broken", "excused"]),
        (2, 1, ["excused", "broken"]),
    ],
)
def test_a_breach_in_an_earlier_round_frees_the_other_side(
    book: Book, s1_in: int, s2_in: int, fates: list[str]
) -> None:
    book.say(S1, "s2", OFFER)
    book.say(S2, "s1", Pledge("accept", ref="m"), name="yes")
    for number in (1, 2):
        book.end(*([hit(S1, S2)] if number == s1_in else []), *([hit(S2, S1)] if number == s2_in else []))
    assert book.fates == fates


def test_a_promise_without_a_return_is_not_excused(book: Book) -> None:
    book.say(S2, "s1", Pledge("promise", (peace(S2, S1, 1, 2),)))
    book.say(S1, "s2", Pledge("promise", (peace(S1, S2, 1, 2),)), name="n")
    book.end(hit(S2, S1))
    book.end(hit(S1, S2))
    assert book.fates == ["broken", "broken"]


def test_breaking_a_promise_to_all_frees_each_partner(book: Book) -> None:
    book.say(S2, "all", Pledge("promise", (goal("stay_out", S2, 1, 1, province="hida"),)), name="n")
    book.say(S1, "s2", OFFER)
    book.say(S2, "s1", Pledge("accept", ref="m"), name="yes")
    book.end((S2, "hida", "raid"))
    book.end(hit(S1, S2))
    assert book.fates == ["broken", "excused", "kept"]


# --- conditions

IF_PEACE = goal("make_peace", S2, 1, 2, province="kaiu")
IF_QUIET = peace(S2, S1, 1, 2)
ME, YOU, FULFILLED = hit(S1, S2), hit(S2, S1), (S2, "kaiu", "diplomacy")


@pytest.mark.parametrize(
    ("mine", "given", "rounds", "fates"),
    [
        (peace(S1, S2, 1, 2), IF_PEACE, ([], []), ["pending", "void"]),
        (peace(S1, S2, 1, 2), IF_PEACE, ([ME], []), ["pending", "void"]),
        (peace(S1, S2, 1, 2), IF_PEACE, ([FULFILLED], [ME]), ["pending", "broken"]),
        (peace(S1, S2, 1, 2), IF_PEACE, ([ME], [FULFILLED]), ["pending", "broken"]),
        (peace(S1, S2, 1, 2), IF_PEACE, ([], [FULFILLED]), ["pending", "kept"]),
        (goal("attack", S1, 1, 2, target="s2"), IF_PEACE, ([ME], []), ["pending", "void"]),
        (goal("attack", S1, 1, 2, target="s2"), IF_PEACE, ([ME, FULFILLED], []), ["kept", "kept"]),
        (goal("attack", S1, 1, 1, target="s2"), IF_PEACE, ([], [FULFILLED]), ["pending", "broken"]),
        (goal("attack", S1, 1, 2, target="s2"), IF_PEACE, ([], []), ["pending", "void"]),
        (peace(S1, S2, 1, 2), IF_QUIET, ([], []), ["pending", "kept"]),
        (peace(S1, S2, 1, 2), IF_QUIET, ([ME], []), ["broken", "broken"]),
        (peace(S1, S2, 1, 2), IF_QUIET, ([ME], [YOU]), ["broken", "broken"]),
        (peace(S1, S2, 1, 2), IF_QUIET, ([ME, YOU], []), ["broken", "broken"]),
        (peace(S1, S2, 1, 2), IF_QUIET, ([YOU], [ME]), ["void", "void"]),
        (peace(S1, S2, 1, 2), IF_QUIET, ([YOU], []), ["void", "void"]),
        (goal("attack", S1, 1, 2, target="s2"), IF_QUIET, ([YOU], []), ["void", "void"]),
        (goal("attack", S1, 1, 2, target="s2"), IF_QUIET, ([ME], [YOU]), ["kept", "kept"]),
    ],
)
def test_a_conditional_promise_counts_only_if_its_condition_was_met(
    book: Book, mine: Goal, given: Goal, rounds: tuple[list[tuple[Seat, str, str]], ...], fates: list[str]
) -> None:
    book.say(S1, "s2", Pledge("promise", (mine,), (given,)))
    seen = []
    for done in rounds:
        book.end(*done)
        seen.append(book.one.status)
    assert seen == fates
    assert sum(book.words.record(S1)) == (fates[-1] != "void")
    if fates[-1] == "broken" and mine.verb == "not_attack":
        assert len(book.words.breaches(book.one)) == 1


def test_every_condition_must_be_met(book: Book) -> None:
    book.say(S1, "s2", Pledge("promise", (peace(S1, S2, 1, 2),), (IF_PEACE, IF_QUIET)))
    book.end(FULFILLED, YOU)
    book.end(ME)
    assert book.one.status == "void"


def test_a_condition_met_before_the_word_was_given_does_not_count(book: Book) -> None:
    book.end(FULFILLED)
    book.say(S1, "s2", Pledge("promise", (peace(S1, S2, 1, 2),), (IF_PEACE,)))
    book.end(ME)
    assert book.one.status == "void"


# --- taking a word back


@pytest.mark.parametrize(
    ("given_to", "taken_back_to", "counts"),
    [
        ("s2", "s2", True),
        ("s2", "s2 s3", True),
        ("s2", "all", True),
        ("s2", "s3", False),
        ("s2 s3", "s2", False),
        ("s2 s3", "s3 s2", True),
        ("all", "s2 s3", False),
        ("all", "all", True),
    ],
)
def test_a_word_is_taken_back_before_all_who_have_it(
    book: Book, given_to: str, taken_back_to: str, counts: bool
) -> None:
    book.say(S1, given_to, Pledge("promise", (peace(S1, S2, 1, 1),)))
    book.say(S1, taken_back_to, Pledge("withdraw", ref="m"), name="w")
    book.end(hit(S1, S2))
    assert book.one.status == ("withdrawn" if counts else "broken")


@pytest.mark.parametrize(
    ("verb", "first", "last", "round_", "placing", "deed_in", "fate"),
    [
        ("not_attack", 1, 3, 1, False, 1, "withdrawn"),
        ("not_attack", 1, 3, 1, True, 1, "broken"),
        ("not_attack", 1, 3, 1, True, 2, "withdrawn"),
        ("not_attack", 1, 3, 1, True, 0, "withdrawn"),
        ("not_attack", 1, 3, 2, False, 1, "broken"),
        ("not_attack", 1, 3, 2, False, 2, "withdrawn"),
        ("not_attack", 1, 3, 2, True, 2, "broken"),
        ("not_attack", 1, 3, 3, True, 0, "kept"),
        ("not_attack", 2, 3, 1, True, 2, "withdrawn"),
        ("attack", 1, 3, 2, False, 0, "withdrawn"),
        ("attack", 1, 3, 2, True, 0, "withdrawn"),
        ("attack", 1, 3, 2, True, 2, "kept"),
        ("attack", 1, 3, 3, True, 0, "broken"),
    ],
)
def test_a_word_is_taken_back_for_rounds_whose_placement_is_to_come(
    book: Book, verb: str, first: int, last: int, round_: int, placing: bool, deed_in: int, fate: str
) -> None:
    book.say(S1, "s2", Pledge("promise", (goal(verb, S1, first, last, target="s2"),)))
    for number in range(1, 4):
        if number == round_ and placing:
            book.placement()
        if number == round_:
            book.say(S1, "s2", Pledge("withdraw", ref="m"), name="w")
        book.end(*([hit(S1, S2)] if number == deed_in else []))
    assert book.one.status == fate


def test_nobody_takes_back_the_word_of_another(book: Book) -> None:
    book.say(S1, "s2", Pledge("promise", (peace(S1, S2, 1, 1),)))
    book.say(S2, "all", Pledge("withdraw", ref="m"), name="w")
    assert book.one.status == "pending"


def test_a_word_taken_back_can_be_given_anew(book: Book) -> None:
    book.say(S1, "s2", Pledge("promise", (peace(S1, S2, 1, 3),)))
    book.placement()
    book.say(S1, "s2", Pledge("withdraw", ref="m"), name="w")
    book.say(S1, "s2", Pledge("promise", (peace(S1, S2, 1, 3),)), name="n")
    book.until(4)
    assert book.fates == ["withdrawn", "kept"]


# --- the same word again, and who has it


@pytest.mark.parametrize(
    ("verb", "spans", "kept"),
    [
        ("not_attack", [(1, 2), (1, 2)], [(1, 2)]),
        ("not_attack", [(1, 2), (2, 3)], [(1, 3)]),
        ("not_attack", [(3, 3), (1, 2)], [(3, 3), (1, 2)]),
        ("not_attack", [(2, 3), (1, 2)], [(1, 3)]),
        ("attack", [(1, 2), (1, 2)], [(1, 2)]),
        ("attack", [(1, 1), (1, 3)], [(1, 1)]),
        ("attack", [(1, 3), (2, 2)], [(2, 2)]),
        ("attack", [(1, 2), (2, 3)], [(1, 2), (2, 3)]),
    ],
)
def test_a_promise_mentioned_again_counts_once(
    book: Book, verb: str, spans: list[tuple[int, int]], kept: list[tuple[int, int]]
) -> None:
    for number, (first, last) in enumerate(spans):
        book.say(S1, "s2", Pledge("promise", (goal(verb, S1, first, last, target="s2"),)), name=f"m{number}")
    assert [(one.goal.first, one.goal.last) for one in book.words.made] == kept
    for _ in range(3):
        book.end(*([hit(S1, S2)] if verb == "attack" else []))
    assert book.words.record(S1) == (len(kept), 0)


def test_a_condition_makes_another_promise(book: Book) -> None:
    book.say(S1, "s2", Pledge("promise", (peace(S1, S2, 1, 2),)))
    for name in ("n", "o"):
        book.say(S1, "s2", Pledge("promise", (peace(S1, S2, 1, 2),), (IF_PEACE,)), name=name)
    assert [one.given for one in book.words.made] == [(), (IF_PEACE,)]


@pytest.mark.parametrize(("to", "owed"), [("s2", {S2}), ("s3", {S3}), ("s2 s3", {S2, S3}), ("all", {S2, S3})])
def test_a_word_is_owed_to_all_who_were_told(book: Book, to: str, owed: set[Seat]) -> None:
    book.say(S1, to, Pledge("promise", (peace(S1, S2, 1, 1),)))
    assert {seat for seat in SEATS if book.one.owes(seat)} == owed
    assert {seat for seat in SEATS if book.words.live(S1, seat)} == owed
    assert book.words.live(S1) == [book.one]
    book.end(hit(S1, S2))
    assert book.words.live(S1) == []
    assert book.words.record(S1) == (0, 1)
    assert book.words.breaches(book.one) == ("t1.0",)


# --- at the table

SPANS = [(0, 1), (1, 1), (1, 2), (1, 3), (2, 2), (3, 3), (3, 4), (4, 4), (1, 10**9)]


class Promising:
    """Moves by chance; at each turn to talk it promises one thing for all kinds of rounds."""

    instant = True

    async def decide(self, decision: Decision[Known]) -> Reply:
        answer = decision.question.menu.sample(decision.die("answer"))
        me = decision.request.seat
        if me != S1 or decision.request.form not in ("settle", "talk"):
            return Reply(answer)
        each = [Message(("s2",), "Words", (Pledge("promise", (peace(S1, S2, *span),)),)) for span in SPANS]
        return Reply(answer, tuple(each))


@pytest.fixture(scope="module")
def referee() -> Referee[State, Known]:
    """A whole game of three rounds."""
    settings = Settings.model_validate({"rounds": 3, "messages": 9, "messages_in_passing": 9, "talk_waves": 1})
    made: Referee[State, Known] = Referee(game, settings, SEATS, "7")
    finish(Table(made, {seat: Promising() for seat in SEATS}).play())
    return made


def first_fault(referee: Referee[State, Known], log: Iterable[Event]) -> str | None:
    """Why a log could not have happened so, or None."""
    retrace = Retrace(referee.game, referee.settings, referee.seats, "7")
    for event in log:
        if not retrace.due and (why := retrace.take(event)) is not None:
            return why
        if retrace.due.popleft() != event:
            return "another event"
    return None


def test_the_table_returns_promises_outside_the_rounds_to_come(referee: Referee[State, Known]) -> None:
    """Before round 1 those of round 1 on; later those of the current round on; never after the last one."""
    now, told, back = 0, set(), set()
    for event in referee.log:
        if isinstance(event, ev.RoundBegan):
            now = event.round
        elif isinstance(event, MessageSent):
            told |= {(now, pledge.goals[0].first, pledge.goals[0].last) for pledge in event.pledges}
        elif isinstance(event, PledgeReturned):
            assert event.problem.code == "pledge_rounds"
            back.add((now, event.pledge.goals[0].first, event.pledge.goals[0].last))
    wanted = {(now, *span) for now in range(4) for span in SPANS if span[0] and max(now, 1) <= span[1] <= 3}
    assert told == wanted
    assert back == {(now, *span) for now in range(4) for span in SPANS} - wanted


def test_a_retraced_game_judges_promises_by_the_same_rounds(referee: Referee[State, Known]) -> None:
    assert isinstance(referee.log[0], SeedSealed)
    assert first_fault(referee, referee.log) is None
    at = next(n for n, event in enumerate(referee.log) if isinstance(event, PledgeReturned))
    sent, returned = referee.log[at - 1], referee.log[at]
    assert isinstance(sent, MessageSent)
    assert isinstance(returned, PledgeReturned)
    forged = [*referee.log[: at - 1], replace(sent, pledges=(returned.pledge,)), *referee.log[at + 1 :]]
    assert "could not have happened" in str(first_fault(referee, forged))
