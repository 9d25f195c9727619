"""Declared pledges as speech acts, as they stand; malformed ones are counted, never dropped."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from diplomat.core.pledges import ACTS
from diplomat.core.proceedings import MessageSent, PledgeReturned
from diplomat.study.sources import Past, Said

UNTRACKED = "untracked"
_NO_SUCH_VERB = "unknown_verb"


@dataclass(frozen=True, slots=True)
class Declared:
    """What seats declared beside their words."""

    but: frozenset[str] = frozenset()
    """Ids of messages for which a better source speaks."""
    name: str = "declared"

    def acts(self, message: MessageSent, past: Past) -> Iterable[Said]:
        """Every pledge of the message; its words are the whole message."""
        for pledge in message.pledges if message.id not in self.but else ():
            yield Said(pledge.act, pledge.goals, pledge.given, pledge.ref, 0, len(message.text))

    def left_out(self, event: PledgeReturned) -> Iterable[Said]:
        """A pledge that was returned to its sender: kept as a word that cannot be judged."""
        fault = UNTRACKED if event.problem.code == _NO_SUCH_VERB else event.problem.code
        if event.pledge.act in ACTS and event.message not in self.but:
            yield Said(event.pledge.act, event.pledge.goals, event.pledge.given, event.pledge.ref, fault=fault)
