"""Whatever lies in a file: it is read, or it is refused in words with the line at fault."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import typer
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from diplomat.cli import verify as command
from diplomat.core.errors import BadTranscript, UsageError
from diplomat.transcript.chain import chained
from diplomat.transcript.reader import parse
from diplomat.transcript.strictjson import DEEPEST, parsed
from diplomat.transcript.verify import verify

from .conftest import rows_of

FUZZ = settings(
    max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
PATH = Path("x.jsonl")
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
    | st.sampled_from(["s1", "s9", "all", "talk.s1", "crab"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)  # fmt: skip


def _judged(raw: bytes) -> bool:
    """Whether a log is sound; what is wrong with it must have a line."""
    line = 1
    try:
        verdict = verify(parse(PATH, raw))
    except BadTranscript as fault:
        sound, line = False, fault.line
    else:
        sound = verdict.sound
        line = verdict.difference.line if verdict.difference is not None else 1
    assert 1 <= line <= raw.count(b"\n") + 1
    return sound


@FUZZ
@given(st.binary(max_size=300))
def test_any_bytes_are_refused_with_a_line(raw: bytes) -> None:
    assert not _judged(raw)


@FUZZ
@given(data=st.data())
def test_a_log_with_bytes_put_in_or_taken_out_is_refused_or_differs(data: st.DataObject, quiet_text: str) -> None:
    raw = quiet_text.encode()
    at = data.draw(st.integers(0, len(raw)))
    gone = data.draw(st.integers(0, 200))
    edited = raw[:at] + data.draw(st.binary(max_size=20)) + raw[at + gone :]
    if not raw.startswith(edited[: edited.rfind(b"\n") + 1]):  # else it is the same game, cut short
        assert not _judged(edited)


@FUZZ
@given(data=st.data())
def test_a_field_with_any_value_and_hashes_made_anew_never_breaks_the_check(
    data: st.DataObject, rich_text: str
) -> None:
    rows = rows_of(rich_text)
    at = data.draw(st.integers(0, len(rows) - 1))
    place: Any = rows[at]
    key: Any = data.draw(st.sampled_from(sorted(place)))
    while isinstance(place[key], (dict, list)) and place[key] and data.draw(st.booleans()):
        place = place[key]
        key = data.draw(st.sampled_from(sorted(place) if isinstance(place, dict) else range(len(place))))
    place[key] = data.draw(JSON)
    raw, before = b"", ""
    for row in rows:
        row.pop("chain", None)
        line, before = chained(before, json.dumps(row, separators=(",", ":")).encode())
        raw += line + b"\n"
    _judged(raw)


@pytest.mark.parametrize("depth", [DEEPEST + 1, 400, 900, 5000])
@pytest.mark.parametrize(("start", "end"), [("[", "]"), ('{"a":', "}")])
def test_too_many_levels_are_refused(depth: int, start: str, end: str, quiet_text: str) -> None:
    nest = f"{start * depth}1{end * depth}"
    with pytest.raises((ValueError, RecursionError)):
        parsed(nest)
    text = quiet_text.replace('"meta":{}', f'"meta":{{"x":{nest}}}', 1)
    with pytest.raises(BadTranscript, match="line 3: not JSON"):
        parse(PATH, text.encode())
    assert parsed(f"{start * DEEPEST}1{end * DEEPEST}")


def _run(*argv: object) -> tuple[int, str]:
    app = typer.Typer()
    command.register(app)
    ran = CliRunner().invoke(app, [str(part) for part in argv])
    assert ran.exception is None or isinstance(ran.exception, SystemExit), ran.exception
    return ran.exit_code, ran.output


def test_the_command_shows_the_last_hash_and_checks_against_it(rich: Path, rich_text: str) -> None:
    rows = rows_of(rich_text)
    kept = rows[-1]["chain"]
    code, out = _run(rich)
    assert (code, out.splitlines()) == (
        0,
        [f"{rich}: sound, {len(rows) - 1} events, finished", f"{rich}: chain {kept}"],
    )
    assert _run(rich, "--chain", f" {kept.upper()} ")[0] == 0
    code, out = _run(rich, "--chain", "0" * 32)
    assert (code, f"the log ends with the hash {kept}, not {'0' * 32}" in out) == (1, True)
    data = json.loads(_run(rich, "--json")[1])
    assert data == {
        "sound": True,
        "events": len(rows) - 1,
        "finished": True,
        "format": 2,
        "chain": kept,
        "difference": None,
    }


@pytest.mark.parametrize("hash_", ["", "xyz", "0" * 31, "0" * 33, "g" * 32])
def test_what_is_no_hash_is_a_wrong_use_of_the_command(hash_: str, rich: Path) -> None:
    with pytest.raises(
        UsageError, match=f"--chain takes 32 hexadecimal digits as diplomat verify shows them, not '{hash_}'"
    ):
        command.verify(rich, hash_)


def test_an_old_format_is_called_what_it_is(tmp_path: Path, rich_text: str) -> None:
    from .test_migrate import first_format

    path = tmp_path / "old.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in first_format(rich_text)), encoding="utf-8")
    code, out = _run(path)
    assert code == 0
    assert "format 1 has no hashes: nothing shows whether words, plans and notes were changed" in out
    assert json.loads(_run(path, "--json")[1])["chain"] is None
