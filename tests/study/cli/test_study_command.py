"""``diplomat study`` from files to a folder of tables and figures."""

from __future__ import annotations

import csv
import json
import os
from pathlib import Path
from typing import Any

import pytest

from diplomat.study import extra
from diplomat.study.annotate.rows import Annotation, as_data, text_hash
from diplomat.study.annotate.units import Log
from diplomat.study.datasets.convokit import read_convokit
from diplomat.study.stats.power import Plan, games_needed
from diplomat.study.write import study_texts, undescribed
from diplomat.transcript.reader import read

from .conftest import Run

DATA = Path(os.environ.get("DIPLOMAT_DATA", Path(__file__).parents[4] / "shared" / "data"))
QUICK = ("--resamples", "50", "--no-models", "--jobs", "1")


def table(folder: Path, name: str) -> list[dict[str, str]]:
    with (folder / "tables" / f"{name}.csv").open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def test_files_without_a_command_are_games_to_study(run: Run, logs: Path) -> None:
    short = run("study", logs, *QUICK)
    assert short.code == 0, short.err
    assert short.out == run("study", "games", logs, *QUICK).out
    assert short.out.startswith("Study of 12 games of rokugan, by personality\n")
    assert run("study", "--by", "clan", logs, *QUICK).out.startswith("Study of 12 games of rokugan, by clan\n")


def test_the_same_files_give_the_same_bytes_whatever_the_processes(run: Run, logs: Path, tmp_path: Path) -> None:
    for name, jobs in (("one", "1"), ("two", "2")):
        ran = run("study", logs, "--out", tmp_path / name, "--resamples", "50", "--jobs", jobs)
        assert ran.code == 0, ran.err
    one, two = (
        {
            path.relative_to(tmp_path / name): path.read_bytes()
            for path in (tmp_path / name).rglob("*")
            if path.is_file()
        }
        for name in ("one", "two")
    )
    assert one == two
    kinds = {path.suffix for path in one}
    assert kinds == {".csv", ".jsonl", ".parquet", ".json", ".R", ".png", ".svg"}
    drawn = {path.stem for path in one if path.suffix == ".svg"}
    for name in ("kept_per_promise", "trust", "trust_meant", "flow", "survival", "incidence", "reciprocity"):
        assert name in drawn
    assert {"honesty_strength", "timeline_1", "card_honoured"} <= drawn
    assert {path.stem for path in one if path.suffix == ".png"} == drawn


def test_tables_and_codebook_fit_each_other(run: Run, logs: Path, tmp_path: Path) -> None:
    assert run("study", logs, "--out", tmp_path / "out", *QUICK).code == 0
    book = {(row["table"], row["column"]) for row in table(tmp_path / "out", "codebook")}
    for path in (tmp_path / "out" / "tables").glob("*.csv"):
        if path.name != "codebook.csv":
            with path.open(encoding="utf-8", newline="") as lines:
                header = next(csv.reader(lines))
            assert {(path.stem, column) for column in header} <= book
    rows = table(tmp_path / "out", "rates")
    assert all(row["wilson_low"] and row["cluster_low"] for row in rows if row["measure"] == "kept")
    assert len(table(tmp_path / "out", "games")) == 12


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_every_column_is_described(logs: Path, lang: str) -> None:
    from diplomat.study import counts
    from diplomat.study.findings import find
    from diplomat.study.gather import gather
    from diplomat.study.report_files import study_tables

    gathered = gather([logs / "game-00.jsonl", logs / "game-01.jsonl"])
    found = find(counts.labelled(gathered.ledgers, "seat"), "seat", resamples=50, models=False)
    assert undescribed(study_tables(gathered, found, None), study_texts(lang)) == []


def test_a_folder_with_files_is_refused_before_anything_is_read(run: Run, logs: Path, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine.txt").write_text("mine", encoding="utf-8")
    ran = run("study", logs, "--out", tmp_path / "out", *QUICK)
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.count("\n") == 1
    assert "already holds files" in ran.err
    assert run("study", logs, "--out", tmp_path / "out", "--force", *QUICK).code == 0
    assert (tmp_path / "out" / "mine.txt").read_text(encoding="utf-8") == "mine"


def test_what_is_left_out_is_counted_on_the_screen_and_named_in_a_table(run: Run, logs: Path, tmp_path: Path) -> None:
    mixed = tmp_path / "mixed"
    mixed.mkdir()
    (mixed / "page.html").write_text("<p>", encoding="utf-8")
    for number in range(7):
        (mixed / f"bad{number}.jsonl").write_text("hello\n", encoding="utf-8")
    ran = run("study", mixed, logs, "--out", tmp_path / "out", *QUICK)
    assert ran.code == 0
    assert "Left out: 8 files" in ran.out
    assert "7 cannot be read as transcripts:" in ran.out
    assert "and 2 more" in ran.out
    assert len(table(tmp_path / "out", "left_out")) == 8


def test_nothing_to_study_is_wrong_usage_and_says_why(run: Run, tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text("<p>", encoding="utf-8")
    ran = run("study", tmp_path / "page.html", *QUICK)
    assert (ran.code, ran.out) == (2, "")
    assert "1 are no logs" in ran.err
    assert ran.err.splitlines()[-1] == "diplomat: none of these files is a game that can be studied"


def test_a_study_without_its_libraries_says_what_to_install(
    run: Run, logs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(name: str) -> Any:
        raise ModuleNotFoundError(name)

    monkeypatch.setattr(extra, "import_module", missing)
    ran = run("study", logs, "--out", tmp_path / "out", "--resamples", "50", "--jobs", "1")
    assert ran.code == 0, ran.err
    assert ran.err.count("`pip install 'diplomat[study]'` brings it") == 2
    assert "Odds of breaking: GEE" not in ran.out
    assert (tmp_path / "out" / "tables" / "rates.csv").exists()
    assert not (tmp_path / "out" / "figures").exists()


def test_json_holds_every_figure(run: Run, logs: Path) -> None:
    ran = run("study", logs, "--json", *QUICK)
    data = json.loads(ran.out)
    assert ran.out.isascii()
    assert len(data["games"]) == 12
    assert {row["measure"] for row in data["rates"]} == {
        "kept", "insincere", "doubted", "broken", "promised", "silent",
    }  # fmt: skip
    assert data["models"]["why"] == ["model.not_asked"]


def test_an_unknown_grouping_is_refused(run: Run, logs: Path) -> None:
    ran = run("study", logs, "--by", "clans")
    assert (ran.code, ran.out) == (2, "")
    assert "Did you mean 'clan'?" in ran.err


def _codings(path: Path, logs: Path, coder: str) -> None:
    """Every message of one game read as saying nothing, and one that is not there."""
    log = Log(read(logs / "game-00.jsonl"))
    rows = [
        Annotation(log.identity, log.name, unit.message.id, text_hash(unit.message.text), coder, ())
        for unit in log.units
    ]
    rows.append(Annotation(log.identity, log.name, "s9>s8.1", text_hash(""), coder, ()))
    path.write_text("".join(json.dumps(as_data(row)) + "\n" for row in rows), encoding="utf-8")


def test_annotations_give_quality_and_those_of_missing_messages_are_counted(
    run: Run, logs: Path, tmp_path: Path
) -> None:
    _codings(tmp_path / "anna.jsonl", logs, "anna")
    ran = run("study", logs, tmp_path / "anna.jsonl", "--out", tmp_path / "out", *QUICK)
    assert ran.code == 0, ran.err
    messages = len(Log(read(logs / "game-00.jsonl")).units)
    assert f"How well it was read: {messages} messages of 1 games coded by people" in ran.out
    assert "of a message that is not there: 1" in ran.out
    assert table(tmp_path / "out", "refused_codings") == [{"reason": "missing_message", "rows": "1"}]
    whole = next(
        row for row in table(tmp_path / "out", "quality") if (row["source"], row["act"]) == ("all", "commitment")
    )
    assert (whole["people"], whole["both"], whole["precision_estimate"]) == ("0", "0", "0.0")
    assert "No annotation file was given" in run("study", logs, *QUICK).out


def test_two_coders_need_a_word_whose_codings_count(run: Run, logs: Path, tmp_path: Path) -> None:
    for name in ("anna", "ivan"):
        _codings(tmp_path / f"{name}.jsonl", logs, name)
    both = (tmp_path / "anna.jsonl", tmp_path / "ivan.jsonl")
    ran = run("study", logs, *both, *QUICK)
    assert ran.code == 2
    assert "anna, ivan" in ran.err
    told = run("study", logs, *both, "--coder", "anna", *QUICK)
    assert told.code == 0
    assert "Krippendorff's alpha" in told.out


def test_power_is_that_of_the_formula_and_writes_its_curve(run: Run, logs: Path, tmp_path: Path) -> None:
    ran = run("study", "power", "--first", "0.1", "--second", "0.4", "--games", "10", "--out", tmp_path / "plan")
    assert ran.code == 0, ran.err
    assert f"By formula, {games_needed(Plan(0.1, 0.4, 4.0, 0.05))} games" in ran.out
    assert {path.name for path in (tmp_path / "plan").iterdir()} == {"power.png", "power.svg", "power"}
    pilot = run("study", "power", logs, "--first", "0.1", "--second", "0.4", "--games", "10", "--jobs", "1")
    assert "From 12 games:" in pilot.out
    assert run("study", "power", "--first", "0.1", "--second", "0.1").code == 2


def test_games_become_a_corpus_with_their_ledger(run: Run, logs: Path, tmp_path: Path) -> None:
    ran = run("study", "export", logs, "--to", "convokit", "--out", tmp_path / "corpus", "--jobs", "1")
    assert ran.code == 0, ran.err
    corpus = read_convokit(tmp_path / "corpus")
    kept = {entry["did"] for said in corpus.utterances for entry in said.meta["promises"]}
    assert {"kept", "broken"} <= kept
    assert {meta["profile"] for meta in corpus.speakers.values()} == {"honest", "backstabber", "schemer", "loyal"}


@pytest.mark.parametrize("form", ["csv", "jsonl", "parquet"])
def test_games_become_tables(run: Run, logs: Path, tmp_path: Path, form: str) -> None:
    ran = run("study", "export", logs, "--to", form, "--out", tmp_path / "out", "--jobs", "1")
    assert ran.code == 0, ran.err
    names = {path.stem for path in (tmp_path / "out").glob(f"*.{form}")}
    assert {"games", "messages", "promises", "resolutions", "verdicts", "opportunities"} <= names


def test_an_unknown_form_is_refused_before_anything_is_read(run: Run, logs: Path, tmp_path: Path) -> None:
    ran = run("study", "export", logs, "--to", "xls", "--out", tmp_path / "out")
    assert (ran.code, ran.out) == (2, "")
    assert "unknown form 'xls'" in ran.err


def test_a_folder_without_the_data_set_is_refused(run: Run, tmp_path: Path) -> None:
    assert "no train.jsonl" in run("study", "import", "peskov", tmp_path).err
    assert "holds no" in run("study", "import", "cicero", tmp_path).err
    assert "Did you mean 'peskov'" in run("study", "import", "peskow", tmp_path).err


@pytest.mark.parametrize("form", ["peskov", "convokit"])
def test_a_public_data_set_is_told_and_comes_back_as_it_was(run: Run, tmp_path: Path, form: str) -> None:
    folder = DATA / "peskov_diplomacy"
    if not folder.is_dir():
        pytest.skip("the public data set is not here; set DIPLOMAT_DATA to the folder that holds it")
    ran = run("study", "import", "peskov", folder, "--to", form, "--out", tmp_path / "out")
    assert ran.code == 0, ran.err
    assert "12 games, 17289 messages" in ran.out
    assert "CC BY 4.0" in ran.out
    if form == "peskov":
        for split in ("train", "validation", "test"):
            assert (tmp_path / "out" / f"{split}.jsonl").read_bytes() == (folder / f"{split}.jsonl").read_bytes()
    else:
        assert len(read_convokit(tmp_path / "out").utterances) == 17289
