"""Takes out of free text what may tell who wrote it: names, addresses, paths, keys."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from typing import ClassVar

from diplomat.llm.keys import masked

_PATTERNS: Mapping[str, re.Pattern[str]] = {
    "link": re.compile(r"\b(?:https?|ftp|file|wss?)://[^\s<>\"']+", re.IGNORECASE),
    "mail": re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+"),
    "path": re.compile(
        r"(?<![\w:/.])(?:~|\.{1,2})?/(?:[\w.@+-]+/)+[\w.@+-]*|(?<!\w)~/[\w.@+-]+|(?<!\w)[A-Za-z]:\\[^\s\"'<>|]+|\\\\[\w.-]+\\[^\s\"'<>|]+"
    ),
    "address": re.compile(r"(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?::\d+)?(?![\w.])"),
}
_PLAIN = frozenset({"chat", "model", "instruct", "local", "test", "base", "mini", "large", "small", "default", "echo"})
"""Words that begin names of models and tell nothing."""


class Scrub:
    """Replaces and counts."""

    KINDS: ClassVar[tuple[str, ...]] = (*_PATTERNS, "key")

    def __init__(self, names: Mapping[str, str], marks: Mapping[str, str], counts: Counter[str]) -> None:
        """``names`` to what stands in their place; ``marks`` by kind; ``counts`` is added to, names as ``name``."""
        self._marks, self._counts = marks, counts
        known = {**{stem: label for name, label in names.items() for stem in _stems(name)}, **names}
        longest = sorted((name for name in known if len(name.strip()) > 1), key=lambda name: -len(name))
        self._names = [(_pattern(name), known[name]) for name in longest]

    def __call__(self, text: str) -> str:
        """The text without them.

        >>> found = Counter()
        >>> Scrub({"Ann": "Player A"}, {"mail": "[e-mail]", "path": "[path]"}, found)("Ann: ann@a.org, /home/ann/x")
        'Player A: [e-mail], [path]'
        >>> sorted(found.items())
        [('mail', 1), ('name', 1), ('path', 1)]
        """
        for kind, pattern in _PATTERNS.items():
            text = self._replaced(pattern, self._marks.get(kind, ""), kind, text)
        bare = masked(text)
        if bare != text:
            self._counts["key"] += 1
            text = bare
        for pattern, label in self._names:
            text = self._replaced(pattern, label, "name", text)
        return text

    def _replaced(self, pattern: re.Pattern[str], mark: str, kind: str, text: str) -> str:
        text, found = pattern.subn(lambda _: mark, text)
        if found:
            self._counts[kind] += found
        return text


def _pattern(name: str) -> re.Pattern[str]:
    """A name as a word of its own, in any case and with its endings, however its parts are joined.

    Words are parted by anything but letters: ``ann_lee99`` has two.
    """
    words = name.split()
    before, after = (r"[^\W\d_]" if edge.isalpha() else r"\w" for edge in (words[0][0], words[-1][-1]))
    whole = r"[\W_]*".join(map(_inflected, words))
    return re.compile(rf"(?<!{before}){whole}(?!{after})", re.IGNORECASE)


def _inflected(word: str) -> str:
    """One word of a name: English and German genitives, Russian cases."""
    if re.fullmatch(r"[А-Яа-яЁё]{4,}", word):
        return re.escape(re.sub(r"[аяйьоеё]$", "", word)) + r"[а-яё]{0,3}"
    return re.escape(word) + ("s?" if len(word) > 2 and word.isalpha() else "")


def _stems(name: str) -> list[str]:
    """The family that a model's name begins with: models like to say it of themselves."""
    found = re.match(r"[A-Za-z]{3,}(?=[-\d.])", name.rsplit("/", 1)[-1])
    return [found.group()] if found and re.search(r"\d|-", name) and found.group().lower() not in _PLAIN else []
