"""The codings of one game beside what else reads it: whose count, which are refused, and who finds what."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from diplomat.study.annotate.files import placed
from diplomat.study.annotate.people import gold, of_model
from diplomat.study.annotate.quality import BROKEN, Found, Quality, of_acts, of_ledger, quality_table
from diplomat.study.annotate.rows import Annotation
from diplomat.study.annotate.units import Log
from diplomat.study.counts import judged
from diplomat.study.extract_sources import USUAL, Giver, sources_of
from diplomat.study.ledger import Ledger, of
from diplomat.study.stats.bootstrap import REPS
from diplomat.study.vocabulary import vocabulary_of

Key = tuple[str, ...]
"""A row of annotation files: its coder, transcript, game and message."""
Tally = Mapping[str, tuple[int, int]]
"""By the message in which a promise was first said: how many were kept, of how many that count in rates."""
ALL = "all"
"""Everything together that a study takes promises from, people excepted."""


def key_of(row: Annotation) -> Key:
    """What tells rows apart."""
    return (row.coder, row.transcript, *row.unit)


@dataclass(frozen=True, slots=True)
class Marked:
    """The rows of annotation files that are about one game."""

    people: Mapping[str, Annotation] = field(default_factory=dict)
    """One coding per message, by its id."""
    model: Mapping[str, Annotation] = field(default_factory=dict)
    rows: tuple[Annotation, ...] = ()
    """All that fit the game, of whomever."""
    why: Mapping[Key, str] = field(default_factory=dict)
    """Of every row, why it cannot be used, empty if it can; ``unsettled``: nobody said who of several coders counts."""


@dataclass(frozen=True, slots=True)
class Checked:
    """What people found in one game, and what others found in the same messages."""

    rows: tuple[Annotation, ...] = ()
    """Codings by single people, for their agreement."""
    words: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """Texts of the messages of these, by unit."""
    texts: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """The messages of which one coding by people counts, by game and id."""
    people: tuple[Found, ...] = ()
    found: Mapping[str, tuple[Found, ...]] = field(default_factory=dict)
    """By source: ``declared``, ``rule``, each model, and :data:`ALL`."""
    kept: Tally = field(default_factory=dict)
    """Of all messages, as the study reads them without people."""
    kept_people: Tally = field(default_factory=dict)
    """Of the messages in ``texts``, as people read them; what they did not code is as declared or read by rules."""

    def renamed(self, game: str) -> Checked:
        """The same under another name of the game."""
        return replace(
            self,
            rows=tuple(replace(row, game=game) for row in self.rows),
            words={(game, unit): text for (_, unit), text in self.words.items()},
            texts={(game, message): text for (_, message), text in self.texts.items()},
            people=tuple(replace(one, game=game) for one in self.people),
            found={name: tuple(replace(one, game=game) for one in rows) for name, rows in self.found.items()},
        )


def marked(log: Log, rows: Iterable[Annotation], coder: str | None, asked: Sequence[Giver] = USUAL) -> Marked:
    """Fits rows to a game and chooses those that count.

    Args:
        log: The game.
        rows: Codings that may be about it.
        coder: Whose count where several people, or several models, coded.
        asked: From whom promises are taken: codings of several models are unsettled only where one is wanted.
    """
    fitting: list[Annotation] = []
    reasons: dict[Key, str] = {}
    for row in rows:
        _, why = placed(row, (log,))
        reasons[key_of(row)] = why
        if not why:
            fitting.append(row)
    people, model = gold(fitting, coder), of_model(fitting, coder)
    unsettled = (*people.unsettled, *(model.unsettled if "model" in asked else ()))
    reasons |= {key_of(row): "unsettled" for row in unsettled}
    return Marked(people.codings, model.codings, tuple(fitting), reasons)


def checked(log: Log, found: Marked, ledger: Ledger, asked: Sequence[Giver] = USUAL) -> Checked:
    """The game read by each source, and by people, as far as they go.

    Args:
        log: The game.
        found: Its codings.
        ledger: Of the game, from the sources asked.
        asked: These sources.
    """
    single = tuple(row for row in found.rows if row.by == "human")
    units = log.by_message
    words = {row.unit: units[row.message].message.text for row in single}
    if not found.people:
        return Checked(single, words)
    name = log.name
    texts = {(name, message): units[message].message.text for message in found.people}
    rest = tuple(one for one in asked if one != "people")
    alone = ledger if rest == tuple(asked) else _read(log, rest, found)
    beside = ledger if tuple(asked) == ("people", *USUAL) else _read(log, ("people", *USUAL), found)
    verdicts = [one for one in of_ledger(beside) if one.act == BROKEN]
    coded = [one for message, row in found.people.items() for one in of_acts(name, message, row.acts)]
    usual = alone if rest == USUAL else _read(log, USUAL, found)
    sources: dict[str, tuple[Found, ...]] = {one: of_ledger(usual, one) for one in USUAL}
    for coder in sorted({row.coder for row in found.rows if row.by == "llm"}):
        sources[coder] = _of_model(log, found, coder)
    if rest:
        sources[ALL] = of_ledger(alone)
    return Checked(
        rows=single,
        words=words,
        texts=texts,
        people=(*coded, *verdicts),
        found=sources,
        kept=tally(alone),
        kept_people={message: counts for message, counts in tally(beside).items() if message in found.people},
    )


def _read(log: Log, asked: Sequence[Giver], found: Marked) -> Ledger:
    vocabulary = vocabulary_of(log.game)
    return of(log.transcript, sources_of(vocabulary, asked, found.people, found.model))


def _of_model(log: Log, found: Marked, coder: str) -> tuple[Found, ...]:
    """What one model codes, also acts of which the ledger knows nothing, and what it finds broken."""
    own = {row.message: row for row in found.rows if row.coder == coder}
    ledger = of(log.transcript, sources_of(vocabulary_of(log.game), ("model", "rule"), {}, own))
    acts = [one for message, row in own.items() for one in of_acts(log.name, message, row.acts)]
    return (*acts, *(one for one in of_ledger(ledger, coder) if one.act == BROKEN))


def tally(ledger: Ledger) -> dict[str, tuple[int, int]]:
    """Promises by the message in which they were first said, threats left out."""
    counts: dict[str, tuple[int, int]] = {}
    for promise, end in zip(ledger.promises, ledger.resolutions, strict=True):
        if promise.act != "threat" and judged(end):
            kept, units = counts.get(promise.mentions[0].message, (0, 0))
            counts[promise.mentions[0].message] = kept + (end.status == "kept"), units + 1
    return counts


def quality_tables(
    games: Sequence[Checked], *, reps: int = REPS, seed: int | str = "0"
) -> tuple[tuple[Quality, ...], ...]:
    """One table per source, over the messages that people coded; models after the others, all together last."""
    texts = {unit: text for game in games for unit, text in game.texts.items()}
    people = [one for game in games for one in game.people]
    there = {name for game in games for name in game.found}
    first = [name for name in USUAL if name in there]
    last = [ALL] if ALL in there else []
    models = sorted(there - {*first, *last})
    return tuple(
        quality_table(
            [one for game in games for one in game.found.get(name, ())], people, texts, name, reps=reps, seed=seed
        )
        for name in (*first, *models, *last)
    )
