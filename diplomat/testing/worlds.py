"""Whatever a seat is asked, shown or refused, and every prompt of a language model in it, in two worlds.

``python -m diplomat.testing.worlds --positions 1000`` plays games with talk and stops at random
decisions.  There all that the seat does not know is dealt anew (``game.another_world``), and both
worlds must give it the same bytes: the decision, its refusals, the consequences of its answers, and
what :class:`~diplomat.agents.llm.agent.LlmAgent` sends to a model, second question included.
"""

from __future__ import annotations

import argparse
import copy
import json
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from diplomat.agents.llm import LlmAgent
from diplomat.agents.profile import find
from diplomat.core.errors import DiplomatError, NoAnswer
from diplomat.core.game import Decision, Reply
from diplomat.core.plain import canonical, digest, plain
from diplomat.core.requests import Request
from diplomat.games import found
from diplomat.llm.base import Call, Completion, ProviderFault
from diplomat.table.table import Table, run
from diplomat.testing.agents import Chatty
from diplomat.testing.masquerade import game as masquerade
from diplomat.testing.resample import WORLDS, compare, portrait
from diplomat.testing.walk import AnyGame, AnyReferee, seated, twin

IN_VAIN = 20
"""Games without any other world after which a game is said to have none."""
LOOKED_AT = 0.15
"""Share of decisions at which the worlds are compared."""
PROFILES = ("honest", "backstabber", "gossip", "loyal", "avenger")
LEVELS = ("full", "compact")
PACES = ("step", "plan")


@dataclass
class Compared:
    """What was compared in one game's plays."""

    game: str
    positions: int = 0
    """Decisions at which there was another world to compare with."""
    worlds: int = 0
    """Other worlds that were compared."""
    different: int = 0
    """Those of them whose state was really another one."""
    prompts: int = 0
    """Calls of language models that were compared."""
    games: int = 0
    forms: dict[str, int] = field(default_factory=dict)
    """Positions by what was asked."""
    leaks: list[str] = field(default_factory=list)
    seconds: float = 0.0

    def as_dict(self) -> dict[str, Any]:
        """As JSON data."""
        return {**vars(self), "forms": dict(sorted(self.forms.items())), "seconds": round(self.seconds, 1)}


class Dictaphone:
    """A desk that keeps every call, gives a reply that is on no menu to the first, and then none."""

    def __init__(self) -> None:
        self.calls: list[Call] = []

    @property
    def enough(self) -> bool:
        """Whether the second question was asked."""
        return len(self.calls) > 1

    async def ask(self, endpoint: Any, call: Call) -> Completion:
        """An illegal answer once, so that the second question, which says why, is asked too."""
        self.calls.append(call)
        if self.enough:
            raise ProviderFault("rejected", "enough was heard")
        wrong: dict[str, Any] = {"on no": "menu"}
        data = {"plan": None, "answer": wrong, "answers": [wrong], "say": [], "note": None}
        return Completion(json.dumps(data))


class Surveyor:
    """A talkative random player that compares worlds before some of its answers."""

    instant = True

    def __init__(self, game: AnyGame, compared: Compared, wanted: int) -> None:
        self._game, self._compared, self._wanted = game, compared, wanted
        self._player = Chatty()
        self.table: Table | None = None

    async def decide(self, decision: Decision[Any]) -> Reply:
        """What the random player gives."""
        die = decision.die("survey")
        if len(self._compared.leaks) == 0 and self._compared.positions < self._wanted and die.chance(LOOKED_AT):
            assert self.table is not None
            try:
                self._survey(self.table, decision)
            except AssertionError as leak:
                self._compared.leaks.append(str(leak))
        return await self._player.decide(decision)

    def _survey(self, table: Table, decision: Decision[Any]) -> None:
        game, referee, request = self._game, table.referee, decision.request
        assert game.another_world is not None, f"{game.id} has no another_world hook"
        die = decision.die("worlds")
        shown, sent, looked = None, None, False
        for _ in range(WORLDS):
            world = game.another_world(referee.state, request.seat, die)
            if world is None:
                continue
            looked = True
            there = twin(referee, world)
            shown = shown or portrait(referee, request.seat)
            compare(shown, referee, there, request.seat, die)
            options = {"level": die.pick(LEVELS), "pace": die.pick(PACES), "lang": die.pick(("en", "ru"))}
            sent = prompts(table, referee, request, options)
            self._same_prompts(sent, prompts(table, there, request, options), request)
            self._compared.worlds += 1
            self._compared.different += digest(world) != referee.digest()
            self._compared.prompts += len(sent)
        self._compared.positions += looked
        if looked:
            self._compared.forms[request.form] = self._compared.forms.get(request.form, 0) + 1

    def _same_prompts(self, here: Sequence[str], there: Sequence[str], request: Request) -> None:
        assert len(here) == len(there), f"{request.id}: {len(here)} calls in one world, {len(there)} in another"
        for number, (one, other) in enumerate(zip(here, there, strict=True), 1):
            at = next(
                (n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
            )
            around = slice(max(0, at - 40), at + 60)
            assert one == other, (
                f"prompt {number} of {request.seat} at {request.id} tells two worlds apart: "
                f"…{one[around]}… or …{other[around]}…"
            )


def prompts(table: Table, referee: AnyReferee, request: Request, options: Mapping[str, Any]) -> list[str]:
    """Everything that a model which takes the seat over at this request is sent in that world, call by call."""
    desk = Dictaphone()
    seat = request.seat
    profile = find(PROFILES[referee.seats.index(seat) % len(PROFILES)])
    made = {"game": referee.game, "seat": seat, "settings": referee.settings, "seats": referee.seats}
    agent = LlmAgent(**made, profile=profile, endpoint=None, desk=desk, **options)
    decision = decision_in(table, referee, request)
    try:
        while not desk.enough:
            reply: Reply = run_now(agent.decide(decision))
            decision = replace(decision, news=(), problem=decision.question.menu.problem(reply.answer))
            assert decision.problem is not None, f"{request.id}: an answer that no menu holds is legal"
    except NoAnswer:
        pass
    return [canonical(plain(call)) for call in desk.calls]


def run_now(work: Any) -> Any:
    """What a coroutine gives that waits for nobody, inside of a running event loop or not."""
    try:
        work.send(None)
    except StopIteration as done:
        return done.value
    work.close()
    raise DiplomatError("a fake desk made somebody wait")


def decision_in(table: Table, referee: AnyReferee, request: Request) -> Decision[Any]:
    """The decision that this table would hand out in that world, with all news since the beginning."""
    there = copy.copy(table)
    there.referee = referee
    there._read = dict.fromkeys(referee.seats, 0)
    same = next(one for one in referee.open() if (one.id, one.seat) == (request.id, request.seat))
    return there._decision(same)


def survey(game: AnyGame, positions: int, seed: str = "worlds", seats: Sequence[int] = ()) -> Compared:
    """Plays games until so many positions were compared or one told two worlds apart."""
    compared = Compared(game.id)
    began = time.monotonic()
    sizes = seats or sorted({game.seats[0], game.default_seats})
    while compared.positions < positions and not compared.leaks:
        referee = seated(game, sizes[compared.games % len(sizes)], f"{seed}/{compared.games}")
        players = {seat: Surveyor(game, compared, positions) for seat in referee.seats}
        table = Table(referee, players)
        for player in players.values():
            player.table = table
        run(table.play())
        compared.games += 1
        if not compared.positions and compared.games == IN_VAIN:
            compared.leaks.append(f"{game.id}: another_world gave no world in {IN_VAIN} games")
    if not compared.different and not compared.leaks:
        compared.leaks.append(f"{game.id}: another_world never gives another world")
    compared.seconds = time.monotonic() - began
    return compared


def main(argv: Sequence[str] | None = None) -> int:
    """The command; exit code 1 if two worlds could be told apart."""
    parser = argparse.ArgumentParser(prog="python -m diplomat.testing.worlds", description=__doc__)
    parser.add_argument("--positions", type=int, default=1000, help="for each game")
    parser.add_argument("--seed", default="worlds")
    asked = parser.parse_args(argv)
    results = [survey(game, asked.positions, asked.seed) for game in (*found().values(), masquerade)]
    sys.stdout.write(json.dumps([result.as_dict() for result in results]) + "\n")
    return 1 if any(result.leaks for result in results) else 0


if __name__ == "__main__":
    sys.exit(main())
