"""Prompt caches as providers keep them, so that what a prompt layout costs can be measured.

OpenAI and most servers find the longest common prefix with any earlier prompt by themselves, in
steps of ``block`` tokens and only from ``least`` tokens on.  Anthropic reads and writes only at
``cache_control`` breakpoints, and looks back at most twenty blocks from each.  A prompt can be
read from the cache once its own reply has begun, so calls sent at the same moment share nothing.
Nothing expires.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import blake2b

from diplomat.testing.loopback.asked import Asked
from diplomat.testing.loopback.spoken import Tokens, tokens_of

LOOK_BACK = 20
"""Blocks before a breakpoint in which Anthropic looks for an earlier one."""
MOST_MARKS = 4


@dataclass(frozen=True, slots=True)
class Footprint:
    """Where a prompt can be recognised: tokens up to a place, and the hash of everything up to it."""

    total: int
    places: tuple[tuple[int, bytes], ...]
    marks: tuple[int, ...] = ()
    """Indices of ``places`` that are breakpoints."""


class PromptCache:
    """Remembers the prompts that were answered."""

    def __init__(self, block: int = 128, least: int = 1024) -> None:
        self._block, self._least = block, least
        self._seen: set[bytes] = set()

    def footprint(self, asked: Asked) -> Footprint:
        """Where the prompt can be recognised."""
        total = tokens_of(b"".join(block.data for block in asked.blocks))
        if asked.protocol == "anthropic":
            places, marks = self._marked(asked)
            return Footprint(total, places, marks)
        return Footprint(total, tuple(self._chain(asked)))

    def look_up(self, asked: Asked, footprint: Footprint) -> Tokens:
        """The input tokens of a prompt, split into cached, stored and fresh."""
        if asked.protocol == "anthropic":
            return self._look_up_marked(footprint)
        cached = 0
        for tokens, key in footprint.places:
            if key not in self._seen:
                break
            cached = tokens
        return Tokens(footprint.total, cached if cached >= self._least else 0)

    def store(self, footprint: Footprint) -> None:
        """The prompt can be read from the cache from now on."""
        places = footprint.places
        if footprint.marks:
            places = tuple(places[index] for index in footprint.marks if places[index][0] >= self._least)
        self._seen.update(key for _, key in places)

    def _chain(self, asked: Asked) -> Iterator[tuple[int, bytes]]:
        """A running hash after each whole ``block`` tokens."""
        data = b"".join(block.data for block in asked.blocks)
        step = self._block * 4
        running = blake2b(asked.model.encode(), digest_size=16)
        for end in range(step, len(data) + 1, step):
            running.update(data[end - step : end])
            yield end // 4, running.digest()

    def _marked(self, asked: Asked) -> tuple[tuple[tuple[int, bytes], ...], tuple[int, ...]]:
        """A running hash after each block of content, and which of them are breakpoints."""
        if not any(block.mark for block in asked.blocks):
            return (), ()
        running = blake2b(b"marked" + asked.model.encode(), digest_size=16)
        places, size = [], 0
        for block in asked.blocks:
            running.update(len(block.data).to_bytes(8, "big") + block.data)
            size += len(block.data)
            places.append((-(-size // 4), running.digest()))
        return tuple(places), tuple(index for index, block in enumerate(asked.blocks) if block.mark)

    def _look_up_marked(self, footprint: Footprint) -> Tokens:
        if not footprint.marks:
            return Tokens(footprint.total)
        read = 0
        for mark in footprint.marks:
            for index in range(mark, max(-1, mark - LOOK_BACK - 1), -1):
                tokens, key = footprint.places[index]
                if key in self._seen:
                    read = max(read, tokens)
                    break
        end = footprint.places[footprint.marks[-1]][0]
        stored = end - read if end >= self._least else 0
        return Tokens(footprint.total, read, stored)
