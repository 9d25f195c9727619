"""Tiny logs for the ledger: a table of Rokugan with short words for what happens, and a court that loses members."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from diplomat.core.audience import PUBLIC, Audience, Seat
from diplomat.core.events import Event
from diplomat.core.game import Game
from diplomat.core.menus import Problem
from diplomat.core.pledges import Goal, Plan, Pledge
from diplomat.core.proceedings import GameOpened, MessageSent, PlanSealed, PledgeReturned
from diplomat.core.talk import message_id
from diplomat.games import find
from diplomat.games.rokugan import events as ev
from diplomat.games.rokugan.examples import holders, lands
from diplomat.study.ledger import Fold, Ledger, of
from diplomat.study.rows import Promise, Resolution, Verdict
from diplomat.study.sources import Source
from diplomat.study.vocabulary import Vocabulary, vocabulary_of
from diplomat.transcript.reader import Transcript
from diplomat.transcript.schema import Header, Line, SeatEntry

S1, S2, S3 = SEATS = (Seat("s1"), Seat("s2"), Seat("s3"))
MAP = lands()
"""``own`` is held by s1, ``next`` to it by s2, ``behind`` that by s3; ``abroad`` by nobody."""
LANDS = holders()
CLANS = {S1: "crab", S2: "lion", S3: "crane"}
FULL = ("army-1", "army-2", "navy-1", "shinobi-3", "raid", "diplomacy")
"""A hand with which everything is possible."""
BLOWS = {
    (S1, S2): ("shinobi-3", MAP.next),
    (S1, S3): ("shinobi-3", MAP.behind),
    (S2, S1): ("shinobi-3", MAP.own),
    (S2, S3): ("shinobi-3", MAP.behind),
    (S3, S1): ("shinobi-3", MAP.own),
    (S3, S2): ("shinobi-3", MAP.next),
}


def rokugan() -> Game[Any, Any]:
    return find("rokugan")


def words() -> Vocabulary:
    found = vocabulary_of(rokugan())
    assert found is not None
    return found


def spare(by: Seat, target: Seat, first: int, last: int) -> Goal:
    return Goal("not_attack", by, first, last, {"target": target})


def strike(by: Seat, target: Seat, first: int, last: int) -> Goal:
    return Goal("attack", by, first, last, {"target": target})


def burn(by: Seat, province: str, first: int, last: int) -> Goal:
    return Goal("raid", by, first, last, {"province": province})


def promise(*goals: Goal, given: Sequence[Goal] = ()) -> Pledge:
    return Pledge("promise", goals, tuple(given))


class Log:
    """A log that grows; all are in round 1 at first, and everybody can do everything."""

    def __init__(
        self,
        hands: Mapping[Seat, tuple[str, ...]] | None = None,
        sources: Sequence[Source] | None = None,
        game: Game[Any, Any] | None = None,
        opening: Sequence[Event] | None = None,
    ) -> None:
        self.game = game or rokugan()
        self.events: list[Event] = []
        self.sources = sources
        self.round = 1
        self.hands = dict.fromkeys(SEATS, FULL) if hands is None else dict(hands)
        self._counts: dict[str, int] = {}
        for event in self._opening() if opening is None else opening:
            self.add(event)

    def _opening(self) -> Iterator[Event]:
        for seat, clan in CLANS.items():
            yield ev.ClanTaken(seat, clan)
        for province, seat in LANDS.items():
            yield ev.ControlPlaced(seat, province)
        yield ev.RoundBegan(1, S1)

    def add(self, event: Event) -> int:
        self.events.append(event)
        return len(self.events)

    def say(self, sender: Seat, to: str, *pledges: Pledge, text: str = "Words.", plan: Plan | None = None) -> str:
        """A message and the plan sealed with it; its id."""
        room = tuple(to.split())
        key = f"{sender}>{'+'.join(sorted(room))}"
        self._counts[key] = self._counts.get(key, 0) + 1
        name = message_id(sender, room, self._counts[key])
        self.add(MessageSent(name, sender, room, text, pledges))
        if plan is not None:
            self.add(PlanSealed(sender, f"r{self.round}", plan, (name,)))
        return name

    def returned(self, sender: Seat, message: str, pledge: Pledge, code: str) -> None:
        self.add(PledgeReturned(sender, message, pledge, Problem(code)))

    def placement(self) -> None:
        for seat, hand in self.hands.items():
            self.add(ev.TokensDrawn(seat, hand))
        self.add(ev.PlacementBegan(self.round))

    def end(self, *blows: tuple[Seat, Seat] | tuple[Seat, str, str], began: bool = False) -> None:
        """Placement (unless it began), the tokens of the round and its end."""
        if not began:
            self.placement()
        turned = []
        for number, blow in enumerate(blows):
            seat, *rest = blow
            face, place = BLOWS[seat, Seat(rest[0])] if len(rest) == 1 else (rest[0], rest[1])
            turned.append(ev.TurnedUp(f"t{self.round}.{number}", seat, place, face))
        self.add(ev.TokensTurnedUp(self.round, tuple(turned)))
        self.add(ev.MapCleared(self.round))
        for seat, hand in self.hands.items():
            for face in hand:
                self.add(ev.TokenChosen(seat, "-", face))
        self.round += 1
        self.add(ev.RoundBegan(self.round, S1))

    def over(self) -> None:
        self.add(ev.GameWon((S1,)))
        self.add(GameOpened((S1,), dict.fromkeys(SEATS, 7)))

    @property
    def transcript(self) -> Transcript:
        entries = tuple(SeatEntry(seat=seat, agent="scripted", profile="honest") for seat in SEATS)
        header = Header(
            game=self.game.id, edition=self.game.edition, rules_version=1, seats=entries, package="0", commitment=""
        )
        lines = tuple(Line(n, event, event.audience()) for n, event in enumerate(self.events, start=1))
        return Transcript(Path("tiny.jsonl"), header, lines, self.game)

    @property
    def ledger(self) -> Ledger:
        return of(self.transcript, self.sources)

    @property
    def fates(self) -> list[str]:
        """Status of every promise, with the reason if there is one."""
        return [one.status + (f":{one.reason}" if one.reason else "") for one in self.ledger.resolutions]

    @property
    def one(self) -> tuple[Promise, Resolution, Verdict]:
        ledger = self.ledger
        assert len(ledger.promises) == 1, [row.pid for row in ledger.promises]
        return ledger.promises[0], ledger.resolutions[0], ledger.verdicts[0]

    def growing(self) -> Iterator[dict[str, Resolution]]:
        """What became of every promise, after each event."""
        fold = Fold(SEATS, vocabulary_of(self.game), self.transcript.settings, self.sources)
        for n, event in enumerate(self.events, start=1):
            fold.hear(n, event)
            yield {one.pid: one for one in fold.resolutions(fold.promises())}


# --- a court whose members are sent away, with states to be kept


class _Open(Event):
    __slots__ = ()

    def audience(self) -> Audience:
        return PUBLIC


@dataclass(frozen=True, slots=True)
class Acted(_Open):
    day: int
    seat: Seat
    act: str
    target: Seat


@dataclass(frozen=True, slots=True)
class DayEnded(_Open):
    day: int
    gone: tuple[Seat, ...] = ()
    over: bool = False


@dataclass(frozen=True, slots=True)
class CourtHit:
    point: int
    n: int
    ids: tuple[str, ...] = ()
    success: bool | None = None


@dataclass(slots=True)
class CourtChronicle:
    """Three verbs: ``accuse`` somebody, ``spare`` somebody, ``hold`` one's tongue about nobody (a state)."""

    seats: tuple[Seat, ...]
    now: int = 1
    committed: int = 1
    closed: int = 0
    last: int = 4
    over: bool = False
    roles: dict[Seat, str] = field(default_factory=dict)
    spoken: dict[tuple[Seat, int], int] = field(default_factory=dict)
    done: list[tuple[Acted, int]] = field(default_factory=list)
    gone: dict[Seat, int] = field(default_factory=dict)

    def hear(self, n: int, event: Event) -> None:
        if isinstance(event, Acted):
            self.done.append((event, n))
        elif isinstance(event, DayEnded):
            self.closed, self.now, self.committed = event.day, event.day + 1, event.day + 1
            self.gone.update(dict.fromkeys(event.gone, event.day))
            self.over = event.over

    def hits(self, goal: Goal) -> list[CourtHit]:
        act = "hush" if goal.verb == "hold" else "accuse"
        mine = [(a, n) for a, n in self.done if a.seat == goal.by and a.act == act and goal.first <= a.day <= goal.last]
        return [CourtHit(a.day, n) for a, n in mine if a.target == goal.args.get("target", a.target)]

    def can(self, goal: Goal, point: int) -> bool | None:
        return True

    def out(self, seat: Seat) -> int:
        return self.gone.get(seat, 0)

    def contradicts(self, one: Goal, other: Goal) -> bool:
        return False

    def serves(self, planned: Goal, promised: Goal) -> bool:
        return planned == promised

    def chances(self, seat: Seat, other: Seat, point: int) -> tuple[str, ...] | None:
        return ("accuse",)

    def between(self, seat: Seat, other: Seat, point: int) -> tuple[str, ...]:
        return ()


class CourtWords:
    """The court's vocabulary."""

    version = "court/1"
    verbs: tuple[str, ...] = ("accuse", "spare", "hold")

    def mode(self, verb: str) -> str | None:
        return {"accuse": "by", "spare": "never", "hold": "keep"}.get(verb)

    def chronicle(self, seats: tuple[Seat, ...], settings: Any) -> CourtChronicle:
        return CourtChronicle(seats)

    def examples(self) -> list[Any]:
        return []


class Court(Log):
    """A log at court; ``day`` is ended with those who leave."""

    def __init__(self) -> None:
        words: Any = CourtWords()
        super().__init__(game=replace(rokugan(), pledges=words), opening=())

    def acts(self, seat: Seat, target: Seat, act: str = "accuse") -> None:
        self.add(Acted(self.round, seat, act, target))

    def day(self, *gone: Seat, over: bool = False) -> None:
        self.add(DayEnded(self.round, gone, over))
        self.round += 1


def accuse(by: Seat, target: Seat, first: int, last: int) -> Goal:
    return Goal("accuse", by, first, last, {"target": target})


def forgive(by: Seat, target: Seat, first: int, last: int) -> Goal:
    return Goal("spare", by, first, last, {"target": target})
