"""The figures of a study are what the ledgers say, and depend on nothing else."""

from __future__ import annotations

from collections import Counter
from dataclasses import fields, replace
from typing import Any

import pytest

from diplomat.core.errors import UnknownName
from diplomat.study import counts
from diplomat.study.counts import FIELDS, FourRow, Grouping
from diplomat.study.findings import Findings, find
from diplomat.study.gather import Gathered
from diplomat.study.ledger import Ledger


@pytest.fixture(scope="module")
def found(gathered: Gathered) -> Findings:
    return find(counts.labelled(gathered.ledgers, "profile"), "profile", resamples=60, models=False)


@pytest.mark.parametrize("by", FIELDS)
def test_groups_add_up_to_all(gathered: Gathered, by: Grouping) -> None:
    ledgers = counts.labelled(gathered.ledgers, by)
    for rows in (counts.four_columns(ledgers, by), counts.outcome_rows(ledgers, by), counts.claim_rows(ledgers, by)):
        everybody, *groups = rows
        assert everybody.group == ""
        for column in fields(everybody)[1:]:
            parts = [getattr(row, column.name) for row in groups]
            assert getattr(everybody, column.name) == sum(parts), column.name


def test_every_promise_stands_once_in_each_of_the_four_columns(found: Findings) -> None:
    for row in found.four:
        assert row.said == row.kept + row.broken + row.void + row.pending + row.untestable
        assert row.said == row.sincere + row.insincere + row.undecided + row.no_evidence
        assert row.said == row.believed + row.doubted + row.unseen
    assert found.four[0].said > 50


def test_kept_is_kept_over_kept_and_broken_of_binding_words_without_threats(
    gathered: Gathered, found: Findings
) -> None:
    by_hand: Counter[tuple[str, str]] = Counter()
    for ledger in gathered.ledgers:
        named = {player.seat: player.profile for player in ledger.players}
        for promise, end in zip(ledger.promises, ledger.resolutions, strict=True):
            if promise.act != "threat" and end.binding is True:
                by_hand[named[promise.debtor], end.status] += 1
    rows = {row.group: row for row in found.rates if row.measure == "kept"}
    for profile in ("honest", "backstabber", "schemer", "loyal"):
        kept, broken = by_hand[profile, "kept"], by_hand[profile, "broken"]
        assert (rows[profile].hits, rows[profile].units) == (kept, kept + broken)
    assert rows[""].units == sum(row.units for name, row in rows.items() if name)


def test_liars_mean_and_keep_less_than_the_honest(found: Findings) -> None:
    shares = {(row.measure, row.group): row.rate for row in found.rates}
    assert shares["kept", "backstabber"] < shares["kept", "honest"]
    assert shares["insincere", "backstabber"] > shares["insincere", "honest"]
    assert next(test for test in found.tests if test.measure == "kept").p_value < 0.05


def test_both_intervals_hold_the_rate(found: Findings) -> None:
    for row in found.rates:
        if row.units:
            assert row.wilson_low <= row.rate <= row.wilson_high
            assert row.cluster_low <= row.rate <= row.cluster_high


def test_corrected_chances_are_never_smaller(found: Findings) -> None:
    assert [test.measure for test in found.tests] == ["kept", "insincere", "promised"]
    assert all(test.p_holm >= test.p_value for test in found.tests)


def test_processes_change_nothing_and_the_seed_does(gathered: Gathered, found: Findings) -> None:
    ledgers = counts.labelled(gathered.ledgers, "profile")
    assert repr(find(ledgers, "profile", resamples=60, models=False, jobs=2)) == repr(found)
    assert find(ledgers, "profile", resamples=60, models=False, seed="1").rates != found.rates


def test_below_ten_games_every_rate_is_cautioned(gathered: Gathered) -> None:
    few = find(counts.labelled(gathered.ledgers[:9], "clan"), "clan", resamples=50, models=False)
    for row in few.rates:
        said = {caution.code for caution in row.cautions}
        assert ("one_game" if row.games == 1 else "few_games") in said


def test_ten_games_are_not(found: Findings) -> None:
    said = {caution.code for row in found.rates if not row.group for caution in row.cautions}
    assert not said & {"few_games", "one_game"}


def test_honesty_counts_the_same_promises_as_the_rate(found: Findings) -> None:
    rates = {row.group: row.units for row in found.rates if row.measure == "kept" and row.group}
    assert {row.agent: row.honesty.units for row in found.honesty.agents} == rates


def test_models_fit_or_say_why_not(gathered: Gathered) -> None:
    ledgers = counts.labelled(gathered.ledgers, "profile")
    full = find(ledgers, "profile", resamples=50).models
    assert [model.method for model in full.fitted] == ["gee", "mixed_vb"] or full.why
    assert full.rows
    few = find(ledgers[:3], "profile", resamples=50).models
    assert (few.fitted, few.why) == ((), ("model.few_rows",))


def test_a_player_without_a_model_is_called_by_its_agent(gathered: Gathered) -> None:
    rows: tuple[FourRow, ...] = counts.four_columns(counts.labelled(gathered.ledgers, "model"), "model")
    assert [row.group for row in rows] == ["", "scripted"]


def _ended(ledger: Ledger, *ends: dict[str, Any]) -> Ledger:
    """The ledger with its first judged promises ended otherwise, and given by its first seat."""
    rows, words, left = list(ledger.resolutions), list(ledger.promises), list(ends)
    for at, (word, end) in enumerate(zip(ledger.promises, ledger.resolutions, strict=True)):
        if left and word.act != "threat" and counts.judged(end):
            change = left.pop(0)
            conflicts = change.pop("conflicts_with", ())
            rows[at] = replace(end, **change)
            words[at] = replace(word, debtor=ledger.players[0].seat, conflicts_with=conflicts)
    assert not left
    return replace(ledger, resolutions=tuple(rows), promises=tuple(words))


def test_unstated_rounds_are_read_in_three_ways(gathered: Gathered) -> None:
    kept: dict[str, Any] = {"status": "kept", "binding": True}
    ledger = _ended(
        gathered.ledgers[0],
        {**kept, "status_next": "kept", "status_end": "broken"},
        {**kept, "status_next": "pending", "status_end": "broken"},
    )
    everybody, *groups = counts.window_rows([ledger], "seat")
    rate = counts.kept([ledger], "seat")
    judged, hits = sum(row.units for row in rate), sum(row.hits for row in rate)
    assert (everybody.words, everybody.judged, everybody.kept) == (2, judged, hits)
    assert (everybody.judged_next, everybody.kept_next) == (judged - 1, hits - 1)
    assert (everybody.judged_end, everybody.kept_end) == (judged, hits - 2)
    assert {row.group: row.words for row in groups if row.words} == {ledger.players[0].seat: 2}
    assert counts.window_rows(gathered.ledgers, "seat") == ()


def test_conflicting_words_are_counted_with_what_became_of_them(gathered: Gathered) -> None:
    bare = [
        replace(ledger, promises=tuple(replace(word, conflicts_with=()) for word in ledger.promises))
        for ledger in gathered.ledgers
    ]
    assert counts.conflict_rows(bare, "seat") == ()
    ledger = _ended(
        bare[0],
        {"status": "kept", "conflicts_with": ("x",)},
        {"status": "broken", "conflicts_with": ("x",)},
        {"status": "broken", "binding": False, "conflicts_with": ("x",)},
    )
    everybody, *groups = counts.conflict_rows([ledger], "seat")
    assert everybody == counts.ConflictRow("", 3, 1, 1)
    assert counts.ConflictRow(ledger.players[0].seat, 3, 1, 1) in groups


def test_what_was_meant_counts_while_a_word_is_open(gathered: Gathered) -> None:
    ledger = gathered.ledgers[0]
    open_ = replace(ledger, resolutions=tuple(replace(end, status="pending") for end in ledger.resolutions))
    assert counts.insincere([open_], "seat") == counts.insincere([ledger], "seat")
    assert counts.doubted([open_], "seat") == counts.doubted([ledger], "seat")
    assert sum(row.units for row in counts.kept([open_], "seat")) == 0


def test_an_unknown_grouping_is_refused_with_the_nearest() -> None:
    with pytest.raises(UnknownName, match="Did you mean 'profile'"):
        counts.grouping("profil")


@pytest.mark.parametrize(("binding", "less"), [(False, 1), (None, 0)])
def test_a_word_that_was_kept_for_free_is_in_no_rate(gathered: Gathered, binding: bool | None, less: int) -> None:
    """Where the log does not show whether it was binding, it stays in."""
    ledger = gathered.ledgers[0]
    at = next(
        at
        for at, (promise, end) in enumerate(zip(ledger.promises, ledger.resolutions, strict=True))
        if promise.act != "threat" and counts.judged(end)
    )
    ends = list(ledger.resolutions)
    ends[at] = replace(ends[at], binding=binding)
    free = replace(ledger, resolutions=tuple(ends))
    units = [sum(row.units for row in counts.kept([one], "seat")) for one in (ledger, free)]
    assert units[0] - units[1] == less
