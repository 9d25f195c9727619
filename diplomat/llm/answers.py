"""The answers that a game has been given already: from an earlier part of it, or from a recording."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from diplomat.core.errors import OutOfTime
from diplomat.llm.base import Completion
from diplomat.llm.blocks import Fingerprint
from diplomat.llm.calls import OtherRequest
from diplomat.llm.entries import Entry


@dataclass(frozen=True, slots=True)
class Settled:
    """What the log of a game that goes on says of its questions, each written ``SEAT/REQUEST``."""

    answered: frozenset[str]
    """Those whose answer or default stands in the log."""
    expired: frozenset[str] = frozenset()
    """Those of them whose player was not quick enough."""


class Answers:
    """Finished calls by id."""

    def __init__(
        self,
        entries: Iterable[Entry],
        where: Path | None,
        *,
        strict: bool,
        settled: Settled | None = None,
        forgotten: Iterable[Entry] = (),
    ) -> None:
        """``strict``: whether a call that is not there is an error.

        With ``settled`` only calls of settled questions have to fit; others count if they were
        answered and fit, and are made anew if not: a fault or another prompt belongs to a part of the
        game that never came into its log.  ``forgotten`` are calls that only count as paid for.
        """
        self._entries = {entry.id: entry for entry in entries}
        self._forgotten = list(forgotten)
        self._where = where
        self._strict = strict
        self._settled = settled

    def __len__(self) -> int:
        return len(self._entries)

    def all(self) -> tuple[Entry, ...]:
        """All finished calls, those included that were made anew."""
        return (*self._forgotten, *self._entries.values())

    def add(self, entry: Entry) -> None:
        """Keeps a call that has just finished: asked again, it gives the same."""
        self._entries[entry.id] = entry

    def get(self, call_id: str, request: Fingerprint) -> Completion | None:
        """The answer; None if the call has yet to be made.

        Raises what the call ended in then (ProviderFault, OutOfTime), and OtherRequest if the
        recording does not belong to this game.
        """
        entry = self._entries.get(call_id)
        question = call_id.rpartition("#")[0]
        is_open = self._settled is not None and question not in self._settled.answered
        if (
            entry is not None
            and is_open
            and not self._strict
            and (entry.status != "done" or entry.request.sha != request.sha)
        ):
            self._forgotten.append(self._entries.pop(call_id))
            return None
        if entry is None:
            if self._settled is not None and question in self._settled.expired:
                raise OutOfTime(f"the call {call_id} was not answered within the table's deadline")
            if self._strict or (self._settled is not None and not is_open):
                raise OtherRequest(
                    f"the recording {self._where} holds no call {call_id}; it belongs to another game, "
                    "another version, or a game that was not finished"
                )
            return None
        if entry.request.sha != request.sha:
            raise OtherRequest(
                f"the recording {self._where} holds another request for {call_id} "
                f"({_difference(entry.request, request)}); it was made with another seed, or with other seats, rules, "
                "prompts or settings"
            )
        if entry.status == "expired":
            raise OutOfTime(f"the call {call_id} was not answered within the table's deadline")
        if entry.completion is None:
            raise entry.again()
        return entry.completion


def _difference(recorded: Fingerprint, now: Fingerprint) -> str:
    """Where two requests part, for whoever looks for the reason."""
    if recorded.system != now.system:
        return "other instructions"
    if recorded.turns != now.turns:
        pairs = zip(recorded.turns, now.turns, strict=False)
        place = next((number for number, (one, two) in enumerate(pairs, 1) if one != two), None)
        if place is None:
            return f"{len(recorded.turns)} turns then, {len(now.turns)} now"
        return f"turn {place} is another"
    if recorded.schema != now.schema:
        return "another form of reply"
    return "other limits of the reply"
