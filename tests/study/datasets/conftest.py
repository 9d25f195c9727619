"""The public data sets, read in place: from DIPLOMAT_DATA, or from the folder shared/data beside the checkout."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from diplomat.study.datasets.cicero import CiceroGame, read_cicero_folder
from diplomat.study.datasets.peskov import PeskovDialogue, read_peskov_folder
from diplomat.study.datasets.peskov_moves import PeskovPhase, read_moves

DATA = Path(os.environ.get("DIPLOMAT_DATA", Path(__file__).parents[4] / "shared" / "data"))


def _folder(name: str) -> Path:
    if not (DATA / name).is_dir():
        pytest.skip(f"the public data set {name} is not here; set DIPLOMAT_DATA to the folder that holds it")
    return DATA / name


@pytest.fixture(scope="session")
def peskov_folder() -> Path:
    return _folder("peskov_diplomacy")


@pytest.fixture(scope="session")
def peskov(peskov_folder: Path) -> tuple[PeskovDialogue, ...]:
    return read_peskov_folder(peskov_folder)


@pytest.fixture(scope="session")
def peskov_moves(peskov_folder: Path) -> Mapping[tuple[int, str, str], PeskovPhase]:
    return read_moves(peskov_folder / "moves")


@pytest.fixture(scope="session")
def rule_promises(peskov_folder: Path) -> list[dict[str, Any]]:
    path = peskov_folder / "derived" / "peskov_rule_promises.jsonl"
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="session")
def cicero_folder() -> Path:
    return _folder("cicero_redacted_games")


@pytest.fixture(scope="session")
def cicero(cicero_folder: Path) -> tuple[CiceroGame, ...]:
    return read_cicero_folder(cicero_folder)
