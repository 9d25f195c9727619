"""A pretended player: gives a legal answer to whatever it is asked, and talks by policy.

What it answers from, in this order: the schema in the prompt's last ```` ```menu ```` block (then the
schema sent with the request gives only the shape around the answer), the schema sent, the last JSON
schema in the prompt, the last list of legal answers there.

The menu block is a JSON object:

=========== ==========================================================================================
``schema``  exact schema of one answer
``key``     ``answers`` where several are asked for, at most ``steps`` of them; else ``answer``
``schemas`` instead of ``schema``: one exact schema for each of the ``answers``, in their order
``window``  ``to``: whom a message may go to; ``messages``, ``length``: how many and how long
``pledge``  exact schema of one pledge; without it (and without verbs in the schema sent) none is made
``me``      the seat that is asked, by which its own goals are
=========== ==========================================================================================
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from random import Random
from typing import Any, Literal

from diplomat.testing.loopback.asked import Asked
from diplomat.testing.loopback.prompted import answers_in, language_of, menu_block, schema_in
from diplomat.testing.loopback.sampling import Schema, resolved, sample, varied

Policy = Literal["random", "mute", "talker"]
POLICIES: tuple[Policy, ...] = ("random", "mute", "talker")
_OPEN: Schema = {}
_ACTS = ("promise", "ask", "offer")


@cache
def phrases(lang: str) -> Mapping[str, Any]:
    """The canned texts of a language."""
    return tomllib.loads(files(__package__).joinpath(f"phrases.{lang}.toml").read_text("utf-8"))


def says_for(asked: Asked) -> Mapping[str, Any]:
    """The canned texts in the language of the prompt."""
    return phrases(language_of(asked.last_turn or asked.prompt))


def play(asked: Asked, policy: Policy, dice: Random, *, constrained: bool = True) -> Any:
    """The reply as JSON value; unconstrained, the schema sent is not looked at."""
    says = says_for(asked)
    shape = asked.schema if constrained else None
    menu = menu_block(asked.last_turn)
    if menu is not None:
        return _Turn(menu, policy, dice, says).reply(shape)
    shape = shape or schema_in(asked.last_turn) or schema_in(asked.prompt)
    if shape is not None:
        return _Turn({}, policy, dice, says).reply(shape)
    answers = answers_in(asked.last_turn)
    return dice.choice(answers) if answers else {"answer": {}}


class _Turn:
    """One reply in the making."""

    def __init__(self, menu: Mapping[str, Any], policy: Policy, dice: Random, says: Mapping[str, Any]) -> None:
        self._menu, self._policy, self._dice, self._says = menu, policy, dice, says
        self._root: Schema = _OPEN

    def reply(self, shape: Schema | None) -> Any:
        """The whole reply in the given shape, or with just an answer and talk without one."""
        if shape is None:
            many = self._menu.get("key") == "answers"
            reply = {"answers": self._answers(_OPEN)} if many else {"answer": self._answer(_OPEN)}
            said = self._say(_OPEN)
            return {**reply, "say": said} if said else reply
        self._root = shape
        shape = resolved(shape, shape)
        properties = shape.get("properties")
        if not properties:
            return self._answer(shape) if "schema" in self._menu else self._draw(shape)
        required = set(shape.get("required", properties))
        return {key: self._field(key, inner) for key, inner in properties.items() if key in required or key == "say"}

    def _field(self, key: str, shape: Schema) -> Any:
        shape = resolved(shape, self._root)
        match key:
            case "answer":
                return self._answer(shape)
            case "answers":
                return self._answers(shape)
            case "say":
                return self._say(shape)
        if _takes(shape, "null", self._root) and self._dice.random() < 0.6:
            return None
        return self._plan(shape) if key == "plan" else self._draw(shape)

    def _plan(self, shape: Schema) -> Any:
        """A plan of words alone: goals drawn blindly would only be refused."""
        if not _takes(shape, "object", self._root):
            return self._draw(shape)
        options = [resolved(part, self._root) for part in (shape, *shape.get("anyOf", ()), *shape.get("oneOf", ()))]
        properties = next(part["properties"] for part in options if "properties" in part)
        return {
            key: [] if _takes(inner, "array", self._root) else self._draw(inner) for key, inner in properties.items()
        }

    def _answer(self, shape: Schema, exact: Schema | None = None) -> Any:
        exact = exact or self._menu.get("schema")
        if exact is None:
            return self._draw(shape)
        return fitted(sample(exact, self._dice, self._note), shape, self._root)

    def _answers(self, shape: Schema) -> Any:
        """One answer for each schema of the menu's ``schemas``; else a plan with a few in reserve.

        Each move is the one of some that has least in common with those before it, as somebody would
        choose who plans to use each token once.
        """
        items = shape.get("items", _OPEN)
        if exact := self._menu.get("schemas"):
            return [self._answer(items, one) for one in exact]
        least = max(1, int(shape.get("minItems", 1)))
        most = int(shape.get("maxItems", self._menu.get("steps", least + 2)))
        return varied(lambda: self._answer(items), max(least, most))

    def _say(self, shape: Schema) -> list[Any]:
        """No message or one, to somebody in the window."""
        window = self._menu.get("window") or {}
        items = resolved(shape.get("items", _OPEN), self._root)
        reach = list(window.get("to") or _options(items.get("properties", {}).get("to", _OPEN), self._root))
        least = int(shape.get("minItems", 0))
        talks = {"mute": 0.0, "talker": 1.0, "random": 0.4}[self._policy]
        allowed = reach and window.get("messages", 1) > 0 and shape.get("maxItems", 1) > 0
        if not allowed or self._dice.random() >= talks:
            return [self._draw(items) for _ in range(least)]
        return [self._message(items, self._dice.choice(reach), int(window.get("length", 600)))]

    def _message(self, shape: Schema, to: str, length: int) -> Any:
        message: dict[str, Any] = {"to": [to], "text": self._dice.choice(self._says["messages"])[:length]}
        properties = shape.get("properties", {"to": {"type": "array"}, "text": _OPEN})
        if "to" in properties and not _takes(properties["to"], "array", self._root):
            message["to"] = to
        if "pledges" in properties or (not shape and "pledge" in self._menu):
            message["pledges"] = self._pledges(resolved(properties.get("pledges", _OPEN), self._root))
        required = shape.get("required", properties)
        rest = {key: self._draw(inner) for key, inner in properties.items() if key in required and key not in message}
        return {**message, **rest}

    def _pledges(self, shape: Schema) -> list[Any]:
        """At most one pledge, and only where the menu or the shape says which verbs there are."""
        loose = resolved(shape.get("items", _OPEN), self._root)
        exact = self._menu.get("pledge") or loose
        root = exact if "pledge" in self._menu else self._root
        if not _options(_goal(exact, root).get("properties", {}).get("verb", _OPEN), root) or self._dice.random() < 0.5:
            return []
        return [fitted(self._pledge(exact, root), loose, self._root)]

    def _pledge(self, exact: Schema, root: Schema) -> dict[str, Any]:
        """A promise with a goal of one's own, a question with one of the other's, an offer with both."""
        act = self._dice.choice([act for act in _ACTS if act in _options(exact["properties"]["act"], root)] or _ACTS)
        mine, theirs = (self._goal(exact, root, mine=mine) for mine in (True, False))
        made = {"act": act, "goals": [] if act == "ask" else [mine], "given": [] if act == "promise" else [theirs]}
        return made if "ref" not in exact["properties"] else {**made, "ref": None}

    def _goal(self, exact: Schema, root: Schema, *, mine: bool) -> Any:
        goal = sample(_goal(exact, root), self._dice, self._note, root)
        me = self._menu.get("me")
        if me is not None and "by" in goal:
            others = [seat for seat in _options(_goal(exact, root)["properties"]["by"], root) if seat != me]
            goal["by"] = me if mine or not others else self._dice.choice(others)
        if "first" in goal and "last" in goal:
            goal["first"], goal["last"] = sorted((goal["first"], goal["last"]))
        return goal

    def _draw(self, shape: Schema) -> Any:
        return sample(shape, self._dice, self._note, self._root)

    def _note(self) -> str:
        chosen: str = self._dice.choice(self._says["notes"])
        return chosen


def fitted(value: Any, shape: Schema, root: Schema) -> Any:
    """An exact answer in the clothes of a looser shape, as a constrained model would have to give it.

    Where the shape wants a string and the answer is something else, its JSON is given; fields that
    the shape requires and the answer has not are null, or empty where null is not allowed.

    >>> fitted({"a": "x"}, {"type": "object", "properties": {"b": {"type": ["string", "null"]}}, "required": ["b"]}, {})
    {'a': 'x', 'b': None}
    """
    shape = resolved(shape, root)
    if isinstance(value, (dict, list)) and _takes(shape, "string", root) and not _structured(shape, root):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, list):
        return [fitted(part, shape.get("items", _OPEN), root) for part in value]
    if not isinstance(value, dict):
        return value
    properties = shape.get("properties", {})
    inner = {key: fitted(part, properties.get(key, _OPEN), root) for key, part in value.items()}
    missing = [key for key in shape.get("required", ()) if key not in value]
    return {**inner, **{key: _empty(properties.get(key, _OPEN), root) for key in missing}}


def _goal(pledge: Schema, root: Schema) -> Schema:
    """The schema of a goal within that of a pledge."""
    goals = resolved(pledge.get("properties", {}).get("goals", _OPEN), root)
    return resolved(goals.get("items", _OPEN), root)


def _options(shape: Schema, root: Schema) -> Sequence[Any]:
    """The options that a text, or the texts of a list, may be chosen from; empty when it is open."""
    shape = resolved(shape, root)
    if "items" in shape:
        return _options(shape["items"], root)
    return tuple(shape.get("enum", ()))


def _empty(shape: Schema, root: Schema) -> Any:
    for kind, value in (("null", None), ("string", ""), ("array", []), ("object", {}), ("boolean", False)):
        if _takes(shape, kind, root):
            return value
    return 0


def _takes(shape: Schema, kind: str, root: Schema) -> bool:
    """Whether the shape names this type."""
    shape = resolved(shape, root)
    if any(_takes(part, kind, root) for word in ("anyOf", "oneOf") for part in shape.get(word, ())):
        return True
    named = shape.get("type", ())
    return kind == named if isinstance(named, str) else kind in named


def _structured(shape: Schema, root: Schema) -> bool:
    return _takes(shape, "object", root) or _takes(shape, "array", root)
