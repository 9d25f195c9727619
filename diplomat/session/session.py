"""One game that is set up: seats, agents, table, transcript."""

from __future__ import annotations

import contextlib
import secrets
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from diplomat import __version__
from diplomat.agents.base import Agent
from diplomat.core.audience import Seat
from diplomat.core.dice import commitment
from diplomat.core.errors import CannotWrite
from diplomat.core.events import Event
from diplomat.core.game import Game, Outcome
from diplomat.core.proceedings import SeedSealed
from diplomat.llm.answers import Settled
from diplomat.llm.names import Endpoint
from diplomat.session.fork import Fork, Shared
from diplomat.session.models import Models, Unbound, bill_of, desk_for, served, settled, take_calls
from diplomat.session.result import GameResult, SeatResult
from diplomat.table.referee import Referee
from diplomat.table.seating import Chair, ModelSeat, agent_for
from diplomat.table.table import Table
from diplomat.transcript.digests import NAME as DIGEST
from diplomat.transcript.digests import digest_of
from diplomat.transcript.reader import Transcript
from diplomat.transcript.resume import Resumed, resume
from diplomat.transcript.schema import Header, SeatEntry
from diplomat.transcript.writer import Writer

if TYPE_CHECKING:
    from diplomat.llm.desk import Desk


@dataclass(frozen=True)
class Session:
    """A game that is set up and checked, ready to be played once."""

    game: Game[Any, Any]
    settings: Any
    chairs: tuple[Chair, ...]
    seed: str
    lang: str
    deadline: float | None = None
    models: Models = field(default_factory=Models)
    fork: Fork | None = None
    """Where and how this game leaves the one that it was forked from."""
    parent: Transcript | None = None
    """The log that it is forked from, when it begins."""
    nonce: str = field(default_factory=lambda: secrets.token_hex(16))

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats in table order."""
        return tuple(chair.seat for chair in self.chairs)

    @property
    def instant(self) -> bool:
        """Whether no seat ever waits, so that the game can be played without an event loop."""
        return self.deadline is None and all(chair.instant for chair in self._players)

    @property
    def _players(self) -> tuple[Chair, ...]:
        """Everybody who ever plays, those included who hand over their seat at a fork."""
        return self.chairs if self.fork is None else (*self.fork.before, *self.chairs)

    def header(self, log: Path | None = None) -> Header:
        """The first line of the transcript in ``log``; holds no secret."""
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
                    model=chair.endpoint.model if chair.endpoint else None,
                )
                for chair in self.chairs
            ),
            lang=self.lang,
            package=__version__,
            commitment=commitment(self.seed, self.nonce),
            started=_now(),
            options=self._options(log),
            parent=self.fork.parent() if self.fork is not None else None,
        )

    def _options(self, log: Path | None) -> dict[str, Any]:
        options: dict[str, Any] = {"deadline": self.deadline}
        if self.endpoints:
            options |= self.models.options(log)
        if self.fork is not None:
            options["fork"] = self.fork.options()
        return options

    @property
    def endpoints(self) -> tuple[Endpoint, ...]:
        """The language models of this table, each once, in table order."""
        return tuple(dict.fromkeys(chair.endpoint for chair in self._players if chair.endpoint is not None))

    def table(self, model: ModelSeat | None = None) -> Table:
        """A fresh table with its referee and agents; ``model`` makes those that a language model plays."""
        referee: Referee[Any, Any] = Referee(self.game, self.settings, self.seats, self.seed)
        agents = {chair.seat: agent_for(self.game, chair, model) for chair in self.chairs}
        if self.fork is None:
            return Table(referee, agents, deadline=self.deadline)
        make = partial(agent_for, self.game, model=model)
        for seat, agent in agents.items():
            agents[seat] = self.fork.player(seat, agent, make, lambda: len(referee.log))
        dice = None if self.fork.seed is None else (self.fork.at, self.fork.seed)
        return Table(referee, agents, deadline=self.deadline, other_dice=dice)

    async def play(
        self,
        out: Path | None = None,
        *,
        force: bool = False,
        hear: Callable[[Referee[Any, Any], int, Event], None] | None = None,
        going_on: bool = False,
    ) -> GameResult:
        """Plays the game to its end; with ``out`` it is written down event by event.

        ``hear`` is called after each event with the referee, the event's number and the event.  With
        ``going_on`` the log in ``out`` is continued: what it holds is played again and compared.
        """
        log = self._log(out, force=force, going_on=going_on)
        try:
            async with self._called(out, log, force=force) as (model, desk):
                table = self.table(model)
                if self.fork is not None and self.parent is not None:
                    table.referee.listen(Shared(self.parent, self.fork.at).hear)
                if log is not None:
                    table.referee.listen(partial(self._write, log, desk, table.referee))
                if hear is not None:
                    show = hear
                    table.referee.listen(lambda n, event: show(table.referee, n, event))
                outcome = await table.play()
                bill = bill_of(desk, self.chairs) if desk is not None else ()
        except BaseException:
            if log is not None:
                with contextlib.suppress(CannotWrite):  # what went wrong first is what must be told
                    log.close()
            raise
        if log is not None:
            log.close()
        result = replace(self._result(outcome, len(table.referee.log), out), bill=bill)
        if isinstance(log, Resumed) and log.repaired is not None:
            result = replace(result, repaired=str(log.repaired))
        return result if log is None else replace(result, chain=log.chain)

    def _log(self, out: Path | None, *, force: bool, going_on: bool) -> Writer | Resumed | None:
        if out is None:
            return None
        header = self.header(out)
        return resume(out, _now, header) if going_on else Writer(out, header, _now, force=force)

    @asynccontextmanager
    async def _called(
        self, out: Path | None, log: Writer | Resumed | None, *, force: bool
    ) -> AsyncIterator[tuple[ModelSeat | None, Desk | None]]:
        """What makes the players that are language models, and the desk through which they call."""
        endpoints = self.endpoints
        if not endpoints:
            yield None, None
            return
        done: Settled | None = None
        if isinstance(log, Resumed):
            done = settled(log.transcript)
        elif self.fork is not None and self.parent is not None and out is not None:
            done = settled(self.parent, self.fork.at, self.fork.cut)
            take_calls(self.parent, out, done, force=force)
        with served(endpoints, running=self.models.replay is None) as places:
            desk = desk_for(self.models, tuple(places.values()), out, self.seed, force=force, done=done)
            async with desk:
                yield partial(self._model_seat, desk, places), desk

    def _model_seat(self, desk: Desk, places: Mapping[Endpoint, Endpoint], chair: Chair) -> Agent:
        from diplomat.agents.llm import LlmAgent

        assert chair.endpoint is not None
        assert chair.profile is not None
        return LlmAgent(
            self.game,
            chair.seat,
            self.settings,
            self.seats,
            chair.profile,
            chair.lang,
            places[chair.endpoint],
            desk if self.models.constrained else Unbound(desk),
            pace="plan" if self.models.pace == "plan" else "step",
            level="compact" if chair.endpoint.kind == "local" else "full",
            exact=None if self.models.constrained else False,
        )

    def _write(
        self, log: Writer | Resumed, desk: Desk | None, referee: Referee[Any, Any], n: int, event: Event
    ) -> None:
        meta = self._meta(referee, event)
        if desk is not None and DIGEST in meta:
            desk.save()  # the log is made safe with this line, and would be worth little without its calls
        log.hear(n, event, meta)

    def _meta(self, referee: Referee[Any, Any], event: Event) -> dict[str, Any]:
        if isinstance(event, SeedSealed):
            return {"nonce": self.nonce, **(self.fork.sealed() if self.fork is not None else {})}
        return dict(digest_of(referee, event, self.nonce))

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
