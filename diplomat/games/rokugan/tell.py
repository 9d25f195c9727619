"""Rokugan told: one sentence for every event worth telling."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from diplomat.core import proceedings as table
from diplomat.core.events import Event
from diplomat.games.rokugan import events as ev
from diplomat.games.rokugan import tell_resolution as resolution
from diplomat.games.rokugan.asking import ask
from diplomat.games.rokugan.content import BLUFF, clans, kind, objectives
from diplomat.games.rokugan.knowledge import Known
from diplomat.games.rokugan.text import text
from diplomat.games.rokugan.wording import Words, declined, seat_names, words

__all__ = ["UNTOLD", "Story", "ask", "text"]

Telling = Callable[[Words, Known, Any], str | None]

UNTOLD: tuple[type[Event], ...] = (
    ev.TalkTurnTaken,
    ev.SeatReady,
    ev.TurnPassedTo,
    table.SeedSealed,
    table.DiceChanged,
    table.MessageSent,
    table.PlanSealed,
    table.NoteSealed,
    table.AnswerGiven,
)
"""Events without a sentence: what follows from them is told, or messages and notes are shown as such."""


class Story:
    """See :class:`diplomat.core.game.Storyteller`."""

    def names(self, known: Known, lang: str) -> Mapping[str, str]:
        """Seats by the names of their clans, once these are known."""
        return seat_names(known.board, lang)

    def tell(self, event: Event, before: Known, lang: str) -> str | None:
        """One event as a sentence, from what the viewer knew just before it."""
        telling = _TELL.get(type(event))
        return None if telling is None else telling(words(lang), before, event)


def _seat_only(key: str) -> Telling:
    """A sentence that needs nothing but the event's seat."""

    def telling(w: Words, known: Known, event: Any) -> str:
        return w.say(f"event.{key}", **w.who(known.board, "seat", event.seat))

    return telling


def _clan_taken(w: Words, _known: Known, event: ev.ClanTaken) -> str:
    clan = declined("clan", clans()[event.clan].texts[w.lang], w.lang)
    return w.say("event.clan_taken", seat=event.seat, **clan)


def _card_laid(w: Words, _known: Known, event: ev.TerritoryCardLaid) -> str:
    return w.say("event.territory_card_laid", territory=w.territory(event.territory), card=w.card(event.card))


def _control_placed(w: Words, known: Known, event: ev.ControlPlaced) -> str:
    key = "capital_given" if known.board.first is None else "control_placed"
    seat = w.who(known.board, "seat", event.seat)
    return w.say(f"event.{key}", province=w.province(event.province), **seat)


def _objective_dealt(w: Words, known: Known, event: ev.ObjectiveDealt) -> str:
    return w.say("event.objective_dealt", **_objective(w, event.objective), **w.who(known.board, "seat", event.seat))


def _objective(w: Words, name: str) -> dict[str, object]:
    return {"objective": w.objective(name), "condition": w.condition(name), "bonus": objectives()[name].bonus}


def _pool_shuffled(w: Words, known: Known, event: ev.PoolShuffled) -> str:
    """Nobody learns the order before the reveal; it stands in the log."""
    tokens = w.count("token", len(event.faces))
    return w.say("event.pool_shuffled", tokens=tokens, **w.who(known.board, "seat", event.seat))


def _round_began(w: Words, known: Known, event: ev.RoundBegan) -> str:
    first = w.who(known.board, "first", event.first)
    return w.say("event.round_began", round=event.round, rounds=known.board.rounds, **first)


def _tokens_drawn(w: Words, known: Known, event: ev.TokensDrawn) -> str:
    return w.say("event.tokens_drawn", tokens=w.faces(event.faces), **w.who(known.board, "seat", event.seat))


def _hand_grew(w: Words, known: Known, event: ev.HandGrew) -> str | None:
    """Its owner has just been told which tokens these are."""
    if event.seat == known.seat:
        return None
    return w.say("event.hand_grew", tokens=w.count("token", event.drawn), **w.who(known.board, "seat", event.seat))


def _wave_ended(w: Words, _known: Known, event: ev.TalkWaveEnded) -> str | None:
    return w.say("event.talk_ended") if event.last else None


def _preparation_sealed(w: Words, known: Known, event: ev.PreparationSealed) -> str | None:
    """What a seat means to play and exchange; nothing is said of nothing."""
    parts = [
        w.say("event.sealed_card", card=w.card(known.board.cards[t]), territory=w.territory(t)) for t in event.cards
    ]
    if event.exchange is not None:
        parts.append(w.say("event.sealed_exchange", face=w.face(event.exchange)))
    if not parts:
        return None
    return w.say("event.preparation_sealed", choice=w.listed(parts), **w.who(known.board, "seat", event.seat))


def _card_played(w: Words, known: Known, event: ev.CardPlayed) -> str:
    facts = {"card": w.card(event.card), "territory": w.territory(event.territory)}
    effect = w.say(f"effect.{event.card}")
    return w.say("event.card_played", effect=effect, **facts, **w.who(known.board, "seat", event.seat))


def _token_exchanged(w: Words, known: Known, event: ev.TokenExchanged) -> str:
    facts = {"returned": w.face(event.returned), "drawn": w.face(event.drawn)}
    return w.say("event.token_exchanged", **facts, **w.who(known.board, "seat", event.seat))


def _exchange_made(w: Words, known: Known, event: ev.ExchangeMade) -> str | None:
    """Its owner has just been told which tokens these are."""
    return None if event.seat == known.seat else _seat_only("exchange_made")(w, known, event)


def _placement_began(w: Words, known: Known, _event: ev.PlacementBegan) -> str:
    return w.say("event.placement_began", **w.who(known.board, "first", known.board.order()[0]))


def _token_laid(w: Words, known: Known, event: ev.TokenLaid) -> str:
    return w.say("event.token_laid", where=w.where(event.place, "to"), **w.who(known.board, "seat", event.seat))


def _face_told(w: Words, _known: Known, event: ev.TokenChosen | ev.TokenSeen) -> str:
    """A remark after the sentence about the token, for those who may know."""
    what = kind(event.face)
    return w.say(f"event.{what if what in (BLUFF, 'raid') else 'face'}_told", face=w.face(event.face))


def _blessing_laid(w: Words, known: Known, event: ev.BlessingLaid) -> str:
    facts = {"face": w.face(event.face), "id": event.on, "where": w.where(known.board.tokens[event.on].place, "at")}
    return w.say("event.blessing_laid", **facts, **w.who(known.board, "seat", event.seat))


def _token_looked(w: Words, known: Known, event: ev.TokenLooked) -> str:
    token = known.board.tokens[event.id]
    facts = {"id": event.id, "where": w.where(token.place, "at"), **w.who(known.board, "owner", token.seat)}
    return w.say("event.token_looked", **facts, **w.who(known.board, "seat", event.seat))


def _returned(w: Words, known: Known, event: table.MessageReturned) -> str:
    return w.say("table.returned", why=w.why(event.problem), **w.who(known.board, "seat", event.sender))


def _pledge_returned(w: Words, known: Known, event: table.PledgeReturned) -> str:
    return w.say("event.pledge_returned", why=w.why(event.problem), **w.who(known.board, "seat", event.sender))


def _plan_returned(w: Words, known: Known, event: table.PlanReturned) -> str:
    return w.say("event.plan_returned", why=w.why(event.problem), **w.who(known.board, "seat", event.seat))


def _note_returned(w: Words, known: Known, event: table.NoteReturned) -> str:
    return w.say("event.note_returned", why=w.why(event.problem), **w.who(known.board, "seat", event.seat))


def _refused(w: Words, known: Known, event: table.AnswerRefused) -> str:
    return w.say("table.refused", why=w.why(event.problem), **w.who(known.board, "seat", event.seat))


def _default_explained(w: Words, _known: Known, event: table.DefaultExplained) -> str:
    return w.say("event.default_explained", why=w.why(event.problem))


def _opened(w: Words, _known: Known, _event: table.GameOpened) -> str:
    return w.say("event.game_opened")


_TELL: Mapping[type[Event], Telling] = {
    ev.ClanTaken: _clan_taken,
    ev.TerritoryCardLaid: _card_laid,
    ev.FirstPlayerDrawn: _seat_only("first_player_drawn"),
    ev.ControlPlaced: _control_placed,
    ev.ObjectiveDealt: _objective_dealt,
    ev.PoolShuffled: _pool_shuffled,
    ev.RoundBegan: _round_began,
    ev.TokensDrawn: _tokens_drawn,
    ev.HandGrew: _hand_grew,
    ev.TalkWaveEnded: _wave_ended,
    ev.PreparationSealed: _preparation_sealed,
    ev.CardPlayed: _card_played,
    ev.TokenExchanged: _token_exchanged,
    ev.ExchangeMade: _exchange_made,
    ev.PlacementBegan: _placement_began,
    ev.TokenLaid: _token_laid,
    ev.TokenChosen: _face_told,
    ev.BlessingLaid: _blessing_laid,
    ev.TokenLooked: _token_looked,
    ev.TokenSeen: _face_told,
    ev.PlacementPassed: _seat_only("placement_passed"),
    ev.TokensTurnedUp: resolution.turned_up,
    ev.BluffsRemoved: resolution.bluffs_removed,
    ev.ProvinceScorched: resolution.scorched,
    ev.PeaceMade: resolution.peace_made,
    ev.BattleFought: resolution.battle,
    ev.TerritoryCardTaken: resolution.card_taken,
    ev.MapCleared: resolution.map_cleared,
    ev.ObjectiveRevealed: resolution.objective_revealed,
    ev.SeatScored: resolution.scored,
    ev.GameWon: resolution.won,
    table.MessageReturned: _returned,
    table.PledgeReturned: _pledge_returned,
    table.PlanReturned: _plan_returned,
    table.NoteReturned: _note_returned,
    table.AnswerRefused: _refused,
    table.Defaulted: _seat_only("defaulted"),
    table.DefaultExplained: _default_explained,
    table.GameOpened: _opened,
}
