"""Reading a model's reply: what counts as an answer, what is only near, and what is none."""

from __future__ import annotations

import json
from typing import Any

import pytest

from diplomat.agents.llm.failures import NO_ANSWER, Failure, Unusable
from diplomat.agents.llm.found import reply_object
from diplomat.agents.llm.parse import Grammar, Reading, read, understood, written
from diplomat.agents.llm.readings import fold_aliases
from diplomat.core.audience import Seat
from diplomat.core.menus import Branch, Choice, Form, Menu, Nothing, Several
from diplomat.llm.base import Completion, Finish

ONE = '{"answer": {"pick": "a"}}'
TWO = '{"answer": {"pick": "b"}}'
S1, S2 = Seat("s1"), Seat("s2")
NAMES = {"lion": S2}
FOUND: dict[str, tuple[str, Any]] = {
    "alone": (ONE, "a"),
    "the last of two wins": (f"{ONE}\nNo, wait.\n{TWO}", "b"),
    "friendly chatter around": (f"Sure! Here is my move:\n{ONE}\nGood luck to all!", "a"),
    "in a fence": (f"```json\n{ONE}\n```", "a"),
    "after thinking": (f"<think>maybe {TWO}</think>{ONE}", "a"),
    "thinking after it does not count": (f"{ONE}<think>or {TWO}", "a"),
    "thinking that was only closed": (f"maybe {TWO}\n</think>\n{ONE}", "a"),
    "a tag inside its own words": ('{"answer": {"pick": "a"}, "note": "</think>"}', "a"),
    "other objects around": (f'{{"mood": 1}} {ONE} {{"mood": 2}}', "a"),
    "a broken draft before": ('{"answer": {"pick": "b", ' + ONE, "a"),
    "the same key twice": ('{"answer": {"pick": "b"}, "answer": {"pick": "a"}}', "a"),
    "the key named in the chatter": (f'{ONE} That was my "answer".', "a"),
}
NOT_FOUND: dict[str, tuple[str, Finish, Failure]] = {
    "nothing": ("", "stop", Failure.EMPTY),
    "spaces": (" \n\t", "stop", Failure.EMPTY),
    "thinking alone": ("<think>I could pick a</think>", "stop", Failure.EMPTY),
    "thinking without end": ('<think>{"answer": {"pick": "a"}}', "stop", Failure.EMPTY),
    "prose with a rejected move": ("I first thought of a, but b is better.", "stop", Failure.UNPARSABLE),
    "prose in a fence": ("```json\nI pick a\n```", "stop", Failure.UNPARSABLE),
    "the move without its field": ('{"pick": "a"}', "stop", Failure.UNPARSABLE),
    "the field inside another": (f'{{"reply": {ONE}}}', "stop", Failure.UNPARSABLE),
    "a later one is broken": (ONE + ' Better: {"answer": {"pick": ', "stop", Failure.UNPARSABLE),
    "no number": ('{"answer": NaN}', "stop", Failure.UNPARSABLE),
    "an endless number": ('{"answer": 1e999}', "stop", Failure.UNPARSABLE),
    "too deep": ('{"answer": ' + "[" * 200 + "]" * 200 + "}", "stop", Failure.UNPARSABLE),
    "cut off": ('{"answer": {"pick": "a"', "length", Failure.TRUNCATED),
    "cut off while thinking": ("<think>hm", "length", Failure.TRUNCATED),
    "cut off before anything": ("", "length", Failure.EMPTY),
    "cut off in a second one": (ONE + ' or {"answer"', "length", Failure.TRUNCATED),
}


@pytest.mark.parametrize("name", FOUND)
def test_the_last_object_with_the_field_is_the_reply(name: str) -> None:
    text, pick = FOUND[name]
    assert reply_object(text, "answer")["answer"]["pick"] == pick


@pytest.mark.parametrize("name", NOT_FOUND)
def test_everything_else_has_a_name_and_is_no_move(name: str) -> None:
    text, finish, failure = NOT_FOUND[name]
    with pytest.raises(Unusable) as found:
        reply_object(text, "answer", cut=finish == "length")
    assert found.value.failure is failure
    assert found.value.answer is NO_ANSWER


def test_a_whole_reply_at_the_limit_is_taken() -> None:
    assert reply_object(ONE, "answer", cut=True)["answer"] == {"pick": "a"}


MENU = Form({"pick": Choice(["a", "b", "hida", "hida>kaiu", "t7", "T8", "t8"])})
ALIASES = {"Хида": ["hida"], "Both": ["a", "b"], "Away": ["gone"], "Hida → Kaiu": ["hida>kaiu"]}
NEAR: dict[str, Any] = {
    "a": "a",
    "a)": "a",
    "(B)": "b",
    " 'Hida'. ": "hida",
    "Хида": "hida",
    "хида": "hida",
    "Хида [hida]": "hida",
    "hida → kaiu": "hida>kaiu",
    "T7": "t7",
    "T8": "T8",
    "t8.": Failure.AMBIGUOUS,
    "both": Failure.AMBIGUOUS,
    "Хида [a]": Failure.AMBIGUOUS,
    "away": Failure.ILLEGAL,
    "hidas": Failure.ILLEGAL,
    "1a": Failure.ILLEGAL,
    "t 7": Failure.ILLEGAL,
    "": Failure.ILLEGAL,
    "hida > kaiu": Failure.ILLEGAL,
}


def _understood(answer: Any, menu: Menu) -> Any:
    try:
        return understood(answer, menu, menu.schema(), lambda: fold_aliases(ALIASES))
    except Unusable as fault:
        return fault.failure if menu.problem(fault.answer) is not None else "legal after all"


@pytest.mark.parametrize("given", NEAR)
def test_only_declared_near_misses_are_taken(given: str) -> None:
    wanted = NEAR[given]
    assert _understood({"pick": given}, MENU) == (wanted if isinstance(wanted, Failure) else {"pick": wanted})


def test_two_readings_name_both_candidates() -> None:
    with pytest.raises(Unusable) as found:
        understood({"pick": "both"}, MENU, MENU.schema(), lambda: fold_aliases(ALIASES))
    assert found.value.problem is not None
    assert found.value.problem.facts["candidates"] == '{"pick":"a"}; {"pick":"b"}'


BRANCH = Branch("act", {"go": Form({"to": Choice(["a", "b"])}), "stay": Form({}), "take": Form({"all": Several("ab")})})
BRANCHED: dict[str, tuple[Any, Any]] = {
    "null fields of other variants are left out": ({"act": "stay", "to": None}, {"act": "stay"}),
    "so are empty texts": ({"act": "go", "to": "a", "all": ""}, {"act": "go", "to": "a"}),
    "a label in capitals": ({"act": "GO", "to": "A."}, {"act": "go", "to": "a"}),
    "a list of labels": ({"act": "take", "all": ["A)", "b"]}, {"act": "take", "all": ["a", "b"]}),
    "an object for a text": ({"act": "go", "to": {"id": "a"}}, Failure.ILLEGAL),
    "a text for the whole": ("stay", Failure.ILLEGAL),
    "a field too many": ({"act": "stay", "to": "a"}, Failure.ILLEGAL),
    "a list for a text": ({"act": ["go"], "to": "a"}, Failure.ILLEGAL),
}


@pytest.mark.parametrize("name", BRANCHED)
def test_answers_with_variants(name: str) -> None:
    given, wanted = BRANCHED[name]
    assert _understood(given, BRANCH) == wanted


def test_a_nested_object_is_called_what_it_is() -> None:
    with pytest.raises(Unusable) as found:
        understood({"act": "go", "to": {"id": "a"}}, BRANCH, BRANCH.schema(), dict)
    assert str(found.value.problem).startswith("{'id': 'a'} is not a text")


def _read(data: Any, key: str = "answer", *, silent: bool = False) -> Reading:
    text = data if isinstance(data, str) else json.dumps(data)
    return read(Completion(text), Grammar(S1, key, NAMES, silent_answer=silent))


def test_a_refusal_is_no_reply_whatever_it_says() -> None:
    with pytest.raises(Unusable) as found:
        read(Completion(ONE, finish="refusal"), Grammar(S1, "answer", NAMES, silent_answer=False))
    assert found.value.failure is Failure.REFUSED


def test_a_message_of_several_paragraphs_stays_whole() -> None:
    words = 'First.\n\n"Second", he said: {"answer": {}}\n\nThird.'
    assert _read({"answer": {}, "say": [{"to": ["s2"], "text": words}]}).say[0].text == words


def test_words_alone_answer_a_chance_to_talk() -> None:
    assert _read({"say": []}, silent=True).answers == ({},)
    assert Nothing().problem(_read({"say": [], "answer": None}, silent=True).answers[0]) is None


@pytest.mark.parametrize("given", [{}, "a", [], None, 3])
def test_a_plan_must_be_a_list_and_the_fault_says_so(given: Any) -> None:
    with pytest.raises(Unusable) as found:
        _read({"answers": given}, "answers")
    assert found.value.failure is Failure.UNPARSABLE
    assert "'answers' must be a list" in str(found.value.problem)


GOAL = {"verb": "spare", "by": "s1", "first": 1, "last": 2, "target": "Lion", "province": None}
PLEDGE = {"act": "Promise", "goals": [GOAL], "given": [], "ref": None}


def test_pledges_are_read_with_shown_names() -> None:
    (message,) = _read({"answer": {}, "say": [{"to": ["LION"], "text": "x", "pledges": [PLEDGE]}]}).say
    assert message.to == ("s2",)
    assert message.pledges[0].act == "promise"
    assert dict(message.pledges[0].goals[0].args) == {"target": "s2"}


ILL: dict[str, tuple[Any, str, str]] = {
    "say is a number": ({"say": 3}, "say", "not_list"),
    "a message is a text": ({"say": ["hello"]}, "say[0]", "not_message"),
    "a text is an object": ({"say": [{"to": ["s2"], "text": {"en": "x"}}]}, "say[0].text", "not_text"),
    "recipients are numbers": ({"say": [{"to": [2], "text": "x"}]}, "say[0].to", "not_seats"),
    "a pledge is a text": (
        {"say": [{"to": ["s2"], "text": "x", "pledges": ["peace"]}]},
        "say[0].pledges[0]",
        "not_pledge",
    ),
    "a round is a text": (
        {"say": [{"to": ["s2"], "text": "x", "pledges": [{**PLEDGE, "goals": [{**GOAL, "first": "1"}]}]}]},
        "say[0].pledges[0].goals[0].first",
        "not_round",
    ),
    "a condition without its seat": (
        {"say": [{"to": ["s2"], "text": "x", "pledges": [{**PLEDGE, "given": [{**GOAL, "by": None}]}]}]},
        "say[0].pledges[0].given[0].verb",
        "not_text",
    ),
    "a note is an object": ({"note": {}}, "note", "not_text"),
    "a plan is a list": ({"plan": [1]}, "plan", "not_object"),
    "an intention of no kind": (
        {"plan": {"text": "x", "keep": [{"message": "m", "mean": "perhaps"}]}},
        "plan.keep[0]",
        "not_kept",
    ),
}


@pytest.mark.parametrize("name", ILL)
def test_ill_typed_words_are_named_and_cost_nothing_else(name: str) -> None:
    words, where, code = ILL[name]
    reading = _read({"answer": {"pick": "a"}, **words})
    assert [(fault.where, fault.code) for fault in reading.faults] == [(where, code)]
    assert reading.answers == ({"pick": "a"},)


def test_a_bad_pledge_does_not_take_its_message_along() -> None:
    say = [{"to": ["s2"], "text": "x", "pledges": [{**PLEDGE, "goals": 1}, PLEDGE]}]
    (message,) = _read({"answer": {}, "say": say}).say
    assert len(message.pledges) == 1


def test_misspelt_recipients_go_through_to_come_back() -> None:
    assert _read({"answer": {}, "say": [{"to": ["Lyon", "s2"], "text": "x"}]}).say[0].to == ("Lyon", "s2")


def test_the_written_reply_reads_as_the_same_reply() -> None:
    plan = {"text": "hold", "goals": [GOAL], "keep": [{"message": "s1>s2.1", "mean": "no"}]}
    say = [{"to": ["s2"], "text": "x", "pledges": [PLEDGE]}]
    reading = _read({"plan": plan, "answer": {"pick": "a"}, "say": say, "note": "n"})
    again = _read(written(reading, reading.answers, "answer"))
    assert again == reading
