"""Talk: who can be written to, what comes back, ids that count nothing for outsiders, clean words."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diplomat.core.audience import PUBLIC, Seat, only
from diplomat.core.talk import CLOSED, Message, TalkWindow, address_problem, clean, message_id, room_audience

ME = Seat("s1")
WINDOW = TalkWindow((Seat("s2"), Seat("s3")), messages=2, length=10)
PRIVATE = TalkWindow((Seat("s2"),), public=False, length=10)


@pytest.mark.parametrize(
    ("to", "text", "window", "code"),
    [
        (("s2",), "hi", WINDOW, None),
        (("s2", "s3"), "hi", WINDOW, None),
        (("all",), "hi", WINDOW, None),
        (("s2",), "0123456789", WINDOW, None),
        (("s2",), "01234567890", WINDOW, "message_too_long"),
        (("s2",), " \n ", WINDOW, "empty_message"),
        ((), "hi", WINDOW, "no_recipient"),
        (("s1",), "hi", WINDOW, "to_oneself"),
        (("s2", "s1"), "hi", WINDOW, "to_oneself"),
        (("s4",), "hi", WINDOW, "unknown_recipient"),
        (("S2",), "hi", WINDOW, "unknown_recipient"),
        (("s2", "s22"), "hi", WINDOW, "unknown_recipient"),
        (("",), "hi", WINDOW, "unknown_recipient"),
        (("ALL",), "hi", WINDOW, "unknown_recipient"),
        (("all", "s2"), "hi", WINDOW, "everyone_and_some"),
        (("all",), "hi", PRIVATE, "unknown_recipient"),
        (("s3",), "hi", PRIVATE, "unknown_recipient"),
        (("s2",), "hi", CLOSED, "talk_closed"),
        (("s2",), "hi", TalkWindow((Seat("s2"),), messages=0), "talk_closed"),
    ],
)
def test_address(to: tuple[str, ...], text: str, window: TalkWindow, code: str | None) -> None:
    found = address_problem(Message(to, text), ME, window)
    assert (found and found.code) == code


def test_an_unknown_recipient_is_told_who_can_be_reached() -> None:
    found = address_problem(Message(("s22",), "hi"), ME, WINDOW)
    assert found is not None
    assert found.facts == {"to": "s22", "near": "s2 (all, s2, s3)"}


def test_length_is_counted_in_characters() -> None:
    assert address_problem(Message(("s2",), "Привет,мир"), ME, WINDOW) is None


def test_a_room_is_exactly_its_members() -> None:
    assert room_audience(ME, ("all",)) == PUBLIC
    assert room_audience(ME, ("s3", "s2")) == only("s1", "s2", "s3")
    assert room_audience(ME, ("all", "s2")) == only("s1", "all", "s2")
    assert room_audience(ME, ()) == only("s1")


def test_message_id_names_only_its_room() -> None:
    assert message_id(ME, ("s3", "s2"), 4) == message_id(ME, ("s2", "s3"), 4) == "s1>s2+s3.4"


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("a\nb\tc", "a\nb\tc"),
        ("\x1b[2Jgone", "[2Jgone"),
        ("a\rb\x00c\x07d\x7fe\x9bf", "abcdef"),
        ("\u202egnp.exe\u2066x\u2069\u200f\u200e\u061c", "gnp.exex"),
        ("\u2028a\u2029b", "ab"),
        ("\ufeffbom", "bom"),
        ("\ud800half", "half"),
        ("\U000e0041tag", "tag"),
        ("ё–«Ω»👩‍👧 ok", "ё–«Ω»👩‍👧 ok"),
    ],
)
def test_clean(text: str, cleaned: str) -> None:
    assert clean(text) == cleaned


@given(st.text())
def test_clean_text_has_no_controls_and_stays_clean(text: str) -> None:
    cleaned = clean(text)
    assert clean(cleaned) == cleaned
    cleaned.encode()
    assert not any(unicodedata.category(c) == "Cc" for c in cleaned if c not in "\n\t")
    turning = {"RLE", "LRE", "RLO", "LRO", "PDF", "RLI", "LRI", "FSI", "PDI"}
    assert not any(unicodedata.bidirectional(c) in turning for c in cleaned)
