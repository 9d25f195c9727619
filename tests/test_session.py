"""One game from settings to result: every usage error before the first event, and the same seed twice."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import diplomat
from diplomat import play, play_async, prepare
from diplomat.core.dice import commitment
from diplomat.core.errors import BadSettings, CannotWrite, DiplomatError, OutputExists, UnknownName, UsageError
from diplomat.testing.masquerade import game
from diplomat.transcript.reader import read
from diplomat.transcript.verify import verify
from diplomat.transcript.writer import Writer

TWO = {"s1": "random", "s2": "random"}
QUICK: dict[str, Any] = {"players": 2, "settings": {"rounds": 1}}
MASQUERADE = replace(game, default_seats=4)
FOUR = {f"s{n}": "random" for n in range(1, 5)}


@pytest.mark.parametrize(
    ("arguments", "error", "text"),
    [
        ({"game": "rokugen"}, UnknownName, "unknown game 'rokugen'. Did you mean 'rokugan'"),
        ({"lang": "de"}, UnknownName, "unknown language 'de'.*Known: en, ru"),
        ({"seats": 1}, UsageError, "rokugan is played by 2 to 5 seats, not by 1"),
        ({"seats": 6}, UsageError, "not by 6"),
        ({"seats": 0}, UsageError, "not by 0"),
        ({"seats": {}, "players": 9}, UsageError, "not by 9"),
        ({"seats": 2, "players": 3}, UsageError, "seats=2 and players=3 contradict each other"),
        ({"seats": {"s1": "random", "s2": "random", "crab": "random"}, "players": 2}, UsageError, "3 seats are named"),
        ({"seats": {"s6": "random"}}, UnknownName, "unknown seat 's6'.*s5"),
        ({"seats": {"S1": "random"}}, UnknownName, "unknown seat 'S1'. Did you mean 's1'"),
        ({"seats": {"": "random"}}, UnknownName, "unknown seat ''"),
        ({"seats": {"crabb": "random"}}, UnknownName, "Did you mean 'crab'"),
        ({"seats": {"s1": "randon"}}, UnknownName, "unknown agent 'randon' in seat s1. Did you mean 'random'"),
        ({"seats": {"s1": "random:honest"}}, BadSettings, "seat s1: a random player has no profile"),
        ({"seats": {"s1": "scripted:honset"}}, UnknownName, "unknown profile 'honset'. Did you mean 'honest'"),
        ({"settings": {"round": 3}}, BadSettings, "unknown setting 'round'. Did you mean 'rounds'"),
        ({"settings": {"rounds": 0}}, BadSettings, "setting rounds: must be a whole number from 1 to 5, not 0"),
        (
            {"settings": {"rounds": "many"}},
            BadSettings,
            "setting rounds: must be a whole number from 1 to 5",
        ),
        ({"settings": {"rounds": None}}, BadSettings, "setting rounds: "),
        ({"settings": {"clans": "crab"}}, BadSettings, "setting clans: "),
        ({"settings": {"clans": "crab"}, "seats": {"lion": "random"}}, BadSettings, "setting clans: "),
        ({"settings": {"clans": {"s1": "crabb"}}}, BadSettings, "clans.s1: there is no clan 'crabb'"),
        ({"settings": {"clans": {"s1": "crab", "s2": "crab"}}}, BadSettings, "clans.s2: crab is already the clan"),
        ({"settings": {"clans": {"s9": "crab"}}}, UnknownName, "unknown seat 's9' in settings"),
        ({"settings": {"clans": {"s1": "lion"}}, "seats": {"crab": "random"}}, BadSettings, "clans.s1=lion is set"),
        ({"settings": {"clans": {"s2": "crab"}}, "seats": {"crab": "random"}}, BadSettings, "already the clan of"),
    ],
)
def test_usage_error(arguments: dict[str, Any], error: type[DiplomatError], text: str) -> None:
    with pytest.raises(error, match=text):
        prepare(**arguments)


def test_settings_of_the_caller_are_not_touched() -> None:
    settings: dict[str, Any] = {"clans": {"s2": "lion"}}
    session = prepare(seats={"crab": "random"}, players=3, settings=settings, seed=1)
    assert settings == {"clans": {"s2": "lion"}}
    assert session.settings.clans == {"s1": "crab", "s2": "lion"}
    assert session.seats == ("s1", "s2", "s3")


def test_a_role_that_is_set_already_keeps_its_seat() -> None:
    session = prepare(seats={"crab": "random"}, settings={"clans": {"s1": "crab"}}, seed=1)
    assert session.settings.clans == {"s1": "crab"}


def test_without_a_seed_one_is_drawn() -> None:
    one, other = prepare(seats=2), prepare(seats=2)
    assert one.seed != other.seed
    assert len(one.seed) == 32
    assert prepare(seats=2, seed=7).seed == "7"


def test_the_header_holds_no_secret() -> None:
    session = prepare(seats={"s1": "random", "s2": "scripted:honest"}, players=2, seed="very secret", lang="ru")
    header = session.header()
    text = header.model_dump_json()
    assert "very secret" not in text
    assert session.nonce not in text
    assert header.commitment == commitment("very secret", session.nonce)
    assert [(entry.seat, entry.agent, entry.profile, entry.lang) for entry in header.seats] == [
        ("s1", "random", None, "ru"),
        ("s2", "scripted", "honest", "ru"),
    ]
    assert header.seats[1].profile_sha256
    assert (header.game, header.rules_version, header.package) == ("rokugan", 2, diplomat.__version__)


def _compared(path: Path) -> list[dict[str, Any]]:
    """The part of a transcript that must be the same for the same game."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()[1:]]
    return [{key: row[key] for key in ("n", "kind", "to", "data")} for row in rows]


def test_the_same_seed_gives_the_same_game(tmp_path: Path) -> None:
    paths = [tmp_path / f"{name}.jsonl" for name in "abcd"]
    results = [play(MASQUERADE, FOUR, seed=seed, out=path) for seed, path in zip("7788", paths, strict=True)]
    asynchronous = asyncio.run(play_async(MASQUERADE, FOUR, seed="7", out=tmp_path / "e.jsonl"))
    one, again, other, _ = map(_compared, paths)
    assert one == again == _compared(tmp_path / "e.jsonl") != other
    assert results[0].winners == results[1].winners == asynchronous.winners
    assert results[0].transcript == paths[0]


def test_a_scripted_game_is_the_same_twice_and_verifies(tmp_path: Path) -> None:
    paths = [tmp_path / "a.jsonl", tmp_path / "b.jsonl"]
    for path in paths:
        session = prepare(seed=7, **{**QUICK, "players": 3})
        asyncio.run(session.play(path))
        verdict = verify(read(path))
        assert verdict.sound, verdict.difference
        assert verdict.finished
    assert _compared(paths[0]) == _compared(paths[1])


def test_the_result_tells_who_won() -> None:
    result = play(MASQUERADE, FOUR, seed=7)
    assert [seat.seat for seat in result.seats] == ["s1", "s2", "s3", "s4"]
    assert {seat.seat for seat in result.seats if seat.won} == set(result.winners)
    assert all((seat.agent, seat.profile) == ("random", None) for seat in result.seats)
    assert (result.game, result.seed, result.transcript) == ("masquerade", "7", None)
    assert result.events > 20


def test_a_file_in_the_way_stops_the_game_before_it_begins(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    path.write_text("precious")
    with pytest.raises(OutputExists):
        play(MASQUERADE, FOUR, seed=7, out=path)
    assert path.read_text() == "precious"
    assert play(MASQUERADE, FOUR, seed=7, out=str(path), force=True).transcript == path


def test_everything_is_heard_with_its_number(tmp_path: Path) -> None:
    heard: list[int] = []
    session = prepare(MASQUERADE, FOUR, seed=7)
    result = asyncio.run(session.play(tmp_path / "x.jsonl", hear=lambda referee, n, event: heard.append(n)))
    assert heard == list(range(1, result.events + 1))


def test_a_table_with_a_deadline_is_played_in_an_event_loop() -> None:
    session = prepare(MASQUERADE, FOUR, seed=7, deadline=60.0)
    assert not session.table().instant
    assert asyncio.run(session.play()).winners == play(MASQUERADE, FOUR, seed=7).winners


def test_a_fault_on_the_way_leaves_the_events_before_it(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"

    def fail(_: Any, n: int, __: Any) -> None:
        if n == 12:
            raise RuntimeError("a bug")

    with pytest.raises(RuntimeError, match="a bug"):
        asyncio.run(prepare(seats=TWO, seed=7, **QUICK).play(path, hear=fail))
    assert len(read(path).lines) == 12
    assert verify(read(path)).sound


def test_the_package_offers_what_it_lists() -> None:
    for name in diplomat.__all__:
        assert getattr(diplomat, name)
    with pytest.raises(AttributeError, match="no attribute 'plays'"):
        diplomat.plays  # noqa: B018 — that is the point


def test_a_full_disk_is_told_as_it_was_met_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(self: Writer, n: int, event: Any, meta: Any = None) -> None:
        raise CannotWrite("the log cannot be continued: No space left on device")

    def fail(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Writer, "hear", full)
    monkeypatch.setattr("os.fsync", fail)
    with pytest.raises(CannotWrite, match="cannot be continued"):
        play(MASQUERADE, FOUR, seed=7, out=tmp_path / "game.jsonl")


@pytest.mark.parametrize("deadline", [0, -1.0, float("nan"), float("inf"), True, "5"])
def test_a_deadline_is_a_time(deadline: Any) -> None:
    with pytest.raises(UsageError, match="deadline is a number of seconds above 0"):
        prepare(deadline=deadline)


def test_play_takes_a_deadline_and_a_number_of_players() -> None:
    named = {"s1": "random", "s2": "random", "s3": "random"}
    wanted = play(seats=named, players=3, seed=7, settings={"rounds": 1})
    assert len(play(seats={"s1": "random"}, players=2, seed=7, settings={"rounds": 1}).seats) == 2
    slow = play(seats=named, players=3, seed=7, settings={"rounds": 1}, deadline=60.0)
    again = asyncio.run(play_async(seats=named, players=3, seed=7, settings={"rounds": 1}, deadline=60.0))
    assert wanted == slow == again


def test_a_session_says_itself_whether_anybody_waits() -> None:
    for deadline in (None, 60.0):
        session = prepare(MASQUERADE, FOUR, seed=7, deadline=deadline)
        assert session.instant is session.table().instant is (deadline is None)
