"""What each seat could have said and done to each other at each decision point: the denominators of rates."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from diplomat.core.audience import Seat
from diplomat.core.proceedings import MessageSent
from diplomat.core.talk import EVERYONE
from diplomat.study.rows import EVERYBODY, Opportunity, Promise, SpeechAct
from diplomat.study.vocabulary import Chronicle


def opportunities(
    seats: Sequence[Seat],
    chronicle: Chronicle,
    said: Sequence[tuple[int, MessageSent]],
    acts: Sequence[SpeechAct],
    promises: Sequence[Promise],
) -> Iterator[Opportunity]:
    """One row per seat, other seat and decision point so far; ``said`` are messages with their points."""
    private: Counter[tuple[str, str, int]] = Counter()
    public: Counter[tuple[str, int]] = Counter()
    for point, message in said:
        if tuple(message.to) == (EVERYONE,):
            public[message.sender, point] += 1
        for other in message.to:
            private[message.sender, other, point] += other != EVERYONE
    made, owed, threats, offered = _words(seats, acts, promises)
    for point in range(1, chronicle.committed + 1):
        for seat in seats:
            if 0 < chronicle.out(seat) < point:
                continue
            spoke = chronicle.spoken.get((seat, point), 0) > 0
            for other in seats:
                if other == seat or 0 < chronicle.out(other) < point:
                    continue
                heard = private.get((seat, other, point), 0), public.get((seat, point), 0)
                could_speak = spoke or any(heard) or any(key[0] == seat and key[2] == point for key in private)
                yield Opportunity(
                    seat=seat,
                    other=other,
                    point=point,
                    could_speak=could_speak,
                    private=heard[0],
                    public=heard[1],
                    silent=could_speak and not any(heard),
                    promised=made.get((seat, other, point), 0),
                    threatened=threats.get((seat, other, point), 0),
                    offered=offered.get((seat, other, point), 0),
                    owed=owed.get((seat, other, point), 0),
                    could=chronicle.chances(seat, other, point),
                    did=chronicle.between(seat, other, point),
                )


def _words(
    seats: Sequence[Seat], acts: Sequence[SpeechAct], promises: Sequence[Promise]
) -> tuple[Counter[tuple[str, str, int]], ...]:
    """Promises made and owed, threats and offers, by seat, other seat and point."""
    made, owed, threats, offered = Counter[tuple[str, str, int]](), Counter(), Counter(), Counter()  # type: ignore[var-annotated]
    for one in promises:
        for other in seats if one.creditors == (EVERYBODY,) else one.creditors:
            if other == one.debtor:
                continue
            (threats if one.act == "threat" else made)[one.debtor, other, one.made_point] += 1
            if one.act != "threat" and not one.fault:
                owed.update((one.debtor, other, point) for point in range(one.window_start, one.window_end + 1))
    for act in acts:
        if act.act in ("offer", "counter"):
            offered.update((act.speaker, other, act.point) for other in _reached(act, seats))
    return made, owed, threats, offered


def _reached(act: SpeechAct, seats: Sequence[Seat]) -> Iterator[str]:
    everybody = act.hearers == (EVERYBODY,)
    return (seat for seat in seats if seat != act.speaker and (everybody or seat in act.hearers))
