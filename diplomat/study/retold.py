"""What decided a promise, in the game's words: the moves that the ledger names by id, and what came of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from diplomat.core.errors import DiplomatError
from diplomat.core.game import Game
from diplomat.core.talk import clean
from diplomat.games import find
from diplomat.study.ledger import Ledger
from diplomat.study.rows import EVERYBODY, Promise, Resolution
from diplomat.study.write import study_texts
from diplomat.transcript.reader import Transcript, read
from diplomat.transcript.replay import known_to


class Retold:
    """One game of a study, put into words again."""

    def __init__(self, ledger: Ledger, file: str, lang: str) -> None:
        """``file`` is the log; if it cannot be read any more, moves and events are named by id and number."""
        self.game: Game[Any, Any] = find(ledger.game)
        self._lang = lang
        self._transcript: Transcript | None = None
        with suppress(DiplomatError):
            self._transcript = read(Path(file))

    def role(self, name: str) -> str:
        """What the game calls a role, such as a clan; everybody has a word too, and anything else stays as it is."""
        if name == EVERYBODY:
            return study_texts(self._lang).say("plot.card.everybody")
        return clean(self.game.guide.word("clan", name, self._lang) or name)

    def goal(self, promise: Promise, names: Mapping[str, str]) -> str:
        """A goal as a sentence; ``names`` are the roles of seats."""
        assert promise.goal is not None, "only promises with a goal are judged"
        shown = {seat: self.role(name) for seat, name in names.items()}
        return clean(self.game.pledges.text(promise.goal, self.game.texts(self._lang), shown))

    def order(self, end: Resolution) -> str:
        """The moves that decided it."""
        return "; ".join(self._moves(end.evidence_ids)) or ", ".join(end.evidence_ids)

    def event(self, end: Resolution) -> str:
        """What came of them, as far as it concerns these moves."""
        return "; ".join(self._came(n, end.evidence_ids) for n in end.evidence)

    def _moves(self, ids: Sequence[str]) -> Iterator[str]:
        lines = () if self._transcript is None else self._transcript.lines
        for one in ids:
            first = next((line for line in lines if getattr(line.event, "id", None) == one), None)
            yield one if first is None else self._told(first.n, first.event) or one

    def _came(self, n: int, ids: Sequence[str]) -> str:
        found = None if self._transcript is None else next((x for x in self._transcript.lines if x.n == n), None)
        if found is None:
            return f"#{n}"
        event: Any = found.event
        tokens = tuple(token for token in getattr(event, "tokens", ()) if getattr(token, "id", None) in ids)
        return self._told(n, replace(event, tokens=tokens) if tokens else event) or f"#{n}"

    def _told(self, n: int, event: Any) -> str:
        """As everybody was told it then."""
        assert self._transcript is not None, "a line was found in it"
        before = known_to(self._transcript, None, n - 1)
        return clean(self.game.story.tell(event, before, self._lang) or "").rstrip(".")
