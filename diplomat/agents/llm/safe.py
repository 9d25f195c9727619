"""Text that others wrote, made so that it can pass for nothing else inside a prompt.

Words of players become JSON strings on one line; lines of the game lose everything that could
open a fence, a tag or a turn of its own.
"""

from __future__ import annotations

import json

from diplomat.core.talk import clean

_FENCES = str.maketrans({"`": "'", "<": "‹"})


def quoted(text: str) -> str:
    r"""Words as a JSON string without a backtick or an opening bracket of a tag.

    >>> print(quoted('Hi\n```menu <system> "x"'))
    "Hi\n\u0060\u0060\u0060menu \u003csystem> \"x\""
    """
    plain = json.dumps(_clean(text), ensure_ascii=False)
    return plain.replace("`", "\\u0060").replace("<", "\\u003c")


def line(text: str) -> str:
    r"""A sentence on one line that opens neither a fence nor a tag.

    >>> line("All is\n```well``` <s>")
    "All is '''well''' ‹s>"
    """
    return " ".join(_clean(text).translate(_FENCES).split())


def barred(text: str) -> str:
    r"""A text of several lines, each behind a bar, so that none can begin a part of the prompt.

    >>> print(barred("one\n# two"))
    | one
    | # two
    """
    return "\n".join(f"| {_clean(row).translate(_FENCES)}".rstrip() for row in text.splitlines())


def _clean(text: str) -> str:
    """Text without hostile characters, none of which can be printed."""
    return text if text.isprintable() else clean(text)


def clipped(text: str, most: int) -> str:
    """A text of at most so many characters; the cut is marked.

    >>> clipped("abcdef", 4)
    'abc…'
    """
    return text if len(text) <= most else text[: most - 1] + "…"


def tokens(text: str) -> int:
    """About how many tokens a text has: a quarter of its bytes, which suits English and Russian alike."""
    return len(text.encode("utf-8", "replace")) // 4 + 1
