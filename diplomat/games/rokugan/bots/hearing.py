"""Reads plain sentences into pledges, as a careful person would: rather nothing than too much.

``hearing.toml`` gives words their kinds, :mod:`hearing_words` cuts a text into tokens,
:mod:`hearing_frames` finds who does what, and here that becomes promises, offers, threats …
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from diplomat.core.audience import Seat
from diplomat.core.pledges import Goal, Pledge
from diplomat.games.rokugan.bots.hearing_frames import EACH, ME, SHUNS, WE, YOU, Frame, Memory, Reader
from diplomat.games.rokugan.bots.hearing_words import rounds, sentences
from diplomat.games.rokugan.pledges import RokuganPledges

_RULES = RokuganPledges()
_OPPOSITE = {ME: YOU, YOU: ME}
_HARM = frozenset({"attack", "raid"})
Goals = tuple[Goal, ...]


def hear(
    text: str, speaker: Seat, hearer: Seat, clans: Mapping[Seat, str], round_now: int, last_round: int
) -> tuple[Pledge, ...]:
    """The pledges that a plain text of ``speaker`` makes to ``hearer``; answers have no ``ref`` yet.

    >>> hear("I won't attack you this round.", Seat("s1"), Seat("s2"), {"s1": "crab", "s2": "lion"}, 2, 5)[0].goals
    (Goal(verb='not_attack', by='s1', first=2, last=2, args={'target': 's2'}),)
    """
    return _Hearing(speaker, hearer, clans, round_now, last_round).of(text)


@dataclass(slots=True)
class _Said:
    """What one sentence, or several read together, comes to."""

    mine: Goals = ()
    given: Goals = ()
    urged: bool = False
    """Whether ``given`` is asked for; otherwise it is only spoken of, and means nothing alone."""
    act: str = ""
    """``offer``, ``threat``, ``promise`` or ``ask``; empty: a mere half of an offer."""


@dataclass(slots=True)
class _Parts:
    """Goals of one sentence by who has them and on what condition."""

    mine: list[Goal] = field(default_factory=list)
    yours: list[Goal] = field(default_factory=list)
    if_yours: list[Goal] = field(default_factory=list)
    if_mine: list[Goal] = field(default_factory=list)
    both: bool = False
    urged: bool = False
    offered: bool = False
    other: bool = False
    unmet: bool = False


class _Hearing:
    """One message on its way to one hearer."""

    def __init__(self, speaker: Seat, hearer: Seat, clans: Mapping[Seat, str], now: int, last: int) -> None:
        self.seats = {ME: speaker, YOU: hearer}
        self.by_clan = {clan: seat for seat, clan in clans.items()}
        self.everyone = tuple(dict.fromkeys((*clans, speaker, hearer)))
        self.clans = clans
        self.now, self.last = now, last
        self.span = ""

    def of(self, text: str) -> tuple[Pledge, ...]:
        """The pledges of a text."""
        you = self.clans.get(self.seats[YOU], "-")
        memory = Memory(self.clans.get(self.seats[ME], "-"), you, you)
        read = [Reader(sentence, memory).read() for sentence in sentences(text)]
        spans = {span for one in read for span in one.spans if any(not f.void for f in one.frames)}
        self.span = spans.pop() if len(spans) == 1 else ""
        _inherit_territory(memory.frames)
        answers = _answers([answer for one in read for answer in _given(one)], read)
        said: list[_Said] = []
        for one in read:
            said += self._sentence(one, memory.frames)
        said = _joined(said)
        if "accept" in answers:
            said = [replace(s, act="promise", given=()) if s.act == "offer" and s.mine else s for s in said]
        found: list[Pledge] = []
        for pledge in _pledges(said, answers):
            if pledge not in found:
                found.append(pledge)
        return tuple(found)

    def _sentence(self, read: Reader, all_frames: list[Frame]) -> list[_Said]:
        """What one sentence says."""
        parts = self._parts(read)
        mine, yours = _union((), tuple(parts.mine)), _union((), tuple(parts.yours))
        if read.ifs or read.follows or read.agreeing:
            return self._conditional(read, parts, all_frames)
        if parts.other and mine and yours and parts.urged and self._hurts(mine):
            return [_Said(mine, self._reversed(yours), act="threat")]
        if self._hurts_me(yours):
            return [_Said(mine, yours, act="threat")] if mine and self._harms(mine, yours) else []
        if self._hurts(mine):
            return [] if read.asks else [_Said(mine, act="threat"), *([_Said((), yours, True, "ask")] if parts.urged else [])]
        if parts.both or (mine and yours) or (parts.offered and mine):
            return [_Said(mine, yours, parts.urged, "offer")]
        if mine:
            return [] if read.asks else [_Said(mine, act="promise")]
        return [_Said((), yours, parts.urged, "ask" if parts.urged else "")] if yours else []

    def _conditional(self, read: Reader, parts: _Parts, all_frames: list[Frame]) -> list[_Said]:
        """A sentence with a condition: an offer when all is benign, a threat when it is not."""
        mine, given = _union((), tuple(parts.mine)), _union((), tuple(parts.if_yours))
        if read.follows and not given:
            before = next((f for f in reversed(all_frames) if f.who == YOU and f.targets), None)
            given = () if before is None else tuple(self._goals(replace(before, void=False, cond="if"), YOU, read))
        elif parts.if_mine and parts.yours and not mine:
            mine, given = tuple(parts.if_mine), tuple(parts.yours)
        elif parts.unmet or (not given and not read.agreeing) or parts.both:
            return []
        given += tuple(parts.yours) if given and not parts.if_mine else ()
        if not mine:
            return []
        if self._hurts(mine) or self._hurts_me(given):
            return [_Said(mine, given, act="threat")] if self._harms(mine, given) and given else []
        return [_Said(mine, given, True, "offer")]

    def _parts(self, read: Reader) -> _Parts:
        """The goals of a sentence's frames, sorted."""
        parts = _Parts(other=read.other)
        conditions = 0
        nouns = {f.who for f in read.frames if f.noun and not f.neg and not f.void}
        for frame in read.frames:
            if frame.noun and not frame.neg and not (read.ifs or read.follows or {ME, YOU} <= nouns):
                if read.asks and not frame.who and not frame.void and ME not in frame.targets:
                    frame.who, frame.urged = YOU, True
                else:
                    continue
            if frame.cond:
                conditions += 1
                flipped = replace(frame, neg=frame.neg != (frame.cond == "unless"))
                held = list(self._goals(flipped, frame.who, read)) if frame.who in (ME, YOU) else []
                (parts.if_mine if frame.who == ME else parts.if_yours).extend(held)
                parts.unmet = parts.unmet or not held
            elif frame.who == WE:
                self._mutual(frame, parts, read)
            elif frame.who in (ME, YOU):
                goals = list(self._goals(frame, frame.who, read))
                (parts.mine if frame.who == ME else parts.yours).extend(goals)
                parts.urged = parts.urged or (frame.urged and bool(goals))
                parts.offered = parts.offered or frame.offered
        parts.unmet = parts.unmet or conditions < read.ifs
        return parts

    def _mutual(self, frame: Frame, parts: _Parts, read: Reader) -> None:
        """What "we" do, both do; but a "we" that spares the hearer is the speaker's house alone."""
        if YOU in frame.targets:
            parts.mine += self._goals(frame, ME, read)
            return
        mine, yours = list(self._goals(frame, ME, read)), list(self._goals(frame, YOU, read))
        if mine and yours:
            parts.mine += mine
            parts.yours += yours
            parts.both = True

    # Goals ----------------------------------------------------------------------------------------

    def _goals(self, frame: Frame, who: str, read: Reader) -> Iterable[Goal]:
        """What a frame comes to in the vocabulary of the game."""
        if frame.void or (frame.verb == "leave" and not frame.alone):
            return
        window = self._window(frame, read)
        if window is None:
            return
        by = self.seats[who]
        for verb, args in self._deeds(frame, who):
            goal = Goal(verb, by, *window, args)
            if _RULES.problem(goal, self.everyone) is None:
                yield goal

    def _window(self, frame: Frame, read: Reader) -> tuple[int, int] | None:
        near = read.spans[0] if len(set(read.spans)) == 1 else ""
        span = frame.span or near or self.span
        if frame.verb in ("make", "pacify") and span == "§end":
            span = ""
        if not span:
            return (self.now, self.last) if frame.ever and frame.neg else (self.now, self.now)
        return rounds(span, self.now, self.last)

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
                yield "not_attack", {"target": self.seats[_OPPOSITE[who]]}
        elif verb == "pact":
            yield "not_attack", {"target": self.seats[_OPPOSITE[who]]}
        elif verb == "share":
            if not frame.neg:
                for land in lands:
                    yield "share_territory", {"territory": land, "target": self.seats[_OPPOSITE[who]]}
        elif frame.neg == (verb not in SHUNS):
            yield from _spared("not_raid" if verb == "raid" else "not_attack", target, provinces, lands)
        elif verb == "raid":
            yield from (("raid", {"province": province}) for province in provinces)
        elif verb != "touch" or frame.cond or who == YOU:
            yield from _struck(target, provinces, needs_place=verb in ("take", "enter", "stay", "leave", "touch"))

    def _target(self, frame: Frame, who: str) -> str | None:
        """The seat that the frame is about."""
        for name in frame.targets:
            if name == EACH:
                return self.seats[_OPPOSITE[who]]
            seat = self.seats.get(name) or self.by_clan.get(name)
            if seat is not None and seat != self.seats[who]:
                return seat
        return None

    # Harm -----------------------------------------------------------------------------------------

    def _hurts(self, goals: Goals) -> bool:
        """Whether the speaker names the hearer as the one to suffer."""
        return any(g.verb in _HARM and g.args.get("target") == self.seats[YOU] for g in goals)

    def _hurts_me(self, goals: Goals) -> bool:
        return any(g.verb in _HARM and g.args.get("target") == self.seats[ME] for g in goals)

    def _harms(self, mine: Goals, given: Goals) -> bool:
        """Whether the speaker's goals are blows, and at nobody else than the hearer."""
        blows = [g for g in mine if g.verb in _HARM]
        own = self.seats[YOU]
        return bool(blows) and all(g.args.get("target", own) == own for g in blows)

    def _reversed(self, goals: Goals) -> Goals:
        """ "Stay out or else": the condition is that the hearer does not."""
        turned: list[Goal] = []
        for g in goals:
            if g.verb == "not_attack" or (g.verb == "stay_out" and "province" in g.args):
                turned.append(replace(g, verb="attack"))
        return tuple(turned)


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


def _struck(
    target: str | None, provinces: Iterable[str], needs_place: bool
) -> Iterable[tuple[str, dict[str, str]]]:
    """Who is attacked where."""
    whom = {} if target is None else {"target": target}
    places = list(provinces)
    yield from (("attack", {**whom, "province": place}) for place in places)
    if not places and whom and not needs_place:
        yield "attack", whom


def _inherit_territory(frames: list[Frame]) -> None:
    """In a message about sharing a land, sparing each other means sparing each other there."""
    lands = [
        land
        for f in frames
        if not f.void and (f.verb == "share" or (f.targets and f.neg == (f.verb not in SHUNS)))
        for land in f.territories
    ]
    if lands:
        for frame in frames:
            if frame.targets and not frame.provinces and not frame.territories and frame.neg == (frame.verb not in SHUNS):
                frame.territories = lands[:1]


def _given(read: Reader) -> Iterable[str]:
    """Answers of one sentence; a mere "yes" must be all of it, or come with a promise."""
    only = all(tok.kind in ("ANSWER", "COMMA", "ADV", "PLEASE", "DAT") for tok in read.tokens)
    for answer in read.answers:
        if answer != "weak":
            yield answer
        elif only or any(f.who == ME and not f.void and not f.bare for f in read.frames):
            yield "yes"


def _answers(found: list[str], read: list[Reader]) -> list[str]:
    """Which answers the message gives; in doubt, no."""
    frames = [f for one in read for f in one.frames if not f.void]
    acts: list[str] = []
    if "withdraw" in found:
        return ["withdraw"]
    if "refuse" in found or "no" in found:
        acts.append("refuse")
    elif "accept" in found or "yes" in found or ("bare" in found and not frames):
        acts.append("accept")
    return acts


def _kind(goals: Goals) -> str:
    return "" if not goals else goals[0].verb


def _joined(said: list[_Said]) -> list[_Said]:
    """Halves of one offer in neighbouring sentences are brought together."""
    found: list[_Said] = []
    for one in said:
        last = found[-1] if found else None
        merged = None if last is None else _merged(last, one)
        if merged is None:
            found.append(one)
        else:
            found[-1] = merged
    return [_aimed(one) for one in found if one.act]


def _merged(a: _Said, b: _Said) -> _Said | None:
    """Two sentences as one offer, or None when they are two things."""
    if "threat" in (a.act, b.act):
        return None
    mine, given = _union(a.mine, b.mine), _union(a.given, b.given)
    if not mine or not given or {g.verb for g in mine} != {g.verb for g in given}:
        return None
    if a.act == b.act == "offer" or (a.mine and b.given) or (a.given and b.mine):
        return _Said(mine, given, True, "offer")
    return None


def _union(a: Goals, b: Goals) -> Goals:
    found = list(a)
    for goal in b:
        if goal not in found:
            found.append(goal)
    return tuple(found)


def _aimed(said: _Said) -> _Said:
    """In a joint attack "I go at that province" says where, not whom: the whom is the common target."""
    if said.act != "offer":
        return said
    common = {g.args["target"] for g in (*said.mine, *said.given) if g.verb == "attack" and "target" in g.args}
    if len(common) != 1:
        return said
    (target,) = common
    return replace(said, mine=_whole(said.mine, target), given=_whole(said.given, target))


def _whole(goals: Goals, target: str) -> Goals:
    """Attacks with their target; one that names no place is the same as one that does."""
    aimed = [
        replace(g, args={"target": target, **g.args}) if g.verb == "attack" and g.by != target else g for g in goals
    ]
    placed = {(g.by, g.first, g.last) for g in aimed if g.verb == "attack" and "province" in g.args}
    kept = [g for g in aimed if g.verb != "attack" or "province" in g.args or (g.by, g.first, g.last) not in placed]
    return _union((), tuple(kept))


def _pledges(said: list[_Said], answers: list[str]) -> Iterable[Pledge]:
    """The acts of a message, equal ones once."""
    for answer in answers:
        yield Pledge(answer)
    if "withdraw" in answers:
        return
    for act in ("promise", "offer", "threat", "ask"):
        for one in said:
            if one.act == act and (one.mine or act == "ask"):
                yield Pledge(act, one.mine, one.given)
