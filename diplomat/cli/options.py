"""Options that several commands share, and what they mean."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Annotated

import typer

Lang = Annotated[
    str | None,
    typer.Option(
        "--lang", metavar="en|ru", help="Language of what is shown.", envvar="DIPLOMAT_LANG", show_envvar=True
    ),
]
Force = Annotated[bool, typer.Option("--force", help="Overwrite files that exist; has to be typed each time.")]
AsJson = Annotated[
    bool, typer.Option("--json", help="Print the result as JSON.", envvar="DIPLOMAT_JSON", show_envvar=True)
]
Seed = Annotated[
    str | None,
    typer.Option(
        "--seed", metavar="N", help="Seed of all chance; drawn if not given.", envvar="DIPLOMAT_SEED", show_envvar=True
    ),
]
Shown = Annotated[
    str,
    typer.Option(
        "--display",
        metavar="auto|rich|plain|none",
        help="How to show it; auto looks at the terminal.",
        envvar="DIPLOMAT_DISPLAY",
        show_envvar=True,
    ),
]
Spoilers = Annotated[
    bool,
    typer.Option("--spoilers", help="Open what is hidden in an unfinished game; has to be typed each time."),
]


def examples(*lines: str) -> str:
    """The examples at the foot of a help page."""
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in lines)


def locale_lang(env: Mapping[str, str] | None = None) -> str:
    """The language of the locale: ``ru`` if it is Russian, else ``en``.

    >>> locale_lang({"LANG": "ru_RU.UTF-8"}), locale_lang({"LC_ALL": "C", "LANG": "ru_RU.UTF-8"})
    ('ru', 'en')
    """
    env = os.environ if env is None else env
    named = next((env[key] for key in ("LC_ALL", "LC_MESSAGES", "LANG") if env.get(key)), "")
    return "ru" if named.lower().startswith("ru") else "en"


def checked_lang(asked: str | None, otherwise: str) -> str:
    """The language asked for, or the other one; UnknownName with suggestions if there is no such."""
    from diplomat.core.errors import UnknownName
    from diplomat.core.texts import LANGUAGES

    lang = asked or otherwise
    if lang not in LANGUAGES:
        raise UnknownName("language", lang, LANGUAGES)
    return lang
