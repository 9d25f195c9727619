"""The benchmark of language models takes its figures from the real steps, and leaves them as they were."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from diplomat.agents.llm.agent import LlmAgent
from diplomat.arena.naive import NaiveShare
from diplomat.arena.parts import Parts
from diplomat.llm.desk import Desk
from diplomat.llm.known import Known
from diplomat.session import Session, prepare
from diplomat.session.models import Models
from diplomat.testing.loopback import Loopback


@pytest.fixture
def session() -> Iterator[Session]:
    with Loopback() as server:
        yield prepare(
            "rokugan",
            players=2,
            seed="bench",
            everyone=f"{server.openai_url}#fake",
            settings={"rounds": 1, "talk_waves": 0},
            models=Models(pace="plan", desk={"known": Known(on_disk=False)}),
        )


def test_the_parts_of_a_decision_are_timed_and_put_back(session: Session) -> None:
    before = LlmAgent.decide, LlmAgent._begin, LlmAgent._reply, Desk.ask
    with Parts() as parts:
        result = asyncio.run(session.play())
    assert (LlmAgent.decide, LlmAgent._begin, LlmAgent._reply, Desk.ask) == before
    assert all(spent > 0 for spent in parts.spent.values())
    assert parts.decisions > parts.waves > 0
    assert parts.waves <= sum(tally.calls for tally in result.bill)


def test_the_naive_client_sends_more_than_ours_has_that_is_new(session: Session) -> None:
    with NaiveShare(session) as naive:
        result = asyncio.run(session.play())
    new = sum(tally.sent - tally.sent_before for tally in result.bill)
    assert naive.decisions >= sum(tally.calls for tally in result.bill) > 0
    assert 4 * naive.tokens > new
