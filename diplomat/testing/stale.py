"""Answers that come too late, from the wrong seat or with the wrong content change nothing."""

from __future__ import annotations

from dataclasses import replace

from diplomat.core.menus import Answer
from diplomat.core.requests import Request
from diplomat.testing.menus import corrupted
from diplomat.testing.walk import AnyGame, AnyReferee, begun, walk


def check_stale_answers(game: AnyGame, seats: int, seed: str) -> None:
    """Closed requests, other seats' requests and illegal answers are refused, and the table is as it was."""
    referee = begun(game, seats, seed)
    closed: Request | None = None
    for step, (request, question) in enumerate(walk(referee)):
        if step % 5 == 0:
            for other in referee.seats:
                if other != request.seat:
                    _refused(referee, replace(request, seat=other), question.default, "stale")
            _refused(referee, replace(request, id=f"{request.id}.later"), question.default, "stale")
            if closed is not None:
                _refused(referee, closed, question.default, "stale")
            for answer in corrupted(question.default):
                if question.menu.problem(answer) is not None:
                    _refused(referee, request, answer)
        closed = request


def _refused(referee: AnyReferee, request: Request, answer: Answer, code: str | None = None) -> None:
    log, state, requests = len(referee.log), referee.state, referee.open()
    problem = referee.submit(request, answer)
    shown = f"{repr(answer)[:60]} to {request.id} by {request.seat}"
    assert problem is not None, f"{shown} was applied"
    assert code in (None, problem.code), f"{shown} was refused for {problem}, not as {code}"
    unchanged = len(referee.log) == log and referee.state is state and referee.open() == requests
    assert unchanged, f"{shown} was refused, but something changed"
