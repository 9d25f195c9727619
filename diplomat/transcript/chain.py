"""A chain of hashes through a log: no byte of a line can be changed without its hash ceasing to fit.

A line ends with ``,"chain":"HASH"}``.  The hash is taken of the hash of the line before it (nothing
before the header) and of all bytes of its own line that stand before that ending.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass

LENGTH = 32
"""Hexadecimal digits of a hash: 128 bits of SHA-256."""

_ENDING = re.compile(rb',"chain":"([0-9a-f]{%d})"\}' % LENGTH)
_ENDING_LENGTH = len(b',"chain":""}') + LENGTH


@dataclass(frozen=True, slots=True)
class Chain:
    """What a walk along the hashes of a log found."""

    links: tuple[str, ...]
    """The hashes that fit, from the header's on."""
    broken: int = 0
    """Line (from 1) of the first hash that does not fit; 0 if all fit."""
    why: str = ""

    @property
    def last(self) -> str:
        """The last hash that fits: of an unbroken chain, the one that stands for the whole log."""
        return self.links[-1] if self.links else ""


def link(before: str, body: bytes) -> str:
    """The hash of a line, from the hash before it and the bytes of the line up to its ending."""
    return hashlib.sha256(before.encode("ascii") + body).hexdigest()[:LENGTH]


def chained(before: str, row: bytes) -> tuple[bytes, str]:
    """A line with its hash as the last field, and that hash; ``row`` is a JSON object that is not empty."""
    body = row[:-1]
    made = link(before, body)
    return b'%s,"chain":"%s"}' % (body, made.encode("ascii")), made


def follow(rows: Iterable[bytes]) -> Chain:
    """Walks along the hashes of whole lines, as far as they fit."""
    links: list[str] = []
    before = ""
    for number, row in enumerate(rows, start=1):
        before = link(before, row[:-_ENDING_LENGTH])
        if row[-_ENDING_LENGTH:] != b',"chain":"%s"}' % before.encode("ascii"):
            there = _ENDING.fullmatch(row[-_ENDING_LENGTH:])
            what = "it ends without its hash" if there is None else "its hash does not fit"
            return Chain(tuple(links), number, f"the line was changed after it was written: {what}")
        links.append(before)
    return Chain(tuple(links))
