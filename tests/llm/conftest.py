from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from diplomat.llm import limiter
from diplomat.testing.loopback import Loopback

KEYS = {"OPENAI_API_KEY": "sk-proj-0penaiSecretKey42", "ANTHROPIC_API_KEY": "anthropicSecretKey42"}


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys, addresses and files of whoever runs the tests stay out of them."""
    monkeypatch.setenv("DIPLOMAT_HOME", str(tmp_path / "home"))
    for name in (
        "OPENAI_BASE_URL",
        "ANTHROPIC_BASE_URL",
        "DIPLOMAT_SERVER_KEY",
        "OPENAI_ORG_ID",
        "OPENAI_CUSTOM_HEADERS",
    ):
        monkeypatch.delenv(name, raising=False)
    for name, value in KEYS.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(limiter, "_limiters", {})


@pytest.fixture
def server() -> Iterator[Loopback]:
    with Loopback(retry_after=0.0) as loopback:
        yield loopback
