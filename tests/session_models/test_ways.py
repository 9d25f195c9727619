"""Ways of calling: freely, by a small model of this machine, and what the report says of a silent seat."""

from __future__ import annotations

import asyncio
import io
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest
from rich.console import Console

from diplomat.llm.base import ProviderFault
from diplomat.llm.desk import Desk
from diplomat.llm.local import LocalServer, missing
from diplomat.llm.names import Endpoint
from diplomat.llm.totals import Tally
from diplomat.session import prepare
from diplomat.session.models import Models
from diplomat.session.resume import session_of
from diplomat.terminal.bill import show_bill
from diplomat.testing.loopback import Loopback
from diplomat.transcript.reader import read
from tests.llm.making import call
from tests.session_models.kit import QUIET, Run, audited, calls, hasty

LOCAL = pytest.mark.skipif(missing() is not None, reason=f"needs the extra: {missing()}")


@pytest.mark.parametrize("constrained", [True, False])
def test_a_game_can_be_played_without_holding_replies_to_a_schema(
    constrained: bool, server: Loopback, tmp_path: Path
) -> None:
    session = hasty(f"{server.openai_url}#fake")
    session = replace(session, models=replace(session.models, constrained=constrained))
    log = tmp_path / "a.jsonl"
    asyncio.run(session.play(log))
    assert audited(log).finished
    assert not audited(log).defaulted
    assert {call["mode"] for call in calls(log)} == {"schema" if constrained else "text"}
    assert all(("response_format" in call.body) is constrained for call in server.calls)
    assert session_of(read(log)).models.constrained is constrained


@LOCAL
@pytest.mark.long
@pytest.mark.parametrize("constrained", [True, False])
def test_the_local_model_plays_a_game_to_its_end(constrained: bool, tmp_path: Path) -> None:
    session = prepare(
        "rokugan",
        {"s1": "local", "s2": "scripted"},
        seed="7",
        settings={"rounds": 1, "talk_waves": 0},
        models=Models(constrained=constrained),
    )
    log = tmp_path / "a.jsonl"
    asyncio.run(session.play(log))
    found = audited(log)
    assert found.finished
    assert found.asked
    if constrained:
        assert not found.defaulted


@LOCAL
@pytest.mark.long
def test_a_prompt_that_does_not_fit_the_local_model_is_known_as_too_long(tmp_path: Path) -> None:
    async def ask(endpoint: Endpoint) -> None:
        async with Desk([endpoint]) as desk:
            await desk.ask(endpoint, call(text="Your move. " * 400))

    with LocalServer(context=512) as server, pytest.raises(ProviderFault) as fault:
        asyncio.run(ask(Endpoint("local", "local").at(server.url)))
    assert fault.value.kind == "too_long"
    assert "512" in str(fault.value)


def test_without_the_extra_local_says_how_to_get_it(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("diplomat.llm.local.find_spec", lambda name: None)
    ran = run("play", "--seats", "2", "--all", "local", *QUIET, "--out", "a.jsonl")
    assert (ran.code, ran.out) == (2, "")
    assert "pip install 'diplomat[local]'" in ran.err
    assert list(tmp_path.glob("a.*")) == []


@pytest.mark.parametrize("width", [60, 100])
def test_a_model_that_was_never_asked_is_named(width: int) -> None:
    page = io.StringIO()
    bill = (Tally("s1", "place", calls=3, done=3, cost=Decimal("0.5")), Tally("s2", ""))
    show_bill(Console(file=page, width=width), bill, "en", name={"s1": "Crab", "s2": "Lion"}.__getitem__)
    lines = page.getvalue().splitlines()
    assert "Never asked, though played by a language model: Lion." in lines
    assert [line.split()[0] for line in lines if line.startswith(("Crab", "Lion"))] == ["Crab", "Lion"]
    page = io.StringIO()
    show_bill(Console(file=page, width=width), bill[:1], "en")
    assert "Never asked" not in page.getvalue()


def test_the_bill_names_what_was_asked_for_in_words() -> None:
    page = io.StringIO()
    show_bill(
        Console(file=page, width=100), (Tally("s1", "place", calls=3),), "ru", form={"place": "жетон"}.__getitem__
    )
    assert [line.split()[:2] for line in page.getvalue().splitlines() if line.startswith("s1")] == [["s1", "жетон"]]


def test_a_seat_that_a_fork_hands_to_a_model_too_late_is_marked(run: Run, server: Loopback, tmp_path: Path) -> None:
    game = ("play", "--seats", "2", "--set", "rounds=1", "--seed", "7", *QUIET, "--out", "a.jsonl")
    assert run(*game).code == 0
    last = len(read(tmp_path / "a.jsonl").lines)
    ran = run(
        "fork", "a.jsonl", "--at", str(last - 1), "--seat", f"s1={server.openai_url}#fake", "-o", "b.jsonl", *QUIET
    )
    assert ran.code == 0, ran.err
    assert server.calls == []
    assert "Never asked, though played by a language model: " in ran.out
