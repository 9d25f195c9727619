"""Verify finds edits made by hand and names the line; what nothing can vouch for is listed here."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from diplomat.core.errors import BadTranscript
from diplomat.testing.walk import AnyGame
from diplomat.transcript.codec import decode, encode
from diplomat.transcript.reader import read
from diplomat.transcript.verify import Verdict, verify

from .conftest import rows_of, saved

Row = dict[str, Any]
Edit = Callable[[list[Row]], None]
Edited = Callable[[str, Edit], Path]

FREE = {
    ("message_sent", "text"),
    ("message_returned", "text"),
    ("message_returned", "to"),
    ("note_sealed", "text"),
    ("plan_sealed", "plan"),
    ("plan_sealed", "messages"),
    ("pledge_returned", "pledge"),
    ("answer_refused", "answer"),
    ("default_explained", "problem"),
}
"""Fields that players fill freely: only the chain of hashes shows that they were changed, and it is made anew here."""
GIVEN = {"message_sent", "message_returned", "note_sealed", "plan_sealed", "answer_refused", "pledge_returned"}
"""Kinds of line whose absence proves nothing: a player might have given nothing."""


def _leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Every single value in a piece of data, and every list that can lose or gain an entry."""
    if isinstance(value, dict):
        for key, entry in value.items():
            yield from _leaves(entry, (*path, key))
        return
    yield path, value
    if isinstance(value, list):
        for number, entry in enumerate(value):
            yield from _leaves(entry, (*path, number))


def _other(value: Any) -> Any:
    """Another value of the same type."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, str):
        return {"s1": "s2", "all": "s2"}.get(value, "s1" if value.startswith("s") else f"{value}x")
    if isinstance(value, list):
        return value[:-1] if value else ["s1"]
    return "s1"


def _set(data: Any, path: tuple[Any, ...], value: Any) -> None:
    for step in path[:-1]:
        data = data[step]
    data[path[-1]] = value


def _sample(rows: list[Row]) -> list[int]:
    """The places of two lines of every kind, the first and the last."""
    kinds: dict[str, list[int]] = {}
    for at, row in enumerate(rows):
        if at:
            kinds.setdefault(row["kind"], []).append(at)
    return sorted({place for places in kinds.values() for place in (places[0], places[-1])})


def _found(path: Path) -> tuple[int, str] | None:
    """The line at which reading or checking stops, and why."""
    try:
        verdict = verify(read(path))
    except BadTranscript as fault:
        return fault.line, str(fault)
    return None if verdict.difference is None else (verdict.difference.line, str(verdict.difference))


def _consistent(game: AnyGame, row: Row) -> None:
    """Writes ``to`` as the changed event itself would have it."""
    try:
        row["to"] = encode(decode(game, row["kind"], row["data"]))["to"]
    except ValueError:
        return


@pytest.mark.parametrize("name", ["rich", "rokugan"])
def test_an_untouched_game_is_sound(name: str, request: pytest.FixtureRequest) -> None:
    path = request.getfixturevalue(name)
    verdict = verify(read(path))
    rows = rows_of(path.read_text(encoding="utf-8"))
    assert verdict == Verdict(len(rows) - 1, finished=True, chain=rows[-1]["chain"])
    assert verdict.sound


def test_words_are_judged_by_the_window_in_which_they_were_asked_for(hushed_text: str, edited: Edited) -> None:
    rows = [json.loads(line) for line in hushed_text.splitlines()]
    at = next(n for n, row in enumerate(rows) if row.get("kind") == "seat_hushed")
    hushed = rows[at]["data"]["seat"]
    assert any(row["kind"] == "message_sent" and row["data"]["sender"] == hushed for row in rows[at:])
    assert _found(edited(hushed_text, lambda rows: None)) is None


def test_every_kind_of_proceeding_is_tried(rich_text: str) -> None:
    kinds = {json.loads(line).get("kind") for line in rich_text.splitlines()}
    assert {*GIVEN - {"pledge_returned"}, "defaulted", "default_explained", "game_opened"} <= kinds


@pytest.mark.parametrize("name", ["rich", "rokugan"])
@pytest.mark.parametrize("careful", [False, True], ids=["", "with its audience"])
def test_every_changed_field_is_found(name: str, careful: bool, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    source: Path = request.getfixturevalue(name)
    game, rows = read(source).game, rows_of(source.read_text(encoding="utf-8"))
    path = tmp_path / "changed.jsonl"
    missed: list[tuple[str, Any]] = []
    for at in _sample(rows)[:: 1 if careful else 4]:
        for where, value in [*_leaves(rows[at]["data"]), (("kind",), "defaulted"), (("to",), rows[at]["to"])]:
            changed = copy.deepcopy(rows[at])
            inside = where not in (("kind",), ("to",))
            _set(changed["data"] if inside else changed, where, _other(value))
            if careful and inside:
                _consistent(game, changed)
            # A game that stopped soon after is sound as well.
            found = _found(saved(path, [*rows[:at], changed, *rows[at + 1 : at + 20]]))
            if found is None:
                missed.append((rows[at]["kind"], where[0] if inside else where))
            elif rows[at]["kind"] in ("answer_given", "territory_card_laid"):
                assert found[0] >= at + 1
            else:
                assert found[0] == at + 1, (rows[at], where, found)
    assert {entry for entry in missed if entry not in FREE} == set()


@pytest.mark.parametrize("name", ["rich_text", "rokugan_text"])
def test_every_missing_line_is_found(name: str, request: pytest.FixtureRequest, edited: Edited) -> None:
    text: str = request.getfixturevalue(name)
    rows = [json.loads(line) for line in text.splitlines()]
    for at in _sample(rows):
        found = _found(edited(text, lambda rows, at=at: rows.__delitem__(at)))  # type: ignore[misc]  # a late-bound index
        if rows[at]["kind"] in GIVEN or at == len(rows) - 1:
            continue
        assert found is not None, f"{rows[at]} can be left out"
        assert found[0] == at + 1 or rows[at]["kind"] in ("answer_given", "defaulted", "default_explained"), found


@pytest.mark.parametrize("name", ["rich_text", "rokugan_text"])
def test_every_repeated_line_is_found(name: str, request: pytest.FixtureRequest, edited: Edited) -> None:
    text: str = request.getfixturevalue(name)
    rows = [json.loads(line) for line in text.splitlines()]
    free = {"message_returned", "note_sealed", "plan_sealed", "answer_refused", "pledge_returned"}
    for at in _sample(rows):
        if rows[at]["kind"] in free:
            continue
        found = _found(edited(text, lambda rows, at=at: rows.insert(at, dict(rows[at]))))  # type: ignore[misc]  # as above
        assert found is not None, f"{rows[at]} can stand twice"
        assert found[0] == at + 2, found


def test_every_swapped_pair_is_found(rokugan_text: str, edited: Edited) -> None:
    rows = [json.loads(line) for line in rokugan_text.splitlines()]

    def swap(at: int) -> Edit:
        def change(rows: list[Row]) -> None:
            rows[at], rows[at + 1] = rows[at + 1], rows[at]

        return change

    for at in _sample(rows)[:-1]:
        kinds = {rows[at]["kind"], rows[at + 1]["kind"]}
        if not kinds & GIVEN and rows[at]["data"] != rows[at + 1]["data"]:
            found = _found(edited(rokugan_text, swap(at)))
            assert found is not None, f"{rows[at]} can change places with the next line"
            assert found[0] in (at + 1, at + 2), found


def _insert(at: int, kind: str, audience: list[str] | None, /, **data: Any) -> Edit:
    return lambda rows: rows.insert(at, {"kind": kind, "to": audience, "data": data, "at": "", "meta": {}})


def _lines(*edits: Edit) -> Edit:
    def change(rows: list[Row]) -> None:
        for edit in edits:
            edit(rows)

    return change


def _header(**fields: Any) -> Edit:
    return lambda rows: rows[0].update(fields)


def _nonce(rows: list[Row]) -> None:
    rows[1]["meta"] = {}


def _seed(rows: list[Row]) -> None:
    rows[1]["data"]["seed"] = "8"


def _facts(problem: dict[str, Any], length: str) -> dict[str, Any]:
    return {**problem, "facts": {**problem["facts"], "length": length}}


NOTE = {"seat": "s1", "request": "talk.s1", "text": "x"}
STALE = {"code": "stale", "facts": {}}
LONG: dict[str, Any] = {"code": "note_too_long", "facts": {"length": "3000", "limit": "2000"}}
SHORT = {"code": "note_too_long", "facts": {"length": "30", "limit": "2000"}}


def _plan(text: str) -> dict[str, Any]:
    plan = {"text": text, "goals": [], "keep": {}}
    return {"seat": "s1", "request": "talk.s1", "messages": [], "plan": plan}


LONG_PLAN = {"code": "plan_too_long", "facts": {"length": "3000", "limit": "2000"}}

FORGERIES: dict[str, tuple[Edit, int, str]] = {
    "another commitment": (_header(commitment="0" * 64), 2, "not the one that the header committed to"),
    "another seed": (_seed, 2, "not the one that the header committed to"),
    "no nonce": (_nonce, 2, "not the one that the header committed to"),
    "another edition": (_header(edition="boxed"), 1, "played by edition boxed, this program has tiny"),
    "another version": (_header(rules_version=9), 1, "played by rules version 9, this program has 1"),
    "no seed": (lambda rows: rows.__delitem__(1), 2, "does not begin with its sealed seed"),
    "a second seed": (_insert(8, "seed_sealed", [], seed="9"), 9, "seed_sealed follows from nothing"),
    "a seat more": (lambda rows: rows[0]["seats"].append({"seat": "s5", "agent": "x"}), 3, "as follows from the game"),
    "an answer nobody asked for": (
        _insert(8, "answer_given", ["s1"], seat="s1", request="vote.s1", answer={}),
        9,
        "which nobody asked",
    ),
    "an illegal answer": (
        _insert(8, "answer_given", ["s1"], seat="s1", request="talk.s1", answer={"a": 1}),
        9,
        "an illegal answer",
    ),
    "a default that nobody needed": (
        _insert(8, "defaulted", None, seat="s1", request="vote.s1"),
        9,
        "vote.s1 was not open to s1",
    ),
    "a default without a reason": (
        _insert(8, "defaulted", None, seat="s1", request="talk.s1"),
        10,
        "stands between a default and its answer",
    ),
    "another answer than the default": (
        _lines(
            _insert(17, "default_explained", ["s1"], seat="s1", request="orders.s1", problem=STALE),
            _insert(17, "defaulted", None, seat="s1", request="orders.s1"),
            lambda rows: rows[19]["data"].update(answer={"act": "watch", "target": "s2"}),
        ),
        20,
        "this is not the default of orders.s1",
    ),
    "another reason for a late answer": (
        _insert(17, "answer_refused", ["s1"], seat="s1", request="talk.s1", answer={}, problem=LONG),
        18,
        "the answer was refused for another reason: that question is closed",
    ),
    "a reason without a default": (
        _insert(8, "default_explained", ["s1"], seat="s1", request="talk.s1", problem=STALE),
        9,
        "no default was taken",
    ),
    "a refusal of a question that was never asked": (
        _insert(8, "answer_refused", ["s1"], seat="s1", request="vote.s1", answer={}, problem=STALE),
        9,
        "vote.s1 was never asked of s1",
    ),
    "a refusal of a legal answer": (
        _insert(8, "answer_refused", ["s1"], seat="s1", request="talk.s1", answer={}, problem=STALE),
        9,
        "a legal answer stands here as refused",
    ),
    "a note of a stranger": (_insert(8, "note_sealed", ["s9"], **{**NOTE, "seat": "s9"}), 9, "not open to s9"),
    "a note for a closed question": (
        _insert(8, "note_sealed", ["s1"], **{**NOTE, "request": "vote.s1"}),
        9,
        "not open to s1",
    ),
    "too long a note": (_insert(8, "note_sealed", ["s1"], **{**NOTE, "text": "x" * 2001}), 9, "more than 2000"),
    "too long a plan": (_insert(8, "plan_sealed", ["s1"], **_plan("x" * 2001)), 9, "the plan has more than 2000"),
    "words of a plan returned that was not made": (
        _insert(8, "plan_returned", ["s1"], seat="s1", request="talk.s1", problem=LONG_PLAN),
        9,
        "no plan of s1 stands before it",
    ),
    "a good note returned": (
        _insert(8, "note_returned", ["s1"], seat="s1", request="talk.s1", problem=SHORT),
        9,
        "could not have been returned so",
    ),
    "a good plan returned": (
        _insert(8, "plan_returned", ["s1"], seat="s1", request="talk.s1", problem={**SHORT, "code": "plan_too_long"}),
        9,
        "the plan could not have been returned so",
    ),
    "a plan returned as a note": (
        _insert(8, "plan_returned", ["s1"], seat="s1", request="talk.s1", problem=LONG),
        9,
        "the plan could not have been returned so",
    ),
    "a note of a length that is no number": (
        _insert(8, "note_returned", ["s1"], seat="s1", request="talk.s1", problem=_facts(LONG, "9" * 5000)),
        9,
        "the note could not have been returned so",
    ),
    "a message of a stranger": (
        _insert(8, "message_sent", None, id="s9>all.1", sender="s9", to=["all"], text="x", pledges=[]),
        9,
        "there is no seat s9",
    ),
    "a message to a stranger": (
        _insert(8, "message_sent", ["s1", "s9"], id="s1>s9.1", sender="s1", to=["s9"], text="x", pledges=[]),
        9,
        "could not have happened so",
    ),
    "a message with a wrong number": (
        _insert(8, "message_sent", None, id="s1>all.7", sender="s1", to=["all"], text="x", pledges=[]),
        9,
        "could not have happened so",
    ),
    "a message with hostile signs": (
        _insert(8, "message_sent", None, id="s1>all.1", sender="s1", to=["all"], text="\u202ex", pledges=[]),
        9,
        "could not have happened so",
    ),
    "a message returned as stale too early": (
        _insert(8, "message_returned", ["s1"], sender="s1", to=["all"], text="x", problem=STALE),
        9,
        "no question to s1 was closed",
    ),
    "a good message returned": (
        _insert(8, "message_returned", ["s1"], sender="s1", to=["all"], text="x",
                problem={"code": "empty_message", "facts": {}}),
        9,
        "could not have happened so",
    ),
    "a promise returned from no message": (
        _insert(8, "pledge_returned", ["s1"], sender="s1", message="s1>s2.9",
                pledge={"act": "swear", "goals": [], "given": [], "ref": None}, problem=STALE),
        9,
        "could not have been left out so",
    ),
    "a plan with others' messages": (
        _insert(8, "plan_sealed", ["s1"], seat="s1", request="talk.s1", messages=["s2>all.1"],
                plan={"goals": [], "keep": {}, "text": ""}),
        9,
        "messages that s1 did not send",
    ),
    "the end in the middle": (
        _insert(8, "game_opened", None, winners=[], scores={}),
        9,
        "the game is opened before it is over",
    ),
    "an event of the game out of nothing": (
        _insert(8, "seat_poisoned", None, seat="s1"),
        9,
        "seat_poisoned follows from nothing",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", FORGERIES)
def test_forgery_is_found(name: str, edited: Edited, quiet_text: str) -> None:
    change, line, why = FORGERIES[name]
    found = _found(edited(quiet_text, change))
    assert found is not None
    assert found[0] == line, found
    assert why in found[1]


def test_something_behind_the_end_is_found(quiet_text: str, edited: Edited) -> None:
    count = len(quiet_text.splitlines())
    found = _found(edited(quiet_text, _insert(count, "note_sealed", ["s1"], **NOTE)))
    assert found == (count + 1, f"event {count} (line {count + 1}): note_sealed stands behind the end of the game")


def test_a_late_answer_that_was_refused_is_sound(quiet_text: str, edited: Edited) -> None:
    change = _insert(17, "answer_refused", ["s1"], seat="s1", request="talk.s1", answer={}, problem=STALE)
    assert _found(edited(quiet_text, change)) is None


def test_a_fault_of_the_rules_is_a_difference(quiet_text: str, edited: Edited, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("diplomat.table.referee.MAX_ANSWERS", 2)
    found = _found(edited(quiet_text, lambda rows: None))
    assert found is not None
    assert "did not end within 2 answers" in found[1]


def test_rules_that_break_on_a_forged_log_are_a_difference_with_a_line(
    quiet_text: str, edited: Edited, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise KeyError("s9")

    path = edited(quiet_text, lambda rows: None)
    monkeypatch.setattr("diplomat.transcript.retrace.Retrace.take", broken)
    found = _found(path)
    assert found is not None
    assert (found[0], "cannot be played on from here (KeyError: 's9')" in found[1]) == (9, True), found


def test_a_long_note_that_was_returned_is_sound(quiet_text: str, edited: Edited) -> None:
    change = _insert(8, "note_returned", ["s1"], seat="s1", request="talk.s1", problem=LONG)
    assert _found(edited(quiet_text, change)) is None


@pytest.mark.parametrize(("kept", "sound"), [("", True), ("x", False)], ids=["left out", "kept as well"])
def test_words_of_a_plan_are_returned_or_kept(kept: str, sound: bool, quiet_text: str, edited: Edited) -> None:
    back = _insert(8, "plan_returned", ["s1"], seat="s1", request="talk.s1", problem=LONG_PLAN)
    plan = _insert(8, "plan_sealed", ["s1"], **_plan(kept))
    assert (_found(edited(quiet_text, _lines(back, plan))) is None) is sound


def test_an_unfinished_game_is_sound_but_not_finished(quiet_text: str, edited: Edited) -> None:
    for keep in (2, 5, 12, -1):
        verdict = verify(read(edited(quiet_text, lambda rows, keep=keep: rows.__delitem__(slice(keep, None)))))  # type: ignore[misc]  # as above
        assert verdict.sound
        assert not verdict.finished


def test_a_header_without_events_is_not_sound(quiet_text: str, edited: Edited) -> None:
    found = _found(edited(quiet_text, lambda rows: rows.__delitem__(slice(1, None))))
    assert found == (2, "event 1 (line 2): the log does not begin with its sealed seed")


@pytest.mark.parametrize(("more", "sound"), [(4, True), (5, False)])
def test_more_messages_than_are_allowed_are_found(more: int, sound: bool, quiet_rokugan: str, edited: Edited) -> None:
    rows = [json.loads(line) for line in quiet_rokugan.splitlines()]
    at = next(n for n, row in enumerate(rows) if "talk" in row.get("data", {}).get("request", ""))
    seat = rows[at]["data"]["seat"]

    def talk(rows: list[Row]) -> None:
        for number in range(more):
            data = {"id": f"{seat}>all.{number + 1}", "sender": seat, "to": ["all"], "text": f"{number}", "pledges": []}
            _insert(at + number, "message_sent", None, **data)(rows)

    found = _found(edited(quiet_rokugan, talk))
    assert (found is None) == sound
    assert found is None or (found[0] == at + more and "could not have happened so" in found[1])
