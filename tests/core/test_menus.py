"""Menus, class by class: what is legal, what is not and why, as schema, drawn, and when there is no choice."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diplomat.core.dice import Die
from diplomat.core.menus import Branch, Choice, Form, Menu, Nothing, Problem, Several
from diplomat.core.texts import LANGUAGES, core_texts
from diplomat.testing.schema import fault

GONE = Problem("stale")
CHOICE = Choice(["army", "navy"], {"raid": GONE})
SEVERAL = Several(["a", "b", "c"], least=1, most=2)
FORM = Form({"token": CHOICE, "cards": Several(["x"])}, frozenset({"cards"}))
INNER = Branch("token", {"army": Form({"place": Choice(["hida"])}), "raid": Form({})}, {"navy": GONE})
BRANCH = Branch("act", {"place": INNER, "pass": Form({}), "look": Form({"target": Choice(["t1", "t2"])})})

CASES: list[tuple[Menu, Any, str | None]] = [
    (Nothing(), {}, None),
    (Nothing(), None, None),
    (Nothing(), {"a": 1}, "not_empty"),
    (Nothing(), [], "not_empty"),
    (Nothing(), 0, "not_empty"),
    (CHOICE, "army", None),
    (CHOICE, "raid", "stale"),
    (CHOICE, "arm", "not_an_option"),
    (CHOICE, "Army", "not_an_option"),
    (CHOICE, "army ", "not_an_option"),
    (CHOICE, None, "not_text"),
    (CHOICE, ["army"], "not_text"),
    (CHOICE, {}, "not_text"),
    (CHOICE, True, "not_text"),
    (SEVERAL, ["a"], None),
    (SEVERAL, ["c", "a"], None),
    (SEVERAL, [], "wrong_count"),
    (SEVERAL, ["a", "b", "c"], "wrong_count"),
    (SEVERAL, ["a", "a"], "named_twice"),
    (SEVERAL, ["d"], "not_an_option"),
    (SEVERAL, [["a"]], "not_text"),
    (SEVERAL, [None], "not_text"),
    (SEVERAL, "a", "not_a_list"),
    (SEVERAL, {"a": 1}, "not_a_list"),
    (Several([]), [], None),
    (Several([]), ["a"], "not_an_option"),
    (Several(["a"], most=9), ["a"], None),
    (FORM, {"token": "army"}, None),
    (FORM, {"token": "army", "cards": []}, None),
    (FORM, {"token": "army", "cards": ["y"]}, "not_an_option"),
    (FORM, {"cards": []}, "missing_field"),
    (FORM, {"token": "army", "extra": 1}, "unknown_field"),
    (FORM, {"token": "army", 1: 1}, "unknown_field"),
    (FORM, {"token": "raid"}, "stale"),
    (FORM, ["token"], "not_an_object"),
    (FORM, None, "not_an_object"),
    (BRANCH, {"act": "pass"}, None),
    (BRANCH, {"act": "place", "token": "army", "place": "hida"}, None),
    (BRANCH, {"act": "place", "token": "raid"}, None),
    (BRANCH, {"act": "look", "target": "t2"}, None),
    (BRANCH, {"act": "place", "token": "navy", "place": "hida"}, "stale"),
    (BRANCH, {"act": "place", "token": "army", "place": "kaiu"}, "not_an_option"),
    (BRANCH, {"act": "place", "token": "army"}, "missing_field"),
    (BRANCH, {"act": "place"}, "missing_field"),
    (BRANCH, {"act": "pass", "token": "army"}, "unknown_field"),
    (BRANCH, {"act": "place", "token": "raid", "place": "hida"}, "unknown_field"),
    (BRANCH, {"act": "fly"}, "not_an_option"),
    (BRANCH, {"act": ["pass"]}, "not_text"),
    (BRANCH, {}, "missing_field"),
    (BRANCH, "pass", "not_an_object"),
]
MENUS: list[Menu] = [Nothing(), CHOICE, SEVERAL, Several([]), FORM, INNER, BRANCH]


@pytest.mark.parametrize(("menu", "answer", "code"), CASES)
def test_problem(menu: Menu, answer: Any, code: str | None) -> None:
    found = menu.problem(answer)
    assert (found and found.code) == code
    if answer is not None and not any(isinstance(key, int) for key in (answer if isinstance(answer, dict) else ())):
        assert (fault(menu.schema(), answer) is None) == (code is None)


@pytest.mark.parametrize("menu", MENUS, ids=repr)
def test_samples_are_legal_and_reach_everything(menu: Menu) -> None:
    drawn = [menu.sample(Die(n)) for n in range(200)]
    assert all(menu.problem(answer) is None and fault(menu.schema(), answer) is None for answer in drawn)
    legal = [answer for other, answer, code in CASES if other == menu and code is None and answer is not None]
    missed = [answer for answer in legal if answer not in drawn]
    assert not missed


@pytest.mark.parametrize(
    ("menu", "only"),
    [
        (Nothing(), ({},)),
        (Choice(["a"]), ("a",)),
        (CHOICE, None),
        (Several([]), ([],)),
        (Several(["a"]), None),
        (Several(["a"], least=1), (["a"],)),
        (Several(["a", "b"], least=2), None),
        (Form({}), ({},)),
        (Form({"a": Choice(["x"])}), ({"a": "x"},)),
        (Form({"a": CHOICE}), None),
        (Form({"a": Choice(["x"])}, frozenset({"a"})), None),
        (Branch("act", {"pass": Form({})}), ({"act": "pass"},)),
        (Branch("act", {"pass": Form({}), "go": Form({})}), None),
        (Branch("act", {"go": Form({"to": CHOICE})}), None),
        (Branch("act", {"go": Branch("to", {"x": Form({})})}), ({"act": "go", "to": "x"},)),
    ],
)
def test_single(menu: Menu, only: tuple[Any] | None) -> None:
    assert menu.single() == only


_PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.sampled_from(["a", "army", "place"]),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(["act", "token", "place", "cards", "?"]), inner),
)


@given(answer=_PLAIN)
def test_no_answer_is_too_strange_to_be_judged(answer: Any) -> None:
    for menu in MENUS:
        found = menu.problem(answer)
        if found is not None:
            for lang in LANGUAGES:
                said = core_texts(lang).say(f"problem.{found.code}", **found.facts)
                assert said.isprintable()
                assert len(said) < 400


def test_a_refusal_names_the_nearest_options() -> None:
    menu = Choice(["hida", "kaiu", *(f"province{n}" for n in range(20))])
    found = menu.problem("hidda")
    assert found is not None
    assert found.facts["near"].startswith("hida")
    assert found.facts["near"].endswith("…")
    assert str(found) == f"'hidda' is not possible here; possible: {found.facts['near']}"


def test_what_is_shown_of_an_answer_is_short_and_harmless() -> None:
    found = Choice(["a"]).problem("\x1b[31m\n" + "x" * 500)
    assert found is not None
    assert len(found.facts["answer"]) <= 60
    assert "\x1b" not in found.facts["answer"]
    assert "\n" not in found.facts["answer"]


def test_menus_are_menus() -> None:
    assert all(isinstance(menu, Menu) for menu in MENUS)
    assert BRANCH.schema()["anyOf"][0]["anyOf"][0]["required"] == ["act", "token", "place"]
