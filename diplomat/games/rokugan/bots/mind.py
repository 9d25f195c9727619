"""What a scripted diplomat remembers: who gave whose word, who broke it, who struck whom."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from diplomat.core.audience import Seat
from diplomat.core.events import Event
from diplomat.core.proceedings import MessageSent
from diplomat.games.rokugan import events as ev
from diplomat.games.rokugan.bots.character import Character
from diplomat.games.rokugan.bots.listening import understood
from diplomat.games.rokugan.commitments import Commitment, Commitments
from diplomat.games.rokugan.knowledge import Known
from diplomat.games.rokugan.verbs import VERBS

WORTH_OF_WORD = 30.0
"""What breaking a promise costs the perfectly honest, in honor; falls steeply with honesty."""


class Mind:
    """A fold over the events one seat may see; a new mind fed with all of them is the same mind."""

    def __init__(self, seat: Seat, character: Character) -> None:
        self.seat = seat
        self.character = character
        self.words: Commitments = Commitments(())
        self.grudge: dict[Seat, float] = {}
        self.messages: list[MessageSent] = []
        """Everything said or heard, in order."""
        self.clans: dict[Seat, str] = {}
        self._last_round = 0
        self._talking = 0
        self._placing = 0
        self.battles: list[ev.BattleFought] = []
        """Battles of the last resolution."""
        self.scorched: list[ev.ProvinceScorched] = []

    def learn(self, known: Known, news: Iterable[Event]) -> None:
        """Takes in what happened since the last question, event by event; of ``known`` only what never changes."""
        if not self.words.seats:
            self.words.seats = known.board.seats
            self._last_round = known.board.rounds
        for event in news:
            self.words.hear(event)
            step = _STEPS.get(type(event))
            if step is not None:
                step(self, event)

    def _clan(self, event: ev.ClanTaken) -> None:
        self.clans[event.seat] = event.clan

    def _heard(self, event: MessageSent) -> None:
        """Words without pledges are read as a person would, in the round in which they were written."""
        self.messages.append(event)
        if event.sender != self.seat and not event.pledges:
            for pledge in understood(event, self.seat, self.words, self.clans, self._last_round):
                self.words.pledge(event, pledge)

    def _placement(self, event: ev.PlacementBegan) -> None:
        self._placing = len(self.messages)

    @property
    def spoken_since_placement(self) -> list[MessageSent]:
        """Own messages since placement began."""
        return [message for message in self.messages[self._placing :] if message.sender == self.seat]

    @property
    def spoken_this_round(self) -> list[MessageSent]:
        """Own messages since the round began."""
        return [message for message in self.messages[self._talking :] if message.sender == self.seat]

    def _turned_up(self, event: ev.TokensTurnedUp) -> None:
        self.battles, self.scorched = [], []

    def _fought(self, event: ev.BattleFought) -> None:
        self.battles.append(event)

    def _burned(self, event: ev.ProvinceScorched) -> None:
        self.scorched.append(event)

    def _next_round(self, event: ev.RoundBegan) -> None:
        """Wrongs fade as a round begins."""
        self._talking = len(self.messages)
        keep = 1.0 - 0.5 * self.character.forgiveness
        self.grudge = {seat: wrong * keep for seat, wrong in self.grudge.items() if wrong > 0.05}

    def _remember(self, event: ev.MapCleared) -> None:
        """Counts this round's wrongs: attacks, and twice as much a broken word."""
        closed = event.round
        for deed in self.words.fresh:
            if deed.owner == self.seat and deed.seat != self.seat and deed.act in ("attack", "raid"):
                self.grudge[deed.seat] = self.grudge.get(deed.seat, 0.0) + 1.0
        for one in self.breaches(closed):
            if one.owes(self.seat):
                self.grudge[one.debtor] = self.grudge.get(one.debtor, 0.0) + 2.0

    def breaches(self, closed: int) -> list[Commitment]:
        """Promises found broken at the end of that round."""
        return [one for one in self.words.made if one.status == "broken" and one.settled == closed]

    def trust(self, seat: Seat) -> float:
        """How far a seat's word is believed, 0 to 1: first impressions, then its record."""
        kept, broken = self.words.record(seat)
        return (2.0 * self.character.trust + kept) / (2.0 + kept + 2.5 * broken)

    def pact(self, other: Seat, now: int) -> bool:
        """Whether the other seat has given its word not to attack this seat in this round."""
        return any(_peaceful(one, self.seat, now) for one in self.words.live(other, self.seat))

    def bound(self, other: Seat, now: int) -> bool:
        """Whether this seat has given its word not to attack the other in this round."""
        return any(_peaceful(one, other, now) for one in self.words.live(self.seat, other))

    @property
    def worth_of_word(self) -> float:
        """What breaking its word costs this character whoever it was given to, in honor."""
        return WORTH_OF_WORD * self.character.honesty**4

    def price(self, one: Commitment) -> float:
        """What breaking a promise costs this character, in honor."""
        price = self.worth_of_word
        creditor = one.creditors[0] if len(one.creditors) == 1 else None
        if creditor is not None:
            price += 1.5 * self.character.loyalty
            price -= self.character.vengeance * self.grudge.get(creditor, 0.0) * (1.0 - self.character.honesty)
        return max(0.2, price)

    def warmth(self, other: Seat, now: int) -> float:
        """Goodwill towards a seat in honor: an ally's interests count, a wrong weighs against it."""
        friend = 0.8 * self.character.loyalty if self.bound(other, now) and self.pact(other, now) else 0.0
        return friend - 0.8 * self.character.vengeance * self.grudge.get(other, 0.0)


_STEPS: Mapping[type[Event], Callable[[Mind, Any], None]] = {
    ev.ClanTaken: Mind._clan,
    MessageSent: Mind._heard,
    ev.RoundBegan: Mind._next_round,
    ev.PlacementBegan: Mind._placement,
    ev.TokensTurnedUp: Mind._turned_up,
    ev.BattleFought: Mind._fought,
    ev.ProvinceScorched: Mind._burned,
    ev.MapCleared: Mind._remember,
}


def _peaceful(one: Commitment, target: Seat, now: int) -> bool:
    goal = one.goal
    return goal.verb == "not_attack" and goal.args.get("target") == target and goal.first <= now <= goal.last


def forbids(one: Commitment) -> bool:
    """Whether a commitment is to leave something undone."""
    return VERBS[one.goal.verb].mode == "never"
