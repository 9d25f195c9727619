"""The findings in words: one section per question, in the order in which they should be read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from math import isnan

from diplomat.core.texts import Texts, load_texts
from diplomat.study.coded import ALL, Coded
from diplomat.study.findings import Findings
from diplomat.study.gather import Gathered
from diplomat.study.screen import Section, figures
from diplomat.study.stats.cautions import Caution
from diplomat.study.stats.extraction import BENCHMARKS
from diplomat.study.stats.intervals import Interval, ratio
from diplomat.study.stats.rates import RateRow
from diplomat.study.stats.regression import Fitted
from diplomat.study.write import study_texts

NAMED = 5
"""Files of one kind that are named on the screen; all of them stand in ``left_out.csv``."""
SHOWN_ACTS, SHOWN_FIELDS = ("commitment", "promise"), ("commitment", "act", "goal")
"""Kinds of act and coded fields that the screen has; the files have all."""
SHOWN = ("macro_f1", "lie_f1", "precision", "recall", "kappa")


def report_texts(lang: str) -> Texts:
    """What a report says around its figures, and the labels of figures."""
    return study_texts(lang).joined(load_texts("diplomat.study", "report", lang))


def sections(gathered: Gathered, found: Findings, coded: Coded | None, lang: str) -> list[Section]:
    """The whole report."""
    say = report_texts(lang)
    return [
        _head(gathered, found, say),
        *_left(gathered, say),
        *_four(found, say),
        _outcomes(found, say),
        *_rates(found, say),
        _tests(found, say),
        *_evidence(found, coded, say),
        *_pairs(found, say),
        _honesty(found, say),
        _time(found, say),
        _receivers(found, say),
        *_claims(found, say),
        *_models(found, say),
        Section(say.say("end.title"), notes=(say.say("end.ethics"),)),
    ]


def percent(share: float) -> str:
    """A share as a whole percentage, a dash where there is none.

    >>> percent(0.125), percent(float("nan"))
    ('12%', '–')
    """
    return "–" if isnan(share) else f"{100 * share:.0f}%"


def bounds(low: float, high: float) -> str:
    """Both bounds of a share.

    >>> bounds(0.1, 0.25)
    '10–25%'
    """
    return "–" if isnan(low) or isnan(high) else f"{100 * low:.0f}–{100 * high:.0f}%"


def chance(p_value: float) -> str:
    """A p-value as it is printed.

    >>> chance(0.0004), chance(0.0312)
    ('<0.001', '0.031')
    """
    return "–" if isnan(p_value) else "<0.001" if p_value < 0.001 else f"{p_value:.3f}"


def cautioned(cautions: Iterable[Caution], say: Texts) -> tuple[str, ...]:
    """Cautions in words, each once."""
    return tuple(dict.fromkeys(caution.say(say) for caution in cautions))


def _columns(say: Texts, *keys: str) -> tuple[str, ...]:
    return tuple(say.say(f"column.{key}") for key in keys)


def _group(name: str, say: Texts) -> str:
    return name or say.say("group.all")


def _head(gathered: Gathered, found: Findings, say: Texts) -> Section:
    rows = [one.row for one in gathered.games]
    facts = {
        "games": len(rows),
        "promises": found.four[0].said,
        "messages": sum(row.messages for row in rows),
        "rules": rows[0].rules if rows else "",
        "by": say.say(f"by.{found.by}"),
        "in_play": gathered.in_play,
        "pending": found.four[0].pending,
        "torn": sum(row.torn for row in rows),
        "old": sum(row.hashes == "none" for row in rows),
        "changed": sum(row.hashes == "broken" for row in rows),
        "forks": sum(bool(row.parent) for row in rows),
        "resamples": found.resamples,
        "seed": found.seed,
    }
    notes = [say.say("head.what", **facts)]
    notes += [say.say(f"head.{key}", **facts) for key in ("in_play", "torn", "old", "changed", "forks") if facts[key]]
    notes.append(say.say("head.resamples", **facts))
    return Section(say.say("head.title", **facts), notes=tuple(notes))


def left_out(gathered: Gathered, say: Texts) -> Iterator[str]:
    """What was left out, kind by kind, with the first files of each."""
    kinds = Counter(one.why for one in gathered.left)
    for why, count in sorted(kinds.items()):
        yield say.say(f"left.{why}", count=count)
        texts = [one.text or one.path for one in gathered.left if one.why == why]
        yield from (f"  {text}" for text in texts[:NAMED])
        if count > NAMED:
            yield "  " + say.say("left.more", count=count - NAMED)


def _left(gathered: Gathered, say: Texts) -> list[Section]:
    if not gathered.left:
        return []
    return [Section(say.say("left.title", count=len(gathered.left)), notes=tuple(left_out(gathered, say)))]


def _four(found: Findings, say: Texts) -> Iterator[Section]:
    did = tuple(
        (_group(row.group, say), *figures((row.said, row.kept, row.broken, row.void, row.pending, row.untestable)))
        for row in found.four
    )
    yield Section(
        say.say("four.did"), _columns(say, found.by, "said", "kept", "broken", "void", "open", "untestable"), did,
        (say.say("four.did_note", vacuous=found.four[0].kept + found.four[0].broken - found.four[0].binding),),
    )  # fmt: skip
    meant = tuple(
        (
            _group(row.group, say),
            *figures((row.sincere, row.insincere, row.undecided, row.no_evidence)),
            *figures((row.believed, row.doubted, row.unseen)),
        )
        for row in found.four
    )
    keys = ("sincere", "insincere", "undecided", "no_evidence", "believed", "doubted", "unseen")
    note = say.say("four.meant_note", share=percent(ratio(found.four[0].no_evidence, found.four[0].said)))
    yield Section(say.say("four.meant"), _columns(say, found.by, *keys), meant, (note,))


def _outcomes(found: Findings, say: Texts) -> Section:
    keys = ("honoured", "changed_mind", "relented", "premeditated", "with_notice", "retaliatory")
    rows = tuple((_group(row.group, say), *figures([getattr(row, key) for key in keys])) for row in found.outcomes)
    return Section(say.say("outcome.title"), _columns(say, found.by, *keys), rows, (say.say("outcome.note"),))


def _rates(found: Findings, say: Texts) -> Iterator[Section]:
    by_measure: dict[str, list[RateRow]] = {}
    for row in found.rates:
        by_measure.setdefault(f"{row.measure}_{row.per}", []).append(row)
    for measure, rows in by_measure.items():
        cells = tuple(
            (
                _group(row.group, say),
                percent(row.rate),
                bounds(row.wilson_low, row.wilson_high),
                bounds(row.cluster_low, row.cluster_high),
                percent(row.seat_mean),
                *figures((row.units, row.games)),
            )
            for row in rows
        )
        notes = cautioned((caution for row in rows for caution in row.cautions), say)
        columns = _columns(say, found.by, "rate", "wilson", "clustered", "seat_mean", "units", "games")
        yield Section(say.say(f"rate.{measure}"), columns, cells, notes)


def _tests(found: Findings, say: Texts) -> Section:
    rows = tuple(
        (
            say.say(f"measure.{test.measure}"),
            *figures((test.labels, test.games)),
            chance(test.p_value),
            chance(test.p_holm),
            figures((test.deals,))[0] + ("" if test.exact else "~"),
        )
        for test in found.tests
    )
    notes = [say.say("test.note", by=say.say(f"by.{found.by}")), say.say("test.weak")] if rows else []
    notes += [] if rows else [say.say("test.none")]
    notes += cautioned((caution for test in found.permuted for caution in test.cautions), say)
    return Section(
        say.say("test.title"), _columns(say, "measure", "labels", "games", "p", "holm", "deals"), rows, tuple(notes)
    )


def _evidence(found: Findings, coded: Coded | None, say: Texts) -> Iterator[Section]:
    rows = tuple(
        (
            row.source,
            *figures((row.promises, row.testable)),
            f"{row.confidence:.2f}",
            percent(ratio(row.kept, row.judged)),
            *figures((row.judged, row.threats)),
        )
        for row in found.sources
    )
    keys = ("source", "said", "testable", "confidence", "rate_kept", "units", "threats")
    note = say.say("source.unchecked") if coded is None else say.say("source.note")
    yield Section(say.say("source.title"), _columns(say, *keys), rows, (note,))
    if coded is not None:
        yield from _quality(coded, say)


def _quality(found: Coded, say: Texts) -> Iterator[Section]:
    rows = tuple(
        (
            say.say("source.all") if row.source == ALL else row.source,
            row.act,
            *figures((row.people, row.found)),
            *(_interval(one) for one in (row.precision, row.recall)),
        )
        for row in found.quality
        if row.act in SHOWN_ACTS
    )
    notes = [say.say("quality.note")]
    if found.agreement is None:
        notes.append(say.say("quality.one_coder"))
    else:
        notes += [
            say.say("quality.agreement", field=row.field, alpha=_plain(row.alpha), units=row.pairable)
            + " "
            + say.say(f"quality.{row.gate}")
            for row in found.agreement.rows
            if row.field in SHOWN_FIELDS
        ]
    if found.kept_here is not None and found.kept_people is not None:
        here, people = found.kept_here, found.kept_people
        notes.append(say.say("quality.kept", here=_rate(here), people=_rate(people), n=here.units, m=people.units))
    notes += [
        say.say("quality.benchmark", what=one.what, figure=one.figure, value=one.value, source=one.source)
        for one in BENCHMARKS
    ]
    columns = _columns(say, "source", "act", "gold", "found", "precision", "recall")
    title = say.say("quality.title", messages=found.messages, games=found.games)
    yield Section(title, columns, rows, tuple(notes), words=2)
    if found.refused:
        lines = tuple(f"  {say.say(f'refused.{row.reason}')}: {row.rows}" for row in found.refused)
        yield Section(say.say("quality.refused", count=sum(row.rows for row in found.refused)), notes=lines)


def _rate(row: RateRow) -> str:
    return f"{percent(row.rate)} ({bounds(row.cluster_low, row.cluster_high)})"


def _interval(one: Interval) -> str:
    return percent(one.estimate) if isnan(one.low) else f"{percent(one.estimate)} ({bounds(one.low, one.high)})"


def _plain(one: Interval) -> str:
    return "–" if isnan(one.estimate) else f"{one.estimate:.2f} ({one.low:.2f}–{one.high:.2f})"


def _pairs(found: Findings, say: Texts) -> Iterator[Section]:
    both, lag = found.reciprocity, found.tit_for_tat
    rows = tuple(
        (say.say(f"pairs.{row.before}"), percent(row.rate), bounds(row.low, row.high), str(row.units))
        for row in lag.rows
    )
    notes = (
        say.say("pairs.lag_note", difference=_interval(lag.difference), unanswered=lag.unanswered),
        say.say("pairs.both", r=f"{both.correlation:.2f}", p=chance(both.p_value), pairs=both.pairs)
        if not isnan(both.correlation)
        else say.say("pairs.none", pairs=both.pairs),
        *cautioned(both.cautions, say),
    )
    yield Section(say.say("pairs.title"), _columns(say, "before", "breaks", "clustered", "units"), rows, notes)


def _honesty(found: Findings, say: Texts) -> Section:
    one = found.honesty
    rows = tuple(
        (
            row.agent,
            percent(row.honesty.estimate),
            bounds(row.honesty.low, row.honesty.high),
            f"{row.strength.estimate:.1f}",
            f"{row.strength.low:.1f}–{row.strength.high:.1f}",
            str(row.seats),
        )
        for row in one.agents
    )
    notes = [say.say("honesty.rank", r=_decimal(one.correlation), p=chance(one.p_value), seats=one.seats)]
    if found.unscored:
        notes.append(say.say("honesty.unscored", seats=found.unscored))
    columns = _columns(say, found.by, "rate_kept", "clustered", "score", "clustered", "seats")
    return Section(say.say("honesty.title"), columns, rows, (*notes, *cautioned(one.cautions, say)))


def _decimal(value: float) -> str:
    return "–" if isnan(value) else f"{value:.2f}"


def _time(found: Findings, say: Texts) -> Section:
    rows = tuple(
        (
            f"{step.time:g}",
            str(step.at_risk),
            percent(step.survival),
            bounds(step.low, step.high),
            percent(end.event),
            percent(end.competing),
        )
        for step, end in zip(found.survival, found.incidence, strict=True)
    )
    columns = _columns(say, "after", "at_risk", "unbroken", "bounds", "broken_by", "void_by")
    notes = [say.say("time.note")]
    if found.untested:
        notes.append(say.say("time.untested", count=found.untested))
    return Section(say.say("time.title"), columns, rows, tuple(notes))


def _receivers(found: Findings, say: Texts) -> Section:
    report = found.receivers
    judges = list(dict.fromkeys(row.judge for row in report.rows))
    rows = tuple(
        (
            say.say(f"judge.{judge}"),
            *(_interval(report.figure(measure, judge)) for measure in SHOWN if measure != "kappa"),
        )
        for judge in judges
    )
    counts = report.counts
    notes = (
        say.say(
            "receivers.counts",
            caught=int(counts.caught),
            missed=int(counts.missed),
            doubted=int(counts.doubted),
            believed=int(counts.believed),
            unlabelled=report.unlabelled,
        ),
        say.say("receivers.note"),
    )
    columns = _columns(say, "judge", *(name for name in SHOWN if name != "kappa"))
    return Section(say.say("receivers.title"), columns, rows if counts.total else (), notes)


def _claims(found: Findings, say: Texts) -> Iterator[Section]:
    if found.claims:
        keys = ("claims", "true", "false_known", "false_unknown", "unverifiable")
        rows = tuple((_group(row.group, say), *figures([getattr(row, key) for key in keys])) for row in found.claims)
        yield Section(say.say("claims.title"), _columns(say, found.by, *keys), rows, (say.say("claims.note"),))


def _models(found: Findings, say: Texts) -> Iterator[Section]:
    one = found.models
    for fitted in one.fitted:
        yield _model(fitted, min(row.player for row in one.rows), say)
    notes = [say.say(key) for key in one.why if key.startswith("model.")]
    notes += [key for key in one.why if not key.startswith("model.")]
    if one.constant and one.fitted:
        notes.append(say.say("model.constant", names=", ".join(one.constant)))
    if notes:
        yield Section(say.say("model.title_none" if not one.fitted else "model.title_notes"), notes=tuple(notes))


def _model(fitted: Fitted, baseline: str, say: Texts) -> Section:
    """One model; the libraries compare every label with the first by name."""
    rows = tuple(
        (
            term.name.replace("player[T.", "").replace("]", ""),
            _odds(term.odds_ratio),
            f"{_odds(_exp(term.low))}–{_odds(_exp(term.high))}",
            "" if term.p_value is None else chance(term.p_value),
        )
        for term in fitted.terms
    )
    notes = [say.say("model.formula", formula=fitted.formula, rows=fitted.rows, games=fitted.games)]
    if any(term.name.startswith("player[") for term in fitted.terms):
        notes.append(say.say("model.baseline", name=baseline))
    if fitted.correlation is not None:
        notes.append(say.say("model.correlation", value=f"{fitted.correlation:.3f}"))
    notes += [say.say("model.spread", group=part.group, value=f"{part.deviation:.2f}") for part in fitted.spreads]
    title = say.say(f"model.{fitted.method}")
    return Section(
        title, _columns(say, "term", "odds", "bounds", "p"), rows, (*notes, *cautioned(fitted.cautions, say))
    )


def _exp(value: float) -> float:
    from math import exp

    return exp(min(value, 700.0))


def _odds(value: float) -> str:
    return f"{value:.2f}" if value < 100 else ">100"


def cautions_of(found: Findings, say: Texts) -> Sequence[str]:
    """Every caution of a study, each once."""
    every = [caution for row in found.rates for caution in row.cautions]
    every += [caution for test in found.permuted for caution in test.cautions]
    every += [*found.reciprocity.cautions, *found.honesty.cautions]
    every += [caution for model in found.models.fitted for caution in model.cautions]
    return cautioned(every, say)
