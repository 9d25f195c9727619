"""The resolution, its battles and the end of the game, told."""

from __future__ import annotations

from collections.abc import Iterable

from diplomat.core.audience import Seat
from diplomat.games.rokugan import events as ev
from diplomat.games.rokugan.board import Board, Score
from diplomat.games.rokugan.content import BLUFF, clans, objectives, strength
from diplomat.games.rokugan.knowledge import Known
from diplomat.games.rokugan.places import place
from diplomat.games.rokugan.signs import word
from diplomat.games.rokugan.wording import Words


def turned_up(w: Words, known: Known, event: ev.TokensTurnedUp) -> str:
    """All tokens by owner, each with its blessings and its place."""
    if not event.tokens:
        return w.say("event.turned_up_none")
    return w.say("event.tokens_turned_up", tokens=_by_owner(w, known.board, event.tokens))


def _by_owner(w: Words, board: Board, tokens: Iterable[ev.TurnedUp]) -> str:
    piles: dict[Seat, list[str]] = {}
    for token in tokens:
        piles.setdefault(token.seat, []).append(_token(w, token))
    return "; ".join(
        w.say("event.pile", tokens=", ".join(piles[seat]), **w.who(board, "seat", seat))
        for seat in board.order()
        if seat in piles
    )


def _token(w: Words, token: ev.TurnedUp) -> str:
    faces = " + ".join(w.face(face) for face in (token.face, *token.blessings))
    return w.say("event.token", token=faces, where=w.where(token.place))


def _lying(board: Board, ids: Iterable[str]) -> tuple[ev.TurnedUp, ...]:
    """Tokens turned up in this resolution."""
    wanted = frozenset(ids)
    return tuple(token for token in board.faceup if token.id in wanted)


def bluffs_removed(w: Words, known: Known, event: ev.BluffsRemoved) -> str:
    """Whose bluffs they were and where they lay."""
    bluffs = [
        w.say("event.bluff", where=w.where(token.place), **w.who(known.board, "seat", token.seat))
        for token in _lying(known.board, event.tokens)
    ]
    return w.say("event.bluffs_removed", bluffs=w.listed(bluffs))


def _swept(w: Words, board: Board, ids: Iterable[str], province: str, kind: str) -> str:
    """What went besides the tokens that did it."""
    others = [t for t in _lying(board, ids) if not (t.face == kind and place(t.place).target == province)]
    return " " + w.say("event.swept", tokens=_by_owner(w, board, others)) if others else ""


def scorched(w: Words, known: Known, event: ev.ProvinceScorched) -> str:
    """A raid, who lost the province and what went with it."""
    board, province = known.board, w.province(event.province)
    told = w.say("event.province_scorched", province=province, **w.who(board, "by", *event.by))
    if event.owner is not None:
        told += " " + w.say("event.control_lost", province=province, **w.who(board, "owner", event.owner))
    return told + _swept(w, board, event.swept, event.province, "raid")


def peace_made(w: Words, known: Known, event: ev.PeaceMade) -> str:
    """Lasting peace and which attacks it cancelled."""
    by = w.who(known.board, "by", event.by)
    told = w.say("event.peace_made", province=w.province(event.province), **by)
    return told + _swept(w, known.board, event.swept, event.province, "diplomacy")


def battle(w: Words, known: Known, event: ev.BattleFought) -> str:
    """A battle with its arithmetic and its end."""
    board, owner = known.board, event.defence.seat
    if owner is None:
        sides = [w.say("battle.land_defends", sum=_sum(w, board, event.defence))]
    else:
        sides = [w.say("battle.defends", sum=_sum(w, board, event.defence), **w.who(board, "seat", owner))]
    for attack in event.attacks:
        assert attack.seat is not None, "nobody attacks without a seat"
        sides.append(w.say("battle.attacks", sum=_sum(w, board, attack), **w.who(board, "seat", attack.seat)))
    return w.say(
        "battle.fought", province=w.province(event.province), sides="; ".join(sides), end=_end(w, board, event)
    )


def _end(w: Words, board: Board, event: ev.BattleFought) -> str:
    owner = event.defence.seat
    best = max(attack.amount for attack in event.attacks)
    if event.winner is not None:
        key = "battle.taken" if owner is None else "battle.taken_from"
        owners = {} if owner is None else w.who(board, "owner", owner)
        return w.say(key, **w.who(board, "seat", event.winner), **owners)
    tied = best > event.defence.amount
    if owner is None:
        return w.say("battle.nobodys_tied" if tied else "battle.nobodys")
    return w.say("battle.held_tied" if tied else "battle.held", **w.who(board, "seat", owner))


def _sum(w: Words, board: Board, total: ev.Total) -> str:
    """``3 (army 3) + 1 (faceup) = 4``; one summand needs no result, none is 0."""
    parts = " + ".join(f"{part.amount} ({_source(w, board, part)})" for part in total.parts)
    if len(total.parts) == 1:
        return parts
    return f"{parts} = {total.amount}" if parts else str(total.amount)


def _source(w: Words, board: Board, part: ev.Part) -> str:
    if part.source == "base":
        return w.say("battle.base")
    if part.source == "faceup":
        return w.count("faceup", part.amount)
    if part.source in clans():
        return word("source", part.source, w.lang) or clans()[part.source].texts[w.lang]
    for token in _lying(board, (part.source,)):
        return _fighter(w, board, token, part.amount)
    return w.card(part.source)


def _fighter(w: Words, board: Board, token: ev.TurnedUp, amount: int) -> str:
    """A token with its blessings, and what its clan makes of them beyond the printed strength."""
    seat = w.who(board, "seat", token.seat)
    if token.face == BLUFF:
        return w.say("battle.bluff", **seat)
    faces = (token.face, *token.blessings)
    shown = [w.face(face) for face in faces]
    if extra := amount - sum(strength(face) for face in faces):
        shown.append(w.say("battle.clan_extra", extra=extra, **seat))
    return ", ".join(shown)


def card_taken(w: Words, known: Known, event: ev.TerritoryCardTaken) -> str:
    """A whole territory and its card."""
    facts = {"territory": w.territory(event.territory), "card": w.card(event.card)}
    return w.say("event.territory_card_taken", **facts, **w.who(known.board, "seat", event.seat))


def map_cleared(w: Words, _known: Known, event: ev.MapCleared) -> str:
    """The end of a round."""
    return w.say("event.map_cleared", round=event.round)


def objective_revealed(w: Words, known: Known, event: ev.ObjectiveRevealed) -> str:
    """An objective and whether it was met."""
    facts = {"objective": w.objective(event.objective), "condition": w.condition(event.objective)}
    key = "event.objective_met" if event.met else "event.objective_missed"
    bonus = objectives()[event.objective].bonus
    return w.say(key, bonus=bonus, **facts, **w.who(known.board, "seat", event.seat))


def scored(w: Words, known: Known, event: ev.SeatScored) -> str:
    """A seat's honor with its parts."""
    facts = {
        "flowers": event.flowers,
        "faceup": event.faceup,
        "territories": event.territories,
        "objective": event.objective,
        "honor": w.count("honor", event.total),
        "provinces": w.count("province", event.provinces),
    }
    return w.say("event.seat_scored", **facts, **w.who(known.board, "seat", event.seat))


def won(w: Words, known: Known, event: ev.GameWon) -> str:
    """The winner, or those who share the victory, and what broke a tie."""
    scores = known.board.scores
    best = scores[event.winners[0]]
    facts = {"honor": w.count("honor", best.total), **w.who(known.board, "seat", *event.winners)}
    key = "event.game_shared" if len(event.winners) > 1 else "event.game_won"
    rivals = [score for seat, score in scores.items() if seat not in event.winners and score.total == best.total]
    return w.say(key, **facts) + _tie_break(w, best, rivals)


def _tie_break(w: Words, best: Score, rivals: list[Score]) -> str:
    if not rivals:
        return ""
    flowers = any(score.provinces == best.provinces for score in rivals)
    return " " + w.say("event.by_flowers" if flowers else "event.by_provinces")
