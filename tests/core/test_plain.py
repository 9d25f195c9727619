"""Plain data: the same for equal values, and an error for what cannot be written down."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest

from diplomat.core.plain import canonical, digest, plain


@dataclass(frozen=True, slots=True)
class Thing:
    """Something with every kind of content."""

    name: str
    parts: tuple[Any, ...] = ()
    names: frozenset[str] = frozenset()
    table: Mapping[str, Any] = field(default_factory=dict)


@pytest.mark.parametrize(
    ("value", "made"),
    [
        (None, None),
        (True, True),
        (1.5, 1.5),
        ("x", "x"),
        ([1, (2, 3)], [1, [2, 3]]),
        ({"b": 1, "a": {2}}, {"a": [2], "b": 1}),
        (frozenset({"b", "a"}), ["a", "b"]),
        (Thing("x", (Thing("y"),)), {"name": "x", "parts": [{"name": "y", "parts": [], "names": [], "table": {}}],
                                     "names": [], "table": {}}),
    ],
)  # fmt: skip
def test_plain(value: Any, made: Any) -> None:
    assert plain(value) == made


@pytest.mark.parametrize("value", [object(), b"bytes", bytearray(b"x"), 1j, Thing, {"a": object()}, [lambda: 0]])
def test_what_cannot_be_written_is_an_error(value: Any) -> None:
    with pytest.raises(TypeError, match="cannot be written as JSON"):
        plain(value)


def test_canonical_form_does_not_depend_on_order() -> None:
    one = Thing("é", names=frozenset("abc"), table={"x": 1, "y": 2})
    other = Thing("é", names=frozenset("cba"), table={"y": 2, "x": 1})
    assert canonical(one) == canonical(other) == '{"name":"é","parts":[],"names":["a","b","c"],"table":{"x":1,"y":2}}'
    assert digest(one) == digest(other) != digest(Thing("e"))


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_numbers_that_json_does_not_have_are_an_error(value: float) -> None:
    with pytest.raises(ValueError, match="JSON"):
        canonical(value)


def test_half_a_surrogate_pair_has_a_digest() -> None:
    assert digest("\ud800") != digest("\ud801")
