"""Too long, too many, too deep: the sender reads the limit, and nothing is cut in silence."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from diplomat.core.audience import Seat, only
from diplomat.core.proceedings import (
    AnswerGiven,
    AnswerRefused,
    Defaulted,
    DefaultExplained,
    MessageReturned,
    MessageSent,
    NoteReturned,
    NoteSealed,
    PlanReturned,
    PlanSealed,
)
from diplomat.core.texts import LANGUAGES
from diplomat.llm.base import Call, Completion
from diplomat.testing.masquerade import game as masquerade
from diplomat.testing.pretended import Pretended, menu_of, models_at, played_by
from diplomat.testing.walk import AnyReferee

from .conftest import Run

ROOT = Path(__file__).parents[2]
TALKER = "s1"


def said_by_a_model(**fields: Any) -> AnyReferee:
    """A game at which one model puts these fields into its first reply to a chance to talk."""
    done: list[str] = []

    def spoiled(call: Call, reply: dict[str, Any]) -> Completion | None:
        menu = menu_of(call)
        if call.seat != TALKER or "talk" not in call.purpose or done or menu is None:
            return None
        done.append(call.id)
        return Completion(json.dumps(reply | {"say": []} | fields))

    desk = Pretended("limits", talk=0.0, spoiled=spoiled)
    referee = played_by(*models_at(masquerade, 4, desk))
    assert done
    return referee


def window(referee: AnyReferee) -> Any:
    """How much the talker may say at its first chance to talk."""
    from diplomat.core.requests import Request

    request = next(e.request for e in referee.log if isinstance(e, AnswerGiven) and "talk" in e.request)
    fresh = masquerade.side.unknown(referee.settings, referee.seats, Seat(TALKER))
    for event in referee.log:
        if isinstance(event, AnswerGiven) and event.request == request:
            break
        if event.audience().includes(Seat(TALKER)):
            fresh = masquerade.side.learn(fresh, (event,))
    return masquerade.side.talk(fresh, Request(request, Seat(TALKER), "talk", "talk"))


def test_a_message_one_letter_too_long_comes_back_whole_with_the_limit() -> None:
    limit = window(said_by_a_model()).length
    for length in (limit, limit + 1):
        referee = said_by_a_model(say=[{"to": ["all"], "text": "x" * length, "pledges": []}])
        sent = [e for e in referee.log if isinstance(e, MessageSent)]
        back = [e for e in referee.log if isinstance(e, MessageReturned)]
        assert [len(e.text) for e in sent] == ([length] if length == limit else [])
        assert [(len(e.text), e.problem.code, e.problem.facts["limit"]) for e in back] == (
            [] if length == limit else [(length, "message_too_long", str(limit))]
        )
        assert all(e.audience() == only(Seat(TALKER)) for e in back)


def test_one_message_too_many_comes_back_with_the_limit() -> None:
    most = window(said_by_a_model()).messages
    say = [{"to": ["all"], "text": f"number {n}", "pledges": []} for n in range(most + 1)]
    referee = said_by_a_model(say=say)
    assert [e.text for e in referee.log if isinstance(e, MessageSent)] == [f"number {n}" for n in range(most)]
    (back,) = [e for e in referee.log if isinstance(e, MessageReturned)]
    assert (back.text, back.problem.code) == (f"number {most}", "too_many_messages")
    for lang in LANGUAGES:
        assert str(most) in masquerade.texts(lang).say(f"problem.{back.problem.code}", **back.problem.facts)


def test_a_note_that_is_too_long_is_returned_with_the_limit_and_not_kept_in_part() -> None:
    limit = window(said_by_a_model()).note_length
    referee = said_by_a_model(note="n" * (limit + 1))
    (back,) = [e for e in referee.log if isinstance(e, NoteReturned)]
    assert back.problem.facts == {"length": str(limit + 1), "limit": str(limit)}
    assert not [e for e in referee.log if isinstance(e, NoteSealed) and e.text.startswith("nn")]


def test_a_plan_that_is_too_long_is_returned_with_the_limit_and_not_kept_in_part() -> None:
    limit = window(said_by_a_model()).note_length
    for length in (limit, limit + 1):
        referee = said_by_a_model(plan={"text": "p" * length, "goals": [], "keep": []})
        kept = [e.plan.text for e in referee.log if isinstance(e, PlanSealed) and e.plan.text.startswith("pp")]
        back = [e.problem.facts for e in referee.log if isinstance(e, PlanReturned)]
        assert kept == (["p" * length] if length == limit else [])
        assert back == ([] if length == limit else [{"length": str(length), "limit": str(limit)}])


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ('{"answer": ' + "[" * 30 + "]" * 30 + "}", "unparsable"),
        ('{"answer": ' + "[" * 100_000, "unparsable"),
        ('{"answer": {"x": ' * 2000 + "1" + "}}" * 2000, "unparsable"),
        ('{"answer": {"vote": "' + "x" * 100_000 + '"}}', None),
        ("x" * 1_000_000, "unparsable"),
        ('{"answer": ' + "9" * 10_000 + "}", None),
    ],
    ids=["deep", "endless", "objects", "long", "huge", "number"],
)
def test_a_reply_without_end_is_a_named_default_and_the_game_goes_on(text: str, code: str | None) -> None:
    def spoiled(call: Call, reply: dict[str, Any]) -> Completion | None:
        return Completion(text) if call.seat == TALKER else None

    referee = played_by(*models_at(masquerade, 4, Pretended("deep", spoiled=spoiled)))
    assert referee.outcome() is not None
    why = [e.problem.code for e in referee.log if isinstance(e, DefaultExplained)]
    assert why
    assert {e.seat for e in referee.log if isinstance(e, Defaulted)} == {TALKER}
    assert code is None or set(why) == {code}
    assert set(why) <= {"unparsable", "illegal"}
    for refused in (e for e in referee.log if isinstance(e, AnswerRefused)):
        assert "…" not in json.dumps(refused.answer), "an answer is kept as it was given"


@pytest.mark.parametrize("field", ["name", "summary", "prose"])
@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_profile_text_that_is_too_long_is_refused_with_the_limit(
    field: str, lang: str, run: Run, tmp_path: Path
) -> None:
    import tomllib

    text = (ROOT / "profiles" / "honest.toml").read_text(encoding="utf-8").replace('id = "honest"', 'id = "x"')
    data = tomllib.loads(text)
    old = data[field][lang]
    path = tmp_path / "x.toml"
    for length, code in ((4000, 0), (4001, 1)):
        data[field][lang] = "x" * length
        path.write_text(_toml(data), encoding="utf-8")
        ran = run("profiles", "show", path)
        assert ran.code == code, ran
    assert f"{field}.{lang}: string should have at most 4000 characters" in ran.err
    assert old


def test_an_id_that_is_too_long_is_refused_with_what_is_right(run: Run, tmp_path: Path) -> None:
    text = (ROOT / "profiles" / "honest.toml").read_text(encoding="utf-8")
    path = tmp_path / f"{'x' * 32}.toml"
    path.write_text(text.replace('id = "honest"', f'id = "{"x" * 32}"'), encoding="utf-8")
    ran = run("profiles", "show", path)
    assert ran.code == 1
    assert "{0,30}" in ran.err


@pytest.mark.parametrize("name", ["s17", "s01", "S1", "x" * 5000, "", "s1 ", "с1"])
def test_a_seat_of_no_such_name_is_refused_with_those_there_are(name: str, run: Run) -> None:
    ran = run("play", "--seats", "2", "--seat", f"{name}=random", "--seat", f"{name}.=random", "--dry-run")
    assert ran.code == 2
    assert ran.err.count("\n") == 1


def _toml(data: dict[str, Any]) -> str:
    """Tables of one level as TOML."""
    rows = [f"{key} = {json.dumps(value)}" for key, value in data.items() if not isinstance(value, dict)]
    for key, table in data.items():
        if isinstance(table, dict):
            rows += [f"[{key}]", *(f"{name} = {json.dumps(value)}" for name, value in table.items())]
    return "\n".join(rows)
