"""Tables on disk: one plain value per cell, lists of rows beside, nothing lost or overwritten in silence."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import nan
from pathlib import Path
from typing import Any, Literal

import pytest

from diplomat.core.errors import CannotWrite, OutputExists, UsageError
from diplomat.study.columns import Table, field_notes, flatten
from diplomat.study.stats.cautions import Caution
from diplomat.study.stats.intervals import Interval
from diplomat.study.write import codebook, study_texts, undescribed, write_csv, write_jsonl, write_parquet


@dataclass(frozen=True, slots=True)
class Aim:
    verb: str
    args: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Word:
    pid: str
    """Its id."""
    status: Literal["kept", "broken"]
    n: int
    share: float
    firm: bool | None
    heard_by: tuple[str, ...]
    goal: Aim | None
    others: tuple[Aim, ...] = ()


WORDS = [
    Word("a", "kept", 1, 0.5, True, ("s1", "s2"), Aim("attack", {"at": "ford", "by": "s1"}), (Aim("x"), Aim("y"))),
    Word('b "quoted",\nПример \U0001f600', "broken", 2, nan, None, (), None, (Aim("z", {"k": "v"}),)),
]
TABLE = Table("words", Word, WORDS, ["g1", "g2"])


def cells(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def test_csv_has_one_plain_value_per_cell(tmp_path: Path) -> None:
    write_csv([TABLE], tmp_path)
    first, second = cells(tmp_path / "words.csv")
    assert first == {
        "game": "g1", "row": "1", "pid": "a", "status": "kept", "n": "1", "share": "0.5", "firm": "true",
        "heard_by": "s1;s2", "goal_verb": "attack", "goal_args": "at=ford; by=s1",
    }  # fmt: skip
    assert second["pid"] == WORDS[1].pid
    assert (second["share"], second["firm"], second["heard_by"], second["goal_verb"]) == ("", "", "", "")


def test_lists_of_rows_are_tables_of_their_own(tmp_path: Path) -> None:
    paths = write_csv([TABLE], tmp_path)
    assert [path.name for path in paths] == ["words.csv", "words_others.csv", "codebook.csv"]
    beside = cells(tmp_path / "words_others.csv")
    assert [(row["game"], row["row"], row["place"], row["verb"]) for row in beside] == [
        ("g1", "1", "1", "x"),
        ("g1", "1", "2", "y"),
        ("g2", "2", "1", "z"),
    ]


def test_cautions_inside_intervals_are_not_lost() -> None:
    @dataclass(frozen=True, slots=True)
    class Figure:
        name: str
        value: Interval

    weak = Interval(0.5, 0.1, 0.9, "bootstrap", 4, 2, cautions=(Caution("few_games", {"games": 2}),))
    main, beside = flatten(Table("figures", Figure, [Figure("kept", weak)]))
    assert [column.name for column in main.columns][:4] == ["row", "name", "value_estimate", "value_low"]
    assert (beside.name, beside.cells) == ("figures_value_cautions", ((1, 1, "few_games", "games=2"),))


def test_codebook_says_name_type_levels_and_words(tmp_path: Path) -> None:
    write_csv([TABLE], tmp_path)
    book = {(row["table"], row["column"]): row for row in cells(tmp_path / "codebook.csv")}
    assert book["words", "status"]["levels"] == "kept;broken"
    assert book["words", "heard_by"]["type"] == "text_list"
    assert book["words", "firm"]["may_be_missing"] == "true"
    assert book["words_others", "verb"]["description"] != ""
    written = {(row["table"], row["column"]) for row in cells(tmp_path / "codebook.csv")}
    for name in ("words", "words_others"):
        header = (tmp_path / f"{name}.csv").read_text(encoding="utf-8").splitlines()[0].split(",")
        assert {column for table, column in written if table == name} == set(header)


def test_a_description_comes_from_the_texts_else_from_the_class(tmp_path: Path) -> None:
    lines = {(line[0], line[1]): line[5] for line in codebook(flatten(TABLE), study_texts("ru"))}
    assert lines["words", "game"] == "Обозначение партии."
    assert field_notes(Word) == {"pid": "Its id."}
    assert undescribed([TABLE], study_texts("en")) == ["words.firm", "words.heard_by", "words.share"]


def test_json_lines_keep_rows_whole(tmp_path: Path) -> None:
    write_jsonl([TABLE], tmp_path)
    first, second = (json.loads(line) for line in (tmp_path / "words.jsonl").read_text(encoding="utf-8").splitlines())
    assert first["goal"] == {"verb": "attack", "args": {"at": "ford", "by": "s1"}}
    assert [aim["verb"] for aim in first["others"]] == ["x", "y"]
    assert (second["game"], second["share"], second["pid"]) == ("g2", None, WORDS[1].pid)


def test_parquet_has_the_same_tables_with_types(tmp_path: Path) -> None:
    parquet: Any = pytest.importorskip("pyarrow.parquet", reason="pyarrow of the extra `study` is not installed")
    write_parquet([TABLE], tmp_path)
    table = parquet.read_table(tmp_path / "words.parquet")
    assert table.schema.metadata[b"diplomat.schema"] == b"1"
    assert [str(kind) for kind in table.schema.types] == [
        "string", "int64", "string", "string", "int64", "double", "bool", "list<element: string>", "string", "string",
    ]  # fmt: skip
    assert table.to_pylist()[1]["share"] is None
    assert table.to_pylist()[0]["heard_by"] == ["s1", "s2"]
    assert parquet.read_table(tmp_path / "words_others.parquet").num_rows == 3


def test_an_empty_table_still_has_its_columns(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow", reason="pyarrow of the extra `study` is not installed")
    empty = Table("none", Word, [])
    write_csv([empty], tmp_path)
    write_parquet([empty], tmp_path)
    assert (tmp_path / "none.csv").read_text().startswith("row,pid,status")


def test_nothing_is_overwritten_unasked(tmp_path: Path) -> None:
    for write in (write_csv, write_jsonl):
        write([TABLE], tmp_path)
        with pytest.raises(OutputExists, match="words"):
            write([TABLE], tmp_path)
        write([TABLE], tmp_path, overwrite=True)


def test_what_cannot_be_a_table_is_refused(tmp_path: Path) -> None:
    @dataclass(frozen=True, slots=True)
    class Deep:
        inside: dict[str, list[int]] | list[list[int]]

    with pytest.raises(UsageError, match=r"Deep\.inside"):
        flatten(Table("deep", Deep, []))
    with pytest.raises(UsageError, match="no dataclass"):
        flatten(Table("plain", int, [1]))
    with pytest.raises(UsageError, match="2 rows but 1 game"):
        flatten(Table("words", Word, WORDS, ["g1"]))
    with pytest.raises(UsageError, match="two tables"):
        write_csv([TABLE, TABLE], tmp_path)
    torn = Word("a", "kept", 1, 0.5, True, ("s;1",), None)
    with pytest.raises(UsageError, match="joins lists"):
        write_csv([Table("torn", Word, [torn])], tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(CannotWrite):
        write_jsonl([TABLE], tmp_path / "file" / "below")
