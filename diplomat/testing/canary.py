"""Players who put a unique word into everything private, and the search for these words elsewhere.

Whatever channel a secret could take (a message, a plan, a note, a refused answer, a fault), each
carries its own word; after the game no seat and no watcher may have been shown a word that was not
meant for it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from diplomat.core.audience import Seat, only
from diplomat.core.dice import Die
from diplomat.core.events import Event
from diplomat.core.game import Decision, Reply
from diplomat.core.plain import plain
from diplomat.core.pledges import Plan
from diplomat.core.proceedings import AnswerRefused, DefaultExplained, GameOpened, MessageReturned, MessageSent
from diplomat.core.talk import EVERYONE, Message
from diplomat.core.texts import LANGUAGES
from diplomat.table.seating import seats_of
from diplomat.testing.folding import played
from diplomat.testing.menus import check_problem
from diplomat.testing.walk import AnyGame, AnyReferee, onlookers
from diplomat.transcript.codec import encode

_WORD = re.compile(r"canary\d+x")


@dataclass(frozen=True, slots=True)
class Canary:
    """One unique word: who may ever see it, and how a message that carries it must fare."""

    owner: Seat
    allowed: frozenset[Seat] | None
    """None: everyone."""
    refusal: str | None = None
    """Code of the problem with which the message must come back."""
    message: Message | None = None


class Aviary:
    """All words of one game, and everything that players were shown while it ran."""

    def __init__(self) -> None:
        self.canaries: dict[str, Canary] = {}
        self.shown: list[tuple[Seat, str]] = []

    def word(self, owner: Seat, allowed: Iterable[Seat] | None, refusal: str | None = None) -> str:
        """A new word."""
        word = f"canary{len(self.canaries)}x"
        seats = None if allowed is None else frozenset((owner, *allowed))
        self.canaries[word] = Canary(owner, seats, refusal)
        return word

    def message(self, owner: Seat, to: tuple[str, ...], refusal: str | None = None, tail: str = "") -> Message:
        """A message with a new word, meant for its sender and, unless it must come back, its recipients."""
        allowed = None if to == (EVERYONE,) else [Seat(name) for name in to]
        word = self.word(owner, () if refusal else allowed, refusal)
        made = Message(to, f"{word} is for {' and '.join(to) or 'nobody'}{tail}" if refusal != "empty_message" else "")
        canary = self.canaries[word]
        self.canaries[word] = Canary(owner, canary.allowed, refusal, made)
        return made

    def strangers(self, text: str, seat: Seat | None) -> list[str]:
        """Words in a text that were not meant for that onlooker."""
        found = {word: self.canaries[word].allowed for word in _WORD.findall(text)}
        return [word for word, allowed in found.items() if allowed is not None and seat not in allowed]


class Secretive:
    """A player that says, plans, notes and gets wrong as much as it can, each with a word of its own."""

    instant = True

    def __init__(self, game: AnyGame, aviary: Aviary) -> None:
        self._game = game
        self._aviary = aviary

    async def decide(self, decision: Decision[Any]) -> Reply:
        """A random reply full of words; now and then a refused answer or a fault instead."""
        seat, die = decision.request.seat, decision.die(f"secretive/{decision.problem is None}")
        self._aviary.shown.append((seat, _shown(self._game, decision)))
        turn = len(self._aviary.shown)
        if decision.problem is None and turn % 7 == 3:
            return Reply({"secret": self._aviary.word(seat, ())})
        if turn % 11 == 6:
            raise RuntimeError(self._aviary.word(seat, ()))
        return Reply(
            answer=decision.question.menu.sample(die),
            say=tuple(die.shuffled([*self._right(decision, die), *self._wrong(decision)])),
            plan=Plan(text=self._aviary.word(seat, ())),
            note=self._aviary.word(seat, ()),
        )

    def _right(self, decision: Decision[Any], die: Die) -> list[Message]:
        """As many messages as may be sent, to one, to some and to all."""
        seat, window = decision.request.seat, decision.window
        rooms: list[tuple[str, ...]] = []
        if window.reach:
            rooms = [(die.pick(window.reach),), tuple(die.shuffled(window.reach)[:2])]
        if window.public:
            rooms.append((EVERYONE,))
        return [self._aviary.message(seat, die.pick(rooms)) for _ in range(window.messages)] if rooms else []

    def _wrong(self, decision: Decision[Any]) -> list[Message]:
        """One message of every kind that must come back."""
        seat, window, aviary = decision.request.seat, decision.window, self._aviary
        if not window.messages or not window.reach:
            return [aviary.message(seat, (EVERYONE,), "talk_closed")]
        near = window.reach[0]
        return [
            aviary.message(seat, (f"{near}x",), "unknown_recipient"),
            aviary.message(seat, (near.upper(),), "unknown_recipient"),
            aviary.message(seat, (near, "nobody at all"), "unknown_recipient"),
            aviary.message(seat, (EVERYONE, near), "everyone_and_some"),
            aviary.message(seat, (seat,), "to_oneself"),
            aviary.message(seat, (near, seat), "to_oneself"),
            aviary.message(seat, (), "no_recipient"),
            aviary.message(seat, (near,), "empty_message"),
            aviary.message(seat, (near,), "message_too_long", tail="!" * window.length),
        ]


def _shown(game: AnyGame, decision: Decision[Any]) -> str:
    """Everything that a player is handed, as one text."""
    side, known = game.side, decision.known
    parts = [json.dumps(plain(decision.news)), json.dumps(side.view(known)), decision.dice.seed]
    parts += [json.dumps(decision.question.menu.schema()), str(decision.window), str(decision.problem)]
    for lang in LANGUAGES:
        parts += [side.text(known, lang), side.svg(known, lang), side.ask(known, decision.request, lang)]
    return "\n".join(parts)


def check_canary(game: AnyGame, seats: int, seed: str) -> None:
    """A game of secretive players: no word strays, and what cannot be delivered comes back whole."""
    aviary = Aviary()
    players = {seat: Secretive(game, aviary) for seat in seats_of(seats)}
    referee = played(game, seats, f"{seed}-canary", players)
    check_shown(game, referee, aviary)
    sent = {_WORD.findall(e.text)[0]: e for e in referee.log if isinstance(e, MessageSent)}
    returned = [e for e in referee.log if isinstance(e, MessageReturned)]
    for problem in {e.problem.code: e.problem for e in returned}.values():
        check_problem(game, problem, "a returned message")
    for word, canary in aviary.canaries.items():
        if canary.message is not None:
            _check_fate(referee, word, canary, sent.get(word), returned)
    kinds = {type(event) for event in referee.log}
    assert {MessageSent, MessageReturned, AnswerRefused, DefaultExplained} <= kinds, "too few channels were tried"


def check_shown(game: AnyGame, referee: AnyReferee, aviary: Aviary) -> None:
    """Nothing that was shown to anybody before the reveal holds a word that was not meant for it."""
    for seat, text in aviary.shown:
        strays = aviary.strangers(text, seat)
        assert not strays, f"{seat} was handed {strays[0]} of {aviary.canaries[strays[0]].owner} to decide from"
        assert referee.seed not in text, f"{seat} was handed the seed of the game"
    for onlooker in onlookers(referee):
        seen = [event for event in referee.seen(onlooker) if not isinstance(event, GameOpened)]
        known = referee.known(onlooker)
        parts = [json.dumps(plain(seen)), json.dumps(game.side.view(known))]
        for lang in LANGUAGES:
            parts += [game.side.text(known, lang), game.side.svg(known, lang)]
        strays = aviary.strangers("\n".join(parts), onlooker)
        assert not strays, f"{onlooker} was shown {strays[0]} of {aviary.canaries[strays[0]].owner}"
    for event in referee.log:
        _check_line(event, aviary)


def _check_line(event: Event, aviary: Aviary) -> None:
    """The audience that is written to the log admits nobody more than the words in it do."""
    record = encode(event)
    for word in _WORD.findall(json.dumps(record)):
        allowed = aviary.canaries[word].allowed
        assert allowed is None or (record["to"] is not None and allowed >= set(record["to"])), (
            f"a log line of {record['kind']} with {word} is for {record['to']}, but may be for {sorted(allowed)} only"
        )


def _check_fate(
    referee: AnyReferee, word: str, canary: Canary, sent: MessageSent | None, returned: list[MessageReturned]
) -> None:
    """One message arrived where it was meant to, or came back to its sender, whole and with the right reason."""
    assert canary.message is not None
    message, owner = canary.message, canary.owner
    back = [e for e in returned if e.sender == owner and (word in e.text or (not message.text and not e.text))]
    if sent is not None:
        assert canary.refusal is None, f"a message to {message.to} of {owner} was sent to {sent.to}"
        assert sent.to == message.to and sent.text == message.text, f"{word} was changed on its way: {sent}"  # noqa: PT018 — one fact
        for onlooker in onlookers(referee):
            entitled = canary.allowed is None or onlooker in canary.allowed
            assert (sent in referee.seen(onlooker)) == entitled, f"{word}: {onlooker} was wrongly shown or denied it"
        return
    assert back, f"the message {word} of {owner} to {message.to} was lost"
    assert back[0].audience() == only(owner), f"{word} came back to {back[0].audience()}, not to {owner} only"
    assert back[0].text == message.text, f"{word} came back as {back[0].text!r}"
    codes = {canary.refusal} if canary.refusal else {"too_many_messages", "stale"}
    codes |= {"stale"} | ({"talk_closed"} if canary.refusal else set())
    assert back[0].problem.code in codes, f"{word} came back for {back[0].problem}, not for {canary.refusal}"
