"""A scripted diplomat's reasons in words: one sentence per decision, for its sealed note."""

from __future__ import annotations

from diplomat.core.texts import Texts, load_texts
from diplomat.games.rokugan.bots.defence import coming, loss
from diplomat.games.rokugan.bots.intent import Intent
from diplomat.games.rokugan.bots.moves import Move
from diplomat.games.rokugan.bots.outlook import Outlook
from diplomat.games.rokugan.bots.speech import naming
from diplomat.games.rokugan.commitments import Commitment
from diplomat.games.rokugan.content import tokens


def _texts(lang: str) -> Texts:
    return load_texts("diplomat.games.rokugan.bots", "reasons", lang)


def say(lang: str, key: str, **facts: str) -> str:
    """One reason; seats as clan ids under ``third``, shown as ``owner``, and faces as ids under ``face``."""
    if "face" in facts:
        facts["face"] = tokens()[facts["face"]].texts[lang]
    owner = facts.pop("third", None)
    named = naming(lang, **facts)
    if owner is not None:
        named |= {key.replace("third", "owner"): text for key, text in naming(lang, third=owner).items()}
    return _texts(lang).say(f"reason.{key}", **named)


def why(outlook: Outlook, move: Move, lang: str) -> str:
    """Why a placement was chosen."""
    facts = {"face": move.face, "province": move.target}
    owner = outlook.owners.get(move.target)
    if owner is not None:
        facts["third"] = outlook.board.clans[owner]
    key = move.purpose
    if key == "attack":
        facts["percent"] = f"{100 * outlook.chance(move.target, move.force):.0f}"
        facts["gain"] = f"{outlook.prize(move.target):.1f}"
        if owner is None:
            key = "attack_nobody"
        elif outlook.breaks("attack", move.target):
            key = "attack_breach"
        elif outlook.owed("attack", move.target):
            key = "attack_promised"
    elif key == "defend":
        lost, _ = loss(outlook, move.target, outlook.front(move.target).defence.mean, coming(outlook, move.target))
        facts["percent"] = f"{100 * lost:.0f}"
        key = "defend_promised" if outlook.owed("defend", move.target) else key
    elif key == "peace":
        facts["stake"] = f"{outlook.worth.of(move.target):.1f}"
    elif key == "raid" and owner is not None:
        facts["loss"] = f"{outlook.worth_to(owner, move.target):.1f}"
    return say(lang, key, **facts)


def mood(outlook: Outlook, intent: Intent, lang: str) -> str:
    """What a seat is after while it talks."""
    for move in intent.attacks:
        owner = outlook.owners.get(move.target)
        if owner is None:
            continue
        facts = {"province": move.target, "third": outlook.board.clans[owner]}
        if outlook.breaks("attack", move.target):
            return say(lang, "talk_false", **facts)
        return say(lang, "talk_prey" if outlook.character.candour < 0.4 else "talk_prey_open", **facts)
    return say(lang, "talk_quiet")


def broken(one: Commitment, lang: str) -> str:
    """A broken promise as a clause: what was promised."""
    goal = one.goal
    place = goal.args.get("province")
    named = naming(lang, province=place) if place else naming(lang, territory=goal.args.get("territory", "imperial"))
    shown = named.get("province") or named.get("territory", "")
    return _texts(lang).say(f"broken.{goal.verb}", place=shown, round=str(one.settled))
