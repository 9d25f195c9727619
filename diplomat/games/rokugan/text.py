"""What a seat or a watcher knows as compact lines of words, the text twin of the picture."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from diplomat.core.audience import Seat
from diplomat.games.rokugan.atlas import Province, Territory, atlas
from diplomat.games.rokugan.battle import defence_total
from diplomat.games.rokugan.board import Board, settling
from diplomat.games.rokugan.content import clans, objectives
from diplomat.games.rokugan.knowledge import Known
from diplomat.games.rokugan.scoring import CONDITIONS, holdings, score
from diplomat.games.rokugan.wording import Words, words


def text(known: Known, lang: str) -> str:
    """The whole view in words."""
    w = words(lang)
    return _view(w, known, _land(w, known.board, _province))


def changing(known: Known, lang: str) -> str:
    """The view without what :func:`landscape` says."""
    w = words(lang)
    return _view(w, known, _land(w, known.board, _held))


def landscape(lang: str) -> str:
    """The map: what lies where, what it is worth at the beginning, and what touches what."""
    w = words(lang)
    lines = [w.say("text.land_fixed")]
    for territory in atlas().territories.values():
        lines.append(w.say("text.territory", name=marked(w.territory(territory.id), territory.id)))
        for land in (atlas().provinces[name] for name in territory.provinces):
            facts = [*_kind(w, land), w.count("flower", land.flowers)]
            if land.defence:
                facts.append(w.say("text.defence", defence=land.defence))
            lines.append(f"- {marked(w.province(land.id), land.id)}: {'; '.join([*facts, _near(w, land)])}")
    return "\n".join(lines)


def _view(w: Words, known: Known, land: Iterator[str]) -> str:
    blocks = [_head(w, known), _clans(w, known.board), land, _tokens(w, known)]
    if known.seat is not None:
        blocks.append(_own(w, known, known.seat))
    blocks.append(_discards(w, known.board))
    return "\n\n".join("\n".join(lines) for block in blocks if (lines := list(block)))


def marked(name: str, ident: str) -> str:
    """A name with the id that answers use, where they differ."""
    return name if name == ident else f"{name} [{ident}]"


def _head(w: Words, known: Known) -> Iterator[str]:
    board = known.board
    key = "text.setup" if board.phase == "setup" else "text.round"
    yield w.say(key, round=board.round, rounds=board.rounds, phase=w.say(f"phase.{board.phase}"), wave=_wave(w, board))
    if board.first is not None:
        yield w.say("text.order", seats=", ".join(w.clan(board, seat) for seat in board.order()))
    if waiting := _waiting(board):
        yield w.say("text.waiting", **w.who(board, "seats", *waiting))
    if board.winners:
        yield w.say("text.winners", **w.who(board, "seats", *board.winners))
    if known.seat is not None:
        yield w.say("text.you", name=w.clan(board, known.seat), seat=known.seat) + _ability(w, board, known.seat)


def _ability(w: Words, board: Board, seat: Seat) -> str:
    """What a seat's clan can do, once there is one."""
    if seat not in board.clans:
        return ""
    ability = clans()[board.clans[seat]].texts[f"ability_{w.lang}"]
    return w.say("text.ability", ability=ability[0].lower() + ability[1:])


def _wave(w: Words, board: Board) -> str:
    """Which turn to talk it is."""
    return w.say("text.wave", wave=board.wave + 1, waves=board.talk_waves) if board.phase == "talk" else ""


def _waiting(board: Board) -> list[Seat]:
    """Who is to answer now."""
    if board.phase == "setup":
        seat = settling(board)
        return [] if seat is None else [seat]
    if board.phase in ("talk", "prepare"):
        return [seat for seat in board.order() if seat not in board.answered]
    return [board.turn] if board.phase == "place" and board.turn is not None else []


def _clans(w: Words, board: Board) -> Iterator[str]:
    yield w.say("text.clans")
    for seat in board.seats:
        yield f"- {_clan(w, board, seat)}"
    neutral = [clan.texts[w.lang] for name, clan in clans().items() if board.seat_of(name) is None]
    if board.clans and neutral:
        yield w.say("text.neutral", clans=w.listed(neutral))


def _clan(w: Words, board: Board, seat: Seat) -> str:
    """One clan: land, hand, cards and honor so far."""
    name = w.clan(board, seat)
    if seat not in board.clans:
        return w.say("text.clan_unknown", name=name)
    so_far = score(board, seat, None)
    held = [marked(w.card(board.cards[t]), t) for t in board.held[seat]]
    in_force = [w.card(card) for card in board.played.get(seat, ())]
    final = board.scores.get(seat)
    return w.say(
        "text.clan",
        name=name,
        seat=seat,
        provinces=w.count("province", so_far.provinces),
        flowers=w.count("flower", so_far.flowers),
        faceup=sum(held.faceup for held in board.control.values() if held.owner == seat),
        hand=board.hands[seat],
        pool=board.pools[seat],
        honor=w.say("text.honor_final", honor=final.total) if final else w.say("text.honor", honor=so_far.total),
        cards=w.say("text.cards_held", cards=", ".join(held)) if held else "",
        in_force=w.say("text.cards_in_force", cards=", ".join(in_force)) if in_force else "",
    )


def _land(w: Words, board: Board, province: Callable[[Words, Board, Province], str]) -> Iterator[str]:
    yield w.say("text.land")
    for territory in atlas().territories.values():
        yield _territory(w, board, territory)
        for name in territory.provinces:
            yield f"- {province(w, board, atlas().provinces[name])}"


def _territory(w: Words, board: Board, territory: Territory) -> str:
    name = marked(w.territory(territory.id), territory.id)
    card = board.cards.get(territory.id)
    if card is None:
        return w.say("text.territory", name=name)
    taker = board.taken.get(territory.id)
    if taker is None:
        return w.say("text.territory_card", name=name, card=w.card(card))
    return w.say("text.territory_taken", name=name, card=w.card(card), **w.who(board, "seat", taker))


def _province(w: Words, board: Board, land: Province) -> str:
    """One province: owner and control tokens, what it is worth, its defence now, its neighbours."""
    facts = [_owner(w, board, land.id), *_kind(w, land)]
    if land.id in board.peace:
        facts.append(w.say("text.peace"))
    if land.id not in board.scorched:
        facts.append(w.count("flower", land.flowers))
        facts.append(w.say("text.defence", defence=defence_total(board, land.id).amount))
    facts.append(_near(w, land))
    return f"{marked(w.province(land.id), land.id)}: {'; '.join(facts)}"


def _held(w: Words, board: Board, land: Province) -> str:
    """One province without what never changes."""
    facts = [_owner(w, board, land.id)]
    if land.id in board.peace:
        facts.append(w.say("text.peace"))
    defence = defence_total(board, land.id).amount
    if land.id not in board.scorched and defence != land.defence:
        facts.append(w.say("text.defence", defence=defence))
    return f"{marked(w.province(land.id), land.id)}: {'; '.join(facts)}"


def _kind(w: Words, land: Province) -> Iterator[str]:
    """What a province is for good."""
    if land.capital:
        yield w.say("text.capital")
    if land.coastal:
        yield w.say("text.coast")


def _near(w: Words, land: Province) -> str:
    near = [marked(w.province(other), other) for other in land.neighbours]
    return w.say("text.near", provinces=", ".join(near)) if near else w.say("text.near_none")


def _owner(w: Words, board: Board, province: str) -> str:
    if province in board.scorched:
        return w.say("text.scorched")
    control = board.control.get(province)
    if control is None:
        return w.say("text.nobody")
    facts = {
        "facedown": w.count("control_facedown", control.facedown),
        "faceup": w.count("control_faceup", control.faceup),
    }
    key = "text.owner_faceup" if control.faceup else "text.owner"
    return w.say(key, **facts, **w.who(board, "seat", control.owner))


def _tokens(w: Words, known: Known) -> Iterator[str]:
    """Combat tokens on the map; faces only where this viewer knows them."""
    board = known.board
    turned = {token.id: token.face for token in board.faceup}
    if not board.tokens:
        return
    yield w.say("text.tokens")
    for laid in board.tokens.values():
        where = f"{w.where(laid.place)} [{laid.place}]"
        face = turned.get(laid.id) or known.faces.get(laid.id)
        shown = w.say("text.facedown") if face is None else w.face(face)
        blessings = "".join(f" + {w.face(blessing)}" for blessing in laid.blessings)
        facts = {"id": laid.id, "where": where, "face": shown + blessings}
        yield "- " + w.say("text.token", **facts, **w.who(board, "seat", laid.seat))


def _own(w: Words, known: Known, seat: Seat) -> Iterator[str]:
    """What only this seat knows."""
    yield w.say("text.hand", tokens=_hand(w, known.hand))
    if known.objective is not None:
        met = seat in known.board.clans and CONDITIONS[known.objective](holdings(known.board, seat))
        yield w.say(
            "text.objective",
            objective=w.objective(known.objective),
            condition=w.condition(known.objective),
            bonus=objectives()[known.objective].bonus,
            met=w.say("text.met" if met else "text.not_met"),
        )
    if known.prepared is not None:
        cards = ", ".join(marked(w.card(known.board.cards[t]), t) for t in known.prepared.cards) or w.say("text.none")
        exchange = w.face(known.prepared.exchange) if known.prepared.exchange else w.say("text.none")
        yield w.say("text.prepared", cards=cards, exchange=exchange)


def _hand(w: Words, hand: tuple[str, ...]) -> str:
    counts = {face: hand.count(face) for face in dict.fromkeys(hand)}
    shown = [marked(w.face(face), face) + (f" ×{n}" if n > 1 else "") for face, n in counts.items()]
    return ", ".join(shown) or w.say("text.none")


def _discards(w: Words, board: Board) -> Iterator[str]:
    piles = [(seat, faces) for seat, faces in board.discards.items() if faces]
    if not piles:
        return
    yield w.say("text.discards")
    for seat, faces in piles:
        yield f"- {w.clan(board, seat)}: {w.faces(faces)}"
