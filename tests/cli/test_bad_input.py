"""Everything wrong is said in one line before anything is played, and nothing is created or overwritten."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import pytest

if TYPE_CHECKING:
    from .conftest import Run

GOOD = ("--seat", "s1=random", "--seat", "s2=random", "--seats", "2", "--set", "rounds=1", "--display", "none")


def tree(folder: Path) -> dict[Path, bytes | None]:
    return {path: path.read_bytes() if path.is_file() else None for path in sorted(folder.rglob("*"))}


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (["play", "rokugann"], "unknown game 'rokugann'. Did you mean 'rokugan'?"),
        (["play", "--seat", "crabb=random"], "unknown seat 'crabb'. Did you mean 'crab'?"),
        (["play", "--seat", "s1=randm"], "unknown agent 'randm' in seat s1. Did you mean 'random'?"),
        (["play", "--seat", "s1=scripted:honset"], "unknown profile 'honset'. Did you mean 'honest'?"),
        (["play", "--seat", "s1=random:honest"], "a random player has no profile"),
        (["play", "--seat", "s1"], "write SEAT=AGENT[:PROFILE]"),
        (["play", "--seat", "s1=random", "--seat", "s1=scripted"], "the seat s1 is filled already"),
        (["play", "--lang", "rus"], "unknown language 'rus'. Did you mean 'ru'?"),
        (["play", "--display", "ritch"], "unknown display 'ritch'. Did you mean 'rich'?"),
        (["play", "--set", "roundz=1"], "unknown setting 'roundz'. Did you mean 'rounds'?"),
        (["play", "--set", "rounds=x"], "setting rounds: must be a whole number from 1 to 5, not 'x'"),
        (["play", "--set", "rounds=9"], "setting rounds: must be a whole number from 1 to 5, not '9'"),
        (["play", "--set", "rounds"], "write KEY=VALUE"),
        (["play", "--set", "rounds=1", "--set", "rounds=2"], "rounds is set already"),
        (["play", "--set", "clans=crab", "--seat", "crab=random"], "setting clans"),
        (["play", "--set", "clans.s1=crab", "--set", "clans.s2=crab"], "crab is already the clan of s1"),
        (["play", "--seat", "crab=random", "--set", "clans.s2=crab"], "crab is already the clan of s"),
        (
            ["play", "--seat", "crab=random", "--set", "clans.s1=lion"],
            "clans.s1=lion is set, but the player asked for crab would sit there",
        ),
        (["play", "--set", "clans.s7=crab"], "unknown seat 's7' in settings"),
        (["play", "--seats", "6"], "played by 2 to 5 seats, not by 6"),
        (["play", "--seats", "1"], "played by 2 to 5 seats, not by 1"),
        (["play", *[f"--seat=s{n}=random" for n in range(1, 7)]], "not by 6"),
        (["play", "--seats", "many"], "'--seats'"),
        (["play", "--sead", "7"], "--sead"),
        (["play", "--table", "missing.toml"], "cannot be read: No such file"),
        (["paly"], "paly"),
        (["rules", "rokugann"], "Did you mean 'rokugan'?"),
        (["balance", "rokugann"], "Did you mean 'rokugan'?"),
        (["balance", "rokugan", "--players", "6"], "not by 6"),
        (["balance", "rokugan", "--games", "0"], "'--games'"),
        (["bench", "rokugann"], "Did you mean 'rokugan'?"),
        (["profiles", "show", "honset"], "Did you mean 'honest'?"),
        (["replay"], "FILE"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_wrong_usage_is_one_line_and_code_2(run: Run, tmp_path: Path, argv: list[str], said: str) -> None:
    before = tree(tmp_path)
    ran = run(*argv)
    assert ran.code == 2, ran
    assert said in ran.complaint
    assert tree(tmp_path) == before


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("plyers = 3", "unknown key 'plyers' in t.toml. Did you mean 'players'?"),
        ("players = 'x'", "players: input should be a valid integer, not 'x'"),
        ("players = ", "is not TOML"),
        ("[seats]\ns1 = 3", "seats.s1: input should be a valid string"),
        ("[settings]\nroundz = 3", "Did you mean 'rounds'?"),
        ("[seats]\ns9 = 'random'", "unknown seat 's9'"),
        ("lang = 'de'", "unknown language 'de'"),
    ],
)
def test_wrong_table_file(run: Run, tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "t.toml").write_text(text, encoding="utf-8")
    before = tree(tmp_path)
    ran = run("play", "--table", "t.toml")
    assert ran.code == 2
    assert said in ran.complaint
    assert tree(tmp_path) == before


def test_bad_profile_is_named_with_its_field(run: Run, tmp_path: Path) -> None:
    honest = (Path(__file__).parents[2] / "profiles" / "honest.toml").read_text(encoding="utf-8")
    bad = tmp_path / "bad.toml"
    bad.write_text(
        honest.replace('id = "honest"', 'id = "bad"').replace("honesty = 0.99", "honesty = 99"), encoding="utf-8"
    )
    before = tree(tmp_path)
    ran = run("play", "--seat", f"s1=scripted:{bad}")
    assert ran.code == 1
    assert "traits.honesty" in ran.complaint
    assert tree(tmp_path) == before


def test_an_existing_file_is_kept(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text("mine", encoding="utf-8")
    ran = run("play", *GOOD, "--out", "a.jsonl")
    assert ran.code == 1
    assert "a.jsonl exists already; choose another name, or overwrite it with --force" in ran.complaint
    assert (tmp_path / "a.jsonl").read_text(encoding="utf-8") == "mine"


def test_an_existing_reveal_page_is_kept(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text("mine", encoding="utf-8")
    before = tree(tmp_path)
    ran = run("play", *GOOD, "--out", "a.jsonl")
    assert ran.code == 1
    assert "a.html exists already" in ran.complaint
    assert tree(tmp_path) == before


@pytest.mark.parametrize("force", [[], ["--force"]])
def test_a_folder_in_the_way(run: Run, tmp_path: Path, force: list[str]) -> None:
    (tmp_path / "a.jsonl").mkdir()
    before = tree(tmp_path)
    ran = run("play", *GOOD, "--out", "a.jsonl", *force)
    assert ran.code == 1
    assert "is a folder" in ran.complaint
    assert tree(tmp_path) == before


def test_a_file_where_a_folder_should_be(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine", encoding="utf-8")
    ran = run("play", *GOOD, "--out", "file/a.jsonl")
    assert ran.code == 1
    assert "file is not a folder" in ran.complaint


def test_no_permission(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: False)  # the tests may run as root, who may everything
    before = tree(tmp_path)
    ran = run("play", *GOOD, "--out", "sub/a.jsonl")
    assert ran.code == 1
    assert "no permission to write" in ran.complaint
    assert tree(tmp_path) == before


def test_a_place_the_system_refuses(run: Run) -> None:
    ran = run("play", *GOOD, "--out", "/proc/diplomat/a.jsonl")
    assert ran.code == 1
    assert "cannot be written" in ran.complaint


def test_an_unexpected_fault_is_one_line_without_traceback_or_locals(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    import diplomat.games

    def broken(name: str) -> NoReturn:
        key = "sk-not-to-be-seen"  # stands in a local, as keys do
        raise RuntimeError("boom" if key else "")

    monkeypatch.setattr(diplomat.games, "find", broken)
    ran = run("rules", "rokugan")
    assert ran.code == 1
    assert "unexpected RuntimeError: boom; set DIPLOMAT_DEBUG=1" in ran.complaint
    assert "sk-not" not in ran.err
    monkeypatch.setenv("DIPLOMAT_DEBUG", "1")
    with pytest.raises(RuntimeError, match="boom"):
        run("rules", "rokugan")


def test_hostile_arguments_come_back_harmless(run: Run) -> None:
    ran = run("play", "rok\x1b[2J\u202e\nugan")
    assert ran.code == 2
    assert "\x1b" not in ran.complaint
    assert "\u202e" not in ran.complaint
