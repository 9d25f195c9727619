"""A scripted diplomat's reasons in words: one sentence per decision, for its sealed note.

Each reason can be said in several ways; which one is taken depends on the facts alone, so that the same decision
always reads the same.
"""

from __future__ import annotations

import tomllib
import zlib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from diplomat.core.texts import Texts
from diplomat.games.rokugan.bots.defence import coming, loss
from diplomat.games.rokugan.bots.intent import Intent
from diplomat.games.rokugan.bots.moves import Move
from diplomat.games.rokugan.bots.outlook import Outlook
from diplomat.games.rokugan.bots.speech import naming
from diplomat.games.rokugan.commitments import Commitment
from diplomat.games.rokugan.content import tokens

DECIMALS = ("gain", "loss", "stake")
"""Facts that are decimal numbers, written with a point."""


@cache
def _data(lang: str) -> Mapping[str, Any]:
    source = files("diplomat.games.rokugan.bots").joinpath(f"reasons.{lang}.toml")
    return tomllib.loads(source.read_text(encoding="utf-8"))


def _filled(lang: str, template: str, facts: Mapping[str, str]) -> str:
    return Texts(lang, {"reason": template}).say("reason", **facts)


def say(lang: str, key: str, **facts: str) -> str:
    """One reason; seats as clan ids under ``third``, shown as ``owner``, and faces as ids under ``face``.

    Facts that no sentence names still have a part in the choice between sentences.
    """
    if key == "prepare" and facts.get("count") == "0":
        key = "prepare_none"
    if "face" in facts:
        facts["face"] = tokens()[facts["face"]].texts[lang]
    for name in DECIMALS:
        if name in facts:
            facts[name] = facts[name].replace(".", _data(lang)["form"]["decimal"])
    owner = facts.pop("third", None)
    named = naming(lang, **facts)
    if owner is not None:
        named |= {name.replace("third", "owner"): text for name, text in naming(lang, third=owner).items()}
    ways = _data(lang)["reason"][key]
    return _filled(lang, ways[zlib.crc32(repr(sorted(named.items())).encode()) % len(ways)], named)


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
    facts = {"me": outlook.board.clans[outlook.seat], "round": str(outlook.now)}
    for move in intent.attacks:
        owner = outlook.owners.get(move.target)
        if owner is None:
            continue
        facts |= {"province": move.target, "third": outlook.board.clans[owner]}
        if outlook.breaks("attack", move.target):
            return say(lang, "talk_false", **facts)
        return say(lang, "talk_prey" if outlook.character.candour < 0.4 else "talk_prey_open", **facts)
    return say(lang, "talk_quiet", **facts)


def broken(one: Commitment, lang: str) -> str:
    """A broken promise as a clause: what was promised."""
    goal = one.goal
    key = goal.verb
    place, territory = goal.args.get("province"), goal.args.get("territory")
    shown = ""
    if place is not None:
        shown = naming(lang, province=place)["province"]
    elif territory is not None:
        shown = naming(lang, territory=territory)["territory"]
        key = "stay_out_territory" if key == "stay_out" else key
    return _filled(lang, _data(lang)["broken"][key], {"place": shown, "round": str(one.settled)})
