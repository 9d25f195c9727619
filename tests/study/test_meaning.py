"""What was meant and believed, what was claimed, and what could have been done: apart from what was done."""

from __future__ import annotations

import pytest

from diplomat.core.audience import Seat
from diplomat.core.pledges import Goal, Plan, Pledge
from diplomat.core.proceedings import PlanSealed
from diplomat.games.rokugan import events as ev
from diplomat.games.rokugan.atlas import atlas
from diplomat.study.intent import outcome
from diplomat.study.rows import Meaning, Outcome, Perception, Status
from tests.study.kit import MAP, S1, S2, S3, Log, promise, spare, strike

FAR = next(
    one.id
    for one in atlas().provinces.values()
    if not {MAP.own, MAP.next, MAP.behind} & {one.id, *one.neighbours} and one.id != MAP.abroad
)
"""A province that borders on none of the others."""
PEACE = spare(S1, S2, 1, 2)
NAME = "s1>s2.1"
KAIU = Goal("attack", S1, 1, 1, {"province": MAP.next})
YASUKI = Goal("attack", S1, 1, 1, {"province": MAP.behind})
LATER = Goal("attack", S1, 3, 3, {"province": MAP.next})


@pytest.mark.parametrize(
    ("plan", "meant", "method", "torn"),
    [
        (Plan(keep={NAME: "yes"}), "sincere", "keep", False),
        (Plan(keep={NAME: "no"}), "insincere", "keep", False),
        (Plan(keep={NAME: "unsure"}), "undecided", "keep", False),
        (Plan((KAIU,)), "insincere", "goals", False),
        (Plan((YASUKI,)), "sincere", "goals", False),
        (Plan((LATER,)), "undecided", "goals", False),
        (Plan((KAIU,), {NAME: "yes"}), "sincere", "keep", True),
        (Plan(keep={"another": "no"}), "undecided", "goals", False),
        (Plan(text="I will stab them and lie and betray."), "undecided", "goals", False),
        (None, "no_evidence", "none", False),
    ],
)
def test_a_plan_is_read_as_logic_and_its_words_never(plan: Plan | None, meant: str, method: str, torn: bool) -> None:
    log = Log()
    log.say(S1, "s2", promise(PEACE), text="I value our stability.", plan=plan)
    row = log.ledger.intents[0]
    assert (row.intent, row.method, row.torn, row.at_sending) == (meant, method, torn, True)


def test_a_promise_to_do_is_meant_if_the_plan_has_a_deed_that_does_it() -> None:
    log = Log()
    log.say(S1, "s2", promise(strike(S1, S3, 1, 1)), plan=Plan((YASUKI,)))
    log.say(S1, "s3", promise(strike(S1, S2, 1, 1)), plan=Plan((YASUKI,)))
    assert [row.intent for row in log.ledger.intents] == ["sincere", "undecided"]


@pytest.mark.parametrize(
    ("meant", "did", "found"),
    [
        ("sincere", "kept", "honoured"),
        ("sincere", "broken", "changed_mind"),
        ("insincere", "kept", "relented"),
        ("insincere", "broken", "premeditated"),
        ("undecided", "kept", "kept_undecided"),
        ("undecided", "broken", "broken_undecided"),
        ("no_evidence", "kept", "kept_unknown"),
        ("no_evidence", "broken", "broken_unknown"),
        ("sincere", "void", "moot"),
        ("insincere", "pending", "open"),
        ("sincere", "untracked", "open"),
    ],
)
def test_meaning_against_deed(meant: Meaning, did: Status, found: Outcome) -> None:
    assert outcome(meant, did) == found


def test_a_word_meant_at_first_and_turned_against_later_names_both_plans() -> None:
    log = Log()
    log.say(S1, "s2", promise(PEACE), plan=Plan(keep={NAME: "yes"}))
    first = len(log.events)
    log.end()
    log.say(S1, "s3", text="Hello.", plan=Plan(keep={NAME: "no"}))
    second = len(log.events)
    log.end((S1, S2))
    _, _, verdict = log.one
    assert (verdict.outcome, verdict.turned_after, verdict.turned_n) == ("changed_mind", first, second)


@pytest.mark.parametrize(
    ("first", "again", "meant", "ended"),
    [
        ("yes", "no", "insincere", "premeditated"),
        ("no", "yes", "sincere", "changed_mind"),
        ("yes", "unsure", "undecided", "broken_undecided"),
        ("yes", None, "sincere", "changed_mind"),
    ],
)
def test_a_word_said_again_is_meant_as_its_last_plan_says(
    first: str, again: str | None, meant: str, ended: str
) -> None:
    log = Log()
    log.say(S1, "s2", promise(PEACE), plan=Plan(keep={NAME: first}))
    before = len(log.events)
    log.say(S1, "s2", promise(PEACE), plan=None if again is None else Plan(keep={NAME: again}))
    after = len(log.events)
    log.end((S1, S2))
    _, _, verdict = log.one
    assert (verdict.meant, verdict.outcome) == (meant, ended)
    assert (verdict.turned_after, verdict.turned_n) == ((before, after) if again == "no" else (0, 0))


def test_a_plan_that_turns_against_a_word_meant_only_when_said_again_is_the_turn() -> None:
    log = Log()
    log.say(S1, "s2", promise(PEACE), plan=Plan(keep={NAME: "no"}))
    log.say(S1, "s2", promise(PEACE), plan=Plan(keep={NAME: "yes"}))
    before = len(log.events)
    log.say(S1, "s3", text="Hello.", plan=Plan(keep={NAME: "no"}))
    log.end((S1, S2))
    _, _, verdict = log.one
    assert (verdict.meant, verdict.turned_after, verdict.turned_n) == ("sincere", before, before + 2)


def test_a_plan_made_after_the_deed_says_nothing_of_the_word() -> None:
    log = Log()
    log.say(S1, "s2", promise(spare(S1, S2, 1, 1)), plan=Plan(keep={NAME: "yes"}))
    log.end((S1, S2))
    log.add(PlanSealed(S1, "late", Plan(keep={NAME: "no"})))
    assert [row.intent for row in log.ledger.intents] == ["sincere"]


def test_a_plan_of_a_later_message_is_no_evidence_of_an_earlier_one() -> None:
    log = Log()
    log.say(S1, "s2", promise(PEACE))
    log.say(S1, "s3", text="Hello.", plan=Plan(keep={NAME: "no"}))
    assert [(row.intent, row.at_sending) for row in log.ledger.intents] == [("no_evidence", True), ("insincere", False)]
    assert log.ledger.verdicts[0].meant == "no_evidence"


def test_the_halves_of_an_accepted_offer_are_meant_by_whom_says_them() -> None:
    log = Log()
    offer = Pledge("offer", (PEACE,), (spare(S2, S1, 1, 2),))
    name = log.say(S1, "s2", offer, plan=Plan(keep={NAME: "no"}))
    log.say(S2, "s1", Pledge("accept", ref=name), plan=Plan(keep={name: "yes"}))
    assert [(row.pid, row.intent) for row in log.ledger.intents] == [
        ("s1>s2.1#1", "insincere"),
        ("s2>s1.1#1", "sincere"),
    ]


# --- believed


@pytest.mark.parametrize(("act", "label"), [("accept", "believed"), ("refuse", "doubted"), (None, "none")])
def test_an_answer_shows_belief(act: str | None, label: str) -> None:
    log = Log()
    name = log.say(S1, "s2", promise(PEACE))
    if act:
        log.say(S2, "s1", Pledge(act, ref=name))
    assert log.ledger.verdicts[0].believed == label


def test_who_asked_for_a_word_did_not_say_that_it_believes_it() -> None:
    log = Log()
    name = log.say(S1, "s2", Pledge("offer", (PEACE,), (spare(S2, S1, 1, 2),)))
    log.say(S2, "s1", Pledge("accept", ref=name))
    assert [row.believed for row in log.ledger.verdicts] == ["believed", "none"]


@pytest.mark.parametrize(
    ("held", "guards", "label"),
    [
        ({MAP.own: S1, MAP.next: S2, FAR: S2}, MAP.next, "doubted"),
        ({MAP.own: S1, MAP.next: S2, FAR: S2}, FAR, "believed"),
        ({MAP.own: S1, MAP.next: S2, FAR: S2, MAP.behind: S3}, MAP.next, "none"),
        ({MAP.own: S1, MAP.next: S2, FAR: S2}, "", "none"),
    ],
)
def test_guarding_the_border_with_the_debtor_alone_shows_doubt(held: dict[str, Seat], guards: str, label: str) -> None:
    opening = [ev.ControlPlaced(seat, province) for province, seat in held.items()]
    log = Log(opening=[*opening, ev.RoundBegan(1, S1)])
    log.say(S1, "s2", promise(spare(S1, S2, 1, 1)))
    log.end(*([(S2, "shinobi-3", guards)] if guards else []))
    rows = [row for row in log.ledger.perceptions if row.receiver == S2]
    assert [row.label for row in rows] == [label]
    assert rows[0].method == ("none" if label == "none" else "deed")


def test_every_receiver_has_a_row_even_without_a_label() -> None:
    log = Log()
    log.say(S1, "all", promise(PEACE))
    assert log.ledger.perceptions == tuple(Perception("s1>all.1#1", seat, 0, "none", "none", "") for seat in (S2, S3))


# --- claims


@pytest.mark.parametrize(("asked", "truth", "knew"), [(True, "true", "yes"), (False, "false", "yes")])
@pytest.mark.parametrize(
    "text",
    ["Crane, you should know: Crab asked me to strike at you.", "Краб звал меня бить тебя, Журавль. Теперь ты знаешь."],
)
def test_that_somebody_asked_for_an_attack_can_be_checked(text: str, asked: bool, truth: str, knew: str) -> None:
    log = Log()
    if asked:
        log.say(S1, "s2", Pledge("ask", given=(strike(S2, S3, 1, 1),)))
    log.say(S2, "s3", text=text)
    (claim,) = log.ledger.claims
    assert (claim.proposition, claim.about) == ("asked", (S1, S3))
    assert (claim.truth, claim.speaker_knew) == (truth, knew)


def test_plain_words_may_have_asked_it_so_nothing_is_called_false() -> None:
    log = Log()
    log.say(S1, "s2", Pledge("promise", (spare(S1, S2, 1, 1),)))
    log.say(S2, "s3", text="Crane, you should know: Crab asked me to strike at you.")
    assert log.ledger.claims[0].truth == "unverifiable"


@pytest.mark.parametrize(("bound", "truth", "knew"), [(True, "true", "unknown"), (False, "false", "no")])
def test_a_guess_about_a_pact_that_is_wrong_is_a_mistake_and_no_lie(bound: bool, truth: str, knew: str) -> None:
    log = Log()
    if bound:
        log.say(S1, "s3", promise(spare(S1, S3, 1, 1)))
    log.say(S2, "s3", text="You should know, Crane: Crab has come to terms with Crane.")
    (claim,) = log.ledger.claims
    assert (claim.proposition, claim.truth, claim.speaker_knew) == ("bound", truth, knew)


@pytest.mark.parametrize(("struck", "truth"), [(True, "true"), (False, "false")])
def test_that_a_word_was_broken_can_be_checked(struck: bool, truth: str) -> None:
    log = Log()
    log.say(S1, "s2", promise(spare(S1, S2, 1, 1)))
    log.end(*([(S1, S2)] if struck else []))
    log.say(S2, "s3", text="Crab broke his word to me, Crane. He will break it to you.")
    (claim,) = log.ledger.claims
    assert (claim.proposition, claim.about, claim.truth, claim.speaker_knew) == ("broke", (S1, S2), truth, "yes")


# --- opportunities


def test_there_is_a_row_for_every_pair_and_round() -> None:
    log = Log()
    log.say(S1, "s2", promise(spare(S1, S2, 1, 2)))
    log.say(S1, "all", text="Greetings.")
    log.end((S1, S2))
    rows = {(row.seat, row.other, row.point): row for row in log.ledger.opportunities}
    assert len(rows) == 6
    told, quiet, mute = rows[S1, S2, 1], rows[S1, S3, 1], rows[S2, S1, 1]
    assert (told.could_speak, told.private, told.public, told.silent, told.promised, told.owed) == (
        True,
        1,
        1,
        False,
        1,
        1,
    )
    assert (told.could, told.did) == (("attack", "raid"), ("attack",))
    assert (quiet.private, quiet.public, quiet.silent, quiet.promised) == (0, 1, False, 0)
    assert (mute.could_speak, mute.silent) == (False, False)


def test_a_hand_without_fighters_is_no_opportunity_to_attack() -> None:
    log = Log({S1: ("diplomacy",)})
    log.end()
    rows = {(row.seat, row.other): row.could for row in log.ledger.opportunities}
    assert (rows[S1, S2], rows[S2, S1]) == ((), None)
