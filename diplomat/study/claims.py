"""Claims about other seats' words and deeds, and whether they were true when they were made.

Only what scripted players' own sentences assert is found here; a claim that the log cannot check is
``unverifiable``, never false.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from diplomat.core.audience import Seat
from diplomat.core.proceedings import MessageSent
from diplomat.core.talk import EVERYONE
from diplomat.study.rows import EVERYBODY, Claim, Promise, Resolution, SpeechAct
from diplomat.study.vocabulary import Asserting, Chronicle

Truth = Literal["true", "false", "unverifiable"]
Knew = Literal["yes", "no", "unknown"]


def claims_in(message: MessageSent, n: int, vocabulary: Asserting, chronicle: Chronicle) -> Iterator[Claim]:
    """What a message asserts, not judged yet."""
    everybody = tuple(message.to) == (EVERYONE,)
    hearers = () if everybody else tuple(map(Seat, message.to))
    for k, one in enumerate(vocabulary.assertions(message.text, message.sender, hearers, chronicle.roles), start=1):
        yield Claim(
            cid=f"{message.id}!{k}",
            n=n,
            point=chronicle.now,
            message=message.id,
            speaker=message.sender,
            hearers=(EVERYBODY,) if everybody else tuple(message.to),
            proposition=one.proposition,
            about=one.about,
            truth="unverifiable",
            speaker_knew="unknown",
            checkable_by="none",
            start=one.start,
            end=one.end,
            source="rule",
            confidence=1.0,
        )


@dataclass(frozen=True, slots=True)
class Record:
    """What claims are checked against."""

    acts: Sequence[SpeechAct]
    promises: Sequence[Promise]
    resolutions: Sequence[Resolution]

    def judged(self, claim: Claim) -> Claim:
        """The claim with its truth at the moment it was made, and whether its speaker could see that."""
        checks = {"asked": self._asked, "bound": self._bound, "broke": self._broke}
        check = checks.get(claim.proposition)
        if check is None or len(claim.about) != 2:
            return claim
        truth, knew = check(claim, claim.about[0], claim.about[1])
        return replace(claim, truth=truth, speaker_knew=knew, checkable_by="transcript")

    def _asked(self, claim: Claim, who: str, whom: str) -> tuple[Truth, Knew]:
        """Whether a seat asked the speaker for a deed against another: the speaker knows, it was asked.

        True if a declared or read act says so; without one, only that the asker never wrote to the speaker
        proves the contrary: plain words that nobody could read may have said it.
        """
        told = [act for act in self.acts if act.speaker == who and act.n < claim.n and _reaches(act, claim.speaker)]
        if any(goal.args.get("target") == whom and goal.by == claim.speaker for act in told for goal in act.given):
            return "true", "yes"
        return ("unverifiable", "unknown") if told else ("false", "yes")

    def _bound(self, claim: Claim, who: str, whom: str) -> tuple[Truth, Knew]:
        """Whether one of two seats had given the other its word and that still stood."""
        pair = {who, whom}
        live = [
            one
            for one in self.promises
            if one.act != "threat"
            and not one.fault
            and one.made_n < claim.n
            and one.window_end >= claim.point
            and (one.debtor in pair and (pair - {one.debtor}) <= set(one.creditors))
        ]
        seen = any(EVERYBODY in one.known_to or claim.speaker in one.known_to for one in live)
        return ("true", "yes" if seen else "unknown") if live else ("false", "no")

    def _broke(self, claim: Claim, who: str, whom: str) -> tuple[Truth, Knew]:
        """Whether a seat had broken its word to another; who was given the word knows."""
        fates = {one.pid: one for one in self.resolutions}
        broken = [
            one
            for one in self.promises
            if one.debtor == who
            and (whom in one.creditors or one.creditors == (EVERYBODY,))
            and one.act != "threat"
            and fates[one.pid].status == "broken"
            and 0 < fates[one.pid].n_final < claim.n
        ]
        if broken:
            seen = any(EVERYBODY in one.known_to or claim.speaker in one.known_to for one in broken)
            return "true", "yes" if seen else "unknown"
        return "false", "yes" if claim.speaker in (who, whom) else "no"


def _reaches(act: SpeechAct, seat: str) -> bool:
    return act.hearers == (EVERYBODY,) or seat in act.hearers
