"""The only way by which text of players and files reaches a terminal."""

from __future__ import annotations

from rich.text import Text

from diplomat.core.talk import clean


def safe(text: str, style: str = "") -> Text:
    r"""The text as one plain piece: no markup is read, control and direction characters are gone.

    >>> safe("[bold]x[/b] \x1b]52;c;aGk=\x07\u202e!").plain
    '[bold]x[/b] ]52;c;aGk=!'
    """
    return Text(clean(text).replace("\t", " "), style=style)


def one_line(text: str) -> str:
    r"""The text on a single line, for messages that must be one.

    >>> one_line("no\nsuch\x1b[2J thing")
    'no such[2J thing'
    """
    return " ".join(clean(text).split())
