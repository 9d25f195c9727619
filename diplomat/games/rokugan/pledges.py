"""The vocabulary of promises in Rokugan: which make sense, how they read, what became of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Literal

from diplomat.core.audience import Seat
from diplomat.core.menus import Problem
from diplomat.core.pledges import Goal, Pledge
from diplomat.core.texts import Texts
from diplomat.games.rokugan.atlas import atlas
from diplomat.games.rokugan.chronicle import Chronicle
from diplomat.games.rokugan.commitments import Commitments
from diplomat.games.rokugan.content import ROUNDS, clans
from diplomat.games.rokugan.examples import Example, examples
from diplomat.games.rokugan.verbs import VERBS
from diplomat.games.rokugan.wording import declined

if TYPE_CHECKING:
    from diplomat.games.rokugan.assertions import Assertion


@cache
def _name_patterns() -> Mapping[str, re.Pattern[str]]:
    """What finds each clan's name; endings may follow."""
    return {
        clan.id: re.compile("|".join(sorted({rf"\b{re.escape(form.lower())}" for form in clan.texts.values()})))
        for clan in clans().values()
    }


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

    # For the study of promises ----------------------------------------------------------------------

    version: str = "rokugan/1"
    """Of the vocabulary; raised when a verb comes to mean something else."""

    def mode(self, verb: str) -> Literal["by", "never", "keep"] | None:
        """How a verb is judged, None for a verb that the game does not have."""
        known = VERBS.get(verb)
        return None if known is None else known.mode

    def chronicle(self, seats: tuple[Seat, ...], settings: object) -> Chronicle:
        """A fresh record of deeds; ``settings`` are the game's own and say how many rounds there are."""
        return Chronicle(seats, last=getattr(settings, "rounds", ROUNDS))

    def examples(self) -> Iterator[Example]:
        """What keeps, breaks and makes impossible each verb."""
        return examples(frozenset(verb for verb, known in VERBS.items() if known.mode == "never"))

    def read(
        self, text: str, speaker: Seat, hearer: Seat, roles: Mapping[Seat, str], now: int, last: int
    ) -> tuple[tuple[Pledge, ...], bool]:
        """The pledges of a plain text as scripted players understand it, and whether it names its rounds.

        Rather nothing than too much; answers have no ``ref`` yet.
        """
        # The reading is built on this vocabulary, so it cannot be imported before it.
        from diplomat.games.rokugan.bots.hearing import hear
        from diplomat.games.rokugan.bots.hearing_words import sentences

        found = hear(text, speaker, hearer, roles, now, last)
        stated = any(token.kind == "SPAN" for one in (sentences(text) if found else ()) for token in one.tokens)
        return found, stated

    def named(self, text: str) -> frozenset[str]:
        """The clans that a text names in any form, in either language."""
        low = text.lower()
        return frozenset(clan for clan, pattern in _name_patterns().items() if pattern.search(low))

    def assertions(
        self, text: str, speaker: Seat, hearers: tuple[Seat, ...], roles: Mapping[Seat, str]
    ) -> tuple[Assertion, ...]:
        """What the gossip of scripted players asserts about others."""
        from diplomat.games.rokugan.assertions import assertions  # built on the bots, which are built on this

        return assertions(text, speaker, hearers, roles)
