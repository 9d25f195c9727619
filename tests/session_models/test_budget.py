"""Money: held before each call, kept from part to part of a game, refused where it could not be kept."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest

from diplomat.testing.loopback import Loopback
from tests.session_models.kit import QUIET, Run, calls, events

GAME = ("play", "--seats", "2", "--all", "openai:fake", "--set", "rounds=1", "--seed", "7", *QUIET)


@pytest.fixture
def prices(tmp_path: Path) -> Path:
    path = tmp_path / "prices.toml"
    path.write_text('"openai:fake" = { input = 2.50, output = 10.00 }\n', encoding="utf-8")
    return path


def spent(log: Path) -> Decimal:
    return sum((Decimal(call["cost"]) for call in calls(log)), Decimal(0))


def test_a_budget_stops_before_the_call_that_could_pass_it_and_resume_finishes_the_same_game(
    run: Run, keys: None, server: Loopback, prices: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run(*GAME, "--prices", prices, "--out", "whole.jsonl").code == 0
    cost, asked = spent(tmp_path / "whole.jsonl"), len(server.calls)
    log = tmp_path / "a.jsonl"

    with Loopback(models=("fake",)) as fresh:
        # A server gives another reply to a prompt that it has seen before, so this one has seen none.
        monkeypatch.setenv("OPENAI_BASE_URL", fresh.openai_url)
        _stop_and_go_on(run, fresh, prices, log, cost)
    assert events(log) == events(tmp_path / "whole.jsonl")
    assert len(calls(log)) == asked
    # A reply that was cut off by the stop may be asked again; a recorded one never is.
    assert asked <= len(fresh.calls) <= asked + 2


def _stop_and_go_on(run: Run, server: Loopback, prices: Path, log: Path, cost: Decimal) -> None:
    limit = cost / 2
    ran = run(*GAME, "--prices", prices, "--budget", f"{limit}", "--out", log)
    assert ran.code == 3
    assert "go on with: diplomat resume " in ran.err
    assert " --budget USD (more than before)" in ran.err
    assert run("verify", log).code == 0
    first = len(server.calls)
    assert 0 < spent(log) <= limit

    # What was spent is not forgotten: under the old limit nothing more is sent.
    assert run("resume", log, *QUIET).code == 3
    assert run("resume", log, "--budget", "0", *QUIET).code == 3
    assert len(server.calls) == first > 0

    ran = run("resume", log, "--budget", f"{cost + 1}", *QUIET)
    assert ran.code == 0, ran.err


def test_without_any_money_nothing_is_sent(
    run: Run, keys: None, server: Loopback, prices: Path, tmp_path: Path
) -> None:
    ran = run(*GAME, "--prices", prices, "--budget", "0", "--out", "a.jsonl")
    assert ran.code == 3
    assert server.calls == []
    assert run("verify", "a.jsonl").code == 0


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--budget", "1"), 'the price of openai:fake is not known; write it into a file, "openai:fake" = {'),
        (("--budget", "-1"), "-1"),
        (("--budget", "nan"), "nan"),
        (("--budget", "1", "--prices", "none.toml"), "none.toml cannot be read"),
    ],
)
def test_a_budget_that_cannot_be_kept_is_refused_before_anything_is_written(
    options: tuple[str, ...], said: str, run: Run, keys: None, server: Loopback, tmp_path: Path
) -> None:
    ran = run(*GAME, *options, "--out", "a.jsonl")
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err
    assert server.calls == []
    assert list(tmp_path.glob("a.*")) == []


@pytest.mark.parametrize(
    ("model", "said"),
    [
        ("openai:gpt-5-mnii", "is not known (did you mean openai:gpt-5-mini or "),
        ("openai:claude-haiku-4-5", "is not known (did you mean anthropic:claude-haiku-4-5 or "),
        ("openai:fake", "the price of openai:fake is not known; "),
    ],
)
def test_names_that_have_a_price_are_suggested(model: str, said: str, run: Run, keys: None) -> None:
    ran = run("play", "--all", model, "--budget", "1", *QUIET)
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err
    assert "--prices FILE" in ran.err
    assert "diplomat models lists the prices that are known" in ran.err


def test_the_line_that_is_advised_is_a_price_table(run: Run, keys: None, server: Loopback, tmp_path: Path) -> None:
    refused = run(*GAME, "--budget", "1")
    line = refused.err.partition("a file, ")[2].partition("}")[0] + "}\n"
    (tmp_path / "mine.toml").write_text(line, encoding="utf-8")
    assert run(*GAME, "--budget", "9", "--prices", "mine.toml", "--out", "a.jsonl").code == 0


def test_a_resumed_game_keeps_its_price_table(run: Run, keys: None, server: Loopback, tmp_path: Path) -> None:
    """A server on this machine is free unless a table says so, so losing the table would lift the limit."""
    name = f"{server.openai_url}#fake"
    (tmp_path / "mine.toml").write_text(f'"{name}" = {{ input = 1000, output = 1000 }}\n', encoding="utf-8")
    words = [word if word != "openai:fake" else name for word in GAME]
    assert run(*words, "--budget", "60", "--prices", "mine.toml", "--out", "a.jsonl").code == 3
    before = len(server.calls)
    assert run("resume", "a.jsonl", *QUIET).code == 3
    assert len(server.calls) == before > 0
