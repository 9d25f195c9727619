"""Two whole games of scripted players, one in each language."""

from __future__ import annotations

import pytest

from diplomat.session import play
from diplomat.transcript.reader import Transcript, read

HONEST_TO_FALSE = ("honest", "loyal", "warlord", "schemer", "backstabber")
"""Shipped personalities by their honesty: 0.99, 0.95, 0.6, 0.35, 0.05."""


@pytest.fixture(scope="session", params=["en", "ru"])
def played(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Transcript:
    """A finished game of five personalities."""
    path = tmp_path_factory.mktemp("played") / f"{request.param}.jsonl"
    chairs = {f"s{n}": f"scripted:{name}" for n, name in enumerate(HONEST_TO_FALSE, start=1)}
    play("rokugan", chairs, seed="study", lang=request.param, out=path)
    return read(path)
