"""The pretended player: legal in every game, silent or talkative as told, in the language of the prompt."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from diplomat.games import find, found
from diplomat.testing.loopback.asked import Asked, read_openai
from diplomat.testing.loopback.player import Policy, fitted, phrases, play
from diplomat.testing.loopback.prompted import answers_in, language_of, schema_in
from diplomat.testing.loopback.sampling import Unsampled, sample
from diplomat.testing.masquerade import game as masquerade
from diplomat.testing.schema import fault
from diplomat.testing.walk import begun, walk

TEXT = {"type": "string"}
NULLABLE = {"type": ["string", "null"]}


def closed(**fields: Any) -> dict[str, Any]:
    return {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}


GOAL = closed(verb=TEXT, by=TEXT, first={"type": "integer"}, last={"type": "integer"}, province=NULLABLE)
PLEDGE = closed(act=TEXT, goals={"type": "array", "items": GOAL}, given={"type": "array", "items": GOAL}, ref=NULLABLE)
MESSAGE = closed(to={"type": "array", "items": TEXT}, text=TEXT, pledges={"type": "array", "items": PLEDGE})
REPLY = closed(
    plan={"anyOf": [closed(text=TEXT, goals={"type": "array", "items": GOAL}), {"type": "null"}]},
    answer={"type": "object"},
    say={"type": "array", "items": MESSAGE},
    note=NULLABLE,
)
EXACT_GOAL = closed(
    verb={"enum": ["not_attack", "stay_out"]},
    by={"enum": ["crab", "lion"]},
    first={"type": "integer", "minimum": 2, "maximum": 5},
    last={"type": "integer", "minimum": 2, "maximum": 5},
)
EXACT_PLEDGE = closed(
    act={"enum": ["promise", "offer", "ask", "threat"]},
    goals={"type": "array", "items": EXACT_GOAL},
    given={"type": "array", "items": EXACT_GOAL},
    ref=NULLABLE,
)
NOTHING = {"type": "object", "properties": {}, "additionalProperties": False}


def judged(schema: Any) -> Any:
    """The schema in the smaller language of the judge, which knows no lists of types."""
    if isinstance(schema, list):
        return [judged(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    made = {"anyOf" if key == "oneOf" else key: judged(value) for key, value in schema.items()}
    if isinstance(made.get("type"), list):
        made["anyOf"] = [{"type": kind} for kind in made.pop("type")]
    return made


def asked(text: str, schema: dict[str, Any] | None = REPLY) -> Asked:
    body: dict[str, Any] = {"model": "m", "messages": [{"role": "user", "content": text}]}
    if schema is not None:
        body["response_format"] = {"type": "json_schema", "json_schema": {"name": "r", "schema": schema}}
    return read_openai(body)


def with_menu(menu: dict[str, Any], text: str = "Your turn.") -> str:
    return f"{text}\n```menu\n{json.dumps(menu)}\n```\n"


def replies(menu: dict[str, Any], policy: Policy, text: str = "Your turn.", count: int = 40) -> list[Any]:
    one = asked(with_menu(menu, text))
    return [play(one, policy, Random(seed)) for seed in range(count)]


@pytest.mark.parametrize("game", [*found().values(), masquerade], ids=[*found(), "masquerade"])
def test_answers_from_the_menu_block_are_legal_in_every_game(game: Any) -> None:
    dice = Random(1)
    for request, question in walk(begun(game, game.default_seats, "loopback")):
        reply = play(asked(with_menu({"schema": question.menu.schema()})), "mute", dice)
        problem = question.menu.problem(reply["answer"])
        assert problem is None, f"{request.id}: {reply['answer']} {problem}"


def test_answers_from_the_schema_sent_are_legal() -> None:
    dice = Random(1)
    for _, question in walk(begun(find("rokugan"), 3, "loopback")):
        reply = play(asked("Your turn.", closed(answer=question.menu.schema())), "mute", dice)
        assert question.menu.problem(reply["answer"]) is None


WINDOW = {"schema": NOTHING, "window": {"to": ["all", "lion", "crane"], "messages": 2, "length": 30}, "me": "crab"}


def test_policies_talk_never_sometimes_always() -> None:
    said = {
        policy: [bool(reply["say"]) for reply in replies(WINDOW, policy)] for policy in ("mute", "random", "talker")
    }
    assert not any(said["mute"])
    assert all(said["talker"])
    assert 5 < sum(said["random"]) < 35


def test_messages_go_to_one_of_the_window_and_keep_its_length() -> None:
    messages = [reply["say"][0] for reply in replies(WINDOW, "talker")]
    assert {tuple(message["to"]) for message in messages} == {("all",), ("lion",), ("crane",)}
    assert all(0 < len(message["text"]) <= 30 for message in messages)


@pytest.mark.parametrize("window", [None, {"to": []}, {"to": ["all"], "messages": 0}])
def test_nothing_is_said_where_nobody_listens(window: Any) -> None:
    assert not any(reply["say"] for reply in replies({"schema": NOTHING, "window": window}, "talker"))


def test_pledges_are_made_only_of_verbs_that_the_prompt_gives() -> None:
    assert not any(reply["say"][0]["pledges"] for reply in replies(WINDOW, "talker"))
    told = replies({**WINDOW, "pledge": EXACT_PLEDGE}, "talker")
    pledges = [pledge for reply in told for pledge in reply["say"][0]["pledges"]]
    assert {pledge["act"] for pledge in pledges} == {"promise", "offer", "ask"}
    for pledge in pledges:
        assert all(goal["by"] == "crab" and goal["first"] <= goal["last"] for goal in pledge["goals"])
        assert all(goal["by"] == "lion" and goal["verb"] in ("not_attack", "stay_out") for goal in pledge["given"])
        assert fault(judged(PLEDGE), pledge) is None, "the loose shape wants fields that the exact one has not"


def test_exact_reply_without_a_menu_block_tells_who_listens() -> None:
    to = {"type": "array", "items": {"type": "string", "enum": ["lion"]}, "minItems": 1, "maxItems": 1}
    schema = closed(answer=NOTHING, say={"type": "array", "items": closed(to=to, text=TEXT), "maxItems": 1})
    assert play(asked("Your turn.", schema), "talker", Random(1))["say"][0]["to"] == ["lion"]


def test_replies_fit_the_schema_sent() -> None:
    for policy in ("mute", "random", "talker"):
        for reply in replies({**WINDOW, "pledge": EXACT_PLEDGE}, policy):
            assert fault(judged(REPLY), reply) is None


def test_answers_come_one_for_each_question() -> None:
    schema = closed(answers={"type": "array", "items": {"type": "object"}})
    menu = {"schemas": [closed(card={"enum": [name]}) for name in "abc"]}
    assert play(asked(with_menu(menu), schema), "mute", Random(1)) == {"answers": [{"card": name} for name in "abc"]}


def test_plans_have_as_many_answers_as_the_menu_takes() -> None:
    menu = {"schema": closed(card={"enum": ["a", "b"]}), "key": "answers", "steps": 4}
    for schema in (closed(answers={"type": "array", "items": {"type": "object"}}), None):
        plans = [play(asked(with_menu(menu), schema), "mute", Random(seed))["answers"] for seed in range(60)]
        assert {len(plan) for plan in plans} == {4}
        assert all(answer["card"] in ("a", "b") for plan in plans for answer in plan)


def test_moves_of_a_plan_have_little_in_common() -> None:
    schema = closed(token={"enum": list("abcdef")}, place={"enum": [f"p{n}" for n in range(30)]})
    menu = {"schema": schema, "key": "answers", "steps": 6}
    shape = closed(answers={"type": "array", "items": {"type": "object"}})
    tokens = [
        len({move["token"] for move in play(asked(with_menu(menu), shape), "mute", Random(seed))["answers"]})
        for seed in range(40)
    ]
    assert sum(tokens) / len(tokens) > 5, "blind drawing would use four of the six"


def test_text_is_in_the_language_of_the_prompt() -> None:
    for lang, text in (("en", "It is your turn, the crab."), ("ru", "Ваш ход, клан Краба. (crab)")):
        assert language_of(with_menu(WINDOW, text)) == lang
        said = {reply["say"][0]["text"] for reply in replies(WINDOW, "talker", text)}
        assert said <= {line[:30] for line in phrases(lang)["messages"]}


def test_both_languages_have_the_same_texts() -> None:
    assert {key: type(value) for key, value in phrases("en").items()} == {
        key: type(value) for key, value in phrases("ru").items()
    }


SEARCHED = [
    ('Reply by this schema: {"type": "object", "properties": {"a": {"const": 1}}, "required": ["a"]}.', {"a": 1}),
    ('```json\n{"enum": ["x"]}\n```', "x"),
    ('Legal answers:\n```json\n["only"]\n```', "only"),
    ("Some rules:\n- never lie\n\nLegal answers:\n- `pass`\n", "pass"),
    ("No hint at all.", {"answer": {}}),
]


@pytest.mark.parametrize(("text", "reply"), SEARCHED)
def test_without_schema_or_menu_the_prompt_is_searched(text: str, reply: Any) -> None:
    assert play(asked(text, None), "mute", Random(1)) == reply


def test_the_last_schema_and_the_last_list_count() -> None:
    assert schema_in('{"enum": [1]} then {"enum": [2]}') == {"enum": [2]}
    assert answers_in("1. a\n2. b\n\nbut now\n- c\n- d\n") == ["c", "d"]


def test_the_last_menu_block_counts_and_the_broken_one_does_not() -> None:
    text = with_menu({"schema": {"const": 1}}) + with_menu({"schema": {"const": 2}}) + "```menu\n{broken\n```"
    assert play(asked(text, closed(answer={"type": "integer"})), "mute", Random(1)) == {"answer": 2}


SCHEMAS: list[dict[str, Any]] = [
    {"type": "array", "items": {"enum": ["a", "b", "c"]}, "uniqueItems": True, "minItems": 2, "maxItems": 3},
    {"type": "array", "items": closed(a={"enum": [1, 2, 3]}), "uniqueItems": True, "minItems": 2, "maxItems": 2},
    {"anyOf": [{"const": "x"}, {"oneOf": [closed(k={"const": "y"}), {"type": "null"}]}]},
    {"type": "object", "properties": {"a": {"const": 1}, "b": {"type": "boolean"}}, "required": ["a"]},
    {"type": ["integer", "null"]},
]


@pytest.mark.parametrize("schema", SCHEMAS)
def test_samples_are_what_the_schema_allows(schema: dict[str, Any]) -> None:
    drawn = [sample(schema, Random(seed), str) for seed in range(50)]
    assert [value for value in drawn if fault(judged(schema), value) is not None] == []
    assert len({json.dumps(value) for value in drawn}) > 1


def test_numbers_and_texts_keep_their_bounds() -> None:
    numbers = {sample({"type": "integer", "minimum": 3, "maximum": 5}, Random(seed), str) for seed in range(60)}
    assert numbers == {3, 4, 5}
    assert sample({"type": "string", "minLength": 3, "maxLength": 4}, Random(1), lambda: "long text") == "long"
    assert len(sample({"type": "string", "minLength": 3}, Random(1), lambda: "")) == 3


def test_references_are_followed() -> None:
    schema = {"$defs": {"card": {"enum": ["ace"]}}, "allOf": [closed(card={"$ref": "#/$defs/card"}), {"title": "t"}]}
    assert sample(schema, Random(1), str) == {"card": "ace"}


IMPOSSIBLE: list[dict[str, Any]] = [
    {"enum": []},
    {"type": "array", "items": {"enum": ["a"]}, "uniqueItems": True, "minItems": 2},
    {"type": "array", "items": {"const": 1}, "uniqueItems": True, "minItems": 2},
    {"type": "integer", "minimum": 3, "maximum": 2},
    {"type": "colour"},
    {"$defs": {"a": {"anyOf": [{"$ref": "#/$defs/a"}]}}, "$ref": "#/$defs/a"},
]


@pytest.mark.parametrize("schema", IMPOSSIBLE)
def test_schemas_that_allow_nothing_are_said_to(schema: dict[str, Any]) -> None:
    with pytest.raises(Unsampled):
        sample(schema, Random(1), str)


def test_exact_answer_puts_on_the_looser_shape() -> None:
    shape = closed(form=TEXT, card=NULLABLE, many={"type": "array"}, count={"type": "integer"})
    assert fitted({"form": "pass"}, shape, {}) == {"form": "pass", "card": None, "many": [], "count": 0}
    assert fitted({"form": "pass"}, TEXT, {}) == '{"form": "pass"}'
