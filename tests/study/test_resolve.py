"""What becomes of promises: kept, broken, void with a reason, pending, untestable, untracked."""

from __future__ import annotations

import pytest

from diplomat.core.audience import Seat
from diplomat.core.pledges import Goal, Pledge
from diplomat.core.proceedings import MessageSent
from diplomat.study.rows import EVERYBODY
from diplomat.study.sources import Past, Said
from tests.study.kit import MAP, S1, S2, S3, SEATS, Court, Log, accuse, burn, forgive, promise, spare, strike

MOOT = "void:condition_unmet"
OFFER = Pledge("offer", (spare(S1, S2, 1, 2),), (spare(S2, S1, 1, 2),))


@pytest.mark.parametrize(
    ("goal", "blow", "fate"),
    [
        (spare(S1, S2, 1, 1), None, "kept"),
        (spare(S1, S2, 1, 1), (S1, S2), "broken"),
        (spare(S1, S2, 1, 1), (S1, S3), "kept"),
        (spare(S1, S2, 1, 1), (S3, S2), "kept"),
        (strike(S1, S3, 1, 1), (S1, S3), "kept"),
        (strike(S1, S3, 1, 1), None, "broken"),
        (strike(S1, S3, 1, 2), None, "pending"),
        (spare(S1, S2, 1, 2), None, "pending"),
        (spare(S1, S2, 1, 2), (S1, S2), "broken"),
    ],
)
def test_deeds_decide(goal: Goal, blow: tuple[Seat, Seat] | None, fate: str) -> None:
    log = Log()
    log.say(S1, "s2", promise(goal))
    log.end(*([blow] if blow else []))
    row, found, _ = log.one
    assert found.status == fate
    assert (found.t_final, bool(found.n_final)) == ((0, False) if fate == "pending" else (1, True))
    assert found.binding is True
    assert row.polarity == ("dont" if goal.verb == "not_attack" else "do")


def test_a_breach_names_the_event_and_the_token_that_show_it() -> None:
    log = Log()
    log.say(S1, "s2", promise(spare(S1, S2, 1, 1)))
    log.end((S1, S2))
    _, found, _ = log.one
    assert found.evidence_ids == ("t1.0",)
    assert type(log.events[found.evidence[0] - 1]).__name__ == "TokensTurnedUp"


def test_the_same_promise_in_four_messages_is_one_with_four_mentions() -> None:
    log = Log()
    for text in ("I spare you.", "As I said.", "Again: I spare you.", "Truly."):
        log.say(S1, "s2", promise(spare(S1, S2, 1, 2)), text=text)
    log.end((S1, S2))
    row, found, _ = log.one
    assert [span.message for span in row.mentions] == ["s1>s2.1", "s1>s2.2", "s1>s2.3", "s1>s2.4"]
    assert found.status == "broken"


def test_the_same_word_to_another_seat_is_another_promise_with_the_same_key() -> None:
    log = Log()
    log.say(S1, "s2", promise(strike(S1, S3, 1, 1)))
    log.say(S1, "s3", promise(strike(S1, S3, 1, 1)))
    assert len({row.goal_key for row in log.ledger.promises}) == 1
    assert [row.creditors for row in log.ledger.promises] == [("s2",), ("s3",)]


@pytest.mark.parametrize(
    ("blows", "fate"),
    [([], "void:condition_unmet"), ([(S2, S3)], "broken"), ([(S1, S3)], "void:condition_unmet")],
)
def test_a_condition_that_is_not_met_makes_void(blows: list[tuple[Seat, Seat]], fate: str) -> None:
    log = Log()
    log.say(S1, "s2", promise(strike(S1, S3, 1, 1), given=[strike(S2, S3, 1, 1)]))
    log.end(*blows)
    assert log.fates == [fate]
    assert log.ledger.promises[0].conditional


@pytest.mark.parametrize(
    ("mine", "theirs", "fate"),
    [(0, 0, "kept"), (1, 0, "broken"), (0, 1, MOOT), (1, 1, MOOT), (2, 1, MOOT), (1, 2, "broken")],
)
def test_a_condition_to_leave_undone_counts_up_to_the_same_point(mine: int, theirs: int, fate: str) -> None:
    log = Log()
    log.say(S1, "s2", promise(spare(S1, S2, 1, 2), given=[spare(S2, S1, 1, 2)]))
    for now in (1, 2):
        log.end(*([(S1, S2)] if mine == now else []), *([(S2, S1)] if theirs == now else []))
    assert log.fates == [fate]


@pytest.mark.parametrize(
    ("day", "gone", "accused", "fates"),
    [
        (1, S1, 0, ["void:debtor_out", "void:debtor_out"]),
        (2, S1, 1, ["kept", "broken"]),
        (1, S2, 0, ["void:creditor_out", "void:creditor_out"]),
        (3, S1, 0, ["broken", "kept"]),
        (1, S3, 0, ["broken", "kept"]),
    ],
)
def test_who_has_left_the_game_neither_keeps_nor_breaks(day: int, gone: Seat, accused: int, fates: list[str]) -> None:
    log = Court()
    log.say(S1, "s2", promise(accuse(S1, S3, 1, 2)))
    log.say(S1, "s2", promise(forgive(S1, S3, 1, 2)))
    for now in (1, 2, 3):
        if accused == now:
            log.acts(S1, S3)
        log.day(*([gone] if day == now else []))
    assert log.fates == fates


@pytest.mark.parametrize(("hushed", "fate"), [(0, "kept"), (2, "broken")])
def test_a_state_is_kept_at_every_point(hushed: int, fate: str) -> None:
    log = Court()
    log.say(S1, "s2", promise(Goal("hold", S1, 1, 3)))
    for now in (1, 2, 3):
        if hushed == now:
            log.acts(S1, S1, "hush")
        log.day()
    assert log.fates == [fate]


def test_what_was_still_to_be_done_when_the_game_ended_is_void_and_what_was_left_undone_is_kept() -> None:
    log = Court()
    log.say(S1, "s2", promise(accuse(S1, S3, 1, 4)), promise(forgive(S1, S2, 1, 4)))
    log.day(over=True)
    assert log.fates == ["void:game_over", "kept"]


def test_a_promise_about_round_5_is_pending_at_round_4() -> None:
    log = Log()
    log.say(S1, "s2", promise(strike(S1, S3, 5, 5)))
    seen = []
    for _ in range(5):
        log.end((S1, S3))
        seen.append(log.fates[0])
    assert seen == ["pending"] * 4 + ["kept"]


def test_a_promise_about_what_is_over_is_no_promise_to_test() -> None:
    log = Log()
    log.end()
    log.say(S1, "s2", promise(spare(S1, S2, 1, 1)))
    assert log.fates == ["untestable:over"]


@pytest.mark.parametrize(
    ("code", "fate"), [("unknown_verb", "untracked:untracked"), ("pledge_rounds", "untestable:pledge_rounds")]
)
def test_malformed_pledges_are_counted_not_dropped(code: str, fate: str) -> None:
    log = Log()
    name = log.say(S1, "s2", text="We shall be friends.")
    log.returned(S1, name, Pledge("promise", (Goal("befriend", S1, 1, 1),)), code)
    log.end()
    assert log.fates == [fate]
    assert log.ledger.acts[0].fault


class Vague:
    """A source that hears a promise in everything."""

    name = "human:test"

    def acts(self, message: MessageSent, past: Past) -> list[Said]:
        return [Said("promise", start=0, end=len(message.text), fault="vague")]


def test_a_word_that_no_goal_stands_for_is_untestable() -> None:
    log = Log(sources=[Vague()])
    log.say(S1, "s2", text="Let us be friends.")
    row, found, _ = log.one
    assert (found.status, found.reason, row.goal, row.source) == ("untestable", "vague", None, "human:test")


@pytest.mark.parametrize(("hand", "fate"), [(("army-1",), "broken"), (("diplomacy",), "void:impossible")])
def test_what_could_not_be_done_is_void(hand: tuple[str, ...], fate: str) -> None:
    log = Log({S1: hand})
    log.say(S1, "s2", promise(strike(S1, S2, 1, 1)))
    log.end()
    assert log.fates == [fate]


def test_nobody_can_defend_what_it_does_not_hold() -> None:
    log = Log()
    log.say(S1, "s2", promise(Goal("defend", S1, 1, 1, {"province": MAP.next})))
    log.end()
    assert log.fates == ["void:impossible"]


@pytest.mark.parametrize(("hand", "binding"), [(("army-1",), True), (("diplomacy",), False)])
def test_a_promise_that_could_not_be_broken_is_kept_but_does_not_bind(hand: tuple[str, ...], binding: bool) -> None:
    log = Log({S1: hand})
    log.say(S1, "s2", promise(spare(S1, S2, 1, 1)))
    log.end()
    _, found, _ = log.one
    assert (found.status, found.binding) == ("kept", binding)


def test_without_a_hand_in_the_log_nothing_is_called_impossible() -> None:
    log = Log({})
    log.say(S1, "s2", promise(strike(S1, S2, 1, 1)))
    log.end()
    _, found, _ = log.one
    assert (found.status, found.binding) == ("broken", None)


# --- offers, answers, and words taken back


def test_an_offer_binds_nobody_until_it_is_accepted_and_then_both() -> None:
    log = Log()
    name = log.say(S1, "s2", OFFER)
    assert log.fates == []
    log.say(S2, "s1", Pledge("accept", ref=name))
    mine, theirs = log.ledger.promises
    assert (mine.debtor, mine.act, mine.mutual_of) == (S1, "offer", (theirs.pid,))
    assert (theirs.debtor, theirs.act, theirs.mutual_of) == (S2, "accept", (mine.pid,))
    assert mine.said_n < mine.made_n == theirs.said_n
    assert [act.answered for act in log.ledger.acts] == ["accept", ""]


@pytest.mark.parametrize("act", ["refuse", "counter"])
def test_an_offer_refused_or_countered_binds_nobody(act: str) -> None:
    log = Log()
    name = log.say(S1, "s2", OFFER)
    log.say(S2, "s1", Pledge(act, (spare(S2, S1, 1, 1),) if act == "counter" else (), ref=name))
    log.say(S2, "s1", Pledge("accept", ref=name))
    assert log.fates == []
    assert log.ledger.acts[0].answered == act


@pytest.mark.parametrize("text", ["You should attack Crane at Yasuki.", "Lion, attack Crane this round!"])
def test_a_suggestion_to_somebody_else_is_no_promise(text: str) -> None:
    log = Log()
    log.say(S1, "s2", Pledge("ask", given=(strike(S2, S3, 1, 1),)))
    log.say(S1, "s2", text=text)
    log.end()
    assert log.fates == []


@pytest.mark.parametrize("text", ["We need stability in the north.", "The stability of our border matters to me."])
def test_stability_is_no_stab(text: str) -> None:
    log = Log()
    log.say(S1, "s2", text=text)
    log.end()
    assert log.ledger.acts == ()


def test_two_creditors_one_token_is_a_conflict_before_anything_is_resolved() -> None:
    log = Log()
    log.say(S1, "s2", promise(burn(S1, MAP.behind, 1, 1)))
    log.say(S1, "s3", promise(burn(S1, MAP.next, 1, 1)))
    first, second = log.ledger.promises
    assert (first.conflicts_with, second.conflicts_with) == ((second.pid,), (first.pid,))
    assert log.fates == ["pending", "pending"]


def test_promising_one_to_attack_and_the_other_to_spare_is_playing_both_sides() -> None:
    log = Log()
    log.say(S1, "s2", promise(strike(S1, S3, 1, 1)))
    log.say(S1, "s3", promise(spare(S1, S3, 1, 2)))
    log.say(S1, "s3", promise(spare(S1, S2, 1, 2)))
    first, second, third = log.ledger.promises
    assert first.conflicts_with == (second.pid,)
    assert third.conflicts_with == ()


def test_a_later_word_to_the_same_seat_replaces_the_one_it_excludes() -> None:
    log = Log()
    log.say(S1, "s2", promise(burn(S1, MAP.behind, 1, 1)))
    log.say(S1, "s2", promise(burn(S1, MAP.next, 1, 1)))
    first, second = log.ledger.promises
    assert (first.superseded_by, first.conflicts_with) == (second.pid, ())
    log.end()
    assert log.fates == ["void:superseded", "broken"]


def test_a_creditor_frees_the_debtor_one_event_before_the_breach() -> None:
    log = Log()
    name = log.say(S1, "s2", promise(spare(S1, S2, 1, 1)))
    log.placement()
    log.say(S2, "s1", Pledge("withdraw", ref=name))
    log.end((S1, S2), began=True)
    assert log.fates == ["void:released"]
    assert log.ledger.acts[-1].act == "release"


def test_freed_after_the_breach_it_stays_broken() -> None:
    log = Log()
    name = log.say(S1, "s2", promise(spare(S1, S2, 1, 1)))
    log.end((S1, S2))
    log.say(S2, "s1", Pledge("withdraw", ref=name))
    assert log.fates == ["broken"]


@pytest.mark.parametrize(("to", "told"), [("s2", True), ("all", True), ("s3", False)])
def test_who_takes_its_word_back_before_its_creditor_breaks_it_with_notice(to: str, told: bool) -> None:
    log = Log()
    name = log.say(S1, "s2", promise(spare(S1, S2, 1, 2)))
    log.say(S1, to, Pledge("withdraw", ref=name))
    log.end((S1, S2))
    _, found, _ = log.one
    assert (found.status, found.with_notice) == ("broken", told)


@pytest.mark.parametrize(
    ("first", "second", "retaliatory"), [(1, 2, [False, True]), (2, 1, [True, False]), (1, 1, [False, False])]
)
def test_a_breach_that_answers_a_breach_is_retaliatory_and_broken(
    first: int, second: int, retaliatory: list[bool]
) -> None:
    log = Log()
    name = log.say(S1, "s2", OFFER)
    log.say(S2, "s1", Pledge("accept", ref=name))
    for now in (1, 2):
        log.end(*([(S1, S2)] if first == now else []), *([(S2, S1)] if second == now else []))
    found = log.ledger.resolutions
    assert log.fates == ["broken", "broken"]
    assert [one.retaliatory for one in found] == retaliatory
    assert [bool(one.excused_by) for one in found] == retaliatory


def pact(log: Log, first: int, last: int, by: Seat = S1, to: Seat = S2) -> str:
    """An offer of peace that is accepted; its id."""
    name = log.say(by, to, Pledge("offer", (spare(by, to, first, last),), (spare(to, by, first, last),)))
    log.say(to, by, Pledge("accept", ref=name))
    return name


@pytest.mark.parametrize("again", [S1, S2])
def test_a_breach_from_before_a_pact_was_renewed_excuses_nothing(again: Seat) -> None:
    log = Log()
    pact(log, 1, 3)
    log.end((S2, S1))
    pact(log, 2, 3, again, S2 if again == S1 else S1)
    log.end((S1, S2))
    log.end()
    found: dict[str, list[tuple[str, str, bool, int]]] = {S1: [], S2: []}
    for row, end in zip(log.ledger.promises, log.ledger.resolutions, strict=True):
        found[row.debtor].append((end.status, end.reason, end.retaliatory, len(row.mentions)))
    assert found == {
        S1: [("void", "superseded", False, 1), ("broken", "", False, 1)],
        S2: [("broken", "", False, 1), ("kept", "", False, 1)],
    }


def test_a_word_said_again_after_the_other_sides_deed_was_left_undone_is_a_new_one() -> None:
    log = Log()
    name = log.say(S1, "s2", Pledge("offer", (spare(S1, S2, 1, 3),), (strike(S2, S3, 1, 1),)))
    log.say(S2, "s1", Pledge("accept", ref=name))
    log.end()
    log.say(S1, "s2", promise(spare(S1, S2, 2, 3)))
    log.end((S1, S2))
    assert log.fates == ["void:superseded", "broken", "broken"]
    assert not any(end.retaliatory for end in log.ledger.resolutions)


@pytest.mark.parametrize(("who", "other"), [(S1, S2), (S2, S1)])
@pytest.mark.parametrize(("to", "told"), [("other", True), ("all", True), ("s3", False)])
def test_taking_back_an_answered_pact_is_notice_of_ones_own_half_and_frees_the_other(
    who: Seat, other: Seat, to: str, told: bool
) -> None:
    log = Log()
    name = pact(log, 1, 2)
    log.end()
    log.say(who, other if to == "other" else to, Pledge("withdraw", ref=name))
    log.end((S1, S2), (S2, S1))
    fates = {row.debtor: end for row, end in zip(log.ledger.promises, log.ledger.resolutions, strict=True)}
    assert (fates[who].status, fates[who].with_notice) == ("broken", told)
    assert (fates[other].status, fates[other].reason) == (("void", "released") if told else ("broken", ""))
    assert log.ledger.acts[-1].act == "withdraw"


def test_a_half_that_was_broken_before_the_pact_was_taken_back_stays_broken() -> None:
    log = Log()
    name = pact(log, 1, 2)
    log.end((S2, S1))
    log.say(S1, "s2", Pledge("withdraw", ref=name))
    log.end((S1, S2))
    assert log.fates == ["broken", "broken"]


def test_a_word_given_for_two_is_not_free_when_one_of_them_is_taken_back() -> None:
    log = Log()
    pact(log, 1, 2)
    second = log.say(S1, "s2", Pledge("offer", (spare(S1, S3, 1, 2),), (spare(S2, S1, 1, 2),)))
    log.say(S2, "s1", Pledge("accept", ref=second))
    log.say(S1, "s2", Pledge("withdraw", ref=second))
    log.end((S2, S1))
    assert [(row.debtor, row.released_n) for row in log.ledger.promises] == [(S1, 0), (S2, 0), (S1, 0)]
    assert log.fates == ["pending", "broken", "pending"]


def test_a_pact_taken_back_and_made_anew_is_two_pacts() -> None:
    log = Log()
    name = pact(log, 1, 3)
    log.say(S1, "s2", Pledge("withdraw", ref=name))
    pact(log, 1, 3)
    log.end((S1, S2), (S2, S1))
    assert log.fates == ["void:superseded", "void:released", "broken", "broken"]


def test_a_threat_is_kept_apart_and_void_if_nobody_calls_it_down() -> None:
    log = Log()
    log.say(S1, "s2", Pledge("threat", (strike(S1, S2, 1, 1),), (strike(S2, S1, 1, 1),)))
    log.say(S1, "s2", promise(spare(S1, S2, 1, 1)))
    log.end()
    assert [row.act for row in log.ledger.promises] == ["threat", "promise"]
    assert log.fates == ["void:condition_unmet", "kept"]
    assert log.ledger.promises[1].conflicts_with == ()


def test_a_public_promise_is_owed_to_everybody() -> None:
    log = Log()
    log.say(S1, "all", promise(spare(S1, S2, 1, 1)))
    row, _, _ = log.one
    assert (row.creditors, row.audience, row.known_to) == ((EVERYBODY,), "public", (EVERYBODY,))


# --- final is final


def test_final_is_final_however_the_log_grows() -> None:
    log = Log()
    name = log.say(S1, "s2", OFFER)
    log.say(S2, "s1", Pledge("accept", ref=name))
    log.say(S1, "s3", promise(strike(S1, S2, 1, 3), given=[strike(S3, S2, 1, 2)]))
    log.say(S3, "s1", promise(burn(S3, MAP.next, 1, 1)))
    log.say(S3, "s1", promise(burn(S3, MAP.own, 1, 1)))
    log.end((S2, S1))
    log.say(S2, "s1", promise(spare(S2, S1, 2, 3)))
    log.end((S1, S2), (S3, S2))
    log.say(S1, "s2", promise(spare(S1, S2, 3, 4)))
    log.end((S2, S1))
    log.over()
    final: dict[str, object] = {}
    for step in log.growing():
        for pid, one in step.items():
            if pid in final:
                assert one == final[pid]
            elif one.status != "pending":
                final[pid] = one
    assert len(final) == len(log.ledger.promises) == 7
    assert {one.seat for one in log.ledger.players} == set(SEATS)
