"""How well a source finds what people find, and whether it is broken: printed beside every rate that rests on it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from diplomat.study.annotate.scheme import GIVING, Coded
from diplomat.study.drafts import goal_key
from diplomat.study.ledger import Ledger
from diplomat.study.stats.bootstrap import REPS, Totals, cluster_bootstraps
from diplomat.study.stats.intervals import Interval, ratio
from diplomat.study.stats.spans import SpanAgreement, span_agreement

ANY = "commitment"
"""Any act by which a word may come to be given."""
BROKEN = "broken"
"""The verdict on a promise, found where its words stand."""


@dataclass(frozen=True, slots=True)
class Found:
    """One act that somebody finds in a message, or the verdict that a promise with these words was broken."""

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
    """A kind of act; or ``commitment``: any that gives a word, whichever it was called; or ``broken``: a promise with
    these words was broken."""
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
    people: Iterable[Found],
    texts: Mapping[tuple[str, str], str],
    source: str,
    *,
    reps: int = REPS,
    seed: int | str = 0,
) -> tuple[Quality, ...]:
    """Precision, recall and F1 of a source, for commitments, each kind of act, and broken promises.

    Args:
        found: What the source finds, in whatever messages.
        people: What people find.
        texts: The messages that people coded, by game and id.
        source: Its name.
        reps: Resamples of games.
        seed: Of the draws.
    """
    gold = [one for one in people if (one.game, one.message) in texts]
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
    counts = [Counter(one.game for one in listed) for listed in ([one for one, _ in pairs], found, gold)]
    names = dict.fromkeys(game for game, _ in texts)
    games: dict[Hashable, Totals] = {game: tuple(float(count[game]) for count in counts) for game in names}
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
    theirs, ours = _by_message(found), _by_message(gold)
    sides = [(text, _spans(theirs.get(unit, ())), _spans(ours.get(unit, ()))) for unit, text in texts.items()]
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


def _by_message(rows: Iterable[Found]) -> dict[tuple[str, str], list[Found]]:
    found: dict[tuple[str, str], list[Found]] = {}
    for one in rows:
        found.setdefault((one.game, one.message), []).append(one)
    return found


def _pairs(found: Sequence[Found], gold: Sequence[Found]) -> list[tuple[Found, Found]]:
    """Each finding with at most one of people's: the same message, words that meet, the same goals if there are some.

    People's are taken in order of their words, and to each the nearest finding that is left.
    """
    left = _by_message(found)
    pairs = []
    for one in sorted(gold, key=lambda each: (each.game, each.message, each.start, each.end)):
        here = left.get((one.game, one.message), [])
        near = [other for other in here if other.start < one.end and one.start < other.end]
        if near:
            best = min(
                near, key=lambda other: (other.act != one.act, other.goals != one.goals, abs(other.start - one.start))
            )
            here.remove(best)
            pairs.append((best, one))
    return pairs


def _spans(rows: Iterable[Found]) -> list[tuple[int, int]]:
    return sorted({(one.start, one.end) for one in rows})


def of_ledger(ledger: Ledger, source: str = "") -> tuple[Found, ...]:
    """What a ledger has from one source (all if empty): acts, and promises that were broken, threats left out."""
    acts = [
        Found(ledger.name, act.message, act.act, act.start, act.end, _goals(act.goals, act.given))
        for act in ledger.acts
        if source in ("", act.source)
    ]
    return (*acts, *_broken(ledger, source))


def _broken(ledger: Ledger, source: str) -> Iterator[Found]:
    for promise, end in zip(ledger.promises, ledger.resolutions, strict=True):
        if promise.act != "threat" and end.status == "broken" and source in ("", promise.source):
            words, goals = promise.mentions[0], () if promise.goal is None else (promise.goal,)
            yield Found(ledger.name, words.message, BROKEN, words.start, words.end, _goals(goals, promise.antecedent))


def of_acts(game: str, message: str, acts: Iterable[Coded]) -> list[Found]:
    """What somebody codes in one message."""
    return [Found(game, message, act.act, act.start, act.end, _goals(act.goals, act.given)) for act in acts]


def _goals(*parts: Iterable[object]) -> str:
    return " if ".join(" & ".join(sorted(goal_key(goal) for goal in part)) for part in parts)  # type: ignore[arg-type]
