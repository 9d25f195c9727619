"""What a model is asked about one message: only the message and what its readers could know when it was written."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from diplomat.agents.llm.safe import line, quoted
from diplomat.agents.llm.shape import Vocabulary, closed, nullable
from diplomat.agents.llm.templates import Templates, page
from diplomat.core.audience import Seat
from diplomat.core.game import Game
from diplomat.core.proceedings import MessageSent
from diplomat.llm.base import Call, Part, Turn
from diplomat.llm.names import Endpoint
from diplomat.study.annotate.scheme import CODED_ACTS, QUALIFIERS, SWITCHES
from diplomat.study.sources import Past

EARLIER = 12
"""Earlier messages that a model is shown, the latest of those that all readers of this one could read."""
MAX_OUTPUT = 2000
"""Tokens of a reply."""
MOST_ACTS = 3
"""Acts that a small model may find in one message; its grammar would let it go on for ever."""
SMALL = frozenset({"local"})
"""Kinds of endpoint that are held to words of the message itself, and are not shown the game's page on promises."""
SMALL_OUTPUT = 300

_SENTENCE = re.compile(r"[^.!?;…\n]+[.!?;…]*")


@dataclass(frozen=True, slots=True)
class Questions:
    """Makes the calls about the messages of one game in one language."""

    game: Game[Any, Any]
    lang: str

    def call(self, endpoint: Endpoint, message: MessageSent, past: Past, reading: int, again: str = "") -> Call:
        """The call of one reading; ``again`` says what was wrong with the reply before."""
        small = endpoint.kind in SMALL
        return Call(
            id="",
            seat=f"reading{reading}",
            purpose="annotate",
            system=(Part(self.system(reading, small=small)),),
            turns=(Turn("user", self._turn(message, past, reading, again)),),
            schema=self.schema(message, past, exact=small),
            max_output=SMALL_OUTPUT if small else MAX_OUTPUT,
        )

    def system(self, reading: int, *, small: bool = False) -> str:
        """The instructions, the same for all messages; each reading goes through the acts in its own order."""
        return Templates(self.lang).render(
            "annotate",
            title=self.game.title(self.lang),
            promises="" if small else page(self.game.package, "promises", self.lang),
            verbs=self.game.pledges.verbs,
            fields=self.game.guide.pledge_fields(),
            acts=CODED_ACTS if reading == 1 else tuple(reversed(CODED_ACTS)),
            reading=reading,
            brief=small,
        )

    def _turn(self, message: MessageSent, past: Past, reading: int, again: str) -> str:
        earlier = past.shared(message)[-EARLIER:]
        return Templates(self.lang).render(
            "annotate_message",
            seats=[f"{seat} ({line(past.roles[seat])})" if past.roles.get(seat) else seat for seat in past.seats],
            now=past.now,
            last=past.last,
            earlier=[_told(one) for one in earlier],
            message=_told(message),
            speaker=message.sender,
            again=again,
            reading=reading,
        )

    def schema(self, message: MessageSent, past: Past, *, exact: bool = False) -> Mapping[str, Any]:
        """The schema of a reply; ``exact``: a short one, held to the sentences of the message."""
        if exact:
            return closed({"acts": {"type": "array", "maxItems": MOST_ACTS, "items": closed(_small(message.text))}})
        words = Vocabulary(tuple(self.game.pledges.verbs), self.game.guide.pledge_fields(), past.seats)
        goals: dict[str, Any] = {"type": "array", "items": words.goal()}
        one: dict[str, Any] = {"why": {"type": "string"}, "words": {"type": "string"}, "act": _one_of(CODED_ACTS)}
        one |= {name: _one_of(values) for name, values in QUALIFIERS.items()}
        one |= {name: {"type": "boolean"} for name in SWITCHES}
        one |= {"goals": goals, "given": goals, "ref": nullable({"type": "string"}), "confidence": {"type": "integer"}}
        return closed({"acts": {"type": "array", "items": closed(one)}})


def _small(text: str) -> dict[str, Any]:
    """An act as a small model can give it: a sentence of the message and its kind; goals are beyond it."""
    return {
        "words": _one_of(pieces(text)),
        "act": _one_of(CODED_ACTS),
        "certainty": _one_of(QUALIFIERS["certainty"]),
        "conditional": {"type": "boolean"},
        "confidence": {"type": "integer", "minimum": 0, "maximum": 100},
    }


def _one_of(values: Sequence[str]) -> dict[str, Any]:
    return {"type": "string", "enum": list(values)}


def pieces(text: str) -> Sequence[str]:
    """The message itself and its sentences, for models that cannot be trusted to quote.

    >>> pieces("Peace. I swear!")
    ('Peace. I swear!', 'Peace.', 'I swear!')
    """
    parts = [found[0].strip() for found in _SENTENCE.finditer(text)]
    return tuple(dict.fromkeys([text, *(part for part in parts if part)]))


def _told(message: MessageSent) -> str:
    """A message on one line of JSON: whatever its words say, they stay words."""
    to = json.dumps(list(message.to), ensure_ascii=True)
    head = f'{{"id": {quoted(message.id)}, "from": {quoted(message.sender)}, "to": {to}, "words": '
    return head + _exactly(message.text) + "}"


def _exactly(text: str) -> str:
    r"""Words as JSON that gives back every code point, with nothing in it that could open a fence or a tag.

    >>> print(_exactly("a`<\u202e\n"))
    "a\u0060\u003c\u202e\n"
    """
    made = json.dumps(text, ensure_ascii=False).replace("`", "\\u0060").replace("<", "\\u003c")
    return "".join(char if char.isprintable() else _escaped(char) for char in made)


def _escaped(char: str) -> str:
    return json.dumps(char, ensure_ascii=True)[1:-1] if ord(char) > 0x7F else f"\\u{ord(char):04x}"


def seat_or_none(name: str, past: Past) -> Seat | None:
    """The seat that a model names by its id or by its public name, folded; None if there is no such."""
    known = {str(seat).casefold(): seat for seat in past.seats}
    known |= {role.casefold(): seat for seat, role in past.roles.items() if role}
    return known.get(name.strip().casefold())
