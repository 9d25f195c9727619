"""The vocabulary of promises in Rokugan: which make sense, how they read, what became of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from diplomat.core.audience import Seat
from diplomat.core.menus import Problem
from diplomat.core.pledges import Goal
from diplomat.core.texts import Texts
from diplomat.games.rokugan.atlas import atlas
from diplomat.games.rokugan.commitments import Commitments
from diplomat.games.rokugan.verbs import VERBS
from diplomat.games.rokugan.wording import declined


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

    def ledger(self, seats: tuple[Seat, ...]) -> Commitments:
        """A fresh ledger of promises."""
        return Commitments(seats)
