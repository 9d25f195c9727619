"""Every fault of the loopback server, through the real SDKs: the table in the package's documentation is true."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from diplomat.testing import loopback
from diplomat.testing.loopback import FAULTS, Loopback

COLUMNS = (("openai", False), ("openai", True), ("anthropic", False), ("anthropic", True))


def table() -> dict[str, list[str]]:
    """The outcomes that the documentation names, by fault."""
    lines = [line.split("|") for line in (loopback.__doc__ or "").splitlines() if line.count("|") == 2]
    return {fault.strip(): [*_both(openai), *_both(anthropic)] for fault, openai, anthropic in lines[1:]}


def _both(cell: str) -> tuple[str, str]:
    """Whole reply and stream; one outcome stands for both."""
    whole, _, stream = cell.strip().partition("; ")
    return whole, stream or whole


def _outcomes() -> Any:
    """The neighbouring module; tests are no package, so it is loaded by its path."""
    spec = importlib.util.spec_from_file_location("sdk_outcomes", Path(__file__).with_name("sdk_outcomes.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def callers() -> Iterator[Any]:
    with Loopback() as server:
        made = _outcomes().Callers(server)
        yield made
        made.close()


def test_every_fault_is_documented() -> None:
    assert list(table()) == ["ok", *FAULTS]


@pytest.mark.parametrize(
    ("protocol", "stream"), COLUMNS, ids=["openai", "openai-stream", "anthropic", "anthropic-stream"]
)
@pytest.mark.parametrize("fault", ["ok", *FAULTS])
def test_sdk_makes_of_each_fault_what_is_documented(callers: Any, fault: str, protocol: str, stream: bool) -> None:
    callers.server.script(fault)
    limits = {"idle": 0.4} if fault.startswith("hang") else {"idle": 0.6, "total": 1.0} if fault == "drip" else {}
    outcome = callers.outcome(protocol, stream=stream, **limits)
    assert outcome == table()[fault][COLUMNS.index((protocol, stream))]
    assert callers.server.calls[-1].fault == fault
