"""What the agent itself has to say about a reply: in the sealed note, and to the model at the next question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from diplomat.agents.llm.failures import Failure
from diplomat.agents.llm.memory import REMARK, own_words
from diplomat.agents.llm.safe import clipped, line
from diplomat.agents.llm.speech import MOST_FAULTS, Fault
from diplomat.agents.llm.steps import Step
from diplomat.core.texts import Texts


@dataclass(slots=True)
class Remarks:
    """Remarks that are not written down yet."""

    texts: Texts
    _kept: list[str] = field(default_factory=list)
    _unread: list[str] = field(default_factory=list)

    def step(self, step: Step, request: str) -> None:
        """An answer came from a plan, past some steps that were not possible."""
        self._kept.append(self.texts.say("remark.step", number=step.number, request=line(request)))
        if step.skipped:
            self._kept.append(self.texts.say("remark.skipped", numbers=", ".join(map(str, step.skipped))))

    def failed(self, failures: Sequence[Failure]) -> None:
        """Replies before the good one were of no use."""
        if failures:
            self._kept.append(self.texts.say("remark.failed", failures=", ".join(map(str, failures))))

    def faults(self, faults: Sequence[Fault]) -> None:
        """Parts of a good reply were of no use."""
        told = [
            self.texts.say("unused", where=f.where, why=self.texts.say(f"fault.{f.code}"), found=line(f.found))
            for f in faults[:MOST_FAULTS]
        ]
        if len(faults) > MOST_FAULTS:
            told.append(self.texts.say("remark.more", count=len(faults) - MOST_FAULTS))
        if told:
            self._kept.append(self.texts.say("remark.fault", faults="; ".join(told)))
        self._unread = told

    def unread(self) -> Sequence[str]:
        """What the model has not been told yet; it counts as told from now on."""
        told, self._unread = self._unread, []
        return told

    def note(self, own: str | None, limit: int) -> str | None:
        """The seat's note with the remarks below it; a note that is too long by itself goes out alone, to come back."""
        words = own_words(own or "")
        if 0 < limit < len(words):
            return words
        rows = [f"{REMARK} {remark}" for remark in self._kept]
        self._kept.clear()
        remarks = "\n".join(rows)
        if limit > 0:
            room = limit - len(words) - (1 if words else 0)
            remarks = clipped(remarks, room) if room > 1 else ""
        return "\n".join(part for part in (words, remarks) if part) or None
