"""The conversation with the model: finished exchanges of a chapter, and the one that is going on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from diplomat.agents.llm.failures import Failure
from diplomat.agents.llm.prompt import Level, Sheet
from diplomat.agents.llm.safe import clipped, tokens
from diplomat.llm.base import Part, Turn

TRIES = 3
"""Calls of the model for one question, whatever is wrong with what comes back."""
LONGEST_ECHO = 1500
"""Characters of an unusable reply that the model gets to see again."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """A question and the reply to it, as they stay in the conversation."""

    asked: str
    replied: str


@dataclass(slots=True)
class Asking:
    """The question that is going on, with the replies to it that were of no use."""

    request: str
    sheet: Sheet
    text: str
    faults: Sequence[str]
    """What was not used of the reply before; kept for when the question has to be put in another way."""
    max_output: int
    calls: int = 0
    failures: list[Failure] = field(default_factory=list)
    again: list[Turn] = field(default_factory=list)
    """Turns of the second and third try."""
    tail: str = ""
    """What the first turn has got to its end since, for replies that were no turn."""

    @property
    def spent(self) -> bool:
        """Whether no call is left."""
        return self.calls >= TRIES

    def restart(self) -> None:
        """Forgets the replies of no use; the question is put in another way."""
        self.again.clear()
        self.tail = ""

    def turns(self, past: Sequence[Exchange]) -> tuple[Turn, ...]:
        """The conversation for the next call."""
        made = [turn for each in past for turn in (Turn("user", each.asked), Turn("assistant", each.replied))]
        made.append(Turn("user", self.text + self.tail))
        made += self.again
        made[0] = Turn("user", made[0].text, keep=True)
        made[-1] = Turn(made[-1].role, made[-1].text, keep=True)
        return tuple(made)

    def answered(self, reply: str, second: str) -> None:
        """The reply was a turn of its own; the second question follows it."""
        self.again += [Turn("assistant", clipped(reply.strip(), LONGEST_ECHO)), Turn("user", second)]

    def unanswered(self, second: str) -> None:
        """There is no reply to show; the second question is added to the last turn."""
        if self.again:
            self.again[-1] = Turn("user", f"{self.again[-1].text}\n\n{second}")
        else:
            self.tail += f"\n\n{second}"


def size(system: Sequence[Part], turns: Sequence[Turn]) -> int:
    """About how many tokens a prompt has."""
    return sum(tokens(part.text) for part in system) + sum(tokens(turn.text) for turn in turns)


def room_left(context: int, max_output: int, system: Sequence[Part], question: str) -> int:
    """Tokens left for the opening of a chapter."""
    return context - max_output - sum(tokens(part.text) for part in system) - tokens(question)


def next_level(level: Level) -> Level | None:
    """The next shorter way to tell it, None after the shortest."""
    return "short" if level == "full" else "compact" if level == "short" else None
