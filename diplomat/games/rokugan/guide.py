"""How Rokugan is shown: see :class:`diplomat.core.guide.Guide`, which this module fulfils function by function."""

from __future__ import annotations

from collections.abc import Mapping

from diplomat.core.audience import Seat
from diplomat.core.events import Event
from diplomat.games.rokugan import events as ev
from diplomat.games.rokugan import signs
from diplomat.games.rokugan.aliases import aliases
from diplomat.games.rokugan.boardlines import board_lines, chapter, score_table
from diplomat.games.rokugan.brief import brief
from diplomat.games.rokugan.knowledge import Known
from diplomat.games.rokugan.places import place
from diplomat.games.rokugan.signs import word
from diplomat.games.rokugan.text import changing, landscape

__all__ = [
    "aliases",
    "answer_fields",
    "badge",
    "board_lines",
    "brief",
    "changing",
    "chapter",
    "concerns",
    "headline",
    "is_quiet",
    "landscape",
    "once",
    "opens_chapter",
    "pictured",
    "pledge_fields",
    "score_table",
    "section",
    "word",
]

QUIET: tuple[type[Event], ...] = (
    ev.RoundBegan,
    ev.HandGrew,
    ev.ExchangeMade,
    ev.TalkWaveEnded,
    ev.PlacementBegan,
    ev.TokensTurnedUp,
    ev.MapCleared,
    ev.ObjectiveRevealed,
    ev.SeatScored,
    ev.GameWon,
)
"""Events that the page shows in another way: as headings, pictures or the table of the result."""

Facts = Mapping[str, str | tuple[Seat, ...]]


def badge(known: Known, seat: Seat, lang: str) -> tuple[str, str]:
    """A seat's letter and colour."""
    return signs.letter(known.board, seat, lang), signs.colour(known.board, seat)


def opens_chapter(event: Event) -> int | None:
    """The number of the round that begins."""
    return event.round if isinstance(event, ev.RoundBegan) else None


def section(event: Event) -> str | None:
    """The part of a round that begins with this event."""
    if isinstance(event, ev.RoundBegan):
        return "talk"
    if isinstance(event, ev.TalkWaveEnded):
        return "prepare" if event.last else None
    if isinstance(event, ev.PlacementBegan):
        return "place"
    return "resolve" if isinstance(event, ev.TokensTurnedUp) else None


def once(form: str) -> bool:
    """Preparation is asked for once a round."""
    return form == "prepare"


def pictured(event: Event) -> bool:
    """Whether the map is worth a picture just after this event."""
    return isinstance(event, ev.TokensTurnedUp)


def is_quiet(event: Event) -> bool:
    """Whether the page gives the event no line of its own."""
    return isinstance(event, QUIET)


def headline(event: Event, before: Known, lang: str) -> tuple[str, Facts] | None:
    """An event that belongs in the summary: a template and its places, seats as tuples of seats."""
    del before
    found = _headline(event, lang)
    return None if found is None else (signs.words(lang).entries[f"headline.{found[0]}"], found[1])


def _headline(event: Event, lang: str) -> tuple[str, Facts] | None:
    if isinstance(event, ev.BattleFought):
        return _battle(event, signs.province_name(event.province, lang))
    if isinstance(event, ev.ProvinceScorched):
        facts: dict[str, str | tuple[Seat, ...]] = {
            "province": signs.province_name(event.province, lang),
            "seats": event.by,
        }
        if event.owner is None:
            return "scorched_free", facts
        return "scorched", {**facts, "owner": (event.owner,)}
    if isinstance(event, ev.PeaceMade):
        return "peace", {"seat": (event.by,), "province": signs.province_name(event.province, lang)}
    if isinstance(event, ev.TerritoryCardTaken):
        return "territory", {"seat": (event.seat,), "territory": signs.territory_name(event.territory, lang)}
    return None


def _battle(event: ev.BattleFought, province: str) -> tuple[str, Facts] | None:
    owner = event.defence.seat
    if event.winner is not None:
        if owner is None:
            return "settled", {"seat": (event.winner,), "province": province}
        return "taken", {"seat": (event.winner,), "province": province, "owner": (owner,)}
    if owner is None:
        return None
    attackers = tuple(attack.seat for attack in event.attacks if attack.seat is not None)
    return "held", {"owner": (owner,), "province": province, "seats": attackers}


def concerns(event: Event, known: Known) -> bool:
    """Somebody else's token against a province of this seat in which no token of its own lies."""
    if not isinstance(event, ev.TokenLaid) or known.seat is None or event.seat == known.seat:
        return False
    target, board = place(event.place).target, known.board
    own = (laid.place for laid in board.tokens.values() if laid.seat == known.seat)
    return board.owner(target) == known.seat and target not in own


def answer_fields() -> Mapping[str, str]:
    """The fields of all answers: placing, looking, setting up, preparing."""
    texts = ("act", "token", "place", "target", "province", "exchange")
    return {**dict.fromkeys(texts, "text"), "cards": "list"}


def pledge_fields() -> tuple[str, ...]:
    """The arguments of the verbs, each once."""
    return ("target", "province", "territory")
