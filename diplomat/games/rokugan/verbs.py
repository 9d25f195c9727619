"""The vocabulary of promises in Rokugan, and what keeps or breaks each of them.

Nothing here is ever enforced.  A goal is judged on the *deeds* of a round (the tokens turned up),
at the level of orders: an attack that failed was still an attack.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from diplomat.core.audience import Seat
from diplomat.core.pledges import Goal
from diplomat.games.rokugan.atlas import atlas
from diplomat.games.rokugan.deeds import ACT_OF_VERB, Deed

Verdict = Literal["kept", "broken", "pending"]


@dataclass(frozen=True, slots=True)
class Verb:
    """One predicate of the vocabulary."""

    mode: Literal["by", "never"]
    """``by``: at least once within the rounds; ``never``: not once."""
    args: tuple[str, ...]
    """Names of its arguments; of a group joined by ``|`` at least one must be given."""
    match: Callable[[Deed, Mapping[str, str]], bool]
    """Whether a deed of the debtor is one that the verb speaks of."""


def _harms(deed: Deed) -> bool:
    return deed.act in ("attack", "raid")


def _in(deed: Deed, args: Mapping[str, str]) -> bool:
    """Whether the deed lies where the arguments say."""
    province = args.get("province")
    territory = args.get("territory")
    return (province is None or deed.province == province) and (
        territory is None or atlas().provinces[deed.province].territory == territory
    )


VERBS: Mapping[str, Verb] = {
    "not_attack": Verb("never", ("target",), lambda d, a: d.act == "attack" and d.owner == a["target"]),
    "attack": Verb(
        "by",
        ("target|province",),
        lambda d, a: d.act == "attack" and _in(d, a) and a.get("target", d.owner) == d.owner,
    ),
    "not_raid": Verb("never", ("target",), lambda d, a: d.act == "raid" and d.owner == a["target"]),
    "raid": Verb("by", ("province",), lambda d, a: d.act == "raid" and _in(d, a)),
    "stay_out": Verb("never", ("province|territory",), lambda d, a: _harms(d) and _in(d, a)),
    "share_territory": Verb(
        "never", ("territory", "target"), lambda d, a: _harms(d) and _in(d, a) and d.owner == a["target"]
    ),
    "defend": Verb("by", ("province",), lambda d, a: d.act == "defend" and _in(d, a)),
    "make_peace": Verb("by", ("province",), lambda d, a: d.act == "peace" and _in(d, a)),
}
"""Every verb of the game."""


def when(goal: Goal, done: Iterable[Deed]) -> int:
    """The first of the goal's rounds in which its seat did what the verb speaks of; 0: in none so far."""
    match = VERBS[goal.verb].match
    rounds = (
        deed.round
        for deed in done
        if deed.seat == goal.by and goal.first <= deed.round <= goal.last and match(deed, goal.args)
    )
    return min(rounds, default=0)


def judge(goal: Goal, done: Iterable[Deed], closed: int) -> Verdict:
    """Whether a goal was kept: ``done`` are deeds so far, ``closed`` the last round fully resolved."""
    by = VERBS[goal.verb].mode == "by"
    if when(goal, done):
        return "kept" if by else "broken"
    if closed < goal.last:
        return "pending"
    return "broken" if by else "kept"


SLOT_KINDS: Mapping[str, str] = {"raid": "raid", "make_peace": "diplomacy"}
"""Kind of token that a verb uses up, where a clan has few of them: what is promised twice is had once."""


def clash(one: Goal, other: Goal, owners: Mapping[str, Seat]) -> bool:
    """Whether one seat cannot keep both goals: to do what the other one forbids in all the rounds it may be done.

    ``owners`` says who holds each province now.
    """
    first = VERBS[one.verb].mode
    if first == VERBS[other.verb].mode or one.by != other.by:
        return False
    do, leave = (one, other) if first == "by" else (other, one)
    if not leave.first <= do.first <= do.last <= leave.last:
        return False
    province, target = do.args.get("province"), do.args.get("target")
    if province is None:
        return leave.verb == "not_attack" and leave.args.get("target") == target
    owner = owners.get(province)
    if target is not None and target != owner:
        owner = Seat(target)
    return VERBS[leave.verb].match(Deed(do.first, do.by, ACT_OF_VERB[do.verb], province, owner, ""), leave.args)
