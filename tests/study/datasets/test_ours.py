"""Our own games as plain rows: two played games give the same counts by every way they are told."""

from __future__ import annotations

import csv
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from diplomat.core.proceedings import MessageSent
from diplomat.session import play
from diplomat.study.columns import flatten
from diplomat.study.datasets import ours
from diplomat.study.ledger import Ledger, of
from diplomat.study.stats.permutation import permutation_test
from diplomat.study.stats.rates import promise_counts, rate, status_table
from diplomat.study.write import codebook, study_texts, undescribed, write_csv
from diplomat.transcript.reader import Transcript, read
from tests.study.kit import S1, S2, S3, Log, promise, spare

PLAYERS = {f"s{n}": f"scripted:{name}" for n, name in enumerate(("honest", "loyal", "schemer", "backstabber"), start=1)}


@pytest.fixture(scope="module")
def transcripts(tmp_path_factory: pytest.TempPathFactory) -> list[Transcript]:
    folder = tmp_path_factory.mktemp("played")
    found = []
    for seed, lang in enumerate(("en", "ru")):
        play("rokugan", PLAYERS, seed=seed, lang=lang, out=folder / f"{lang}.jsonl")
        found.append(read(folder / f"{lang}.jsonl"))
    return found


@pytest.fixture(scope="module")
def ledgers(transcripts: list[Transcript]) -> list[Ledger]:
    return [of(transcript) for transcript in transcripts]


def words(ledgers: list[Ledger]) -> int:
    return sum(promise.act != "threat" for ledger in ledgers for promise in ledger.promises)


def test_every_promise_but_threats_is_told_once(ledgers: list[Ledger]) -> None:
    assert words(ledgers) > 0
    table = status_table(ours.outcomes(ledgers))
    assert sum(row.promises for row in table) == words(ledgers)
    assert sum(row.promises for row in ours.flow_rows(ledgers)) == words(ledgers)
    lives, untested = ours.lifetimes(ledgers)
    assert len(lives) + untested == words(ledgers)


def test_seats_pairs_and_promises_add_up(ledgers: list[Ledger]) -> None:
    counted, left = promise_counts(ours.outcomes(ledgers))
    dealt = ours.assigned(ledgers)
    assert sum(row.units for row in dealt) == sum(row.units for row in counted)
    assert sum(row.units for row in counted) + sum(left.values()) == words(ledgers)
    assert len(dealt) == sum(len(ledger.players) for ledger in ledgers)
    seats, unscored = ours.played(ledgers)
    assert len(seats) + unscored == len(dealt)
    pairs = ours.directed(ledgers)
    assert sum(cell.resolved for cell in ours.trust_cells(ledgers)) == sum(row.units for row in pairs)
    assert sum(row.units for row in pairs) == len(ours.moves(ledgers))


def test_rates_and_tests_take_the_rows_as_they_are(ledgers: list[Ledger]) -> None:
    per_message = rate(ours.per_message(ledgers), "broken", "message", reps=50)
    per_opportunity = rate(ours.per_opportunity(ledgers), "promised", "opportunity", reps=50)
    assert 0 <= per_message.rate <= 1
    assert per_opportunity.units == sum(chance.could_speak for ledger in ledgers for chance in ledger.opportunities)
    assert 0 < permutation_test(ours.assigned(ledgers), reps=99).p_value <= 1


def test_messages_are_those_written_before_the_first_round_and_to_several_too() -> None:
    log = Log(opening=())
    log.say(S1, "s2 s3", text="Before anything begins.")
    for event in log._opening():
        log.add(event)
    log.say(S1, "s2 s3", promise(spare(S1, S2, 1, 1)), text="To two.")
    log.say(S1, "s3", promise(spare(S1, S3, 1, 1)), promise(spare(S1, S2, 1, 1)), text="To one.")
    log.say(S2, "all", text="To all.")
    log.end((S1, S3), (S1, S2))
    ledger = log.ledger
    assert [player.messages for player in ledger.players] == [3, 1, 0]
    assert sum(player.messages for player in ledger.players) == ledger.messages
    broken = sum(end.status == "broken" for end in ledger.resolutions)
    told = {row.seat: (row.hits, row.units) for row in ours.per_message([ledger], "seat")}
    assert broken == 3
    assert told == {"s1": (2, 3), "s2": (0, 1), "s3": (0, 0)}


def test_a_word_that_could_only_be_broken_is_in_no_rate_of_messages(ledgers: list[Ledger]) -> None:
    (ledger,) = [one for one in ledgers if any(end.status == "broken" for end in one.resolutions)][:1]
    ends = tuple(replace(end, binding=False) if end.status == "broken" else end for end in ledger.resolutions)
    assert sum(row.hits for row in ours.per_message([ledger])) > 0
    assert sum(row.hits for row in ours.per_message([replace(ledger, resolutions=ends)])) == 0


def test_a_model_takes_the_judged_promises(ledgers: list[Ledger]) -> None:
    rows = ours.model_rows(ledgers)
    counted, _ = promise_counts(ours.outcomes(ledgers))
    assert len(rows) == sum(row.units for row in counted)
    assert sum(bool(row["broken"]) for row in rows) == sum(row.hits for row in counted)
    assert all(row[name] not in (None, "") for row in rows for name in row)


def test_a_message_is_told_once_per_reader(transcripts: list[Transcript]) -> None:
    for transcript in transcripts:
        rows = ours.message_rows(transcript)
        sent = [event for event in transcript.events() if isinstance(event, MessageSent)]
        others = len(transcript.seats) - 1
        assert len(rows) == sum(others if tuple(event.to) == ("all",) else len(event.to) for event in sent)
        assert len({row.msg_id for row in rows}) == len(rows)
        assert len({row.number for row in rows}) == len(sent)


def test_timeline_has_every_breach_at_the_end_of_its_promise(ledgers: list[Ledger]) -> None:
    spans, breaches = ours.timeline(ledgers[0])
    ends = {(span.pid, span.creditor): span.end for span in spans if span.status == "broken"}
    assert {(breach.pid, breach.second): breach.t for breach in breaches} == ends


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_every_column_of_the_ledger_is_described(ledgers: list[Ledger], lang: str) -> None:
    tables = ours.ledger_tables(ledgers)
    assert undescribed(tables, study_texts(lang)) == []
    lines = codebook([flat for table in tables for flat in flatten(table)], study_texts(lang))
    russian = [bool(re.search("[а-я]", line[-1])) for line in lines]
    assert all(russian) if lang == "ru" else not any(russian)


def test_tables_are_written_with_their_game(ledgers: list[Ledger], tmp_path: Path) -> None:
    write_csv(ours.ledger_tables(ledgers), tmp_path)
    with (tmp_path / "promises.csv").open(encoding="utf-8", newline="") as lines:
        found = Counter(row["game"] for row in csv.DictReader(lines))
    assert found == {ledger.name: len(ledger.promises) for ledger in ledgers if ledger.promises}
