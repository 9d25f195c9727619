"""What sentences come to, and how several of them make one offer."""

from __future__ import annotations

from dataclasses import dataclass, replace

from diplomat.core.pledges import Goal

HARM = frozenset({"attack", "raid"})
"""Verbs of goals that hurt somebody."""
Goals = tuple[Goal, ...]


@dataclass(slots=True)
class Said:
    """What one sentence, or several read together, comes to."""

    mine: Goals = ()
    given: Goals = ()
    urged: bool = False
    """Whether ``given`` is asked for; otherwise it is only spoken of, and means nothing alone."""
    act: str = ""
    """``offer``, ``threat``, ``promise`` or ``ask``; empty: a mere half of an offer."""


def joined(said: list[Said]) -> list[Said]:
    """Halves of one offer in neighbouring sentences are brought together."""
    found: list[Said] = []
    for one in said:
        last = found[-1] if found else None
        merged = None if last is None else _merged(last, one)
        if merged is None:
            found.append(one)
        else:
            found[-1] = merged
    return [_aimed(one) for one in found if one.act not in ("", "dare")]


def _merged(a: Said, b: Said) -> Said | None:
    """Two sentences as one offer, or None when they are two things."""
    if a.act == "dare" and b.mine and not b.given and {g.verb for g in b.mine} <= HARM:
        return Said(b.mine, a.given, act="threat")
    if "threat" in (a.act, b.act) or "dare" in (a.act, b.act):
        return None
    mine, given = union(a.mine, b.mine), union(a.given, b.given)
    if not mine or not given or {g.verb for g in mine} != {g.verb for g in given}:
        return None
    if a.act == b.act == "offer" or (a.mine and b.given) or (a.given and b.mine):
        return Said(mine, given, True, "offer")
    return None


def union(a: Goals, b: Goals) -> Goals:
    """The goals of both, equal ones once."""
    found = list(a)
    for goal in b:
        if goal not in found:
            found.append(goal)
    return tuple(found)


def _aimed(said: Said) -> Said:
    """In a joint attack "I go at that province" says where, not whom: the whom is the common target."""
    if said.act != "offer":
        return said
    common = {g.args["target"] for g in (*said.mine, *said.given) if g.verb == "attack" and "target" in g.args}
    if len(common) != 1:
        return said
    (target,) = common
    return replace(said, mine=_whole(said.mine, target), given=_whole(said.given, target))


def _whole(goals: Goals, target: str) -> Goals:
    """Attacks with their target; one that names no place is the same as one that does."""
    aimed = [
        replace(g, args={"target": target, **g.args}) if g.verb == "attack" and g.by != target else g for g in goals
    ]
    placed = {(g.by, g.first, g.last) for g in aimed if g.verb == "attack" and "province" in g.args}
    kept = [g for g in aimed if g.verb != "attack" or "province" in g.args or (g.by, g.first, g.last) not in placed]
    return union((), tuple(kept))
