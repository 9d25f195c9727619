"""Whatever goes wrong at a server: the game ends or stops whole, and every default stands in the log."""

from __future__ import annotations

import asyncio
import contextlib
import json
from pathlib import Path
from typing import Any

import pytest

from diplomat.core.errors import Suspended
from diplomat.testing.loopback import FAULTS, Loopback
from tests.session_models.kit import QUIET, Run, audited, calls, hasty

DEFAULTS = {
    "too_long": "too_long",
    "too_long_llamacpp": "too_long",
    "too_long_vllm": "too_long",
    "too_long_unsaid": "too_long",
    "empty": "empty",
    "empty_length": "empty",
    "truncated": "truncated",
    "refusal": "refused",
    "content_filter": "refused",
    "broken_json": "unparsable",
    "prose": "unparsable",
    "fenced_prose": "unparsable",
    "wrong_types": "illegal",
    "huge": "provider_fault",
}
"""Faults that come to a default each time, and what the log calls them."""
HARMLESS = {"two_objects", "fenced", "think_tags", "reasoning", "tool_call", "no_usage"}
"""Faults behind which there is a good reply."""


SILENT = {"hang", "hang_headers", "hang_mid", "drip"}


def said(text: str) -> list[Any]:
    """Every answer that stands in a reply, without the fields that are null."""
    found = []
    for start in (at for at, char in enumerate(text) if char == "{"):
        with contextlib.suppress(ValueError):
            data, _ = json.JSONDecoder().raw_decode(text, start)
            if isinstance(data.get("answer"), dict):
                found.append({key: value for key, value in data["answer"].items() if value is not None})
    return found


@pytest.mark.parametrize("fault", FAULTS)
def test_each_fault_alone_ends_in_what_it_means(fault: str, tmp_path: Path) -> None:
    log = tmp_path / "a.jsonl"
    with Loopback(faults={fault: 1.0}, retry_after=0.0, models=("fake",)) as server:
        session = hasty(
            f"{server.openai_url}#fake",
            seats={"s1": "scripted"},
            silence=0.3 if fault in SILENT else 20.0,
            talk_waves=0,
        )
        stops = fault not in DEFAULTS and fault not in HARMLESS
        if stops:
            with pytest.raises(Suspended):
                asyncio.run(session.play(log))
        else:
            asyncio.run(session.play(log))
    found = audited(log)
    assert found.finished is not stops
    assert len(calls(log)) > 0 or stops
    if fault in DEFAULTS:
        assert set(found.codes) == {DEFAULTS[fault]}
        assert found.asked == found.defaulted
    else:
        assert not found.defaulted
        assert found.asked <= set(found.answered) or stops


@pytest.mark.parametrize("protocol", ["openai", "anthropic"])
def test_a_game_with_every_everyday_fault_ends_and_each_default_is_a_question_without_an_answer(
    protocol: str, tmp_path: Path, keys: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = tmp_path / "a.jsonl"
    with Loopback(faults=0.7, seed=5, retry_after=0.0, models=("fake",)) as faulty:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", faulty.url)
        model = f"{faulty.openai_url}#fake" if protocol == "openai" else "anthropic:fake"
        session = hasty(model, players=3, rounds=2)
        asyncio.run(session.play(log))
        met = faulty.stats()["faults"]
    found = audited(log)
    assert found.finished
    assert len(met) > 15
    last = {call["id"].rpartition("#")[0]: call["text"] for call in calls(log)}
    own = {question for question in found.asked if found.answered[question] in said(last[question])}
    assert found.asked - own == found.defaulted
    assert found.codes.total() == len(found.defaulted) > 0


def test_the_command_line_plays_on_through_faults_and_tells_of_them(run: Run, tmp_path: Path) -> None:
    with Loopback(faults=0.1, seed=2, retry_after=0.0, models=("fake",)) as server:
        model = f"{server.openai_url}#fake"
        ran = run(
            "play", "--seats", "3", "--all", model, "--set", "rounds=1", "--seed", "7", *QUIET, "--out", "a.jsonl"
        )
        assert ran.code == 0, ran.err
        assert len(server.stats()["faults"]) > 1
    assert audited(tmp_path / "a.jsonl").finished
    assert "Attempts that failed: " in ran.out
    assert run("verify", "a.jsonl").code == 0
