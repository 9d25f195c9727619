"""One game from settings to result: seats, agents, table, transcript."""

from __future__ import annotations

import contextlib
import math
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from diplomat import __version__
from diplomat.core.audience import Seat
from diplomat.core.dice import commitment
from diplomat.core.errors import BadSettings, CannotWrite, UnknownName, UsageError
from diplomat.core.events import Event
from diplomat.core.game import Game, Outcome
from diplomat.core.proceedings import SeedSealed
from diplomat.core.texts import LANGUAGES
from diplomat.games import find
from diplomat.table.referee import Referee
from diplomat.table.seating import Chair, agent_for, chairs, place_wishes, seats_of, table_size
from diplomat.table.table import Table, finish, run
from diplomat.transcript.schema import Header, SeatEntry
from diplomat.transcript.writer import Writer


@dataclass(frozen=True, slots=True)
class SeatResult:
    """How one seat ended."""

    seat: str
    agent: str
    profile: str | None
    score: int
    won: bool


@dataclass(frozen=True, slots=True)
class GameResult:
    """What a finished game leaves."""

    game: str
    seed: str
    seats: tuple[SeatResult, ...]
    winners: tuple[str, ...]
    events: int
    transcript: Path | None = None


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


def prepare(
    game: str | Game[Any, Any] = "rokugan",
    seats: int | Mapping[str, str] | None = None,
    *,
    players: int | None = None,
    seed: int | str | None = None,
    lang: str = "en",
    settings: Mapping[str, Any] | None = None,
    deadline: float | None = None,
) -> Session:
    """Checks everything that can be wrong before a game, and sets the table.

    ``seats`` is a number of seats, or maps a seat (``s1``) or a role (``crab``) to
    ``AGENT[:PROFILE]``; ``players`` gives the size of the table beside such a map.  Without a
    seed one is drawn.  ``deadline`` is in seconds per answer: a player that has not answered by
    then gets the default.  Errors: UnknownName, BadSettings, BadProfile, UsageError.
    """
    chosen = find(game) if isinstance(game, str) else game
    if lang not in LANGUAGES:
        raise UnknownName("language", lang, LANGUAGES)
    if seats is not None and not isinstance(seats, (int, Mapping)):
        raise UsageError(
            "seats is a number, or maps a seat or a role to AGENT[:PROFILE], like {'crab': 'scripted:honest'}"
        )
    if deadline is not None and not _is_duration(deadline):
        raise UsageError(f"deadline is a number of seconds above 0, not {deadline!r}")
    wishes = dict(seats) if isinstance(seats, Mapping) else {}
    number = seats if isinstance(seats, int) else players
    if players is not None and players != number:
        raise UsageError(f"seats={seats} and players={players} contradict each other; give one of them")
    size = table_size(chosen, number, wishes)
    places = seats_of(size)
    raw: dict[str, Any] = _copied(settings or {})
    by_seat = place_wishes(chosen, places, wishes, raw)
    drawn = str(seed) if seed is not None else secrets.token_hex(16)
    return Session(
        game=chosen,
        settings=_settings(chosen, raw, places),
        chairs=chairs(chosen, places, by_seat, lang, drawn),
        seed=drawn,
        lang=lang,
        deadline=deadline,
    )


def _is_duration(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and value > 0 and math.isfinite(value)


def _copied(table: Mapping[str, Any]) -> dict[str, Any]:
    return {key: _copied(value) if isinstance(value, Mapping) else value for key, value in table.items()}


def _settings(game: Game[Any, Any], raw: Mapping[str, Any], seats: tuple[Seat, ...]) -> Any:
    try:
        model = game.settings.model_validate(dict(raw))
    except ValidationError as fault:
        raise BadSettings(_setting_fault(game, fault)) from None
    for seat in getattr(model, "clans", {}):
        if seat not in seats:
            raise UnknownName("seat", seat, seats, where="settings")
    return model


def _setting_fault(game: Game[Any, Any], fault: ValidationError) -> str:
    first = fault.errors()[0]
    where = ".".join(str(part) for part in first["loc"])
    if first["type"] == "extra_forbidden":
        return str(UnknownName("setting", where, game.settings.model_fields))
    if first["type"].startswith(("int_", "greater_than", "less_than")):
        return f"setting {where}: must be {_whole(game, where)}, not {first['input']!r}"
    text = str(first["msg"]).removeprefix("Value error, ")
    return f"setting {where}: {text[0].lower()}{text[1:]}, not {first['input']!r}" if where else text


def _whole(game: Game[Any, Any], field: str) -> str:
    """The whole numbers that a setting allows, in words."""
    limits = game.settings.model_json_schema()["properties"].get(field, {})
    if "minimum" in limits and "maximum" in limits:
        return f"a whole number from {limits['minimum']} to {limits['maximum']}"
    return "a whole number"


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def play(
    game: str | Game[Any, Any] = "rokugan",
    seats: int | Mapping[str, str] | None = None,
    *,
    players: int | None = None,
    seed: int | str | None = None,
    lang: str = "en",
    settings: Mapping[str, Any] | None = None,
    out: Path | str | None = None,
    force: bool = False,
    deadline: float | None = None,
) -> GameResult:
    """Plays a whole game and returns its result; see :func:`prepare` for the arguments."""
    session = prepare(game, seats, players=players, seed=seed, lang=lang, settings=settings, deadline=deadline)
    work = session.play(Path(out) if out is not None else None, force=force)
    return finish(work) if session.instant else run(work)


async def play_async(
    game: str | Game[Any, Any] = "rokugan",
    seats: int | Mapping[str, str] | None = None,
    *,
    players: int | None = None,
    seed: int | str | None = None,
    lang: str = "en",
    settings: Mapping[str, Any] | None = None,
    out: Path | str | None = None,
    force: bool = False,
    deadline: float | None = None,
) -> GameResult:
    """The asynchronous twin of :func:`play`."""
    session = prepare(game, seats, players=players, seed=seed, lang=lang, settings=settings, deadline=deadline)
    return await session.play(Path(out) if out is not None else None, force=force)
