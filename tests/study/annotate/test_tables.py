"""The tables that stand beside rates: do coders agree, and how well do rules and models find what people find."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan
from pathlib import Path
from typing import Any

import pytest

from diplomat.core.errors import UsageError
from diplomat.study.annotate.agreement import Agreement, agreement_table
from diplomat.study.annotate.quality import BROKEN, Found, of_acts, of_ledger, quality_table
from diplomat.study.annotate.rows import Annotation
from diplomat.study.annotate.scheme import Coded
from diplomat.study.annotate.session import adjudication
from diplomat.study.annotate.units import Log, Unit
from diplomat.study.ledger import of
from diplomat.study.stats.agreement import AgreementRow, cohen_kappa
from tests.study.annotate.coding import S1, S2, act, coding, spare

TEXT = "I will not attack you this round, and you will not attack me."


def row(coder: str, number: int, *acts: Coded, game: str = "g1", **changes: Any) -> Annotation:
    return Annotation("chain:x", game, f"s1>s2.{number}", "t", coder, acts, **changes)


def said(kind: str = "promise", start: int = 0, end: int = 32, **codes: Any) -> Coded:
    return Coded(kind, start, end, TEXT[start:end], **codes)


def field(table: Agreement, name: str) -> AgreementRow:
    return next(one for one in table.rows if one.field == name)


def test_agreement_on_messages_is_that_of_the_published_formulas() -> None:
    first = [True] * 20 + [True] * 5 + [False] * 10 + [False] * 15
    second = [True] * 20 + [False] * 5 + [True] * 10 + [False] * 15
    rows = [
        row(coder, number, *([said()] if given else []), game=f"g{number % 12}")
        for coder, values in (("anna", first), ("ivan", second))
        for number, given in enumerate(values)
    ]
    found = field(agreement_table(rows, reps=50), "promise")
    assert (found.units, found.pairable, found.coders, found.raw) == (50, 50, 2, 0.7)
    assert found.pairs[0].kappa == pytest.approx(0.4) == cohen_kappa(list(zip(first, second, strict=True)))
    assert found.alpha.low < found.alpha.estimate < found.alpha.high
    assert found.gate == "counts_only"


def test_codes_of_an_act_are_compared_where_marked_words_meet() -> None:
    rows = [
        row("anna", 1, said(certainty="hedged"), said("claim", 40, 50)),
        row("ivan", 1, said(start=7, end=20, certainty="firm", goals=(spare(S1, S2),)), said("ask", 52, 60)),
    ]
    table = agreement_table(rows, reps=20)
    assert field(table, "act").values == {"ask": 1, "claim": 1, "none": 2, "promise": 2}
    assert field(table, "act").raw == pytest.approx(1 / 3)
    assert field(table, "certainty").values == {"firm": 1, "hedged": 1}
    assert field(table, "goal").raw == 0
    assert field(table, "level").raw == 1


def test_messages_of_one_coder_only_show_no_agreement() -> None:
    table = agreement_table([row("anna", 1, said()), row("ivan", 2)], reps=20)
    found = field(table, "promise")
    assert (found.units, found.pairable) == (2, 0)
    assert isnan(found.alpha.estimate)
    assert table.spans == ()


def test_adjudicated_codings_are_no_third_coder_and_unblind_ones_are_counted() -> None:
    rows = [row("anna", 1, said()), row("ivan", 1, blind=False), row("eva", 1, said(), by="adjudicated", rule="first")]
    table = agreement_table(rows, reps=20)
    assert field(table, "promise").coders == 2
    assert table.unblind == 1


def test_marked_words_are_compared_by_tokens() -> None:
    rows = [row("anna", 1, said(end=32)), row("ivan", 1, said(end=17))]
    units = {one.unit: TEXT for one in rows}
    (found,) = agreement_table(rows, units, reps=20).spans
    # "I will not attack you this round" against "I will not attack": 4 of 7 words.
    assert found.spans.token_f1 == pytest.approx(2 * 4 / (2 * 4 + 3))
    assert (found.spans.exact, found.spans.overlapping) == (0, 1)


def test_precision_and_recall_count_acts_whose_words_meet(log: Log) -> None:
    units = log.units[:4]
    texts = [unit.message.text for unit in units]
    people = [
        (units[0], coding(units[0], "anna", act(units[0], texts[0][:6]), act(units[0], texts[0][8:14]))),
        (units[1], coding(units[1], "anna", act(units[1], texts[1][:6], "offer"))),
        (units[2], coding(units[2], "anna")),
    ]

    def hit(number: int, kind: str, start: int, end: int) -> Found:
        return Found(log.name, units[number].message.id, kind, start, end, " if ")

    found = [hit(0, "promise", 2, 12), hit(1, "promise", 0, 3), hit(2, "threat", 0, 3), hit(3, "promise", 0, 3)]
    rows = {one.act: one for one in quality_table(found, *sides(people), "rule", reps=20)}
    assert set(rows) == {"commitment", "promise", "offer", "threat"}
    whole = rows["commitment"]
    assert (whole.messages, whole.found, whole.people, whole.both) == (3, 3, 3, 2)
    assert whole.precision.estimate == whole.recall.estimate == pytest.approx(2 / 3)
    promise = rows["promise"]
    assert (promise.found, promise.people, promise.both) == (2, 2, 1)
    assert promise.f1.estimate == pytest.approx(0.5)
    assert promise.goals == 1
    assert isnan(rows["threat"].recall.estimate)
    assert isnan(rows["offer"].precision.estimate)


def sides(people: Sequence[tuple[Unit, Annotation]]) -> tuple[list[Found], dict[tuple[str, str], str]]:
    """What people found, and the messages in which they looked."""
    found = [one for unit, row in people for one in of_acts(unit.log.name, unit.message.id, row.acts)]
    return found, {(unit.log.name, unit.message.id): unit.message.text for unit, _ in people}


def test_the_game_s_own_rules_are_measured_against_their_own_findings(log: Log) -> None:
    ledger = of(log.transcript)
    found = of_ledger(ledger)
    assert found
    people = [
        (
            unit,
            coding(
                unit,
                "anna",
                *(
                    Coded(
                        one.act,
                        one.start,
                        one.end,
                        unit.message.text[one.start : one.end],
                        one.goals,
                        one.given,
                        one.ref or None,
                    )
                    for one in ledger.acts
                    if one.message == unit.message.id and one.act != "release"
                ),
            ),
        )
        for unit in log.units
    ]
    gold, texts = sides(people)
    for one in quality_table([one for one in found if one.act != BROKEN], gold, texts, "rule", reps=20):
        assert (one.precision.estimate, one.recall.estimate) == (1, 1), one.act
        assert one.spans.exact == 1
    again = quality_table(gold, gold, texts, "llm:x", reps=20)
    assert [one.goals for one in again] == [1] * len(again)


def test_adjudication_is_about_what_two_coders_say_differently(log: Log) -> None:
    one, other, third, alone = log.units[:4]
    words = one.message.text[:5]
    rows = [
        (one, coding(one, "anna", act(one, words, confidence=0.5))),
        (one, coding(one, "ivan", act(one, words))),
        (other, coding(other, "anna")),
        (other, coding(other, "ivan", act(other, other.message.text[:5]))),
        (third, coding(third, "anna")),
        (third, coding(third, "ivan")),
        (alone, coding(alone, "ivan")),
    ]
    differing, agreed = adjudication(log.units, rows)
    assert [(unit, [each.coder for each in two]) for unit, two in differing] == [(other, ["anna", "ivan"])]
    assert [(each.message, each.by, each.rule) for each in agreed] == [
        (unit.message.id, "adjudicated", "agreed") for unit in (one, third)
    ]
    with pytest.raises(UsageError, match="3: anna, eva, ivan"):
        adjudication(log.units, [*rows, (one, coding(one, "eva"))])


def test_texts_are_the_same_in_both_languages() -> None:
    import re

    from diplomat.core.texts import load_texts

    en, ru = (load_texts("diplomat.study.annotate", "texts", lang).entries for lang in ("en", "ru"))
    places = [{key: set(re.findall(r"\{\w+\}", text)) for key, text in each.items()} for each in (en, ru)]
    assert places[0] == places[1]
    script = "".join(
        path.read_text("utf-8") for path in (Path(__file__).parents[3] / "diplomat/study/annotate/page").glob("*.js")
    )
    asked = set(re.findall(r'say\("([a-z]+\.[a-z_]+)"', script))
    assert asked <= set(en), asked - set(en)
