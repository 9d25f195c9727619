"""What has been found out about servers, kept from game to game in ``endpoints.json``."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

from diplomat.llm.base import Mode
from diplomat.llm.home import state_file
from diplomat.llm.names import Endpoint

_MODES = get_args(Mode)


class Known:
    """Which form of structured output an endpoint takes.

    A file that cannot be read or written costs a few refused calls and nothing else, so neither is an error.
    """

    def __init__(self, path: Path | None = None, *, on_disk: bool = True) -> None:
        """``path``: None for the user's own file; ``on_disk`` off: remembered in memory only."""
        self._path = (path or state_file("endpoints.json")) if on_disk or path else None
        self._modes: dict[str, Mode] = _read(self._path) if self._path else {}

    def mode(self, endpoint: Endpoint) -> Mode | None:
        """The form that worked last; None if nothing is known."""
        return self._modes.get(_key(endpoint))

    def listed(self) -> tuple[tuple[str, Mode], ...]:
        """Every endpoint of which something is known, by name, with its form."""
        return tuple(sorted(self._modes.items()))

    def remember(self, endpoint: Endpoint, mode: Mode) -> None:
        """Keeps the form, on disk too; other processes' findings in the file stay."""
        if self._modes.get(_key(endpoint)) == mode:
            return
        self._modes[_key(endpoint)] = mode
        if self._path is not None:
            with contextlib.suppress(OSError), _locked(self._path):
                found = _read(self._path) | {_key(endpoint): mode}
                _write(self._path, {key: {"mode": value} for key, value in sorted(found.items())})


def _key(endpoint: Endpoint) -> str:
    # A local server has another port every time.
    return endpoint.name


def _read(path: Path) -> dict[str, Mode]:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        return {key: entry["mode"] for key, entry in data.items() if entry["mode"] in _MODES}
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return {}


def _write(path: Path, data: dict[str, Any]) -> None:
    draft = path.with_name(f".{secrets.token_hex(8)}.part")
    try:
        draft.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        draft.replace(path)
    finally:
        with contextlib.suppress(OSError):  # there is none any more if all went well
            draft.unlink()


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[None]:
    path.parent.mkdir(parents=True, exist_ok=True)
    file = os.open(path.with_name(f".{path.name}.lock"), os.O_CREAT | os.O_RDWR, 0o600)
    try:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
    finally:
        os.close(file)
