"""What a frame of plain talk comes to in the vocabulary of the game."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from diplomat.core.audience import Seat
from diplomat.core.pledges import Goal
from diplomat.games.rokugan.bots.hearing_frames import EACH, ME, SHUNS, WE, YOU, Frame
from diplomat.games.rokugan.bots.hearing_words import rounds
from diplomat.games.rokugan.pledges import RokuganPledges

OPPOSITE = {ME: YOU, YOU: ME}
_RULES = RokuganPledges()


class Translator:
    """Frames of one message into goals of its speaker and its hearer."""

    def __init__(self, speaker: Seat, hearer: Seat, clans: Mapping[Seat, str], now: int, last: int) -> None:
        self.seats = {ME: speaker, YOU: hearer}
        self._by_clan = {clan: seat for seat, clan in clans.items()}
        self._everyone = tuple(dict.fromkeys((*clans, speaker, hearer)))
        self._now, self._last = now, last
        self.span = ""
        """Rounds that hold for the whole message."""

    def goals(self, frame: Frame, who: str, spans: Collection[str]) -> Iterable[Goal]:
        """What a frame comes to in the vocabulary of the game."""
        if frame.void or (frame.verb == "leave" and not frame.alone):
            return
        window = self._window(frame, spans)
        if window is None:
            return
        by = self.seats[who]
        for verb, args in self._deeds(frame, who):
            goal = Goal(verb, by, *window, args)
            if _RULES.problem(goal, self._everyone) is None:
                yield goal

    def _window(self, frame: Frame, spans: Collection[str]) -> tuple[int, int] | None:
        near = next(iter(spans)) if len(set(spans)) == 1 else ""
        span = frame.span or near or self.span
        if frame.verb in ("make", "pacify") and frame.provinces and span == "§end":
            span = ""
        if not span:
            return (self._now, self._last) if frame.ever and frame.neg else (self._now, self._now)
        return rounds(span, self._now, self._last)

    def _deeds(self, frame: Frame, who: str) -> Iterable[tuple[str, dict[str, str]]]:
        """Verbs of the vocabulary with their arguments."""
        target = self._target(frame, who)
        verb, provinces, lands = frame.verb, dict.fromkeys(frame.provinces), dict.fromkeys(frame.territories)
        if verb in ("defend", "hold", "make", "pacify"):
            known = verb != "make" or frame.peace
            if known and not frame.neg and provinces:
                for province in provinces:
                    yield ("defend" if verb in ("defend", "hold") else "make_peace"), {"province": province}
            elif verb == "make" and frame.peace and frame.who == WE:
                yield "not_attack", {"target": self.seats[OPPOSITE[who]]}
        elif verb == "pact":
            yield "not_attack", {"target": self.seats[OPPOSITE[who]]}
        elif verb == "share":
            if not frame.neg:
                for land in lands:
                    yield "share_territory", {"territory": land, "target": self.seats[OPPOSITE[who]]}
        elif verb == "raid" and frame.neg and frame.bare and who == ME:
            yield "not_raid", {"target": self.seats[OPPOSITE[who]]}
        elif frame.neg == (verb not in SHUNS):
            yield from _spared("not_raid" if verb == "raid" else "not_attack", target, provinces, lands)
        elif verb == "raid":
            yield from (("raid", {"province": province}) for province in provinces)
        elif verb != "touch" or frame.cond or who == YOU:
            yield from _struck(target, provinces, needs_place=verb in ("take", "enter", "stay", "leave", "touch"))

    def _target(self, frame: Frame, who: str) -> str | None:
        """The seat that the frame is about."""
        for name in frame.targets:
            if name == EACH and frame.who != WE and not frame.noun:
                return None
            if name == EACH:
                return self.seats[OPPOSITE[who]]
            seat = self.seats.get(name) or self._by_clan.get(name)
            if seat is not None and seat != self.seats[who]:
                return seat
        return None


def _spared(
    verb: str, target: str | None, provinces: Iterable[str], lands: Iterable[str]
) -> Iterable[tuple[str, dict[str, str]]]:
    """Who or what is left alone: provinces before lands before a seat."""
    places = [("province", p) for p in provinces]
    if places:
        yield from (("stay_out", {kind: name}) for kind, name in places)
        return
    named = False
    for land in lands:
        named = True
        if target is None:
            yield "stay_out", {"territory": land}
        else:
            yield "share_territory", {"territory": land, "target": target}
    if not named and target is not None:
        yield verb, {"target": target}


def _struck(target: str | None, provinces: Iterable[str], needs_place: bool) -> Iterable[tuple[str, dict[str, str]]]:
    """Who is attacked where."""
    whom = {} if target is None else {"target": target}
    places = list(provinces)
    yield from (("attack", {**whom, "province": place}) for place in places)
    if not places and whom and not needs_place:
        yield "attack", whom


def inherit_territory(frames: list[Frame]) -> None:
    """In a message about sharing a land, sparing each other means sparing each other there."""
    lands = [
        land
        for f in frames
        if not f.void and (f.verb == "share" or (f.targets and f.neg == (f.verb not in SHUNS)))
        for land in f.territories
    ]
    if lands:
        for frame in frames:
            if (
                frame.targets
                and not frame.provinces
                and not frame.territories
                and frame.neg == (frame.verb not in SHUNS)
            ):
                frame.territories = lands[:1]
