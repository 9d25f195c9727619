"""Annotation files among the games: whose word counts, what rests on it, and what a study leaves out."""

from __future__ import annotations

import csv
import json
import shutil
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from diplomat.core.errors import UnknownName, UsageError
from diplomat.study import counts
from diplomat.study.annotate.checking import ALL, checked, marked
from diplomat.study.annotate.quality import Quality
from diplomat.study.annotate.rows import Annotation, as_data, text_hash
from diplomat.study.annotate.scheme import CODED_ACTS, Coded
from diplomat.study.annotate.units import Log, Unit
from diplomat.study.coded import coded
from diplomat.study.extract_sources import GIVERS, givers
from diplomat.study.gather import Gathered, gather
from diplomat.study.ledger import Ledger, of
from diplomat.study.sections.words import report_texts
from diplomat.transcript.reader import read

from .conftest import Run, other_words

QUICK = ("--resamples", "50", "--no-models", "--jobs", "1", "--lang", "en")
MODEL = "llm:x@1"


def table(folder: Path, name: str) -> list[dict[str, str]]:
    with (folder / "tables" / f"{name}.csv").open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def log_of(logs: Path, number: int = 0) -> Log:
    return Log(read(logs / f"game-{number:02d}.jsonl"))


def coding(unit: Unit, coder: str, acts: Iterable[Coded] = (), **changes: Any) -> Annotation:
    row = Annotation(
        unit.log.identity, unit.log.name, unit.message.id, text_hash(unit.message.text), coder, tuple(acts)
    )
    return replace(row, **changes)


def as_read(log: Log) -> dict[str, list[Coded]]:
    """What declared pledges and rules find in each message, as codings."""
    texts = {unit.message.id: unit.message.text for unit in log.units}
    found: dict[str, list[Coded]] = {message: [] for message in texts}
    for one in of(log.transcript).acts:
        if one.act in CODED_ACTS and not one.fault:
            words = texts[one.message][one.start : one.end]
            act = Coded(one.act, one.start, one.end, words, one.goals, one.given, one.ref or None)
            found[one.message].append(act)
    return found


def write(path: Path, rows: Iterable[Annotation]) -> Path:
    path.write_text("".join(json.dumps(as_data(row)) + "\n" for row in rows), encoding="utf-8")
    return path


def empty_codings(path: Path, logs: Path, coder: str, number: int = 0, **changes: Any) -> Path:
    """Every message of one game read as doing nothing."""
    return write(path, (coding(unit, coder, **changes) for unit in log_of(logs, number).units))


def quality(gathered: Gathered) -> Mapping[tuple[str, str], Quality]:
    told = coded(gathered, reps=50, seed="0")
    assert told is not None
    return {(row.source, row.act): row for row in told.quality}


# Whose word counts ------------------------------------------------------------------------------------


def test_a_model_s_codings_are_measured_and_measure_nothing(run: Run, logs: Path, tmp_path: Path) -> None:
    alone = empty_codings(tmp_path / "model.jsonl", logs, MODEL, by="llm")
    ran = run("study", logs, alone, *QUICK)
    assert ran.code == 0, ran.err
    assert "coded by people:" not in ran.out
    assert report_texts("en").say("source.unusable").split(",")[0] in ran.out
    log = log_of(logs)
    people = write(tmp_path / "anna.jsonl", (coding(unit, "anna", as_read(log)[unit.message.id]) for unit in log.units))
    rows = quality(gather([logs, alone, people]))
    assert {source for source, _ in rows} == {"declared", "rule", MODEL, ALL}
    assert rows[MODEL, "commitment"].people == rows[ALL, "commitment"].both > 0
    assert (rows[MODEL, "commitment"].found, rows[MODEL, "commitment"].recall.estimate) == (0, 0)


def test_people_s_agreement_is_that_of_people_alone(logs: Path, tmp_path: Path) -> None:
    anna = empty_codings(tmp_path / "anna.jsonl", logs, "anna")
    model = empty_codings(tmp_path / "model.jsonl", logs, MODEL, by="llm")
    told = coded(gather([logs, anna, model]), reps=50, seed="0")
    assert told is not None
    assert told.agreement is None


def test_annotate_and_study_print_the_same_quality(
    run: Run, logs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    paths = []
    for number in range(3):
        log = log_of(logs, number)
        acts = as_read(log)
        coding_ = [
            coding(unit, "anna", acts[unit.message.id] if at % 4 else ()) for at, unit in enumerate(log.units) if at % 3
        ]
        model = [
            coding(unit, MODEL, acts[unit.message.id] if at % 5 else (), by="llm") for at, unit in enumerate(log.units)
        ]
        paths.append(write(tmp_path / f"codings-{number}.jsonl", [*coding_, *model]))
    games = [logs / f"game-{number:02d}.jsonl" for number in range(3)]
    printed = run("annotate", "--quality", *games, *paths, "--lang", "en").out
    told = coded(gather([*games, *paths]), reps=2000, seed="0")
    assert told is not None
    for row in told.quality:
        if row.act == "commitment" and row.source in ("declared", MODEL):
            lines = printed[printed.index(row.source) :].splitlines()
            line = next(line for line in lines if "some word is given" in line)
            assert str(row.messages) in line.split()
            assert f"{row.precision.estimate:.2f} [{row.precision.low:.2f}, {row.precision.high:.2f}]" in line


def test_precision_of_the_verdict_broken_is_that_of_the_planted_misreadings(logs: Path, tmp_path: Path) -> None:
    """People find no act in the messages of some promises that the study calls broken."""
    planted = 0
    made: list[Annotation] = []
    for number in range(12):
        log = log_of(logs, number)
        ledger, acts = of(log.transcript), as_read(log)
        broken = {
            promise.mentions[0].message
            for promise, end in zip(ledger.promises, ledger.resolutions, strict=True)
            if end.status == "broken"
        }
        dropped = set(sorted(broken)[: number % 2])
        planted += len(dropped)
        made += [
            coding(unit, "anna", () if unit.message.id in dropped else acts[unit.message.id]) for unit in log.units
        ]
    assert planted
    found = quality(gather([logs, write(tmp_path / "anna.jsonl", made)]))[ALL, "broken"]
    assert found.recall.estimate == 1
    assert found.found - found.both >= planted
    assert found.precision.estimate == found.both / found.found < 1


# What promises rest on --------------------------------------------------------------------------------


def coded_games(logs: Path, path: Path, by: str = "human", coder: str = "anna", games: int = 2) -> Path:
    """Of each of the first games every second message, as it is read, and every eighth as doing nothing."""
    rows = []
    for number in range(games):
        log = log_of(logs, number)
        acts = as_read(log)
        rows += [
            coding(unit, coder, acts[unit.message.id] if at % 8 else (), by=by)
            for at, unit in enumerate(log.units)
            if at % 2 == 0
        ]
    return write(path, rows)


def sources_in(ledger: Ledger) -> dict[str, set[str]]:
    """Who found acts in which messages."""
    found: dict[str, set[str]] = {}
    for act in ledger.acts:
        found.setdefault(act.source, set()).add(act.message)
    return found


@pytest.mark.parametrize(("asked", "by", "coder"), [("people", "human", "anna"), ("model", "llm", MODEL)])
def test_codings_become_promises_and_no_message_is_read_twice(
    logs: Path, tmp_path: Path, asked: str, by: str, coder: str
) -> None:
    sheet = coded_games(logs, tmp_path / "codings.jsonl", by, coder)
    found = gather([logs, sheet], asked=givers(f"{asked},rule"))
    name = coder if by == "llm" else f"human:{coder}"
    mine, others = found.ledgers[:2], found.ledgers[2:]
    for ledger in mine:
        by_source = sources_in(ledger)
        assert set(by_source) == {name, "rule"}
        assert not by_source[name] & by_source["rule"]
        assert {promise.source for promise in ledger.promises} == {name, "rule"}
    assert all(set(sources_in(ledger)) == {"rule"} for ledger in others)
    assert [one.row.sources for one in found.games[:3]] == [(asked, "rule"), (asked, "rule"), ("rule",)]


def test_a_message_that_people_coded_is_not_read_by_its_pledges_either(logs: Path, tmp_path: Path) -> None:
    log = log_of(logs)
    sheet = empty_codings(tmp_path / "anna.jsonl", logs, "anna")
    usual, mine = (
        gather([logs / "game-00.jsonl", sheet], asked=givers(text)) for text in ("declared", ",".join(GIVERS))
    )
    assert usual.ledgers[0].promises
    assert not mine.ledgers[0].acts
    assert mine.ledgers[0].messages == len(log.units)


def test_everything_as_people_read_it_gives_the_promises_of_the_usual_sources(logs: Path, tmp_path: Path) -> None:
    log = log_of(logs)
    acts = as_read(log)
    sheet = write(tmp_path / "anna.jsonl", (coding(unit, "anna", acts[unit.message.id]) for unit in log.units))
    game = logs / "game-00.jsonl"
    usual, mine = (gather([game, sheet], asked=givers(text)).ledgers[0] for text in ("declared,rule", "people"))
    assert {row.source for row in mine.promises} == {"human:anna"}
    assert [(row.debtor, row.goal_key) for row in mine.promises] == [
        (row.debtor, row.goal_key) for row in usual.promises if not row.fault
    ]
    assert sorted(row.status for row in mine.resolutions) == sorted(
        end.status for row, end in zip(usual.promises, usual.resolutions, strict=True) if not row.fault
    )


def test_a_study_of_codings_is_the_same_by_any_number_of_processes(run: Run, logs: Path, tmp_path: Path) -> None:
    sheet = coded_games(logs, tmp_path / "anna.jsonl", games=11)
    told = []
    for jobs in ("1", "2"):
        words = (
            "--resamples",
            "50",
            "--no-models",
            "--jobs",
            jobs,
            "--lang",
            "en",
            "--sources",
            "people,declared,rule",
        )
        told.append(run("study", logs, sheet, *words, "--out", tmp_path / jobs))
    assert told[0].code == told[1].code == 0, told[0].err
    assert told[0].out == told[1].out
    report = [(tmp_path / jobs / "report.json").read_bytes() for jobs in "12"]
    assert report[0] == report[1]
    assert "declared, rule: 1; people, declared, rule: 11." in " ".join(told[0].out.split())
    assert {row["source"] for row in table(tmp_path / "1", "promises")} >= {"declared", "human:anna"}
    assert {row["sources"] for row in table(tmp_path / "1", "games")} == {"people;declared;rule", "declared;rule"}


def test_rates_rest_on_the_sources_that_are_named(run: Run, logs: Path, tmp_path: Path) -> None:
    sheet = coded_games(logs, tmp_path / "anna.jsonl", games=12)
    usual, mine = (
        json.loads(run("study", logs, sheet, "--sources", text, "--json", *QUICK).out)
        for text in ("declared,rule", "people")
    )
    counts = [next(row["units"] for row in data["rates"] if row["measure"] == "kept") for data in (usual, mine)]
    assert 0 < counts[1] < counts[0]
    assert [row["source"] for row in mine["sources"]] == ["human:anna"]


def test_unknown_sources_are_refused_before_anything_is_read(run: Run, tmp_path: Path) -> None:
    ran = run("study", tmp_path / "none.jsonl", "--sources", "peeple")
    assert (ran.code, ran.out) == (2, "")
    assert "Did you mean 'people'" in ran.err
    with pytest.raises(UsageError, match="names where promises are taken from"):
        givers(" ,")


def test_codings_that_are_asked_for_and_not_there_are_wrong_usage(logs: Path) -> None:
    with pytest.raises(UsageError, match="no annotation file"):
        gather([logs], asked=("people", "rule"))


# Quality beside every rate ----------------------------------------------------------------------------


@pytest.mark.parametrize("sources", ["declared,rule", "people,declared,rule", "people"])
def test_every_rate_of_promises_says_how_well_they_were_read(
    run: Run, logs: Path, tmp_path: Path, sources: str
) -> None:
    sheet = coded_games(logs, tmp_path / "anna.jsonl", games=12)
    out = run("study", logs, sheet, "--sources", sources, *QUICK).out
    paragraphs = {part.splitlines()[0]: part for part in out.split("\n\n") if part}
    say = report_texts("en")
    start = {"declared,rule": "Promises read with", "people": "Only what people"}.get(sources, "Messages taken as")
    for name in ("kept_promise", "insincere_promise", "doubted_promise", "broken_message", "promised_opportunity"):
        assert paragraphs[say.say(f"rate.{name}")].splitlines()[1].startswith(start), name
    assert start not in paragraphs[say.say("rate.silent_opportunity")]
    assert start not in run("study", logs, *QUICK).out


def test_the_kept_rate_is_corrected_by_what_people_found(logs: Path, tmp_path: Path) -> None:
    """Where people find what was read nothing is corrected; where they coded all, their rate is the corrected one."""
    alike, less = [], []
    for number in range(12):
        log = log_of(logs, number)
        acts = as_read(log)
        alike += [coding(unit, "anna", acts[unit.message.id]) for unit in log.units[::3]]
        less += [coding(unit, "anna", acts[unit.message.id] if at % 3 else ()) for at, unit in enumerate(log.units)]
    same = coded(gather([logs, write(tmp_path / "a.jsonl", alike)]), reps=50, seed="0")
    assert same is not None
    assert same.kept is not None
    assert same.kept.corrected is not None
    ledgers = gather([logs]).ledgers
    assert same.kept.read.estimate == same.kept.people.estimate
    rows = counts.kept(ledgers, "seat")
    usual = sum(row.hits for row in rows) / sum(row.units for row in rows)
    assert same.kept.corrected.estimate == pytest.approx(usual)
    whole = coded(gather([logs, write(tmp_path / "b.jsonl", less)]), reps=50, seed="0")
    assert whole is not None
    assert whole.kept is not None
    assert whole.kept.corrected is not None
    assert whole.kept.people.units < whole.kept.read.units
    assert whole.kept.corrected.estimate == pytest.approx(whole.kept.people.estimate)
    assert whole.kept.corrected.low < whole.kept.corrected.estimate < whole.kept.corrected.high


# What is left out -------------------------------------------------------------------------------------


def test_annotations_give_quality_and_those_of_missing_messages_are_counted(
    run: Run, logs: Path, tmp_path: Path
) -> None:
    log = log_of(logs)
    rows = [coding(unit, "anna") for unit in log.units]
    write(tmp_path / "anna.jsonl", [*rows, replace(rows[0], message="s9>s8.1")])
    ran = run("study", logs, tmp_path / "anna.jsonl", "--out", tmp_path / "out", *QUICK)
    assert ran.code == 0, ran.err
    assert f"messages coded by people: {len(rows)}, games: 1" in ran.out
    assert "of a message that is not there: 1" in ran.out
    assert "of a message that is not there: 1" in ran.err
    assert table(tmp_path / "out", "refused_codings") == [{"reason": "missing_message", "rows": "1", "concerned": ""}]
    whole = next(
        row for row in table(tmp_path / "out", "quality") if (row["source"], row["act"]) == ("all", "commitment")
    )
    assert (whole["people"], whole["both"], whole["precision_estimate"]) == ("0", "0", "0.0")
    assert "No annotation file was given" in run("study", logs, *QUICK).out


def test_codings_of_a_changed_log_are_left_out_and_the_rest_is_studied(run: Run, logs: Path, tmp_path: Path) -> None:
    games = tmp_path / "games"
    shutil.copytree(logs, games)
    sheet = coded_games(games, tmp_path / "anna.jsonl", games=2)
    first = games / "game-00.jsonl"
    lines = other_words(first.read_text(encoding="utf-8").splitlines())
    first.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    ran = run("study", games, sheet, "--changed", "--sources", "people,declared,rule", *QUICK)
    assert ran.code == 0, ran.err
    count = sum(1 for at in range(len(log_of(games).units)) if at % 2 == 0)
    line = f"of a log that was changed after it was written (game-00): {count}"
    assert line in " ".join(ran.err.split())
    assert line in " ".join(ran.out.split())
    assert "declared, rule: 11; people, declared, rule: 1." in " ".join(ran.out.split())


def test_of_two_coders_of_whom_nobody_said_who_counts_neither_does(run: Run, logs: Path, tmp_path: Path) -> None:
    both = [empty_codings(tmp_path / f"{name}.jsonl", logs, name) for name in ("anna", "ivan")]
    other = empty_codings(tmp_path / "eva.jsonl", logs, "eva", number=1)
    ran = run("study", logs, *both, other, *QUICK)
    assert ran.code == 0, ran.err
    count = 2 * len(log_of(logs).units)
    said = f"neither --coder nor an adjudication says who counts (anna, ivan): {count}"
    assert said in " ".join(ran.err.split())
    assert said in " ".join(ran.out.split())
    assert f"messages coded by people: {len(log_of(logs, 1).units)}, games: 1" in ran.out
    assert "Krippendorff's alpha" in ran.out
    told = run("study", logs, *both, "--coder", "anna", *QUICK)
    assert told.code == 0
    assert f"messages coded by people: {count // 2}, games: 1" in told.out


def test_a_coder_who_coded_one_game_is_nobody_in_another(logs: Path, tmp_path: Path) -> None:
    """Named for one game, it makes no fault of the games that others coded."""
    sheets = [empty_codings(tmp_path / f"{name}.jsonl", logs, name, at) for at, name in enumerate(("anna", "ivan"))]
    told = coded(gather([logs, *sheets], coder="anna"), reps=50, seed="0")
    assert told is not None
    assert (told.games, told.refused) == (1, ())
    with pytest.raises(UnknownName, match="iwan"):
        gather([logs, *sheets], coder="iwan")


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_a_file_without_a_coding_that_can_be_used_checks_nothing(
    run: Run, logs: Path, tmp_path: Path, lang: str
) -> None:
    sheet = empty_codings(tmp_path / "old.jsonl", logs, "anna", codebook="promises/0")
    ran = run("study", logs, sheet, *QUICK[:-1], lang)
    assert ran.code == 0, ran.err
    say, out = report_texts(lang), " ".join(ran.out.split())
    assert say.say("source.unusable") in out
    assert say.say("quality.one_coder") not in out
    assert say.say("refused.other_codebook") in out
    assert say.say("refused.other_codebook") in " ".join(ran.err.split())


def test_codings_of_two_games_of_one_name_go_to_the_game_that_they_name(logs: Path, tmp_path: Path) -> None:
    for number in range(2):
        (tmp_path / f"day{number}").mkdir()
        shutil.copy(logs / f"game-0{number}.jsonl", tmp_path / f"day{number}" / "game.jsonl")
    log = Log(read(tmp_path / "day1" / "game.jsonl"))
    write(tmp_path / "anna.jsonl", (coding(unit, "anna") for unit in log.units))
    found = gather([tmp_path], asked=("people",))
    assert [one.row.sources for one in found.games] == [(), ("people",)]
    told = coded(found, reps=50, seed="0")
    assert told is not None
    assert (told.games, told.messages, told.refused) == (1, len(log.units), ())


def test_a_game_without_codings_is_checked_by_nobody(logs: Path) -> None:
    log = log_of(logs)
    found = checked(log, marked(log, [], None), of(log.transcript))
    assert not found.texts
    assert all(one.checked is None for one in gather([logs]).games)
    assert coded(gather([logs]), reps=50, seed="0") is None
