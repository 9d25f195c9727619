"""Everything that can be wrong before a game is checked here, before anything is played."""

from __future__ import annotations

import math
import secrets
from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from diplomat.core.audience import Seat
from diplomat.core.errors import BadSettings, UnknownName, UsageError
from diplomat.core.game import Game
from diplomat.core.texts import LANGUAGES
from diplomat.games import find
from diplomat.session.models import Models
from diplomat.session.session import Session
from diplomat.table.seating import chairs, place_wishes, seats_of, table_size


def prepare(
    game: str | Game[Any, Any] = "rokugan",
    seats: int | Mapping[str, str] | None = None,
    *,
    players: int | None = None,
    seed: int | str | None = None,
    lang: str = "en",
    settings: Mapping[str, Any] | None = None,
    deadline: float | None = None,
    everyone: str | None = None,
    models: Models | None = None,
) -> Session:
    """Checks everything that can be wrong before a game, and sets the table.

    ``seats`` is a number of seats, or maps a seat (``s1``) or a role (``crab``) to
    ``AGENT[:PROFILE]``; ``players`` gives the size of the table beside such a map.  Without a
    seed one is drawn.  ``deadline`` is in seconds per answer: a player that has not answered by
    then gets the default.  ``everyone`` fills the seats that are not named; ``models`` says how
    language models are called.  Errors: UnknownName, BadSettings, BadProfile, UsageError.
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
    if seed is not None and not str(seed).strip():
        raise UsageError("a seed needs at least one character; without one it is drawn")
    wishes = dict(seats) if isinstance(seats, Mapping) else {}
    number = seats if isinstance(seats, int) else players
    if players is not None and players != number:
        raise UsageError(f"seats={seats} and players={players} contradict each other; give one of them")
    size = table_size(chosen, number, wishes)
    places = seats_of(size)
    raw: dict[str, Any] = _copied(settings or {})
    by_seat = place_wishes(chosen, places, wishes, raw)
    drawn = str(seed) if seed is not None else secrets.token_hex(16)
    seated = chairs(chosen, places, by_seat, lang, drawn, everyone)
    called = models or Models()
    session = Session(
        game=chosen,
        settings=_settings(chosen, raw, places),
        chairs=seated,
        seed=drawn,
        lang=lang,
        deadline=deadline,
        models=called,
    )
    called.check(session.endpoints)
    return session


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
