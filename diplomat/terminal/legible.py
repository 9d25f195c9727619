"""What a terminal cannot write steps down to what it can, and is told once to whoever looks at it.

Where UTF-8 is spoken nothing of this happens.  An encoding that a person or a locale asked for is kept.
"""

from __future__ import annotations

import codecs
import sys
from collections.abc import Mapping
from contextlib import suppress
from typing import IO

LEGIBLE = "diplomat.legible"
"""Name of the error handler, for ``stream.reconfigure(errors=…)``."""
PLAINER: Mapping[str, str] = {
    "─": "-",
    "│": "|",
    "—": "-",
    "–": "-",
    "‑": "-",
    "−": "-",
    "→": "->",
    "←": "<-",
    "↓": "v",
    "⇄": "<->",
    "×": "x",
    "·": ".",
    "…": "...",
    "≥": ">=",
    "≤": "<=",
    "≠": "!=",
    "≈": "~",
    "✓": "+",
    "✗": "x",
    "†": "+",
    "‘": "'",
    "’": "'",
    "“": '"',
    "”": '"',
    "„": '"',
    "«": '"',
    "»": '"',
    "\u00a0": " ",
    "\u202f": " ",
}
"""Lines, arrows and quotation marks, without which everything can still be read."""
HOW = "set PYTHONIOENCODING=utf-8, or a UTF-8 locale such as LC_ALL=C.UTF-8, in a terminal that shows UTF-8"


class Legible:
    """An error handler of codecs: plainer signs where there are some, else a question mark and one warning."""

    def __init__(self) -> None:
        self._said = False

    def __call__(self, fault: UnicodeError) -> tuple[str, int]:
        """What is written instead of what cannot be."""
        if not isinstance(fault, UnicodeEncodeError):
            raise fault
        signs = fault.object[fault.start : fault.end]
        lost = [sign for sign in signs if sign not in PLAINER]
        if lost and not fault.encoding.lower().startswith("utf"):  # there it is half of a surrogate pair
            self._warn(fault.encoding, lost[0])
        return "".join(PLAINER.get(sign, "?") for sign in signs), fault.end

    def _warn(self, encoding: str, sign: str) -> None:
        if self._said or sys.stderr is None:
            return
        self._said = True
        what = "Cyrillic letters" if "\u0400" <= sign <= "\u04ff" else f"U+{ord(sign):04X} and the like"
        with suppress(OSError, ValueError):
            sys.stderr.write(f"diplomat: warning: {encoding} cannot show {what}, so they come out as ?; {HOW}\n")


def make_legible(*streams: IO[str] | None) -> None:
    """Streams that never fail for a letter; closed ones (None) and those of another kind are left alone."""
    codecs.register_error(LEGIBLE, Legible())
    for stream in streams:
        if stream is not None and hasattr(stream, "reconfigure"):
            stream.reconfigure(errors=LEGIBLE)
