"""Reads plain sentences into pledges, as a careful person would: rather nothing than too much.

``hearing.toml`` gives words their kinds and :mod:`hearing_words` cuts a text into tokens.
:mod:`hearing_reader` finds who does what (steps by kind of word: ``hearing_persons``, ``hearing_joints``,
``hearing_steps``), :mod:`hearing_goals` puts that into the game's vocabulary, and here it becomes
promises, offers, threats; :mod:`hearing_said` brings the halves of an offer together.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from diplomat.core.audience import Seat
from diplomat.core.pledges import Goal, Pledge
from diplomat.games.rokugan.bots.hearing_frames import ME, WE, YOU, Frame, Memory
from diplomat.games.rokugan.bots.hearing_goals import Translator, inherit_territory
from diplomat.games.rokugan.bots.hearing_reader import Reader
from diplomat.games.rokugan.bots.hearing_said import HARM, Goals, Said, joined, union
from diplomat.games.rokugan.bots.hearing_steps import read as read_sentence
from diplomat.games.rokugan.bots.hearing_words import sentences

BEGINNINGS = frozenset({"V", "NATTACK", "NRAID", "NOTOKEN", "PEACE", "BETWEENUS", "ANSWER"})
"""Kinds of word without one of which nobody does or answers anything; talk without them is most talk."""


def hear(
    text: str, speaker: Seat, hearer: Seat, clans: Mapping[Seat, str], round_now: int, last_round: int
) -> tuple[Pledge, ...]:
    """The pledges that a plain text of ``speaker`` makes to ``hearer``; answers have no ``ref`` yet.

    >>> hear("I won't attack you this round.", Seat("s1"), Seat("s2"), {"s1": "crab", "s2": "lion"}, 2, 5)[0].goals
    (Goal(verb='not_attack', by='s1', first=2, last=2, args={'target': 's2'}),)
    """
    return _Hearing(speaker, hearer, clans, round_now, last_round).of(text)


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
    vague: bool = False
    """Whether the hearer is told to do what the game has no word for."""
    trespass: bool = False
    """Whether the condition is a touch or a step over a border rather than a plain attack."""


class _Hearing:
    """One message on its way to one hearer."""

    def __init__(self, speaker: Seat, hearer: Seat, clans: Mapping[Seat, str], now: int, last: int) -> None:
        self.seats = {ME: speaker, YOU: hearer}
        self.clans = clans
        self._translator = Translator(speaker, hearer, clans, now, last)

    def of(self, text: str) -> tuple[Pledge, ...]:
        """The pledges of a text."""
        cut = sentences(text)
        if BEGINNINGS.isdisjoint(token.kind for sentence in cut for token in sentence.tokens):
            return ()
        you = self.clans.get(self.seats[YOU], "-")
        memory = Memory(self.clans.get(self.seats[ME], "-"), you, you)
        read = [read_sentence(sentence, memory) for sentence in cut]
        spans = {span for one in read for span in one.spans if one.frames or any(t.kind == "PEACE" for t in one.tokens)}
        self._translator.span = spans.pop() if len(spans) == 1 else ""
        inherit_territory(memory.frames)
        answers = _answers([answer for one in read for answer in _given(one)], read)
        said: list[Said] = []
        for one in read:
            said += self._sentence(one, memory.frames)
        said = joined(said)
        if "accept" in answers:
            said = [replace(s, act="promise", given=()) if s.act == "offer" and s.mine else s for s in said]
        found: list[Pledge] = []
        for pledge in _pledges(said, answers):
            if pledge not in found:
                found.append(pledge)
        return tuple(found)

    def _sentence(self, read: Reader, all_frames: list[Frame]) -> list[Said]:
        """What one sentence says."""
        parts = self._parts(read)
        mine, yours = union((), tuple(parts.mine)), union((), tuple(parts.yours))
        if read.ifs or read.follows or read.agreeing:
            return self._conditional(read, parts, all_frames)
        if mine and (parts.vague or read.demanding or (read.other and not yours)):
            return []
        if parts.other and mine and yours and self._harms(mine, yours):
            return [Said(mine, self._reversed(yours), act="threat")]
        if self._hurts_me(yours):
            return [Said(mine, yours, act="threat")] if mine and self._harms(mine, yours) else []
        if self._spiteful(mine, yours, parts):
            return [Said(mine, yours, act="threat")]
        if self._hurts(mine) and parts.urged and all(g.verb in HARM and "target" not in g.args for g in yours):
            return [Said(mine, yours, act="threat")]
        if self._hurts(mine):
            return (
                []
                if read.asks
                else [Said(mine, act="threat"), *([Said((), yours, True, "ask")] if parts.urged else [])]
            )
        if parts.both or (mine and yours) or (parts.offered and mine):
            return [Said(mine, yours, parts.urged, "offer")]
        if mine:
            return [] if read.asks else [Said(mine, act="promise")]
        return [Said((), yours, parts.urged, "ask" if parts.urged else "")] if yours else []

    def _conditional(self, read: Reader, parts: _Parts, all_frames: list[Frame]) -> list[Said]:
        """A sentence with a condition: an offer when all is benign, a threat when it is not."""
        mine, given = union((), tuple(parts.mine)), union((), tuple(parts.if_yours))
        if read.follows and not given:
            before = next((f for f in reversed(all_frames) if f.who == YOU and f.targets), None)
            if before is None:
                given = tuple(self._mirrored(goal) for goal in mine)
            else:
                given = tuple(self._translator.goals(replace(before, void=False, cond="if"), YOU, read.spans))
        elif parts.if_mine and parts.yours and not mine:
            mine, given = tuple(parts.if_mine), tuple(parts.yours)
        elif parts.unmet or (not given and not read.agreeing) or parts.both:
            return []
        given += tuple(parts.yours) if given and not parts.if_mine else ()
        if mine and not given and not read.agreeing:
            return []
        if not mine:
            return [Said((), given, act="dare")] if self._hurts_me(given) else []
        if self._hurts(mine) or self._hurts_me(given) or self._spiteful(mine, given, parts):
            return [Said(mine, given, act="threat")] if self._harms(mine, given) and given else []
        return [Said(mine, given, True, "offer")]

    def _parts(self, read: Reader) -> _Parts:
        """The goals of a sentence's frames, sorted."""
        parts = _Parts(other=read.other)
        conditions = 0
        nouns = {f.who for f in read.frames if f.noun and not f.neg and not f.void}
        for frame in read.frames:
            paired = read.ifs or read.follows or {ME, YOU} <= nouns
            if frame.noun and not frame.neg and not paired:
                if read.asks and not frame.who and not frame.void and ME not in frame.targets:
                    frame.who, frame.urged = YOU, True
                else:
                    continue
            if frame.cond:
                conditions += 1
                flipped = replace(frame, neg=frame.neg != (frame.cond == "unless"))
                held = list(self._translator.goals(flipped, frame.who, read.spans)) if frame.who in (ME, YOU) else []
                (parts.if_mine if frame.who == ME else parts.if_yours).extend(held)
                parts.unmet = parts.unmet or not held
                parts.trespass = parts.trespass or _trespasses(flipped)
            elif frame.who == WE:
                self._mutual(frame, parts, read)
            elif frame.who in (ME, YOU):
                goals = list(self._translator.goals(frame, frame.who, read.spans))
                (parts.mine if frame.who == ME else parts.yours).extend(goals)
                parts.urged = parts.urged or (frame.urged and bool(goals))
                parts.trespass = parts.trespass or (_trespasses(frame) and bool(goals))
                parts.vague = parts.vague or (frame.joined and not goals)
                parts.offered = parts.offered or frame.offered
        parts.unmet = parts.unmet or conditions < read.ifs
        return parts

    def _mutual(self, frame: Frame, parts: _Parts, read: Reader) -> None:
        """What "we" do, both do; but a "we" that spares the hearer is the speaker's house alone."""
        if YOU in frame.targets:
            parts.mine += self._translator.goals(frame, ME, read.spans)
            return
        mine, yours = (
            list(self._translator.goals(frame, ME, read.spans)),
            list(self._translator.goals(frame, YOU, read.spans)),
        )
        if frame.urged:
            parts.yours += yours
            parts.urged = True
            return
        if mine and yours:
            parts.mine += mine
            parts.yours += yours
            parts.both = True

    # Harm -----------------------------------------------------------------------------------------

    def _hurts(self, goals: Goals) -> bool:
        """Whether the speaker names the hearer as the one to suffer."""
        return any(g.verb in HARM and g.args.get("target") == self.seats[YOU] for g in goals)

    def _hurts_me(self, goals: Goals) -> bool:
        return any(g.verb in HARM and g.args.get("target") == self.seats[ME] for g in goals)

    def _harms(self, mine: Goals, given: Goals) -> bool:
        """Whether the speaker's goals are blows, and at nobody else than the hearer."""
        blows = [g for g in mine if g.verb in HARM]
        own = self.seats[YOU]
        return bool(blows) and all(g.args.get("target", own) == own for g in blows)

    def _spiteful(self, mine: Goals, given: Goals, parts: _Parts) -> bool:
        """Whether blows answer a blow at a place that is nobody's by name: "touch Hida and I burn Doji"."""
        placed = bool(given) and all(g.verb in HARM and "target" not in g.args for g in given)
        return placed and self._harms(mine, given) and (parts.trespass or any(g.verb == "raid" for g in mine))

    def _mirrored(self, goal: Goal) -> Goal:
        """The same, done by the hearer."""
        you, me = self.seats[YOU], self.seats[ME]
        return replace(goal, by=you, args={k: me if v == you else v for k, v in goal.args.items()})

    def _reversed(self, goals: Goals) -> Goals:
        """So: "Stay out or else": the condition is that the hearer does not."""
        return tuple(
            replace(g, verb="attack")
            for g in goals
            if g.verb == "not_attack" or (g.verb == "stay_out" and "province" in g.args)
        )


def _trespasses(frame: Frame) -> bool:
    return frame.who == YOU and frame.verb in ("touch", "enter") and not frame.neg


def _given(read: Reader) -> Iterable[str]:
    """Answers of one sentence; a mere "yes" must be all of it, or come with a promise."""
    words = [tok for tok in read.tokens if tok.kind not in ("ANSWER", "COMMA", "ADV", "PLEASE", "DAT")]
    only = len(words) <= sum(int(tok.form) for tok in read.tokens if tok.kind == "ANSWER")
    hedged = read.ifs > 0 or read.agreeing
    for answer in read.answers:
        if hedged and answer in ("accept", "yes", "weak"):
            continue
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


def _pledges(said: list[Said], answers: list[str]) -> Iterable[Pledge]:
    """The acts of a message, equal ones once."""
    for answer in answers:
        yield Pledge(answer)
    if "withdraw" in answers:
        return
    for act in ("promise", "offer", "threat", "ask"):
        for one in said:
            if one.act == act and (one.mine or act == "ask"):
                yield Pledge(act, one.mine, one.given)
