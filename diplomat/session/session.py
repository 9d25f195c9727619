"""One game that is set up: seats, agents, table, transcript."""

from __future__ import annotations

import contextlib
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from diplomat import __version__
from diplomat.core.audience import Seat
from diplomat.core.dice import commitment
from diplomat.core.errors import CannotWrite
from diplomat.core.events import Event
from diplomat.core.game import Game, Outcome
from diplomat.core.proceedings import SeedSealed
from diplomat.session.result import GameResult, SeatResult
from diplomat.table.referee import Referee
from diplomat.table.seating import Chair, agent_for
from diplomat.table.table import Table
from diplomat.transcript.schema import Header, SeatEntry
from diplomat.transcript.writer import Writer


@dataclass(frozen=True)
class Session:
    """A game that is set up and checked, ready to be played once."""

    game: Game[Any, Any]
    settings: Any
    chairs: tuple[Chair, ...]
    seed: str
    lang: str
    deadline: float | None = None
    nonce: str = field(default_factory=lambda: secrets.token_hex(16))

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats in table order."""
        return tuple(chair.seat for chair in self.chairs)

    @property
    def instant(self) -> bool:
        """Whether no seat ever waits, so that the game can be played without an event loop."""
        return self.deadline is None and all(chair.instant for chair in self.chairs)

    def header(self) -> Header:
        """The first line of the transcript; holds no secret."""
        return Header(
            game=self.game.id,
            edition=self.game.edition,
            rules_version=self.game.rules_version,
            settings=self.settings.model_dump(mode="json"),
            seats=tuple(
                SeatEntry(
                    seat=chair.seat,
                    agent=chair.agent,
                    profile=chair.profile.id if chair.profile else None,
                    profile_sha256=chair.profile.sha256() if chair.profile else None,
                    lang=chair.lang,
                )
                for chair in self.chairs
            ),
            lang=self.lang,
            package=__version__,
            commitment=commitment(self.seed, self.nonce),
            started=_now(),
        )

    def table(self) -> Table:
        """A fresh table with its referee and agents."""
        referee: Referee[Any, Any] = Referee(self.game, self.settings, self.seats, self.seed)
        agents = {chair.seat: agent_for(self.game, chair) for chair in self.chairs}
        return Table(referee, agents, deadline=self.deadline)

    async def play(
        self,
        out: Path | None = None,
        *,
        force: bool = False,
        hear: Callable[[Referee[Any, Any], int, Event], None] | None = None,
    ) -> GameResult:
        """Plays the game to its end; with ``out`` it is written down event by event.

        ``hear`` is called after each event with the referee, the event's number and the event.
        """
        table = self.table()
        writer = Writer(out, self.header(), _now, force=force) if out is not None else None
        if writer is not None:
            write = writer.hear
            table.referee.listen(lambda n, event: write(n, event, self._meta(event)))
        if hear is not None:
            show = hear
            table.referee.listen(lambda n, event: show(table.referee, n, event))
        try:
            outcome = await table.play()
        except BaseException:
            if writer is not None:
                with contextlib.suppress(CannotWrite):  # what went wrong first is what must be told
                    writer.close()
            raise
        if writer is not None:
            writer.close()
        return self._result(outcome, len(table.referee.log), out)

    def _meta(self, event: Event) -> dict[str, Any]:
        return {"nonce": self.nonce} if isinstance(event, SeedSealed) else {}

    def _result(self, outcome: Outcome, events: int, out: Path | None) -> GameResult:
        seats = tuple(
            SeatResult(
                seat=chair.seat,
                agent=chair.agent,
                profile=chair.profile.id if chair.profile else None,
                score=outcome.scores[chair.seat],
                won=chair.seat in outcome.winners,
            )
            for chair in self.chairs
        )
        return GameResult(self.game.id, self.seed, seats, tuple(outcome.winners), events, out)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
