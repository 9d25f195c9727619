"""What README and docs promise to a reader who follows them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

TOP = Path(__file__).parents[1]
PAGES = [TOP / "README.md", TOP / "CONTRIBUTING.md", *sorted((TOP / "docs").glob("*.md"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_within_the_project_leads_somewhere(page: Path) -> None:
    prose = re.sub(r"```.*?```|`[^`\n]*`", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)#]+)", prose):
        if "://" not in target:
            assert (page.parent / target).exists(), target


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_no_placeholder_is_left(page: Path) -> None:
    assert "@@" not in page.read_text(encoding="utf-8")


def test_the_first_two_commands_each_make_their_own_environment() -> None:
    lines = [
        line.strip() for line in (TOP / "README.md").read_text(encoding="utf-8").splitlines() if line[:4] == "    "
    ]
    play, test = lines[:2]
    assert all(line.startswith("python3 -m venv .venv && .venv/bin/pip install ") for line in (play, test))
    assert play.endswith("diplomat play")
    assert "pytest" in test
