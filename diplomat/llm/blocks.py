"""The pieces of prompts, each hashed once, so that long prompts cost little to tell apart and to keep."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from hashlib import sha256

from diplomat.llm.base import Call


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """What was asked, by the hashes of its pieces."""

    sha: str
    """SHA-256 over everything that decides what a model is asked; neither its name nor its address."""
    system: tuple[str, ...]
    turns: tuple[tuple[str, str], ...]
    """Role and hash of the text."""
    schema: str
    max_output: int
    constrained: bool


class Blocks:
    """Texts by their hash."""

    def __init__(self) -> None:
        self._sha: dict[str, str] = {}

    def sha(self, text: str) -> str:
        """SHA-256 of a text."""
        known = self._sha.get(text)
        if known is None:
            known = self._sha[text] = sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
        return known

    def of(self, call: Call) -> tuple[Fingerprint, dict[str, str]]:
        """The fingerprint of a call, and its texts by hash."""
        schema = schema_text(call)
        system = tuple(self.sha(part.text) for part in call.system)
        turns = tuple((turn.role, self.sha(turn.text)) for turn in call.turns)
        texts = {self.sha(part.text): part.text for part in call.system}
        texts |= {self.sha(turn.text): turn.text for turn in call.turns}
        texts[self.sha(schema)] = schema
        whole = json.dumps([system, turns, self.sha(schema), call.max_output, call.constrained])
        return (
            Fingerprint(
                sha256(whole.encode()).hexdigest(), system, turns, self.sha(schema), call.max_output, call.constrained
            ),
            texts,
        )


@dataclass(slots=True)
class _Node:
    children: dict[str, _Node] = field(default_factory=dict)


RECENT = 8
"""Pieces that begin where a new one begins and are compared with it letter by letter."""


class Prefixes:
    """How much of each prompt some earlier prompt began with, letter for letter: what a perfect cache would know."""

    def __init__(self) -> None:
        self._roots: dict[str, _Node] = {}

    def measure(self, model: str, pieces: Iterable[str]) -> tuple[int, int]:
        """Characters already sent to that model as a beginning, and all characters; remembers the prompt."""
        node = self._roots.setdefault(model, _Node())
        same = whole = 0
        fresh = False
        for piece in pieces:
            whole += len(piece)
            child = node.children.get(piece)
            if child is None:
                if not fresh:
                    same += max((_common(piece, other) for other in list(node.children)[-RECENT:]), default=0)
                fresh = True
                child = node.children[piece] = _Node()
            elif not fresh:
                same += len(piece)
            node = child
        return same, whole


def _common(one: str, two: str) -> int:
    """Length of the common beginning, found by halving, since comparing slices is quick."""
    low, high = 0, min(len(one), len(two))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == two[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def pieces_of(call: Call) -> list[str]:
    """A prompt as the pieces it is sent in: servers put the form of the reply before everything else."""
    turns = [f"{turn.role}\n{turn.text}" for turn in call.turns]
    return [schema_text(call), *(part.text for part in call.system), *turns]


def schema_text(call: Call) -> str:
    """The form of the reply as JSON."""
    return json.dumps(call.schema, ensure_ascii=False, separators=(",", ":"))
