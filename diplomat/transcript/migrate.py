"""Headers of older formats, brought up to this one step by step.

Each step is numbered by the format it leads from.  Lines have been the same in all formats but for
the hash at their end, which a step cannot add: a log without a chain stays without one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from diplomat.transcript.schema import FORMAT

Record = Mapping[str, Any]

CHAINED_SINCE = 2
"""The first format whose lines carry a chain of hashes."""


def _from_1(header: Record) -> dict[str, Any]:
    """Format 2 brought the chain, options, the parent of a fork and the model of a seat."""
    return {**header, "format": 2, "options": {}, "parent": None}


STEPS: Mapping[int, Callable[[Record], dict[str, Any]]] = {1: _from_1}


def migrated(header: Record) -> dict[str, Any]:
    """The header as this format would have it; its ``format`` is a whole number from 1 to FORMAT."""
    record = dict(header)
    while record["format"] < FORMAT:
        record = STEPS[record["format"]](record)
    return record
