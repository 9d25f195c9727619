"""No byte of what a seat is handed depends on what it cannot know; a leak of each kind is caught."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest

from diplomat.core.game import Decision
from diplomat.core.menus import Answer, Choice, Problem
from diplomat.core.proceedings import NoteSealed
from diplomat.core.requests import Question, Request
from diplomat.games import find
from diplomat.table.referee import Referee
from diplomat.table.table import Table
from diplomat.testing import worlds
from diplomat.testing.masquerade import game as masquerade
from diplomat.testing.walk import AnyReferee
from diplomat.testing.worlds import main, survey

ROKUGAN = find("rokugan")
SEATS = (3,)


@pytest.mark.parametrize("game", [ROKUGAN, masquerade], ids=lambda game: str(game.id))
def test_worlds_look_the_same_at_a_few_positions(game: Any) -> None:
    compared = survey(game, 6, "few")
    assert compared.leaks == []
    assert compared.positions >= 6
    assert compared.prompts == 2 * compared.worlds, "the second question is asked in each world"
    assert compared.different > compared.worlds // 2


@pytest.mark.long
@pytest.mark.parametrize("game", [ROKUGAN, masquerade], ids=lambda game: str(game.id))
def test_worlds_look_the_same_at_many_positions(game: Any) -> None:
    compared = survey(game, 25, "many")
    assert compared.leaks == []
    assert len(compared.forms) > 2


def secret_of(referee: AnyReferee, seat: str) -> str:
    """Something of the referee's state that the seat may not know."""
    hands: Mapping[str, Any] = referee.state.hands
    return " ".join(face for other, hand in hands.items() if other != seat for face in hand)


def planted_in_known(patch: pytest.MonkeyPatch) -> None:
    known = Referee.known

    def peeping(self: AnyReferee, seat: Any) -> Any:
        return replace(known(self, seat), objective=f"objective {secret_of(self, seat)}")

    patch.setattr(Referee, "known", peeping)
    side = type(ROKUGAN.side)
    view = side.view
    patch.setattr(side, "view", lambda self, k: {**view(self, replace(k, objective=None)), "hint": k.objective})
    for name in ("text", "svg", "ask"):
        shown = getattr(side, name)
        patch.setattr(side, name, lambda self, k, *rest, shown=shown: shown(self, replace(k, objective=None), *rest))


def planted_in_question(change: Callable[[Question, str], Question]) -> Callable[[pytest.MonkeyPatch], None]:
    def plant(patch: pytest.MonkeyPatch) -> None:
        question = Referee.question

        def peeping(self: AnyReferee, request: Request) -> Question:
            return change(question(self, request), secret_of(self, request.seat))

        patch.setattr(Referee, "question", peeping)

    return plant


def planted_in_refusals(patch: pytest.MonkeyPatch) -> None:
    submit = Referee.submit

    def telling(self: AnyReferee, request: Request, answer: Answer, question: Question | None = None) -> Problem | None:
        found = submit(self, request, answer, question)
        return found and Problem(found.code, {**found.facts, "hint": secret_of(self, request.seat)})

    patch.setattr(Referee, "submit", telling)


def planted_in_prompt(patch: pytest.MonkeyPatch) -> None:
    decide = Table._decision

    def telling(self: Table, request: Request) -> Decision[Any]:
        made = decide(self, request)
        hint = NoteSealed(request.seat, request.id, secret_of(self.referee, request.seat))
        return replace(made, news=(*made.news, hint))

    patch.setattr(Table, "_decision", telling)


def planted_in_requests(patch: pytest.MonkeyPatch) -> None:
    open_ = Referee.open

    def telling(self: AnyReferee) -> tuple[Request, ...]:
        return tuple(replace(r, form=f"{r.form} {secret_of(self, r.seat)}") for r in open_(self))

    def shown(referee: AnyReferee, _: Any) -> dict[str, str]:
        return {"list of open questions": str(telling(referee))}

    patch.setattr(worlds, "portrait", shown)
    patch.setattr("diplomat.testing.resample.portrait", shown)


PLANTED: dict[str, tuple[Callable[[pytest.MonkeyPatch], None], str]] = {
    "view": (planted_in_known, "view tells two worlds apart"),
    "menu": (
        planted_in_question(lambda q, secret: Question(q.request, Choice([secret, "other"]), "other")),
        "menu of .* tells two worlds apart",
    ),
    "default": (
        planted_in_question(lambda q, secret: Question(q.request, q.menu, {"token": secret})),
        "default of .* tells two worlds apart",
    ),
    "refusal": (planted_in_refusals, "list of refusals at .* tells two worlds apart"),
    "prompt line": (planted_in_prompt, "prompt 1 of s. at .* tells two worlds apart"),
    "open questions": (planted_in_requests, "list of open questions tells two worlds apart"),
}


@pytest.mark.parametrize("kind", PLANTED)
def test_a_planted_leak_is_caught_where_it_is(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plant, says = PLANTED[kind]
    monkeypatch.setattr(worlds, "LOOKED_AT", 1.0)
    with monkeypatch.context() as patch:
        plant(patch)
        compared = survey(ROKUGAN, 40, "planted", SEATS)
    assert len(compared.leaks) == 1
    assert re.search(says, compared.leaks[0]), compared.leaks


def test_a_game_whose_other_worlds_are_the_same_is_not_taken_for_tight() -> None:
    same = replace(ROKUGAN, another_world=lambda state, seat, die: state)
    assert survey(same, 3, "same", SEATS).leaks == ["rokugan: another_world never gives another world"]


def test_the_command_fails_on_a_leak(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def found(game: Any, positions: int, seed: str) -> worlds.Compared:
        return worlds.Compared(game.id, positions=positions, leaks=["a leak"] if game.id == "masquerade" else [])

    monkeypatch.setattr(worlds, "survey", found)
    assert main(["--positions", "5"]) == 1
    assert [row["leaks"] for row in json.loads(capsys.readouterr().out)] == [[], ["a leak"]]
