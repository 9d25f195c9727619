"""What can be wrong with a model's reply, by name."""

from __future__ import annotations

from enum import StrEnum

from diplomat.core.menus import Answer, Problem


class Failure(StrEnum):
    """Kinds of reply that bring no move; each has a second question of its own."""

    TRUNCATED = "truncated"
    """Cut off by the limit on its length."""
    EMPTY = "empty"
    UNPARSABLE = "unparsable"
    """No JSON object with the required fields."""
    ILLEGAL = "illegal"
    """Well formed, but not on the menu."""
    AMBIGUOUS = "ambiguous"
    """Several answers on the menu could be meant."""
    REFUSED = "refused"
    """The model or its filter declined."""
    TIMEOUT = "timeout"
    TOO_LONG = "too_long"
    """The prompt did not fit into the model's context; it is shortened, never sent again unchanged."""


NO_ANSWER = object()
"""Stands for a reply in which no answer could be found."""


class Unusable(Exception):
    """A reply that brings no move."""

    def __init__(self, failure: Failure, problem: Problem | None = None, answer: Answer = NO_ANSWER) -> None:
        self.failure = failure
        self.problem = problem
        """What was wrong, in a word of the catalogue."""
        self.answer = answer
        """The answer as it was given, if there was one."""
        self.echo = ""
        """The reply as the model shall see it again."""
        super().__init__(failure.value)
