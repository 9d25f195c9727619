"""Games that the tests of the page share."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from diplomat.transcript.reader import Transcript


def _talkers() -> ModuleType:
    spec = importlib.util.spec_from_file_location("talkers", Path(__file__).with_name("talkers.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def talked(tmp_path_factory: pytest.TempPathFactory) -> Transcript:
    """A finished game of five talkers."""
    found: Transcript = _talkers().played(tmp_path_factory.mktemp("talked") / "game.jsonl")
    return found
