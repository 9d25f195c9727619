"""How well a rule or a model finds what people find: printed beside every rate that rests on its findings."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from diplomat.study.annotate.rows import Annotation
from diplomat.study.annotate.scheme import GIVING, Coded
from diplomat.study.annotate.units import Unit
from diplomat.study.drafts import goal_key
from diplomat.study.ledger import Ledger
from diplomat.study.stats.bootstrap import REPS, Totals, cluster_bootstraps
from diplomat.study.stats.intervals import Interval, ratio
from diplomat.study.stats.spans import SpanAgreement, span_agreement

ANY = "commitment"
"""Any act by which a word may come to be given."""


@dataclass(frozen=True, slots=True)
class Found:
    """One act that somebody finds in a message."""

    game: str
    message: str
    act: str
    start: int
    end: int
    goals: str = ""
    """Goals and conditions as one text, the same for equal ones."""


@dataclass(frozen=True, slots=True)
class Quality:
    """One source against people's labels, for one kind of act."""

    source: str
    act: str
    """A kind of act, or ``commitment``: any that gives a word, whichever it was called."""
    messages: int
    """Messages that people coded: the source's findings in others are not counted."""
    found: int
    people: int
    both: int
    """Acts of the same kind whose words meet."""
    precision: Interval
    """Share of what the source found that people found too; games resampled."""
    recall: Interval
    f1: Interval
    """``2TP / (found + people)``."""
    goals: float
    """Of those in both, how often goals and conditions are exactly the same; ``nan`` without any."""
    spans: SpanAgreement
    """The source's marked words against people's."""


def quality_table(
    found: Iterable[Found],
    people: Sequence[tuple[Unit, Annotation]],
    source: str,
    *,
    reps: int = REPS,
    seed: int | str = 0,
) -> tuple[Quality, ...]:
    """Precision, recall and F1 of a source, for commitments and for each kind of act that either finds.

    Args:
        found: What the source finds, of :func:`of_ledgers` or :func:`of_codings`.
        people: One coding of each message by people (:func:`diplomat.study.annotate.people.gold`).
        source: Its name.
        reps: Resamples of games.
        seed: Of the draws.
    """
    texts = {(unit.log.name, unit.message.id): unit.message.text for unit, _ in people}
    gold = [one for unit, row in people for one in _of_acts(unit.log.name, unit.message.id, row.acts)]
    inside = [one for one in found if (one.game, one.message) in texts]
    kinds = sorted({one.act for one in (*gold, *inside)})
    groups = {ANY: GIVING, **{kind: frozenset({kind}) for kind in kinds}}
    return tuple(
        _quality(
            source,
            name,
            texts,
            [one for one in inside if one.act in group],
            [one for one in gold if one.act in group],
            reps,
            seed,
        )
        for name, group in groups.items()
    )


def _quality(
    source: str,
    act: str,
    texts: Mapping[tuple[str, str], str],
    found: Sequence[Found],
    gold: Sequence[Found],
    reps: int,
    seed: int | str,
) -> Quality:
    pairs = _pairs(found, gold)
    games: dict[Hashable, Totals] = {}
    for game in dict.fromkeys(game for game, _ in texts):
        counted = (pairs, found, gold)
        games[game] = tuple(float(sum(_game(one) == game for one in listed)) for listed in counted)
    made = cluster_bootstraps(
        games,
        {
            "precision": lambda sums: ratio(sums[0], sums[1]),
            "recall": lambda sums: ratio(sums[0], sums[2]),
            "f1": lambda sums: ratio(2 * sums[0], sums[1] + sums[2]),
        },
        units=len(texts),
        reps=reps,
        seed=seed,
    )
    sides = [(text, _spans(found, unit), _spans(gold, unit)) for unit, text in texts.items()]
    return Quality(
        source=source,
        act=act,
        messages=len(texts),
        found=len(found),
        people=len(gold),
        both=len(pairs),
        precision=made["precision"],
        recall=made["recall"],
        f1=made["f1"],
        goals=ratio(sum(one.goals == other.goals for one, other in pairs), len(pairs)),
        spans=span_agreement(sides),
    )


def _game(one: Found | tuple[Found, Found]) -> str:
    return one.game if isinstance(one, Found) else one[0].game


def _pairs(found: Sequence[Found], gold: Sequence[Found]) -> list[tuple[Found, Found]]:
    """Each finding with at most one of people's: the same message, words that meet, the same goals if there are some.

    People's are taken in order of their words, and to each the nearest finding that is left.
    """
    left = list(found)
    pairs = []
    for one in sorted(gold, key=lambda each: (each.game, each.message, each.start, each.end)):
        near = [
            other
            for other in left
            if (other.game, other.message) == (one.game, one.message)
            and other.start < one.end
            and one.start < other.end
        ]
        if near:
            best = min(
                near, key=lambda other: (other.act != one.act, other.goals != one.goals, abs(other.start - one.start))
            )
            left.remove(best)
            pairs.append((best, one))
    return pairs


def _spans(rows: Iterable[Found], unit: tuple[str, str]) -> list[tuple[int, int]]:
    return sorted({(one.start, one.end) for one in rows if (one.game, one.message) == unit})


def of_ledgers(ledgers: Iterable[Ledger], source: str) -> list[Found]:
    """What a source of some ledgers finds; ``source`` is its name or the beginning of it (``rule``, ``llm:``)."""
    return [
        Found(ledger.name, act.message, act.act, act.start, act.end, _goals(act.goals, act.given))
        for ledger in ledgers
        for act in ledger.acts
        if act.source.startswith(source)
    ]


def of_codings(codings: Iterable[tuple[Unit, Annotation]]) -> list[Found]:
    """What somebody finds whose codings are in a file."""
    return [one for unit, row in codings for one in _of_acts(unit.log.name, unit.message.id, row.acts)]


def _of_acts(game: str, message: str, acts: Iterable[Coded]) -> list[Found]:
    return [Found(game, message, act.act, act.start, act.end, _goals(act.goals, act.given)) for act in acts]


def _goals(*parts: Iterable[object]) -> str:
    return " if ".join(" & ".join(sorted(goal_key(goal) for goal in part)) for part in parts)  # type: ignore[arg-type]
