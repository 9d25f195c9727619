"""``diplomat study`` from files to a folder of tables and figures."""

from __future__ import annotations

import csv
import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from diplomat.study import extra
from diplomat.study.datasets.convokit import read_convokit
from diplomat.study.stats.power import Plan, games_needed
from diplomat.study.write import study_texts, undescribed

from .conftest import Run

DATA = Path(os.environ.get("DIPLOMAT_DATA", Path(__file__).parents[4] / "shared" / "data"))
PESKOV_MESSAGE = {
    "messages": "Hi!",
    "sender_labels": True,
    "receiver_labels": False,
    "speakers": "italy",
    "receivers": "germany",
    "absolute_message_index": 3,
    "relative_message_index": 0,
    "seasons": "Spring",
    "years": "1901",
    "game_score": "3",
    "game_score_delta": "0",
}
QUICK = ("--resamples", "50", "--no-models", "--jobs", "1")


def table(folder: Path, name: str) -> list[dict[str, str]]:
    with (folder / "tables" / f"{name}.csv").open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def test_files_without_a_command_are_games_to_study(run: Run, logs: Path) -> None:
    short = run("study", logs, *QUICK)
    assert short.code == 0, short.err
    assert short.out == run("study", "games", logs, *QUICK).out
    assert short.out.startswith("Study of rokugan, by personality (games: 12)\n")
    assert run("study", "--by", "clan", logs, *QUICK).out.startswith("Study of rokugan, by clan (games: 12)\n")


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


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_cards_and_timelines_speak_in_the_words_of_the_game(run: Run, logs: Path, tmp_path: Path, lang: str) -> None:
    assert run("study", logs, "--out", tmp_path / "out", "--lang", lang, *QUICK).code == 0
    figures = tmp_path / "out" / "figures"
    files = sorted(figures.glob("card_*/card.csv"))
    cards = [row for path in files for row in csv.DictReader(path.read_text(encoding="utf-8").splitlines())]
    assert cards
    for card in cards:
        assert card["debtor"][0].isupper()
        for field in ("order", "event", "rule"):
            assert not re.search(r"(^|\W)(t\d+|#\d+|s\d|[a-z]+_[a-z]+)\b", card[field]), card[field]
    assert any(card["order"] and card["event"] for card in cards)
    drawn = "".join(path.read_text(encoding="utf-8") for path in figures.glob("timeline_1.svg"))
    shown = set(re.findall(r"(?<=<!-- ).*(?= -->)", drawn))
    assert shown
    assert not [text for text in shown if re.search("crab|crane|dragon|lion|phoenix|scorpion|unicorn", text)]


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
    assert "Files left out: 8" in ran.out
    assert "Not readable as transcripts: 7" in ran.out
    assert "and 2 more" in ran.out
    assert len(table(tmp_path / "out", "left_out")) == 8


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_of_two_copies_of_a_game_both_are_named_and_the_shorter_is_left_out(
    run: Run, logs: Path, tmp_path: Path, lang: str
) -> None:
    whole, short = tmp_path / "whole.jsonl", tmp_path / "short.jsonl"
    text = (logs / "game-00.jsonl").read_text(encoding="utf-8")
    whole.write_text(text, encoding="utf-8")
    short.write_text("".join(text.splitlines(keepends=True)[:60]), encoding="utf-8")
    ran = run("study", tmp_path, "--lang", lang, *QUICK)
    assert ran.code == 0, ran.err
    told = {"en": f"{short} (studied instead: {whole})", "ru": f"{short} (вместо него изучен {whole})"}[lang]
    assert "".join(told.split()) in "".join(ran.out.split())


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_personalities_are_called_in_the_language_of_the_screen_and_by_ids_in_files(
    run: Run, logs: Path, lang: str
) -> None:
    shown = run("study", logs, "--lang", lang, "--resamples", "50", "--jobs", "1").out
    names = {"backstabber": "Предатель", "honest": "Честный посредник", "loyal": "Верный союзник"}
    for profile, name in names.items():
        said, unsaid = (name, profile) if lang == "ru" else (profile, name)
        assert said in shown
        assert unsaid not in shown
    data = json.loads(run("study", logs, "--lang", lang, *QUICK, "--json").out)
    assert {row["group"] for row in data["rates"]} > set(names)


def test_nothing_to_study_is_wrong_usage_and_says_why(run: Run, tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text("<p>", encoding="utf-8")
    ran = run("study", tmp_path / "page.html", *QUICK)
    assert (ran.code, ran.out) == (2, "")
    assert "Not logs (a log ends in .jsonl): 1" in ran.err
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


def test_power_is_that_of_the_formula_and_writes_its_curve(run: Run, logs: Path, tmp_path: Path) -> None:
    ran = run("study", "power", "--first", "0.1", "--second", "0.4", "--games", "10", "--out", tmp_path / "plan")
    assert ran.code == 0, ran.err
    assert f"chance of 80%: {games_needed(Plan(0.1, 0.4, 4.0, 0.05))}." in " ".join(ran.out.split())
    assert {path.name for path in (tmp_path / "plan").iterdir()} == {"power.png", "power.svg", "power"}
    pilot = run("study", "power", logs, "--first", "0.1", "--second", "0.4", "--games", "10", "--jobs", "1")
    assert "From the games given (12)" in " ".join(pilot.out.split())
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


@pytest.mark.parametrize("what", ["export", "import"])
def test_other_forms_are_written_into_no_folder_that_holds_something(
    what: str, run: Run, logs: Path, tmp_path: Path
) -> None:
    notes = tmp_path / "mine" / "notes.txt"
    notes.parent.mkdir()
    notes.write_text("mine", encoding="utf-8")
    source = (logs, "--to", "csv") if what == "export" else ("peskov", logs)
    ran = run("study", what, *source, "--out", notes.parent)
    assert (ran.code, ran.out) == (1, "")
    assert "already holds files" in ran.err
    assert "games:" not in ran.err, "it is said before the games are read"
    assert list(notes.parent.iterdir()) == [notes]


def test_an_unknown_form_is_refused_before_anything_is_read(run: Run, logs: Path, tmp_path: Path) -> None:
    ran = run("study", "export", logs, "--to", "xls", "--out", tmp_path / "out")
    assert (ran.code, ran.out) == (2, "")
    assert "unknown form 'xls'" in ran.err


def test_a_folder_without_the_data_set_is_refused(run: Run, tmp_path: Path) -> None:
    assert "no train.jsonl" in run("study", "import", "peskov", tmp_path).err
    assert "holds no" in run("study", "import", "cicero", tmp_path).err
    assert "Did you mean 'peskov'" in run("study", "import", "peskow", tmp_path).err


def test_receivers_of_the_test_split_are_told_with_their_published_figures(run: Run) -> None:
    folder = DATA / "peskov_diplomacy"
    if not folder.is_dir():
        pytest.skip("the public data set is not here; set DIPLOMAT_DATA to the folder that holds it")
    told = run("study", "import", "peskov", folder).out.partition("split test only")[2]
    for figure in ("macro-F1 0.581", "lie-F1 0.226", "kappa 0.164", "lie-F1 0.161"):
        assert figure in told
    assert "below 10" in told


@pytest.mark.parametrize("beside", [True, False])
def test_moves_are_read_where_they_lie_or_said_to_be_left_out(run: Run, tmp_path: Path, beside: bool) -> None:
    line = {name: [value] for name, value in PESKOV_MESSAGE.items()} | {"players": ["italy", "germany"], "game_id": 1}
    (tmp_path / "data").mkdir()
    for split in ("train", "validation", "test"):
        (tmp_path / "data" / f"{split}.jsonl").write_text(json.dumps(line) + "\n", encoding="utf-8")
    if beside:
        (tmp_path / "moves").mkdir()
        orders = {"Italy": {"Ven": {"type": "MOVE", "to": "Tyr", "result": "FAILS"}}}
        season = json.dumps({"sc": "", "orders": orders, "territories": {}})
        (tmp_path / "moves" / "DiplomacyGame1_1901_fall.json").write_text(season, encoding="utf-8")
    ran = run("study", "import", "peskov", tmp_path / "data", "--out", tmp_path / "out")
    assert ran.code == 0, ran.err
    assert ("Left out: the moves" in ran.out) is not beside
    assert (tmp_path / "out" / "orders.csv").is_file() is beside
    assert "Left out: scores" in ran.err


@pytest.mark.parametrize("form", ["peskov", "convokit"])
def test_a_public_data_set_is_told_and_comes_back_as_it_was(run: Run, tmp_path: Path, form: str) -> None:
    folder = DATA / "peskov_diplomacy"
    if not folder.is_dir():
        pytest.skip("the public data set is not here; set DIPLOMAT_DATA to the folder that holds it")
    ran = run("study", "import", "peskov", folder, "--to", form, "--out", tmp_path / "out")
    assert ran.code == 0, ran.err
    assert {"12", "17289", "83", "342"} <= set(re.findall(r"\d+", ran.out.partition("Licence")[0]))
    assert "CC BY 4.0" in ran.out
    assert "Left out: the orders; this form has none" in ran.err
    if form == "peskov":
        for split in ("train", "validation", "test"):
            assert (tmp_path / "out" / f"{split}.jsonl").read_bytes() == (folder / f"{split}.jsonl").read_bytes()
    else:
        assert len(read_convokit(tmp_path / "out").utterances) == 17289
