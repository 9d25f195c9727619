"""The figures of a study are what the ledgers say, and depend on nothing else."""

from __future__ import annotations

from collections import Counter
from dataclasses import fields, replace

import pytest

from diplomat.core.errors import UnknownName
from diplomat.study import counts
from diplomat.study.counts import FIELDS, FourRow, Grouping
from diplomat.study.findings import Findings, find
from diplomat.study.gather import Gathered


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
    assert all("few_games" in {caution.code for caution in row.cautions} for row in few.rates)


def test_ten_games_are_not(found: Findings) -> None:
    assert all(not row.cautions for row in found.rates if not row.group)


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
