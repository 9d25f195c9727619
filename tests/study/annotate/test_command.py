"""``diplomat annotate``: tables on stdout, a model's codings in a file, contradictions refused before any work."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner, Result

from diplomat.cli import annotate
from diplomat.cli.annotate_tables import _cautions
from diplomat.cli.annotating import annotate_texts
from diplomat.core.errors import BadTranscript, DiplomatError, OutputExists, UsageError
from diplomat.llm import limiter
from diplomat.study.annotate.files import read_sheet
from diplomat.study.annotate.units import Log
from diplomat.study.annotator import ModelAnnotator
from diplomat.study.stats.cautions import Caution
from diplomat.study.stats.intervals import Interval
from diplomat.testing.loopback import Loopback
from tests.study.annotate.coding import act, coding, write


def run(*words: str | Path) -> Result:
    app = typer.Typer()
    app.callback()(lambda: None)
    annotate.register(app)
    return CliRunner().invoke(app, ["annotate", *map(str, words)])


def fault(*words: str | Path) -> DiplomatError:
    got = run(*words)
    assert isinstance(got.exception, DiplomatError), got.output
    return got.exception


@pytest.fixture
def coded(log: Log, tmp_path: Path) -> tuple[Path, Path]:
    """Two coders who agree on all messages but one."""
    units = log.units
    anna = [coding(unit, "anna", *([act(unit, unit.message.text[:5])] if unit.candidate else [])) for unit in units]
    ivan = [coding(unit, "ivan", *row.acts) for unit, row in zip(units, anna, strict=True)]
    ivan[0] = coding(units[0], "ivan", act(units[0], units[0].message.text[:5], "threat"), blind=False)
    strange = coding(units[0], "ivan", message="s1>s2.99")
    return write(tmp_path / "anna.jsonl", anna), write(tmp_path / "ivan.jsonl", [*ivan, strange])


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_agreement_prints_every_figure_and_what_was_left_out(
    game: Path, coded: tuple[Path, Path], lang: str, log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    got = run("--agreement", game, *coded, "--lang", lang)
    assert got.exit_code == 0, got.output
    rows = {line.split("  ")[0]: line.split() for line in got.stdout.splitlines()}
    name = {"en": "a promise is there", "ru": "есть обещание"}[lang]
    assert str(len(log.units)) in rows[name]
    assert {"en": "(about a message", "ru": "причина: о сообщении"}[lang] in got.stdout
    assert "0.54" in got.stdout
    assert not any(key in got.stdout for key in ("field.", "table.", "refused.", "{"))


@pytest.mark.parametrize("lang", ["en", "ru"])
@pytest.mark.parametrize("width", [80, 40])
def test_agreement_is_no_wider_than_the_terminal(
    coded: tuple[Path, Path], lang: str, width: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    lines = run("--agreement", *coded, "--lang", lang).stdout.splitlines()
    assert [line for line in lines if len(line) > width] == []
    assert {"en": "alpha 1.00", "ru": "альфа 1.00"}[lang] in " ".join(lines)


def test_what_makes_an_alpha_weak_is_told_of_the_rows_that_it_concerns() -> None:
    some = (Caution("undefined_draws", {"lost": 2000, "reps": 2000}),)
    rows = {
        "goal": Interval(0.5, float("nan"), float("nan"), "bootstrap", 4, 2, cautions=some),
        "act": Interval(-0.19, -0.19, -0.19, "bootstrap", 4, 2),
    }
    assert list(_cautions("alpha", rows, annotate_texts("en"))) == [
        "alpha (goal): 2000 of 2000 resamples had nothing to divide by and are left out."
    ]


def test_agreement_needs_no_transcript(coded: tuple[Path, Path]) -> None:
    got = run("--agreement", *coded, "--lang", "en")
    assert got.exit_code == 0
    assert "anna and ivan: token F1 -" in got.stdout


def test_quality_is_printed_for_rules_and_models(
    game: Path, log: Log, coded: tuple[Path, Path], tmp_path: Path
) -> None:
    model = write(tmp_path / "m.jsonl", [coding(unit, "llm:x@1", by="llm") for unit in log.units])
    got = run("--quality", game, coded[0], model, "--lang", "en")
    assert got.exit_code == 0, got.output
    assert [line for line in got.stdout.splitlines() if line in ("declared", "rule", "llm:x@1")] == [
        "declared",
        "rule",
        "llm:x@1",
    ]
    assert isinstance(fault("--quality", game, *coded), UsageError)
    assert run("--quality", game, *coded, "--coder", "anna").exit_code == 0


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--agreement", "--quality"], "choose one"),
        (["--dry-run"], "name one with --model"),
        (["--overlap", "2"], "share above 0"),
        (["--coder", " "], "--coder"),
        (["--coder", "llm:me"], "--coder"),
        (["--agreement"], "holds annotations"),
        (["--quality"], "name both"),
        (["--model", "openai:x", "--model", "openai:y", "--model", "openai:z"], "one model or two"),
    ],
)
def test_contradictions_are_refused(game: Path, tmp_path: Path, words: list[str], says: str) -> None:
    out = tmp_path / "out.jsonl"
    assert says in str(fault(game, "--out", out, *words))
    assert not out.exists()


def test_the_log_itself_is_never_written_to(game: Path) -> None:
    before = game.read_bytes()
    assert isinstance(fault(game, "--out", game, "--coder", "anna"), UsageError)
    assert game.read_bytes() == before


def test_without_its_server_the_page_says_what_to_install(
    game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    out = tmp_path / "out.jsonl"
    assert "pip install 'diplomat[web]'" in str(fault(game, "--out", out, "--coder", "anna"))
    assert not out.exists()


def test_a_model_codes_into_a_file_of_the_same_form(
    game: Path, log: Log, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limiter, "_limiters", {})
    out = tmp_path / "model.jsonl"
    with Loopback(retry_after=0.0) as server:
        model = f"{server.openai_url}#qwen"
        dry = run(game, "--model", model, "--out", out, "--overlap", "0.2", "--dry-run")
        assert dry.exit_code == 0, dry.output
        assert not server.calls
        assert not out.exists()
        got = run(game, "--model", model, "--out", out, "--overlap", "0.2")
        assert got.exit_code == 0, got.output
        asked = len(server.calls)
        assert f"{asked} calls" in dry.stdout
        again = run(game, "--model", model, "--out", tmp_path / "again.jsonl", "--overlap", "0.2")
        assert again.exit_code == 0
        assert len(server.calls) == asked
        assert isinstance(fault(game, "--model", model, "--out", out, "--overlap", "0.2"), OutputExists)
    rows = read_sheet(out).rows
    assert len(rows) == round(len(log.units) * 0.2)
    assert {row.by for row in rows} == {"llm"}
    assert {row.coder.split("@")[0] for row in rows} == {f"llm:{model}"}


def test_a_model_that_was_broken_off_goes_on_by_the_same_command(
    game: Path, log: Log, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limiter, "_limiters", {})
    out = tmp_path / "model.jsonl"
    with Loopback(retry_after=0.0) as server:
        model = f"{server.openai_url}#qwen"
        with monkeypatch.context() as broken:
            broken.setattr(ModelAnnotator, "read", _broken_off)
            assert str(fault(game, "--model", model, "--out", out, "--overlap", "0.2")) == "broken off"
        asked = len(server.calls)
        assert asked
        assert not out.exists()
        assert run(game, "--model", model, "--out", out, "--overlap", "0.2").exit_code == 0
        assert len(server.calls) == asked
    assert len(read_sheet(out).rows) == round(len(log.units) * 0.2)


_READ = ModelAnnotator.read


async def _broken_off(*args: Any, **options: Any) -> None:
    """All replies have come, and then something ends the run."""
    await _READ(*args, **options)
    raise DiplomatError("broken off")


def _sheets(log: Log, folder: Path) -> dict[str, Path]:
    unit, other = log.units[0], log.units[1]
    return {
        "empty": write(folder / "empty.jsonl", []),
        "begun": write(folder / "begun.jsonl", [coding(unit, "anna", state="draft")]),
        "anna": write(folder / "anna.jsonl", [coding(unit, "anna")]),
        "ivan": write(folder / "ivan.jsonl", [coding(other, "ivan")]),
        "old": write(folder / "old.jsonl", [coding(unit, "anna", codebook="promises/0")]),
    }


def test_a_file_that_cannot_be_read_is_named_in_one_line(coded: tuple[Path, Path]) -> None:
    unreadable = Path("/proc/self/mem")  # opens, and gives nothing: permissions do not stop every user
    if not unreadable.exists():
        pytest.skip("no such file on this system")
    for way in ("--agreement", "--quality"):
        wrong = fault(way, *coded, unreadable)
        assert isinstance(wrong, BadTranscript)
        assert re.fullmatch(r"/proc/self/mem cannot be read: .+", str(wrong))


def test_a_file_of_blanks_is_empty(tmp_path: Path) -> None:
    (tmp_path / "blank.jsonl").write_bytes(b" \n\n")
    assert "blank.jsonl is empty" in str(fault("--agreement", tmp_path / "blank.jsonl"))


@pytest.mark.parametrize(
    ("names", "says"),
    [
        (["empty"], r"empty\.jsonl is empty: it holds neither a game nor annotations; diplomat annotate GAME "),
        (["anna", "empty"], r"empty\.jsonl is empty"),
        (["begun"], r"no finished codings \(begun and not finished: 1\); diplomat annotate GAME "),
        (["old"], r"no finished codings \(another coding scheme: 1\)"),
        (["anna"], r"all codings are by anna, and agreement is between two coders at least"),
        (["anna", "ivan"], r"anna, ivan coded no message in common; give each the same games and the same --overlap"),
    ],
)
def test_agreement_without_anything_to_compare_says_what_is_missing(
    log: Log, tmp_path: Path, names: list[str], says: str
) -> None:
    made = _sheets(log, tmp_path)
    wrong = fault("--agreement", *(made[name] for name in names), "--lang", "en")
    assert isinstance(wrong, UsageError)
    assert re.search(says, str(wrong)), wrong
    assert "\n" not in str(wrong)
