"""Figures as they are printed: shares, bounds, chances, and the names of columns and groups."""

from __future__ import annotations

from contextlib import suppress
from math import isnan

from diplomat.agents.profile import find, paths
from diplomat.core.errors import DiplomatError
from diplomat.core.texts import Texts, load_texts
from diplomat.study.counts import Grouping
from diplomat.study.stats.intervals import Interval
from diplomat.study.write import study_texts

LANGUAGE_OF_IDS = "en"


def report_texts(lang: str) -> Texts:
    """What a report says around its figures, and the labels of figures."""
    return study_texts(lang).joined(load_texts("diplomat.study", "report", lang))


def percent(share: float) -> str:
    """A share as a whole percentage, a dash where there is none.

    >>> percent(0.125), percent(float("nan"))
    ('12%', '–')
    """
    return "–" if isnan(share) else f"{100 * share:.0f}%"


def bounds(low: float, high: float) -> str:
    """Both bounds of a share.

    >>> bounds(0.1, 0.25), bounds(-0.1, 0.4), bounds(-0.001, 0.4)
    ('10–25%', '-10…40%', '0–40%')
    """
    if isnan(low) or isnan(high):
        return "–"
    first, last = round(100 * low), round(100 * high)
    return f"{first}–{last}%" if first >= 0 else f"{first}…{last}%"


def chance(p_value: float) -> str:
    """A p-value as it is printed.

    >>> chance(0.0004), chance(0.0312)
    ('<0.001', '0.031')
    """
    return "–" if isnan(p_value) else "<0.001" if p_value < 0.001 else f"{p_value:.3f}"


def interval(one: Interval) -> str:
    """An estimate with its bounds, as percentages."""
    return percent(one.estimate) if isnan(one.low) else f"{percent(one.estimate)} ({bounds(one.low, one.high)})"


def plain(one: Interval) -> str:
    """An estimate with its bounds, as they are."""
    return decimal(one.estimate) if isnan(one.low) else f"{one.estimate:.2f} ({one.low:.2f}–{one.high:.2f})"


def decimal(value: float) -> str:
    """A figure with two decimals, a dash where there is none."""
    return "–" if isnan(value) else f"{value:.2f}"


def columns(say: Texts, *keys: str) -> tuple[str, ...]:
    """Names of columns."""
    return tuple(say.say(f"column.{key}") for key in keys)


def group(name: str, say: Texts) -> str:
    """A group's name; everybody together has one too."""
    return say.say(f"called.{name}") if say.has(f"called.{name}") else name or say.say("group.all")


def with_names(say: Texts, by: Grouping) -> Texts:
    """The texts, and what personalities are called; in the language of their ids they are called by these, as in files.

    >>> group("avenger", with_names(report_texts("ru"), "profile")), group("nobody", report_texts("ru"))
    ('Мститель', 'nobody')
    """
    if by != "profile" or say.lang == LANGUAGE_OF_IDS:
        return say
    names: dict[str, str] = {}
    for profile in paths():
        with suppress(DiplomatError):  # a file of the user's own that is no profile is called by its name
            names[f"called.{profile}"] = find(profile).name.say(say.lang)
    return say.joined(Texts(say.lang, names))
