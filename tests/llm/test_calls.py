from __future__ import annotations

import json
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diplomat.core.errors import BadTranscript, CannotWrite, NewerFormat, OutputExists
from diplomat.llm.base import Call, Completion, Part, Turn, Usage
from diplomat.llm.blocks import Blocks, Prefixes
from diplomat.llm.calls import Calls, CallsFile, read
from diplomat.llm.entries import Entry, as_data, from_data
from diplomat.llm.retry import Attempt
from tests.llm.making import GOOD, call


def entry(asked: Call, status: str = "done", **changes: object) -> tuple[Entry, dict[str, str]]:
    request, texts = Blocks().of(asked)
    made = Entry(
        asked.id, asked.seat, asked.purpose, "openai:m", request, "done", GOOD, cost=Decimal("0.000123"), prefix=(3, 9)
    )
    if status != "done":
        changes |= {"completion": None, "status": status}
    return replace(made, **changes), texts  # type: ignore[arg-type]  # of the tests below


def write(path: Path, count: int = 3) -> list[Entry]:
    file = CallsFile(path)
    made = []
    for number in range(count):
        one, texts = entry(call(number, text=f"Ход {number}"))
        file.write(one, texts)
        made.append(one)
    file.close()
    return made


def test_what_is_written_is_read(tmp_path: Path) -> None:
    path = tmp_path / "g.calls.jsonl"
    made = write(path)
    calls = Calls.load(path)
    assert list(calls.entries.values()) == made
    assert calls.prompt(made[1]) == (("You are a daimyo. " * 20,), (("user", "Ход 1"),))
    assert calls.torn == 0


def test_each_piece_of_a_prompt_is_written_once(tmp_path: Path) -> None:
    path = tmp_path / "g.calls.jsonl"
    write(path, 20)
    assert path.read_text().count("You are a daimyo. " * 20) == 1


TEXT = st.text(max_size=20)


@given(
    texts=st.tuples(TEXT, TEXT, TEXT, TEXT),
    status=st.sampled_from(["done", "failed", "expired"]),
    tokens=st.integers(0, 10**9),
    cost=st.none() | st.decimals(0, 100, places=9),
    waits=st.lists(st.floats(0, 100).map(lambda n: round(n, 3)), max_size=3),
)
@settings(max_examples=80, deadline=None)
def test_an_entry_comes_back_as_it_was(
    texts: tuple[str, str, str, str], status: str, tokens: int, cost: Decimal | None, waits: list[float]
) -> None:
    got = Completion(texts[0], "length", Usage(tokens, 1, 2, 3, 4), texts[1], texts[2], "tool")
    one, _ = entry(
        call(text=texts[3]), status, completion=got, cost=cost, attempts=tuple(Attempt("rate", wait) for wait in waits)
    )
    assert from_data(json.loads(json.dumps(as_data(one)))) == one


def test_a_file_cut_anywhere_is_taken_up_where_it_is_whole(tmp_path: Path) -> None:
    whole = tmp_path / "whole.jsonl"
    made = write(whole)
    raw = whole.read_bytes()
    ends = [place + 1 for place, byte in enumerate(raw) if byte == 10]
    path = tmp_path / "cut.jsonl"
    for cut in range(len(raw) + 1):
        last = max([end for end in ends if end <= cut], default=0)
        calls = read(raw[:cut], "g")
        assert (calls.whole, calls.torn) == (last, cut - last)
        if cut % 97 == 0 or cut in ends:
            path.write_bytes(raw[:cut])
            file = CallsFile(path, resume=True)
            for one in made:
                if one.id not in file.calls.entries:
                    number = int(one.id.partition("/r")[2][0])
                    file.write(*entry(call(number, text=f"Ход {number}")))
            file.close()
            assert list(Calls.load(path).entries.values()) == made


def test_damage_in_the_middle_is_an_error_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "g.jsonl"
    write(path)
    lines = path.read_bytes().split(b"\n")
    for number, bad in (
        (3, b"{"),
        (1, b'{"kind":"header"}'),
        (2, b'{"kind":"magic"}'),
        (4, b'{"kind":"call","id":"x"}'),
    ):
        broken = [*lines]
        broken[number - 1] = bad
        with pytest.raises(BadTranscript) as error:
            read(b"\n".join(broken), "g")
        assert error.value.line == number
    with pytest.raises(NewerFormat):
        read(b'{"kind":"calls","format":2}\n', "g")
    with pytest.raises(BadTranscript):
        Calls.load(tmp_path / "none")


def test_a_file_is_not_overwritten_nor_written_twice_at_once(tmp_path: Path) -> None:
    path = tmp_path / "g.jsonl"
    first = CallsFile(path)
    with pytest.raises(OutputExists, match="another running game"):
        CallsFile(path, resume=True)
    first.close()
    first.close()
    with pytest.raises(OutputExists, match="--force"):
        CallsFile(path)
    write_again = CallsFile(path, force=True)
    assert not write_again.calls.entries
    write_again.close()
    with pytest.raises(CannotWrite):
        CallsFile(tmp_path / "g.jsonl" / "x.jsonl")


def test_a_key_in_a_prompt_or_a_fault_is_not_written(tmp_path: Path) -> None:
    path = tmp_path / "g.jsonl"
    file = CallsFile(path)
    one, texts = entry(call(text="sk-proj-0penaiSecretKey42"), fault_text="anthropicSecretKey42 is wrong")
    file.write(one, texts)
    file.close()
    assert "ecretKey42" not in path.read_text()


def test_half_a_letter_does_not_stop_the_writing(tmp_path: Path) -> None:
    path = tmp_path / "g.jsonl"
    file = CallsFile(path)
    one, texts = entry(call(text="\ud83d"), completion=replace(GOOD, text="\ude00"))
    file.write(one, texts)
    file.close()
    assert list(Calls.load(path).entries.values()) == [one]


@pytest.mark.parametrize(
    "other",
    [
        call(text="Another."),
        call(system=(Part("Other rules."),)),
        call(schema={"type": "object", "properties": {}}),
        call(max_output=301),
        call(constrained=False),
        call(turns=(Turn("assistant", "Your move."),)),
    ],
)
def test_a_request_that_differs_has_another_hash(other: Call) -> None:
    assert Blocks().of(other)[0].sha != Blocks().of(call())[0].sha


def test_a_request_has_the_same_hash_wherever_it_goes() -> None:
    assert Blocks().of(call(seat="lion", purpose="talk"))[0].sha == Blocks().of(call())[0].sha


def test_the_beginning_that_was_sent_before_is_measured_to_the_letter() -> None:
    prefixes = Prefixes()
    assert prefixes.measure("m", ["rules", "user\nabc"]) == (0, 13)
    assert prefixes.measure("m", ["rules", "user\nabd", "x"]) == (12, 14)
    assert prefixes.measure("m", ["rules", "user\nabd", "xy"]) == (14, 15)
    assert prefixes.measure("m", ["rule", "user\nabd"]) == (4, 12)
    assert prefixes.measure("other", ["rules"]) == (0, 5)


def test_pieces_that_are_no_texts_are_pieces_that_nobody_has(tmp_path: Path) -> None:
    path = tmp_path / "g.jsonl"
    file = CallsFile(path)
    file.write(*entry(call()))
    file.close()
    rows = [json.loads(row) for row in path.read_text().splitlines()]
    rows[-1]["request"]["system"] = [[]]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    calls = Calls.load(path)
    assert [calls.prompt(one)[0] for one in calls.entries.values()] == [("",)]
