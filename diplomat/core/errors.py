"""Every error the package raises on purpose, in one tree.

::

    DiplomatError
    ├── UsageError           the caller asked for something that does not exist or does not fit
    │   ├── UnknownName      a name is not in its list; carries suggestions
    │   └── BadSettings      a setting is missing, ill-typed or contradicts another
    ├── BadProfile           a personality file cannot be used
    ├── BadTranscript        a game log cannot be read; carries the line number
    │   ├── NewerFormat      the log was written by a later version
    │   └── Diverged         a game played again is not the one in its log
    ├── OutputExists         a file is in the way and nobody said to overwrite it
    ├── CannotWrite          a file cannot be written where it should go
    ├── OutOfTime            a player did not answer in time
    ├── NoAnswer             a player gives up; carries the problem that the log shall name
    ├── Suspended            the game stops where it is and can be resumed
    │   ├── BudgetSpent      the next call could cost more than is left
    │   └── Unreachable      no model of this game has answered for too long
    ├── StepLimit            a game did not end within the referee's limit
    └── RulesFault           a rules engine broke its contract (a bug in a game, never a player's fault)

A message says what was wrong, where, and what would be right.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from diplomat.core.menus import Problem


class DiplomatError(Exception):
    """Base of all errors raised on purpose; its text is fit for a person."""


class UsageError(DiplomatError):
    """The caller asked for something that does not exist or does not fit."""


class UnknownName(UsageError):
    """A name is not in its list; the message suggests the nearest ones.

    >>> print(UnknownName("profile", "honset", ["honest", "turtle"]))
    unknown profile 'honset'. Did you mean 'honest'? Known: honest, turtle
    """

    def __init__(self, what: str, name: str, known: Iterable[str], where: str = "") -> None:
        self.what, self.name, self.known = what, name, tuple(known)
        alike = [entry for entry in self.known if entry.casefold() == name.casefold()]
        near = alike or difflib.get_close_matches(name, self.known, n=1)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        place = f" in {where}" if where else ""
        listed = ", ".join(self.known) if self.known else "none"
        super().__init__(f"unknown {what} {name!r}{place}.{hint} Known: {listed}")


class BadSettings(UsageError):
    """A setting is missing, ill-typed or contradicts another."""


class BadProfile(DiplomatError):
    """A personality file cannot be used."""


class BadTranscript(DiplomatError):
    """A game log cannot be read; ``line`` is the 1-based line at fault, 0 for the whole file."""

    def __init__(self, text: str, line: int = 0) -> None:
        self.line = line
        super().__init__(text)


class NewerFormat(BadTranscript):
    """The log was written by a later version of this package."""


class Diverged(BadTranscript):
    """A game played again is not the one in its log; ``n`` is the first event that differs, 0 for the header.

    ``difference`` says how they differ in full, secrets of the game included; the text keeps those.
    """

    def __init__(self, text: str, n: int, difference: str) -> None:
        self.n, self.difference = n, difference
        super().__init__(text, n + 1)


class OutputExists(DiplomatError):
    """A file is in the way and nobody said to overwrite it."""


class CannotWrite(DiplomatError):
    """A file cannot be written where it should go."""


class Suspended(DiplomatError):
    """The game stops where it is; its log is whole and can be resumed.  Never turned into a default."""


class BudgetSpent(Suspended):
    """The next call could cost more than is left of the budget."""


class Unreachable(Suspended):
    """No model of this game has answered for too long."""


class OutOfTime(DiplomatError):
    """A player did not answer in time; the table takes the default as if its own clock had run out."""


class NoAnswer(DiplomatError):
    """A player gives up; the table takes the default and the log names ``problem``.

    ``refused`` are well-formed answers that the player itself found not to be legal, with the reason.
    """

    def __init__(self, problem: Problem, refused: tuple[tuple[Any, Problem], ...] = ()) -> None:
        self.problem, self.refused = problem, refused
        super().__init__(str(problem))


class StepLimit(DiplomatError):
    """A game did not end within the referee's limit of steps."""


class RulesFault(DiplomatError):
    """A rules engine broke its contract: a bug in a game, never a player's fault."""
