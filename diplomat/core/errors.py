"""Every error the package raises on purpose, in one tree.

::

    DiplomatError
    ├── UsageError           the caller asked for something that does not exist or does not fit
    │   ├── UnknownName      a name is not in its list; carries suggestions
    │   └── BadSettings      a setting is missing, ill-typed or contradicts another
    ├── BadProfile           a personality file cannot be used
    ├── BadTranscript        a game log cannot be read; carries the line number
    │   └── NewerFormat      the log was written by a later version
    ├── OutputExists         a file is in the way and nobody said to overwrite it
    ├── CannotWrite          a file cannot be written where it should go
    ├── OutOfTime            a player did not answer in time
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


class StepLimit(DiplomatError):
    """A game did not end within the referee's limit of steps."""


class RulesFault(DiplomatError):
    """A rules engine broke its contract: a bug in a game, never a player's fault."""
