"""Annotation files: what is written comes back, what does not fit is refused by row, nothing saved is lost."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from diplomat.core.errors import OutputExists, UsageError
from diplomat.study.annotate.checking import Marked, marked
from diplomat.study.annotate.files import fit, is_annotations, read_sheet
from diplomat.study.annotate.rows import Annotation, as_data, from_data
from diplomat.study.annotate.scheme import Coded
from diplomat.study.annotate.store import Store
from diplomat.study.annotate.units import Log, sample
from diplomat.study.extract_sources import givers, sources_of
from diplomat.study.ledger import Ledger, of
from diplomat.transcript.reader import read
from tests.study.annotate.coding import S1, S2, act, coding, first, spare, write


def chosen(log: Log, *paths: Path, coder: str | None = None) -> Marked:
    return marked(log, read_sheet(*paths).rows, coder)


def by_people(log: Log, *paths: Path) -> Ledger:
    """The ledger with nothing but what people coded."""
    found = chosen(log, *paths)
    return of(log.transcript, sources_of(None, givers("people"), found.people, found.model))


def test_a_row_comes_back_as_it_was_written(log: Log, tmp_path: Path) -> None:
    unit = first(log)
    goal = spare(unit.message.sender, next(s for s in unit.past.seats if s != unit.message.sender))
    words = unit.message.text[3:9]
    full = act(unit, words, goals=(goal,), given=(goal,), ref="x", certainty="hedged", confidence=0.5, stated=True)
    row = coding(unit, "анна 🦊", full, act(unit, words, "claim"), seconds=3.5, blind=False)
    sheet = read_sheet(write(tmp_path / "a.jsonl", [row]))
    assert sheet.rows == [row]
    assert not sheet.refused


BAD = {
    "no list of acts": {"acts": None},
    "an act of no kind": {"acts": [{"act": "vow", "start": 0, "end": 1, "words": "x"}]},
    "a field that is none": {"acts": [{"act": "ask", "start": 0, "end": 1, "words": "x", "lie": True}]},
    "a code that is none": {"acts": [{"act": "ask", "start": 0, "end": 1, "words": "x", "certainty": "yes"}]},
    "a truth value for a number": {"acts": [{"act": "ask", "start": True, "end": 1, "words": "x"}]},
    "too sure": {"acts": [{"act": "ask", "start": 0, "end": 1, "words": "x", "confidence": 1.5}]},
    "a goal without rounds": {"acts": [{"act": "ask", "start": 0, "end": 1, "words": "x", "given": [{"verb": "a"}]}]},
    "another kind": {"kind": "call"},
    "a state that is none": {"state": "later"},
    "seconds that are none": {"seconds": True},
}


@pytest.mark.parametrize("change", BAD.values(), ids=list(BAD))
def test_a_row_that_is_none_is_counted_and_the_rest_is_used(log: Log, tmp_path: Path, change: dict[str, Any]) -> None:
    good = coding(first(log), "anna")
    path = write(tmp_path / "a.jsonl", [good])
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps({**as_data(good), **change}) + "\n")
    sheet = read_sheet(path)
    assert (sheet.rows, dict(sheet.refused)) == ([good], {"unreadable": 1})


def test_rows_of_later_formats_and_of_other_schemes_are_refused(log: Log, tmp_path: Path) -> None:
    row = as_data(coding(first(log), "anna"))
    path = tmp_path / "a.jsonl"
    lines = [{**row, "format": 2}, {**row, "codebook": "promises/0"}, row]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines) + '{"kind":"anno', encoding="utf-8")
    sheet = read_sheet(path)
    assert len(sheet.rows) == 1
    assert dict(sheet.refused) == {"newer_format": 1, "other_codebook": 1, "torn": 1}


def test_what_names_another_version_or_a_missing_message_is_refused_by_row(log: Log, tmp_path: Path) -> None:
    unit = first(log)
    text = unit.message.text
    sender, other = unit.message.sender, next(s for s in unit.past.seats if s != unit.message.sender)
    good = coding(unit, "a", act(unit, text[:4], goals=(spare(sender, other),)))
    rows = {
        "other_transcript": coding(unit, "b", transcript="chain:" + "0" * 32),
        "missing_message": coding(unit, "c", message="s1>s2.99"),
        "other_words": coding(unit, "d", text="0" * 16),
        "bad_span": coding(unit, "e", Coded("ask", 0, 4, "nono")),
        "bad_goal": coding(unit, "f", act(unit, text[:4], goals=(spare(sender, sender),))),
    }
    fitted = fit([good, *rows.values()], [log])
    assert [row for _, row in fitted.rows] == [good]
    assert dict(fitted.refused) == dict.fromkeys(rows, 1)
    end = replace(good, acts=(Coded("ask", 0, len(text) + 1, text),))
    assert fit([end], [log]).refused["bad_span"] == 1


def test_a_log_that_grew_is_still_the_one_that_was_coded(game: Path, log: Log, tmp_path: Path) -> None:
    lines = game.read_bytes().splitlines(keepends=True)
    unit = log.units[2]
    short = tmp_path / game.name
    short.write_bytes(b"".join(lines[: unit.past.n + 1]))
    early = Log(read(short))
    assert early.identity != log.identity
    row = coding(early.units[2], "anna")
    assert len(fit([row], [log]).rows) == 1
    too_early = replace(row, transcript=f"chain:{log.transcript.chain.links[unit.past.n - 1]}")  # type: ignore[union-attr]
    assert dict(fit([too_early], [log]).refused) == {"other_transcript": 1}
    assert dict(fit([coding(unit, "anna")], [early]).refused) == {"other_transcript": 1}


def test_people_are_a_source_of_the_ledger(log: Log, tmp_path: Path) -> None:
    unit = next(unit for unit in log.units if unit.message.to != ("all",))
    sender, to = unit.message.sender, unit.message.to[0]
    goal = spare(sender, to, unit.past.now, unit.past.now)  # type: ignore[arg-type]
    said = act(unit, unit.message.text[:5], goals=(goal,), confidence=0.75, certainty="hedged")
    path = write(tmp_path / "a.jsonl", [coding(unit, "anna", said, act(unit, unit.message.text[:5], "claim"))])
    ledger = by_people(log, path)
    assert [(one.source, one.confidence, one.certainty, one.goal) for one in ledger.promises] == [
        ("human:anna", 0.75, "hedged", goal)
    ]
    assert [one.act for one in ledger.acts] == ["promise"]
    assert ledger.verdicts[0].said == unit.message.text[:5]


def test_a_promise_without_a_term_of_the_game_is_kept_and_counted(log: Log, tmp_path: Path) -> None:
    one, other = log.units[:2]
    rows = [
        coding(one, "anna", act(one, one.message.text[:5])),
        coding(other, "anna", act(other, other.message.text[:5], testable=False)),
    ]
    ledger = by_people(log, write(tmp_path / "a.jsonl", rows))
    assert [row.status for row in ledger.resolutions] == ["untracked", "untestable"]


def test_of_several_coders_one_must_be_named_unless_it_was_adjudicated(log: Log, tmp_path: Path) -> None:
    one, other = log.units[:2]
    rows = [coding(one, "anna"), coding(one, "ivan", act(one, one.message.text[:5])), coding(other, "ivan")]
    path = write(tmp_path / "a.jsonl", rows)
    both = chosen(log, path)
    assert (dict(both.people), list(both.why.values())) == ({}, ["unsettled"] * 3)
    assert len(chosen(log, path, coder="ivan").people) == 2
    gold = write(tmp_path / "gold.jsonl", [coding(one, "eva", by="adjudicated", rule="first")])
    settled = chosen(log, path, gold)
    assert {message: row.coder for message, row in settled.people.items()} == {
        one.message.id: "eva",
        other.message.id: "ivan",
    }


def test_drafts_are_no_codings(log: Log, tmp_path: Path) -> None:
    unit = first(log)
    path = write(tmp_path / "a.jsonl", [coding(unit, "anna", state="draft")])
    assert not chosen(log, path).people
    assert len(read_sheet(path).begun) == 1


def test_a_model_s_codings_are_never_those_of_people(log: Log, tmp_path: Path) -> None:
    unit = first(log)
    said = act(unit, unit.message.text[:5])
    path = write(tmp_path / "m.jsonl", [coding(unit, "llm:x@1", said, by="llm")])
    found = chosen(log, path)
    assert not found.people
    assert list(found.model) == [unit.message.id]
    assert not chosen(log, path, coder="llm:x@1").people


def test_of_several_models_one_must_be_named_where_promises_rest_on_one(log: Log, tmp_path: Path) -> None:
    unit = first(log)
    path = write(tmp_path / "m.jsonl", [coding(unit, f"llm:{name}@1", by="llm") for name in "xy"])
    rows = read_sheet(path).rows
    assert set(marked(log, rows, None, ("model",)).why.values()) == {"unsettled"}
    assert set(marked(log, rows, None).why.values()) == {""}
    named = marked(log, rows, "llm:y@1", ("model",))
    assert [row.coder for row in named.model.values()] == ["llm:y@1"]


def test_the_overlap_is_the_same_for_all_and_spread_over_what_rules_find_and_miss(game: Path, log: Log) -> None:
    again = Log(read(game))
    chosen = sample(log.units, 0.5)
    assert [unit.key for unit in chosen] == [unit.key for unit in sample(again.units, 0.5)]
    assert abs(len(chosen) - len(log.units) / 2) <= 1
    for candidate in (True, False):
        every = [unit for unit in log.units if unit.candidate is candidate]
        part = [unit for unit in chosen if unit.candidate is candidate]
        assert abs(len(part) - len(every) / 2) <= len(log.transcript.seats)
    assert sample(log.units, 1.0) == log.units
    with pytest.raises(UsageError, match=r"1\.5"):
        sample(log.units, 1.5)


@pytest.mark.parametrize("cut", range(1, 60, 7))
def test_a_row_cut_short_costs_only_itself(log: Log, tmp_path: Path, cut: int) -> None:
    rows = [coding(unit, "anna") for unit in log.units[:2]]
    path = write(tmp_path / "a.jsonl", rows)
    path.write_bytes(path.read_bytes()[:-cut])
    with Store(path) as store:
        assert store.repaired > 0
        store.write(rows[1])
    assert read_sheet(path).rows == rows


def test_a_file_of_something_else_is_left_alone(game: Path, tmp_path: Path) -> None:
    for content in (game.read_bytes(), b'{"kind":"calls","format":1}\n', b"notes", b"\n\n"):
        path = tmp_path / "other.jsonl"
        path.write_bytes(content)
        with pytest.raises(OutputExists, match="no annotations"):
            Store(path)
        assert path.read_bytes() == content
        assert not is_annotations(path)


def test_one_file_has_one_writer(tmp_path: Path) -> None:
    with Store(tmp_path / "a.jsonl"), pytest.raises(OutputExists, match="another session"):
        Store(tmp_path / "a.jsonl")


KILLED = """
import sys
from pathlib import Path
from diplomat.study.annotate.rows import Annotation
from diplomat.study.annotate.store import Store
store = Store(Path(sys.argv[1]))
for number in range(100000):
    store.write(Annotation("chain:x", "g", f"s1>s2.{number}", "t", "anna", ()))
    print(number, flush=True)
"""


def test_what_was_said_to_be_saved_survives_a_kill(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    process = subprocess.Popen([sys.executable, "-c", KILLED, str(path)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    said = [int(process.stdout.readline()) for _ in range(50)]
    os.kill(process.pid, signal.SIGKILL)
    rest = process.stdout.read()
    process.stdout.close()
    process.wait()
    said += [int(line) for line in rest.split()]
    with Store(path):
        pass
    kept = read_sheet(path)
    assert not kept.refused
    assert len(kept.rows) in (len(said), len(said) + 1)


def test_rows_are_read_by_their_own_rules() -> None:
    row = Annotation("chain:x", "g", f"{S1}>{S2}.1", "t", "anna", ())
    assert from_data(as_data(row)) == row
