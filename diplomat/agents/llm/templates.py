"""The prompt templates: the user's own go before those that came with the package."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from diplomat.agents.shelf import folders
from diplomat.core.texts import LANGUAGES

if TYPE_CHECKING:
    from jinja2 import Environment


@cache
def _environment(places: tuple[Path, ...], lang: str) -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    return Environment(
        loader=FileSystemLoader([place / lang for place in places]),
        undefined=StrictUndefined,
        autoescape=False,  # noqa: S701 — prompts are plain text; what others wrote is made safe in safe.py
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )


class Templates:
    """The templates of one language, looked for once."""

    def __init__(self, lang: str) -> None:
        self.places = folders("prompts")
        self._environment = _environment(self.places, lang if lang in LANGUAGES else "en")

    def render(self, name: str, /, **facts: Any) -> str:
        """The template of that name, filled; facts are data and never rendered themselves."""
        return self._environment.get_template(f"{name}.j2").render(facts).strip()


@cache
def page(package: str, stem: str, lang: str) -> str:
    """A text that lies in a game's folder (``rules.en.md``), in English if need be, empty if there is none."""
    for each in (lang, "en"):
        path = files(package).joinpath(f"{stem}.{each}.md")
        if path.is_file():
            return path.read_text(encoding="utf-8").strip()
    return ""
