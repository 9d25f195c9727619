"""What a log of Rokugan shows of promises: who did what, who could have, and which promises exclude each other.

The study of promises asks it after, and during, the fold over a whole log; nothing of it reaches a seat.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from diplomat.core.audience import Seat
from diplomat.core.events import Event
from diplomat.core.pledges import Goal
from diplomat.games.rokugan import events as ev
from diplomat.games.rokugan.atlas import atlas
from diplomat.games.rokugan.board import Board, Control
from diplomat.games.rokugan.content import ROUNDS, kind, token_set
from diplomat.games.rokugan.deeds import ACT_OF_VERB, Deed, deeds
from diplomat.games.rokugan.placement import Position
from diplomat.games.rokugan.places import place
from diplomat.games.rokugan.verbs import SLOT_KINDS, VERBS, clash

MANY = 10**9
HARMS = ("attack", "raid")
"""What one seat can do to another."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A deed that a goal speaks of."""

    point: int
    """Its round."""
    n: int
    """Number of the event that showed it."""
    ids: tuple[str, ...]
    """Its token."""
    success: bool | None
    """Whether it had its effect (a battle won, a defence held); None before that is known."""


@dataclass(frozen=True, slots=True)
class Stand:
    """What bore on placements when the placement of a round began."""

    board: Board
    hands: Mapping[Seat, Counter[str]]
    known: frozenset[Seat]
    """Seats whose hands the log shows."""


@dataclass(slots=True)
class Chronicle:
    """See :class:`diplomat.study.vocabulary.Chronicle`; a decision point is a round."""

    seats: tuple[Seat, ...]
    last: int = ROUNDS
    now: int = 0
    """The first round that is not over."""
    committed: int = 0
    """The last round whose placement has begun."""
    closed: int = 0
    """The last round that is over."""
    over: bool = False
    roles: dict[Seat, str] = field(default_factory=dict)
    owners: dict[str, Seat] = field(default_factory=dict)
    done: list[tuple[Deed, int]] = field(default_factory=list)
    spoken: Counter[tuple[Seat, int]] = field(default_factory=Counter)
    """Chances to talk that a seat had in a round."""
    _effects: dict[tuple[int, str, str], frozenset[Seat] | None] = field(default_factory=dict)
    _harms: dict[tuple[Seat, Seat, int], set[str]] = field(default_factory=dict)
    _hands: dict[Seat, Counter[str]] = field(default_factory=dict)
    _shown: set[Seat] = field(default_factory=set)
    _played: dict[Seat, tuple[str, ...]] = field(default_factory=dict)
    _scorched: set[str] = field(default_factory=set)
    _peace: set[str] = field(default_factory=set)
    _stands: dict[int, Stand] = field(default_factory=dict)
    _reach: dict[tuple[int, Seat], Mapping[str, frozenset[str]] | None] = field(default_factory=dict)
    _gone: Counter[tuple[Seat, str]] = field(default_factory=Counter)
    """Tokens of a kind that a seat has used up."""

    def hear(self, n: int, event: Event) -> None:
        """Takes one event of the whole log in."""
        step = _STEPS.get(type(event))
        if step is not None:
            step(self, n, event)

    # What was done --------------------------------------------------------------------------------

    def hits(self, goal: Goal) -> list[Hit]:
        """Every deed so far that the goal speaks of, in its rounds, in order."""
        match = VERBS[goal.verb].match
        return [
            Hit(deed.round, n, (deed.token,), self._success(deed))
            for deed, n in self.done
            if deed.seat == goal.by and goal.first <= deed.round <= goal.last and match(deed, goal.args)
        ]

    def _success(self, deed: Deed) -> bool | None:
        """Whether a deed had its effect; what the round's end does not mention had none."""
        if deed.round > self.closed:
            return None
        what = {"attack": "won", "defend": "lost", "raid": "burned", "peace": "peace"}[deed.act]
        who = self._effects.get((deed.round, deed.province, what), frozenset())
        return deed.seat not in (who or ()) if deed.act == "defend" else deed.seat in (who or ())

    def between(self, seat: Seat, other: Seat, point: int) -> tuple[str, ...]:
        """What a seat did to another in a round: acts, each once."""
        return tuple(sorted(self._harms.get((seat, other, point), ())))

    def faith(self, creditor: Seat, goal: Goal) -> tuple[str, int]:
        """Whether a seat guarded itself against the breach of a word to leave its land alone, and the event.

        Read from provinces that border on the debtor's land and on nobody else's: to defend one is to doubt, to
        defend others and none of these is to believe.  Fleets and shinobi come from anywhere, so it is a sign only.
        """
        stand = self._stands.get(goal.first)
        if VERBS[goal.verb].mode != "never" or stand is None or goal.first > self.closed:
            return "", 0
        owner, lands = stand.board.owner, atlas().provinces
        near = {
            province: {owner(other) for other in lands[province].neighbours} - {creditor, None}
            for province in stand.board.owned(creditor)
        }
        facing = {province for province, seats in near.items() if seats == {goal.by}}
        guarded = [
            (deed.province in facing, n)
            for deed, n in self.done
            if (deed.seat, deed.act, deed.round) == (creditor, "defend", goal.first)
        ]
        if not facing or not guarded:
            return "", 0
        return "doubted" if any(faced for faced, _ in guarded) else "believed", guarded[0][1]

    # What could have been done --------------------------------------------------------------------

    def can(self, goal: Goal, point: int) -> bool | None:
        """Whether its seat could do in that round what the goal speaks of, by map and hand as placement began.

        None if the log does not show it (yet).  Leaving it undone was always possible: a seat places as it likes.
        """
        reach = self._reached(goal.by, point)
        stand = self._stands.get(point)
        if reach is None or stand is None:
            return None
        match = VERBS[goal.verb].match
        return any(
            match(Deed(point, goal.by, act, province, stand.board.owner(province), ""), goal.args)
            for act, provinces in reach.items()
            for province in provinces
        )

    def chances(self, seat: Seat, other: Seat, point: int) -> tuple[str, ...] | None:
        """What a seat could have done to another in a round; None if the log does not show it."""
        reach, stand = self._reached(seat, point), self._stands.get(point)
        if reach is None or stand is None:
            return None
        theirs = set(stand.board.owned(other))
        return tuple(act for act in HARMS if reach[act] & theirs)

    def _reached(self, seat: Seat, point: int) -> Mapping[str, frozenset[str]] | None:
        """Provinces by what the seat could do there."""
        key = (point, seat)
        if key not in self._reach:
            stand = self._stands.get(point)
            if stand is None or seat not in stand.known:
                return None
            self._reach[key] = _reach(stand, seat)
        return self._reach[key]

    def out(self, seat: Seat) -> int:
        """The round in which a seat left the game; 0: nobody ever does."""
        return 0

    # What excludes each other ---------------------------------------------------------------------

    def contradicts(self, one: Goal, other: Goal) -> bool:
        """Whether one seat cannot keep both goals, as the map stands now."""
        if clash(one, other, self.owners):
            return True
        what = SLOT_KINDS.get(one.verb)
        if what is None or one.verb != other.verb or one.args == other.args or one.by != other.by:
            return False
        return self.left(one.by, what) <= 1

    def serves(self, planned: Goal, promised: Goal) -> bool:
        """Whether doing the one does what the other promises, as the map stands now."""
        if VERBS[promised.verb].mode != "by" or planned.verb != promised.verb:
            return False
        province = planned.args.get("province")
        if province is None:
            return dict(planned.args) == dict(promised.args)
        deed = Deed(planned.first, planned.by, ACT_OF_VERB[planned.verb], province, self.owners.get(province), "")
        return VERBS[promised.verb].match(deed, promised.args)

    def slot(self, goal: Goal) -> str:
        """What can be used for one thing only: goals with the same slot compete."""
        what = SLOT_KINDS.get(goal.verb)
        return "" if what is None else f"{goal.by}:{what}"

    def left(self, seat: Seat, what: str) -> int:
        """Tokens of a kind that a seat has not used up yet; many if its clan is not known."""
        clan = self.roles.get(seat)
        if clan is None:
            return MANY
        return sum(kind(face) == what for face in token_set(clan)) - self._gone[seat, what]

    # Steps ----------------------------------------------------------------------------------------

    def _clan(self, _: int, event: ev.ClanTaken) -> None:
        self.roles[event.seat] = event.clan

    def _placed(self, _: int, event: ev.ControlPlaced) -> None:
        self.owners[event.province] = event.seat

    def _began(self, _: int, event: ev.RoundBegan) -> None:
        self.now = event.round
        self._played.clear()

    def _talked(self, _: int, event: ev.TalkTurnTaken) -> None:
        self.spoken[event.seat, self.now] += 1

    def _drawn(self, _: int, event: ev.TokensDrawn) -> None:
        self._shown.add(event.seat)
        self._hands.setdefault(event.seat, Counter()).update(event.faces)

    def _exchanged(self, _: int, event: ev.TokenExchanged) -> None:
        self._hands.setdefault(event.seat, Counter()).update({event.returned: -1, event.drawn: 1})

    def _card(self, _: int, event: ev.CardPlayed) -> None:
        self._played[event.seat] = (*self._played.get(event.seat, ()), event.card)

    def _placement(self, _: int, event: ev.PlacementBegan) -> None:
        self.now = self.committed = event.round
        board = Board(
            self.seats,
            clans=dict(self.roles),
            round=event.round,
            control={province: Control(seat) for province, seat in self.owners.items()},
            scorched=frozenset(self._scorched),
            peace=frozenset(self._peace),
            played=dict(self._played),
        )
        hands = {seat: Counter(hand) for seat, hand in self._hands.items()}
        self._stands[event.round] = Stand(board, hands, frozenset(self._shown))

    def _left_hand(self, _: int, event: ev.TokenChosen | ev.BlessingLaid) -> None:
        self._hands.setdefault(event.seat, Counter())[event.face] -= 1

    def _turned_up(self, n: int, event: ev.TokensTurnedUp) -> None:
        fresh = list(deeds(self.owners, event))
        self.done += [(deed, n) for deed in fresh]
        for deed in fresh:
            if deed.owner is not None and deed.act in HARMS:
                self._harms.setdefault((deed.seat, deed.owner, deed.round), set()).add(deed.act)
        for token in event.tokens:
            self._gone[token.seat, kind(token.face)] += 1

    def _burned(self, _: int, event: ev.ProvinceScorched) -> None:
        self._effects[self.now, event.province, "burned"] = frozenset(event.by)
        self._effects[self.now, event.province, "lost"] = (
            frozenset() if event.owner is None else frozenset([event.owner])
        )
        self._scorched.add(event.province)
        self.owners.pop(event.province, None)

    def _pacified(self, _: int, event: ev.PeaceMade) -> None:
        self._effects[self.now, event.province, "peace"] = frozenset([event.by])
        self._peace.add(event.province)

    def _fought(self, _: int, event: ev.BattleFought) -> None:
        if event.winner is None:
            return
        self._effects[self.now, event.province, "won"] = frozenset([event.winner])
        if event.province in self.owners:
            self._effects[self.now, event.province, "lost"] = frozenset([self.owners[event.province]])
        self.owners[event.province] = event.winner

    def _cleared(self, _: int, event: ev.MapCleared) -> None:
        self.closed, self.now = event.round, event.round + 1

    def _won(self, _: int, event: ev.GameWon) -> None:
        self.over = True


def _reach(stand: Stand, seat: Seat) -> Mapping[str, frozenset[str]]:
    """Provinces by what the seat could do there with its hand on the still empty map (house H6)."""
    position = Position(stand.board, seat, {})
    kinds = {kind(face) for face, count in stand.hands[seat].items() if count > 0}
    fights: set[str] = set()
    fighters: Iterable[tuple[str, Callable[[], tuple[str, ...]]]] = (
        ("army", lambda: position.armies),
        ("navy", lambda: position.navies),
        ("shinobi", lambda: position.shinobi),
    )
    for what, places in fighters:
        if what in kinds:
            fights.update(place(where).target for where in places())
    own = set(stand.board.owned(seat))
    return {
        "attack": frozenset(fights - own),
        "defend": frozenset(fights & own),
        "raid": frozenset(position.raids) if "raid" in kinds else frozenset(),
        "peace": frozenset(position.diplomacies) if "diplomacy" in kinds else frozenset(),
    }


_STEPS: Mapping[type[Event], Callable[[Chronicle, int, Any], None]] = {
    ev.ClanTaken: Chronicle._clan,
    ev.ControlPlaced: Chronicle._placed,
    ev.RoundBegan: Chronicle._began,
    ev.TalkTurnTaken: Chronicle._talked,
    ev.TokensDrawn: Chronicle._drawn,
    ev.TokenExchanged: Chronicle._exchanged,
    ev.CardPlayed: Chronicle._card,
    ev.PlacementBegan: Chronicle._placement,
    ev.TokenChosen: Chronicle._left_hand,
    ev.BlessingLaid: Chronicle._left_hand,
    ev.TokensTurnedUp: Chronicle._turned_up,
    ev.ProvinceScorched: Chronicle._burned,
    ev.PeaceMade: Chronicle._pacified,
    ev.BattleFought: Chronicle._fought,
    ev.MapCleared: Chronicle._cleared,
    ev.GameWon: Chronicle._won,
}
