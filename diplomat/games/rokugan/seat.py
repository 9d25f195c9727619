"""The seat's side of Rokugan: what it knows, what it may answer, how it is shown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from diplomat.core.audience import Seat
from diplomat.core.events import Event
from diplomat.core.menus import Answer, Branch, Choice, Form, Menu, Nothing, Problem, Several
from diplomat.core.plain import plain
from diplomat.core.requests import Question, Request
from diplomat.core.talk import CLOSED, TalkWindow
from diplomat.games.rokugan.asking import ask
from diplomat.games.rokugan.atlas import atlas
from diplomat.games.rokugan.board import new_board
from diplomat.games.rokugan.content import BLUFF
from diplomat.games.rokugan.draw import svg
from diplomat.games.rokugan.knowledge import Known, learn
from diplomat.games.rokugan.placement import Position
from diplomat.games.rokugan.settings import Settings
from diplomat.games.rokugan.text import text


class RokuganSide:
    """See :class:`diplomat.core.game.SeatSide`."""

    def unknown(self, settings: Settings, seats: tuple[Seat, ...], seat: Seat | None) -> Known:
        """What is known before the first event."""
        board = new_board(seats, settings.rounds, settings.talk_waves)
        return Known(seat, board, settings, hand=() if seat is None else (BLUFF,))

    def learn(self, known: Known, events: Iterable[Event]) -> Known:
        """What is known after more permitted events."""
        return learn(known, events)

    def question(self, known: Known, request: Request) -> Question:
        """The menu and the default of a request."""
        menu, default = _QUESTIONS[request.form](known)
        return Question(request, menu, default)

    def talk(self, known: Known, request: Request | None) -> TalkWindow:
        """Everybody may write to everybody at any time (house H13.1), in measured amounts."""
        settings = known.settings
        if settings.talk_waves == 0 or known.seat is None:
            return CLOSED
        talking = request is not None and request.kind == "talk"
        return TalkWindow(
            reach=tuple(seat for seat in known.board.seats if seat != known.seat),
            messages=settings.messages if talking else settings.messages_in_passing,
            length=settings.message_length,
            note_length=settings.note_length,
            rounds=(max(known.board.round, 1), known.board.rounds),
        )

    def view(self, known: Known) -> dict[str, Any]:
        """What is known as plain JSON data."""
        data: dict[str, Any] = plain(
            {
                "seat": known.seat,
                "board": known.board,
                "hand": known.hand,
                "faces": known.faces,
                "objective": known.objective,
                "prepared": known.prepared,
                "talk": known.talk,
            }
        )
        return data

    def text(self, known: Known, lang: str) -> str:
        """What is known as words."""
        return text(known, lang)

    def svg(self, known: Known, lang: str) -> str:
        """What is known as a picture."""
        return svg(known, lang)

    def ask(self, known: Known, request: Request, lang: str) -> str:
        """The question in words."""
        return ask(known, request, lang)


def _settle(known: Known) -> tuple[Menu, Answer]:
    """Any province without a control token (house H3.3)."""
    free = [province for province in atlas().provinces if province not in known.board.control]
    taken = {province: Problem("province_taken", {"province": province}) for province in known.board.control}
    return Form({"province": Choice(free, taken)}), {"province": free[0]}


def _talk(known: Known) -> tuple[Menu, Answer]:
    return Nothing(), {}


def _prepare(known: Known) -> tuple[Menu, Answer]:
    """Own cards, any number, and Dragon's exchange (house H5.2)."""
    board, seat = known.board, known.seat
    fields: dict[str, Menu] = {"cards": Several(board.held[_seated(seat)])}
    if board.clans[_seated(seat)] == "dragon" and board.pools[_seated(seat)] > 0:
        faces = [face for face in dict.fromkeys(known.hand) if face != BLUFF]
        if faces:
            return Form({**fields, "exchange": Choice(faces)}, frozenset({"exchange"})), {"cards": []}
    return Form(fields), {"cards": []}


def _place(known: Known) -> tuple[Menu, Answer]:
    """One token to one place (house H6.1), or Scorpion's look first (house H6.13)."""
    board, seat = known.board, _seated(known.seat)
    position = Position(board, seat, known.faces)
    tokens: dict[str, Form | Branch] = {}
    refusals: dict[str, Problem] = {}
    for face in dict.fromkeys(known.hand):
        places = position.places(face)
        if places:
            tokens[face] = Form({"place": Choice(places, _Reasons(position, face))})
        else:
            refusals[face] = Problem("no_place_for", {"token": face})
    variants: dict[str, Form | Branch] = {"place": Branch("token", tokens, refusals)}
    if board.clans[seat] == "scorpion" and seat not in board.looked:
        targets = [laid.id for laid in board.tokens.values() if laid.seat != seat]
        if targets:
            variants["look"] = Form({"target": Choice(targets)})
    face = next(iter(tokens))
    default = {"act": "place", "token": face, "place": position.places(face)[0]}
    return Branch("act", variants), default


def _seated(seat: Seat | None) -> Seat:
    assert seat is not None, "a watcher is never asked"
    return seat


@dataclass(frozen=True, slots=True)
class _Reasons(Mapping[str, Problem]):
    """Why a face may not go to a place, worked out only when somebody tries it."""

    position: Position
    face: str

    def __getitem__(self, where: str) -> Problem:
        return self.position.problem(self.face, where)

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 1


_QUESTIONS: Mapping[str, Callable[[Known], tuple[Menu, Answer]]] = {
    "settle": _settle,
    "talk": _talk,
    "prepare": _prepare,
    "place": _place,
}
