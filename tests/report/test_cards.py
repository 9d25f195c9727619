"""Cards, matrices and the brief: four columns kept apart, the weightiest first, no verdict on persons."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from diplomat.cli.reveal import page_of
from diplomat.core.audience import Seat
from diplomat.core.pledges import Goal
from diplomat.report.brief import brief
from diplomat.report.cards import GROUPS, group_of, weight
from diplomat.report.evidence import Case, Evidence, Fate, Given, Verdict, evidence_of
from diplomat.report.trust import Cell, alliances, course, did_matrix, meant_matrix
from diplomat.report.words import Wording
from diplomat.study.ledger import of
from diplomat.transcript.reader import Transcript
from diplomat.transcript.replay import known_to

SEATS = (Seat("s1"), Seat("s2"), Seat("s3"))


def case(status: str = "kept", outcome: str = "honoured", **more: Any) -> Case:
    """A case of s1's word to s2; columns by name."""
    given: dict[str, Any] = {
        "pid": "s1>s2.1#1",
        "debtor": "s1",
        "creditors": ("s2",),
        "act": "promise",
        "goal": Goal("not_attack", Seat("s1"), 1, 2, {"target": "s2"}),
        "antecedent": (),
        "certainty": "firm",
        "explicitness": "explicit",
        "said_n": 10,
        "made_n": 10,
        "made_point": 1,
        "window_start": 1,
        "window_end": 2,
        "horizon_source": "stated",
        "mentions": (),
        "offer": "",
        "mutual_of": (),
        "conflicts_with": (),
        "source": "declared",
        "confidence": 1.0,
        "known_to": ("s1", "s2"),
    }
    fate: dict[str, Any] = {
        "pid": "s1>s2.1#1",
        "status": status,
        "reason": "",
        "t_final": 0 if status == "pending" else 2,
        "n_final": 0,
        "evidence": (),
        "evidence_ids": (),
        "binding": True,
        "attempt_ok": None,
        "outcome_ok": None,
        "excused_by": (),
        "retaliatory": False,
        "with_notice": False,
        "status_next": "",
        "status_end": "",
        "registry": "x/1",
    }
    meant = more.pop("meant", "sincere")
    for name in [name for name in more if name in fate and name != "pid"]:
        fate[name] = more.pop(name)
    given |= more
    fate["pid"] = given["pid"]
    verdict = Verdict(given["pid"], status, meant, "none", outcome, 0, 0)
    return Case(Given(**given), Fate(**fate), verdict, (), ())


def test_breaches_come_first_and_planned_ones_before_all() -> None:
    ordered = [
        case("broken", "premeditated"),
        case("broken", "changed_mind"),
        case("broken", "broken_undecided"),
        case("broken", "broken_unknown"),
        case("broken", "premeditated", retaliatory=True),
        case("kept", "relented"),
        case("pending", "open"),
        case("kept", "honoured", confidence=1.0),
        case("kept", "honoured", confidence=0.4),
        case("broken", "premeditated", act="threat"),
        case("void", "moot"),
        case("untestable", "moot"),
    ]
    mixed = ordered[::-1]
    assert sorted(mixed, key=weight) == ordered
    assert list(dict.fromkeys(group_of(one) for one in ordered)) == list(GROUPS)


@pytest.mark.parametrize(
    ("one", "group"),
    [
        (case("broken", "premeditated", act="threat"), "threat"),
        (case("kept", "honoured", conflicts_with=("s1>s3.1#1",)), "doubtful"),
        (case("untracked", "moot"), "unjudged"),
    ],
)
def test_what_is_no_breach_stands_with_its_like(one: Case, group: str) -> None:
    assert group_of(one) == group


def test_a_threat_that_was_not_carried_out_is_no_broken_word() -> None:
    threat = case("broken", "premeditated", act="threat")
    found = Evidence((), (threat, case("kept")), ())
    assert found.breaches == []
    assert brief(found, [], SEATS).broken == 0
    assert did_matrix(found.counted, SEATS).rows[SEATS[0]][SEATS[1]] == Cell(1, 1)


def test_matrices_keep_what_was_done_and_what_was_meant_apart() -> None:
    cases = [
        case("broken", "changed_mind", meant="sincere", pid="a"),
        case("kept", "relented", meant="insincere", pid="b"),
        case("kept", "kept_undecided", meant="undecided", pid="c"),
        case("kept", "kept_unknown", meant="no_evidence", pid="d"),
        case("void", "moot", meant="sincere", pid="e"),
        case("kept", "honoured", creditors=("*",), pid="f"),
    ]
    did, meant = did_matrix(cases, SEATS), meant_matrix(cases, SEATS)
    assert did.rows[SEATS[0]][SEATS[1]] == Cell(3, 4)
    assert meant.rows[SEATS[0]][SEATS[1]] == Cell(2, 3, 1)
    assert did.rows[SEATS[0]][None] == Cell(1, 1), "a word to the whole table is no word to one"
    assert [Cell(*pair).level for pair in ((0, 0), (2, 2), (1, 2), (0, 2))] == ["blank", "full", "part", "none"]
    assert Cell(1, 4).few
    assert not Cell(5, 5).few


@pytest.mark.parametrize(
    ("one", "marks"),
    [
        (case("kept"), ["given", "kept", "before"]),
        (case("broken", window_end=3, t_final=2), ["given", "broken", "before"]),
        (case("pending", window_end=3), ["given", "holds", "holds"]),
        (case("kept", window_start=3, window_end=3, t_final=3), ["given", "waits", "kept"]),
        (case("broken", made_point=2, window_start=2, t_final=2), ["before", "broken", "before"]),
    ],
)
def test_the_course_of_a_promise_ends_with_its_fate(one: Case, marks: list[str]) -> None:
    assert [step.mark for step in course(one, [1, 2, 3], one.fate.status)] == marks


def test_alliances_show_both_ways_one_way_and_the_breach(talked: Transcript) -> None:
    wording = Wording(talked, "en", known_to(talked, None))
    back = case("broken", debtor="s2", creditors=("s1",), t_final=2)
    (pair,) = alliances([case(window_end=3, t_final=3), back], SEATS, [1, 2, 3], wording)
    assert [bond.mark for bond in pair.bonds] == ["both", "torn", "one"]
    assert alliances([case("void")], SEATS, [1], wording)[0].bonds[0].mark == "none", "what fell away bound nobody"


@pytest.fixture(scope="module", params=["en", "ru"])
def page(request: pytest.FixtureRequest, talked: Transcript) -> str:
    return page_of(talked, request.param)


def _cards(page: str) -> list[str]:
    return re.findall(r'<article class="card .*?</article>', page, re.DOTALL)


def test_every_promise_has_a_card_with_four_columns(page: str, talked: Transcript) -> None:
    found = _cards(page)
    assert len(found) == len(of(talked).promises) > 0
    for card in found:
        columns = re.search(r'<div class="four">(.*)</div>\n', card, re.DOTALL)
        assert columns is not None
        assert columns.group(1).count("<section><h5>") == 4


def test_breaches_lead_the_cards_and_the_brief_links_to_them(page: str, talked: Transcript) -> None:
    broken = len(evidence_of(of(talked)).breaches)
    assert broken
    styles = [re.match(r'<article class="card (\w+)', card) for card in _cards(page)]
    assert [bool(style and style.group(1) == "broken") for style in styles[:broken]] == [True] * broken
    brief_part = page[page.index('id="brief-inside"') : page.index('id="promises"')]
    assert re.findall(r'href="#(c\d+)"', brief_part)[0] == "c1"


def test_a_card_names_its_source_and_the_clause_it_was_judged_by(talked: Transcript) -> None:
    for card in _cards(page_of(talked, "en")):
        assert "Who says so: declared by the speaker" in card or "sure to" in card
        assert re.search(r"Judged by: “\w+” of the vocabulary rokugan/\d", card)


def test_nobody_is_branded(page: str) -> None:
    """Words of judgement about persons; what players say of each other is theirs, and talkers use none.

    The cover is left out: one of the personalities is called by such a word.
    """
    text = re.sub(r"<[^>]+>", " ", page[page.index('<main id="game">') :])
    assert not re.search(r"\bliars?\b|\blied\b|traitor|betray|лжец|лгун|предател|обманщик", text, re.IGNORECASE)


def test_an_open_promise_is_shown_as_open(talked: Transcript) -> None:
    for stop in range(60, len(talked.lines), 40):
        cut = replace(talked, lines=talked.lines[:stop])
        open_ones = [one for one in of(cut).resolutions if one.status == "pending"]
        if open_ones:
            break
    else:
        pytest.fail("no promise is ever open")
    page = page_of(cut, "en")
    assert page.count('<article class="card pending') == len(open_ones)
    assert "Still open:" in page


def test_diaries_hold_all_notes_and_messages_of_a_seat(page: str, talked: Transcript) -> None:
    part = page[page.index('id="diaries"') : page.index('id="map"')]
    assert part.count('<details class="fold">') == len(talked.seats)
    assert part.count("Canary note") == len(talked.seats)
