"""Annotation files beside a study: how well messages were read, how far coders agree, and the rate by people's word."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass

from diplomat.study.annotate.agreement import Agreement, agreement_table
from diplomat.study.annotate.checking import ALL, Checked, Key, Tally, key_of, quality_tables, tally
from diplomat.study.annotate.files import Sheet
from diplomat.study.annotate.quality import Quality
from diplomat.study.gather import Gathered
from diplomat.study.stats.bootstrap import Totals, cluster_bootstrap
from diplomat.study.stats.correction import DoublyCoded, corrected_rate
from diplomat.study.stats.intervals import Interval

Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class RefusedRow:
    """Rows of annotation files that could not be used."""

    reason: str
    """``torn unreadable newer_format other_codebook other_transcript changed_transcript missing_message other_words
    bad_span bad_goal unsettled``, or ``draft``: the coding was not finished."""
    rows: int
    concerned: tuple[str, ...] = ()
    """The coders of whom nobody said who counts, or the games whose logs were changed."""


@dataclass(frozen=True, slots=True)
class KeptRates:
    """The share of promises kept, said in three ways; threats and promises that bound nobody are in none."""

    read: Interval
    """In coded messages, as the study reads them without people."""
    people: Interval
    """In the same messages, as people read them."""
    corrected: Interval | None
    """In all messages, as read, with the error that shows in coded ones taken off; None if nothing shows it."""


@dataclass(frozen=True, slots=True)
class Coded:
    """What annotation files say about a study."""

    games: int
    """Games of which people coded messages."""
    messages: int
    """Messages of which one coding by people counts; 0: nobody checked how well messages were read."""
    quality: tuple[Quality, ...]
    """Each source, and all together, against people."""
    agreement: Agreement | None
    """Of people; None if there were not two."""
    refused: tuple[RefusedRow, ...]
    kept: KeptRates | None
    """None if nothing but people's codings is studied."""

    @property
    def read(self) -> Quality | None:
        """How well everything together was read that rates rest on, people excepted."""
        return next((row for row in self.quality if row.source == ALL), None)

    @property
    def broken(self) -> Quality | None:
        """The same of the verdict that a promise was broken; None if nobody found one."""
        return next((row for row in self.quality if (row.source, row.act) == (ALL, "broken")), None)


def coded(gathered: Gathered, *, reps: int, seed: str) -> Coded | None:
    """The annotation files of a study; None if there were none."""
    if gathered.sheet is None:
        return None
    games = [one.checked for one in gathered.games if one.checked is not None]
    rows = [row for game in games for row in game.rows]
    words = {unit: text for game in games for unit, text in game.words.items()}
    several = len({row.coder for row in rows}) > 1
    with_people = [game for game in games if game.texts]
    return Coded(
        games=len(with_people),
        messages=sum(len(game.texts) for game in with_people),
        quality=tuple(row for table in quality_tables(with_people, reps=reps, seed=seed) for row in table),
        agreement=agreement_table(rows, words, reps=reps, seed=seed) if several else None,
        refused=tuple(_refused(gathered.sheet, gathered)),
        kept=_kept(gathered, reps, seed),
    )


def _refused(sheet: Sheet, gathered: Gathered) -> Iterator[RefusedRow]:
    """By reason; a row that fits one of two games of one name is used, whatever the other says of it."""
    reasons: dict[Key, str] = {}
    for one in gathered.games:
        for key, why in one.codings.items():
            if why != "other_transcript" and reasons.get(key) != "":
                reasons[key] = why
    left = [(row, why) for row in sheet.rows if (why := reasons.get(key_of(row), "other_transcript"))]
    counts = sheet.refused + Counter(why for _, why in left) + Counter({"draft": len(sheet.begun)})
    for why, count in sorted(counts.items()):
        named = {"unsettled": lambda row: row.coder, "changed_transcript": lambda row: row.game}.get(why)
        concerned = {named(row) for row, other in left if other == why} if named else set[str]()
        yield RefusedRow(why, count, tuple(sorted(concerned)))


def _kept(gathered: Gathered, reps: int, seed: str) -> KeptRates | None:
    """None where nobody but people is asked, or where people coded nothing."""
    both = [one.checked for one in gathered.games if one.checked is not None and one.checked.texts]
    if not both or gathered.asked == ("people",):
        return None
    read: dict[Hashable, Totals] = {}
    people: dict[Hashable, Totals] = {}
    for game in both:
        name, messages = next(iter(game.texts))[0], {message for _, message in game.texts}
        read[name] = _sum({message: counts for message, counts in game.kept.items() if message in messages})
        people[name] = _sum(game.kept_people)
    return KeptRates(
        cluster_bootstrap(read, units=int(sum(units for _, units in read.values())), reps=reps, seed=seed),
        cluster_bootstrap(people, units=int(sum(units for _, units in people.values())), reps=reps, seed=seed),
        _corrected(gathered, reps, seed),
    )


def _sum(counts: Tally) -> Totals:
    return tuple(float(sum(pair[at] for pair in counts.values())) for at in (0, 1))


def _corrected(gathered: Gathered, reps: int, seed: str) -> Interval | None:
    """The corrected share ``kept / counted`` of promises, from the corrected means of both per message.

    Its interval is that of the mean of ``share + (kept - share * counted) / mean(counted)`` over messages, which has
    the share for its mean: the ratio estimator linearised (Cochran 1977, *Sampling Techniques*, ch. 6).  The coded
    messages are taken for a random sample, each as likely as another.
    """
    messages = list(_messages(gathered))
    chance = sum(people is not None for _, _, people in messages) / len(messages)

    def mean(value: Callable[[float, float], float], draws: int = 1) -> Interval:
        rows = (
            DoublyCoded(game, value(*read), None if people is None else value(*people), chance)
            for game, read, people in messages
        )
        return corrected_rate(rows, reps=draws, seed=seed).corrected

    kept, counted = mean(lambda kept, _: kept).estimate, mean(lambda _, counted: counted).estimate
    if counted <= 0:
        return None
    share = kept / counted
    return mean(lambda kept, units: share + (kept - share * units) / counted, reps)


def _messages(gathered: Gathered) -> Iterator[tuple[str, Pair, Pair | None]]:
    """Every message of the study: its game, its promises (kept, counted) as read, and as people read them."""
    for one in gathered.games:
        game, coded = one.ledger.name, one.checked or Checked()
        read = coded.kept if coded.texts else tally(one.ledger)
        inside = dict.fromkeys(message for _, message in coded.texts)
        yield from ((game, read.get(key, (0, 0)), coded.kept_people.get(key, (0, 0))) for key in inside)
        others = [counts for message, counts in read.items() if message not in inside]
        silent = one.row.messages - len(inside) - len(others)
        yield from ((game, counts, None) for counts in (*others, *[(0, 0)] * silent))
