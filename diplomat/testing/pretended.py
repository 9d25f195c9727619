"""A desk inside the process whose pretended model draws legal answers from the menu in the prompt.

For tests of whatever sends calls: no server, no waiting, and the same replies to the same call ids.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

from diplomat.agents.base import Agent
from diplomat.agents.llm import Asks, LlmAgent
from diplomat.agents.profile import find
from diplomat.core.audience import Seat
from diplomat.llm.base import Call, Completion
from diplomat.table.table import Table, run
from diplomat.testing.loopback.sampling import sample, varied
from diplomat.testing.walk import AnyGame, AnyReferee, seated

CHARACTERS = ("honest", "backstabber", "gossip", "loyal", "avenger")
_MENU = re.compile(r"^```menu\n(.*)\n```$", re.MULTILINE)
Spoiled = Callable[[Call, dict[str, Any]], Completion | Exception | None]
"""Something else than the good reply, or None to let it pass."""


def _pass(_call: Call, _reply: dict[str, Any]) -> None:
    """Lets every reply pass."""


@dataclass(slots=True)
class Pretended:
    """Answers every call at once and keeps all of them."""

    seed: str = "pretended"
    talk: float = 0.5
    """How often a reply holds a message where one may be sent."""
    words: Callable[[Call, str], str] = lambda call, what: f"{what} of {call.seat} at {call.id}"
    """The text of a message, a plan or a note."""
    spoiled: Spoiled = _pass
    steps: tuple[int, int] = (5, 12)
    """How many steps a plan lists, if it may list so many."""
    calls: list[Call] = field(default_factory=list)

    async def ask(self, endpoint: Any, call: Call) -> Completion:
        """A reply drawn by the id of the call."""
        self.calls.append(call)
        reply = self.reply(call)
        other = self.spoiled(call, reply)
        if isinstance(other, Exception):
            raise other
        return other or Completion(json.dumps(reply, ensure_ascii=False))

    def reply(self, call: Call) -> dict[str, Any]:
        """A good reply."""
        dice = Random(f"{self.seed}/{call.id}")
        menu = menu_of(call)
        if menu is None:
            drawn: dict[str, Any] = sample(call.schema, dice, lambda: self.words(call, "word"))
            return drawn
        return {
            "plan": {"text": self.words(call, "plan"), "goals": [], "keep": []},
            menu["key"]: self._answers(call, menu, dice),
            "say": self._say(call, menu, dice),
            "note": self.words(call, "note"),
        }

    def _answers(self, call: Call, menu: Mapping[str, Any], dice: Random) -> Any:
        count = 1 if menu["steps"] == 1 else min(menu["steps"], dice.randint(*self.steps))
        drawn = varied(lambda: sample(menu["schema"], dice, lambda: self.words(call, "word")), count)
        return drawn[0] if menu["key"] == "answer" else drawn

    def _say(self, call: Call, menu: Mapping[str, Any], dice: Random) -> list[dict[str, Any]]:
        window = menu["window"]
        if not window["to"] or dice.random() >= self.talk:
            return []
        text = self.words(call, "message")[: window["length"]]
        return [{"to": [dice.choice(window["to"])], "text": text, "pledges": self._pledges(call, dice)}]

    def _pledges(self, call: Call, dice: Random) -> list[dict[str, Any]]:
        """Sometimes a promise of a game that has one towards a seat, for all rounds; it may well come back."""
        if dice.random() < 0.5:
            return []
        target = dice.choice([f"s{number}" for number in range(1, 6)])
        goal = {"verb": "not_attack", "by": call.seat, "first": 1, "last": 5, "target": target}
        return [{"act": "promise", "goals": [goal], "given": [], "ref": None}]


def models_at(
    game: AnyGame,
    seats: int,
    desk: Asks,
    *,
    seed: str = "models",
    settings: Mapping[str, Any] | None = None,
    **options: Any,
) -> tuple[AnyReferee, dict[Seat, LlmAgent]]:
    """A table at which models have every seat, each with a character of its own; ``lang`` is among the options."""
    referee = seated(game, seats, seed, settings)
    lang = options.pop("lang", "en")
    agents = {
        seat: LlmAgent(
            game,
            seat,
            referee.settings,
            referee.seats,
            find(CHARACTERS[n % len(CHARACTERS)]),
            lang,
            None,
            desk,
            **options,
        )
        for n, seat in enumerate(referee.seats)
    }
    return referee, agents


def played_by(referee: AnyReferee, agents: Mapping[Seat, Agent], **options: Any) -> AnyReferee:
    """The game played to its end."""
    run(Table(referee, agents, **options).play())
    return referee


def menu_of(call: Call) -> Mapping[str, Any] | None:
    """The last menu of the last turn, None when there is none."""
    found = _MENU.findall(call.turns[-1].text)
    return json.loads(found[-1]) if found else None


def prompt_text(call: Call) -> str:
    """A whole prompt as one text, for looking at and for keeping."""
    parts = [f"=== system {number}\n{part.text}" for number, part in enumerate(call.system, start=1)]
    parts += [f"=== {turn.role}\n{turn.text}" for turn in call.turns]
    return "\n\n".join(parts) + "\n"
