"""Errors: one tree, messages that say what was wrong and what would be right."""

from __future__ import annotations

import inspect

import pytest

from diplomat.core import errors
from diplomat.core.errors import BadTranscript, DiplomatError, NewerFormat, UnknownName


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (UnknownName("profile", "honset", ["honest", "turtle"]),
         "unknown profile 'honset'. Did you mean 'honest'? Known: honest, turtle"),
        (UnknownName("seat", "zzz", [], where="settings"), "unknown seat 'zzz' in settings. Known: none"),
    ],
)  # fmt: skip
def test_unknown_name(error: UnknownName, text: str) -> None:
    assert str(error) == text


def test_transcript_errors_carry_their_line() -> None:
    assert (BadTranscript("x").line, BadTranscript("x", 7).line, NewerFormat("x", 1).line) == (0, 7, 1)


def test_every_error_stands_in_the_tree_that_is_drawn() -> None:
    classes = [cls for _, cls in inspect.getmembers(errors, inspect.isclass) if cls.__module__ == errors.__name__]
    assert all(issubclass(cls, DiplomatError) for cls in classes)
    assert all(cls.__name__ in str(errors.__doc__) for cls in classes)
