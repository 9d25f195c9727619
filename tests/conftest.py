"""What holds for all tests."""

from __future__ import annotations

import pytest


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Long tests go first, so that at the end no process is left alone with one."""
    items.sort(key=lambda item: item.get_closest_marker("long") is None)
