"""What holds for all tests."""

from __future__ import annotations

import signal

import pytest

# Where tests run in the background of a script, Ctrl-C is switched off for them and for the programs they start.
signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Long tests go first, so that at the end no process is left alone with one."""
    items.sort(key=lambda item: item.get_closest_marker("long") is None)
