"""``diplomat play``: what comes out, where it goes, and that the same seed gives the same game."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import pytest

from diplomat.transcript.reader import Transcript

if TYPE_CHECKING:
    from .conftest import Run

QUICK = ("--seats", "2", "--seat", "s1=random", "--seat", "s2=random", "--set", "rounds=1", "--seed", "7")


def compared(path: Path) -> list[str]:
    rows = [json.loads(row) for row in path.read_text(encoding="utf-8").splitlines()[1:]]
    return [json.dumps([row["n"], row["kind"], row["to"], row["data"]], ensure_ascii=False) for row in rows]


def test_same_seed_gives_the_same_bytes(run: Run, tmp_path: Path) -> None:
    for name in ("a", "b"):
        ran = run("play", *QUICK, "--display", "none", "--no-reveal", "--out", f"{name}.jsonl")
        assert ran.code == 0
        assert ran.err == ""
    assert compared(tmp_path / "a.jsonl") == compared(tmp_path / "b.jsonl")


def test_the_game_is_told_on_stderr_and_its_result_and_where_everything_lies_goes_to_stdout(
    run: Run, tmp_path: Path, page: None
) -> None:
    ran = run("play", *QUICK, "--out", "a.jsonl")
    assert ran.code == 0
    lines = ran.err.splitlines()
    assert any(line.startswith("── Round 1 of 1") for line in lines)
    assert any(line.startswith("Battle for") or "holds" in line or "takes" in line for line in lines)
    assert "Honor without objectives:" in ran.err
    assert ran.err.endswith("\n\n")
    assert ran.out.startswith("Result\n")
    assert ran.out.index("honor  flowers") < ran.out.index("Transcript: a.jsonl")
    assert "Reveal page: a.html" in ran.out
    assert "Private messages and plans are opened on the reveal page." in ran.out
    assert (tmp_path / "a.html").read_text(encoding="utf-8").startswith("<h1>en ")


def test_the_seed_is_never_shown_while_the_game_is_watched(run: Run) -> None:
    ran = run("play", *QUICK[:-1], "424242", "--no-reveal")
    assert "Round 1 of 1" in ran.err
    assert "424242" not in ran.err
    assert "Seed: 424242" in ran.out


def test_without_a_file_the_log_gets_a_name_of_its_own(run: Run, tmp_path: Path) -> None:
    for _ in range(2):
        assert run("play", *QUICK, "--display", "none", "--no-reveal").code == 0
    names = sorted(path.name for path in (tmp_path / "logs").iterdir())
    assert len(names) == 2
    assert all(name.startswith("rokugan-2") and name.endswith(".jsonl") for name in names)


def test_json_changes_only_the_form_of_the_result(run: Run) -> None:
    table, ran = (
        run("play", *QUICK, *more, "--no-reveal", "--force", "--out", "a.jsonl") for more in ((), ("--json",))
    )
    assert ran.err == table.err
    assert "── Round 1 of 1" in ran.err
    data = json.loads(ran.out)
    assert data["game"] == "rokugan"
    assert data["transcript"] == "a.jsonl"
    assert data["reveal"] is None
    assert {row["seat"] for row in data["seats"]} == {"s1", "s2"}
    assert all({"name", "agent", "profile", "score", "won"} <= set(row) for row in data["seats"])


def test_without_a_display_only_the_result_comes_out(run: Run) -> None:
    shown, quiet = (
        run("play", *QUICK, "--display", display, "--no-reveal", "--force", "--out", "a.jsonl")
        for display in ("plain", "none")
    )
    assert quiet.err == ""
    # The last hash covers the times of the lines, so it is another one in every run.
    bare = [re.sub(r"\b[0-9a-f]{32}\b", "…", ran.out) for ran in (quiet, shown)]
    assert bare[0] == bare[1] != ""
    ran = run("play", *QUICK, "--json", "--display", "none", "--no-reveal", "--force", "--out", "a.jsonl")
    assert ran.err == ""
    json.loads(ran.out)


@pytest.mark.parametrize(
    ("variable", "value", "heading"),
    [
        ("LC_ALL", "ru_RU.UTF-8", "── Раунд 1 из 1"),
        ("LC_MESSAGES", "ru_RU", "── Раунд 1 из 1"),
        ("LC_ALL", "C", "── Round 1 of 1"),
    ],
)
def test_language_of_the_locale(
    run: Run, monkeypatch: pytest.MonkeyPatch, variable: str, value: str, heading: str
) -> None:
    monkeypatch.setenv(variable, value)
    assert heading in run("play", *QUICK, "--no-reveal").err


def test_every_option_can_come_from_the_environment(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name, value in {
        "SEATS": "2",
        "SEAT": "s1=random s2=random",
        "SET": "rounds=1 talk_waves=0",
        "SEED": "7",
        "LANG": "ru",
        "DISPLAY": "none",
        "OUT": "env.jsonl",
        "REVEAL": "0",
    }.items():
        monkeypatch.setenv(f"DIPLOMAT_{name}", value)
    ran = run("play")
    assert ran.code == 0
    assert "Итог" in ran.out
    header = json.loads((tmp_path / "env.jsonl").read_text(encoding="utf-8").splitlines()[0])
    assert header["settings"]["talk_waves"] == 0
    assert not (tmp_path / "env.html").exists()


def test_table_file_and_options_over_it(run: Run, tmp_path: Path) -> None:
    (tmp_path / "t.toml").write_text(
        'game = "rokugan"\nplayers = 3\nseed = 5\nlang = "ru"\n[seats]\ns1 = "random"\ncrab = "random"\ns3 = "random"\n'
        "[settings]\nrounds = 1\ntalk_waves = 0\n[settings.clans]\ns1 = 'lion'\n",
        encoding="utf-8",
    )
    ran = run("play", "--table", "t.toml", "--lang", "en", "--set", "talk_waves=1", "--out", "a.jsonl", "--no-reveal")
    assert ran.code == 0, ran.err
    assert "Round 1 of 1" in ran.err
    header = json.loads((tmp_path / "a.jsonl").read_text(encoding="utf-8").splitlines()[0])
    assert header["settings"] == {
        **header["settings"],
        "rounds": 1,
        "talk_waves": 1,
        "clans": {"s1": "lion", "s2": "crab"},
    }
    assert [seat["agent"] for seat in header["seats"]] == ["random"] * 3


def test_force_overwrites(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text("old", encoding="utf-8")
    assert run("play", *QUICK, "--display", "none", "--no-reveal", "--out", "a.jsonl", "--force").code == 0
    assert "old" not in (tmp_path / "a.jsonl").read_text(encoding="utf-8")


def test_overwriting_has_to_be_typed_each_time(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.jsonl").write_text("old", encoding="utf-8")
    monkeypatch.setenv("DIPLOMAT_FORCE", "1")
    ran = run("play", *QUICK, "--display", "none", "--no-reveal", "--out", "a.jsonl")
    assert (ran.code, ran.out) == (1, "")
    assert "--force" in ran.err
    assert (tmp_path / "a.jsonl").read_text(encoding="utf-8") == "old"


def test_five_personalities_by_default(run: Run, tmp_path: Path) -> None:
    ran = run("play", "--set", "rounds=1", "--json", "--no-reveal")
    profiles = [row["profile"] for row in json.loads(ran.out)["seats"]]
    assert ran.code == 0
    assert len(set(profiles)) == 5


def test_result_without_a_reveal_page_is_shown_before_the_failure(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(transcript: Transcript, lang: str, **_: object) -> NoReturn:
        raise RuntimeError("no page")

    monkeypatch.setattr("diplomat.report.reveal.reveal_page", broken)
    ran = run("play", *QUICK, "--display", "none", "--out", "a.jsonl")
    assert ran.code == 1
    assert "Transcript: a.jsonl" in ran.out
    assert ran.err.count("\n") == 1
    assert "RuntimeError: no page" in ran.err


@pytest.mark.parametrize("width", [80, 40])
@pytest.mark.parametrize("lang", ["en", "ru"])
def test_no_line_is_wider_than_the_terminal(run: Run, monkeypatch: pytest.MonkeyPatch, width: int, lang: str) -> None:
    from rich.cells import cell_len

    monkeypatch.setenv("COLUMNS", str(width))
    ran = run("play", *QUICK, "--no-reveal", "--lang", lang, "--out", "a.jsonl")
    assert "\n── " in ran.err
    assert [line for line in (ran.err + ran.out).splitlines() if cell_len(line) > width] == []


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_where_secrets_are_opened_is_told_in_lines_that_fit(
    run: Run, monkeypatch: pytest.MonkeyPatch, lang: str
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    told = run("play", *QUICK, "--lang", lang, "--out", "a.jsonl").out
    assert {"en": "Private messages and plans", "ru": "Личные сообщения и планы"}[lang] in told
    assert [line for line in told.splitlines() if len(line.rstrip()) > 40] == []


def test_watchers_never_see_private_talk_and_hostile_text_is_harmless(run: Run) -> None:
    seats = ["--seat", "crab=talker", "--seat", "lion=talker", "--seats", "2"]
    ran = run("play", *seats, "--set", "rounds=1", "--seed", "1", "--no-reveal")
    assert ran.code == 0
    assert "from-s1" in ran.err
    for secret in ("secret-", "plan-", "note-", "\x1b", "\x07", "\u202e"):
        assert secret not in ran.err + ran.out
    assert "(private)" not in ran.err
    assert "[bold]x[/b] [/nonsense]" in ran.err
    assert not any(line.startswith("Round 9") for line in ran.err.splitlines())


@pytest.mark.parametrize(
    ("lang", "private", "again"),
    [
        (
            "en",
            "Private messages, hidden till now: ",
            "To read it with all private messages:\n  diplomat replay",
        ),
        ("ru", "Личные сообщения, скрытые до конца: ", "личными сообщениями:\n  diplomat replay"),
    ],
)
def test_the_end_says_how_many_private_messages_there_were_and_how_to_read_them(
    lang: str, private: str, again: str, run: Run, tmp_path: Path
) -> None:
    seats = ["--seat", "crab=talker", "--seat", "lion=talker", "--seats", "2"]
    ran = run("play", *seats, "--set", "rounds=1", "--lang", lang, "--no-reveal", "--out", "a.jsonl")
    rows = [json.loads(row) for row in (tmp_path / "a.jsonl").read_text(encoding="utf-8").splitlines()[1:]]
    count = sum(row["kind"] == "message_sent" and row["to"] is not None for row in rows)
    assert count > 0
    assert f"{private}{count}\n" in ran.out
    assert private not in ran.err
    assert f"{again} a.jsonl\n" in ran.out


def test_a_deadline_can_be_given(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    quiet = ("--display", "none", "--no-reveal")
    assert run("play", *QUICK, *quiet, "--out", "a.jsonl").code == 0
    assert run("play", *QUICK, *quiet, "--out", "b.jsonl", "--deadline", "60").code == 0
    assert compared(tmp_path / "a.jsonl") == compared(tmp_path / "b.jsonl")
    monkeypatch.setenv("DIPLOMAT_DEADLINE", "0")
    ran = run("play", *QUICK, *quiet, "--out", "c.jsonl")
    assert (ran.code, "deadline is a number of seconds above 0" in ran.err) == (2, True)
