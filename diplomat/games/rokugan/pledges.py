"""The vocabulary of promises in Rokugan, and what keeps or breaks each of them.

Nothing here is ever enforced.  A goal is judged on the *deeds* of a round (the tokens turned up),
at the level of orders: an attack that failed was still an attack.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from diplomat.core.audience import Seat
from diplomat.core.menus import Problem
from diplomat.core.pledges import Goal
from diplomat.core.texts import Texts
from diplomat.games.rokugan.atlas import atlas
from diplomat.games.rokugan.deeds import Deed
from diplomat.games.rokugan.wording import declined

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


def judge(goal: Goal, done: Iterable[Deed], closed: int) -> Verdict:
    """Whether a goal was kept: ``done`` are deeds so far, ``closed`` the last round fully resolved."""
    verb = VERBS[goal.verb]
    hit = any(
        deed.seat == goal.by and goal.first <= deed.round <= goal.last and verb.match(deed, goal.args) for deed in done
    )
    if hit:
        return "kept" if verb.mode == "by" else "broken"
    if closed < goal.last:
        return "pending"
    return "broken" if verb.mode == "by" else "kept"


class RokuganPledges:
    """See :class:`diplomat.core.pledges.PledgeRules`."""

    verbs: tuple[str, ...] = tuple(VERBS)

    def problem(self, goal: Goal, seats: tuple[Seat, ...]) -> Problem | None:
        """Why a goal makes no sense on this map and at this table, or None."""
        verb = VERBS.get(goal.verb)
        if verb is None:
            return Problem("unknown_verb", {"verb": goal.verb[:40], "verbs": ", ".join(VERBS)})
        wanted = {name for group in verb.args for name in group.split("|")}
        for group in verb.args:
            if not any(name in goal.args for name in group.split("|")):
                return Problem("verb_needs", {"verb": goal.verb, "field": group.replace("|", " / ")})
        lists: Mapping[str, Iterable[str]] = {
            "target": seats,
            "province": atlas().provinces,
            "territory": atlas().territories,
        }
        for name, value in goal.args.items():
            if name not in wanted:
                return Problem("verb_unknown_field", {"verb": goal.verb, "field": name[:40]})
            if value not in lists[name] or value == goal.by:
                return Problem("verb_bad_value", {"verb": goal.verb, "field": name, "value": str(value)[:40]})
        return None

    def text(self, goal: Goal, texts: Texts, names: Mapping[str, str]) -> str:
        """The goal in words; seats, provinces and territories by their shown names."""
        facts = {"first": str(goal.first), "last": str(goal.last)}
        facts |= declined("by", names.get(goal.by, goal.by), texts.lang)
        lands: Mapping[str, Mapping[str, object]] = {"province": atlas().provinces, "territory": atlas().territories}
        for name, value in goal.args.items():
            if name in lands:
                facts[name] = str(getattr(lands[name].get(value), texts.lang, value))
            else:
                facts |= declined(name, names.get(value, value), texts.lang)
        key = f"goal.{goal.verb}"
        named = next((n for n in ("province", "territory") if n in goal.args and texts.has(f"{key}.{n}")), None)
        span = texts.say("goal.round" if goal.first == goal.last else "goal.rounds", **facts)
        return texts.say(f"{key}.{named}" if named else key, **facts) + span
