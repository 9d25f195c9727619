"""Messages, the promises in them with what became of each, and the plans sealed with them."""

from __future__ import annotations

from collections.abc import Iterable

from diplomat.core.audience import Seat
from diplomat.core.pledges import Goal, Plan, Pledge
from diplomat.core.proceedings import MessageSent, PlanSealed
from diplomat.core.talk import EVERYONE, clean
from diplomat.report.evidence import Case, Evidence
from diplomat.report.parts import Meant, Promise, Speech, Word
from diplomat.report.words import Wording
from diplomat.transcript.schema import Line

GIVING = frozenset({"promise", "offer", "counter", "threat"})
"""Acts whose goals may become a word given."""
_UNMADE = {"refuse": "refused", "counter": "countered"}
"""What became of an offer that made no commitment, by the answer to it."""


class Archive:
    """All messages and plans of a log by id, and what the ledger says of the promises in them."""

    def __init__(self, lines: Iterable[Line], evidence: Evidence, wording: Wording) -> None:
        self._wording = wording
        self.evidence = evidence
        self.messages: dict[str, tuple[int, MessageSent]] = {}
        self.plans: dict[int, PlanSealed] = {}
        """By event number."""
        self._plans: dict[str, tuple[int, PlanSealed]] = {}
        for line in lines:
            if isinstance(line.event, MessageSent):
                self.messages[line.event.id] = line.n, line.event
            elif isinstance(line.event, PlanSealed):
                self.plans[line.n] = line.event
                self._plans.update(dict.fromkeys(line.event.messages, (line.n, line.event)))
        self._answered = {act.message: act.answered for act in evidence.acts if act.answered}
        self._said: dict[str, list[Case]] = {}
        self._taken: dict[str, list[Case]] = {}
        """Words that were given by saying yes to an offer or request, by its message."""
        for case in evidence.cases:
            for span in case.given.spans:
                self._said.setdefault(span.message, []).append(case)
            if case.given.offer:
                self._taken.setdefault(case.given.offer, []).append(case)

    def speech(self, n: int, message: MessageSent) -> Speech:
        """A message ready for the page."""
        to = () if tuple(message.to) == (EVERYONE,) else tuple(Seat(seat) for seat in message.to)
        promises = [self._promise(message, pledge) for pledge in message.pledges]
        promises += self._read(message)
        sealed = self._plans.get(message.id)
        meant = self.meant(sealed[0], sealed[1].plan) if sealed else None
        return Speech(n, clean(message.id), message.sender, to, clean(message.text), promises, meant)

    def meant(self, n: int, plan: Plan) -> Meant:
        """A plan ready for the page."""
        keep = [(*self.reference(name), clean(str(answer))) for name, answer in plan.keep.items()]
        return Meant(n, [self._wording.goal(goal) for goal in plan.goals], keep, clean(plan.text))

    def reference(self, message: str) -> tuple[str, int]:
        """How a message is referred to: its event number and sender, or its id if it is nowhere in the log."""
        if message not in self.messages:
            return clean(message), 0
        n, sent = self.messages[message]
        return f"#n{n} ({self._wording.names.get(sent.sender, sent.sender)})", n

    def quoted(self, message: str, start: int, end: int) -> str:
        """Words of a message as they are shown."""
        found = self.messages.get(message)
        return "" if found is None else clean(found[1].text[start:end])

    def _promise(self, message: MessageSent, pledge: Pledge) -> Promise:
        goals = [self._word(message, pledge, goal) for goal in pledge.goals]
        given = [self._answer(message, goal) for goal in pledge.given]
        ref = None if pledge.ref is None else self.reference(pledge.ref)
        return Promise(pledge.act, goals, given, ref)

    def _read(self, message: MessageSent) -> list[Promise]:
        """Promises that somebody else than the speaker finds in the words."""
        found = [case for case in self._said.get(message.id, ()) if case.given.source != "declared" and case.given.goal]
        return [
            Promise(
                case.given.act if case.given.act in ("promise", "offer", "counter", "threat", "accept") else "promise",
                [self._judged(self._wording.goal(case.given.goal), case)] if case.given.goal else [],
                read=self._wording.source(case.given.source, case.given.confidence),
            )
            for case in found
        ]

    def _word(self, message: MessageSent, pledge: Pledge, goal: Goal) -> Word:
        """A goal with what became of it: the status of its promise, or that nobody took the offer."""
        said = self._wording.goal(goal)
        if pledge.act not in GIVING:
            return Word(said, "")
        same = [case for case in self._said.get(message.id, ()) if _is(case, goal)]
        if same:
            return self._judged(said, same[0])
        if pledge.act in ("promise", "threat"):
            return Word(said, "")
        return Word(said, _UNMADE.get(self._answered.get(message.id, ""), "untaken"))

    def _answer(self, message: MessageSent, goal: Goal) -> Word:
        """A goal that the message wants from others, with what became of it if they gave their word."""
        said = self._wording.goal(goal)
        same = [case for case in self._taken.get(message.id, ()) if _is(case, goal)]
        return self._judged(said, same[0]) if same else Word(said, "")

    def _judged(self, said: str, case: Case) -> Word:
        tokens = case.fate.evidence_ids if case.breach else ()
        return Word(said, self._wording.fate_class(case), self._wording.fate(case), case.given.pid, tokens)


def _is(case: Case, goal: Goal) -> bool:
    """Whether a promise covers a goal; one given twice is kept as one, perhaps with another span of rounds."""
    kept = case.given.goal
    return (
        kept is not None
        and case.given.debtor == goal.by
        and kept.verb == goal.verb
        and dict(kept.args) == dict(goal.args)
        and kept.first <= goal.last
        and goal.first <= kept.last
    )
