"""Libraries of the extra ``study``: imported when a function needs one, with a plain word when it is not installed."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from diplomat.core.errors import UsageError


def library(name: str) -> Any:
    """The module of that name.

    Raises:
        UsageError: it is not installed; the message says what to install.
    """
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        raise UsageError(
            f"this needs {name.partition('.')[0]}, which is not installed; `pip install 'diplomat[study]'` brings it"
        ) from error
