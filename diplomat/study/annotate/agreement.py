"""Do the coders of annotation files agree, field by field: what has to be printed before any rate rests on them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import nan

from diplomat.study.annotate.rows import Annotation
from diplomat.study.annotate.scheme import GIVING, QUALIFIERS, SWITCHES, Coded
from diplomat.study.drafts import goal_key
from diplomat.study.stats.agreement import AgreementRow, Coding, Value, agreement
from diplomat.study.stats.bootstrap import REPS
from diplomat.study.stats.spans import SpanAgreement, span_agreement

NOTHING = "none"
"""What a coder says of words (or of a message) in which it finds no act."""
MESSAGE_FIELDS = ("commitment", "promise", "acts")
ACT_FIELDS = ("act", *QUALIFIERS, *SWITCHES, "goal", "confidence")


@dataclass(frozen=True, slots=True)
class SpanRow:
    """How two coders' marked words agree, over the messages that both coded."""

    first: str
    second: str
    messages: int
    spans: SpanAgreement


@dataclass(frozen=True, slots=True)
class Agreement:
    """All that is known of the agreement of some coders."""

    rows: tuple[AgreementRow, ...]
    """One per field, those of messages first."""
    spans: tuple[SpanRow, ...]
    """One per pair of coders that share messages."""
    unblind: int
    """Codings whose coder had seen later messages."""


def agreement_table(
    rows: Iterable[Annotation],
    texts: Mapping[tuple[str, str], str] | None = None,
    *,
    reps: int = REPS,
    seed: int | str = 0,
) -> Agreement:
    """The table over codings that are done.

    Args:
        rows: Codings; adjudicated ones are left out, since they are made of the others.
        texts: Words of the messages by unit, for token F1 of spans; without them it is not defined.
        reps: Resamples of games for the interval of alpha.
        seed: Of the draws.
    """
    listed = [row for row in rows if row.by != "adjudicated"]
    fields = {name: list(_message_codings(listed, name)) for name in MESSAGE_FIELDS}
    places = list(_places(listed))
    fields |= {name: list(_act_codings(places, name)) for name in ACT_FIELDS}
    made = tuple(
        agreement(codings, name, "ordinal" if name == "confidence" else "nominal", reps=reps, seed=seed)
        for name, codings in fields.items()
        if codings
    )
    return Agreement(made, tuple(_spans(listed, texts or {})), sum(not row.blind for row in listed))


def _message_codings(rows: Sequence[Annotation], field: str) -> Iterator[Coding]:
    for row in rows:
        kinds = sorted({act.act for act in row.acts})
        values: dict[str, Value] = {
            "commitment": bool(GIVING.intersection(kinds)),
            "promise": "promise" in kinds,
            "acts": "+".join(kinds) or NOTHING,
        }
        yield Coding(row.game, row.unit[1], row.coder, values[field])


@dataclass(frozen=True, slots=True)
class _Place:
    """Words of one message that some coders gave an act; None for a coder that saw them and gave none."""

    game: str
    unit: str
    acts: Mapping[str, Coded | None]


def _places(rows: Sequence[Annotation]) -> Iterator[_Place]:
    """Places where marked words meet, in messages that two or more coders coded; a coder's first act there counts."""
    for unit, coded in _by_unit(rows).items():
        if len(coded) < 2:
            continue
        acts = [(act, coder) for coder, row in coded.items() for act in row.acts]
        acts.sort(key=lambda pair: (pair[0].start, pair[0].end, pair[1]))
        groups: list[list[tuple[Coded, str]]] = []
        end = -1
        for act, coder in acts:
            if act.start >= end:
                groups.append([])
            groups[-1].append((act, coder))
            end = max(end, act.end) if len(groups[-1]) > 1 else act.end
        for group in groups:
            firsts: dict[str, Coded | None] = dict.fromkeys(coded)
            firsts |= {coder: act for act, coder in reversed(group)}
            yield _Place(unit[0], f"{unit[1]}:{group[0][0].start}", firsts)


def _act_codings(places: Iterable[_Place], field: str) -> Iterator[Coding]:
    for place in places:
        for coder, act in place.acts.items():
            if field == "act":
                yield Coding(place.game, place.unit, coder, act.act if act else NOTHING)
            elif act is not None and act.act in GIVING:
                yield Coding(place.game, place.unit, coder, _value(act, field))


def _value(act: Coded, field: str) -> Value:
    if field == "goal":
        halves = (sorted(goal_key(goal) for goal in goals) for goals in (act.goals, act.given))
        return " if ".join(" & ".join(keys) for keys in halves)
    value: Value = getattr(act, field)
    return value


def _by_unit(rows: Iterable[Annotation]) -> dict[tuple[str, str], dict[str, Annotation]]:
    units: dict[tuple[str, str], dict[str, Annotation]] = {}
    for row in rows:
        units.setdefault(row.unit, {})[row.coder] = row
    return units


def _spans(rows: Sequence[Annotation], texts: Mapping[tuple[str, str], str]) -> Iterator[SpanRow]:
    units = _by_unit(rows)
    for one, other in combinations(sorted({row.coder for row in rows}), 2):
        both = [(unit, coded[one], coded[other]) for unit, coded in units.items() if one in coded and other in coded]
        if both:
            sides = [(texts.get(unit, ""), spans_of(first.acts), spans_of(second.acts)) for unit, first, second in both]
            found = span_agreement(sides)
            worded = all(unit in texts for unit, _, _ in both)
            yield SpanRow(one, other, len(both), found if worded else replace(found, token_f1=nan))


def spans_of(acts: Iterable[Coded]) -> list[tuple[int, int]]:
    """Where the acts of a message stand, each place once."""
    return sorted({(act.start, act.end) for act in acts})
