"""games, rules, profiles, log path, doctor, balance and bench."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from rich.table import Table

import diplomat
from diplomat.arena import balance, bench
from diplomat.arena.many import Progress

if TYPE_CHECKING:
    from .conftest import Run


def test_games(run: Run) -> None:
    assert run("games").out.startswith("rokugan ")
    assert json.loads(run("games", "--json").out)[0]["seats"] == [2, 5]


@pytest.mark.parametrize(("lang", "heading"), [("en", "# Rokugan"), ("ru", "# Рокуган")])
def test_rules_into_a_pipe_are_markdown(run: Run, lang: str, heading: str) -> None:
    ran = run("rules", "rokugan", "--lang", lang)
    assert ran.code == 0
    assert ran.out.startswith(heading)


def test_profiles(run: Run) -> None:
    assert run("profiles").out == run("profiles", "list").out
    assert "honest" in run("profiles").out
    assert {"id", "name", "summary", "file"} <= set(json.loads(run("profiles", "list", "--json").out)[0])
    shown = run("profiles", "show", "honest", "--lang", "ru").out
    assert "Честный посредник" in shown
    assert "honesty      0.99" in shown


def test_profiles_check(run: Run, tmp_path: Path) -> None:
    assert run("profiles", "check").code == 0
    bad = tmp_path / "bad.toml"
    bad.write_text("id = 3", encoding="utf-8")
    ran = run("profiles", "check", bad)
    assert ran.code == 1
    assert "bad.toml" in ran.complaint


def test_where_transcripts_go(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run("log", "path").out == f"{tmp_path / 'logs'}\n"
    monkeypatch.delenv("DIPLOMAT_TRANSCRIPTS")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert run("log", "path").out == f"{tmp_path / 'data' / 'diplomat' / 'transcripts'}\n"
    monkeypatch.delenv("XDG_DATA_HOME")
    monkeypatch.setattr(Path, "home", lambda: tmp_path / "me")
    assert run("log", "path").out == f"{tmp_path / 'me' / '.local' / 'share' / 'diplomat' / 'transcripts'}\n"
    (tmp_path / "transcripts").mkdir()
    assert run("log", "path").out == "transcripts\n"


def test_doctor_finds_things_and_never_shows_a_key(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-not-to-be-seen")
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    ran = run("doctor")
    assert ran.code == 0, ran.out
    assert "OPENAI_API_KEY: set" in ran.out
    assert "ANTHROPIC_API_KEY: not set" in ran.out
    assert "sk-not" not in ran.out + run("doctor", "--json").out
    for what in (
        "diplomat:",
        "python:",
        "transcripts:",
        "profiles:",
        "games: rokugan",
        "language:",
        "terminal:",
        "chromium:",
    ):
        assert what in ran.out


def test_doctor_fails_when_nothing_can_be_written(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    monkeypatch.setenv("DIPLOMAT_TRANSCRIPTS", str(tmp_path / "file" / "logs"))
    ran = run("doctor")
    assert ran.code == 1
    assert "BAD transcripts:" in ran.out


class Report:
    def __init__(self, **asked: object) -> None:
        self.asked = asked

    def as_dict(self) -> dict[str, object]:
        return self.asked

    def tables(self, lang: str) -> list[Table]:
        return [Table(f"table {lang}")]


def test_balance_counts_on_stderr_and_prints_tables(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def run_balance(game: str, *, games: int, progress: Progress, **asked: object) -> Report:
        for done in range(1, games + 1):
            progress(done, games)
        return Report(game=game, games=games, **asked)

    monkeypatch.setattr(balance, "run_balance", run_balance)
    ran = run("balance", "rokugan", "--games", "40", "--players", "3", "--seed", "9", "--jobs", "1", "--json")
    assert json.loads(ran.out) == {"game": "rokugan", "games": 40, "players": 3, "jobs": 1, "seed": "9"}
    assert ran.err.splitlines()[-1] == "games: 40/40"
    assert len(ran.err.splitlines()) <= 11
    assert "table ru" in run("balance", "rokugan", "--games", "2", "--lang", "ru").out


def test_balance_figures_repeat_and_the_published_seed_is_the_default(run: Run) -> None:
    asked = ("balance", "rokugan", "--games", "6", "--players", "2", "--json")
    published = run(*asked, "--jobs", "1").out
    figures = json.loads(published)
    assert list(figures) == ["game", "games", "players", "seed", "objectives", "clans", "seats", "ends"]
    assert [figures[key] for key in ("game", "games", "players", "seed")] == ["rokugan", 6, 2, balance.DEFAULT_SEED]
    assert sum(row["played"] for row in figures["clans"]) == 12
    assert json.loads(run(*asked, "--jobs", "1", "--seed", "other").out)["clans"] != figures["clans"]
    env = {**os.environ, "PYTHONPATH": str(Path(diplomat.__file__).parents[1])}  # several processes, away from ours
    command = [sys.executable, "-m", "diplomat", *asked, "--jobs", "2", "--seed", balance.DEFAULT_SEED]
    assert subprocess.run(command, env=env, capture_output=True, text=True, check=True).stdout == published


def test_bench(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "run_bench", lambda game: Report(game=game))
    assert json.loads(run("bench", "rokugan", "--json").out) == {"game": "rokugan"}
    assert "table en" in run("bench", "rokugan").out


def test_contest_counts_strength_and_kept_words_with_intervals(run: Run) -> None:
    ran = run("contest", "rokugan", "--games", "2", "--jobs", "1", "--json")
    figures = json.loads(ran.out)
    assert [row["players"] for row in figures["strength"]] == ["2", "5"]
    assert all(row["won_interval"].count("–") == 1 for row in figures["strength"])
    assert {row["profile"] for row in figures["characters"]} >= {"honest", "backstabber"}
    assert all(0 <= row["kept"] <= 100 for row in figures["characters"])
